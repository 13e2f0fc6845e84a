"""Whether two statements meet: share a name or a slot, and whether the one leaves no room for the other."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from perdure.models import Candidate, MemoryRecord
from perdure.offline import endings, habits, slots, values
from perdure.offline.slots import Reading
from perdure.offline.wordings import ALONG, DAIRY, FISHES, MEATS, SETTLED
from perdure.text import normal

_EQUAL: Final = frozenset("likes dislikes prefers allergic_to speaks eats_only studies does".split())
_DENIABLE: Final = _EQUAL | {"diet", "lives_in", "works_at"}  # a denial of these is ended by saying that it is so
_WRAPPED: Final = frozenset(("subscript", "membership", "account", "habit"))  # stems: "the Guardian subscription"
_TASTED: Final = frozenset(("drink", "eat"))  # who no longer drinks coffee does not love it as before
_NEW: Final = 5  # words that may stand for the wrong ones; chosen
_FOODS: Final = {word: foods[0] for foods in (MEATS, FISHES, DAIRY) for word in foods}
_LEFT_OUT: Final = {  # kinds of food that a diet leaves no room for
    "vegan": ("meat", "fish", "dairy"), "vegetarian": ("meat", "fish"), "veggie": ("meat", "fish"), "pescatarian": ("meat",),
    "pescetarian": ("meat",),
}  # fmt: skip
_SOLE: Final = {  # of whom somebody has one, by all the words for them
    word: words[0]
    for words in (
        "mother mum mom mam mummy mommy".split(),
        "father dad daddy papa".split(),
        ["wife"],
        ["husband"],
        ["partner"],
        ["girlfriend"],
        ["boyfriend"],
    )
    for word in words
}
_COUPLED: Final = ("in a relationship", "engaged", "married")  # each is ended by a later one only
_COUNTRIES: Final = frozenset(
    """
    africa america asia europe oceania scandinavia britain uk kingdom usa us states france germany spain italy portugal greece austria
    switzerland belgium netherlands holland luxembourg denmark sweden norway finland iceland poland czechia hungary romania
    bulgaria croatia serbia slovenia slovakia ukraine russia turkey israel egypt morocco tunisia algeria nigeria kenya ghana
    ethiopia tanzania uganda india pakistan bangladesh nepal china japan korea taiwan vietnam thailand malaysia indonesia
    philippines singapore australia zealand canada mexico brazil argentina chile peru colombia ecuador bolivia uruguay
    venezuela cuba jamaica iran iraq jordan lebanon qatar emirates ireland republic
    """.split()
)
_REGIONS: Final = frozenset(
    """
    england scotland wales california texas florida oregon arizona colorado nevada utah ohio michigan illinois virginia
    maryland massachusetts connecticut vermont maine alaska hawaii montana idaho wyoming kansas nebraska iowa minnesota
    wisconsin indiana kentucky tennessee alabama mississippi louisiana arkansas oklahoma missouri carolina dakota jersey york
    bavaria tuscany provence brittany normandy catalonia andalusia ontario quebec alberta queensland county province
    """.split()
)


def common(candidate: Candidate, memory: MemoryRecord) -> tuple[bool, bool]:
    """Return whether candidate and memory share an entity, and whether they speak of one thing of one subject."""
    is_one_thing = _has_common_slot(candidate, memory) or endings.settles(candidate, memory) is not None
    return _has_common_entity(candidate, memory), is_one_thing


def _has_common_entity(candidate: Candidate, memory: MemoryRecord) -> bool:
    """The speaker is everywhere in its own partition, and so tells nothing."""
    everywhere = {normal(name) for name in (candidate.attributed_to, memory.attributed_to) if name}
    mine = {normal(entity) for entity in candidate.entities} - everywhere
    return not mine.isdisjoint(normal(entity) for entity in memory.entities)


def _has_common_slot(candidate: Candidate, memory: MemoryRecord) -> bool:
    """A multi-valued slot is shared only with its value: two likes have nothing in common."""
    if is_restated(candidate, memory):
        return True
    theirs = stated(memory.text, memory.attributed_to) if memory.retired_at is None else ()
    return (
        bool(theirs)
        and any(
            is_near(mine, other) or (mine.slot.attribute == "said" and is_meant(mine, memory))
            for mine in stated_by(candidate)
            for other in theirs
        )
    ) or any(mine.slot.attribute == "said" and is_meant(mine, memory) for mine in slots.all_of(candidate))


def line_of(candidate: Candidate) -> tuple[str, str] | None:
    """Return the slot of one value at a time that a candidate fills; None where it fills several, or ends any."""
    readings = slots.all_of(candidate)
    reading = readings[0] if len(readings) == 1 else None  # what fills several slots has no one line to stand in
    if reading is None or reading.is_negation or not reading.slot.is_single:
        return None
    return normal(reading.slot.subject), reading.slot.attribute


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
    if not is_one_subject(mine, theirs):  # what another speaker says of it tells whom "the user" may mean
        is_of_speakers = mine.own is not None and mine.own == theirs.own and mine.rule != "many"
        return is_of_speakers and mine.slot.attribute == theirs.slot.attribute
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
    if _is_named_kin(mine, theirs) or _is_named_kin(theirs, mine):
        return True
    if mine.own is None or theirs.own is None or not _is_same_kin(mine.own, theirs.own):
        return False
    return _whose(mine) == _whose(theirs) or (not is_apart and (mine.is_unnamed or theirs.is_unnamed))


def _whose(reading: Reading) -> str:
    return normal(reading.slot.subject[: len(reading.slot.subject) - len(reading.own or "")])


def _is_same_kin(one: str, other: str) -> bool:
    """True for equal words, and for one of whom there is one, by whatever word: "'s mum helen" and "'s mother"."""
    if one == other:
        return True
    (kin, *name), (kin_too, *name_too) = one.split()[1:] or [""], other.split()[1:] or [""]
    return _SOLE.get(kin, "") == _SOLE.get(kin_too, "-") and (not name or not name_too or name == name_too)


def _is_named_kin(mine: Reading, theirs: Reading) -> bool:
    """True for "Marek" and "the user's brother Marek": one who was named so is meant by the name alone."""
    return (
        mine.own is None
        and normal(theirs.slot.subject).endswith(f" {normal(mine.slot.subject)}")
        and bool(re.search(r"'s (?:[a-z-]+ )+[A-ZÀ-Þ]", theirs.slot.subject))
    )


def is_meant(mine: Reading, memory: MemoryRecord) -> bool:
    """Return True if a memory is what "forget what I said about X" takes back."""
    wanted = values.tokens(mine.slot.value)
    return bool(wanted) and wanted <= values.tokens(memory.text)


_INSTEAD = re.compile(r"(?:,|,? and|,? but) not (?P<old>[\w'’ -]{1,40}?)[.!]*$")


def is_restated(candidate: Candidate, memory: MemoryRecord) -> bool:
    """Return True if a candidate says a memory again but for a value that it names as wrong.

    "I studied in Leuven, not Delft" says again "I studied in Delft", whatever slot that is.
    """
    instead = _INSTEAD.search(candidate.text)
    if instead is None:
        return False
    wrong = values.tokens(instead["old"])
    new, old = (values.tokens(text) for text in (candidate.text[: instead.start()], memory.text))
    kept = old - wrong
    return (
        bool(wrong)
        and wrong <= old
        and not wrong & new
        and len(kept) > 1
        and kept <= new
        and 0 < len(new - kept) < _NEW
    )


def leaves_no_room(mine: Reading, theirs: Reading, *, is_marked: bool = False) -> bool:
    """Return True if what `mine` says of a subject and what `theirs` says of it cannot both hold now.

    is_marked: the newer statement says that it corrects something.
    """
    if mine.is_negation:
        return not theirs.is_negation and _denies(mine, theirs)
    if theirs.is_negation:
        is_said_again = mine.slot.attribute == theirs.slot.attribute and mine.slot.attribute in _DENIABLE
        is_whole = mine.is_whole and theirs.is_whole and mine.tail == theirs.tail
        return is_said_again and is_whole and _is_equal(mine, theirs)
    return _replaces(mine, theirs, is_marked=is_marked)


def _denies(mine: Reading, theirs: Reading) -> bool:
    attribute, value = mine.slot.attribute, mine.slot.value
    if attribute == "any":
        return _is_given_up(mine, theirs)
    if attribute == "does" and theirs.slot.attribute == "likes":
        return (
            mine.is_change
            and not mine.tail
            and value.split()[0] in _TASTED
            and _is_equal_words(habits.complement(value), theirs)
        )
    if attribute != theirs.slot.attribute:
        return False
    if value in ("", "*"):  # who loses a job may study on, and stays a nurse by training until retired
        is_job = attribute == "job_title"
        return not is_job or ("student" not in theirs.slot.value and (value == "*" or theirs.rule == "single"))
    if "|" in value or attribute == "coupled":
        return theirs.slot.value.casefold() in value.split("|")
    if attribute == "eats":  # no meat, no steak; but no steak is not no meat
        return theirs.slot.value == value or _FOODS.get(theirs.slot.value) == value
    if attribute in _EQUAL:
        return _is_equal(mine, theirs)
    if attribute in ("owns", "has", "uses", "job_title"):
        return values.is_same_thing(value, theirs.slot.value)
    return values.is_same(mine.slot.value, theirs.slot.value)


def _is_equal(mine: Reading, theirs: Reading) -> bool:
    if mine.slot.attribute == "does":
        return mine.slot.value == theirs.slot.value and mine.tail <= theirs.tail
    return values.is_equal(mine.slot.value, theirs.slot.value)


def _is_equal_words(stems: str, theirs: Reading) -> bool:
    return bool(stems) and set(stems.split()) == values.tokens(theirs.slot.value)


def _is_given_up(mine: Reading, theirs: Reading) -> bool:
    """What is switched from or given up names its value alone: a habit's object, a tool, an employer, a diet."""
    attribute = theirs.slot.attribute
    wanted = values.tokens(mine.slot.value)
    wanted = wanted - _WRAPPED or wanted
    if attribute == "does":  # "gave up chess", "gave up playing chess", "left the band" that one plays in
        habit = theirs.slot.value
        return wanted in (frozenset(habit.split()), frozenset(habits.complement(habit).split()), theirs.tail - {"in"})
    if attribute in SETTLED or attribute.startswith(("favourite_", "date_of_", "count_of_")):
        return False
    return values.is_same_thing(mine.slot.value, theirs.slot.value)


def _replaces(mine: Reading, theirs: Reading, *, is_marked: bool) -> bool:
    """One value for another, where a subject has one at a time."""
    if theirs.slot.attribute == "eats" and mine.slot.attribute == "diet":
        return not mine.is_also and _FOODS.get(theirs.slot.value) in _LEFT_OUT.get(mine.slot.value, ())
    if theirs.slot.attribute == "jobless" and mine.slot.attribute in ("works_at", "job_title"):
        return mine.rule == "single" and not mine.is_also
    if (
        mine.slot.attribute != theirs.slot.attribute
        or mine.is_also
        or theirs.is_also
        or "many" in (mine.rule, theirs.rule)
    ):
        return False
    if mine.rule == "marked" and not (mine.is_change or is_marked):
        return False
    if mine.slot.attribute == "job_title":
        return (mine.is_change or is_marked) and not _is_equal(mine, theirs)
    if mine.slot.attribute in ("works_at", "diet") and theirs.rule == "marked" and not (mine.is_change or is_marked):
        return False
    if mine.slot.attribute == "coupled":
        return _COUPLED.index(mine.slot.value) > _COUPLED.index(theirs.slot.value)
    if values.is_same(mine.slot.value, theirs.slot.value):
        return False
    return mine.slot.attribute not in ("lives_in", "birthplace") or _width(mine) == _width(theirs)


def _width(reading: Reading) -> int:
    """0 for a town, 1 for a region, 2 for a country: a wider place may hold the town that another statement names."""
    *first, last = normal(reading.slot.value).split()
    if "," in reading.slot.value or (last == "york" and not first):  # the town in England
        return 0
    return 2 if last in _COUNTRIES else 1 if last in _REGIONS else 0


def ended_with(reading: Reading) -> frozenset[str]:
    """Return the slots that end when one does: a job with its employer."""
    attribute = reading.slot.attribute
    return frozenset((attribute, ALONG.get(attribute, attribute)))
