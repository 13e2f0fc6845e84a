"""Export to lines and import from them, each inside one transaction; see stores/_lines.py for the format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import apsw

from perdure.models import Link, NewSource, NewVersion, Owner, Scope, Summary
from perdure.stores import _lines, _rules
from perdure.stores._lines import Line, Spot
from perdure.stores._rules import SEQ_BITS, SEQ_MASK
from perdure.stores._spaces import NOWHERE
from perdure.stores._times import instant, microseconds
from perdure.stores.sqlite import erasing, graph_exporting, jobs, reading, writing
from perdure.stores.sqlite.rows import QUERIES, first, ids, load_memories, load_messages, partitions, select
from perdure.stores.sqlite.writing import Partition

_BATCH = 500  # rows that are read at once (chosen)


def export(connection: apsw.Connection, scope: Scope, *, vectors: bool) -> Iterator[Line]:
    """Yield the lines of a scope, of the whole tenant if it names nobody."""
    current = next(iter(writing.spaces_of(connection)), None)
    yield _lines.header((current.model, current.dimensions) if current else None)
    space = current.no if current and vectors else NOWHERE
    reached = partitions(connection, scope)
    owners = {}
    for number in reached:
        kind, owner = next(select(connection, "owner_of_partition", {"no": number}))
        owners[number] = Owner(scope.tenant, kind, owner)
        held = writing.partition_by_no(connection, number)
        yield _lines.partition(owners[number], next_seq=held.next_seq, recorded_at=instant(held.recorded_at))
    bound = {"tenant": scope.tenant, **ids(scope), "space": space}
    for (id,) in list(select(connection, "exported_operations", bound)):
        exchanges = select(connection, "exchanges", {"tenant": scope.tenant, "operation": id})
        is_done = {number: bool(done) for number, done in exchanges}
        times = select(connection, "times_of_changes", {"tenant": scope.tenant, "operation": id})
        row = reading.operation(connection, scope.tenant, id)
        yield _lines.operation(row, is_done, [instant(at) for (at,) in times])
    for number in reached:
        yield from _messages(connection, number, bound)
    for number in reached:
        yield from _memories(connection, number, bound)
    for number in reached:
        yield from _attached(connection, number, owners[number], bound)
    for number in reached:
        yield from graph_exporting.export(connection, number, owners[number], bound)
    for user, agent, run, text, at, count in select(connection, "exported_summaries", bound):
        tuple_ = Scope(scope.tenant, user or None, agent or None, run or None)
        yield _lines.summary(tuple_, Summary(text, instant(at), count))
    for job in jobs.jobs(connection, scope.tenant, open_only=False) if not scope.is_named else ():
        if _lines.is_exported(job):
            yield _lines.job(job)


def _messages(connection: apsw.Connection, number: int, bound: Line) -> Iterator[Line]:
    rows = list(select(connection, "exported_messages", {**bound, "partition": number}))
    for batch in (rows[start : start + _BATCH] for start in range(0, len(rows), _BATCH)):
        records = load_messages(connection, [row[0] for row in batch])
        for no, recorded_at, operation, exchange, vector in batch:
            spot = Spot(no & SEQ_MASK, instant(recorded_at), operation, exchange)
            yield _lines.message(records[no], spot, vector)


def _memories(connection: apsw.Connection, number: int, bound: Line) -> Iterator[Line]:
    rows = list(select(connection, "exported_memories", {**bound, "partition": number}))
    for batch in (rows[start : start + _BATCH] for start in range(0, len(rows), _BATCH)):
        records = load_memories(connection, [row[0] for row in batch], None)
        for no, operation, vector in batch:
            spot = Spot(no & SEQ_MASK, records[no].recorded_at, operation)
            yield _lines.memory(records[no], spot, vector)


def _attached(connection: apsw.Connection, number: int, owner: Owner, bound: Line) -> Iterator[Line]:
    here = {**bound, "partition": number}
    for memory, message, quote, at, operation, recorded_at, retired_at in select(connection, "exported_sources", here):
        new = NewSource(memory, message, quote, instant(at))
        yield _lines.source(owner, new, operation, instant(recorded_at), instant(retired_at))
    for successor, predecessor, operation, recorded_at, retired_at in select(connection, "exported_links", here):
        yield _lines.link(owner, Link(successor, predecessor), operation, instant(recorded_at), instant(retired_at))


# ---------------------------------------------------------------- import


@dataclass(slots=True)
class _Target:
    """A partition that lines go to: how far their places are moved, and whether any row came."""

    partition: Partition
    shift: int
    model: str | None  # of the lines' vectors
    is_changed: bool = False


def import_(connection: apsw.Connection, tenant: str, lines: Sequence[Line]) -> dict[str, int]:
    """Insert the rows of lines that are not there yet; return how many of each type came."""
    _lines.check_header(lines[0] if lines else {})
    counts: Counter[str] = Counter()
    targets: dict[Owner, _Target] = {}
    for number, line in enumerate(lines[1:], start=2):
        with _lines.reading(number):
            if _lines.type_of(line) == "job":
                counts["job"] += _import_job(connection, tenant, line)
                continue
            owner = _lines.owner_of(tenant, line)
            if owner not in targets:
                targets[owner] = _target(connection, owner, lines[0].get("embedder"))
            if _IMPORTS[line["type"]](connection, tenant, line, targets[owner]):
                counts[line["type"]] += 1
                targets[owner].is_changed = True
    for target in targets.values():
        if target.is_changed:
            erasing.recount(connection, target.partition)
        writing.update_partition(connection, target.partition)
    return {name: counts[name] for name in _lines.COUNTED}


def _target(connection: apsw.Connection, owner: Owner, model: str | None) -> _Target:
    held = writing.partition_of(connection, owner) or writing.new_partition(connection, owner)
    held.version += 1
    return _Target(held, held.next_seq - 1, model)


def _import_partition(connection: apsw.Connection, tenant: str, line: Line, target: _Target) -> bool:
    """Let a partition that is empty go on as the exported one would."""
    partition = target.partition
    if target.shift == 0:
        partition.next_seq = max(partition.next_seq, int(line["next_seq"]))
    recorded_at = microseconds(_lines.time_or_none(line, "recorded_at"))
    if recorded_at is not None:
        partition.recorded_at = max(recorded_at, partition.recorded_at or recorded_at)
    return False


def _place(target: _Target, line: Line) -> int:
    """Return the reference of a row that comes."""
    seq = _lines.seq_of(line, shift=target.shift)
    target.partition.next_seq = max(target.partition.next_seq, seq + 1)
    return target.partition.no << SEQ_BITS | seq


def _import_operation(connection: apsw.Connection, tenant: str, line: Line, target: _Target) -> bool:
    row, exchanges, times = _lines.to_operation(tenant, line)
    if first(connection, "operation_state", {"tenant": tenant, "id": row.id}) is not None:
        return False
    new = _lines.as_new(row)
    if writing.id_of_key(connection, new, target.partition) is not None:
        raise _rules.known_key(new)
    writing.insert_operation(
        connection, new, target.partition, microseconds(row.at), row.status,
        finished_at=microseconds(row.finished_at), warnings=row.warnings, usage=row.usage,
    )  # fmt: skip
    scope = {"tenant": tenant, "operation": row.id, "partition": target.partition.no, **ids(row.scope)}
    for number, is_done in exchanges.items():
        connection.execute(QUERIES["insert_exchange"], {**scope, "number": number, "is_done": is_done})
    for change, at in zip(row.log, times, strict=True):
        writing.insert_log(connection, tenant, row.id, [change], at=microseconds(at))
    if row.undone_by is not None:
        connection.execute(QUERIES["mark_undone"], {"tenant": tenant, "id": row.id, "by": row.undone_by})
    return True


def _import_message(connection: apsw.Connection, tenant: str, line: Line, target: _Target) -> bool:
    anyone = {"user": None, "agent": None, "run": None}
    if first(connection, "message_by_id", {"tenant": tenant, "id": line["id"], **anyone}) is not None:
        return False
    bound = {"partition": target.partition.no, "external_id": line["external_id"]}
    if line["external_id"] is not None and first(connection, "message_of_external", bound) is not None:
        raise _rules.known_external(line["external_id"])
    ref = _place(target, line)
    record = _lines.to_message(line, seq=ref & SEQ_MASK)
    terms = _lines.terms_of(line)
    names = ("id", "external_id", "role", "name", "content", "origin", "user", "agent", "run")
    row = {name: getattr(record, name) for name in names}
    row.update(no=ref, tenant=tenant, partition=target.partition.no, at=microseconds(record.at))
    row.update(metadata=_rules.json_text(record.metadata), recorded_at=microseconds(_lines.time(line, "recorded_at")))
    row.update(operation=line["operation"], exchange=line["exchange"], length=sum(terms.values()))
    connection.execute(QUERIES["insert_message"], row)
    writing.index_row(connection, "message", ref, _lines.array_of(line), terms, target.model)
    writing.note_presence(connection, target.partition.no, [_lines.scope_of(tenant, line)])
    return True


def _import_memory(connection: apsw.Connection, tenant: str, line: Line, target: _Target) -> bool:
    retired_at = microseconds(_lines.time_or_none(line, "retired_at"))
    held = first(connection, "version", {"tenant": tenant, "id": line["id"], "version": line["version"]})
    if held is not None:
        no, partition, held_retired_at = held
        if partition != target.partition.no:
            raise _rules.known_elsewhere(line["id"])
        is_closed = retired_at is not None and held_retired_at is None
        if is_closed:
            connection.execute(QUERIES["close_memory"], {"no": no, "retired_at": retired_at})
            target.partition.erasures += 1  # caches start anew: they look for rows closed lately only
        return is_closed
    ref, terms, record = _place(target, line), _lines.terms_of(line), _lines.to_memory(line)
    row = writing.version_bound(
        NewVersion(record, None, terms),
        at=microseconds(record.recorded_at), created_at=microseconds(record.created_at),
    )  # fmt: skip
    row.update(no=ref, tenant=tenant, partition=target.partition.no, operation=line["operation"])
    row.update(partition_version=target.partition.version)
    connection.execute(QUERIES["insert_memory"], row)
    if retired_at is not None:
        connection.execute(QUERIES["close_memory"], {"no": ref, "retired_at": retired_at})
    writing.index_row(connection, "memory", ref, _lines.array_of(line), terms, target.model)
    writing.note_presence(connection, target.partition.no, [_lines.scope_of(tenant, line)])
    return True


def _import_source(connection: apsw.Connection, tenant: str, line: Line, target: _Target) -> bool:
    new = _lines.to_source(line)
    row = {"memory": new.memory_id, "message": new.message_id, "quote": new.quote, "at": microseconds(new.at)}
    return _import_attached(connection, "source", row, line, target)


def _import_link(connection: apsw.Connection, tenant: str, line: Line, target: _Target) -> bool:
    new = _lines.to_link(line)
    row = {"successor": new.successor, "predecessor": new.predecessor}
    return _import_attached(connection, "link", row, line, target)


def _import_attached(
    connection: apsw.Connection, name: str, row: Mapping[str, object], line: Line, target: _Target
) -> bool:
    times = {key: microseconds(_lines.time_or_none(line, key)) for key in ("recorded_at", "retired_at")}
    bound = {"partition": target.partition.no, "operation": line["operation"], **row, **times}
    connection.execute(QUERIES[f"import_{name}"], bound)
    return bool(connection.changes())


def _import_graph(connection: apsw.Connection, tenant: str, line: Line, target: _Target) -> bool:
    space = next((s.no for s in writing.spaces_of(connection) if s.model == target.model), None)
    return graph_exporting.import_(connection, line, target.partition.no, space)


def _import_summary(connection: apsw.Connection, tenant: str, line: Line, target: _Target) -> bool:
    new, scope = _lines.to_summary(line, shift=target.shift), _lines.scope_of(tenant, line)
    if jobs.summary(connection, scope).text:
        return False
    row = {**jobs.full(scope), "text": new.text, "at": microseconds(new.at), "messages": new.messages}
    connection.execute(QUERIES["set_summary"], row)
    return True


def _import_job(connection: apsw.Connection, tenant: str, line: Line) -> bool:
    new = _lines.to_job(tenant, line, id=0)
    row = {name: getattr(new, name) for name in ("tenant", "kind", "key", "status", "attempts", "error")}
    row.update(payload=_rules.json_text(new.payload), due_at=microseconds(new.due_at))
    connection.execute(QUERIES["import_job"], row)
    return bool(connection.changes())


_IMPORTS: Mapping[str, Callable[[apsw.Connection, str, Line, _Target], bool]] = {
    "partition": _import_partition,
    "operation": _import_operation,
    "message": _import_message,
    "memory": _import_memory,
    "source": _import_source,
    "link": _import_link,
    **dict.fromkeys(("entity", "mention", "claim", "move"), _import_graph),
    "summary": _import_summary,
}
