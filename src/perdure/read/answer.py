"""The answer: a question and its evidence for a model, and the model's reply; without a model, the evidence itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from perdure.errors import BadCompletion
from perdure.models import Completion, Context, Hit, Prompt, Tool
from perdure.prompts import load
from perdure.prompts.lenient import values
from perdure.prompts.recalled import quote
from perdure.prompts.thoughts import without_thoughts
from perdure.read.asked import is_bare
from perdure.read.pack import entry, is_ended
from perdure.when import describe, local

UNKNOWN = "I don't know: the memory holds no answer to this."

SHORT = "Answer in five or six words, without a sentence around them."
FULL = "Answer in one or two sentences."
MAX_TOKENS = 1024  # chosen: an answer is a few sentences
BEST = 3  # chosen: how much evidence stands for an answer without a model, at most
LEVEL = 0.5  # share of the best score from which other evidence stands beside it; chosen

TOOL = Tool(
    "answer",
    "Give the answer and the numbers of the entries that it rests on.",
    {
        "type": "object",
        "properties": {
            "answer": {"type": "string"},
            "citations": {"type": "array", "items": {"type": "integer"}},
            "known": {"type": "boolean", "description": "false if the entries do not hold the answer"},
        },
        "required": ["answer", "citations", "known"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with the hits it rests on; `is_known` is False where the evidence does not hold it."""

    text: str
    citations: tuple[Hit, ...]
    is_known: bool


def prompt(
    question: str,
    context: Context,
    *,
    now: datetime,
    short: bool,
    timezone: tzinfo = UTC,
    folder: str | None = None,
) -> Prompt:
    """Return the prompt that asks a question over a numbered context, its dates and `now` by `timezone`."""
    here = local(now, timezone)
    return load("answer", folder).fill(
        tools=(TOOL,),
        max_tokens=MAX_TOKENS,
        evidence=context.text,
        now=f"{describe(now, 'day', timezone=timezone)} {here:%H:%M} {here:%Z}".rstrip(),
        style=SHORT if short else FULL,
        question=quote(question),
    )


def parse(completion: Completion, context: Context) -> Reply:
    """Return the model's reply: a call of `answer`, else JSON within text, else the text with its [numbers].

    Numbers that name no entry are dropped.  Raises BadCompletion on a reply without an answer.
    """
    said = without_thoughts(completion.text)
    texts = (*(call.arguments for call in completion.calls), said)
    given = next((found for one in texts if (found := _object(one)) is not None), None)
    if given is None and not said.startswith(("{", "```json")):
        given = {"answer": re.sub(r"\s*\[\d+(?:\s*,\s*\d+)*\]", "", said), "citations": _numbers(said)}
    given = given or {}
    text = given.get("answer")
    if isinstance(text, int | float) and not isinstance(text, bool):
        text = str(text)
    is_known = given.get("known") not in (False, "false", "no")
    if not isinstance(text, str) or (is_known and not text.strip()):
        raise BadCompletion("the model's reply holds no answer; the form asked for is {answer, citations, known}")
    return Reply(text.strip() or UNKNOWN, _cited(given.get("citations"), context), is_known)


def best_evidence(hits: Sequence[Hit], *, now: datetime, short: bool, timezone: tzinfo = UTC) -> Reply:
    """Return the best hits as they stand, dated and cited: the first, and those nearly as good; `hits` are best first.

    What holds stands before what has ended, else the order is kept: the newest wins where two contradict each other.
    """
    best = sorted(strong(hits)[: 1 if short else BEST], key=lambda hit: is_ended(hit, now=now))
    if not best:
        return Reply(UNKNOWN, (), is_known=False)
    if short:
        return Reply(best[0].text, tuple(best), is_known=True)
    return Reply("\n".join(entry(hit, now=now, timezone=timezone) for hit in best), tuple(best), is_known=True)


def strong(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits whose score is at least LEVEL of the best one's, in order; a turn that only asks is none.

    Where all only ask, they stand: there is nothing else.
    """
    hits = [hit for hit in hits if not (hit.message and is_bare(hit.message.content))] or hits
    least = LEVEL * max((hit.score for hit in hits), default=0.0)
    return [hit for hit in hits if hit.score >= least]


def _object(said: str) -> Mapping[str, Any] | None:
    """Return the object with an answer that a text holds, with a fence, words or a call around it; None if none."""
    for found in values(said):
        value = found.value
        inner = value.get("arguments", value.get("parameters")) if isinstance(value, Mapping) else None
        for given in (value, inner):
            if isinstance(given, Mapping) and "answer" in given:
                return given
    return None


def _numbers(text: str) -> list[int]:
    return [
        int(number) for group in re.findall(r"\[(\d+(?:\s*,\s*\d+)*)\]", text) for number in re.findall(r"\d+", group)
    ]


def _cited(numbers: object, context: Context) -> tuple[Hit, ...]:
    """Return the hits behind the numbers, each once, in the order cited."""
    if not isinstance(numbers, list):
        numbers = [numbers]
    found: dict[int, Hit] = {}
    for number in numbers:
        digits = re.fullmatch(r"\[?(\d{1,6})\]?", str(number).strip())
        if digits and 1 <= int(digits[1]) <= len(context.hits):
            found.setdefault(int(digits[1]), context.hits[int(digits[1]) - 1])
    return tuple(found.values())
