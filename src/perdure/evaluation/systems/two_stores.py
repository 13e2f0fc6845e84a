"""The Mem0 paper's protocol: each speaker is a user with a store, and both stores are asked and shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, zip_longest

from perdure.evaluation.conversation import Conversation
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.evaluation.systems.remembering import Remembering


class TwoStores:
    """Two memories of one conversation: in each, its speaker is the user and the other one the assistant.

    A search takes k from each, so twice k in all (the paper: 30 of each).
    """

    def __init__(self, name: str, make: Callable[[], Remembering]) -> None:
        self.name = name
        self._stores = (make(), make())
        self._speakers = ("", "")

    def ingest(self, conversation: Conversation) -> None:
        """Take the conversation in twice, once as each speaker's."""
        self._speakers = conversation.speakers
        for speaker, store in zip(self._speakers, self._stores, strict=True):
            store.ingest(of_user(conversation, speaker))

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return what both stores find for each question: turns in turn, the stores' contexts one after the other."""
        one, other = (store.retrieve(questions, k=k) for store in self._stores)
        return [self._joined(*pair) for pair in zip(one, other, strict=True)]

    def _joined(self, one: Retrieved, other: Retrieved) -> Retrieved:
        turns = chain.from_iterable(zip_longest(one.turns, other.turns))
        shown = zip(self._speakers, (one.context, other.context), strict=True)
        sure = [found.confidence for found in (one, other) if found.confidence is not None]
        return Retrieved(
            tuple(dict.fromkeys(id for id in turns if id is not None)),
            max(sure, default=None),
            "\n\n".join(f"Of {speaker}:\n{context}" for speaker, context in shown if context),
        )

    def held(self) -> Held:
        """Return what both stores hold together."""
        one, other = (store.held() for store in self._stores)
        return Held(one.facts + other.facts, one.tokens + other.tokens)

    def reset(self) -> None:
        """Close both."""
        for store in self._stores:
            store.reset()


def of_user(conversation: Conversation, speaker: str) -> Conversation:
    """Return the conversation with one speaker as the user and everybody else as the assistant, by name."""
    turns = tuple(replace(turn, role="user" if turn.speaker == speaker else "assistant") for turn in conversation.turns)
    return replace(conversation, turns=turns)
