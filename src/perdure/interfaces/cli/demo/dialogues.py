"""What a demo runs on: sessions of messages, and questions, with the evidence where it is known."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from perdure.errors import InputError

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


def locomo(value: Any, id: str | None) -> Dialogue:
    """Return the conversation with this `sample_id` (the first one if None) of LoCoMo-format data.

    Both speakers are named users of one memory, whose user is the `sample_id`; external ids are the `dia_id`s.
    Raises InputError where the form or the id is not right.
    """
    samples = value if isinstance(value, list) else [value]
    known = [str(sample.get("sample_id", n)) for n, sample in enumerate(samples) if isinstance(sample, dict)]
    if not known or (id is not None and id not in known):
        raise InputError(f"there is no conversation {id!r} in the file; it holds {', '.join(known) or 'none'}")
    place = 0 if id is None else known.index(id)
    conversation = samples[place].get("conversation")
    if not isinstance(conversation, dict):
        raise InputError(
            f"conversation {known[place]!r} has no `conversation` object with `session_1`, `session_2`, ..."
        )
    numbers = sorted(int(key[8:]) for key in conversation if key.startswith("session_") and key[8:].isdigit())
    try:
        sessions = [_session(conversation, number) for number in numbers]
        questions = _questions(samples[place].get("qa", []))
    except (KeyError, TypeError, ValueError) as err:
        raise InputError(f"conversation {known[place]!r} is not in LoCoMo's form: {err!r}") from err
    sessions = [session for session in sessions if session.messages]
    if not sessions:
        raise InputError(f"conversation {known[place]!r} holds no session with a message")
    return Dialogue(known[place], known[place], tuple(sessions), questions)


def _session(conversation: Mapping[str, Any], number: int) -> Session:
    stamp = datetime.strptime(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    turns = []
    for turn in conversation[f"session_{number}"]:
        text = turn.get("text", "").strip() or turn.get("blip_caption", "").strip()
        if text:
            turns.append({"role": "user", "name": turn["speaker"], "content": text, "at": stamp, "id": turn["dia_id"]})
    return Session(stamp, tuple(turns))


def _questions(rows: Sequence[Mapping[str, Any]]) -> tuple[Question, ...]:
    """Return questions of categories 1 to 4, evenly spread over the file."""
    usable = [row for row in rows if row.get("category") in (1, 2, 3, 4) and row.get("evidence")]
    picked = [usable[i * len(usable) // ASKED] for i in range(ASKED)] if len(usable) > ASKED else usable
    return tuple(Question(str(row["question"]), tuple(row["evidence"]), str(row.get("answer", ""))) for row in picked)
