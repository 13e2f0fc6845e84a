"""What jobs do beside the caller's path.  Every task may run twice without harm.

Refresh S, run a deferred add, finish an erasure, purge what has long expired.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from perdure.errors import NotFound, ProviderError
from perdure.models import Erasure, JobRow, MemoryRecord, NewJob, Owner, Scope, Summary
from perdure.ports import Ports
from perdure.providers.metered import MeteredLLM
from perdure.settings import Settings
from perdure.write import summary
from perdure.write.edit import owner_scope
from perdure.write.ingest import Started, carry_out, operation
from perdure.write.pipeline import SUMMARY

EXTRACT = "extract"  # the kind of the job that runs a deferred add
ERASE = "erase"  # the kind of the job that finishes an erasure
PURGE = "purge"  # the kind of the job that erases what has long expired
PURGE_EVERY = timedelta(days=1)  # chosen: a setting in days needs no more

Task = Callable[[JobRow, Ports, Settings], None]

_NEWEST = 2**62  # above every message's order
_BACKLOG = 2_000  # messages that one refresh reads at most, the newest (chosen: about 20 prompts)


def refresh_summary(job: JobRow, ports: Ports, settings: Settings) -> None:
    """Refresh S of one full scope tuple from the old S and the messages since; kept after every batch.

    `Summary.messages` is the order, within the partition, of the last message that S has read.
    Without a model there is nothing to do.  Raises ProviderError and StoreError kinds.
    """
    if ports.llm is None:
        return
    scope = scope_of(job.tenant, job.payload)
    old = ports.store.summary(scope)
    window = ports.store.window(scope, before=_NEWEST, size=_BACKLOG)
    new = summary.readable([message for message in window if message.order > old.messages])
    text = old.text
    for batch in summary.batches(new, chars=settings.exchange_chars, window_chars=settings.window_chars):
        prompt = summary.prompt(text, batch, folder=settings.prompts, window_chars=settings.window_chars)
        text = summary.parse(ports.llm.complete([prompt])[0])
        ports.store.set_summary(scope, Summary(text, ports.clock.now(), batch[-1].order, old.erasures))


def extract_deferred(job: JobRow, ports: Ports, settings: Settings) -> None:
    """Run the pipeline over what a deferred add left to do.

    Raises ProviderError while some exchange is not done, so that the job waits for its next try.
    """
    try:
        row = ports.store.operation(job.tenant, job.payload["operation_id"])
    except NotFound:
        return  # erased meanwhile
    if row.status == "done" or row.undone_by is not None:
        return
    started = Started(row, ports.store.exchanges(job.tenant, row.id))
    row = carry_out(started, ports, settings, policy=job.payload["policy"])
    if row.status != "done":
        why = row.warnings[-1].detail if row.warnings else "the operation says no more"
        raise ProviderError(f"operation {row.id} is {row.status}: {why}")


def finish_erasure(job: JobRow, ports: Ports, settings: Settings) -> None:
    """Make anew what rested on erased messages in part, and leave none of their bytes in the files.

    While another reader holds the old file, the job is put off, however often.
    """
    row = ports.store.operation(job.tenant, job.payload["operation_id"])
    now = ports.clock.now()
    if isinstance(ports.llm, MeteredLLM):
        ports.llm.forget()
    for scope in row.arguments["summaries"]:
        ports.store.add_job(job.tenant, summary_job(scope_of(job.tenant, scope), now))
    for id in row.arguments["again"]:
        payload = {"operation_id": id, "policy": row.arguments["policy"]}
        ports.store.add_job(job.tenant, NewJob(EXTRACT, id, payload, now))
    if row.status != "done" and not ports.store.scrub():
        later = now + timedelta(seconds=settings.job_backoff_s)
        ports.store.add_job(job.tenant, NewJob(ERASE, job.key, job.payload, later))


def purge(job: JobRow, ports: Ports, settings: Settings) -> None:
    """Erase the tenant's memories that expired longer ago than the setting says, and come again in a day.

    An erasure for each owner; nothing, and never again, where the setting is None.
    """
    if settings.purge_expired_after_days is None:
        return
    now = ports.clock.now()
    owners: dict[Owner, list[MemoryRecord]] = {}
    for record in ports.store.expired(job.tenant, now - timedelta(days=settings.purge_expired_after_days)):
        owners.setdefault(owner_scope(record, job.tenant).owner, []).append(record)
    for owner, records in owners.items():
        target = Erasure(owner.scope, memories=tuple(record.id for record in records))
        arguments = {"policy": "consolidate"}
        new = operation("erase", owner.scope, ports, payload=[], engine="verbatim", actor=PURGE, arguments=arguments)
        ports.store.erase(new, target, jobs=[erase_job(new.id, now)])
    ports.store.add_job(job.tenant, NewJob(PURGE, PURGE, {}, now + PURGE_EVERY))


def schedule_purge(tenant: str, ports: Ports, settings: Settings) -> None:
    """See that what has long expired is erased, if the setting says so; a job that waits already stays."""
    if settings.purge_expired_after_days is not None:
        ports.store.add_job(tenant, NewJob(PURGE, PURGE, {}, ports.clock.now()))


def erase_job(operation_id: str, due_at: datetime) -> NewJob:
    """Return the job that finishes an erasure."""
    return NewJob(ERASE, operation_id, {"operation_id": operation_id}, due_at)


def summary_job(scope: Scope, due_at: datetime) -> NewJob:
    """Return the job that refreshes the summary of a full scope tuple."""
    place = {"user": scope.user, "agent": scope.agent, "run": scope.run}
    return NewJob(SUMMARY, json.dumps(place, sort_keys=True), place, due_at)


def scope_of(tenant: str, place: Mapping[str, Any]) -> Scope:
    """Return the scope tuple that a payload holds."""
    return Scope(tenant, place.get("user"), place.get("agent"), place.get("run"))


TASKS: Mapping[str, Task] = {
    SUMMARY: refresh_summary,
    EXTRACT: extract_deferred,
    ERASE: finish_erasure,
    PURGE: purge,
}
