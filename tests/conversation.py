"""A conversation with the write pipeline: says messages, scripts the model, reads what is held."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from perdure.models import MemoryRecord, Message, NewMessage, NewOperation, Policy, Prompt, Selection, Usage
from perdure.ports import Ports
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder, ScriptedLLM
from perdure.settings import Settings
from perdure.stores.in_memory import InMemoryStore
from perdure.text import spoken, terms
from perdure.write.context import group
from perdure.write.pipeline import Wishes, Written, write
from tests import make

SETTINGS = Settings(jobs="manual")


def fact(text: str, message: int = 1, quote: str | None = None, **fields: Any) -> dict[str, Any]:
    """One fact as a model records it; `quote` is the text itself unless given."""
    return {
        "text": text, "message": message, "quote": text if quote is None else quote, "kind": "fact", "entities": [],
        "event_from": None, "event_to": None, "precision": None, "valid_from": None, "valid_to": None,
        "ends": False, "corrects": False, **fields,
    }  # fmt: skip


def facts(*listed: dict[str, Any]) -> dict[str, Any]:
    return {"facts": list(listed)}


def decision(event: str, memory: int | None = None, number: int = 1, **fields: Any) -> dict[str, Any]:
    given = {"effect": None, "text": None, "changed": [], "reason": "because", **fields}
    return {"fact": number, "event": event, "memory": memory, **given}


def decisions(*listed: dict[str, Any]) -> dict[str, Any]:
    return {"decisions": list(listed)}


def shown_numbers(prompt: Prompt) -> dict[str, int]:
    """Text → number of every memory that a decision prompt shows."""
    part = prompt.turns[0].content.split("FACT", 1)[0]
    return {json.loads(m[2]): int(m[1]) for m in re.finditer(r"^\[(\d+)\] \([^)]*\) (\".*\")$", part, re.MULTILINE)}


@dataclass
class Conversation:
    """One scope's talk.  `llm=None` is the offline engine."""

    script: Any = None
    policy: Policy = "consolidate"
    settings: Settings = SETTINGS
    clock: FixedClock = field(default_factory=lambda: FixedClock(make.AT + timedelta(days=1000)))
    store: Any = None
    embedder: Any = field(default_factory=HashEmbedder)
    scope: Any = field(default_factory=make.scope)

    def __post_init__(self) -> None:
        self.store = self.store or InMemoryStore(clock=self.clock)
        if self.embedder is not None:
            self.store.claim_embedder(self.embedder.model, self.embedder.dimensions)
        self.llm = None if self.script is None else ScriptedLLM(self.script)
        self.ids = CountingIds("mem")
        self._operations = CountingIds("op")
        self.ports = Ports(self.store, self.clock, self.ids, self.embedder, self.llm)

    def begin(self, *messages: Message) -> Any:
        rows = [
            NewMessage(f"{operation}-{i}", m, number, None, terms(spoken(m.speaker, m.content)))
            for operation in [self._operations.new()]
            for number, exchange in enumerate(group(messages, session_gap_s=self.settings.session_gap_s))
            for i, m in enumerate(exchange, start=100 * number)
        ]
        operation = rows[0].id.rpartition("-")[0]
        new = NewOperation(operation, "add", self.scope, "llm" if self.llm else "offline")
        return self.store.begin(new, rows, usage=Usage())[1]

    def say(self, *said: str | Message, at: datetime = make.AT, wishes: Wishes | None = None) -> Written:
        """Say one exchange: texts alternate between user and assistant."""
        messages = [
            m
            if isinstance(m, Message)
            else make.message(m, role="assistant" if i % 2 else "user", origin="assistant" if i % 2 else "user", at=at)
            for i, m in enumerate(said)
        ]
        (exchange,) = self.begin(*messages)
        return write(exchange, self.ports, self.settings, policy=self.policy, wishes=wishes)

    def held(self, validity: str = "current") -> list[MemoryRecord]:
        selection = Selection(self.scope, self.clock.now(), validity=validity)  # type: ignore[arg-type]
        return list(self.store.memories(selection, limit=1000).items)

    def texts(self, validity: str = "current") -> list[str]:
        return [memory.text for memory in self.held(validity)]


def deciding(extracted: Sequence[Any], decide: Callable[[dict[str, int]], Any]) -> Callable[[Prompt], Any]:
    """A script: extractions in order, decisions by a function of text → number of the memories shown."""
    listed = iter(extracted)
    return lambda prompt: next(listed) if prompt.name == "extract" else decide(shown_numbers(prompt))
