"""Two ways to find relations: by the entities that a query names, and by its likeness to a relation's own words.

entity   the query's names, and what is named like it, anchor in the graph; their edges count by how far they are
triplet  the query's vector against the vector of each relation's text, from half the embedder's floor on; without a
         vector the share of the query's terms that the text of an edge of the first channel holds

Both are rankings that `fuse` weighs and explains as it does those of memories; each keeps to the query's selection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perdure.graph import look
from perdure.models import Channel, Probe, Ranking, RelationRecord
from perdure.ports import Ports, Store
from perdure.read.query import Query
from perdure.settings import Settings
from perdure.text import USER, name_of, terms, words

HOPS = 2  # edges away from an anchor that are still offered (chosen; the paper walks the anchors' own edges)
DECAY = 0.5  # of a score with each hop (chosen)
TRIPLET_FLOOR = 0.5  # of the embedder's floor: a question is less like its answer than two statements (chosen)
ANCHORS = 5  # names near the query's vector (chosen)
LONGEST_NAME = 4  # words (chosen)
_OWN = frozenset(("i", "me", "my", "mine", "myself"))


@dataclass(frozen=True, slots=True)
class FoundRelations:
    """Relations by reference, which is their place, and the channels' rankings of them."""

    relations: Sequence[RelationRecord]
    rankings: tuple[Ranking, ...]


def relations(query: Query, probe: Probe, ports: Ports, settings: Settings) -> FoundRelations:
    """Return what both channels find of a query, seen at its time."""
    store, selection = ports.store, query.selection
    moved = look.moves(store, selection)
    by_entity = _entity(query, probe, ports, moved)
    near_text = _triplet(query, probe, ports, settings, moved)
    if probe.vector is None:
        near_text = [(one, _share(probe.terms, one.text)) for one, _ in by_entity]
    found = {one.id: one for one, _ in (*near_text, *by_entity)}
    seen = [one for one in found.values() if query.cut is None or not one.valid_from or one.valid_from <= query.cut]
    ordered = sorted(seen, key=lambda one: one.id)
    place = {one.id: number for number, one in enumerate(ordered)}
    channels: tuple[tuple[Channel, list[tuple[RelationRecord, float]]], ...]
    channels = (("entity", by_entity), ("triplet", near_text))
    rankings = tuple(
        _ranking(channel, {place[one.id]: score for one, score in scored if one.id in place})
        for channel, scored in channels
    )
    return FoundRelations(ordered, tuple(one for one in rankings if one.scores))


def _ranking(channel: Channel, scores: Mapping[int, float]) -> Ranking:
    """Return a ranking without a population of its own: how its scores spread is what is believed beforehand."""
    return Ranking(channel, 0, scores, count=0, mean=0.0, deviation=0.0)


def _triplet(
    query: Query, probe: Probe, ports: Ports, settings: Settings, moved: look.Moves
) -> list[tuple[RelationRecord, float]]:
    if probe.vector is None or ports.embedder is None:
        return []
    near = ports.store.near("relation", query.selection, probe.vector, space=probe.space, limit=settings.pool)
    cosines = {id: cosine for id, cosine in near if cosine >= TRIPLET_FLOOR * ports.embedder.floor}
    if not cosines:
        return []
    held = look.relations(ports.store, query.selection, claims=list(cosines), moved=moved)
    return [
        (one, max(cosines[id] for id in one.claims if id in cosines))
        for one in look.seen(held, query.selection)
        if not cosines.keys().isdisjoint(one.claims)
    ]


def _share(asked: Mapping[str, int], text: str) -> float:
    return len(asked.keys() & terms(text).keys()) / max(1, len(asked))


def _entity(query: Query, probe: Probe, ports: Ports, moved: look.Moves) -> list[tuple[RelationRecord, float]]:
    strength = _anchors(query, probe, ports, moved)
    if not strength:
        return []
    away, held = look.neighbourhood(ports.store, query.selection, list(strength), hops=HOPS, moved=moved)
    best = max(strength.values())
    found = []
    for one in held:
        near = min(away[one.source_id], away[one.destination_id])
        own = max((strength[end] for end in (one.source_id, one.destination_id) if end in strength), default=best)
        found.append((one, own * DECAY**near))
    return found


def _anchors(query: Query, probe: Probe, ports: Ports, moved: look.Moves) -> dict[str, float]:
    """Return node id → strength: 1 for a name that the query holds, the cosine for one that is near it."""
    store: Store = ports.store
    said = words(query.text)
    names = {
        name_of(" ".join(said[start : start + length]))
        for length in range(1, LONGEST_NAME + 1)
        for start in range(len(said) - length + 1)
    }
    names.discard(USER)
    if not _OWN.isdisjoint(said):
        names.add(USER)
    held = look.entities(store, query.selection, names=sorted(name for name in names if name), moved=moved)
    strength = {one.id: 1.0 for one in held}
    if probe.vector is not None and ports.embedder is not None:
        near = store.near("entity", query.selection, probe.vector, space=probe.space, limit=ANCHORS)
        for id, cosine in near:
            if cosine >= ports.embedder.floor:
                strength.setdefault(id, cosine)
    return strength
