"""What a demo runs on: sessions of messages, and questions, with the evidence where it is known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from perdure.errors import InputError
from perdure.evaluation.datasets.locomo import Conversation, Turn, load

SHIPPED = Path(__file__).with_name("conversation.json")
ASKED = 10  # questions of a LoCoMo conversation (chosen)


@dataclass(frozen=True, slots=True)
class Session:
    """Messages of one sitting, as `Memory.add` takes them."""

    at: datetime
    messages: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `evidence` are the external ids of the messages that hold its answer, `gold` the expected answer."""

    text: str
    evidence: tuple[str, ...] = ()
    gold: str | None = None


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A whole conversation, whose memory it is, and what to ask about it."""

    name: str
    user: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    @property
    def messages(self) -> list[Mapping[str, Any]]:
        """All messages in order."""
        return [message for session in self.sessions for message in session.messages]

    @property
    def end(self) -> datetime:
        """The time of the last session."""
        return self.sessions[-1].at


def shipped() -> Dialogue:
    """Return the conversation that comes with perdure: Nora and an assistant, March and April 2026."""
    data = json.loads(SHIPPED.read_text(encoding="utf-8"))
    sessions = []
    for number, session in enumerate(data["sessions"], start=1):
        start = datetime.fromisoformat(session["at"])
        step = timedelta(seconds=session["every_s"])
        turns = tuple(
            {**turn, "at": start + i * step, "id": f"S{number}:{i + 1}"} for i, turn in enumerate(session["messages"])
        )
        sessions.append(Session(start, turns))
    return Dialogue("nora", data["user"], tuple(sessions), tuple(Question(text) for text in data["questions"]))


def locomo(path: Path, id: str | None) -> Dialogue:
    """Return the conversation with this `sample_id` (the first one if None) of a LoCoMo file.

    Both speakers are named users of one memory, whose user is the `sample_id`; external ids are the `dia_id`s.
    Raises InputError where the file, its form or the id is not right.
    """
    found = load(path, only=id)[0]
    sessions = tuple(
        Session(at, tuple(_turn(turn) for turn in turns if turn.text.strip() or turn.caption))
        for at, turns in groupby(found.turns, key=lambda turn: turn.at)
    )
    if not sessions:
        raise InputError(f"conversation {found.id!r} of {path} holds no turns")
    return Dialogue(found.id, found.id, sessions, _spread(found))


def _turn(turn: Turn) -> Mapping[str, Any]:
    content = turn.text if turn.text.strip() else f"[image: {turn.caption}]"
    return {"role": "user", "name": turn.speaker, "content": content, "at": turn.at, "id": turn.id}


def _spread(found: Conversation) -> tuple[Question, ...]:
    """Return questions of categories 1 to 4 with known evidence, evenly spread over the file."""
    usable = [one for one in found.questions if one.category in (1, 2, 3, 4) and one.evidence]
    picked = [usable[i * len(usable) // ASKED] for i in range(ASKED)] if len(usable) > ASKED else usable
    return tuple(Question(one.text, one.evidence, one.answer) for one in picked)
