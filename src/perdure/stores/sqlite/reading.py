"""Reads by id, listings and counts, inside a caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

import apsw

from perdure.errors import NotFound
from perdure.models import (
    Exchange,
    MemoryRecord,
    MessageRecord,
    OperationRow,
    Page,
    Scope,
    Selection,
    Stats,
    Touch,
)
from perdure.ports import ListOrder
from perdure.stores import _cursor, _rules
from perdure.stores._rules import SEQ_BITS
from perdure.stores._times import instant, microseconds
from perdure.stores._visible import OPEN_RIGHT, PRESENT, view
from perdure.stores.sqlite.rows import (
    MEMORY_COLUMNS,
    filtered,
    first,
    ids,
    load_memories,
    load_messages,
    logged_change,
    operation_row,
    partitions,
    run,
    select,
)
from perdure.stores.sqlite.writing import partition_of, spaces_of


def memory(
    connection: apsw.Connection, tenant: str, id: str, *, as_of: datetime | None, known_at: datetime | None
) -> MemoryRecord:
    """See Store.memory."""
    rows = list(select(connection, "versions_of", {"tenant": tenant, "id": id}))
    if not rows:
        raise _rules.missing("memory", id)
    known, at = microseconds(known_at), microseconds(as_of)
    if known is not None:
        rows = [row for row in rows if row[1] <= known and (row[2] is None or row[2] > known)]
    if rows:
        no, _, _, valid_from, valid_to = rows[-1]
        if at is None or ((valid_from is None or valid_from <= at) and (valid_to is None or valid_to > at)):
            return load_memories(connection, [no], known)[no]
    raise NotFound(f"memory {id!r} had no version at that time; see its history for the times that it had")


def versions(connection: apsw.Connection, tenant: str, id: str) -> list[MemoryRecord]:
    """See Store.versions."""
    rows = list(select(connection, "versions_of", {"tenant": tenant, "id": id}))
    if not rows:
        raise _rules.missing("memory", id)
    return list(load_memories(connection, [row[0] for row in rows], None).values())


def touches(connection: apsw.Connection, tenant: str, asked: Sequence[str]) -> list[Touch]:
    """See Store.touches."""
    rows = select(connection, "touches", {"tenant": tenant, "ids": json.dumps(sorted(set(asked)))})
    return [
        Touch(id, operation, instant(at), None if change[0] is None else logged_change(tuple(change)))
        for id, operation, at, _, _, _, *change in rows
    ]


def expired(connection: apsw.Connection, tenant: str, before: datetime) -> list[MemoryRecord]:
    """See Store.expired."""
    rows = select(connection, "expired", {"tenant": tenant, "before": microseconds(before)})
    return list(load_memories(connection, [no for (no,) in rows], None).values())


def memories(
    connection: apsw.Connection, selection: Selection, *, order: ListOrder, cursor: str | None, limit: int
) -> Page[MemoryRecord]:
    """See Store.memories."""
    _rules.check_selection(selection)
    _rules.check_limit(limit)
    listing = _cursor.of_memories(selection, order)
    after, after_id = (None, None) if cursor is None else _cursor.decode(listing, cursor, (int, str))
    seen = view(selection)
    query, bound = filtered("memories", selection.where, MEMORY_COLUMNS)
    bound |= {
        **ids(selection.scope),
        "partitions": json.dumps(partitions(connection, selection.scope, selection.within)),
        "sign": -1 if order.startswith("-") else 1,
        "by_validity": order.endswith("valid"),
        "known_at": PRESENT if seen.known_at is None else seen.known_at,
        "open": OPEN_RIGHT,
        "at": seen.at,
        "is_dated": seen.is_dated,
        "validity": seen.validity,
        "after": after,
        "after_id": after_id,
        "limit": limit + 1,
    }
    rows = list(run(connection, query, bound))
    found = [row for row in rows if row[1] is not None]
    records = load_memories(connection, [row[1] for row in found[:limit]], seen.known_at)
    following = _cursor.encode(listing, *found[limit - 1][2:]) if len(found) > limit else None
    return Page(tuple(records.values()), following, rows[0][0])


def message(connection: apsw.Connection, tenant: str, id: str, scope: Scope | None) -> MessageRecord:
    """See Store.message."""
    admitted = ids(scope) if scope is not None else {"user": None, "agent": None, "run": None}
    row = first(connection, "message_by_id", {"tenant": tenant, "id": id, **admitted})
    if row is None and scope is not None:
        bound = {"partitions": json.dumps(partitions(connection, scope)), "id": id, **admitted}
        named = list(select(connection, "messages_by_external", bound))
        if len(named) > 1:
            raise _rules.ambiguous(id)
        row = named[0] if named else None
    if row is None:
        raise _rules.missing("message", id)
    return load_messages(connection, [row[0]])[row[0]]


def messages(
    connection: apsw.Connection, scope: Scope, *, last: int | None, cursor: str | None, limit: int
) -> Page[MessageRecord]:
    """See Store.messages."""
    _rules.check_limit(limit)
    listing = _cursor.listing("messages", scope, last)
    after = 0 if cursor is None else _cursor.decode(listing, cursor, (int,))[0]
    bound: dict[str, object] = {**ids(scope), "partitions": json.dumps(partitions(connection, scope)), "after": after}
    bound |= {"last": -1 if last is None else last, "limit": limit + 1}
    rows = list(select(connection, "messages", bound))
    found = [no for _, no in rows if no is not None]
    records = load_messages(connection, found[:limit])
    following = _cursor.encode(listing, found[limit - 1]) if len(found) > limit else None
    return Page(tuple(records.values()), following, rows[0][0])


def window(connection: apsw.Connection, scope: Scope, *, before: int, size: int) -> list[MessageRecord]:
    """See Store.window."""
    partition = partition_of(connection, _rules.owner(scope))
    if partition is None:
        return []
    bound = {**ids(scope), "partition": partition.no, "before": partition.no << SEQ_BITS | before, "size": max(0, size)}
    refs = [no for (no,) in select(connection, "window", bound)]
    return list(load_messages(connection, sorted(refs)).values())


def operation(connection: apsw.Connection, tenant: str, id: str) -> OperationRow:
    """See Store.operation."""
    row = operation_row(connection, tenant, id)
    if row is None:
        raise _rules.missing("operation", id)
    return row


def operations(connection: apsw.Connection, scope: Scope, *, cursor: str | None, limit: int) -> Page[OperationRow]:
    """See Store.operations."""
    _rules.check_limit(limit)
    listing = _cursor.listing("operations", scope)
    after = None if cursor is None else -_cursor.decode(listing, cursor, (int,))[0]
    bound = {"tenant": scope.tenant, **ids(scope), "after": after, "limit": limit + 1}
    rows = list(select(connection, "operations", bound))
    found = [(no, id) for _, no, id in rows if no is not None]
    items = tuple(operation(connection, scope.tenant, id) for _, id in found[:limit])
    following = _cursor.encode(listing, -found[limit - 1][0]) if len(found) > limit else None
    return Page(items, following, rows[0][0])


def exchanges(connection: apsw.Connection, tenant: str, operation_id: str) -> list[Exchange]:
    """See Store.exchanges."""
    scope = operation(connection, tenant, operation_id).scope
    bound = {"tenant": tenant, "operation": operation_id}
    rows = list(select(connection, "exchanges", bound))
    found = []
    for number, is_done in rows:
        refs = [no for (no,) in select(connection, "messages_of_exchange", {**bound, "exchange": number})]
        records = tuple(load_messages(connection, refs).values())
        found.append(Exchange(number, operation_id, scope, records, bool(is_done)))
    return found


def count_exchanges(connection: apsw.Connection, scope: Scope) -> int:
    """See Store.count_exchanges."""
    partition = partition_of(connection, _rules.owner(scope))
    if partition is None:
        return 0
    return _number(connection, "count_exchanges", {**ids(scope), "partition": partition.no})


def stats(connection: apsw.Connection, scope: Scope, *, now: datetime, schema_version: int) -> Stats:
    """See Store.stats."""
    reached = partitions(connection, scope)
    bound: dict[str, object] = {**ids(scope), "tenant": scope.tenant, "partitions": json.dumps(reached)}
    bound |= {"open": OPEN_RIGHT, "now": microseconds(now)}
    current, ended, retracted = next(select(connection, "stats_memories", bound))
    waiting, dead = next(select(connection, "stats_jobs", bound))
    space = next(iter(spaces_of(connection)), None)
    return Stats(
        memories=current,
        ended=ended,
        retracted=retracted,
        messages=_number(connection, "stats_messages", bound),
        partitions=len(reached),
        operations=_number(connection, "stats_operations", bound),
        jobs_waiting=waiting,
        jobs_dead=dead,
        store_bytes=_number(connection, "stats_size", {}),
        schema_version=schema_version,
        embedder=space.model if space else None,
        dimensions=space.dimensions if space else None,
    )


def _number(connection: apsw.Connection, name: str, bound: Mapping[str, object]) -> int:
    return int(next(select(connection, name, bound))[0])
