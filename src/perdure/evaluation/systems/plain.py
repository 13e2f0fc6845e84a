"""The two ends: everything before the model, and nothing."""

from __future__ import annotations

from perdure.evaluation.conversation import Conversation
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.evaluation.systems.transcript import transcript


class FullContext:
    """The whole conversation, whatever is asked; k does not apply."""

    name = "full-context"

    def __init__(self) -> None:
        self._found = Retrieved(())

    def ingest(self, conversation: Conversation) -> None:
        """Write the conversation out."""
        ids = tuple(turn.id for turn in conversation.turns)
        self._found = Retrieved(ids, None, transcript(conversation.turns), is_ranked=False)

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return all of it for each question, in the order in which it was said."""
        return [self._found for _ in questions]

    def held(self) -> Held:
        """Return nothing: it keeps no facts of its own."""
        return Held()

    def reset(self) -> None:
        """Forget the conversation."""
        self._found = Retrieved(())


class NoMemory:
    """The question alone: what a model knows or guesses without any memory."""

    name = "none"

    def ingest(self, conversation: Conversation) -> None:
        """Take nothing in."""

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return nothing for each question."""
        return [Retrieved(()) for _ in questions]

    def held(self) -> Held:
        """Return nothing."""
        return Held()

    def reset(self) -> None:
        """Do nothing."""
