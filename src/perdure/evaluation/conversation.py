"""The one record type of all data sets: a conversation, its turns, and questions about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from perdure.models import Message

Category = int | str
Unit = Literal["turn", "session"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn; `at` is its time, or that of its session; `caption` describes its image, if it has one."""

    id: str
    speaker: str
    text: str
    at: datetime
    caption: str | None = None
    role: Literal["user", "assistant"] = "user"
    session: str = ""

    def message(self, *, with_caption: bool = False) -> Message:
        """Return the turn as a message of a named speaker, its id as external id; the caption on request."""
        content = f"{self.text} [image: {self.caption}]" if with_caption and self.caption else self.text
        name = None if self.speaker == self.role else self.speaker
        return Message(self.role, content, self.at, self.role, name=name, external_id=self.id)


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `index` is its place in the file, `evidence` the ids of turns (or sessions) that exist, each once.

    answer: None where the set has no gold answer.  choices: (label, text) of a multiple-choice question.
    at: the present of the question; None: the time of the conversation's last turn.
    is_answerable: False where the conversation does not hold the answer, and saying so is right.
    """

    index: int
    text: str
    answer: str | None
    category: Category
    evidence: tuple[str, ...]
    unit: Unit = "turn"
    at: datetime | None = None
    choices: tuple[tuple[str, str], ...] = ()
    is_answerable: bool = True


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with its turns in order and its questions in order."""

    id: str
    speakers: tuple[str, str]
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def now(self) -> datetime:
        """The time of the last turn: the present of questions that have none of their own."""
        return max(turn.at for turn in self.turns)
