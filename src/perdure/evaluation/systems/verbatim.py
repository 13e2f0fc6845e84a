"""perdure with messages stored as they are, asked through the read pipeline."""

from __future__ import annotations

from perdure.evaluation.conversation import Conversation
from perdure.evaluation.systems.protocol import Retrieved
from perdure.models import NewMessage, NewOperation, Role, Scope, Selection
from perdure.ports import Ports
from perdure.read.pipeline import search
from perdure.read.query import Query
from perdure.settings import Settings
from perdure.text import spoken, terms


class Verbatim:
    """Every turn is a message "speaker: text", with or without the caption of its image; nothing is extracted.

    Works at the level of ports, so that a run can leave out the dense channel or put in another store.
    """

    def __init__(self, name: str, ports: Ports, settings: Settings, *, has_captions: bool = False) -> None:
        if ports.embedder is not None:
            ports.store.claim_embedder(ports.embedder.model, ports.embedder.dimensions)
        self.name = name
        self._ports = ports
        self._settings = settings
        self._has_captions = has_captions
        self._scope = Scope("evaluation")

    def ingest(self, conversation: Conversation) -> None:
        """Store the turns in order, in a scope of the conversation's own."""
        ports = self._ports
        self._scope = Scope("evaluation", run=conversation.id)
        messages = [turn.message(with_caption=self._has_captions) for turn in conversation.turns]
        texts = [spoken(message.speaker, message.content) for message in messages]
        vectors = ports.embedder.embed(texts, Role.DOCUMENT) if ports.embedder else [None] * len(texts)
        ports.store.begin(
            NewOperation(ports.ids.new(), "add", self._scope, "verbatim"),
            [
                NewMessage(ports.ids.new(), message, number, vector, terms(text))
                for number, (message, vector, text) in enumerate(zip(messages, vectors, texts, strict=True))
            ],
            status="done",
        )

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the first k messages for each question, in one batch."""
        selection = Selection(self._scope, now=self._ports.clock.now())
        queries = [Query(question, selection, k=k, include=("messages",)) for question in questions]
        return [
            Retrieved(tuple(hit.message.public_id for hit in found if hit.message), found.confidence)
            for found in search(queries, self._ports, self._settings)
        ]
