"""Short ways to write to a store in a test, and the fixtures that every part of the contract shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from perdure.models import (
    ChangeSet,
    Closing,
    Committed,
    Exchange,
    MemoryRecord,
    Message,
    NewMessage,
    NewOperation,
    NewSource,
    NewVersion,
    OperationRow,
    Owner,
    Probe,
    Scope,
    Selection,
)
from perdure.ports import Store
from perdure.providers.fakes import FixedClock
from perdure.text import terms

if TYPE_CHECKING:
    from perdure.models import FloatArray

ANA = Scope("acme", user="ana")
SAID = datetime(2024, 5, 8, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
MODEL, DIMENSIONS = "contract-4", 4


class StoreFixtures:
    """The fixtures of the contract: `clock` and `writer` are given, `store` is for the subclass to override."""

    @pytest.fixture
    def clock(self) -> FixedClock:
        """Return the clock that the store must take its time from."""
        return FixedClock(datetime(2024, 6, 1, tzinfo=UTC))

    @pytest.fixture
    def store(self, clock: FixedClock) -> Iterator[Store]:
        """Yield the store to be tested, empty."""
        raise TypeError("override the fixture `store` with one that yields your store, empty, on the fixture `clock`")

    @pytest.fixture
    def writer(self, store: Store, clock: FixedClock) -> Writer:
        """Return short ways to write to the store, which is bound to an embedder of four dimensions."""
        store.claim_embedder(MODEL, DIMENSIONS)
        return Writer(store, clock)


class Writer:
    """Operations, messages and memories in one line each."""

    def __init__(self, store: Store, clock: FixedClock) -> None:
        self.store = store
        self.clock = clock
        self._count = 0

    def operation(self, scope: Scope = ANA, **fields: Any) -> NewOperation:
        """Return an operation with an id of its own."""
        self._count += 1
        return NewOperation(**{"id": f"op-{self._count}", "verb": "add", "scope": scope, "engine": "llm", **fields})

    def begin(self, *messages: NewMessage, scope: Scope = ANA, **fields: Any) -> tuple[OperationRow, list[Exchange]]:
        """Begin an operation."""
        return self.store.begin(self.operation(scope, **fields), messages)

    def add(self, *versions: NewVersion, scope: Scope = ANA, **fields: Any) -> Committed:
        """Commit versions in an operation of their own."""
        operation = self.operation(scope)
        return self.store.commit(ChangeSet(scope, operation.id, operation=operation, opened=versions, **fields))

    def replace(self, version: NewVersion, *, scope: Scope = ANA, **fields: Any) -> Committed:
        """Commit a version that closes the one before."""
        closing = Closing(version.record.id, version.record.version - 1)
        return self.add(version, scope=scope, closed=(closing,), **fields)

    def retract(self, id: str, version: int = 1, *, scope: Scope = ANA, **fields: Any) -> Committed:
        """Commit the closing of a memory without a successor."""
        return self.add(scope=scope, closed=(Closing(id, version),), **fields)


def vector(*values: float) -> FloatArray:
    """Return a unit vector of four dimensions, the missing ones 0."""
    made = np.zeros(DIMENSIONS, dtype=np.float32)
    made[: len(values)] = values
    return (made / np.linalg.norm(made)).astype(np.float32)


def message(
    content: str,
    id: str,
    *,
    exchange: int = 0,
    at: datetime = SAID,
    embedding: FloatArray | None = None,
    **fields: Any,
) -> NewMessage:
    """Return a message of role user."""
    made = Message(**{"role": "user", "content": content, "at": at, "origin": "user", **fields})
    return NewMessage(id, made, exchange, embedding, terms(content))


def version(
    text: str,
    id: str,
    number: int = 1,
    *,
    scope: Scope = ANA,
    embedding: FloatArray | None = None,
    words: Mapping[str, int] | None = None,
    **fields: Any,
) -> NewVersion:
    """Return a version with plain defaults; what the store sets holds a time that must not be seen again."""
    never = datetime(1999, 1, 1, tzinfo=UTC)
    values: dict[str, Any] = {
        "id": id, "text": text, "version": number, "user": scope.user, "agent": scope.agent, "run": scope.run,
        "kind": "fact", "metadata": {}, "categories": (), "attributed_to": None, "origin": "user", "event_from": None,
        "event_to": None, "time_precision": None, "valid_from": SAID, "valid_to": None, "recorded_at": never,
        "retired_at": None, "expires_at": None, "created_at": never, "updated_at": never, "sources": (), "entities": (),
        "supersedes": (), "superseded_by": None, "evidence_count": 0,
    }  # fmt: skip
    return NewVersion(MemoryRecord(**{**values, **fields}), embedding, terms(text) if words is None else words)


def source(memory: str, message: str | None, quote: str = "", at: datetime = SAID) -> NewSource:
    """Return a source."""
    return NewSource(memory, message, quote, at)


def select(scope: Scope = ANA, *, now: datetime = SAID + 60 * DAY, **fields: Any) -> Selection:
    """Return a selection."""
    return Selection(scope, now, **fields)


def texts(store: Store, selection: Selection, **fields: Any) -> list[str]:
    """Return the texts of a listing's first page."""
    return [record.text for record in store.memories(selection, **fields).items]


def partition_version(store: Store, owner: Owner = ANA.owner) -> int:
    """Return the version of an owner's partition."""
    return store.rank("memory", select(owner.scope, within=owner), [Probe(None, {})], limit=1)[0].version


def found(
    store: Store, selection: Selection, probe: Probe, *, channel: str, limit: int = 10
) -> list[tuple[str, float]]:
    """Return the texts and raw scores that one channel ranks, best first, ties by reference."""
    ranked = store.rank("memory", selection, [probe], limit=limit, channels=[channel])[0]  # type: ignore[list-item]
    scores = [pair for ranking in ranked.rankings for pair in ranking.scores.items()]
    scores.sort(key=lambda pair: (-pair[1], pair[0]))
    records = store.load_memories([ref for ref, _ in scores], known_at=selection.known_at)
    return [(record.text, score) for record, (_, score) in zip(records, scores, strict=True) if record is not None]


def ids_of(records: Sequence[Any]) -> list[str]:
    """Return the ids of records."""
    return [record.id for record in records]
