"""What a person writes without a decision, committed: a memory revised, and memories brought from elsewhere.

Each is embedded, and the graph follows its text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from perdure.errors import NotFound
from perdure.models import MemoryRecord, NewOperation, Owner, Scope
from perdure.ports import Ports
from perdure.settings import Settings
from perdure.write import edit, graph_edit
from perdure.write.embed import embed


def update(
    record: MemoryRecord, new: MemoryRecord, operation: NewOperation, ports: Ports, settings: Settings, *, graph: bool
) -> None:
    """Commit the new version of a memory.  Raises Conflict, StoreError kinds, ProviderError kinds."""
    [vector] = embed([new.text], ports.embedder)
    changes = replace(edit.update(record, new, vector, operation), space=ports.space)
    if graph:
        changes = graph_edit.retold(record, new, changes, ports, settings)
    ports.store.commit(changes)


def take_in(
    records: Sequence[MemoryRecord],
    operation: Callable[[Scope, list[str]], NewOperation],
    ports: Ports,
    settings: Settings,
    *,
    tenant: str,
    at: datetime,
    graph: bool,
) -> int:
    """Commit the memories that are not there yet, one operation per owner, and return how many came.

    operation: makes the operation for a scope and the ids that come into it.
    Raises Conflict, StoreError kinds, ProviderError kinds.
    """
    owners: dict[Owner, dict[str, MemoryRecord]] = {}
    for record in records:
        if not _is_known(record.id, ports, tenant):
            owners.setdefault(edit.owner_scope(record, tenant).owner, {})[record.id] = record
    for owner, found in owners.items():
        new, coming = operation(owner.scope, sorted(found)), [*found.values()]
        vectors = embed([record.text for record in coming], ports.embedder)
        changes = edit.take_in(list(zip(coming, vectors, strict=True)), new, at=at)
        changes = replace(changes, space=ports.space)
        if graph:
            changes = graph_edit.imported(coming, changes, ports, settings)
        ports.store.commit(changes)
    return sum(len(found) for found in owners.values())


def _is_known(id: str, ports: Ports, tenant: str) -> bool:
    try:
        return bool(ports.store.versions(tenant, id))
    except NotFound:
        return False
