"""The engine without a language model: candidates and decisions by rules.

Its rules are a few hundred patterns that take 0.2 s to compile, so each function loads its part when first called.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, tzinfo

from perdure.models import Candidate, Decision, Extraction, ExtractionContext, Match, MemoryRecord, Triple


def extraction(context: ExtractionContext, *, timezone: tzinfo = UTC) -> Extraction:
    """Return the statements of an exchange; see `offline.extract`."""
    from perdure.offline.extract import extract

    return extract(context, timezone=timezone)


def decisions(matches: Sequence[Match], *, near_duplicate: float) -> list[Decision]:
    """Return what is to be done with each candidate; see `offline.decide`."""
    from perdure.offline.decide import decide

    return decide(matches, near_duplicate=near_duplicate)


def common(candidate: Candidate, memory: MemoryRecord) -> tuple[bool, bool]:
    """Return whether a candidate and a memory share an entity, and a slot; see `offline.slots`."""
    from perdure.offline import slots

    return slots.common(candidate, memory)


def triples(candidate: Candidate) -> tuple[tuple[Triple, ...], dict[str, str]]:
    """Return the relations that a statement tells of, and name → type; see `offline.relations`."""
    from perdure.offline import relations

    return relations.triples(candidate)
