"""Whether two statements meet: share a name or a slot, and whether the one leaves no room for the other."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from perdure.models import Candidate, MemoryRecord
from perdure.offline import habits, slots, values
from perdure.offline.slots import Reading
from perdure.offline.wordings import GROUPS, SETTLED
from perdure.text import normal

_EQUAL: Final = frozenset("likes dislikes prefers allergic_to speaks eats_only studies does".split())
_DENIABLE: Final = _EQUAL | {"diet", "lives_in", "works_at"}  # a denial of these is ended by saying that it is so
_TASTED: Final = frozenset(("drink", "eat"))  # who no longer drinks coffee does not love it as before
_WIDE: Final = frozenset(
    """
    africa america asia europe oceania scandinavia england scotland wales ireland britain uk usa us france germany spain italy portugal greece
    austria switzerland belgium netherlands holland luxembourg denmark sweden norway finland iceland poland czechia hungary romania bulgaria
    croatia serbia slovenia slovakia ukraine russia turkey israel egypt morocco tunisia algeria nigeria kenya ghana ethiopia tanzania uganda
    india pakistan bangladesh nepal china japan korea taiwan vietnam thailand malaysia indonesia philippines singapore australia zealand canada
    mexico brazil argentina chile peru colombia ecuador bolivia uruguay venezuela cuba jamaica iran iraq jordan lebanon qatar emirates
    states kingdom california texas florida oregon arizona colorado nevada utah ohio michigan illinois georgia virginia maryland massachusetts
    connecticut vermont maine alaska hawaii montana idaho wyoming kansas nebraska iowa minnesota wisconsin indiana kentucky tennessee alabama
    mississippi louisiana arkansas oklahoma missouri carolina dakota jersey bavaria tuscany provence brittany normandy catalonia andalusia ontario
    quebec alberta queensland republic county province region
    """.split()
)


def common(candidate: Candidate, memory: MemoryRecord) -> tuple[bool, bool]:
    """Return whether candidate and memory share an entity, and whether they speak of one thing of one subject."""
    return _has_common_entity(candidate, memory), _has_common_slot(candidate, memory)


def _has_common_entity(candidate: Candidate, memory: MemoryRecord) -> bool:
    """The speaker is everywhere in its own partition, and so tells nothing."""
    everywhere = {normal(name) for name in (candidate.attributed_to, memory.attributed_to) if name}
    mine = {normal(entity) for entity in candidate.entities} - everywhere
    return not mine.isdisjoint(normal(entity) for entity in memory.entities)


def _has_common_slot(candidate: Candidate, memory: MemoryRecord) -> bool:
    """A multi-valued slot is shared only with its value: two likes have nothing in common."""
    theirs = stated(memory.text, memory.attributed_to) if memory.retired_at is None else ()
    return (
        bool(theirs)
        and any(
            is_near(mine, other) or (mine.slot.attribute == "said" and is_meant(mine, memory))
            for mine in stated_by(candidate)
            for other in theirs
        )
    ) or any(mine.slot.attribute == "said" and is_meant(mine, memory) for mine in slots.all_of(candidate))


def has_same_slot(candidate: Candidate, memory: MemoryRecord) -> bool:
    """Return True if a memory fills the slot that a candidate fills first, with whatever value."""
    mine = slots.of_candidate(candidate)
    return mine is not None and any(
        not theirs.is_negation and mine.slot.attribute == theirs.slot.attribute and is_one_subject(mine, theirs)
        for theirs in slots.readings(memory.text, memory.attributed_to)[:1]
    )


@lru_cache(maxsize=16_384)
def stated(text: str, speaker: str | None) -> tuple[Reading, ...]:
    """Return all readings of a statement: of the table, and what somebody does in any words."""
    habit = habits.habit(text, speaker)
    return (*slots.readings(text, speaker), *((habit,) if habit is not None else ()))


def stated_by(candidate: Candidate) -> tuple[Reading, ...]:
    """Return all readings of a candidate, the slot that it came with if its text gives none."""
    return stated(candidate.text, candidate.attributed_to) or slots.all_of(candidate)


def is_near(mine: Reading, theirs: Reading) -> bool:
    """Return True if two readings are of one slot of one subject, with one value if it may hold many."""
    if not is_one_subject(mine, theirs):
        return False
    if mine.slot.attribute == theirs.slot.attribute and not theirs.is_negation:
        is_near = mine.rule != "many" or values.is_same(mine.slot.value, theirs.slot.value)
        return is_near or leaves_no_room(mine, theirs, is_marked=True)
    return leaves_no_room(mine, theirs, is_marked=True)


def is_one_subject(mine: Reading, theirs: Reading, *, is_apart: bool = False) -> bool:
    """Return True if two readings speak of one person: by one name, or the speaker without a name and with one.

    is_apart: several speakers are known by name, so that one without a name may be any of them.
    """
    if normal(mine.slot.subject) == normal(theirs.slot.subject):
        return True
    if is_apart or mine.own is None or mine.own != theirs.own:
        return False
    return mine.is_unnamed or theirs.is_unnamed


def is_meant(mine: Reading, memory: MemoryRecord) -> bool:
    """Return True if a memory is what "forget what I said about X" takes back."""
    wanted = values.tokens(mine.slot.value)
    return bool(wanted) and wanted <= values.tokens(memory.text)


def leaves_no_room(mine: Reading, theirs: Reading, *, is_marked: bool = False) -> bool:
    """Return True if what `mine` says of a subject and what `theirs` says of it cannot both hold now.

    is_marked: the newer statement says that it corrects something.
    """
    if mine.is_negation:
        return not theirs.is_negation and _denies(mine, theirs)
    if theirs.is_negation:
        is_said_again = mine.slot.attribute == theirs.slot.attribute and mine.slot.attribute in _DENIABLE
        return is_said_again and mine.is_whole and theirs.is_whole and _is_equal(mine, theirs)
    return _replaces(mine, theirs, is_marked=is_marked)


def _denies(mine: Reading, theirs: Reading) -> bool:
    attribute, value = mine.slot.attribute, mine.slot.value
    if attribute == "any":
        return _is_given_up(mine, theirs)
    if attribute == "does" and theirs.slot.attribute == "likes":
        return mine.is_change and value.split()[0] in _TASTED and _is_equal_words(habits.complement(value), theirs)
    if attribute != theirs.slot.attribute:
        return False
    if not value:
        return attribute != "job_title" or "student" not in theirs.slot.value  # who loses a job may study on
    if "|" in value or attribute == "coupled":
        return theirs.slot.value.casefold() in value.split("|")
    if attribute in _EQUAL:
        return _is_equal(mine, theirs)
    if attribute in ("owns", "has", "uses", "job_title"):
        return values.is_same_thing(value, theirs.slot.value)
    return values.is_same(mine.slot.value, theirs.slot.value)


def _is_equal(mine: Reading, theirs: Reading) -> bool:
    if mine.slot.attribute == "does":
        return mine.slot.value == theirs.slot.value
    return values.is_equal(mine.slot.value, theirs.slot.value)


def _is_equal_words(stems: str, theirs: Reading) -> bool:
    return bool(stems) and set(stems.split()) == values.tokens(theirs.slot.value)


def _is_given_up(mine: Reading, theirs: Reading) -> bool:
    """What is switched from or given up names its value alone: a habit's object, a tool, an employer, a diet."""
    attribute = theirs.slot.attribute
    if attribute == "does":
        whole = tuple(sorted(values.tokens(mine.slot.value)))
        habit = theirs.slot.value
        objects = [habit, habits.complement(habit)]
        return any(tuple(sorted(set(held.split()))) == whole for held in objects if held)
    if attribute in SETTLED or attribute.startswith(("favourite_", "date_of_", "count_of_")):
        return False
    return values.is_same_thing(mine.slot.value, theirs.slot.value)


def _replaces(mine: Reading, theirs: Reading, *, is_marked: bool) -> bool:
    """One value for another, where a subject has one at a time."""
    if (
        mine.slot.attribute != theirs.slot.attribute
        or mine.is_also
        or theirs.is_also
        or "many" in (mine.rule, theirs.rule)
    ):
        return False
    if mine.rule == "marked" and not (mine.is_change or is_marked):
        return False
    if mine.is_part:
        return not _is_equal(mine, theirs)
    if values.is_same(mine.slot.value, theirs.slot.value):
        return False
    return mine.slot.attribute not in ("lives_in", "birthplace") or _is_wide(mine) == _is_wide(theirs)


def _is_wide(reading: Reading) -> bool:
    """A country or a region may hold the city that another statement names."""
    return normal(reading.slot.value).split()[-1] in _WIDE and "," not in reading.slot.value


def group(reading: Reading) -> str:
    """Return what a slot ends along with: a job with its employer."""
    return GROUPS.get(reading.slot.attribute, reading.slot.attribute)
