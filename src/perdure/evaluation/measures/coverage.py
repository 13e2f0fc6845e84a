"""Gold-token coverage: how much of the right answer's wording a context holds at all."""

from __future__ import annotations

from perdure.text import STOP_WORDS, terms


def gold_coverage(context: str, gold: str) -> float | None:
    """Return |C ∩ G| / |G| over distinct stems, G without function words; None where G is empty.

    A ceiling for answers that repeat what was said, no score: dates that must be computed are rarely in the context.
    Source: our own; the stems are those of sparse search (`perdure.text.terms`).

    G = {adopt, cat, lyon}, the context holds two of them:

    >>> round(gold_coverage("Ana: I adopted a cat last week", "She adopted the cat in Lyon"), 4)
    0.6667
    """
    wanted = {term for term in terms(gold) if term not in STOP_WORDS}
    if not wanted:
        return None
    return len(wanted & terms(context).keys()) / len(wanted)
