"""Undo as an operation: look at what was built on what, plan, commit; again if another writer came between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from perdure.errors import Conflict, Forbidden, NotFound
from perdure.models import (
    ChangeSet,
    MemoryRecord,
    NewOperation,
    NewVersion,
    OperationRow,
    Owner,
    Probe,
    Selection,
    Touch,
    Usage,
    Warning,
)
from perdure.ports import Ports
from perdure.settings import Settings
from perdure.text import terms
from perdure.write import undo
from perdure.write.edit import owner_scope
from perdure.write.embed import embed
from perdure.write.ingest import operation as new_operation
from perdure.write.undo import Picture, Reversal

if TYPE_CHECKING:
    from perdure.models import FloatArray


@dataclass(frozen=True, slots=True)
class Reverted:
    """The undo as it is stored; `is_repeated` if the operation had been undone before and nothing was written."""

    operation: OperationRow
    is_repeated: bool = False


def revert(id: str, ports: Ports, settings: Settings, *, tenant: str, actor: str | None, cascade: bool) -> Reverted:
    """Undo an operation, with `cascade` those built on it too, newest first.

    An undo that spans several partitions and was interrupted is carried on under its own id.
    Raises NotFound, Forbidden, and Conflict that names what was built on it, or if others write all the time.
    """
    for _ in range(settings.max_conflicts + 1):
        row = ports.store.operation(tenant, id)
        undo.check(row)
        earlier = _earlier(row, ports)
        if earlier is not None and earlier.status != "pending":
            return Reverted(earlier, is_repeated=True)
        taken = {id} if earlier is None else set(undo.undoes(earlier))
        versions: dict[Owner, int] = {}
        picture = _look(taken, ports, tenant=tenant, versions=versions, cascade=cascade, but=earlier)
        taken &= picture.operations.keys()
        for each in taken:
            undo.check(picture.operations[each])
        rows = undo.newest_first([picture.operations[each] for each in taken])
        new = new_operation(
            "undo", row.scope, ports, payload=[id, cascade], engine="verbatim", actor=actor,
            arguments={"of": id, "undoes": [each.id for each in rows]},
        )  # fmt: skip
        sets = _change_sets(taken, picture, new if earlier is None else earlier, versions, ports)
        if earlier is None:
            sets[0] = replace(sets[0], operation=new)
        try:
            for changes in sets:
                ports.store.commit(changes)
        except Conflict:
            continue
        return Reverted(ports.store.operation(tenant, sets[0].operation_id))
    raise Conflict(f"others wrote between each of {settings.max_conflicts + 1} tries to undo {id!r}; call undo again")


def _earlier(row: OperationRow, ports: Ports) -> OperationRow | None:
    """Return the undo that took the operation back before, if there is one."""
    if row.undone_by is None:
        return None
    try:
        return ports.store.operation(row.scope.tenant, row.undone_by)
    except NotFound as err:
        raise Forbidden(
            f"operation {row.id!r} was undone by {row.undone_by!r}, which was erased; there is nothing to take back"
        ) from err


# ---------------------------------------------------------------- looking


def _look(
    taken: set[str],
    ports: Ports,
    *,
    tenant: str,
    versions: dict[Owner, int],
    cascade: bool,
    but: OperationRow | None,
) -> Picture:
    """Return the picture of what is taken back; what was built on it is added to `taken`, or named in a Conflict.

    `versions` gets the version of each partition, read before anything in it.  `but` is the undo that is carried on.
    """
    root = ports.store.operation(tenant, next(iter(taken)))
    _note_version(root.scope.owner, ports, versions)
    while True:
        picture = _picture(taken, ports, tenant, versions)
        others = [row for row in undo.built_on(taken, picture) if but is None or row.id != but.id]
        if not others:
            return picture
        if not cascade and but is None:
            named = ", ".join(f"{row.id} ({row.verb}, {row.at:%Y-%m-%d %H:%M})" for row in others)
            raise Conflict(
                f"later operations built on {root.id!r}: {named}; undo them first, newest first, or all "
                "together: cascade=True (--cascade)"
            )
        taken |= {row.id for row in others}


def _picture(taken: set[str], ports: Ports, tenant: str, seen: dict[Owner, int]) -> Picture:
    operations: dict[str, OperationRow] = {}
    _read_operations(sorted(taken), operations, ports, tenant)
    memories = sorted({id for each in taken for id in undo.touched(operations[each])})
    for owner in {row.scope.owner for row in operations.values()}:
        _note_version(owner, ports, seen)
    versions = {id: _versions(id, ports, tenant) for id in memories}
    new = {owner_scope(records[-1], tenant).owner for records in versions.values() if records} - seen.keys()
    for owner in sorted(new, key=lambda owner: (owner.kind, owner.id)):
        _note_version(owner, ports, seen)
    if new:  # their versions must be older than what is planned on
        versions = {id: _versions(id, ports, tenant) for id in memories}
    touches: dict[str, list[Touch]] = {id: [] for id in memories}
    for touch in ports.store.touches(tenant, memories):
        touches[touch.memory_id].append(touch)
    _read_operations([touch.operation_id for each in touches.values() for touch in each], operations, ports, tenant)
    return Picture(operations, touches, versions)


def _read_operations(ids: Sequence[str], into: dict[str, OperationRow], ports: Ports, tenant: str) -> None:
    """Read operations, and all that undos among them took back or that took them back; erased ones are left out."""
    queue = list(dict.fromkeys(ids))
    while queue:
        id = queue.pop()
        if id in into:
            continue
        try:
            into[id] = row = ports.store.operation(tenant, id)
        except NotFound:
            continue
        queue += [*undo.undoes(row), *([row.undone_by] if row.undone_by else [])]


def _versions(id: str, ports: Ports, tenant: str) -> list[MemoryRecord]:
    """Return the versions of a memory; none where it was erased."""
    try:
        return ports.store.versions(tenant, id)
    except NotFound:
        return []


def _note_version(owner: Owner, ports: Ports, versions: dict[Owner, int]) -> None:
    """Note the version of a partition, unless it is noted already."""
    if owner not in versions:
        selection = Selection(owner.scope, ports.clock.now(), within=owner)
        versions[owner] = ports.store.rank("memory", selection, [Probe(None, {})], limit=1)[0].version


# ---------------------------------------------------------------- writing


def _change_sets(
    taken: set[str],
    picture: Picture,
    new: NewOperation | OperationRow,
    versions: dict[Owner, int],
    ports: Ports,
) -> list[ChangeSet]:
    """Return one change set per partition, the operation's own first; the last one finishes the undo."""
    out = undo.undone(taken, new.id, picture)
    standing = undo.marks(taken, out, picture)
    found: dict[Owner, list[Reversal]] = {new.scope.owner: []}
    for reversal in undo.reversals(taken, out, picture):
        found.setdefault(owner_scope(reversal.memory, new.scope.tenant).owner, []).append(reversal)
    sets = []
    for owner, mine in found.items():
        opened = [reversal.opened for reversal in mine if reversal.opened is not None]
        vectors = embed([record.text for record in opened], ports.embedder)
        sets.append(
            ChangeSet(
                new.scope if owner == new.scope.owner else owner.scope,
                new.id,
                read_version=versions[owner],
                space=ports.space,
                opened=tuple(_version(*pair) for pair in zip(opened, vectors, strict=True)),
                closed=tuple(reversal.closed for reversal in mine if reversal.closed is not None),
                undone=standing,
                log=tuple(reversal.logged for reversal in mine),
                usage=Usage(embedded_texts=sum(vector is not None for vector in vectors)),
            )
        )
    sets[-1] = replace(sets[-1], finishes="done", warnings=tuple(_warnings(taken, picture)))
    return sets


def _version(record: MemoryRecord, vector: FloatArray | None) -> NewVersion:
    return NewVersion(record, vector, terms(record.text))


def _warnings(taken: set[str], picture: Picture) -> list[Warning]:
    erased = [id for id, records in picture.versions.items() if not records]
    warnings = [Warning("erased", "the memory was erased since; it does not come back", id) for id in sorted(erased)]
    if any(picture.operations[id].exchanges for id in taken):
        warnings.append(Warning("messages_kept", "the messages stay; erase removes them"))
    return warnings
