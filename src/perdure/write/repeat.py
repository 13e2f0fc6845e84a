"""The same statement twice: within one exchange, or against what is stored.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from perdure.models import Candidate, Decision, Match, MemoryRecord, Origin
from perdure.text import normal
from perdure.write.words import differ

if TYPE_CHECKING:
    from perdure.models import FloatArray

OWN_WORD: frozenset[Origin] = frozenset(("user", "manual", "import"))  # what no other origin may touch

_BLOCK = 512  # rows of cosines at a time, so that they take little memory (chosen)


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
    rank = {index: place for place, index in enumerate(order)}
    near = _near(vectors, near_duplicate=near_duplicate)
    standing: dict[str, dict[datetime | None, int]] = {}  # normal form → time → the first candidate that stands
    for index in order:
        one = candidates[index]
        same = standing.setdefault(normal(one.text), {})
        equal = [same[at] for at in (None, one.event_from) if at in same] if one.event_from else list(same.values())[:1]
        others = {
            *equal,
            *(other for other in near.get(index, ()) if rank[other] < rank[index] and other not in chosen),
        }
        for other in sorted(others, key=rank.__getitem__):
            if is_repeat(one, candidates[other], 1.0, near_duplicate=near_duplicate):
                chosen[index] = other
                break
        else:
            same.setdefault(one.event_from, index)
    return chosen


def _near(vectors: Sequence[FloatArray | None], *, near_duplicate: float) -> dict[int, list[int]]:
    """Return, by index, the other vectors whose cosine is at least `near_duplicate`.

    Cost: one product of matrices a block of rows.
    """
    held = [(index, vector) for index, vector in enumerate(vectors) if vector is not None]
    if len(held) < 2:
        return {}
    import numpy as np

    indices = np.array([index for index, _ in held])
    matrix = np.stack([vector for _, vector in held])
    found: dict[int, list[int]] = {}
    for begin in range(0, len(held), _BLOCK):
        rows, columns = np.nonzero(matrix[begin : begin + _BLOCK] @ matrix.T >= near_duplicate)
        for row, column in zip(indices[rows + begin].tolist(), indices[columns].tolist(), strict=True):
            if row != column:
                found.setdefault(row, []).append(column)
    return found


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
