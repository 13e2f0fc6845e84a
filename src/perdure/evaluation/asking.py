"""What the models of a run are asked: one question over a system's context, and verdicts on the answers.

Every system's context goes to the same model in the same prompt, so that only memories are compared.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from perdure import prompts
from perdure.errors import BadCompletion
from perdure.evaluation.conversation import Question
from perdure.models import Completion, Prompt, Tool
from perdure.prompts.lenient import values
from perdure.prompts.recalled import as_data
from perdure.prompts.thoughts import without_thoughts

Leniency = Literal["lenient", "strict"]
LENIENCIES: tuple[Leniency, ...] = get_args(Leniency)
FOLDER = str(Path(__file__).parent / "prompts")
DECLINED = ("no information available", "not mentioned", "i don't know", "i do not know")

_ANSWER_TOKENS = 512  # chosen: room for a model that thinks aloud before six words
_VERDICT_TOKENS = 512
_NOTHING = "(nothing)"
_CHOOSE = "- The question has choices: reply with the letter of the right one alone.\n"

VERDICT = Tool(
    "verdict",
    "Give the verdict.",
    {
        "type": "object",
        "properties": {"correct": {"type": "boolean", "description": "true if the answer is accepted"}},
        "required": ["correct"],
        "additionalProperties": False,
    },
)


def question_prompt(question: Question, context: str, *, now: datetime) -> Prompt:
    """Return the prompt that asks a question over a context."""
    asked = as_data(question.text)
    if question.choices:
        asked += "\n" + "\n".join(f"({label}) {as_data(text)}" for label, text in question.choices)
    return prompts.load("answer", FOLDER).fill(
        max_tokens=_ANSWER_TOKENS,
        context=context or _NOTHING,
        now=f"{now:%d %B %Y %H:%M}",
        question=asked,
        style=_CHOOSE if question.choices else "",
    )


def read_answer(completion: Completion) -> str:
    """Return what was answered, without what was thought aloud; empty where the reply says nothing."""
    return without_thoughts(completion.text).strip().removeprefix("Answer:").strip()


def chosen(answer: str, question: Question) -> str | None:
    """Return the label of the choice that an answer names; None where it names none or several.

    >>> question = Question(0, "?", "b", "x", (), choices=(("a", "Sing"), ("b", "Paint")))
    >>> chosen("(b) Paint", question), chosen("B", question), chosen("a or b", question)
    ('b', 'b', None)
    """
    labels = {label.casefold(): label for label, _ in question.choices}
    first = re.match(r"\W*(\w+)\W*$|\W*\((\w+)\)", answer.strip())
    if first:
        return labels.get((first[1] or first[2]).casefold())
    return None


def declines(answer: str) -> bool:
    """True if an answer says that the record does not hold it."""
    said = answer.lower().replace("’", "'")
    return not said.strip() or any(words in said for words in DECLINED)


def verdict_prompt(question: str, gold: str, answer: str, leniency: Leniency) -> Prompt:
    """Return the prompt that asks for a verdict."""
    return prompts.load(f"judge_{leniency}", FOLDER).fill(
        tools=(VERDICT,),
        max_tokens=_VERDICT_TOKENS,
        question=as_data(question),
        gold=as_data(gold),
        answer=as_data(answer),
    )


def read_verdict(completion: Completion) -> bool:
    """Return the verdict: of the call, else of JSON within the text.  Raises BadCompletion where there is none."""
    said = without_thoughts(completion.text)
    for text in (*(call.arguments for call in completion.calls), said):
        for found in values(text):
            value = found.value
            inner = value.get("arguments", value) if isinstance(value, Mapping) else None
            correct = inner.get("correct") if isinstance(inner, Mapping) else None
            if isinstance(correct, bool):
                return correct
            if isinstance(correct, str) and correct.lower() in ("true", "false"):
                return correct.lower() == "true"
    raise BadCompletion("the judge's reply holds no verdict; {correct: true or false} was expected")
