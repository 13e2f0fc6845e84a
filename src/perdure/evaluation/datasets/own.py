"""Your own conversations and questions: one JSON object a line.

    {"id": "c1",
     "messages": [{"id": "1", "role": "user", "name": "Ana", "content": "...", "at": "2024-05-08T12:00:00Z"}, ...],
     "questions": [{"question": "...", "answer": "...", "evidence": ["1"], "category": "work", "answerable": true}]}

A message needs content and at, a question its question; the rest may be left out.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from perdure.errors import InputError
from perdure.evaluation.conversation import Conversation, Question, Turn
from perdure.evaluation.datasets.files import read_lines, shaped
from perdure.when import to_utc

SOURCE = "your own file; docs/how-to/evaluate.md shows its form"


def load(path: str | Path | None = None, *, only: str | None = None) -> list[Conversation]:
    """Return the conversations of a file, in its order; `only` names one.

    Raises InputError, also where two conversations have one id or evidence names no message.
    """
    if path is None:
        raise InputError("no file was given; name the path of a JSONL file (docs/how-to/evaluate.md)")
    path = Path(path)
    rows = read_lines(path, source=SOURCE)
    found = shaped(path, "conversations with questions", lambda: [_conversation(n, r) for n, r in enumerate(rows)])
    if len({conversation.id for conversation in found}) < len(found):
        raise InputError(f"{path} has two conversations of one id; give each its own")
    return [conversation for conversation in found if only in (None, conversation.id)]


def _conversation(number: int, row: dict[str, Any]) -> Conversation:
    id = str(row.get("id", number))
    turns = tuple(_turn(id, place, said) for place, said in enumerate(row["messages"], start=1))
    if not turns:
        raise ValueError(f"conversation {id!r} has no messages")
    if len({turn.id for turn in turns}) < len(turns):
        raise ValueError(f"conversation {id!r} has two messages of one id")
    names = list(dict.fromkeys(turn.speaker for turn in turns))
    known = {turn.id for turn in turns}
    questions = tuple(_question(place, asked, known) for place, asked in enumerate(row.get("questions", [])))
    return Conversation(id, (names[0], names[1] if len(names) > 1 else "assistant"), turns, questions)


def _turn(conversation: str, place: int, said: dict[str, Any]) -> Turn:
    missing = sorted({"content", "at"} - said.keys())
    if missing:
        raise ValueError(f"message {place} of conversation {conversation!r} has no {missing[0]}")
    role = said.get("role", "user")
    if role not in ("user", "assistant"):
        raise ValueError(f"a role is user or assistant, not {role!r}")
    at: datetime = to_utc(said["at"], timezone=None, name="at")
    return Turn(
        str(said.get("id", place)), str(said.get("name") or role), str(said["content"]), at, role=role,
        session=at.date().isoformat(),
    )  # fmt: skip


def _question(place: int, asked: dict[str, Any], known: set[str]) -> Question:
    evidence = tuple(dict.fromkeys(map(str, asked.get("evidence", []))))
    unknown = sorted(set(evidence) - known)
    if unknown:
        raise ValueError(f"question {place} names the message {unknown[0]!r} as evidence, and there is none")
    answer, at, category = asked.get("answer"), asked.get("at"), asked.get("category", "all")
    if not isinstance(category, str | int) or not str(category).isprintable():
        raise ValueError(f"the category of question {place} is one printable word or number, not {category!r}")
    return Question(
        index=place,
        text=str(asked["question"]),
        answer=None if answer is None else str(answer),
        category=category,
        evidence=evidence,
        at=None if at is None else to_utc(at, timezone=None, name="at"),
        is_answerable=bool(asked.get("answerable", True)),
    )
