"""The reference store: everything in dicts and lists under one lock, gone with the process.

It is written to be read: what the port says, in the fewest steps, without an index.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from perdure.errors import NotFound
from perdure.models import (
    ChangeSet,
    Channel,
    Claim,
    Committed,
    Erasure,
    ErasureReceipt,
    Exchange,
    GraphKind,
    HeldClaim,
    HeldEntity,
    JobRow,
    Json,
    MemoryRecord,
    MessageRecord,
    Move,
    NewJob,
    NewMessage,
    NewOperation,
    OperationRow,
    Owner,
    Page,
    Probe,
    Ranked,
    Ranking,
    Scope,
    Selection,
    Stats,
    Status,
    Summary,
    Touch,
    Undone,
    Usage,
    VectorSpace,
    Warning,
)
from perdure.ports import Clock, ListOrder, RowKind
from perdure.stores import _cursor, _held_erasing, _held_exporting, _held_graph, _held_rank, _rules, _spaces
from perdure.stores._gate import Gate
from perdure.stores._held import Attached, HeldMessage, HeldOperation, HeldVersion, Partition, is_exactly
from perdure.stores._rules import SEQ_BITS
from perdure.stores._spaces import NOWHERE, Space
from perdure.stores._times import microseconds
from perdure.stores._visible import OPEN_LEFT, is_held, is_visible, view
from perdure.where import holds

if TYPE_CHECKING:
    from perdure.models import FloatArray

    Placed = tuple[int, FloatArray | None]  # a vector and its space
    Collides = Callable[[Sequence[tuple[MemoryRecord, FloatArray | None]]], bool]

T = TypeVar("T")
ROW_KINDS: tuple[RowKind, ...] = ("memory", "message")


class InMemoryStore:
    """A Store that lives and dies with the process; threads may share it."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._lock = Gate()  # guards everything below
        self._spaces: list[Space] = []  # the current one first
        self._partitions: dict[Owner, Partition] = {}
        self._operations: dict[tuple[str, str], HeldOperation] = {}  # (tenant, id), in order of arrival
        self._summaries: dict[Scope, Summary] = {}
        self._jobs: list[JobRow] = []
        self._last_job = 0
        self._spending: dict[str, dict[str, Usage]] = {}  # day → model → what it took

    # -- identity

    def claim_embedder(self, model: str, dimensions: int) -> None:
        """See Store.claim_embedder."""
        with self._lock:
            if not self._spaces:
                self._spaces.append(Space(1, model, dimensions))
            held = (self._spaces[0].model, self._spaces[0].dimensions)
            if held != (model, dimensions):
                raise _rules.other_embedder(held, (model, dimensions))

    def spaces(self) -> list[VectorSpace]:
        """See Store.spaces."""
        with self._lock:
            return [
                VectorSpace(s.model, s.dimensions, s.is_current, 0 if s.is_current else self._size(s))
                for s in self._spaces
            ]

    def rebind(self, model: str, dimensions: int) -> None:
        """See Store.rebind."""
        with self._lock:
            known = next((s for s in self._spaces if (s.model, s.dimensions) == (model, dimensions)), None)
            _rules.check_name(model, [s.model for s in self._spaces if s is not known])
            number = known.no if known else max((s.no for s in self._spaces), default=0) + 1
            older = [replace(s, is_current=False) for s in self._spaces if s is not known]
            self._spaces = [Space(number, model, dimensions), *sorted(older, key=lambda s: s.no)]

    def stale(self, kind: RowKind, *, after: int, limit: int) -> list[int]:
        """See Store.stale."""
        _rules.check_limit(limit)
        with self._lock:
            current = self._spaces[0].no if self._spaces else NOWHERE
            refs = sorted(row.ref for row in self._rows(kind) if row.ref > after and row.space != current)
        return refs[:limit]

    def set_vectors(self, kind: RowKind, vectors: Mapping[int, FloatArray | None], *, space: str) -> None:
        """See Store.set_vectors."""
        with self._lock:
            placed = {ref: self._stored(vector, space) for ref, vector in vectors.items()}
            for row in self._rows(kind):
                if row.ref in placed:
                    row.space, row.vector = placed[row.ref]

    def drop_spaces(self) -> int:
        """See Store.drop_spaces."""
        with self._lock:
            left = sum(self._size(space) for space in self._spaces if not space.is_current)
            if not left:
                self._spaces = self._spaces[:1]
                for partition in self._partitions.values():
                    held = partition.graph_vectors.items()
                    partition.graph_vectors = {key: one for key, one in held if one[0] == self._spaces[0].no}
            return left

    def _rows(self, kind: RowKind) -> Iterator[HeldVersion | HeldMessage]:
        for partition in self._partitions.values():
            yield from partition.versions if kind == "memory" else partition.messages

    def _size(self, space: Space) -> int:
        return sum(row.space == space.no for kind in ROW_KINDS for row in self._rows(kind))

    # -- writing

    def begin(
        self,
        operation: NewOperation,
        messages: Sequence[NewMessage],
        *,
        status: Status = "pending",
        warnings: Sequence[Warning] = (),
        usage: Usage | None = None,
        jobs: Sequence[NewJob] = (),
    ) -> tuple[OperationRow, list[Exchange]]:
        """See Store.begin.  An operation that begins as done has its exchanges done."""
        with self._lock:
            partition = self._partition(_rules.owner(operation.scope))
            known = self._by_key(operation)
            if known is not None:
                if known.new.payload_hash != operation.payload_hash:
                    raise _rules.other_payload(operation)
                return known.as_row(), list(partition.exchanges(known))
            fresh, duplicates = self._without_duplicates(partition, messages)
            rows = [(new, _rules.json_text(new.message.metadata), self._stored(new.vector, new.space)) for new in fresh]
            held = self._new_operation(operation)

            self._partitions[partition.owner] = partition
            held.at = at = partition.touch(self._clock.now())
            held.warnings = [*warnings, *duplicates]
            held.usage += usage or Usage()
            self._set_status(held, status, at)
            for new, metadata, placed in rows:
                partition.note(operation.scope.agent, operation.scope.run)
                partition.messages.append(_held_message(partition, operation, new, metadata, placed, at))
                held.exchanges[new.exchange] = status == "done"
            self._operations[operation.scope.tenant, operation.id] = held
            for job in jobs:
                self.add_job(operation.scope.tenant, job)
            return held.as_row(), list(partition.exchanges(held))

    def commit(self, changes: ChangeSet, *, collides: Collides | None = None) -> Committed:
        """See Store.commit."""
        home = _rules.check_changes(changes)
        with self._lock:
            partition = self._partition(home)
            operation = self._operation_of(changes)
            if _rules.is_second_end(changes, operation.status):
                raise _rules.overtaken("the operation is done already")
            if changes.exchange is not None:
                if changes.exchange not in operation.exchanges:
                    raise _rules.missing("exchange", f"{changes.operation_id}/{changes.exchange}")
                if operation.exchanges[changes.exchange]:
                    raise _rules.overtaken("the exchange is done already")
            self._check_memories(partition, changes)
            _held_graph.check(partition, changes)
            self._check_undone(partition, changes)
            self._check_collisions(partition, changes, collides)
            rows = [
                (_rules.json_text(new.record.metadata), self._stored(new.vector, changes.space))
                for new in changes.opened
            ]

            self._partitions[home] = partition
            at = partition.touch(self._clock.now())
            self._write_memories(partition, changes, rows, at)
            _held_graph.write(partition, changes, at, lambda vector: self._stored(vector, changes.space))
            self._mark_undone(partition, changes, at)
            if changes.operation is not None:
                beside = self._partition(changes.operation.scope.owner)
                self._partitions[beside.owner] = beside
                operation.at = at
                self._operations[home.tenant, changes.operation_id] = operation
            if changes.exchange is not None:
                operation.exchanges[changes.exchange] = True
            operation.log.extend((at, change) for change in changes.log)
            operation.warnings.extend(changes.warnings)
            operation.usage += changes.usage or Usage()
            if changes.finishes is not None:
                self._set_status(operation, changes.finishes, at)
            for job in changes.jobs:
                self.add_job(home.tenant, job)
            return Committed(at, partition.version)

    def finish(
        self,
        tenant: str,
        operation_id: str,
        status: Status,
        *,
        warnings: Sequence[Warning] = (),
        usage: Usage | None = None,
    ) -> OperationRow:
        """See Store.finish."""
        with self._lock:
            held = self._operation(tenant, operation_id)
            held.warnings.extend(warnings)
            held.usage += usage or Usage()
            self._set_status(held, status, self._clock.now())
            return held.as_row()

    def erase(self, operation: NewOperation, target: Erasure, *, jobs: Sequence[NewJob] = ()) -> ErasureReceipt:
        """See Store.erase."""
        with self._lock:
            held = _held_erasing.Held(self._partitions, self._operations, self._summaries, self._jobs)
            reached = list(self._spanned(target.scope))
            if target.memories is not None:
                reached = [self._versions(target.scope.tenant, id)[0] for id in target.memories]
            erased = _held_erasing.erase(held, list({p.number: p for p in reached}.values()), target, self._clock.now())
            self._jobs = erased.jobs
            arguments = erased.tombstone(target, operation.arguments)
            row, _ = self.begin(replace(operation, arguments=arguments), [], jobs=jobs)
            return ErasureReceipt(arguments["counts"], row.at, pending=True, operation_id=row.id)

    def scrub(self) -> bool:
        """See Store.scrub.  There is no file."""
        with self._lock:
            for held in self._operations.values():
                if held.new.verb == "erase" and held.status == "pending":
                    self._set_status(held, "done", self._clock.now())
            return True

    def expired(self, tenant: str, before: datetime) -> list[MemoryRecord]:
        """See Store.expired."""
        with self._lock:
            return [
                partition.record(row, None)
                for partition in self._spanned(Scope(tenant))
                for row in partition.versions
                if row.record.expires_at is not None
                and row.record.expires_at < before
                and row is partition.of(row.record.id)[-1]
            ]

    def _partition(self, owner: Owner) -> Partition:
        """Return the owner's partition, or an empty one that is not kept yet."""
        return self._partitions.get(owner) or Partition(len(self._partitions) + 1, owner)

    def _by_key(self, operation: NewOperation) -> HeldOperation | None:
        if operation.key is None:
            return None
        home = _rules.owner(operation.scope)
        held = self._operations.values()
        return next((o for o in held if o.new.key == operation.key and o.new.scope.owner == home), None)

    def _new_operation(self, operation: NewOperation) -> HeldOperation:
        _rules.owner(operation.scope)
        if (operation.scope.tenant, operation.id) in self._operations:
            raise _rules.overtaken(f"operation {operation.id!r} exists already")
        return HeldOperation(operation, _rules.json_text(operation.arguments), self._clock.now(), "pending", None)

    def _operation_of(self, changes: ChangeSet) -> HeldOperation:
        if changes.operation is None:
            return self._operation(changes.scope.tenant, changes.operation_id)
        if self._by_key(changes.operation) is not None:
            raise _rules.known_key(changes.operation)
        return self._new_operation(changes.operation)

    @staticmethod
    def _set_status(held: HeldOperation, status: Status, at: datetime) -> None:
        held.status = status
        held.finished_at = None if status == "pending" else at

    def _stored(self, vector: FloatArray | None, model: str | None) -> Placed:
        """Return a vector's space, and the vector at the precision that every backend keeps: float16."""
        if vector is None:
            return NOWHERE, None
        return _spaces.place(self._spaces, vector, model).no, vector.astype(np.float16).astype(np.float32)

    @staticmethod
    def _without_duplicates(
        partition: Partition, messages: Sequence[NewMessage]
    ) -> tuple[list[NewMessage], list[Warning]]:
        fresh: list[NewMessage] = []
        duplicates: list[Warning] = []
        seen = {row.record.external_id: _content(row.record) for row in partition.messages}
        for new in messages:
            message = new.message
            if message.external_id is None or message.external_id not in seen:
                fresh.append(new)
                seen[message.external_id] = _content(message)
            elif seen[message.external_id] == _content(message):
                duplicates.append(_rules.duplicate(message))
            else:
                raise _rules.other_content(message)
        return fresh, duplicates

    @staticmethod
    def _check_memories(partition: Partition, changes: ChangeSet) -> None:
        """Raise Conflict if anything the set builds on is no longer so."""
        closed = {closing.memory_id for closing in changes.closed}
        for closing in changes.closed:
            row = partition.current(closing.memory_id)
            if row is None or row.record.version != closing.version:
                raise _rules.overtaken(f"version {closing.version} of memory {closing.memory_id!r} is not current")
        for id in changes.erased:
            if not partition.of(id):
                raise _rules.overtaken(f"memory {id!r} is gone")
        for new in changes.opened:
            id = new.record.id
            rows = [] if id in changes.erased else partition.of(id)
            is_open = partition.current(id) is not None and id not in closed and id not in changes.erased
            if is_open or new.record.version != len(rows) + 1:
                raise _rules.overtaken(f"version {new.record.version} of memory {id!r} does not follow its last one")
        opened = {new.record.id for new in changes.opened}
        for source in changes.sources:
            is_there = source.memory_id not in changes.erased and partition.current(source.memory_id) is not None
            if source.memory_id not in opened and not is_there:
                raise _rules.overtaken(f"memory {source.memory_id!r} is not current")
        for link in changes.links:
            for id in (link.successor, link.predecessor):
                if id not in opened and (id in changes.erased or not partition.of(id)):
                    raise _rules.overtaken(f"memory {id!r} is gone")

    def _check_undone(self, partition: Partition, changes: ChangeSet) -> None:
        for mark in changes.undone:
            self._operation(changes.scope.tenant, mark.operation_id)
        if changes.undone and changes.read_version != partition.version:
            raise _rules.overtaken("something was written since")

    def _check_collisions(self, partition: Partition, changes: ChangeSet, collides: Collides | None) -> None:
        if collides is None or changes.read_version is None:
            return
        space = next((s.no for s in self._spaces if changes.space in (None, s.model)), NOWHERE)
        since = [
            (partition.record(row, None), row.vector if row.space == space else None)
            for row in partition.versions
            if row.partition_version > changes.read_version and row.record.retired_at is None
        ]
        if since and collides(since):
            raise _rules.overtaken("a memory written since is about the same thing")

    @staticmethod
    def _write_memories(
        partition: Partition, changes: ChangeSet, rows: Sequence[tuple[str, Placed]], at: datetime
    ) -> None:
        for closing in changes.closed:
            row = partition.current(closing.memory_id)
            if row is not None:
                row.record = replace(row.record, retired_at=at)
        erased = set(changes.erased)
        partition.erasures += bool(erased)
        partition.versions = [row for row in partition.versions if row.record.id not in erased]
        partition.sources = [held for held in partition.sources if held.item.memory_id not in erased]
        partition.links = [x for x in partition.links if not {x.item.successor, x.item.predecessor} & erased]
        _held_graph.erase_memories(partition, erased)
        for new, (metadata, (space, vector)) in zip(changes.opened, rows, strict=True):
            older = partition.of(new.record.id)
            created_at = older[0].record.created_at if older else at
            record = replace(new.record, recorded_at=at, retired_at=None, created_at=created_at, updated_at=at)
            ref = partition.next_ref()
            partition.note(record.agent, record.run)
            held = HeldVersion(
                ref, partition.version, record, metadata, vector, dict(new.terms), changes.operation_id, space
            )
            partition.versions.append(held)
        partition.sources.extend(Attached(source, changes.operation_id, at) for source in changes.sources)
        partition.links.extend(Attached(link, changes.operation_id, at) for link in changes.links)

    def _mark_undone(self, partition: Partition, changes: ChangeSet, at: datetime) -> None:
        for mark in changes.undone:
            self._operation(changes.scope.tenant, mark.operation_id).undone_by = mark.by
            partition.sources = _attached(partition.sources, mark, at)
            partition.links = _attached(partition.links, mark, at)
            partition.mentions = _attached(partition.mentions, mark, at)
            partition.claims = _attached(partition.claims, mark, at)
            partition.moves = _attached(partition.moves, mark, at)

    # -- reading memories and messages

    def memory(
        self, tenant: str, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> MemoryRecord:
        """See Store.memory."""
        with self._lock:
            partition, rows = self._versions(tenant, id)
            if known_at is not None:
                rows = [row for row in rows if _was_held(row.record, known_at)]
            if rows and (as_of is None or _holds_at(rows[-1].record, as_of)):
                return partition.record(rows[-1], known_at)
            raise NotFound(f"memory {id!r} had no version at that time; see its history for the times that it had")

    def versions(self, tenant: str, id: str) -> list[MemoryRecord]:
        """See Store.versions."""
        with self._lock:
            partition, rows = self._versions(tenant, id)
            return [partition.record(row, None) for row in rows]

    def touches(self, tenant: str, ids: Sequence[str]) -> list[Touch]:
        """See Store.touches."""
        asked = set(ids)
        with self._lock:
            found = [
                Touch(id, operation, at, change)
                for (owner, operation), held in self._operations.items()
                if owner == tenant
                for at, change in held.log
                for id in dict.fromkeys(place[0] for place in (change.memory, change.previous) if place)
                if id in asked
            ]
            found += [
                Touch(id, link.operation_id, link.recorded_at)
                for partition in self._partitions.values()
                if partition.owner.tenant == tenant
                for link in partition.links
                for id in (link.item.successor, link.item.predecessor)
                if id in asked
            ]
        return sorted(found, key=lambda touch: (touch.at, touch.memory_id))

    def _versions(self, tenant: str, id: str) -> tuple[Partition, list[HeldVersion]]:
        for partition in self._partitions.values():
            rows = partition.of(id) if partition.owner.tenant == tenant else []
            if rows:
                return partition, rows
        raise _rules.missing("memory", id)

    def memories(
        self, selection: Selection, *, order: ListOrder = "recorded", cursor: str | None = None, limit: int = 100
    ) -> Page[MemoryRecord]:
        """See Store.memories."""
        _rules.check_selection(selection)
        _rules.check_limit(limit)
        sign = -1 if order.startswith("-") else 1

        def key(record: MemoryRecord) -> tuple[int, str]:
            at = record.valid_from if order.endswith("valid") else record.recorded_at
            return (OPEN_LEFT if at is None else microseconds(at)) * sign, record.id

        with self._lock:
            records = [
                partition.record(row, selection.known_at)
                for partition in self._spanned(selection.scope, selection.within)
                for row in self._seen(partition, selection)
            ]
        return _page(_cursor.of_memories(selection, order), sorted(records, key=key), key, (int, str), cursor, limit)

    def message(self, tenant: str, id: str, *, scope: Scope | None = None) -> MessageRecord:
        """See Store.message."""
        with self._lock:
            for partition in self._partitions.values():
                for row in partition.messages if partition.owner.tenant == tenant else ():
                    if row.record.id == id and (scope is None or _admits(scope, row)):
                        return row.as_record()
            found = [] if scope is None else [p.external(id) for p in self._spanned(scope)]
            rows = [row for row in found if row is not None and scope is not None and _admits(scope, row)]
        if len(rows) > 1:
            raise _rules.ambiguous(id)
        if not rows:
            raise _rules.missing("message", id)
        return rows[0].as_record()

    def annotate(
        self,
        tenant: str,
        id: str,
        metadata: Json,
        *,
        vector: FloatArray | None,
        terms: Mapping[str, int],
        space: str | None = None,
    ) -> None:
        """See Store.annotate."""
        with self._lock:
            held = [p.messages for p in self._partitions.values() if p.owner.tenant == tenant]
            row = next((row for rows in held for row in rows if row.record.id == id), None)
            if row is None:
                raise _rules.missing("message", id)
            text, placed = _rules.json_text(metadata), self._stored(vector, space)
            row.metadata, (row.space, row.vector), row.terms = text, placed, dict(terms)

    def messages(
        self, scope: Scope, *, last: int | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page[MessageRecord]:
        """See Store.messages.  "Newest" is by the time of recording, so that it means the same across partitions."""
        _rules.check_limit(limit)
        with self._lock:
            rows = [row for p in self._spanned(scope) for row in p.messages if _admits(scope, row)]
        if last is not None:
            rows = sorted(rows, key=lambda row: (row.recorded_at, row.ref))[max(0, len(rows) - last) :]
        rows.sort(key=lambda row: row.ref)
        page = _page(_cursor.listing("messages", scope, last), rows, lambda row: (row.ref,), (int,), cursor, limit)
        return Page(tuple(row.as_record() for row in page.items), page.cursor, page.total)

    def window(self, scope: Scope, *, before: int, size: int) -> list[MessageRecord]:
        """See Store.window."""
        with self._lock:
            records = [
                row.as_record()
                for row in self._partition(_rules.owner(scope)).messages
                if row.record.order < before
                and is_exactly(scope, user=row.record.user, agent=row.record.agent, run=row.record.run)
            ]
            return records[max(0, len(records) - size) :]

    def _spanned(self, scope: Scope, within: Owner | None = None) -> Iterator[Partition]:
        """Yield the partitions that a scope may reach, by number."""
        home = within or (scope.owner if scope.user is not None else None)
        named = {("agent", scope.agent), ("run", scope.run)} - {("agent", None), ("run", None)}
        for partition in sorted(self._partitions.values(), key=lambda p: p.number):
            is_reached = partition.owner == home if home else named <= partition.present
            if partition.owner.tenant == scope.tenant and is_reached:
                yield partition

    @staticmethod
    def _seen(partition: Partition, selection: Selection) -> list[HeldVersion]:
        seen = view(selection)
        return [
            row
            for row in partition.versions
            if _admits(selection.scope, row)
            and is_visible(row.times, seen)
            and (selection.where is None or _passes(selection, partition.record(row, selection.known_at)))
        ]

    # -- the channels' look-ups

    def rank(
        self,
        kind: RowKind,
        selection: Selection,
        probes: Sequence[Probe],
        *,
        limit: int,
        channels: Sequence[Channel] = ("dense", "sparse"),
    ) -> list[Ranked]:
        """See Store.rank.  A partition of which nothing is admitted has no ranking."""
        _rules.check_selection(selection)
        _rules.check_limit(limit)
        rankings: list[list[Ranking]] = [[] for _ in probes]
        version = 0
        with self._lock:
            asked = [(probe, _spaces.looks(probe, self._spaces)) for probe in probes]
            for partition in self._spanned(selection.scope, selection.within):
                rows, statistics = self._population(kind, partition, selection)
                version += partition.version
                for found, (probe, looks) in zip(rankings, asked, strict=True) if rows else ():
                    found.extend(
                        _held_rank.rankings(
                            partition.number, rows, statistics, probe, looks, limit=limit, channels=channels
                        )
                    )
        return [Ranked(tuple(found), version) for found in rankings]

    def _population(
        self, kind: RowKind, partition: Partition, selection: Selection
    ) -> tuple[Sequence[_held_rank.Row], Sequence[_held_rank.Row]]:
        """Return the rows that are admitted, and those that the statistics come from."""
        if kind == "memory":
            current = [row for row in partition.versions if row.record.retired_at is None]
            return self._seen(partition, selection), current
        rows = [
            row
            for row in partition.messages
            if _admits(selection.scope, row)
            and (selection.known_at is None or row.recorded_at <= selection.known_at)
            and _passes(selection, row.as_record())
        ]
        return rows, partition.messages

    def load_memories(self, refs: Sequence[int], *, known_at: datetime | None = None) -> list[MemoryRecord | None]:
        """See Store.load_memories."""
        with self._lock:
            partitions = {partition.number: partition for partition in self._partitions.values()}
            loaded: list[MemoryRecord | None] = []
            for ref in refs:
                partition = partitions.get(ref >> SEQ_BITS)
                row = next((row for row in partition.versions if row.ref == ref), None) if partition else None
                loaded.append(partition.record(row, known_at) if partition and row else None)
            return loaded

    def load_messages(self, refs: Sequence[int]) -> list[MessageRecord | None]:
        """See Store.load_messages."""
        with self._lock:
            rows = {row.ref: row for partition in self._partitions.values() for row in partition.messages}
            return [rows[ref].as_record() if ref in rows else None for ref in refs]

    def outdated(self, refs: Sequence[int], *, at: datetime) -> list[bool]:
        """See Store.outdated."""
        with self._lock:
            return [any(p.is_outdated(ref, at) for p in self._partitions.values()) for ref in refs]

    # -- the graph

    def entities(
        self,
        selection: Selection,
        *,
        ids: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
    ) -> list[HeldEntity]:
        """See Store.entities."""
        _rules.check_selection(selection)
        with self._lock:
            return [
                entity
                for partition in self._spanned(selection.scope, selection.within)
                for entity in _held_graph.entities(
                    partition, self._telling(partition, selection), selection.known_at, ids=ids, names=names
                )
            ]

    def claims(
        self,
        selection: Selection,
        *,
        touching: Sequence[str] | None = None,
        leaving: Sequence[str] | None = None,
        labels: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        memories: Sequence[str] | None = None,
        operation: str | None = None,
    ) -> list[HeldClaim]:
        """See Store.claims."""
        _rules.check_selection(selection)

        def which(claim: Claim) -> bool:
            return (
                (touching is None or claim.source_id in touching or claim.destination_id in touching)
                and (leaving is None or claim.source_id in leaving)
                and (labels is None or claim.label in labels)
                and (ids is None or claim.id in ids)
                and (memories is None or claim.memory_id in memories)
            )

        with self._lock:
            found = [
                pair
                for partition in self._spanned(selection.scope, selection.within)
                for pair in _held_graph.claims(
                    partition, self._telling(partition, selection), selection.known_at, which
                )
                if operation is None or pair[1].operation_id == operation
            ]
        found.sort(key=lambda pair: pair[0])  # stable: those of one partition stay in their place
        return [replace(claim, order=place) for place, (_, claim) in enumerate(found, start=1)]

    def moves(self, selection: Selection) -> list[Move]:
        """See Store.moves."""
        _rules.check_selection(selection)
        with self._lock:
            return [
                move
                for partition in self._spanned(selection.scope, selection.within)
                for move in _held_graph.moves(partition, selection.known_at)
            ]

    def stale_graph(self, kind: GraphKind, *, after: int, limit: int) -> list[tuple[int, str]]:
        """See Store.stale_graph."""
        _rules.check_limit(limit)
        with self._lock:
            current = self._spaces[0].no if self._spaces else NOWHERE
            found = [
                (place, text)
                for place, (partition, id, text) in enumerate(self._graph_rows(kind), start=1)
                if place > after and partition.graph_vectors.get((kind, id), (NOWHERE, None))[0] != current
            ]
        return found[:limit]

    def set_graph_vectors(self, kind: GraphKind, vectors: Mapping[int, FloatArray | None], *, space: str) -> None:
        """See Store.set_graph_vectors."""
        with self._lock:
            placed = {place: self._stored(vector, space) for place, vector in vectors.items()}
            for place, (partition, id, _) in enumerate(self._graph_rows(kind), start=1):
                if place in placed:
                    number, vector = placed[place]
                    partition.graph_vectors.pop((kind, id), None)
                    if vector is not None:
                        partition.graph_vectors[kind, id] = (number, vector)

    def _graph_rows(self, kind: GraphKind) -> Iterator[tuple[Partition, str, str]]:
        for partition in self._partitions.values():
            for id, text in _held_graph.texts(partition, kind):
                yield partition, id, text

    def near(
        self, kind: GraphKind, selection: Selection, vector: FloatArray, *, space: str | None, limit: int
    ) -> list[tuple[str, float]]:
        """See Store.near."""
        _rules.check_selection(selection)
        _rules.check_limit(limit)
        with self._lock:
            number = next((s.no for s in self._spaces if space in (None, s.model)), NOWHERE)
            found = [
                pair
                for partition in self._spanned(selection.scope, selection.within)
                for pair in _held_graph.near(partition, kind, number, vector)
            ]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def _telling(self, partition: Partition, selection: Selection) -> list[HeldVersion]:
        """Return the versions whose memories' claims and mentions are read: held, admitted, not expired."""
        seen = view(selection)
        return [
            row
            for row in partition.versions
            if _admits(selection.scope, row)
            and is_held(row.times, seen.known_at)
            and row.times.expires > seen.at
            and (selection.where is None or _passes(selection, partition.record(row, selection.known_at)))
        ]

    # -- operations

    def operation(self, tenant: str, id: str) -> OperationRow:
        """See Store.operation."""
        with self._lock:
            return self._operation(tenant, id).as_row()

    def _operation(self, tenant: str, id: str) -> HeldOperation:
        if (tenant, id) not in self._operations:
            raise _rules.missing("operation", id)
        return self._operations[tenant, id]

    def operations(self, scope: Scope, *, cursor: str | None = None, limit: int = 100) -> Page[OperationRow]:
        """See Store.operations."""
        _rules.check_limit(limit)
        with self._lock:
            numbered = [
                (-number, held.as_row())
                for number, ((tenant, _), held) in enumerate(self._operations.items(), start=1)
                if tenant == scope.tenant and _admits_scope(scope, held.new.scope)
            ]
        numbered.sort(key=lambda n: n[0])
        page = _page(_cursor.listing("operations", scope), numbered, lambda n: (n[0],), (int,), cursor, limit)
        return Page(tuple(row for _, row in page.items), page.cursor, page.total)

    def exchanges(self, tenant: str, operation_id: str) -> list[Exchange]:
        """See Store.exchanges."""
        with self._lock:
            held = self._operation(tenant, operation_id)
            return list(self._partition(_rules.owner(held.new.scope)).exchanges(held))

    # -- summaries and jobs

    def summary(self, scope: Scope) -> Summary:
        """See Store.summary."""
        with self._lock:
            held = self._summaries.get(scope, Summary("", None, 0))
            return replace(held, erasures=self._partition(_rules.owner(scope)).erasures)

    def set_summary(self, scope: Scope, summary: Summary) -> None:
        """See Store.set_summary."""
        with self._lock:
            if summary.erasures != self._partition(_rules.owner(scope)).erasures:
                raise _rules.overtaken("something was erased since the summary was read")
            if summary.messages >= self.summary(scope).messages:
                self._summaries[scope] = summary

    def count_exchanges(self, scope: Scope) -> int:
        """See Store.count_exchanges."""
        with self._lock:
            return sum(sum(held.exchanges.values()) for held in self._operations.values() if held.new.scope == scope)

    def add_job(self, tenant: str, job: NewJob) -> None:
        """See Store.add_job."""
        with self._lock:
            if not self._is_waiting(tenant, job.kind, job.key):
                payload = json.loads(_rules.json_text(job.payload))
                self._last_job += 1
                row = JobRow(self._last_job, tenant, job.kind, job.key, payload, "waiting", 0, job.due_at, None, None)
                self._jobs.append(row)

    def _is_waiting(self, tenant: str, kind: str, key: str) -> bool:
        return any((j.tenant, j.kind, j.key, j.status) == (tenant, kind, key, "waiting") for j in self._jobs)

    def lease_job(self, *, now: datetime, lease_s: float) -> JobRow | None:
        """See Store.lease_job."""
        with self._lock:
            due = [
                job
                for job in self._jobs
                if (job.status == "waiting" and job.due_at <= now)
                or (job.status == "running" and job.leased_until is not None and job.leased_until <= now)
            ]
            if not due:
                return None
            job = min(due, key=lambda job: (job.due_at, job.id))
            until = now + timedelta(seconds=lease_s)
            return self._replace(replace(job, status="running", attempts=job.attempts + 1, leased_until=until))

    def finish_job(self, id: int, *, error: str | None = None, retry_at: datetime | None = None) -> None:
        """See Store.finish_job.  Without effect on a job that is not running any more.

        A job to be tried again is done where another of its kind and key waits already: that one takes its place.
        """
        with self._lock:
            held = next((job for job in self._jobs if job.id == id), None)
            if held is None:
                raise _rules.missing("job", str(id))
            if held.status != "running":
                return
            job = replace(held, leased_until=None, error=error)
            if error is None or (retry_at is not None and self._is_waiting(job.tenant, job.kind, job.key)):
                self._replace(replace(job, status="done"))
            elif retry_at is not None:
                self._replace(replace(job, status="waiting", due_at=retry_at))
            else:
                self._replace(replace(job, status="dead"))

    def _replace(self, job: JobRow) -> JobRow:
        self._jobs[[held.id for held in self._jobs].index(job.id)] = job
        return job

    def jobs(self, tenant: str | None = None, *, open_only: bool = True) -> list[JobRow]:
        """See Store.jobs."""
        with self._lock:
            return [
                job
                for job in self._jobs
                if tenant in (None, job.tenant) and (not open_only or job.status in ("waiting", "running"))
            ]

    # -- what models cost

    def spend(
        self, day: str, model: str, usage: Usage, *, calls_at_most: int | None = None, tokens_at_most: int | None = None
    ) -> bool:
        """See Store.spend."""
        with self._lock:
            held = self._spending.setdefault(day, {})
            if not _rules.is_within(held.values(), usage, calls_at_most=calls_at_most, tokens_at_most=tokens_at_most):
                return False
            held[model] = held.get(model, Usage()) + Usage(
                usage.llm_calls, usage.prompt_tokens, usage.completion_tokens
            )
            return True

    def spent(self, day: str) -> dict[str, Usage]:
        """See Store.spent."""
        with self._lock:
            return dict(sorted(self._spending.get(day, {}).items()))

    # -- the whole

    def export(self, scope: Scope, *, vectors: bool = True) -> Iterator[dict[str, Any]]:
        """See Store.export."""
        with self._lock:
            held = _held_exporting.Held(
                self._spaces, self._partitions, self._operations, self._summaries, self._jobs
            )  # fmt: skip
            lines = list(_held_exporting.export(held, scope, list(self._spanned(scope)), vectors=vectors))
        yield from lines

    def import_(self, tenant: str, lines: Sequence[dict[str, Any]]) -> dict[str, int]:
        """See Store.import_.  It works on a copy, so that a line that is refused leaves nothing behind."""
        with self._lock:
            parts = (self._partitions, self._operations, self._summaries, self._jobs)
            partitions, operations, summaries, jobs = copy.deepcopy(parts)
            held = _held_exporting.Held(self._spaces, partitions, operations, summaries, jobs)
            counts = _held_exporting.import_(
                held, tenant, lines, lambda owner: Partition(len(partitions) + 1, owner)
            )  # fmt: skip
            self._partitions, self._operations, self._summaries, self._jobs = partitions, operations, summaries, jobs
            self._last_job = max([self._last_job, *(job.id for job in jobs)])
            return counts

    def backup(self, path: Path) -> dict[str, int]:
        """See Store.backup."""
        raise _rules.no_file()

    def restore(self, path: Path) -> dict[str, int]:
        """See Store.restore."""
        raise _rules.no_file()

    def stats(self, scope: Scope) -> Stats:
        """See Store.stats.  What has expired counts as ended."""
        with self._lock:
            now = self._clock.now()
            partitions = list(self._spanned(scope))
            rows = [row for p in partitions for row in p.versions if _admits(scope, row)]
            held = [row for row in rows if row.record.retired_at is None]
            current = sum(is_visible(row.times, view(Selection(scope, now))) for row in held)
            mine = [job for job in self._jobs if job.tenant == scope.tenant]
            return Stats(
                memories=current,
                ended=len(held) - current,
                retracted=len({row.record.id for row in rows} - {row.record.id for row in held}),
                messages=sum(_admits(scope, row) for p in partitions for row in p.messages),
                partitions=len(partitions),
                operations=self.operations(scope, limit=1).total,
                jobs_waiting=sum(job.status == "waiting" for job in mine),
                jobs_dead=sum(job.status == "dead" for job in mine),
                store_bytes=0,
                schema_version=0,
                embedder=self._spaces[0].model if self._spaces else None,
                dimensions=self._spaces[0].dimensions if self._spaces else None,
            )

    def close(self) -> None:
        """Refuse every call from now on: what was held is gone with the store."""
        self._lock.close()


def _held_message(
    partition: Partition,
    operation: NewOperation,
    new: NewMessage,
    metadata: str,
    placed: Placed,
    at: datetime,
) -> HeldMessage:
    message, scope, order = new.message, operation.scope, partition.next_seq
    record = MessageRecord(
        new.id, message.external_id, message.role, message.name, message.content, message.at, message.origin,
        scope.user, scope.agent, scope.run, {}, order,
    )  # fmt: skip
    ref = partition.next_ref()
    space, vector = placed
    return HeldMessage(ref, at, record, metadata, vector, dict(new.terms), operation.id, new.exchange, space)


def _attached(held: Sequence[Attached[T]], mark: Undone, at: datetime) -> list[Attached[T]]:
    """Withdraw what an undone operation recorded; record anew, in its place, what was withdrawn with it last."""
    own = [one for one in held if one.operation_id == mark.operation_id]
    if mark.by is not None:
        for one in own:
            one.retired_at = one.retired_at or at
    elif all(one.retired_at is not None for one in own):
        last = max((one.retired_at for one in own if one.retired_at is not None), default=None)
        found: list[Attached[T]] = []
        for one in held:
            found.append(one)
            if one.operation_id == mark.operation_id and one.retired_at == last:
                found.append(Attached(one.item, one.operation_id, at))
        return found
    return list(held)


def _content(message: object) -> tuple[object, ...]:
    return tuple(getattr(message, name) for name in ("role", "name", "content", "at"))


def _admits(scope: Scope, row: HeldVersion | HeldMessage) -> bool:
    return scope.admits(user=row.record.user, agent=row.record.agent, run=row.record.run)


def _admits_scope(scope: Scope, other: Scope) -> bool:
    return scope.admits(user=other.user, agent=other.agent, run=other.run)


def _passes(selection: Selection, record: MemoryRecord | MessageRecord) -> bool:
    return selection.where is None or holds(selection.where, record)


def _was_held(record: MemoryRecord, at: datetime) -> bool:
    return record.recorded_at <= at and (record.retired_at is None or record.retired_at > at)


def _holds_at(record: MemoryRecord, at: datetime) -> bool:
    return (record.valid_from is None or record.valid_from <= at) and (record.valid_to is None or record.valid_to > at)


def _page(
    listing: str,
    rows: Sequence[T],
    key: Callable[[T], tuple[int | str, ...]],
    kinds: tuple[type, ...],
    cursor: str | None,
    limit: int,
) -> Page[T]:
    """Return the page of sorted rows after the cursor."""
    rest = list(rows)
    if cursor is not None:
        after = tuple(_cursor.decode(listing, cursor, kinds))
        rest = [row for row in rows if key(row) > after]
    items = tuple(rest[:limit])
    return Page(items, _cursor.encode(listing, *key(items[-1])) if len(rest) > limit else None, len(rows))
