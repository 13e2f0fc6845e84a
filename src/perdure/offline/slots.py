"""What a statement fills: recognised by the wording, so that two wordings of one thing meet.

A slot is single-valued (one home, one age) or multi-valued (many allergies).  A wording that is not listed gives no
slot: a slot that is missed costs a duplicate, a slot that is guessed could end a true fact.
"""

from __future__ import annotations

from perdure.models import Candidate, MemoryRecord, Slot
from perdure.text import normal


def find(text: str, speaker: str | None = None) -> Slot | None:
    """Return the slot that a statement fills, or None.  `speaker` is who "I" would be."""
    return None


def common(candidate: Candidate, memory: MemoryRecord) -> tuple[bool, bool]:
    """Return whether candidate and memory share an entity, and whether they fill the same slot of one subject."""
    return _has_common_entity(candidate, memory), _has_common_slot(candidate, memory)


def _has_common_entity(candidate: Candidate, memory: MemoryRecord) -> bool:
    """The speaker is everywhere in its own partition, and so tells nothing."""
    everywhere = {normal(name) for name in (candidate.attributed_to, memory.attributed_to) if name}
    mine = {normal(entity) for entity in candidate.entities} - everywhere
    return not mine.isdisjoint(normal(entity) for entity in memory.entities)


def _has_common_slot(candidate: Candidate, memory: MemoryRecord) -> bool:
    mine = candidate.slot or find(candidate.text, candidate.attributed_to)
    theirs = find(memory.text, memory.attributed_to) if mine else None
    return mine is not None and theirs is not None and is_same(mine, theirs)


def is_same(one: Slot, other: Slot) -> bool:
    """Return True if two statements speak of the same thing, whatever value they give it."""
    return one.attribute == other.attribute and normal(one.subject) == normal(other.subject)
