"""Export from the in-memory store to lines and import from them; see _lines.py for the format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from perdure.models import JobRow, Owner, Scope, Summary
from perdure.stores import _held_graph, _lines, _rules, _spaces
from perdure.stores._held import Attached, HeldMessage, HeldOperation, HeldVersion, Partition
from perdure.stores._lines import Line, Spot
from perdure.stores._rules import SEQ_BITS, SEQ_MASK
from perdure.stores._spaces import NOWHERE, Space

if TYPE_CHECKING:
    from perdure.models import FloatArray

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Held:
    """Everything that the store holds."""

    spaces: Sequence[Space]  # the current one first
    partitions: MutableMapping[Owner, Partition]
    operations: MutableMapping[tuple[str, str], HeldOperation]
    summaries: MutableMapping[Scope, Summary]
    jobs: MutableSequence[JobRow]


def export(held: Held, scope: Scope, reached: Sequence[Partition], *, vectors: bool) -> Iterator[Line]:
    """Yield the lines of a scope, of the whole tenant if it names nobody."""
    current = held.spaces[0] if held.spaces else None
    yield _lines.header((current.model, current.dimensions) if current else None)
    space = current.no if current and vectors else NOWHERE
    for partition in reached:
        yield _lines.partition(partition.owner, next_seq=partition.next_seq, recorded_at=partition.last)
    for (tenant, _), operation in held.operations.items():
        if tenant == scope.tenant and _admits(scope, operation.new.scope):
            yield _lines.operation(operation.as_row(), operation.exchanges, [at for at, _ in operation.log])
    for partition in reached:
        yield from _messages(partition, scope, space)
    for partition in reached:
        yield from _memories(partition, scope, space)
    for partition in reached:
        yield from _attached(partition, scope)
    for partition in reached:
        mine = {row.record.id for row in partition.versions if _admits(scope, row.record)}
        yield from _held_graph.export(partition, mine, space)
    for place in sorted(held.summaries, key=lambda s: (s.user or "", s.agent or "", s.run or "")):
        if place.tenant == scope.tenant and _admits(scope, place):
            yield _lines.summary(place, held.summaries[place])
    for job in held.jobs if not scope.is_named else ():
        if job.tenant == scope.tenant and _lines.is_exported(job):
            yield _lines.job(job)


def _messages(partition: Partition, scope: Scope, space: int) -> Iterator[Line]:
    for row in partition.messages:
        if _admits(scope, row.record):
            spot = Spot(row.ref & SEQ_MASK, row.recorded_at, row.operation_id, row.exchange)
            yield _lines.message(row.as_record(), spot, _blob(row, space))


def _memories(partition: Partition, scope: Scope, space: int) -> Iterator[Line]:
    for row in partition.versions:
        if _admits(scope, row.record):
            record = partition.record(row, None)
            spot = Spot(row.ref & SEQ_MASK, record.recorded_at, row.operation)
            yield _lines.memory(record, spot, _blob(row, space))


def _attached(partition: Partition, scope: Scope) -> Iterator[Line]:
    mine = {row.record.id for row in partition.versions if _admits(scope, row.record)}
    for source in partition.sources:
        if source.item.memory_id in mine:
            place = (source.operation_id, source.recorded_at, source.retired_at)
            yield _lines.source(partition.owner, source.item, *place)
    for link in partition.links:
        if {link.item.successor, link.item.predecessor} <= mine:
            yield _lines.link(partition.owner, link.item, link.operation_id, link.recorded_at, link.retired_at)


def _admits(scope: Scope, other: object) -> bool:
    user, agent, run = (getattr(other, name) for name in ("user", "agent", "run"))
    return scope.admits(user=user, agent=agent, run=run)


def _blob(row: HeldMessage | HeldVersion, space: int) -> bytes | None:
    """Return a row's vector as it is exported; None if it is not of this space."""
    return None if row.vector is None or row.space != space else row.vector.astype(np.dtype("<f2")).tobytes()


# ---------------------------------------------------------------- import


@dataclass(slots=True)
class _Target:
    """A partition that lines go to, and how far their places are moved."""

    partition: Partition
    shift: int
    model: str | None  # of the lines' vectors


def import_(held: Held, tenant: str, lines: Sequence[Line], new: Callable[[Owner], Partition]) -> dict[str, int]:
    """Insert the rows of lines that are not there yet; return how many of each type came.

    `held` is a copy: whoever called takes it over when all lines are in.
    """
    _lines.check_header(lines[0] if lines else {})
    counts: Counter[str] = Counter()
    targets: dict[Owner, _Target] = {}
    for number, line in enumerate(lines[1:], start=2):
        with _lines.reading(number):
            if _lines.type_of(line) == "job":
                counts["job"] += _import_job(held, tenant, line)
                continue
            owner = _lines.owner_of(tenant, line)
            if owner not in targets:
                partition = held.partitions.get(owner) or new(owner)
                held.partitions[owner] = partition
                partition.version += 1
                targets[owner] = _Target(partition, partition.next_seq - 1, lines[0].get("embedder"))
            counts[line["type"]] += _IMPORTS[line["type"]](held, tenant, line, targets[owner])
    return {name: counts[name] for name in _lines.COUNTED}


def _import_partition(held: Held, tenant: str, line: Line, target: _Target) -> bool:
    """Let a partition that is empty go on as the exported one would."""
    partition, last = target.partition, _lines.time_or_none(line, "recorded_at")
    if target.shift == 0:
        partition.next_seq = max(partition.next_seq, line["next_seq"])
    if last is not None:
        partition.last = last if partition.last is None else max(last, partition.last)
    return True


def _place(target: _Target, line: Line) -> int:
    seq = _lines.seq_of(line, shift=target.shift)
    target.partition.next_seq = max(target.partition.next_seq, seq + 1)
    target.partition.note(line["agent"], line["run"])
    return target.partition.number << SEQ_BITS | seq


def _placed(held: Held, line: Line, target: _Target) -> tuple[int, FloatArray | None]:
    """Return a line's vector and its space."""
    vector = _lines.array_of(line)
    return (NOWHERE, None) if vector is None else (_spaces.place(held.spaces, vector, target.model).no, vector)


def _import_operation(held: Held, tenant: str, line: Line, target: _Target) -> bool:
    row, exchanges, times = _lines.to_operation(tenant, line)
    if (tenant, row.id) in held.operations:
        return False
    new = _lines.as_new(row)
    others = (o.new for o in held.operations.values() if o.new.key is not None and o.new.scope.owner == new.scope.owner)
    if any(other.key == new.key for other in others):
        raise _rules.known_key(new)
    log = [(at or row.at, change) for at, change in zip(times, row.log, strict=True)]
    held.operations[tenant, row.id] = HeldOperation(
        new, _rules.json_text(row.arguments), row.at, row.status, row.finished_at, exchanges, log,
        [*row.warnings], row.usage, row.undone_by,
    )  # fmt: skip
    return True


def _import_message(held: Held, tenant: str, line: Line, target: _Target) -> bool:
    of_tenant = [p for p in held.partitions.values() if p.owner.tenant == tenant]
    if any(row.record.id == line["id"] for p in of_tenant for row in p.messages):
        return False
    if target.partition.external(line["external_id"]) is not None:
        raise _rules.known_external(line["external_id"])
    ref = _place(target, line)
    record = replace(_lines.to_message(line, seq=ref & SEQ_MASK), metadata={})
    space, vector = _placed(held, line, target)
    target.partition.messages.append(
        HeldMessage(
            ref, _lines.time(line, "recorded_at"), record, _rules.json_text(line["metadata"]), vector,
            _lines.terms_of(line), line["operation"], line["exchange"], space,
        )
    )  # fmt: skip
    return True


def _import_memory(held: Held, tenant: str, line: Line, target: _Target) -> bool:
    record, retired_at = _lines.to_memory(line), _lines.time_or_none(line, "retired_at")
    for partition in held.partitions.values():
        for row in partition.of(record.id) if partition.owner.tenant == tenant else ():
            if partition.owner != target.partition.owner:
                raise _rules.known_elsewhere(record.id)
            if row.record.version == record.version:
                return _close(row, retired_at)
    ref = _place(target, line)
    space, vector = _placed(held, line, target)
    target.partition.versions.append(
        HeldVersion(
            ref, target.partition.version, record, _rules.json_text(record.metadata), vector,
            _lines.terms_of(line), line["operation"], space,
        )
    )  # fmt: skip
    return True


def _close(row: HeldVersion, retired_at: datetime | None) -> bool:
    is_closed = retired_at is not None and row.record.retired_at is None
    if is_closed:
        row.record = replace(row.record, retired_at=retired_at)
    return is_closed


def _import_source(held: Held, tenant: str, line: Line, target: _Target) -> bool:
    return _attach(target.partition.sources, _lines.to_source(line), line)


def _import_link(held: Held, tenant: str, line: Line, target: _Target) -> bool:
    return _attach(target.partition.links, _lines.to_link(line), line)


def _attach(held: MutableSequence[Attached[T]], item: T, line: Line) -> bool:
    recorded_at = _lines.time(line, "recorded_at")
    is_new = all((one.item, one.recorded_at) != (item, recorded_at) for one in held)
    if is_new:
        held.append(Attached(item, line["operation"], recorded_at, _lines.time_or_none(line, "retired_at")))
    return is_new


def _import_graph(held: Held, tenant: str, line: Line, target: _Target) -> bool:
    placed = _placed(held, line, target) if line["type"] in ("entity", "claim") else (NOWHERE, None)
    return _held_graph.import_(target.partition, line, placed)


def _import_summary(held: Held, tenant: str, line: Line, target: _Target) -> bool:
    scope, new = _lines.scope_of(tenant, line), _lines.to_summary(line, shift=target.shift)
    is_new = scope not in held.summaries
    if is_new:
        held.summaries[scope] = new
    return is_new


def _import_job(held: Held, tenant: str, line: Line) -> bool:
    row = _lines.to_job(tenant, line, id=max((job.id for job in held.jobs), default=0) + 1)
    place = (tenant, row.kind, row.key, row.status)
    is_new = all((job.tenant, job.kind, job.key, job.status) != place for job in held.jobs)
    held.jobs.extend([row] * is_new)
    return is_new


_IMPORTS: Mapping[str, Callable[[Held, str, Line, _Target], bool]] = {
    "partition": _import_partition,
    "operation": _import_operation,
    "message": _import_message,
    "memory": _import_memory,
    "source": _import_source,
    "link": _import_link,
    **dict.fromkeys(("entity", "mention", "claim", "move"), _import_graph),
    "summary": _import_summary,
}
