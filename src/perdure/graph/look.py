"""Reading the graph from a store: nodes with their merges and splits carried out, and relations around nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from perdure.graph.fold import by_start, fold, is_seen
from perdure.graph.labels import is_single, rivals
from perdure.models import EntityRecord, HeldClaim, HeldEntity, Mention, Move, RelationRecord, Selection, Validity
from perdure.ports import Store
from perdure.text import name_of


@dataclass(frozen=True, slots=True)
class Moves:
    """Merges and splits in order: where a name of a node leads to."""

    moves: tuple[Move, ...]

    def resolve(self, id: str, said: str) -> str:
        """Return the node that a name of a node means."""
        for move in self.moves:
            if move.entity_id == id and (move.name is None or move.name == name_of(said)):
                id = move.to_id
        return id

    def origins(self, ids: Iterable[str]) -> list[str]:
        """Return the nodes of which some name may lead to these, themselves included."""
        found = dict.fromkeys(ids)
        for move in reversed(self.moves):
            if move.to_id in found:
                found.setdefault(move.entity_id)
        return list(found)


def moves(store: Store, selection: Selection) -> Moves:
    """Return the merges and splits of a selection's partitions."""
    return Moves(tuple(store.moves(selection)))


# ---------------------------------------------------------------- nodes


def entities(
    store: Store,
    selection: Selection,
    *,
    ids: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    moved: Moves | None = None,
) -> list[EntityRecord]:
    """Return nodes that memories of the selection name, by name, then by id: all, those of `ids`, or of `names`.

    names are normal forms of names; one that ends in "*" stands for all that begin so.  With `as_of`, what was named
    by then.
    """
    moved = moved or moves(store, selection)
    if ids is not None:
        held = store.entities(selection, ids=moved.origins(ids))
    else:
        held = store.entities(selection, names=names)
        if moved.moves and names is not None:  # who is called so, and all that the same nodes are called
            reached = {moved.resolve(e.id, m.name) for e in held for m in e.mentions}
            held = store.entities(selection, ids=moved.origins(sorted(reached)))
    nodes = _nodes(store, selection, held, moved)
    wanted = None if ids is None else set(ids)
    found = [_entity(node, named, selection) for node, named in nodes if wanted is None or node.id in wanted]
    if names is not None:
        found = [one for one in found if any(_is_called(one, name) for name in names)]
    return sorted((one for one in found if one.mention_count), key=lambda one: (one.name.casefold(), one.id))


def _nodes(
    store: Store, selection: Selection, held: Sequence[HeldEntity], moved: Moves
) -> list[tuple[HeldEntity, list[Mention]]]:
    """Return nodes with the mentions that lead to them and were not dropped since."""
    named: dict[str, list[Mention]] = defaultdict(list)
    for one in held:
        standing: list[Mention] = []
        for mention in one.mentions:
            if mention.is_dropped:
                standing = [other for other in standing if other.memory_id != mention.memory_id]
            else:
                standing.append(mention)
        for mention in standing:
            named[moved.resolve(one.id, mention.name)].append(mention)
    known = {one.id: one for one in held}
    missing = [id for id in named if id not in known]
    known |= {one.id: one for one in store.entities(selection, ids=missing)} if missing else {}
    return [(known[id], mentions) for id, mentions in named.items() if id in known]


def _entity(node: HeldEntity, mentions: Sequence[Mention], selection: Selection) -> EntityRecord:
    seen = [m for m in mentions if selection.as_of is None or m.at <= selection.as_of]
    said = list(dict.fromkeys(m.name for m in sorted(seen, key=lambda m: m.at)))
    name = node.name if node.name in said or not said else said[0]
    forms = {name_of(name)}
    aliases = []
    for one in said:
        if name_of(one) not in forms:
            forms.add(name_of(one))
            aliases.append(one)
    memories = tuple(dict.fromkeys(m.memory_id for m in seen))
    return EntityRecord(node.id, name, node.type, tuple(aliases), len(memories), node.created_at, memories)


def _is_called(entity: EntityRecord, name: str) -> bool:
    forms = {name_of(entity.name), *(name_of(alias) for alias in entity.aliases)}
    return any(form.startswith(name[:-1]) if name.endswith("*") else form == name for form in forms)


# ---------------------------------------------------------------- relations


def relations(
    store: Store,
    selection: Selection,
    *,
    about: Sequence[str] | None = None,
    claims: Sequence[str] | None = None,
    moved: Moves | None = None,
) -> list[RelationRecord]:
    """Return all relations of the selection, or those with one of `about` at an end, or that rest on some claims.

    Ended and retracted ones are among them (`seen` leaves them out); order: by start, then by text, then by id.
    """
    moved = moved or moves(store, selection)
    if selection.where is not None:  # what ends a relation counts, whoever says so; who tells of it is asked for
        admitted = {one.claim.id for one in store.claims(selection)}
        whole_selection = replace(selection, where=None)
        every = relations(store, whole_selection, about=about, claims=claims, moved=moved)
        return [one for one in every if not admitted.isdisjoint(one.claims)]
    if about is not None:
        held = store.claims(selection, touching=moved.origins(about))
    elif claims is not None:
        held = store.claims(selection, ids=claims)
    else:
        held = store.claims(selection)
    whole = held if about is None and claims is None else _whole(store, selection, held, about or (), moved)
    found = fold(whole, moved.resolve, _names(store, selection, whole, moved))
    if about is not None:
        wanted = set(about)
        return [one for one in found if one.source_id in wanted or one.destination_id in wanted]
    if claims is not None:
        asked = set(claims)
        return [one for one in found if asked & {*one.claims, one.ended_by}]
    return found


def leaving(
    store: Store, selection: Selection, sources: Sequence[str], *, labels: Sequence[str], moved: Moves
) -> list[RelationRecord]:
    """Return the relations that hold and leave some nodes under some labels; order as `relations`."""
    held = store.claims(selection, leaving=moved.origins(sources), labels=labels)
    found = fold(held, moved.resolve, _names(store, selection, held, moved))
    return [one for one in seen(found, selection) if one.source_id in set(sources)]


def reaching(
    store: Store, selection: Selection, destinations: Sequence[str], *, labels: Sequence[str], moved: Moves
) -> list[RelationRecord]:
    """Return the relations that hold and reach some nodes under labels of which none is single-valued."""
    held = store.claims(selection, touching=moved.origins(destinations), labels=labels)
    found = fold(held, moved.resolve, _names(store, selection, held, moved))
    return [one for one in seen(found, selection) if one.destination_id in set(destinations)]


def _whole(
    store: Store, selection: Selection, held: Sequence[HeldClaim], complete: Sequence[str], moved: Moves
) -> list[HeldClaim]:
    """Return the claims with all others of their slots.

    Around nodes of `complete` all are there but those that leave others under a single-valued label: opposite labels
    lie between the same two nodes.
    """
    found = {one.order: one for one in held}
    done = set(complete)
    lacking: dict[str, set[str]] = defaultdict(set)
    for one in held:
        source = moved.resolve(one.claim.source_id, one.claim.source_name)
        if source not in done and (not done or is_single(one.claim.label)):
            lacking[source].update(rivals(one.claim.label))
    if lacking:
        labels = sorted(set().union(*lacking.values()))
        more = store.claims(selection, leaving=moved.origins(lacking), labels=labels)
        found |= {one.order: one for one in more}
    return [found[order] for order in sorted(found)]


def _names(store: Store, selection: Selection, held: Sequence[HeldClaim], moved: Moves) -> dict[str, str]:
    """Return what the nodes at the claims' ends are called, by id: as `entities` calls them."""
    ids = dict.fromkeys(moved.resolve(one.claim.source_id, one.claim.source_name) for one in held)
    for one in held:
        if one.claim.destination_id:
            ids.setdefault(moved.resolve(one.claim.destination_id, one.claim.destination_name))
    nodes = store.entities(selection, ids=moved.origins(ids)) if ids else []
    called = {node.id: _entity(node, named, selection).name for node, named in _nodes(store, selection, nodes, moved)}
    return {**{node.id: node.name for node in nodes}, **called}


def seen(
    found: Iterable[RelationRecord], selection: Selection, *, validity: Validity | None = None
) -> list[RelationRecord]:
    """Return the relations of the selection's validity at its time, order kept."""
    at = selection.as_of or selection.known_at or selection.now
    is_dated = selection.as_of is not None or selection.known_at is not None
    return [one for one in found if is_seen(one, validity=validity or selection.validity, at=at, is_dated=is_dated)]


def neighbourhood(
    store: Store, selection: Selection, ids: Sequence[str], *, hops: int, moved: Moves | None = None
) -> tuple[dict[str, int], list[RelationRecord]]:
    """Return node id → hops away, and the relations seen within so many hops, each once; order as `relations`."""
    moved = moved or moves(store, selection)
    away = dict.fromkeys(ids, 0)
    found: dict[str, RelationRecord] = {}
    edge: Sequence[str] = list(away)
    for hop in range(1, hops + 1):
        if not edge:
            break
        for one in seen(relations(store, selection, about=edge, moved=moved), selection):
            found.setdefault(one.id, one)
        reached = dict.fromkeys(id for one in found.values() for id in (one.source_id, one.destination_id))
        edge = [id for id in reached if id not in away]
        away.update(dict.fromkeys(edge, hop))
    return away, sorted(found.values(), key=by_start)


def path(
    store: Store, selection: Selection, one: Sequence[str], other: Sequence[str], *, hops: int
) -> list[RelationRecord]:
    """Return the relations of a shortest way from one node to another, in order; empty if none is within `hops`."""
    moved = moves(store, selection)
    goal, before = set(other), dict[str, tuple[str, RelationRecord]]()
    edge, known = list(one), set(one)
    for _ in range(hops):
        step = seen(relations(store, selection, about=edge, moved=moved), selection) if edge else []
        following: list[str] = []
        for relation in step:
            for here, there in (
                (relation.source_id, relation.destination_id),
                (relation.destination_id, relation.source_id),
            ):
                if here in edge and there not in known:
                    known.add(there)
                    before[there] = (here, relation)
                    following.append(there)
        reached = [id for id in following if id in goal]
        if reached:
            return _way(reached[0], before, set(one))
        edge = following
    return []


def _way(end: str, before: Mapping[str, tuple[str, RelationRecord]], starts: set[str]) -> list[RelationRecord]:
    found: list[RelationRecord] = []
    while end not in starts:
        end, relation = before[end]
        found.append(relation)
    return found[::-1]
