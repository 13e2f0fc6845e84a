"""The graph's reading verbs: entities, relations, paths, a neighbourhood, and what an operation did to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from perdure.errors import NotFound
from perdure.graph import look
from perdure.models import (
    EntityRecord,
    Graph,
    OperationRow,
    RelationChange,
    RelationRecord,
    Selection,
)
from perdure.ports import Store
from perdure.text import name_of

LONGEST_PATH = 6  # relations between two entities; beyond that everybody knows everybody (chosen)


def entities(store: Store, selection: Selection) -> list[EntityRecord]:
    """Return the entities that memories of the selection name, by name, then by id."""
    return look.entities(store, selection)


def named(store: Store, selection: Selection, said: str) -> list[EntityRecord]:
    """Return the entity of an id, else all that are called so.  Raises NotFound."""
    found = look.entities(store, selection, ids=[said]) or look.entities(store, selection, names=[name_of(said)])
    if not found:
        raise NotFound(f"no entity {said!r} in this scope at that time; `entities` lists those that there are")
    return found


def relations(store: Store, selection: Selection, said: str | None, *, hops: int) -> list[RelationRecord]:
    """Return the relations of the selection's validity, all or within some hops of an entity, by start."""
    if said is None:
        return look.seen(look.relations(store, selection), selection)
    ids = [one.id for one in named(store, selection, said)]
    return look.neighbourhood(store, selection, ids, hops=hops)[1]


def path(store: Store, selection: Selection, one: str, other: str) -> list[RelationRecord]:
    """Return the relations of a shortest way from one entity to another, in order; none if there is no way."""
    starts, goals = ([each.id for each in named(store, selection, said)] for said in (one, other))
    return look.path(store, selection, starts, goals, hops=LONGEST_PATH)


def graph(store: Store, selection: Selection, about: str, *, hops: int) -> Graph:
    """Return an entity's neighbourhood: those within some hops, by name, and the relations between them."""
    ids = [one.id for one in named(store, selection, about)]
    away, found = look.neighbourhood(store, selection, ids, hops=hops)
    return Graph(tuple(look.entities(store, selection, ids=list(away))), tuple(found))


def memories_of(store: Store, selection: Selection, said: str) -> list[str]:
    """Return the ids of the memories that name an entity (by id or name), oldest first; none if there is no entity."""
    try:
        found = named(store, replace(selection, where=None), said)
    except NotFound:
        return []
    return list(dict.fromkeys(id for one in found for id in one.memories))


def changes(row: OperationRow, store: Store, *, now: datetime) -> tuple[RelationChange, ...]:
    """Return what an operation in force did to relations: those it brought, ended, retracted or gave more evidence.

    Relations that ended with a memory are among them, and, last, those that were retracted with theirs.
    """
    if not row.scope.is_named:
        return ()
    owner = row.scope.owner
    selection = Selection(owner.scope, now, within=owner, validity="all")
    mine = {held.claim.id for held in store.claims(selection, operation=row.id)}
    ended = [entry.memory[0] for entry in row.log if entry.event == "DELETE" and entry.memory is not None]
    over = {held.claim.id for held in store.claims(selection, memories=ended)} - mine if ended else set()
    found = look.relations(store, selection, claims=sorted(mine | over)) if mine | over else []
    done = tuple(change for one in found if (change := _change(one, mine, over)) is not None)
    return (*done, *_retracted(row, store, selection))


def _retracted(row: OperationRow, store: Store, selection: Selection) -> list[RelationChange]:
    """Return the relations that went with the memories which an operation retracted, as they were held before."""
    gone: dict[datetime, list[str]] = {}
    for entry in row.log:
        if entry.event == "DELETE" and entry.memory is None and entry.previous is not None:
            for retired_at in _retired(*entry.previous, store, row.scope.tenant):
                gone.setdefault(retired_at, []).append(entry.previous[0])
    found = []
    for at, memories in sorted(gone.items()):
        before = replace(selection, known_at=at - timedelta(microseconds=1))
        held = {one.claim.id for one in store.claims(before, memories=memories)}
        held -= {one.claim.id for one in store.claims(selection, memories=memories)}  # undone since: held again
        for one in look.relations(store, before, claims=sorted(held)) if held else ():
            if one.retired_at is None and held.issuperset(one.claims):
                lost = replace(one, retired_at=at)
                found.append(RelationChange("DELETE", "correction", lost, "its memory was retracted"))
    return found


def _retired(id: str, version: int, store: Store, tenant: str) -> list[datetime]:
    """Return when a version of a memory was retired; nothing where it is erased or held."""
    try:
        versions = store.versions(tenant, id)
    except NotFound:
        return []
    return [one.retired_at for one in versions if one.version == version and one.retired_at is not None]


def _change(relation: RelationRecord, mine: set[str], over: set[str]) -> RelationChange | None:
    if relation.claims[0] in mine:
        return RelationChange("ADD", None, relation, "")
    if relation.ended_by in mine or (relation.valid_to is not None and over.issuperset(relation.claims)):
        effect = "correction" if relation.retired_at is not None else "change"
        return RelationChange("DELETE", effect, relation, relation.reason)  # type: ignore[arg-type]
    if mine.intersection(relation.claims):
        return RelationChange("NOOP", None, relation, "said again")
    return None
