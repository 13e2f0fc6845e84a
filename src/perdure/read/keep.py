"""What is kept of the hits: each memory once, each text once, and on request few that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perdure.models import Explanation, Hit
from perdure.text import STOP_WORDS, normal, stem, words


def keep(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits without repetition, order kept; the better one notes whom else it stands for.

    A hit repeats a better one if it is the same memory or message, or says the same (normal form) of the same owner:
    two memories with equal ends of validity and equal event, two messages of one day.  The day counts because "I ran
    today" said twice is two facts.  A memory and the message it came from both stay: one carries the settled fact and
    its interval, the other the words.
    """
    kept: list[Hit] = []
    places: dict[tuple[object, ...], int] = {}
    for hit in hits:
        keys = _keys(hit)
        place = next((places[key] for key in keys if key in places), None)
        if place is None:
            places.update(dict.fromkeys(keys, len(kept)))
            kept.append(hit)
        else:
            kept[place] = _noted(kept[place], f"also said by {hit.id}")
    return kept


def diverse(hits: Sequence[Hit], k: int, share: float) -> list[Hit]:
    """Return k hits by maximal marginal relevance; their scores stay with them, so they may rise down the list.

    Next comes the hit with the highest  (1 − share) · score / best − share · likeness,  where likeness is the share of
    words (Jaccard) with the most alike hit that stands already; ties as they stood.  The first stays first.
    Source: Carbonell and Goldstein, SIGIR 1998.  Cost: O(k · n) comparisons of word sets.
    """
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    said = [frozenset(stem(word) for word in words(hit.text) if word not in STOP_WORDS) for hit in hits]
    likeness = [0.0] * len(hits)
    left = list(range(len(hits)))
    chosen: list[Hit] = []
    while left and len(chosen) < k:
        value = [(1.0 - share) * hits[place].score / best - share * likeness[place] for place in left]
        place = left.pop(value.index(max(value))) if chosen else left.pop(0)
        note = f"diversity: likeness {likeness[place]:.2f}, place {place + 1} without it"
        chosen.append(_noted(hits[place], note))
        for other in left:
            likeness[other] = max(likeness[other], _jaccard(said[place], said[other]))
    return chosen


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _keys(hit: Hit) -> tuple[tuple[object, ...], ...]:
    same = normal(hit.text)
    if hit.memory is not None:
        memory = hit.memory
        says = ("memory", memory.user, memory.agent, memory.run, same, memory.event_from, memory.valid_to)
        return (("memory", hit.id), says)
    if hit.message is not None:
        message = hit.message
        return (("message", hit.id), ("message", message.user, message.agent, message.run, same, hit.at.date()))
    return ((hit.kind, hit.id),)


def _noted(hit: Hit, note: str) -> Hit:
    if hit.explanation is None:
        return hit
    explanation: Explanation = replace(hit.explanation, notes=(*hit.explanation.notes, note))
    return replace(hit, explanation=explanation)
