"""What a system must do to be measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from perdure.evaluation.conversation import Conversation


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The turns a system returns for a question, best first, and how sure it is of them."""

    turns: tuple[str, ...]
    confidence: float | None = None


class System(Protocol):
    """A memory that is given one conversation at a time and is asked about it."""

    @property
    def name(self) -> str:
        """What rows and reports call it."""
        ...

    def ingest(self, conversation: Conversation) -> None:
        """Take in a conversation; what was taken in before may stay, and must not be returned."""
        ...

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return at most k turns for each question about the conversation taken in last, in order."""
        ...
