"""Rows to records, and the parts of SQL that depend on a scope, a selection or a filter."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import apsw

from perdure.models import (
    JobRow,
    LoggedChange,
    MemoryRecord,
    MessageRecord,
    OperationRow,
    Owner,
    Scope,
    Source,
    Usage,
    Warning,
    Where,
)
from perdure.stores import _sql
from perdure.stores._rules import SEQ_MASK
from perdure.stores._times import instant, microseconds
from perdure.stores._visible import OPEN_RIGHT, PRESENT
from perdure.where import Column, compile_sql

QUERIES: Final = _sql.load("perdure.stores.sqlite", "queries.sql")

Row = tuple[Any, ...]  # a row of SQLite: its columns have the types of the schema


def select(connection: apsw.Connection, name: str, bound: Mapping[str, Any] | None = None) -> Iterator[Row]:
    """Yield the rows of a named query, as they are needed."""
    return run(connection, QUERIES[name], bound)


def run(connection: apsw.Connection, sql: str, bound: Mapping[str, Any] | None = None) -> Iterator[Row]:
    """Yield the rows of a query that a filter was compiled into."""
    return connection.execute(sql, bound)


def first(connection: apsw.Connection, name: str, bound: Mapping[str, Any] | None = None) -> Row | None:
    """Return the first row of a named query, or None."""
    return next(select(connection, name, bound), None)


def memory_record(row: Row) -> MemoryRecord:
    """Return the record of a row of `memories_by_no`."""
    (_, id, text, version, user, agent, run, kind, metadata, categories, attributed_to, origin, event_from, event_to,
     precision, valid_from, valid_to, recorded_at, retired_at, expires_at, created_at, entities, sources, supersedes,
     superseded_by) = row  # fmt: skip
    recorded = instant(recorded_at)
    found = tuple(Source(message, quote, instant(at)) for message, quote, at in _list(sources))
    return MemoryRecord(
        id, text, version, user, agent, run, kind, _dict(metadata), _list(categories), attributed_to,
        origin, instant(event_from), instant(event_to), precision, instant(valid_from), instant(valid_to), recorded,
        instant(retired_at), instant(expires_at), instant(created_at), recorded, found, _list(entities),
        _list(supersedes), superseded_by, len(found),
    )  # fmt: skip


def _dict(text: str) -> dict[str, Any]:
    return {} if text == "{}" else dict(json.loads(text))


def _list(text: str) -> tuple[Any, ...]:
    return () if text == "[]" else tuple(json.loads(text))  # most are empty, and a search loads many


def message_record(row: Row) -> MessageRecord:
    """Return the record of a row of `messages_by_no`."""
    no, id, external_id, role, name, content, at, origin, user, agent, run, metadata = row
    return MessageRecord(
        id, external_id, role, name, content, instant(at), origin, user, agent, run, _dict(metadata), no & SEQ_MASK
    )


def load_memories(connection: apsw.Connection, refs: Sequence[int], known_at: int | None) -> dict[int, MemoryRecord]:
    """Return versions by reference, as they were known then; those that were erased are absent."""
    bound = {"refs": json.dumps(refs), "known_at": PRESENT if known_at is None else known_at, "open": OPEN_RIGHT}
    return {row[0]: memory_record(row) for row in select(connection, "memories_by_no", bound)}


def load_messages(connection: apsw.Connection, refs: Sequence[int]) -> dict[int, MessageRecord]:
    """Return messages by reference; those that were erased are absent."""
    rows = select(connection, "messages_by_no", {"refs": json.dumps(refs)})
    return {row[0]: message_record(row) for row in rows}


def outdated(connection: apsw.Connection, refs: Sequence[int], at: datetime) -> set[int]:
    """Return the messages from which memories were drawn that hold no longer, none of them."""
    bound = {"refs": json.dumps(refs), "at": microseconds(at)}
    return {no for (no,) in select(connection, "outdated", bound)}


def operation_row(connection: apsw.Connection, tenant: str, id: str) -> OperationRow | None:
    """Return an operation with its log, or None if there is none."""
    row = first(connection, "operation", {"tenant": tenant, "id": id})
    if row is None:
        return None
    (_, _, _, verb, user, agent, run, engine, actor, key, payload_hash, arguments, status, at, finished_at, warnings,
     usage, exchanges, undone_by) = row  # fmt: skip
    log = select(connection, "changes", {"tenant": tenant, "operation": id})
    return OperationRow(
        id, verb, Scope(tenant, user, agent, run), engine, actor, key, payload_hash, json.loads(arguments), status,
        instant(at), instant(finished_at), exchanges, tuple(logged_change(change) for change in log),
        tuple(Warning(*each) for each in json.loads(warnings)), Usage(*json.loads(usage)),
        undone_by,
    )  # fmt: skip


def logged_change(row: Row) -> LoggedChange:
    """Return the logged change of a row of `changes`."""
    event, effect, memory, version, previous, previous_version, reason, candidate, model, prompt_hash = row
    after = None if memory is None else (memory, version)
    before = None if previous is None else (previous, previous_version)
    return LoggedChange(event, effect, after, before, reason, candidate, model, prompt_hash)


def job_row(row: Row) -> JobRow:
    """Return the job of a row of `jobs`."""
    no, tenant, kind, key, payload, status, attempts, due_at, leased_until, error = row
    payload = json.loads(payload)
    return JobRow(no, tenant, kind, key, payload, status, attempts, instant(due_at), instant(leased_until), error)


def ids(scope: Scope) -> dict[str, str | None]:
    """Return a scope's ids as parameters."""
    return {"user": scope.user, "agent": scope.agent, "run": scope.run}


def owner_bound(owner: Owner) -> dict[str, str]:
    """Return what names a partition as parameters."""
    return {"tenant": owner.tenant, "kind": owner.kind, "owner": owner.id}


def home_of(scope: Scope, within: Owner | None = None) -> Owner | None:
    """Return whose partition alone a scope may reach; None if there may be several."""
    return within or (scope.owner if scope.user is not None else None)


def partitions(connection: apsw.Connection, scope: Scope, within: Owner | None = None) -> list[int]:
    """Return the numbers of the partitions that a scope may reach, rising."""
    home = home_of(scope, within)
    if home is not None:
        rows = select(connection, "partition", owner_bound(home))
    elif scope.is_named:
        rows = select(connection, "partitions_of_presence", {"tenant": scope.tenant, **ids(scope)})
    else:
        rows = select(connection, "partitions_of_tenant", {"tenant": scope.tenant})
    return [row[0] for row in rows]


def filtered(name: str, where: Where | None, columns: Mapping[str, Column]) -> tuple[str, dict[str, object]]:
    """Return a named query with a filter compiled into it, and the filter's parameters."""
    fragment, bound = ("1", {}) if where is None else compile_sql(where, columns, metadata="m.metadata")
    return QUERIES[name].replace("{where}", fragment), bound


_LINKS = (
    "(select json_group_array(l.predecessor) from link l where l.partition = m.partition and l.successor = m.id "
    "and l.recorded_at <= :known_at and coalesce(l.retired_at, :open) > :known_at)"
)
_SUCCESSOR = (
    "(select l.successor from link l where l.partition = m.partition and l.predecessor = m.id "
    "and l.recorded_at <= :known_at and coalesce(l.retired_at, :open) > :known_at order by l.no desc limit 1)"
)
_EVIDENCE = (
    "(select count(*) from source s where s.partition = m.partition and s.memory = m.id "
    "and s.recorded_at <= :known_at and coalesce(s.retired_at, :open) > :known_at)"
)

_SHARED: Final = {
    **{name: Column(f"m.{name}", "text") for name in ("id", "origin")},
    **{name: Column(f"m.{name}_id", "text") for name in ("user", "agent", "run")},
}
MEMORY_COLUMNS: Final[Mapping[str, Column]] = {
    **_SHARED,
    **{name: Column(f"m.{name}", "text") for name in ("text", "kind", "attributed_to", "time_precision")},
    **{name: Column(f"m.{name}", "list") for name in ("categories", "entities")},
    **{
        name: Column(f"m.{name}", "time")
        for name in ("event_from", "event_to", "valid_from", "valid_to", "recorded_at", "expires_at", "created_at")
    },
    "version": Column("m.version", "number"),
    "updated_at": Column("m.recorded_at", "time"),
    "retired_at": Column("iif(m.retired_at <= :known_at, m.retired_at, null)", "time"),
    "supersedes": Column(_LINKS, "list"),
    "superseded_by": Column(_SUCCESSOR, "text"),
    "evidence_count": Column(_EVIDENCE, "number"),
}
MESSAGE_COLUMNS: Final[Mapping[str, Column]] = {
    **_SHARED,
    **{name: Column(f"m.{name}", "text") for name in ("external_id", "role", "name", "content")},
    "at": Column("m.at", "time"),
}
