"""What an operation did, as its caller sees it: the log with the versions that it names."""

from __future__ import annotations

from datetime import datetime

from perdure.errors import NotFound
from perdure.models import Change, LoggedChange, MemoryRecord, OperationResult, OperationRow
from perdure.ports import Store
from perdure.read import graph


def result(row: OperationRow, store: Store, *, now: datetime) -> OperationResult:
    """Return an operation as it stands; a version that was erased since is None in its change."""
    held: dict[str, dict[int, MemoryRecord]] = {}

    def version(place: tuple[str, int] | None) -> MemoryRecord | None:
        if place is None:
            return None
        id, number = place
        if id not in held:
            held[id] = _versions(id, store, row.scope.tenant)
        return held[id].get(number)

    def change(entry: LoggedChange) -> Change:
        return Change(entry.event, entry.effect, version(entry.memory), version(entry.previous), entry.reason)

    return OperationResult(
        row.id,
        row.status,
        tuple(change(entry) for entry in row.log),
        graph.changes(row, store, now=now),
        row.exchanges,
        row.warnings,
        row.usage,
        row.engine,
        row.verb,
        row.at,
        row.undone_by,
    )


def _versions(id: str, store: Store, tenant: str) -> dict[int, MemoryRecord]:
    """Return the versions of a memory by number; none where it is erased."""
    try:
        return {record.version: record for record in store.versions(tenant, id)}
    except NotFound:
        return {}
