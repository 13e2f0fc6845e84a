"""The same statement twice: within one exchange, or against what is stored.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from perdure.models import Candidate, Decision, Match, MemoryRecord, Origin
from perdure.text import normal
from perdure.write.similar import cosine
from perdure.write.words import differ

if TYPE_CHECKING:
    from perdure.models import FloatArray

OWN_WORD: frozenset[Origin] = frozenset(("user", "manual", "import"))  # what no other origin may touch


def is_repeat(one: Candidate, other: Candidate | MemoryRecord, similarity: float, *, near_duplicate: float) -> bool:
    """True if two statements say the same of the same time.

    Their texts are equal in normal form, or near, and equal in names, numbers and negations.
    """
    if one.event_from and other.event_from and one.event_from != other.event_from:
        return False
    if normal(one.text) == normal(other.text):
        return True
    return similarity >= near_duplicate and not differ(one.text, other.text)


def repeats(
    candidates: Sequence[Candidate], vectors: Sequence[FloatArray | None], *, near_duplicate: float
) -> dict[int, int]:
    """Return, for each candidate that repeats another of the exchange, the one that stands for both.

    The first stands, unless a later one is the user's own word and the first is not.
    """
    chosen: dict[int, int] = {}
    order = sorted(range(len(candidates)), key=lambda i: (candidates[i].origin not in OWN_WORD, i))
    standing: list[int] = []
    for index in order:
        one = candidates[index]
        for other in standing:
            near = cosine(vectors[index], vectors[other])
            if is_repeat(one, candidates[other], near, near_duplicate=near_duplicate):
                chosen[index] = other
                break
        else:
            standing.append(index)
    return chosen


def append(matches: Sequence[Match], *, near_duplicate: float) -> list[Decision]:
    """Return the decisions of policy="append": NOOP for what is stored already, else ADD."""
    decisions = []
    for index, match in enumerate(matches):
        known = [
            near.memory.id
            for near in match.similar
            if is_repeat(match.candidate, near.memory, near.similarity, near_duplicate=near_duplicate)
        ]
        if known:
            decisions.append(Decision(index, "NOOP", known[0], reason="known already"))
        else:
            decisions.append(Decision(index, "ADD", reason="add only"))
    return decisions
