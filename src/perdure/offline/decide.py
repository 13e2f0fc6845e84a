"""Decisions by rules: the same Algorithm 1, without a language model.

A false supersession hides a true fact, a missed one leaves a duplicate: where the wording leaves a doubt, ADD.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from perdure.models import Candidate, Decision, Effect, Match, MemoryRecord, Origin, Similar, Slot
from perdure.offline import slots
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
_RESTATED = 0.6  # chosen: of the content words of both, what a paraphrase must share


def decide(matches: Sequence[Match], *, near_duplicate: float) -> list[Decision]:
    """Return the decisions on every candidate, candidates in order; a memory is retired once at most.

    NOOP on the memory that says the same; DELETE on what fills the same slot otherwise (the candidate becomes its
    successor) or is negated; else ADD.  What ended already stays.
    """
    decisions: list[Decision] = []
    retired: set[str] = set()
    for index, match in enumerate(matches):
        same = next((s for s in match.similar if _is_repeated(match.candidate, s, near_duplicate)), None)
        if same is not None and same.memory.id not in retired:
            decisions.append(Decision(index, "NOOP", target=same.memory.id, reason="says the same"))
            continue
        ended = [d for d in _retire(index, match) if d.target not in retired]
        retired.update(d.target for d in ended if d.target)
        decisions.extend(ended or [Decision(index, "ADD", reason="nothing stored says or contradicts it")])
    return decisions


def _is_repeated(candidate: Candidate, similar: Similar, near_duplicate: float) -> bool:
    memory = similar.memory
    if memory.valid_to is not None or memory.retired_at is not None:
        return False
    if candidate.is_negation or candidate.is_correction:
        return normal(candidate.text) == normal(memory.text)
    if normal(candidate.text) == normal(memory.text):
        return candidate.event_from == memory.event_from
    return similar.similarity >= near_duplicate and not differs(candidate, memory)


def differs(candidate: Candidate, memory: MemoryRecord) -> bool:
    """Return True if two texts differ in a number, name, negation, date or opposite, or share too few words."""
    if (candidate.event_from, candidate.event_to) != (memory.event_from, memory.event_to):
        return True
    mine, theirs = slots.of_candidate(candidate), slots.read(memory.text, memory.attributed_to)
    if (
        mine
        and theirs
        and mine.slot.attribute == theirs.slot.attribute
        and not slots.is_same_value(mine.slot, theirs.slot)
    ):
        return True
    if _marks(candidate.text) != _marks(memory.text) or not agree(candidate.text, memory.text):
        return True
    ours, others = _stems(candidate.text), _stems(memory.text)
    return len(ours & others) < _RESTATED * len(ours | others)


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


def _retire(index: int, match: Match) -> list[Decision]:
    candidate = match.candidate
    reading = slots.of_candidate(candidate)
    if reading is None:
        return []
    found: list[Decision] = []
    for similar in match.similar:
        memory = similar.memory
        if not _may_retire(candidate, memory):
            continue
        theirs = slots.find(memory.text, memory.attributed_to)
        if theirs is not None and slots.is_same(reading.slot, theirs):
            decision = _retirement(index, candidate, reading, memory, theirs)
            if decision is not None:
                found.append(decision)
    return found


def _may_retire(candidate: Candidate, memory: MemoryRecord) -> bool:
    """What ended stays ended; only a user ends what a user said.  `apply` puts what was said late into its place."""
    if memory.valid_to is not None or memory.retired_at is not None:
        return False
    return memory.origin not in _TRUSTED or candidate.origin in _TRUSTED


def _retirement(
    index: int, candidate: Candidate, reading: slots.Reading, memory: MemoryRecord, theirs: Slot
) -> Decision | None:
    """Return the DELETE of a memory of the same slot, or None where both may hold."""
    is_same_value = slots.is_same_value(reading.slot, theirs)
    if reading.is_negation:
        if is_same_value or (not reading.slot.value and theirs.is_single):
            return Decision(index, "DELETE", memory.id, "change", reason=f"{theirs.attribute} holds no longer")
        return None
    if not (reading.slot.is_single and theirs.is_single) or is_same_value:
        return None
    effect: Effect = "correction" if candidate.is_correction else "change"
    return Decision(index, "DELETE", memory.id, effect, reason=f"{theirs.attribute} has another value")
