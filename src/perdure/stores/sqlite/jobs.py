"""Summaries and jobs, inside a caller's transaction."""

from __future__ import annotations

from datetime import datetime, timedelta

import apsw

from perdure.models import JobRow, NewJob, Scope, Summary
from perdure.stores import _rules
from perdure.stores._times import instant, microseconds
from perdure.stores.sqlite.rows import QUERIES, first, job_row, owner_bound, select


def full(scope: Scope) -> dict[str, str]:
    """Return a whole scope tuple as a key: an id that is not given is ''."""
    return {"tenant": scope.tenant, "user": scope.user or "", "agent": scope.agent or "", "run": scope.run or ""}


def summary(connection: apsw.Connection, scope: Scope) -> Summary:
    """See Store.summary."""
    row = first(connection, "summary", full(scope))
    erasures = _erasures(connection, scope)
    return Summary("", None, 0, erasures) if row is None else Summary(row[0], instant(row[1]), row[2], erasures)


def _erasures(connection: apsw.Connection, scope: Scope) -> int:
    row = first(connection, "partition", owner_bound(_rules.owner(scope)))
    return 0 if row is None else int(row[3])


def set_summary(connection: apsw.Connection, scope: Scope, new: Summary) -> None:
    """See Store.set_summary."""
    if new.erasures != _erasures(connection, scope):
        raise _rules.overtaken("something was erased since the summary was read")
    bound = {**full(scope), "text": new.text, "at": microseconds(new.at), "messages": new.messages}
    connection.execute(QUERIES["set_summary"], bound)


def add(connection: apsw.Connection, tenant: str, job: NewJob) -> None:
    """See Store.add_job."""
    bound = {"tenant": tenant, "kind": job.kind, "key": job.key, "payload": _rules.json_text(job.payload)}
    connection.execute(QUERIES["add_job"], {**bound, "due_at": microseconds(job.due_at)})


def lease(connection: apsw.Connection, *, now: datetime, lease_s: float) -> JobRow | None:
    """See Store.lease_job."""
    bound = {"now": microseconds(now), "until": microseconds(now + timedelta(seconds=lease_s))}
    row = first(connection, "lease_job", bound)
    return None if row is None else job_row(row)


def finish(connection: apsw.Connection, id: int, *, error: str | None, retry_at: datetime | None) -> None:
    """See Store.finish_job."""
    row = first(connection, "job", {"no": id})
    if row is None:
        raise _rules.missing("job", str(id))
    status, another_waits = row
    if status != "running":
        return
    outcome, due_at = "dead", None
    if error is None or (retry_at is not None and another_waits):
        outcome = "done"
    elif retry_at is not None:
        outcome, due_at = "waiting", retry_at
    connection.execute(
        QUERIES["finish_job"], {"no": id, "status": outcome, "error": error, "due_at": microseconds(due_at)}
    )


def jobs(connection: apsw.Connection, tenant: str | None, *, open_only: bool) -> list[JobRow]:
    """See Store.jobs."""
    return [job_row(row) for row in select(connection, "jobs", {"tenant": tenant, "open_only": open_only})]
