"""The engine without a language model: candidates and decisions by rules.

Its rules are a few hundred patterns that take 0.2 s to compile, so each function loads its part when first called.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from perdure.models import Candidate, Decision, Extraction, ExtractionContext, Match, MemoryRecord

if TYPE_CHECKING:
    from perdure.offline.relations import Relation


def extraction(context: ExtractionContext, *, timezone: tzinfo = UTC) -> Extraction:
    """Return the statements of an exchange; see `offline.extract`."""
    from perdure.offline.extract import extract

    return extract(context, timezone=timezone)


def decisions(matches: Sequence[Match], *, near_duplicate: float) -> list[Decision]:
    """Return what is to be done with each candidate; see `offline.decide`."""
    from perdure.offline.decide import decide

    return decide(matches, near_duplicate=near_duplicate)


def common(candidate: Candidate, memory: MemoryRecord) -> tuple[bool, bool]:
    """Return whether a candidate and a memory share an entity, and a slot; see `offline.meet`."""
    from perdure.offline.meet import common as meet

    return meet(candidate, memory)


def has_same_slot(candidate: Candidate, memory: MemoryRecord) -> bool:
    """Return whether a memory fills the slot that a candidate fills first; see `offline.meet`."""
    from perdure.offline.meet import has_same_slot as has

    return has(candidate, memory)


def relations(candidate: Candidate) -> tuple[Relation, ...]:
    """Return what a candidate says of whom as (subject, label, object); see `offline.relations`."""
    from perdure.offline.relations import relations as of

    return of(candidate)
