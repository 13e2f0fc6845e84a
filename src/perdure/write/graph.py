"""The graph of one exchange: names to nodes, relations to claims, and which stored edges a new one may replace.

Nodes follow the paper's three cases: both ends known, one known, or both new, where "known" is the same name, or a
near one above a threshold; see `graph.names.choose`.  `link` reads the store, the rest is pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from perdure import offline
from perdure.graph import look
from perdure.graph.fold import by_start
from perdure.graph.labels import is_multiple, label, rivals, slot
from perdure.graph.names import Node, choose, key_of, type_of
from perdure.models import (
    Candidate,
    Claim,
    Effect,
    EntityRecord,
    Mention,
    NewClaim,
    NewEntity,
    RelationRecord,
    Scope,
    Selection,
    Triple,
)
from perdure.ports import Ports
from perdure.settings import Settings
from perdure.text import USER, name_of
from perdure.write.draft import Draft

if TYPE_CHECKING:
    from perdure.models import FloatArray

    Embed = Callable[[Sequence[str]], Mapping[str, FloatArray | None]]

Named = tuple[str, str | None]  # a name's form, and its type where somebody gives one
NAMED = "named"
_NEAREST = 5  # names that a new one is compared with by vector (chosen)


@dataclass(frozen=True, slots=True)
class Rival:
    """A stored edge that a new one may replace: which candidate brings the new one, and its text."""

    relation: RelationRecord
    candidate: int
    triple: Triple
    is_same_slot: bool  # the new one ends it by itself: of one slot one value holds


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is decided about a rival: it held until now ("change"), or never ("correction")."""

    effect: Effect
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Linked:
    """Names as nodes: (name's form, type) → id of the node that it is a mention of; `new` are those to be inserted.

    meant: the same → id of the node that is meant, once merges and splits are carried out.
    """

    ids: Mapping[Named, str] = field(default_factory=dict)
    meant: Mapping[Named, str] = field(default_factory=dict)
    new: tuple[NewEntity, ...] = ()
    rivals: tuple[Rival, ...] = ()

    def node(self, candidate: Candidate, said: str) -> str:
        """Return the node that a candidate mentions by a name."""
        return self.ids[_key(candidate, said, self.ids)]


def told(candidate: Candidate) -> Candidate:
    """Return the candidate with the relations that rules read from it, where it has none."""
    if candidate.triples:
        return candidate
    triples, types = offline.triples(candidate)
    return replace(candidate, triples=triples, types={**types, **candidate.types})


def normal_triple(triple: Triple) -> Triple:
    """Return a relation with its label in normal form, turned round where it was told from the other end."""
    form = label(triple.label)
    source, destination = triple.source, triple.destination
    if form.is_inverse:
        source, destination = destination, source
    return Triple(source, form.name, destination, triple.is_ended or form.is_ended)


def is_whole(triple: Triple) -> bool:
    """True unless an end is missing; what has ended may leave its destination open."""
    return bool(name_of(triple.source)) and (triple.is_ended or bool(name_of(triple.destination)))


# ---------------------------------------------------------------- names to nodes


def link(
    candidates: Sequence[Candidate], ports: Ports, settings: Settings, *, scope: Scope, now: datetime, embed: Embed
) -> Linked:
    """Return the nodes of all names in the candidates, and the stored edges that their relations may replace.

    Cost: a few look-ups by name and, for names that are new, an embedding each.
    """
    names = _names(candidates)
    if not names:
        return Linked()
    owner = scope.owner
    selection = Selection(owner.scope, now, within=owner)
    moved = look.moves(ports.store, selection)
    plain = list(dict.fromkeys(form for form, _ in names))
    forms = [*plain, *(f"{form} *" for form in plain if " " not in form)]
    nodes = [_node(one) for one in look.entities(ports.store, selection, names=forms, moved=moved)]
    known = {node.id for node in nodes}
    own = _own_names(candidates)
    meant: dict[Named, str] = {}
    new: list[NewEntity] = []
    for (form, type), said in sorted(names.items(), key=_user_first):
        id = _user(form, own, nodes, meant)
        if id is None:
            id = choose(said, type, nodes, near=(), least=settings.entity_threshold)
        if id is None and type != "person":
            id = _nearest(said, type, ports, settings, selection, moved, embed)
        if id is None:
            id = ports.ids.new()
            new.append(NewEntity(id, key_of(said, type), _shown(said), type))
            nodes.append(Node(id, frozenset((form,)), type))
        else:
            known.add(id)
        meant[form, type] = id
    found = _rivals(candidates, meant, known, ports, selection, moved)
    return Linked(_origins(meant, ports, selection, moved), meant, tuple(new), tuple(found))


def _user_first(item: tuple[Named, str]) -> tuple[bool, int]:
    """The order in which names are looked up: the user, then full names before shorter ones."""
    (form, _), _ = item
    return form != USER, -len(form.split())


def _own_names(candidates: Sequence[Candidate]) -> frozenset[str]:
    """Return the forms of the names that the user is told to have."""
    triples = [normal_triple(triple) for candidate in candidates for triple in candidate.triples]
    return frozenset(
        name_of(t.destination) for t in triples if (name_of(t.source), t.label) == (USER, NAMED) and not t.is_ended
    )


def _user(form: str, own: frozenset[str], nodes: Sequence[Node], meant: Mapping[Named, str]) -> str | None:
    """Return the user's node for a name that the user has and nobody else; None for any other."""
    if form not in own or any(form in node.names and USER not in node.names for node in nodes):
        return None
    return next((id for (other, _), id in meant.items() if other == USER), None)


def _names(candidates: Sequence[Candidate]) -> dict[Named, str]:
    """Return the names with their types, in order of appearance, each as it was said first.

    A name without a type is the one with a type, where the exchange has one.
    """
    found: dict[Named, str] = {}
    for candidate in candidates:
        types = _types(candidate)
        for said in _said(candidate):
            found.setdefault((name_of(said), types.get(name_of(said))), said)
    typed = {form for form, type in found if type is not None}
    return {named: said for named, said in found.items() if named[1] is not None or named[0] not in typed}


def _types(candidate: Candidate) -> dict[str, str | None]:
    return {name_of(name): type_of(type) for name, type in candidate.types.items()}


def _key(candidate: Candidate, said: str, known: Mapping[Named, str]) -> Named:
    """Return what a candidate means by a name: of its own type, else of the first one that the exchange gives."""
    form = name_of(said)
    named = (form, _types(candidate).get(form))
    return named if named in known else next(other for other in known if other[0] == form)


def _origins(meant: Mapping[Named, str], ports: Ports, selection: Selection, moved: look.Moves) -> dict[Named, str]:
    """Return the nodes that new mentions belong to: where a merge or split leads from one, the one that it leads from.

    So what is said after a merge follows its own name when the merge is undone.
    """
    if not moved.moves:
        return dict(meant)
    held = ports.store.entities(selection, ids=moved.origins(sorted(set(meant.values()))))
    said = {(one.id, name_of(mention.name)) for one in held for mention in one.mentions}
    found = {}
    for (form, type), id in meant.items():
        origins = [origin for origin in moved.origins([id]) if moved.resolve(origin, form) == id]
        found[form, type] = next((origin for origin in origins[::-1] if (origin, form) in said), id)
    return found


def _said(candidate: Candidate) -> list[str]:
    """Return the names that a candidate names, each once."""
    ends = [end for t in candidate.triples if is_whole(t) for end in (t.source, t.destination)]
    return [said for said in dict.fromkeys([*ends, *candidate.entities]) if name_of(said)]


def _node(record: EntityRecord) -> Node:
    return Node(record.id, frozenset((name_of(record.name), *map(name_of, record.aliases))), record.type)


def _shown(said: str) -> str:
    return said[0].upper() + said[1:] if said.startswith("the user") else said


def _nearest(
    said: str,
    type: str | None,
    ports: Ports,
    settings: Settings,
    selection: Selection,
    moved: look.Moves,
    embed: Embed,
) -> str | None:
    """Return the node whose name is near a new one and words the same, or None."""
    vector = embed([said])[said]
    if vector is None:
        return None
    near = ports.store.near("entity", selection, vector, space=ports.space, limit=_NEAREST)
    near = [pair for pair in near if pair[1] >= settings.entity_threshold]
    if not near:
        return None
    nodes = [_node(one) for one in look.entities(ports.store, selection, ids=[id for id, _ in near], moved=moved)]
    return choose(said, type, nodes, near=near, least=settings.entity_threshold)


def _rivals(
    candidates: Sequence[Candidate],
    meant: Mapping[Named, str],
    known: set[str],
    ports: Ports,
    selection: Selection,
    moved: look.Moves,
) -> list[Rival]:
    """Return the stored edges that hold and that a new one could replace: only those that leave the same source."""
    triples = []
    for index, candidate in enumerate(candidates):
        for triple in map(normal_triple, candidate.triples):
            if is_whole(triple) and not triple.is_ended:
                source, end = (meant[_key(candidate, said, meant)] for said in (triple.source, triple.destination))
                triples += [(index, triple, source, end)] * (source in known)
    found = []
    for relation in _near(triples, known, ports, selection, moved):
        for index, triple, source, end in triples:
            if relation.source_id != source or (relation.label, relation.destination_id) == (triple.label, end):
                continue
            is_same = slot(source, triple.label, end) == slot(source, relation.label, relation.destination_id)
            if is_same or (relation.label == triple.label and not is_multiple(triple.label)):
                found.append(Rival(relation, index, triple, is_same))
                break
    return found


def _near(
    triples: Sequence[tuple[int, Triple, str, str]],
    known: set[str],
    ports: Ports,
    selection: Selection,
    moved: look.Moves,
) -> list[RelationRecord]:
    """Return the stored edges among which rivals may be: what leaves the sources, or, where a label may have many
    values, what lies between the same two nodes under the opposite label.
    """
    single = [(triple.label, source) for _, triple, source, _ in triples if not is_multiple(triple.label)]
    paired = [
        (triple.label, end)
        for _, triple, _, end in triples
        if is_multiple(triple.label) and len(rivals(triple.label)) > 1 and end in known
    ]
    found: list[RelationRecord] = []
    for pairs, look_up in ((single, look.leaving), (paired, look.reaching)):
        if pairs:
            labels = sorted({rival for name, _ in pairs for rival in rivals(name)})
            found += look_up(ports.store, selection, sorted({id for _, id in pairs}), labels=labels, moved=moved)
    return sorted(found, key=by_start)


# ---------------------------------------------------------------- to claims


def record(
    candidates: Sequence[Candidate],
    linked: Linked,
    homes: Mapping[int, str | None],
    draft: Draft,
    *,
    verdicts: Mapping[str, Verdict],
) -> None:
    """Put nodes, mentions and claims of the candidates that have a home into the draft.

    verdicts: id of a rival's relation → what was decided about it.  A correction retracts what it replaces.
    """
    draft.entities.extend(linked.new)
    for index, candidate in enumerate(candidates):
        home = homes.get(index)
        if home is None:
            continue
        for said in _said(candidate):
            id = linked.node(candidate, said)
            draft.mentions.append(Mention(home, id, _shown(said), candidate.message_id, candidate.at))
        for triple in map(normal_triple, candidate.triples):
            if is_whole(triple) and not _is_own_name(triple, candidate, linked):
                draft.claims.append(NewClaim(_claim(triple, candidate, home, linked, draft)))
        for rival in linked.rivals:
            if rival.candidate == index and (verdict := _verdict(rival, candidate, verdicts)) is not None:
                draft.claims.append(NewClaim(_ending(rival, verdict, candidate, home, draft)))


def _is_own_name(triple: Triple, candidate: Candidate, linked: Linked) -> bool:
    """True for a name that became another name of its bearer's node: the mention says it, an edge to itself nothing."""
    ends = (triple.source, triple.destination)
    return triple.label == NAMED and all(map(name_of, ends)) and len({linked.node(candidate, e) for e in ends}) == 1


def _claim(triple: Triple, candidate: Candidate, home: str, linked: Linked, draft: Draft) -> Claim:
    is_open = not name_of(triple.destination)
    effect: Effect = "correction" if triple.is_ended and candidate.is_correction else "change"
    return Claim(
        id=draft.new_id(), memory_id=home, source_id=linked.node(candidate, triple.source),
        source_name=_shown(triple.source), label=triple.label,
        destination_id=None if is_open else linked.node(candidate, triple.destination),
        destination_name=_shown(triple.destination), at=candidate.at, message_id=candidate.message_id,
        quote=candidate.quote if candidate.is_grounded else "", is_ended=triple.is_ended, effect=effect,
        valid_from=_start(candidate), valid_to=candidate.valid_to,
    )  # fmt: skip


def _start(candidate: Candidate) -> datetime:
    """Return since when a relation holds: as stated, else since the event that is told of, else since it was said."""
    if candidate.valid_from is not None and candidate.valid_from != candidate.at:
        return candidate.valid_from
    return candidate.event_from or candidate.at


def _verdict(rival: Rival, candidate: Candidate, verdicts: Mapping[str, Verdict]) -> Verdict | None:
    """Return what is to be claimed of a rival beside the new relation; None where that says it all."""
    decided = verdicts.get(rival.relation.id)
    if decided is None:
        return Verdict("correction") if rival.is_same_slot and candidate.is_correction else None
    return None if rival.is_same_slot and decided.effect == "change" and not decided.reason else decided


def _ending(rival: Rival, verdict: Verdict, candidate: Candidate, home: str, draft: Draft) -> Claim:
    old = rival.relation
    return Claim(
        id=draft.new_id(), memory_id=home, source_id=old.source_id, source_name=old.source, label=old.label,
        destination_id=old.destination_id, destination_name=old.destination, at=candidate.at,
        message_id=candidate.message_id, quote=candidate.quote if candidate.is_grounded else "", is_ended=True,
        effect=verdict.effect, valid_from=_start(candidate), reason=verdict.reason,
    )  # fmt: skip
