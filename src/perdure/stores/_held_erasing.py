"""What erase does to the in-memory store's rows; see _erasure.py for what goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from perdure.models import Erasure, JobRow, Owner, Scope, Summary, Warning
from perdure.stores import _erasure, _held_graph
from perdure.stores._erasure import COUNTED, MessageRow, Plan, SourceRow, VersionRow
from perdure.stores._held import HeldMessage, HeldOperation, HeldVersion, Partition
from perdure.stores._times import microseconds


@dataclass(frozen=True, slots=True)
class Held:
    """What the store holds beside its partitions' rows."""

    partitions: Mapping[Owner, Partition]
    operations: MutableMapping[tuple[str, str], HeldOperation]
    summaries: MutableMapping[Scope, Summary]
    jobs: Sequence[JobRow]


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure did: counts, what is to be made anew, and the jobs that stay."""

    counts: Mapping[str, int]
    again: list[str]
    summaries: list[dict[str, str | None]]
    jobs: list[JobRow]

    def tombstone(self, target: Erasure, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the erasure's operation keeps."""
        return _erasure.tombstone(target, self.counts, arguments, again=self.again, summaries=self.summaries)


def erase(held: Held, partitions: Sequence[Partition], target: Erasure, now: datetime) -> Erased:
    """Remove what `target` names from the partitions and from what the store holds beside them."""
    counts: Counter[str] = Counter()
    plans = [_erase_from(partition, target, now, counts) for partition in partitions]
    memories = {id for plan in plans for id in plan.memories}
    is_whole = target.memories is None and target.before is None
    touched = _touched(held, target, plans, memories, is_whole=is_whole)
    kept = {id for plan in plans for id in plan.kept_operations}
    seen = {partition.owner for partition in partitions}
    if target.memories is None and target.scope.is_named:
        seen.add(target.scope.owner)
    gone = {
        id
        for id in touched - kept
        if (operation := held.operations[target.scope.tenant, id]).new.verb != "erase"
        and operation.new.scope.owner in seen
        and not _has_messages(held, operation)
    }
    for id in gone:
        operation = held.operations.pop((target.scope.tenant, id))
        counts["operations"] += 1
        counts["decisions"] += len(operation.log)
    again = sorted({place for plan in plans for place in plan.again})
    for id in sorted(touched - gone):
        _redact(held.operations[target.scope.tenant, id], plans, memories, {number for op, number in again if op == id})
    summaries = _erase_summaries(held, target, plans, counts, is_whole=is_whole)
    jobs = [
        replace(job, error="erased") if job.error is not None and job.payload.get("operation_id") in touched else job
        for job in held.jobs
        if not (job.tenant == target.scope.tenant and _goes(job, gone, target.scope, is_whole=is_whole))
    ]
    counts["jobs"] = len(held.jobs) - len(jobs)
    return Erased({name: counts[name] for name in COUNTED}, sorted({op for op, _ in again}), summaries, jobs)


def _erase_from(partition: Partition, target: Erasure, now: datetime, counts: Counter[str]) -> Plan:
    scope = target.scope
    versions = [
        VersionRow(
            row.ref, row.record.id, microseconds(row.record.recorded_at), row.operation, row.record.retired_at is None,
            scope.admits(user=row.record.user, agent=row.record.agent, run=row.record.run),
        )
        for row in partition.versions
    ]  # fmt: skip
    messages = [
        MessageRow(
            row.ref, row.record.id, microseconds(row.record.at), row.operation_id, row.exchange,
            Scope(scope.tenant, row.record.user, row.record.agent, row.record.run),
            scope.admits(user=row.record.user, agent=row.record.agent, run=row.record.run),
        )
        for row in partition.messages
    ]  # fmt: skip
    sources = [
        SourceRow(
            place, one.item.memory_id, one.item.message_id, microseconds(one.item.at), microseconds(one.recorded_at)
        )
        for place, one in enumerate(partition.sources)
    ]
    plan = _erasure.plan(target, versions, messages, sources)
    if not plan.is_empty:
        _erase_rows(partition, plan, counts)
        partition.erasures += 1
        partition.touch(now)
    return plan


def _erase_rows(partition: Partition, plan: Plan, counts: Counter[str]) -> None:
    refs = {*plan.versions, *(message.ref for message in plan.messages)}
    rows: list[HeldVersion | HeldMessage] = [*partition.versions, *partition.messages]
    counts["vectors"] += sum(row.vector is not None for row in rows if row.ref in refs)
    counts["memories"] += len(plan.memories)
    counts["versions"] += len(plan.versions)
    counts["messages"] += len(plan.messages)
    partition.versions = [row for row in partition.versions if row.ref not in refs]
    for row in partition.versions:
        if row.ref in plan.reopened:
            row.record = replace(row.record, retired_at=None)
    partition.messages = [row for row in partition.messages if row.ref not in refs]
    sources, links = len(partition.sources), len(partition.links)
    partition.sources = [
        one
        for place, one in enumerate(partition.sources)
        if place not in plan.sources and one.item.memory_id not in plan.memories
    ]
    partition.links = [one for one in partition.links if not {one.item.successor, one.item.predecessor} & plan.memories]
    counts["sources"] += sources - len(partition.sources)
    counts["links"] += links - len(partition.links)
    counts.update(_held_graph.erase(partition, plan))
    left = [row.record for row in rows if row.ref not in refs]
    partition.present &= {("agent", record.agent) for record in left} | {("run", record.run) for record in left}


def _touched(held: Held, target: Erasure, plans: Sequence[Plan], memories: set[str], *, is_whole: bool) -> set[str]:
    scope = target.scope
    touched = {id for plan in plans for id in plan.operations}
    for (tenant, id), operation in held.operations.items():
        new = operation.new
        if tenant != scope.tenant or new.verb == "erase":
            continue
        is_within = is_whole and scope.admits(user=new.scope.user, agent=new.scope.agent, run=new.scope.run)
        if is_within or any({_id(entry.memory), _id(entry.previous)} & memories for _, entry in operation.log):
            touched.add(id)
    return touched & {id for tenant, id in held.operations if tenant == scope.tenant}


def _id(place: tuple[str, int] | None) -> str | None:
    return None if place is None else place[0]


def _has_messages(held: Held, operation: HeldOperation) -> bool:
    partition = held.partitions.get(operation.new.scope.owner)
    return partition is not None and any(row.operation_id == operation.new.id for row in partition.messages)


def _redact(operation: HeldOperation, plans: Sequence[Plan], memories: set[str], again: set[int]) -> None:
    """Remove what an operation that stays says about what is gone, and mark what is to be extracted again."""
    lost = {m.exchange for plan in plans for m in plan.messages if m.operation == operation.new.id}
    operation.log = [
        (at, replace(entry, reason="", candidate=""))
        if lost or {_id(entry.memory), _id(entry.previous)} & memories
        else (at, entry)
        for at, entry in operation.log
    ]
    whole = operation.new.id
    left = {place for plan in plans for place in plan.kept_exchanges if place[0] == whole}
    operation.exchanges = {
        number: is_done and number not in again
        for number, is_done in operation.exchanges.items()
        if number not in lost or (is_done and (whole, number) in left)
    }
    operation.arguments, warnings = _erasure.redacted(
        operation.arguments, [(each.code, each.detail, each.item) for each in operation.warnings]
    )
    operation.warnings = [Warning(*each) for each in warnings]
    if again:
        operation.status, operation.finished_at = "pending", None


def _erase_summaries(
    held: Held, target: Erasure, plans: Sequence[Plan], counts: Counter[str], *, is_whole: bool
) -> list[dict[str, str | None]]:
    """Remove the summaries of the tuples that lost messages; return those tuples that keep some."""
    scope = target.scope
    silent = {place for plan in plans for place in plan.scopes}
    gone = [
        place
        for place in held.summaries
        if place in silent
        or (
            is_whole
            and place.tenant == scope.tenant
            and scope.admits(user=place.user, agent=place.agent, run=place.run)
        )
    ]
    for place in gone:
        del held.summaries[place]
    counts["summaries"] += len(gone)
    talking = {place for plan in plans for place in plan.talking}
    lost = dict.fromkeys(place for plan in plans for place in plan.scopes)
    return [{"user": s.user, "agent": s.agent, "run": s.run} for s in lost if s in talking]


def _goes(job: JobRow, operations: set[str], scope: Scope, *, is_whole: bool) -> bool:
    """True if a job belongs to an operation that is gone, or to a scope that is erased whole."""
    operation = job.payload.get("operation_id")
    if operation is not None:
        return operation in operations
    user, agent, run = (job.payload.get(name) for name in ("user", "agent", "run"))
    named = (user, agent, run) != (None, None, None)
    return is_whole and named and scope.admits(user=user, agent=agent, run=run)
