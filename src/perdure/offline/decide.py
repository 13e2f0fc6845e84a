"""Decisions by rules: the same Algorithm 1, without a language model.

A false supersession hides a true fact, a missed one leaves a duplicate: where the wording leaves a doubt, ADD.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from perdure.models import Candidate, Decision, Effect, Match, MemoryRecord, Origin, Similar, Slot
from perdure.offline import correction, endings, meet, slots, small_talk, values
from perdure.offline.sentences import is_english
from perdure.offline.slots import Reading
from perdure.text import agree, content_words, normal, stem, words

_NEGATION = frozenset(
    "not no never none nobody nothing neither nor without cannot hardly barely longer anymore".split()
)
_POLAR = frozenset(
    """
    like love enjoy hate dislike prefer more less before after left right up down start stop begin end quit win lose won
    lost first last morning afternoon evening night open close buy sell bought sold borrow lend arrive leave join always
    sometimes rarely often all some few many most half twice once one two three four five six seven eight nine ten son
    daughter brother sister mother father mom dad husband wife boy girl older younger north south east west early late
    accept refuse pass fail hot cold big small high low increase decrease single marry married divorce was were used
    """.split()
)
_TRUSTED: frozenset[Origin] = frozenset(("user", "manual", "import"))
_ROLES = frozenset(("user", "human", "assistant", "system", "tool"))
_RESTATED = 0.6  # chosen: of the content words of both, what a paraphrase must share


def decide(matches: Sequence[Match], *, near_duplicate: float) -> list[Decision]:
    """Return the decisions on every candidate, candidates in order; a memory is retired once at most.

    NOOP on the memory that says the same; DELETE on what fills the same slot otherwise (the candidate becomes its
    successor) or is negated; else ADD.  What ended already stays.
    """
    decisions: list[Decision] = []
    is_apart = _are_several(matches)
    retired: set[str] = set()
    for index, match in enumerate(matches):
        same = next((s for s in match.similar if _is_repeated(match.candidate, s, near_duplicate)), None)
        if same is not None and same.memory.id not in retired:
            decisions.append(Decision(index, "NOOP", target=same.memory.id, reason="says the same"))
            continue
        ended = [d for d in _retire(index, match, is_apart=is_apart) if d.target not in retired]
        retired.update(d.target for d in ended if d.target)
        decisions.extend(ended or [Decision(index, "ADD", reason="nothing stored says or contradicts it")])
    return decisions


def _is_repeated(candidate: Candidate, similar: Similar, near_duplicate: float) -> bool:
    memory = similar.memory
    if memory.valid_to is not None or memory.retired_at is not None:
        return False
    if candidate.is_negation or candidate.is_correction:
        return normal(candidate.text) == normal(memory.text)
    if _form(candidate.text) == _form(memory.text):
        return candidate.event_from == memory.event_from
    return similar.similarity >= near_duplicate and not differs(candidate, memory)


@lru_cache(maxsize=16_384)
def _form(text: str) -> str:
    """Return the form in which two sayings of one thing are equal; of another language without accents and small talk."""
    return normal(text) if is_english(text) else small_talk.told(text)


def differs(candidate: Candidate, memory: MemoryRecord) -> bool:
    """Return True if two texts differ in a number, name, negation, date or opposite, or share too few words."""
    if (candidate.event_from, candidate.event_to) != (memory.event_from, memory.event_to):
        return True
    theirs = meet.stated(memory.text, memory.attributed_to)
    if any(_clash(mine, other) for mine in meet.stated_by(candidate) for other in theirs):
        return True
    if _marks(candidate.text) != _marks(memory.text) or not agree(candidate.text, memory.text):
        return True
    ours, others = _stems(candidate.text), _stems(memory.text)
    return len(ours & others) < _RESTATED * len(ours | others)


def _clash(mine: Reading, theirs: Reading) -> bool:
    """True if one leaves no room for the other, or both name one thing of their subjects and give it other values."""
    if meet.leaves_no_room(mine, theirs) or meet.leaves_no_room(theirs, mine):
        return True
    return mine.slot.attribute == theirs.slot.attribute != "does" and not values.is_same(
        mine.slot.value, theirs.slot.value
    )


def _marks(text: str) -> tuple[frozenset[str], frozenset[str], bool]:
    """Numbers and names; opposites; whether it is negated."""
    plain = text.replace("’", "'")
    numbers = set(re.findall(r"\d+", plain))
    names = {stem(word.casefold()) for word in re.findall(r"\b[A-Z][\w'-]*", plain)} - {"the", "a", "an", "i", "it"}
    found = words(plain)
    polar = {stem(word) for word in found} & {stem(word) for word in _POLAR}
    negated = any(word in _NEGATION or word.endswith("n't") for word in found)
    return frozenset(numbers | names), frozenset(polar), negated


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}


@dataclass(frozen=True, slots=True)
class _Hit:
    """A memory that the candidate leaves no room for, and the readings of both that clash."""

    memory: MemoryRecord
    mine: Reading
    theirs: Reading


def _retire(index: int, match: Match, *, is_apart: bool) -> list[Decision]:
    """Return the DELETE of every memory that the candidate leaves no room for, in the order of the memories."""
    candidate = match.candidate
    held = [s.memory for s in match.similar if _may_retire(candidate, s.memory)]
    readings = meet.stated_by(candidate)
    is_marked = candidate.is_correction or correction.is_marked(candidate.quote, candidate.text)
    hits = [
        hit for memory in held for hit in _hits(candidate, readings, memory, is_apart=is_apart, is_marked=is_marked)
    ]
    hits += _taken_back(readings, held)
    hits += [_Hit(m, *[_restated(candidate)] * 2) for m in held if meet.is_restated(candidate, m)]
    found: dict[str, Decision] = {}
    for hit in hits:
        if hit.memory.id not in found and not _is_ambiguous(hit, hits):
            found[hit.memory.id] = _retirement(index, hit, candidate, is_marked=is_marked)
    return list(found.values()) or _ended_in_other_words(index, candidate, held, is_apart=is_apart)


def _ended_in_other_words(
    index: int, candidate: Candidate, held: Sequence[MemoryRecord], *, is_apart: bool
) -> list[Decision]:
    """Return the DELETE of the one memory whose thing the candidate names and says to be over; nothing of two alike."""
    found = [
        (endings.fit(candidate, memory), effect, memory)
        for memory in held
        if (effect := endings.settles(candidate, memory, is_apart=is_apart)) is not None
    ]
    most = max((fit for fit, _, _ in found), default=0)
    best = [(effect, memory) for fit, effect, memory in found if fit == most]
    if len(best) != 1:
        return []
    reason = "it was taken back" if best[0][0] == "correction" else "it is said to be over or otherwise"
    return [Decision(index, "DELETE", best[0][1].id, best[0][0], reason=reason)]


def _may_retire(candidate: Candidate, memory: MemoryRecord) -> bool:
    """What ended stays ended; only a user ends what a user said.  `apply` puts what was said late into its place."""
    if memory.valid_to is not None or memory.retired_at is not None:
        return False
    return memory.origin not in _TRUSTED or candidate.origin in _TRUSTED


def _hits(
    candidate: Candidate, readings: Sequence[Reading], memory: MemoryRecord, *, is_apart: bool, is_marked: bool
) -> list[_Hit]:
    """Return where the candidate clashes with a memory; nothing if the memory says more that still holds."""
    stated = meet.stated(memory.text, memory.attributed_to)
    hits = [
        _Hit(memory, mine, theirs)
        for mine in readings
        for theirs in stated
        if meet.is_one_subject(mine, theirs, is_apart=is_apart)
        and meet.leaves_no_room(mine, theirs, is_marked=is_marked)
        and not _is_past(mine, memory, candidate, is_marked=is_marked)
        and not (mine.is_dated and candidate.event_to is None)
    ]
    ended = {hit.theirs.slot.attribute for hit in hits}
    ended = ended.union(*(meet.ended_with(hit.theirs) for hit in hits if not hit.mine.is_part))
    ended |= {"does"} | {r.slot.attribute for r in stated if any(_says_again(mine, r) for mine in readings)}
    kept = [r for r in stated if not r.is_negation and r.slot.attribute not in ended]
    return [] if kept or _goes_on(memory.text, hits) else hits


def _says_again(mine: Reading, theirs: Reading) -> bool:
    one, other = mine.slot, theirs.slot
    return not mine.is_negation and one.attribute == other.attribute and values.is_same(one.value, other.value)


def _is_past(mine: Reading, memory: MemoryRecord, candidate: Candidate, *, is_marked: bool) -> bool:
    """An appointment whose time has come is over, and not moved; what somebody did on a day is no habit."""
    if mine.slot.attribute == "does":
        return memory.event_from is not None
    if not mine.slot.attribute.startswith("date_of_"):
        return False
    return memory.event_to is not None and memory.event_to <= candidate.at and not is_marked


def _goes_on(text: str, hits: Sequence[_Hit]) -> bool:
    """True if a memory joins more to a value of many ("likes dogs and cats"), which would end along."""
    return any(
        hit.theirs.rule == "many"
        and hit.theirs.slot.attribute != "does"
        and re.search(
            rf"{re.escape(hit.theirs.slot.value.split(' named ')[0])}(?:, (?!the user|I\b|we\b|my\b)| and | or |.* and (?:an?|the|two|three|some) )",
            text,
        )
        is not None
        for hit in hits
    )


def _taken_back(readings: Sequence[Reading], held: Sequence[MemoryRecord]) -> list[_Hit]:
    """Return the newest memory that "forget what I said about X" means."""
    for reading in readings:
        if reading.slot.attribute == "said":
            meant = [m for m in held if meet.is_meant(reading, m) and m.origin in _TRUSTED]
            newest = max(meant, key=lambda m: (m.valid_from or m.created_at, m.id), default=None)
            return [] if newest is None else [_Hit(newest, reading, reading)]
    return []


def _restated(candidate: Candidate) -> Reading:
    """Return a reading for a statement that is said again with another value, and fills no slot."""
    return Reading(Slot(candidate.attributed_to or "", "statement", "", is_single=True))


def _is_ambiguous(hit: _Hit, hits: Sequence[_Hit]) -> bool:
    """True if a denial fits several things and does not say which ("my dog died" of two dogs, "quit my job" of two)."""
    if not hit.mine.is_negation or hit.mine.slot.attribute == "said":
        return False
    others = [o for o in hits if o.mine == hit.mine and o.theirs.slot.attribute == hit.theirs.slot.attribute]
    return any(not values.is_same(hit.theirs.slot.value, other.theirs.slot.value) for other in others)


def _retirement(index: int, hit: _Hit, candidate: Candidate, *, is_marked: bool) -> Decision:
    attribute = hit.theirs.slot.attribute
    is_taken_back = attribute == "said" or (slots.is_fixed(attribute) and not hit.mine.is_change)
    is_taken_back |= correction.is_firm(candidate.quote, candidate.text, wrong=hit.theirs.slot.value)
    effect: Effect = "correction" if is_taken_back or (is_marked and not hit.mine.is_change) else "change"
    if attribute == "said":
        reason = "it was taken back"
    elif hit.mine.is_negation:
        reason = f"{attribute} holds no longer"
    else:
        reason = f"{attribute} has another value"
    ends = candidate.event_to if hit.mine.is_dated else None
    return Decision(index, "DELETE", hit.memory.id, effect, reason=reason, ends=ends)


def _are_several(matches: Sequence[Match]) -> bool:
    """True if more than one speaker is known by name: one without a name may then be any of them."""
    names = {match.candidate.attributed_to for match in matches}
    names |= {similar.memory.attributed_to for match in matches for similar in match.similar}
    return len({normal(name) for name in names if name} - _ROLES) > 1
