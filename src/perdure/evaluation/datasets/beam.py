"""BEAM: long chats of one user with an assistant, and probing questions of ten kinds.

Source: Tavakoli et al. 2025; the chats of mohammadtavakoli78/BEAM, one JSON object a line.
Only batches are dated: all turns of a batch have its time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from perdure.evaluation.conversation import Conversation, Question, Turn
from perdure.evaluation.datasets.files import data_folder, read_lines, shaped

SOURCE = "https://github.com/mohammadtavakoli78/BEAM (no licence stated: evaluation only)"
_ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance")
_TRAIL = re.compile(r"\s*->->.*$", re.DOTALL)  # a mark of the generation behind each message of the user


def load(path: str | Path | None = None, *, only: str | None = None) -> list[Conversation]:
    """Return the chats of a file, in its order; `only` names one by its number.

    Without a path, the first file of the 100K chats in `data_folder()`.
    The gold of what is to be followed or summed up is what a right answer would do: it suits a judge, not F1.
    Raises InputError.
    """
    path = Path(path) if path is not None else data_folder() / "other" / "beam_100k_a.jsonl.gz"
    chats = read_lines(path, source=SOURCE)
    return shaped(path, "BEAM", lambda: [_conversation(c) for c in chats if only in (None, str(c["id"]))])


def _conversation(chat: dict[str, Any]) -> Conversation:
    turns = tuple(_turns(chat["chat"]))
    known = {turn.id for turn in turns}
    asked = [(kind, question) for kind, questions in chat["probing_questions"].items() for question in questions]
    questions = tuple(_question(index, kind, question, known) for index, (kind, question) in enumerate(asked))
    return Conversation(str(chat["id"]), ("user", "assistant"), turns, questions)


def _turns(batches: list[dict[str, Any]]) -> Iterator[Turn]:
    at = datetime(2024, 1, 1, tzinfo=UTC)  # chosen: of a batch without an anchor that no other precedes
    for batch in batches:
        if batch.get("time_anchor"):
            at = datetime.strptime(batch["time_anchor"], "%B-%d-%Y").replace(tzinfo=UTC)
        for turn in (turn for group in batch["turns"] for turn in group):
            text = _TRAIL.sub("", turn["content"])
            if text.strip():
                session = str(batch["batch_number"])
                yield Turn(str(turn["id"]), turn["role"], text, at, role=turn["role"], session=session)
        at += timedelta(days=1)


def _question(index: int, kind: str, question: dict[str, Any], known: set[str]) -> Question:
    answer = next((str(question[name]) for name in _ANSWERS if question.get(name) is not None), None)
    named = [str(id) for id in _ids(question.get("source_chat_ids", []))]
    return Question(
        index=index,
        text=question["question"],
        answer=answer,
        category=kind,
        evidence=tuple(dict.fromkeys(id for id in named if id in known)),
        is_answerable=kind != "abstention",
    )


def _ids(value: Any) -> Iterator[int]:
    """Yield the numbers of a list, or of an object of lists."""
    if isinstance(value, int):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _ids(inner)
