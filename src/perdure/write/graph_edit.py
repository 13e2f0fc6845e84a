"""The graph where no pipeline runs: of a memory whose text was edited by hand, and of memories that were imported.

Rules read the relations; a claim that the new text tells no longer is retracted, as the edit corrects it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from perdure import offline
from perdure.graph.look import moves
from perdure.models import (
    Candidate,
    ChangeSet,
    Claim,
    HeldClaim,
    MemoryRecord,
    Mention,
    NewClaim,
    Selection,
    Triple,
)
from perdure.ports import Ports
from perdure.settings import Settings
from perdure.text import name_of
from perdure.write import graph
from perdure.write.draft import Draft, vectors_missing, with_vectors
from perdure.write.edit import is_named
from perdure.write.embed import embed

if TYPE_CHECKING:
    from perdure.models import FloatArray

_Said = tuple[str, str, str]


def retold(old: MemoryRecord, new: MemoryRecord, changes: ChangeSet, ports: Ports, settings: Settings) -> ChangeSet:
    """Return the change set of an edit with what the new text tells of the graph, and takes back of the old."""
    if new.text == old.text:
        return changes
    owner = changes.scope.owner
    selection = Selection(owner.scope, ports.clock.now(), within=owner)
    held = [one for one in ports.store.claims(selection, memories=[old.id]) if not one.claim.is_ended]
    moved = moves(ports.store, selection)
    before, after = (_candidate(record, ports) for record in (old, new))
    told_before, told_now = (set(map(_said, one.triples)) for one in (before, after))

    def stands(one: HeldClaim) -> bool:
        claim = one.claim
        said = (name_of(claim.source_name), claim.label, name_of(claim.destination_name))
        if said in told_now or said in told_before:
            return said in told_now
        return is_named(claim.source_name, new.text) and is_named(claim.destination_name, new.text)

    kept = [one for one in held if stands(one)]
    known = {(name_of(one.claim.source_name), one.claim.label, name_of(one.claim.destination_name)) for one in kept}
    fresh = replace(after, triples=tuple(t for t in after.triples if _said(t) not in known))
    told = _told([(fresh, new.id)], changes, ports, settings)
    stale = [_taken_back(one, ports) for one in held if one not in kept]
    named = {end for one in kept for end in (one.claim.source_id, one.claim.destination_id)}
    named |= {mention.entity_id for mention in told.mentions}
    dropped = [
        replace(mention, at=ports.clock.now(), is_dropped=True)
        for entity in ports.store.entities(selection)
        for mention in entity.mentions
        if mention.memory_id == old.id
        and not mention.is_dropped
        and entity.id not in named
        and moved.resolve(entity.id, mention.name) not in named
        and not is_named(mention.name, new.text)
    ]
    once = tuple(dict.fromkeys(_bare(mention) for mention in dropped))
    return with_texts(
        replace(told, claims=(*told.claims, *(NewClaim(one) for one in stale)), mentions=(*once, *told.mentions)), ports
    )


def imported(records: Sequence[MemoryRecord], changes: ChangeSet, ports: Ports, settings: Settings) -> ChangeSet:
    """Return the change set of an import with what the memories tell of the graph."""
    told = [(_candidate(record, ports), record.id) for record in records]
    return with_texts(_told(told, changes, ports, settings), ports)


def _candidate(record: MemoryRecord, ports: Ports) -> Candidate:
    """Return a memory as a candidate, with its relations in normal form."""
    candidate = Candidate(
        record.text, record.valid_from or ports.clock.now(), record.attributed_to, record.origin,
        event_from=record.event_from, valid_from=record.valid_from, valid_to=record.valid_to,
        entities=record.entities,
    )  # fmt: skip
    triples, types = offline.triples(candidate)
    return replace(candidate, triples=tuple(map(graph.normal_triple, triples)), types=types)


def _said(triple: Triple) -> _Said:
    return name_of(triple.source), triple.label, name_of(triple.destination)


def _told(told: Sequence[tuple[Candidate, str]], changes: ChangeSet, ports: Ports, settings: Settings) -> ChangeSet:
    candidates = [candidate for candidate, _ in told]
    draft = Draft(changes.scope, changes.operation_id, ports.ids.new, ports.clock.now())

    def embedded(texts: Sequence[str]) -> Mapping[str, FloatArray | None]:
        return dict(zip(texts, embed(texts, ports.embedder), strict=True))

    linked = graph.link(candidates, ports, settings, scope=changes.scope, now=draft.at, embed=embedded)
    graph.record(candidates, linked, dict(enumerate(id for _, id in told)), draft, verdicts={})
    return replace(changes, entities=tuple(draft.entities), mentions=tuple(draft.mentions), claims=tuple(draft.claims))


def _taken_back(one: HeldClaim, ports: Ports) -> Claim:
    return replace(
        one.claim, id=ports.ids.new(), at=ports.clock.now(), message_id=None, quote="", is_ended=True,
        effect="correction", valid_from=None, valid_to=None, reason="the memory was edited",
    )  # fmt: skip


def _bare(mention: Mention) -> Mention:
    return replace(mention, message_id=None)


def with_texts(changes: ChangeSet, ports: Ports) -> ChangeSet:
    """Return a change set with the vectors of its nodes and claims; its versions have theirs."""
    known = {new.record.text: new.vector for new in changes.opened}
    texts = vectors_missing(changes, known)
    found = {**known, **dict(zip(texts, embed(texts, ports.embedder), strict=True))}
    return with_vectors(changes, found)
