"""What begin, commit and finish do inside their one transaction."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import apsw
import numpy as np

from perdure.models import (
    ChangeSet,
    Committed,
    LoggedChange,
    MemoryRecord,
    Message,
    NewJob,
    NewMessage,
    NewOperation,
    NewVersion,
    Owner,
    Scope,
    Status,
    Usage,
    Warning,
)
from perdure.stores import _rules, _spaces
from perdure.stores._rules import SEQ_BITS, SEQ_MASK
from perdure.stores._spaces import NOWHERE, Space
from perdure.stores._times import instant, microseconds, tick
from perdure.stores.sqlite import jobs
from perdure.stores.sqlite.rows import QUERIES, Row, first, ids, load_memories, owner_bound, select

if TYPE_CHECKING:
    from perdure.models import FloatArray

    Collides = Callable[[Sequence[tuple[MemoryRecord, FloatArray | None]]], bool]


@dataclass(slots=True)
class Partition:
    """A partition's row, read for writing."""

    no: int
    next_seq: int
    version: int
    erasures: int
    recorded_at: int | None
    memories: int
    memory_length: int
    messages: int
    message_length: int

    def next_ref(self) -> int:
        """Return the next row's reference."""
        if self.next_seq > SEQ_MASK:
            raise _rules.full()
        self.next_seq += 1
        return self.no << SEQ_BITS | (self.next_seq - 1)


def partition_of(connection: apsw.Connection, owner: Owner) -> Partition | None:
    """Return an owner's partition, or None before its first row."""
    row = first(connection, "partition", owner_bound(owner))
    return None if row is None else Partition(*row)


def partition_by_no(connection: apsw.Connection, no: int) -> Partition:
    """Return a partition that is known to exist."""
    return Partition(*next(select(connection, "partition_by_no", {"no": no})))


def spaces_of(connection: apsw.Connection) -> list[Space]:
    """Return the spaces of the store's vectors, the current one first; none before an embedder was claimed."""
    return [
        Space(no, model, dimensions, bool(current)) for no, model, dimensions, current in select(connection, "spaces")
    ]


# ---------------------------------------------------------------- begin and finish


def begin(
    connection: apsw.Connection,
    operation: NewOperation,
    messages: Sequence[NewMessage],
    *,
    now: datetime,
    status: Status,
    warnings: Sequence[Warning],
    usage: Usage,
    new_jobs: Sequence[NewJob],
) -> str:
    """Write an operation and its messages and return its id; the id of the one that used its key, if any, instead."""
    owner, tenant = _rules.owner(operation.scope), operation.scope.tenant
    partition = partition_of(connection, owner)
    known = id_of_key(connection, operation, partition)
    if known is not None:
        state = _state(connection, tenant, known)
        if state is None or state[4] != operation.payload_hash:
            raise _rules.other_payload(operation)
        return known
    fresh, duplicates = _without_duplicates(connection, partition, messages)
    partition = partition or new_partition(connection, owner)
    at = touch(partition, now)
    finished_at = None if status == "pending" else at
    insert_operation(
        connection,
        operation,
        partition,
        at,
        status,
        finished_at=finished_at,
        warnings=[*warnings, *duplicates],
        usage=usage,
    )
    scope = {"tenant": tenant, "operation": operation.id, "partition": partition.no, **ids(operation.scope)}
    for number in sorted({new.exchange for new in fresh}):
        connection.execute(QUERIES["insert_exchange"], {**scope, "number": number, "is_done": status == "done"})
    _insert_messages(connection, fresh, partition, scope, at)
    note_presence(connection, partition.no, [operation.scope] if fresh else [])
    update_partition(connection, partition)
    for job in new_jobs:
        jobs.add(connection, tenant, job)
    return operation.id


def finish(
    connection: apsw.Connection,
    tenant: str,
    id: str,
    status: Status | None,
    *,
    at: datetime,
    warnings: Sequence[Warning],
    usage: Usage | None,
) -> None:
    """Set an operation's status, if one is given, append warnings and add usage.  Raises NotFound."""
    row = _state(connection, tenant, id)
    if row is None:
        raise _rules.missing("operation", id)
    old_status, finished_at, old_warnings, old_usage, _ = row
    if status is not None:
        finished_at = None if status == "pending" else microseconds(at)
    bound = {
        "tenant": tenant,
        "id": id,
        "status": status or old_status,
        "finished_at": finished_at,
        "warnings": _warnings_json([*(Warning(*each) for each in json.loads(old_warnings)), *warnings]),
        "usage": _usage_json(Usage(*json.loads(old_usage)) + (usage or Usage())),
    }
    connection.execute(QUERIES["update_operation"], bound)


def _state(connection: apsw.Connection, tenant: str, id: str) -> Row | None:
    """Return an operation's status, finished_at, warnings, usage and payload hash: all but its log."""
    return first(connection, "operation_state", {"tenant": tenant, "id": id})


def id_of_key(connection: apsw.Connection, operation: NewOperation, partition: Partition | None) -> str | None:
    """Return the id of the operation that used this one's key in the partition, or None."""
    if operation.key is None or partition is None:
        return None
    bound = {"tenant": operation.scope.tenant, "partition": partition.no, "key": operation.key}
    row = first(connection, "operation_of_key", bound)
    return None if row is None else str(row[0])


def _without_duplicates(
    connection: apsw.Connection, partition: Partition | None, messages: Sequence[NewMessage]
) -> tuple[list[NewMessage], list[Warning]]:
    fresh: list[NewMessage] = []
    duplicates: list[Warning] = []
    seen: dict[str, Row] = {}
    for new in messages:
        message = new.message
        if message.external_id is None:
            fresh.append(new)
            continue
        known = seen.get(message.external_id)
        if known is None and partition is not None:
            bound = {"partition": partition.no, "external_id": message.external_id}
            known = first(connection, "message_of_external", bound)
        if known is None:
            fresh.append(new)
            seen[message.external_id] = _content(message)
        elif known == _content(message):
            duplicates.append(_rules.duplicate(message))
        else:
            raise _rules.other_content(message)
    return fresh, duplicates


def _content(message: Message) -> Row:
    return message.role, message.name, message.content, microseconds(message.at)


def _insert_messages(
    connection: apsw.Connection,
    messages: Sequence[NewMessage],
    partition: Partition,
    scope: Mapping[str, Any],
    at: int,
) -> None:
    refs = [partition.next_ref() for _ in messages]
    lengths = [sum(new.terms.values()) for new in messages]
    rows = [
        {
            **scope,
            "no": ref,
            "id": new.id,
            "external_id": new.message.external_id,
            "role": new.message.role,
            "name": new.message.name,
            "content": new.message.content,
            "at": microseconds(new.message.at),
            "origin": new.message.origin,
            "metadata": _rules.json_text(new.message.metadata),
            "recorded_at": at,
            "exchange": new.exchange,
            "length": length,
        }
        for ref, new, length in zip(refs, messages, lengths, strict=True)
    ]
    connection.executemany(QUERIES["insert_message"], rows)
    _index(connection, "message", [(ref, new, new.space) for ref, new in zip(refs, messages, strict=True)])
    partition.messages += len(messages)
    partition.message_length += sum(lengths)


# ---------------------------------------------------------------- commit


def commit(connection: apsw.Connection, changes: ChangeSet, *, now: datetime, collides: Collides | None) -> Committed:
    """Write a change set; see Store.commit."""
    home = _rules.check_changes(changes)
    partition = partition_of(connection, home) or new_partition(connection, home)
    _check_operation(connection, changes, home)
    if changes.undone and changes.read_version != partition.version:
        raise _rules.overtaken("something was written since")
    _check_collisions(connection, partition, changes, collides)
    read_version, at = partition.version, touch(partition, now)
    if changes.operation is not None:
        insert_operation(connection, changes.operation, _home_of(connection, changes, partition, home), at, "pending")
    _close(connection, partition, changes, home.tenant, at)
    _erase(connection, partition, changes, home.tenant)
    _open(connection, partition, changes, home.tenant, at)
    _attach(connection, partition, changes, home.tenant, at)
    _mark_undone(connection, partition, changes, home.tenant, at)
    _record(connection, changes, instant(at))
    update_partition(connection, partition)
    return Committed(instant(at), read_version + 1)


def _home_of(connection: apsw.Connection, changes: ChangeSet, partition: Partition, home: Owner) -> Partition:
    """Return the partition of the operation, which may be another than that of its rows."""
    owner = _rules.owner(changes.operation.scope if changes.operation else changes.scope)
    return partition if owner == home else partition_of(connection, owner) or new_partition(connection, owner)


def _check_operation(connection: apsw.Connection, changes: ChangeSet, home: Owner) -> None:
    tenant, id = home.tenant, changes.operation_id
    state = _state(connection, tenant, id)
    is_known = state is not None
    if changes.operation is None and state is None:
        raise _rules.missing("operation", id)
    if _rules.is_second_end(changes, None if state is None else state[0]):
        raise _rules.overtaken("the operation is done already")
    if changes.operation is not None:
        owner = _rules.owner(changes.operation.scope)
        if id_of_key(connection, changes.operation, partition_of(connection, owner)) is not None:
            raise _rules.known_key(changes.operation)
        if is_known:
            raise _rules.overtaken(f"operation {id!r} exists already")
    if changes.exchange is not None:
        bound = {"tenant": tenant, "operation": id, "number": changes.exchange}
        row = first(connection, "exchange", bound)
        if row is None:
            raise _rules.missing("exchange", f"{id}/{changes.exchange}")
        if row[0]:
            raise _rules.overtaken("the exchange is done already")


def _check_collisions(
    connection: apsw.Connection, partition: Partition, changes: ChangeSet, collides: Collides | None
) -> None:
    if collides is None or changes.read_version is None or changes.read_version >= partition.version:
        return
    since: list[int] = []
    for no, version, is_current in select(connection, "memories_lately", {"partition": partition.no}):
        if version <= changes.read_version:
            break
        if is_current:
            since.insert(0, no)
    records = load_memories(connection, since, None)
    space = next((s for s in spaces_of(connection) if changes.space in (None, s.model)), None)
    rows = select(connection, "vectors_by_no", {"refs": json.dumps(since), "space": space.no if space else NOWHERE})
    vectors = {no: np.frombuffer(blob, dtype="<f2").astype(np.float32) for no, blob in rows}
    if records and collides([(record, vectors.get(no)) for no, record in records.items()]):
        raise _rules.overtaken("a memory written since is about the same thing")


def _last(connection: apsw.Connection, partition: Partition, tenant: str, id: str) -> Row | None:
    """Return the last version's no, version, is_current, created_at and length."""
    bound = {"tenant": tenant, "id": id, "partition": partition.no}
    return first(connection, "last_version", bound)


def _close(connection: apsw.Connection, partition: Partition, changes: ChangeSet, tenant: str, at: int) -> None:
    for closing in changes.closed:
        row = _last(connection, partition, tenant, closing.memory_id)
        if row is None or not row[2] or row[1] != closing.version:
            raise _rules.overtaken(f"version {closing.version} of memory {closing.memory_id!r} is not current")
        connection.execute(QUERIES["close_memory"], {"no": row[0], "retired_at": at})
        partition.memories -= 1
        partition.memory_length -= row[4]


def _erase(connection: apsw.Connection, partition: Partition, changes: ChangeSet, tenant: str) -> None:
    """Remove memories, for policy="paper": the algorithm to the letter, which promises nothing of the file's bytes."""
    for id in changes.erased:
        refs, lengths = [], []
        for no, is_current, length in select(
            connection, "versions_to_erase", {"tenant": tenant, "id": id, "partition": partition.no}
        ):
            refs.append(no)
            lengths += [length] * is_current
        if not refs:
            raise _rules.overtaken(f"memory {id!r} is gone")
        bound = {"partition": partition.no, "kind": "memory", "refs": json.dumps(refs), "sources": "[]"}
        bound["memories"] = json.dumps([id])
        for name in ("erase_postings", "erase_memory_vectors", "erase_versions", "erase_sources", "erase_links"):
            connection.execute(QUERIES[name], bound)
        partition.memories -= len(lengths)
        partition.memory_length -= sum(lengths)
    partition.erasures += bool(changes.erased)


def _open(connection: apsw.Connection, partition: Partition, changes: ChangeSet, tenant: str, at: int) -> None:
    refs = []
    for new in changes.opened:
        row = _last(connection, partition, tenant, new.record.id)
        if new.record.version != (row[1] if row else 0) + 1 or (row and row[2]):
            raise _rules.overtaken(
                f"version {new.record.version} of memory {new.record.id!r} does not follow its last one"
            )
        ref = partition.next_ref()
        refs.append(ref)
        bound = version_bound(new, at=at, created_at=row[3] if row else at)
        bound.update(no=ref, tenant=tenant, partition=partition.no, operation=changes.operation_id)
        bound.update(partition_version=partition.version)
        connection.execute(QUERIES["insert_memory"], bound)
        partition.memories += 1
        partition.memory_length += bound["length"]
    _index(connection, "memory", [(ref, new, changes.space) for ref, new in zip(refs, changes.opened, strict=True)])
    scopes = {Scope(tenant, new.record.user, new.record.agent, new.record.run): None for new in changes.opened}
    note_presence(connection, partition.no, list(scopes))


def version_bound(new: NewVersion, *, at: int, created_at: int) -> dict[str, Any]:
    """Return a version's own columns as parameters."""
    record = new.record
    return {
        **{name: getattr(record, name) for name in ("id", "version", "user", "agent", "run", "text", "kind", "origin")},
        **{
            name: microseconds(getattr(record, name))
            for name in ("event_from", "event_to", "valid_from", "valid_to", "expires_at")
        },
        "attributed_to": record.attributed_to,
        "time_precision": record.time_precision,
        "metadata": _rules.json_text(record.metadata),
        "categories": json.dumps(record.categories, ensure_ascii=False),
        "entities": json.dumps(record.entities, ensure_ascii=False),
        "recorded_at": at,
        "created_at": created_at,
        "length": sum(new.terms.values()),
    }


def _attach(connection: apsw.Connection, partition: Partition, changes: ChangeSet, tenant: str, at: int) -> None:
    """Write sources and links, jobs too."""
    for source in changes.sources:
        row = _last(connection, partition, tenant, source.memory_id)
        is_closed_here = any(closing.memory_id == source.memory_id for closing in changes.closed)
        if row is None or not (row[2] or is_closed_here):
            raise _rules.overtaken(f"memory {source.memory_id!r} is not current")
        bound = {"partition": partition.no, "memory": source.memory_id, "message": source.message_id}
        bound.update(quote=source.quote, at=microseconds(source.at), recorded_at=at, operation=changes.operation_id)
        connection.execute(QUERIES["insert_source"], bound)
    for link in changes.links:
        for id in (link.successor, link.predecessor):
            if _last(connection, partition, tenant, id) is None:
                raise _rules.overtaken(f"memory {id!r} is gone")
        ends = {"successor": link.successor, "predecessor": link.predecessor, "operation": changes.operation_id}
        connection.execute(QUERIES["insert_link"], {**ends, "partition": partition.no, "recorded_at": at})
    for job in changes.jobs:
        jobs.add(connection, tenant, job)


def _mark_undone(connection: apsw.Connection, partition: Partition, changes: ChangeSet, tenant: str, at: int) -> None:
    """Withdraw the sources and links of undone operations; record those of operations in force again anew."""
    for mark in changes.undone:
        if _state(connection, tenant, mark.operation_id) is None:
            raise _rules.missing("operation", mark.operation_id)
        connection.execute(QUERIES["mark_undone"], {"tenant": tenant, "id": mark.operation_id, "by": mark.by})
        bound = {"partition": partition.no, "operation": mark.operation_id, "at": at}
        for table in ("sources", "links"):
            connection.execute(QUERIES[f"{'restore' if mark.by is None else 'withdraw'}_{table}"], bound)


def _record(connection: apsw.Connection, changes: ChangeSet, at: datetime) -> None:
    """Write the log and what became of the operation and its exchange."""
    owner = {"tenant": changes.scope.tenant, "operation": changes.operation_id}
    insert_log(connection, changes.scope.tenant, changes.operation_id, changes.log, at=microseconds(at))
    if changes.exchange is not None:
        connection.execute(QUERIES["finish_exchange"], {**owner, "number": changes.exchange})
    if changes.finishes is not None or changes.warnings or changes.usage is not None:
        finish(
            connection, owner["tenant"], changes.operation_id, changes.finishes,
            at=at, warnings=changes.warnings, usage=changes.usage,
        )  # fmt: skip


# ---------------------------------------------------------------- shared


def insert_log(
    connection: apsw.Connection, tenant: str, operation: str, log: Sequence[LoggedChange], *, at: int | None
) -> None:
    """Append decisions, carried out at `at`, to an operation's log."""
    for change in log:
        memory, version = change.memory or (None, None)
        previous, previous_version = change.previous or (None, None)
        bound = {name: getattr(change, name) for name in ("event", "effect", "reason", "candidate")}
        bound.update(model=change.model, prompt_hash=change.prompt_hash, memory=memory, memory_version=version)
        bound.update(previous=previous, previous_version=previous_version, recorded_at=at)
        connection.execute(QUERIES["insert_change"], {**bound, "tenant": tenant, "operation": operation})


def new_partition(connection: apsw.Connection, owner: Owner) -> Partition:
    """Insert an owner's partition and return it."""
    connection.execute(QUERIES["insert_partition"], owner_bound(owner))
    return partition_by_no(connection, connection.last_insert_rowid())


def touch(partition: Partition, now: datetime) -> int:
    """Raise the partition's version and return the recorded_at of this commit."""
    partition.version += 1
    partition.recorded_at = microseconds(tick(now, instant(partition.recorded_at)))
    return partition.recorded_at


def insert_operation(
    connection: apsw.Connection,
    operation: NewOperation,
    partition: Partition,
    at: int,
    status: Status,
    *,
    finished_at: int | None = None,
    warnings: Sequence[Warning] = (),
    usage: Usage | None = None,
) -> None:
    """Insert an operation.  Raises Conflict if its id is known."""
    if _state(connection, operation.scope.tenant, operation.id) is not None:
        raise _rules.overtaken(f"operation {operation.id!r} exists already")
    names = ("id", "verb", "engine", "actor", "key", "payload_hash")
    bound = {
        **{name: getattr(operation, name) for name in names},
        **ids(operation.scope),
        "tenant": operation.scope.tenant,
        "partition": partition.no,
        "arguments": _rules.json_text(operation.arguments),
        "status": status,
        "at": at,
        "finished_at": finished_at,
        "warnings": _warnings_json(warnings),
        "usage": _usage_json(usage or Usage()),
    }
    connection.execute(QUERIES["insert_operation"], bound)


def _index(
    connection: apsw.Connection,
    kind: Literal["memory", "message"],
    rows: Sequence[tuple[int, NewVersion | NewMessage | _Indexed, str | None]],
) -> None:
    """Write the vectors and the postings of rows: reference, row, and the model of its vector."""
    spaces = spaces_of(connection) if any(row.vector is not None for _, row, _ in rows) else []
    postings: list[dict[str, int | str]] = []
    for ref, row, model in rows:
        if row.vector is not None:
            bound = {"no": ref, "space": _spaces.place(spaces, row.vector, model).no, "vector": as_blob(row.vector)}
            connection.execute(QUERIES[f"insert_{kind}_vector"], bound)
        place: dict[str, int | str] = {"partition": ref >> SEQ_BITS, "kind": kind, "seq": ref & SEQ_MASK}
        postings.extend({**place, "term": term, "tf": tf} for term, tf in row.terms.items())
    postings.sort(key=lambda posting: (posting["term"], posting["seq"]))
    connection.executemany(QUERIES["insert_posting"], postings)


def index_row(
    connection: apsw.Connection,
    kind: Literal["memory", "message"],
    ref: int,
    vector: FloatArray | None,
    terms: Mapping[str, int],
    model: str | None,
) -> None:
    """Write the vector, which is of `model`, and the postings of one row."""
    _index(connection, kind, [(ref, _Indexed(vector, terms), model)])


@dataclass(frozen=True, slots=True)
class _Indexed:
    vector: FloatArray | None
    terms: Mapping[str, int]


def as_blob(vector: FloatArray) -> bytes:
    """Return a vector as it is kept: float16, little endian."""
    return vector.astype("<f2").tobytes()


def note_presence(connection: apsw.Connection, partition: int, scopes: Sequence[Scope]) -> None:
    """Note in which partition the agents and runs of scopes have rows."""
    for scope in scopes:
        for kind, id in (("agent", scope.agent), ("run", scope.run)):
            if id is not None:
                bound = {"tenant": scope.tenant, "kind": kind, "id": id, "partition": partition}
                connection.execute(QUERIES["insert_presence"], bound)


def update_partition(connection: apsw.Connection, partition: Partition) -> None:
    """Write a partition's row back."""
    connection.execute(QUERIES["update_partition"], dataclasses.asdict(partition))


def _warnings_json(warnings: Sequence[Warning]) -> str:
    return json.dumps([[each.code, each.detail, each.item] for each in warnings], ensure_ascii=False)


def _usage_json(usage: Usage) -> str:
    return json.dumps(dataclasses.astuple(usage))
