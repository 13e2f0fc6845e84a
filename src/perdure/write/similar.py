"""The memories near each candidate, and the floor below which nothing is near.

The floor is the embedder's cosine, or-ed with the share of common terms, a common entity and a common slot: a vector
alone misses what words say, and words alone miss paraphrases.  The same floor, as a predicate, guards the commit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from perdure import offline
from perdure.models import Candidate, Match, MemoryRecord, Probe, Ranked, Role, Scope, Selection, Similar
from perdure.older import older_vectors
from perdure.ports import Ports
from perdure.settings import Settings
from perdure.text import terms
from perdure.write.words import about

if TYPE_CHECKING:
    from perdure.models import FloatArray

    Written = Sequence[tuple[MemoryRecord, FloatArray | None]]

_OFFERED = 3  # times top s rows that each channel offers, so that a common slot far down is found (chosen)


@dataclass(frozen=True, slots=True)
class Matches:
    """One match per candidate, in order, and the version of the partition that they were read at."""

    matches: tuple[Match, ...]
    version: int


def similar(
    candidates: Sequence[Candidate],
    vectors: Sequence[FloatArray | None],
    ports: Ports,
    settings: Settings,
    *,
    scope: Scope,
    now: datetime,
) -> Matches:
    """Return each candidate's top s current memories of the owner's partition that pass the floor.

    vectors: one (d,) or None per candidate.  Order: common slot, then the greater of cosine and overlap, then id.
    Cost: one ranking of the partition per candidate.
    """
    owner = scope.owner
    selection = Selection(owner.scope, now, within=owner)
    probes = _probes(candidates, vectors, ports)
    ranked = ports.store.rank("memory", selection, probes, limit=_OFFERED * settings.top_s)
    refs = sorted({ref for found in ranked for ref in _cosines(found)})
    records = dict(zip(refs, ports.store.load_memories(refs), strict=True))
    matches = []
    for candidate, found in zip(candidates, ranked, strict=True):
        near = [
            compare(candidate, record, cosine)
            for ref, cosine in _cosines(found).items()
            if (record := records[ref]) is not None
        ]
        matches.append(top(candidate, near, ports, settings))
    return Matches(tuple(matches), max(found.version for found in ranked))


def _probes(candidates: Sequence[Candidate], vectors: Sequence[FloatArray | None], ports: Ports) -> list[Probe]:
    if ports.embedder is None:
        return [Probe(None, terms(candidate.text)) for candidate in candidates]
    texts = [candidate.text for candidate in candidates]
    older = older_vectors(texts, Role.DOCUMENT, embedder=ports.embedder, older=ports.older)
    return [
        Probe(vector, terms(text), ports.embedder.model, others)
        for text, vector, others in zip(texts, vectors, older, strict=True)
    ]


def of_slots(
    candidates: Sequence[Candidate],
    vectors: Sequence[FloatArray | None],
    ports: Ports,
    settings: Settings,
    *,
    scope: Scope,
    now: datetime,
) -> list[list[MemoryRecord]]:
    """Return, per candidate, the memories of its slot that are near it, ended ones included, by id."""
    if not candidates:
        return []
    owner = scope.owner
    selection = Selection(owner.scope, now, within=owner, validity="all")
    probes = _probes(candidates, vectors, ports)
    ranked = ports.store.rank("memory", selection, probes, limit=_OFFERED * settings.top_s)
    found = []
    for candidate, one in zip(candidates, ranked, strict=True):
        records = [record for record in ports.store.load_memories(sorted(_cosines(one))) if record is not None]
        of_slot = [record for record in records if offline.has_same_slot(candidate, record)]
        found.append(sorted(of_slot, key=lambda record: record.id))
    return found


def top(candidate: Candidate, near: Sequence[Similar], ports: Ports, settings: Settings) -> Match:
    """Return the match of a candidate: s of those that pass the floor, those of its slot first.

    Half of the places are the nearest ones' alone: what shares a slot in many memories must not hide the one that says
    the same (14 of 16,000 adds, runs/LOG.md).
    """
    passed = sorted((one for one in near if _passes(one, ports, settings)), key=_by_nearness)
    half = (settings.top_s + 1) // 2
    shown = passed[:half] + sorted(passed[half:], key=_by_slot)[: settings.top_s - half]
    return Match(candidate, tuple(sorted(shown, key=_by_slot)))


def _by_nearness(one: Similar) -> tuple[float, str]:
    return -max(one.similarity, one.overlap), one.memory.id


def _by_slot(one: Similar) -> tuple[bool, float, str]:
    return not one.has_common_slot, *_by_nearness(one)


def compare(candidate: Candidate, memory: MemoryRecord, cosine: float) -> Similar:
    """Return how near a memory is to a candidate."""
    mine = about(candidate.text)
    overlap = len(mine & about(memory.text)) / len(mine) if mine else 0.0
    has_entity, has_slot = offline.common(candidate, memory)
    return Similar(memory, cosine, overlap, has_common_entity=has_entity, has_common_slot=has_slot)


def collides(
    candidates: Sequence[Candidate],
    vectors: Sequence[FloatArray | None],
    ports: Ports,
    settings: Settings,
    *,
    now: datetime,
    touched: frozenset[str] = frozenset(),
) -> Callable[[Written], bool]:
    """Return the predicate for Store.commit: is anything written since as near as `similar` would have found it?

    A new version of a memory in `touched`, one that the decisions rest on, always counts.
    """

    def is_near(written: Written) -> bool:
        if any(memory.id in touched for memory, _ in written):
            return True
        held = [(memory, other) for memory, other in written if memory.valid_to is None or memory.valid_to > now]
        return any(
            _passes(compare(candidate, memory, cosine(vector, other)), ports, settings)
            for candidate, vector in zip(candidates, vectors, strict=True)
            for memory, other in held
        )

    return is_near


def cosine(one: Any, other: Any) -> float:  # arrays, which this module does not import
    """Return the cosine of two unit vectors; 0 where either is missing."""
    return 0.0 if one is None or other is None else float(one @ other)


def _passes(one: Similar, ports: Ports, settings: Settings) -> bool:
    floor = settings.floor
    if floor is None:
        floor = ports.embedder.floor if ports.embedder is not None else 1.0
    has_near_vector = ports.embedder is not None and one.similarity >= floor
    return has_near_vector or one.overlap >= settings.overlap_floor or one.has_common_entity or one.has_common_slot


def _cosines(ranked: Ranked) -> dict[int, float]:
    """Return the cosine of every row of the pool; 0 where there is no dense ranking."""
    found: dict[int, float] = {}
    for ranking in ranked.rankings:
        for ref, score in ranking.scores.items():
            found[ref] = score if ranking.channel == "dense" else found.get(ref, 0.0)
    return found
