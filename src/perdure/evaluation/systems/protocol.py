"""What a system must do to be measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from perdure.evaluation.conversation import Conversation


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a system returns for a question: the turns that it rests on, best first, and how sure it is of them.

    context: what is put before the model that answers.  is_ranked: False where the order says nothing.
    """

    turns: tuple[str, ...]
    confidence: float | None = None
    context: str = ""
    is_ranked: bool = True


@dataclass(frozen=True, slots=True)
class Held:
    """What a system holds of a conversation, without what it was given to read: how many facts, in how many tokens."""

    facts: int = 0
    tokens: int = 0


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


class Contender(System, Protocol):
    """A system whose context is put before a model.

    The model, its prompt and the question are the runner's, the same for every contender; only the context differs.
    `retrieve` counts k in the contender's own units (memories, chunks), and may return more turns than that.
    Asked the same again after a kill, it asks its own model the same prompts, so that a tape can answer.
    """

    def held(self) -> Held:
        """Return what is held of the conversation taken in last."""
        ...

    def reset(self) -> None:
        """Release everything."""
        ...
