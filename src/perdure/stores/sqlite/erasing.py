"""What erase does inside its one transaction; see stores/_erasure.py for what goes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import apsw

from perdure.models import Erasure, ErasureReceipt, NewJob, NewOperation, Scope, Usage
from perdure.stores import _erasure, _rules
from perdure.stores._erasure import COUNTED, MessageRow, Plan, SourceRow, VersionRow
from perdure.stores._times import instant
from perdure.stores.sqlite import graph_erasing, jobs, writing
from perdure.stores.sqlite.rows import QUERIES, first, ids, partitions, select
from perdure.stores.sqlite.writing import Partition


@dataclass(slots=True)
class _Tally:
    """What an erasure has done so far, over all its partitions."""

    counts: Counter[str] = field(default_factory=Counter)
    plans: list[Plan] = field(default_factory=list)
    partitions: list[int] = field(default_factory=list)


def erase(
    connection: apsw.Connection, operation: NewOperation, target: Erasure, *, now: datetime, new_jobs: Sequence[NewJob]
) -> ErasureReceipt:
    """Remove what `target` names and return the receipt, pending; see Store.erase."""
    tenant = target.scope.tenant
    tally = _Tally()
    for number in _reached(connection, target):
        _erase_from(connection, number, target, now, tally)
    again, summaries = _erase_around(connection, target, tally)
    counts = {name: tally.counts[name] for name in COUNTED}
    arguments = _erasure.tombstone(target, counts, operation.arguments, again=again, summaries=summaries)
    id = writing.begin(
        connection, replace(operation, arguments=arguments), [],
        now=now, status="pending", warnings=(), usage=Usage(), new_jobs=new_jobs,
    )  # fmt: skip
    row = first(connection, "operation", {"tenant": tenant, "id": id})
    return ErasureReceipt(counts, now if row is None else instant(row[13]), pending=True, operation_id=id)


def finish_pending(connection: apsw.Connection, pending: Iterable[tuple[str, str]], *, at: datetime) -> None:
    """Set erasures done."""
    for tenant, id in pending:
        writing.finish(connection, tenant, id, "done", at=at, warnings=(), usage=None)


def pending(connection: apsw.Connection) -> list[tuple[str, str]]:
    """Return the erasures that are not done, oldest first: tenant and id."""
    return [(tenant, id) for tenant, id in select(connection, "pending_erasures")]


def _reached(connection: apsw.Connection, target: Erasure) -> list[int]:
    if target.memories is None:
        return partitions(connection, target.scope)
    found: set[int] = set()
    for id in target.memories:
        row = first(connection, "partition_of_memory", {"tenant": target.scope.tenant, "id": id})
        if row is None:
            raise _rules.missing("memory", id)
        found.add(row[0])
    return sorted(found)


# ---------------------------------------------------------------- one partition


def _erase_from(connection: apsw.Connection, number: int, target: Erasure, now: datetime, tally: _Tally) -> None:
    plan = _plan(connection, number, target)
    tally.plans.append(plan)
    tally.partitions.append(number)
    if plan.is_empty:
        return
    partition = writing.partition_by_no(connection, number)
    erase_rows(connection, partition, plan, tally.counts)
    connection.execute(QUERIES["erase_presence"], {"tenant": target.scope.tenant, "partition": number})
    recount(connection, partition)
    writing.touch(partition, now)
    partition.erasures += 1
    writing.update_partition(connection, partition)


def _plan(connection: apsw.Connection, number: int, target: Erasure) -> Plan:
    scope, bound = target.scope, {"partition": number}
    versions = [
        VersionRow(ref, id, recorded_at, operation, bool(is_current), scope.admits(user=user, agent=agent, run=run))
        for ref, id, recorded_at, operation, is_current, user, agent, run in select(
            connection, "erasable_versions", bound
        )
    ]
    messages = [
        MessageRow(
            ref, id, at, operation, exchange, Scope(scope.tenant, user, agent, run),
            scope.admits(user=user, agent=agent, run=run),
        )
        for ref, id, at, operation, exchange, user, agent, run in select(connection, "erasable_messages", bound)
    ]  # fmt: skip
    sources = [SourceRow(*row) for row in select(connection, "erasable_sources", bound)]
    return _erasure.plan(target, versions, messages, sources)


def erase_rows(connection: apsw.Connection, partition: Partition, plan: Plan, counts: Counter[str]) -> None:
    """Remove a plan's rows of one partition and add what was removed to `counts`."""
    memories = {"partition": partition.no, "memories": json.dumps(sorted(plan.memories))}
    refs = {
        "memory": {"partition": partition.no, "refs": json.dumps(plan.versions)},
        "message": {"partition": partition.no, "refs": json.dumps([message.ref for message in plan.messages])},
    }
    if not plan.kept_operations:
        connection.execute(QUERIES["erase_all_postings"], {"partition": partition.no})
    for kind, bound in refs.items():
        if bound["refs"] != "[]":
            if plan.kept_operations:
                connection.execute(QUERIES["erase_postings"], {**bound, "kind": kind})
            counts["vectors"] += _count(connection, f"erase_{kind}_vectors", bound)
    counts["versions"] += _count(connection, "erase_versions", refs["memory"])
    counts["messages"] += _count(connection, "erase_messages", refs["message"])
    counts["memories"] += len(plan.memories)
    counts["sources"] += _count(connection, "erase_sources", {**memories, "sources": json.dumps(plan.sources)})
    counts["links"] += _count(connection, "erase_links", memories)
    counts.update(graph_erasing.erase(connection, partition.no, graph_erasing.of_plan(plan)))
    connection.execute(QUERIES["reopen"], {"refs": json.dumps(plan.reopened)})


def recount(connection: apsw.Connection, partition: Partition) -> None:
    """Set a partition's counts and lengths to what is there."""
    row = first(connection, "recount", {"partition": partition.no}) or (0, 0, 0, 0)
    partition.memories, partition.memory_length, partition.messages, partition.message_length = row


# ---------------------------------------------------------------- operations, summaries, jobs


def _erase_around(
    connection: apsw.Connection, target: Erasure, tally: _Tally
) -> tuple[list[str], list[dict[str, str | None]]]:
    """Remove operations, summaries and jobs; return the operations to run again and the summaries to make anew."""
    tenant = target.scope.tenant
    is_whole = target.memories is None and target.before is None
    memories = sorted({id for plan in tally.plans for id in plan.memories})
    touched, left = _operations(connection, target, tally, memories)
    gone = json.dumps(sorted(touched - left))
    bound = {"tenant": tenant, "operations": gone}
    tally.counts["operations"] = _count(connection, "erase_operations", bound)
    tally.counts["decisions"] = _count(connection, "erase_changes", bound)
    connection.execute(QUERIES["erase_exchanges"], bound)
    tally.counts["jobs"] = _count(connection, "erase_jobs", {**bound, **ids(target.scope), "is_whole": is_whole})
    _redact(connection, tenant, sorted(touched & left), memories, tally)
    again = sorted({place for plan in tally.plans for place in plan.again})
    for name, number in again:
        connection.execute(QUERIES["undo_exchange"], {"tenant": tenant, "operation": name, "number": number})
        connection.execute(QUERIES["set_pending"], {"tenant": tenant, "operation": name})
    if is_whole:
        tally.counts["summaries"] += _count(connection, "erase_summaries", {"tenant": tenant, **ids(target.scope)})
    talking = {scope for plan in tally.plans for scope in plan.talking}
    summaries = []
    for scope in dict.fromkeys(scope for plan in tally.plans for scope in plan.scopes):
        tally.counts["summaries"] += _count(connection, "erase_summary", jobs.full(scope))
        if scope in talking:
            summaries.append({"user": scope.user, "agent": scope.agent, "run": scope.run})
    return sorted({name for name, _ in again}), summaries


def _operations(
    connection: apsw.Connection, target: Erasure, tally: _Tally, memories: Sequence[str]
) -> tuple[set[str], set[str]]:
    """Return the operations that the erasure touches, and those of them of which something is left."""
    tenant = target.scope.tenant
    touched = {id for plan in tally.plans for id in plan.operations}
    touched |= {
        id for (id,) in select(connection, "operations_about", {"tenant": tenant, "memories": json.dumps(memories)})
    }
    if target.memories is None and target.before is None:
        within = select(connection, "operations_within", {"tenant": tenant, **ids(target.scope)})
        touched |= {id for (id,) in within}
    bound = {
        "tenant": tenant,
        "operations": json.dumps(sorted(touched)),
        "partitions": json.dumps(_homes(tally.partitions, connection, target)),
    }
    left = {id for (id,) in select(connection, "operations_left", bound)}
    return touched, left | (touched & {id for plan in tally.plans for id in plan.kept_operations})


def _homes(reached: Sequence[int], connection: apsw.Connection, target: Erasure) -> list[int]:
    """Return the partitions whose operations were seen whole: those reached, and the scope's own."""
    own = writing.partition_of(connection, target.scope.owner) if target.scope.is_named else None
    return [*reached, *([own.no] if own is not None and target.memories is None else [])]


def _redact(
    connection: apsw.Connection, tenant: str, operations: Sequence[str], memories: Sequence[str], tally: _Tally
) -> None:
    """Remove what the operations that stay say about what is gone."""
    unsaid = {message.operation for plan in tally.plans for message in plan.messages}
    broken = {f"{m.operation}/{m.exchange}" for plan in tally.plans for m in plan.messages}
    bound = {"tenant": tenant, "operations": json.dumps(sorted(unsaid))}
    connection.execute(QUERIES["blank_changes"], bound)
    connection.execute(QUERIES["blank_changes_about"], {"tenant": tenant, "memories": json.dumps(memories)})
    connection.execute(QUERIES["erase_broken_exchanges"], {**bound, "broken": json.dumps(sorted(broken))})
    connection.execute(QUERIES["blank_job_errors"], {"tenant": tenant, "operations": json.dumps(operations)})
    for id in operations:
        row = first(connection, "texts_of_operation", {"tenant": tenant, "id": id})
        if row is not None:
            arguments, warnings = _erasure.redacted(row[0], json.loads(row[1]))
            texts = {"arguments": arguments, "warnings": json.dumps(warnings)}
            connection.execute(QUERIES["set_texts"], {"tenant": tenant, "id": id, **texts})


def _count(connection: apsw.Connection, name: str, bound: Mapping[str, object]) -> int:
    """Run a named statement and return how many rows it changed."""
    connection.execute(QUERIES[name], bound)
    return connection.changes()
