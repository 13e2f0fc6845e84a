"""What the in-memory store holds: partitions of rows, and how a record is put together from them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from perdure.models import (
    Claim,
    Exchange,
    GraphKind,
    Link,
    LoggedChange,
    MemoryRecord,
    Mention,
    MessageRecord,
    Move,
    NewEntity,
    NewOperation,
    NewSource,
    OperationRow,
    Owner,
    Scope,
    Source,
    Status,
    Usage,
    Warning,
)
from perdure.stores._rules import SEQ_BITS
from perdure.stores._spaces import NOWHERE
from perdure.stores._times import microseconds, tick
from perdure.stores._visible import OPEN_LEFT, OPEN_RIGHT, Times

if TYPE_CHECKING:
    from perdure.models import FloatArray


T = TypeVar("T")


@dataclass(slots=True)
class HeldVersion:
    """A version's row; `record` without what is derived, its metadata apart as JSON, so that nobody can reach in."""

    ref: int
    partition_version: int
    record: MemoryRecord
    metadata: str
    vector: FloatArray | None
    terms: Mapping[str, int]
    operation: str
    space: int = NOWHERE  # of the vector

    @property
    def times(self) -> Times:
        """The row's times, open ends filled in."""
        record = self.record
        retired, valid_from = microseconds(record.retired_at), microseconds(record.valid_from)
        valid_to, expires = microseconds(record.valid_to), microseconds(record.expires_at)
        return Times(
            microseconds(record.recorded_at),
            OPEN_RIGHT if retired is None else retired,
            OPEN_LEFT if valid_from is None else valid_from,
            OPEN_RIGHT if valid_to is None else valid_to,
            OPEN_RIGHT if expires is None else expires,
        )


@dataclass(slots=True)
class HeldMessage:
    """A message's row."""

    ref: int
    recorded_at: datetime
    record: MessageRecord
    metadata: str
    vector: FloatArray | None
    terms: Mapping[str, int]
    operation_id: str
    exchange: int
    space: int = NOWHERE  # of the vector

    def as_record(self) -> MessageRecord:
        """Return the message, its metadata a copy."""
        return replace(self.record, metadata=json.loads(self.metadata))


@dataclass(slots=True)
class HeldOperation:
    """An operation's row."""

    new: NewOperation
    arguments: str
    at: datetime
    status: Status
    finished_at: datetime | None
    exchanges: dict[int, bool] = field(default_factory=dict)  # number → is done
    log: list[tuple[datetime, LoggedChange]] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    undone_by: str | None = None

    def as_row(self) -> OperationRow:
        """Return the operation as the port shows it."""
        new = self.new
        return OperationRow(
            new.id, new.verb, new.scope, new.engine, new.actor, new.key, new.payload_hash,
            json.loads(self.arguments), self.status, self.at, self.finished_at, len(self.exchanges),
            tuple(change for _, change in self.log), tuple(self.warnings), self.usage, self.undone_by,
        )  # fmt: skip


@dataclass(slots=True)
class Attached(Generic[T]):
    """A source or a link, as one operation recorded it, and when that was withdrawn."""

    item: T
    operation_id: str
    recorded_at: datetime
    retired_at: datetime | None = None

    def is_seen(self, version: MemoryRecord, *, known_at: datetime | None, following: datetime | None) -> bool:
        """True if it belongs to a version, as that was returned at `known_at` or stood when it was the last one.

        What came with or after the next version belongs to that one; what came after `known_at` was not known; what
        was withdrawn when or after the version was closed still stands there.
        """
        if following is not None and self.recorded_at >= following:
            return False
        if known_at is not None and self.recorded_at > known_at:
            return False
        if self.retired_at is None or (known_at is not None and self.retired_at > known_at):
            return True
        closed = version.retired_at
        return closed is not None and (known_at is None or closed <= known_at) and self.retired_at >= closed


@dataclass(slots=True)
class Partition:
    """One owner's rows, in the order in which they came."""

    number: int
    owner: Owner
    next_seq: int = 1
    version: int = 0
    erasures: int = 0
    last: datetime | None = None
    versions: list[HeldVersion] = field(default_factory=list)
    messages: list[HeldMessage] = field(default_factory=list)
    sources: list[Attached[NewSource]] = field(default_factory=list)
    links: list[Attached[Link]] = field(default_factory=list)
    entities: list[tuple[NewEntity, datetime]] = field(default_factory=list)  # with their recorded_at
    mentions: list[Attached[Mention]] = field(default_factory=list)
    claims: list[Attached[Claim]] = field(default_factory=list)
    moves: list[Attached[Move]] = field(default_factory=list)
    graph_vectors: dict[tuple[GraphKind, str], tuple[int, FloatArray]] = field(default_factory=dict)  # with their space
    present: set[tuple[str, str | None]] = field(default_factory=set)  # ("agent" or "run", id) that ever had a row

    def touch(self, now: datetime) -> datetime:
        """Raise the version and return the recorded_at of this commit."""
        self.version += 1
        self.last = tick(now, self.last)
        return self.last

    def note(self, agent: str | None, run: str | None) -> None:
        """Note that an agent and a run have rows here."""
        self.present |= {("agent", agent), ("run", run)}

    def next_ref(self) -> int:
        """Return the next row's reference."""
        ref = self.number << SEQ_BITS | self.next_seq
        self.next_seq += 1
        return ref

    def of(self, id: str) -> list[HeldVersion]:
        """Return the versions of a memory, oldest first."""
        return [row for row in self.versions if row.record.id == id]

    def current(self, id: str) -> HeldVersion | None:
        """Return the version of a memory that is not retired, if there is one."""
        return next((row for row in self.of(id) if row.record.retired_at is None), None)

    def external(self, id: str | None) -> HeldMessage | None:
        """Return the message of an external id, if there is one."""
        return next((row for row in self.messages if id is not None and row.record.external_id == id), None)

    def exchanges(self, operation: HeldOperation) -> Iterator[Exchange]:
        """Yield an operation's exchanges in order, with their messages."""
        for number, is_done in sorted(operation.exchanges.items()):
            rows = [m for m in self.messages if (m.operation_id, m.exchange) == (operation.new.id, number)]
            records = tuple(row.as_record() for row in rows)
            yield Exchange(number, operation.new.id, operation.new.scope, records, is_done)

    def is_outdated(self, ref: int, at: datetime) -> bool:
        """True if memories were drawn from this partition's message and none of them holds at `at`."""
        ids = {row.record.id for row in self.messages if row.ref == ref}
        drawn = {s.item.memory_id for s in self.sources if s.item.message_id in ids and s.retired_at is None}
        records = [held.record for id in drawn if (held := self.current(id)) is not None]
        return bool(drawn) and not any(
            (r.valid_to is None or r.valid_to > max(at, r.valid_from or at))
            and (r.expires_at is None or r.expires_at > at)
            for r in records
        )

    def record(self, row: HeldVersion, known_at: datetime | None) -> MemoryRecord:
        """Return a version as it was returned at `known_at`, or as it stood when it was the last one."""
        record = row.record
        following = next(
            (v.record.recorded_at for v in self.of(record.id) if v.record.version == record.version + 1), None
        )

        def is_seen(attached: Attached[T]) -> bool:
            return attached.is_seen(record, known_at=known_at, following=following)

        own = [s.item for s in self.sources if s.item.memory_id == record.id and is_seen(s)]
        said = {s.message_id for s in own}
        names = {m.record.id: m.record.public_id for m in self.messages if m.record.id in said}
        sources = tuple(
            Source(None if s.message_id is None else names.get(s.message_id, s.message_id), s.quote, s.at)
            for s in sorted(own, key=lambda s: s.at)
        )
        links = [
            link.item
            for link in self.links
            if record.id in (link.item.predecessor, link.item.successor) and is_seen(link)
        ]
        successors = [link.successor for link in links if link.predecessor == record.id]
        is_retired = record.retired_at is not None and (known_at is None or record.retired_at <= known_at)
        return replace(
            record,
            metadata=json.loads(row.metadata),
            retired_at=record.retired_at if is_retired else None,
            sources=sources,
            evidence_count=len(sources),
            supersedes=tuple(link.predecessor for link in links if link.successor == record.id),
            superseded_by=successors[-1] if successors else None,
        )


def is_exactly(scope: Scope, *, user: str | None, agent: str | None, run: str | None) -> bool:
    """True if the ids are the scope's whole tuple."""
    return (scope.user, scope.agent, scope.run) == (user, agent, run)
