"""Delete and delete_all: memories retired under one operation, each partition whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perdure.errors import Conflict
from perdure.models import Effect, MemoryRecord, NewOperation, OperationRow, Owner, Selection, Status, Warning
from perdure.ports import Ports, Store
from perdure.settings import Settings
from perdure.write import edit
from perdure.write.embed import embed

_PAGE = 1000  # chosen: memories read at a time


def held(selection: Selection, store: Store) -> list[MemoryRecord]:
    """Return every memory of a selection, by the time of recording."""
    page = store.memories(selection, order="recorded", limit=_PAGE)
    records = [*page.items]
    while page.cursor is not None:
        page = store.memories(selection, order="recorded", cursor=page.cursor, limit=_PAGE)
        records.extend(page.items)
    return records


def retire(
    records: Sequence[MemoryRecord], new: NewOperation, ports: Ports, settings: Settings, *, effect: Effect
) -> OperationRow:
    """Retire memories under a new operation and return it; those of one partition are one transaction with it.

    A partition that another writer came before is read again, at most `settings.max_conflicts` times.  What is left of
    several partitions is named in a warning, with status "partial"; of a single one nothing is written.
    Raises Conflict, NotFound, StoreError kinds, ProviderError kinds.
    """
    store = ports.store
    partitions: dict[Owner, list[MemoryRecord]] = {}
    for record in records:
        partitions.setdefault(edit.owner_scope(record, new.scope.tenant).owner, []).append(record)
    if len(partitions) == 1 and new.scope.owner in partitions:
        _commit(partitions[new.scope.owner], new.scope.owner, new, ports, settings, effect=effect, is_whole=True)
        return store.operation(new.scope.tenant, new.id)
    status: Status = "partial" if partitions else "done"
    store.begin(new, [], status=status)  # until it is finished, a crash leaves it "partial", never pending
    left: list[Warning] = []
    for owner, held in partitions.items():
        try:
            _commit(held, owner, new, ports, settings, effect=effect, is_whole=False)
        except Conflict:
            detail = f"other writers came between; {len(held)} memories of {owner.kind} {owner.id!r} are left"
            left.append(Warning("not_retired", f"{detail}: call {new.verb} again", owner.id))
    return store.finish(new.scope.tenant, new.id, "partial" if left else "done", warnings=left)


def _commit(
    held: Sequence[MemoryRecord],
    owner: Owner,
    new: NewOperation,
    ports: Ports,
    settings: Settings,
    *,
    effect: Effect,
    is_whole: bool,
) -> None:
    """Commit what retires the memories of one partition, on their newest versions where another writer came before."""
    for conflicts in range(settings.max_conflicts + 1):
        texts = [record.text for record in held]
        vectors = embed(texts, ports.embedder) if effect == "change" else [None] * len(texts)
        changes = edit.retire(
            list(zip(held, vectors, strict=True)),
            effect,
            at=ports.clock.now(),
            scope=owner.scope,
            operation_id=new.id,
        )
        changes = replace(changes, space=ports.space)
        if is_whole:
            changes = replace(changes, scope=new.scope, operation=new, finishes="done")
        try:
            ports.store.commit(changes)
        except Conflict:
            if conflicts == settings.max_conflicts:
                raise
            fresh = (ports.store.memory(owner.tenant, record.id) for record in held)
            held = [record for record in fresh if record.retired_at is None]
        else:
            return
