"""The Store in one SQLite file: WAL, plain tables, exact search on arrays cached per partition."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from perdure.errors import SettingsError
from perdure.models import (
    ChangeSet,
    Channel,
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
    Usage,
    VectorSpace,
    Warning,
)
from perdure.ports import Clock, ListOrder, RowKind
from perdure.settings import Durability
from perdure.stores import _rules, _spaces
from perdure.stores._rules import SEQ_MASK
from perdure.stores._spaces import NOWHERE
from perdure.stores._times import microseconds
from perdure.stores._visible import OPEN_RIGHT, PRESENT
from perdure.stores.sqlite import (
    annotating,
    copying,
    erasing,
    exporting,
    graph,
    jobs,
    rank,
    reading,
    rows,
    schema,
    spaces,
    spending,
    writing,
)
from perdure.stores.sqlite.cache import Cache
from perdure.stores.sqlite.connections import Connections
from perdure.stores.sqlite.graph_rank import GraphVectors
from perdure.stores.sqlite.writing import spaces_of

if TYPE_CHECKING:
    from perdure.models import FloatArray

    Collides = Callable[[Sequence[tuple[MemoryRecord, FloatArray | None]]], bool]


class SQLiteStore:
    """A Store that keeps everything in one file, for the threads and processes of one machine.

    durability: "normal" survives a killed process, but a power cut may take the last commits with it; "full" waits for
    the disk at each commit.  cache_bytes bounds the arrays kept for searching.
    Raises Corrupt on a file that is damaged or another application's, SchemaMismatch on one of a later release, and
    StoreError where it cannot be written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        clock: Clock,
        durability: Durability = "normal",
        busy_timeout_s: float = 30.0,
        cache_bytes: int = 268_435_456,
    ) -> None:
        if os.fspath(path) in ("", ":memory:"):
            raise SettingsError("SQLiteStore keeps a file; give it a path, or use InMemoryStore to keep nothing")
        self._path = Path(os.path.realpath(path))  # SQLite names the log after it too
        self._clock = clock
        self._cache = Cache(cache_bytes)
        self._graph_vectors = GraphVectors()
        self._connections = Connections(self._path, durability=durability, busy_timeout_s=busy_timeout_s)
        schema.create(self._path)
        try:
            schema.migrate(self._connections, self._path)
        except BaseException:
            self._connections.close()
            raise

    # -- identity

    def claim_embedder(self, model: str, dimensions: int) -> None:
        """See Store.claim_embedder."""
        with self._connections.writing() as connection:
            spaces.claim(connection, model, dimensions)

    def spaces(self) -> list[VectorSpace]:
        """See Store.spaces."""
        with self._connections.reading() as connection:
            return spaces.sizes(connection)

    def rebind(self, model: str, dimensions: int) -> None:
        """See Store.rebind."""
        with self._connections.writing() as connection:
            spaces.rebind(connection, model, dimensions)

    def stale(self, kind: RowKind, *, after: int, limit: int) -> list[int]:
        """See Store.stale."""
        _rules.check_limit(limit)
        with self._connections.reading() as connection:
            return spaces.stale(connection, kind, after=after, limit=limit)

    def set_vectors(self, kind: RowKind, vectors: Mapping[int, FloatArray | None], *, space: str) -> None:
        """See Store.set_vectors."""
        with self._connections.writing() as connection:
            spaces.set_vectors(connection, kind, vectors, space=space)

    def drop_spaces(self) -> int:
        """See Store.drop_spaces."""
        with self._connections.writing() as connection:
            return spaces.drop(connection)

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
        with self._connections.writing() as connection:
            id = writing.begin(
                connection, operation, messages,
                now=self._clock.now(), status=status, warnings=warnings, usage=usage or Usage(), new_jobs=jobs,
            )  # fmt: skip
            tenant = operation.scope.tenant
            return reading.operation(connection, tenant, id), reading.exchanges(connection, tenant, id)

    def commit(self, changes: ChangeSet, *, collides: Collides | None = None) -> Committed:
        """See Store.commit."""
        with self._connections.writing() as connection:
            return writing.commit(connection, changes, now=self._clock.now(), collides=collides)

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
        with self._connections.writing() as connection:
            at = self._clock.now()
            writing.finish(connection, tenant, operation_id, status, at=at, warnings=warnings, usage=usage)
            return reading.operation(connection, tenant, operation_id)

    def erase(self, operation: NewOperation, target: Erasure, *, jobs: Sequence[NewJob] = ()) -> ErasureReceipt:
        """See Store.erase.  Cost: one pass over the partition's rows and terms."""
        with self._connections.writing() as connection:
            receipt = erasing.erase(connection, operation, target, now=self._clock.now(), new_jobs=jobs)
        with self._connections.reading():  # a fork waits for readers, so that no child inherits the cache's lock
            self._cache.clear()
            self._graph_vectors.clear()
        return receipt

    def scrub(self) -> bool:
        """See Store.scrub.  Cost: the whole file is written anew."""
        with self._connections.reading() as connection:
            pending = erasing.pending(connection)
        if pending:
            if not self._connections.rewrite():
                return False
            with self._connections.writing() as connection:
                erasing.finish_pending(connection, pending, at=self._clock.now())
        return True

    def expired(self, tenant: str, before: datetime) -> list[MemoryRecord]:
        """See Store.expired."""
        with self._connections.reading() as connection:
            return reading.expired(connection, tenant, before)

    # -- reading memories and messages

    def memory(
        self, tenant: str, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> MemoryRecord:
        """See Store.memory."""
        with self._connections.reading() as connection:
            return reading.memory(connection, tenant, id, as_of=as_of, known_at=known_at)

    def versions(self, tenant: str, id: str) -> list[MemoryRecord]:
        """See Store.versions."""
        with self._connections.reading() as connection:
            return reading.versions(connection, tenant, id)

    def touches(self, tenant: str, ids: Sequence[str]) -> list[Touch]:
        """See Store.touches."""
        with self._connections.reading() as connection:
            return reading.touches(connection, tenant, ids)

    def memories(
        self, selection: Selection, *, order: ListOrder = "recorded", cursor: str | None = None, limit: int = 100
    ) -> Page[MemoryRecord]:
        """See Store.memories."""
        with self._connections.reading() as connection:
            return reading.memories(connection, selection, order=order, cursor=cursor, limit=limit)

    def message(self, tenant: str, id: str, *, scope: Scope | None = None) -> MessageRecord:
        """See Store.message."""
        with self._connections.reading() as connection:
            return reading.message(connection, tenant, id, scope)

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
        with self._connections.writing() as connection:
            annotating.annotate(connection, tenant, id, metadata, vector=vector, terms=terms, space=space)

    def messages(
        self, scope: Scope, *, last: int | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page[MessageRecord]:
        """See Store.messages.  "Newest" is by the time of recording, so that it means the same across partitions."""
        with self._connections.reading() as connection:
            return reading.messages(connection, scope, last=last, cursor=cursor, limit=limit)

    def window(self, scope: Scope, *, before: int, size: int) -> list[MessageRecord]:
        """See Store.window."""
        with self._connections.reading() as connection:
            return reading.window(connection, scope, before=before, size=size)

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
        """See Store.rank.  Exact; a partition of which nothing is admitted has no ranking."""
        _rules.check_selection(selection)
        _rules.check_limit(limit)
        terms = {term for probe in probes for term in probe.terms} if "sparse" in channels else set()
        with self._connections.reading() as connection:
            shelves = self._cache.snapshots(connection, kind, selection, terms)
            held = spaces_of(connection)  # after the snapshots, which must be the transaction's first look
            looks = [_spaces.looks(probe, held) for probe in probes]
            allowed = [_allowed(connection, kind, shelf.partition.no, selection) for shelf in shelves]
        found: list[list[Ranking]] = [[] for _ in probes]
        for shelf, seqs in zip(shelves, allowed, strict=True):
            mask = rank.admitted(shelf, kind, selection, seqs)
            if not mask.any():
                continue
            dense = rank.dense(shelf, looks) if "dense" in channels else []
            for place, probe in enumerate(probes):
                scores = dense[place] if dense and probe.vector is not None else None
                found[place] += rank.rankings(shelf, kind, mask, probe, scores, limit=limit, channels=channels)
        version = sum(shelf.partition.version for shelf in shelves)
        return [Ranked(tuple(rankings), version) for rankings in found]

    def load_memories(self, refs: Sequence[int], *, known_at: datetime | None = None) -> list[MemoryRecord | None]:
        """See Store.load_memories."""
        with self._connections.reading() as connection:
            found = rows.load_memories(connection, refs, microseconds(known_at))
        return [found.get(ref) for ref in refs]

    def load_messages(self, refs: Sequence[int]) -> list[MessageRecord | None]:
        """See Store.load_messages."""
        with self._connections.reading() as connection:
            found = rows.load_messages(connection, refs)
        return [found.get(ref) for ref in refs]

    def outdated(self, refs: Sequence[int], *, at: datetime) -> list[bool]:
        """See Store.outdated."""
        with self._connections.reading() as connection:
            found = rows.outdated(connection, refs, at)
        return [ref in found for ref in refs]

    # -- the graph

    def entities(
        self,
        selection: Selection,
        *,
        ids: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
    ) -> list[HeldEntity]:
        """See Store.entities."""
        with self._connections.reading() as connection:
            return graph.entities(connection, selection, asked=ids, names=names)

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
        """See Store.claims.  Cost: with `touching`, a few look-ups per claim."""
        with self._connections.reading() as connection:
            narrowed = {
                "touching": touching, "leaving": leaving, "label": labels, "id": ids, "memory": memories,
                "operation": None if operation is None else [operation],
            }  # fmt: skip
            return graph.claims(connection, selection, narrowed)

    def moves(self, selection: Selection) -> list[Move]:
        """See Store.moves."""
        with self._connections.reading() as connection:
            return graph.moves(connection, selection)

    def stale_graph(self, kind: GraphKind, *, after: int, limit: int) -> list[tuple[int, str]]:
        """See Store.stale_graph."""
        _rules.check_limit(limit)
        with self._connections.reading() as connection:
            return graph.stale(connection, kind, spaces_of(connection), after=after, limit=limit)

    def set_graph_vectors(self, kind: GraphKind, vectors: Mapping[int, FloatArray | None], *, space: str) -> None:
        """See Store.set_graph_vectors."""
        with self._connections.writing() as connection:
            graph.set_vectors(connection, kind, vectors, spaces_of(connection), model=space)

    def near(
        self, kind: GraphKind, selection: Selection, vector: FloatArray, *, space: str | None, limit: int
    ) -> list[tuple[str, float]]:
        """See Store.near.  Cost: one product per partition, on arrays that are kept."""
        _rules.check_selection(selection)
        _rules.check_limit(limit)
        with self._connections.reading() as connection:
            number = next((s.no for s in spaces_of(connection) if space in (None, s.model)), NOWHERE)
            found = [
                pair
                for partition in rows.partitions(connection, selection.scope, selection.within)
                for pair in self._graph_vectors.near(connection, partition, kind, number, vector, limit)
            ]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]

    # -- operations

    def operation(self, tenant: str, id: str) -> OperationRow:
        """See Store.operation."""
        with self._connections.reading() as connection:
            return reading.operation(connection, tenant, id)

    def operations(self, scope: Scope, *, cursor: str | None = None, limit: int = 100) -> Page[OperationRow]:
        """See Store.operations."""
        with self._connections.reading() as connection:
            return reading.operations(connection, scope, cursor=cursor, limit=limit)

    def exchanges(self, tenant: str, operation_id: str) -> list[Exchange]:
        """See Store.exchanges."""
        with self._connections.reading() as connection:
            return reading.exchanges(connection, tenant, operation_id)

    # -- summaries and jobs

    def summary(self, scope: Scope) -> Summary:
        """See Store.summary."""
        with self._connections.reading() as connection:
            return jobs.summary(connection, scope)

    def set_summary(self, scope: Scope, summary: Summary) -> None:
        """See Store.set_summary."""
        with self._connections.writing() as connection:
            jobs.set_summary(connection, scope, summary)

    def count_exchanges(self, scope: Scope) -> int:
        """See Store.count_exchanges."""
        with self._connections.reading() as connection:
            return reading.count_exchanges(connection, scope)

    def add_job(self, tenant: str, job: NewJob) -> None:
        """See Store.add_job."""
        with self._connections.writing() as connection:
            jobs.add(connection, tenant, job)

    def lease_job(self, *, now: datetime, lease_s: float) -> JobRow | None:
        """See Store.lease_job."""
        with self._connections.writing() as connection:
            return jobs.lease(connection, now=now, lease_s=lease_s)

    def finish_job(self, id: int, *, error: str | None = None, retry_at: datetime | None = None) -> None:
        """See Store.finish_job.  Without effect on a job that is not running any more.

        A job to be tried again is done where another of its kind and key waits already: that one takes its place.
        """
        with self._connections.writing() as connection:
            jobs.finish(connection, id, error=error, retry_at=retry_at)

    def jobs(self, tenant: str | None = None, *, open_only: bool = True) -> list[JobRow]:
        """See Store.jobs."""
        with self._connections.reading() as connection:
            return jobs.jobs(connection, tenant, open_only=open_only)

    # -- what models cost

    def spend(
        self, day: str, model: str, usage: Usage, *, calls_at_most: int | None = None, tokens_at_most: int | None = None
    ) -> bool:
        """See Store.spend."""
        with self._connections.writing() as connection:
            return spending.spend(
                connection, day, model, usage, calls_at_most=calls_at_most, tokens_at_most=tokens_at_most
            )

    def spent(self, day: str) -> dict[str, Usage]:
        """See Store.spent."""
        with self._connections.reading() as connection:
            return spending.spent(connection, day)

    # -- the whole

    def export(self, scope: Scope, *, vectors: bool = True) -> Iterator[dict[str, Any]]:
        """See Store.export.  A reader is held until the last line was read."""
        with self._connections.reading() as connection:
            yield from exporting.export(connection, scope, vectors=vectors)

    def import_(self, tenant: str, lines: Sequence[dict[str, Any]]) -> dict[str, int]:
        """See Store.import_."""
        with self._connections.writing() as connection:
            return exporting.import_(connection, tenant, lines)

    def backup(self, path: Path) -> dict[str, int]:
        """See Store.backup."""
        return copying.backup(self._connections, path)

    def restore(self, path: Path) -> dict[str, int]:
        """See Store.restore.  An older schema is brought to this release's."""
        counts = copying.restore(self._connections, path)
        schema.migrate(self._connections, self._path)
        with self._connections.reading():
            self._cache.clear()
        return counts

    def stats(self, scope: Scope) -> Stats:
        """See Store.stats.  What has expired counts as ended."""
        with self._connections.reading() as connection:
            return reading.stats(connection, scope, now=self._clock.now(), schema_version=schema.latest())

    def close(self) -> None:
        """Close every connection.  Closing twice is allowed."""
        self._connections.close()


def _allowed(connection: apsw.Connection, kind: RowKind, partition: int, selection: Selection) -> list[int] | None:
    """Return the seqs of a partition that pass the selection's filter; None without one."""
    if selection.where is None:
        return None
    name, columns = (
        ("memories_where", rows.MEMORY_COLUMNS) if kind == "memory" else ("messages_where", rows.MESSAGE_COLUMNS)
    )
    query, bound = rows.filtered(name, selection.where, columns)
    known_at = PRESENT if selection.known_at is None else microseconds(selection.known_at)
    bound |= {"partition": partition, "known_at": known_at, "open": OPEN_RIGHT}
    return [no & SEQ_MASK for (no,) in rows.run(connection, query, bound)]
