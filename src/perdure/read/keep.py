"""What is kept of the hits: each memory once, each text once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perdure.models import Explanation, Hit
from perdure.text import normal


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
