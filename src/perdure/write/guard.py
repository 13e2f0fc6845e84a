"""The guard of UPDATE: a merge may add to a memory, it may not take from it.  Pure.

The paper lets a fact replace a memory if it holds more information.  Here the merged text must keep every name,
number, date and negation of the old one that the decision does not call changed, must hold what the fact says, must
not bring in what neither says, and must add something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from perdure.text import words
from perdure.write.words import about, is_held, marks


@dataclass(frozen=True, slots=True)
class Verdict:
    """keep: store the merge.  noop: it adds nothing.  refuse: `faults` says what was dropped or invented."""

    outcome: Literal["keep", "noop", "refuse"]
    faults: tuple[str, ...] = ()


def check(old: str, merged: str, *, fact: str, changed: Sequence[str] = ()) -> Verdict:
    """Return whether `merged` may take the place of `old`, given the fact that it merges.

    `changed` are words of the old text that the merge may drop.

    >>> check("Ana has a dog", "Ana has a dog called Rex", fact="Ana's dog is called Rex").outcome
    'keep'
    >>> check("Ana has 2 dogs in Lyon", "Ana has 3 dogs", fact="Ana has 3 dogs", changed=["2"]).faults
    ('lyon',)
    >>> check("Ana has a dog", "Ana has a dog.", fact="Ana has a dog").outcome
    'noop'
    """
    is_new = bool(about(merged) - about(old)) or marks(merged).negations > marks(old).negations
    if not is_new:
        lost = _missing(fact, old, free=())
        return Verdict("refuse", lost) if lost else Verdict("noop")
    faults = _missing(old, merged, free=changed) + _missing(fact, merged, free=()) + _invented(merged, old, fact)
    return Verdict("refuse", tuple(dict.fromkeys(faults))) if faults else Verdict("keep")


def _missing(kept: str, text: str, *, free: Sequence[str]) -> tuple[str, ...]:
    """Return the names, numbers and negations of `kept` that `text` lacks, in order, but for the freed words."""
    wanted, found, freed = marks(kept), marks(text), marks(" ".join(free))
    loose = {word for phrase in free for word in words(phrase)}
    names = sorted(n for n in wanted.names - freed.names - loose if not is_held(n, text))
    numbers = sorted(wanted.numbers - found.numbers - freed.numbers)
    negations = wanted.negations - freed.negations > found.negations
    return (*names, *numbers, *(("negation",) if negations else ()))


def _invented(merged: str, old: str, fact: str) -> tuple[str, ...]:
    """Return the names, numbers and negations of the merge that neither the old text nor the fact holds."""
    new, a, b = marks(merged), marks(old), marks(fact)
    names = sorted(n for n in new.names if not is_held(n, old) and not is_held(n, fact))
    numbers = sorted(new.numbers - a.numbers - b.numbers)
    negations = new.negations > a.negations + b.negations
    return (*names, *numbers, *(("negation",) if negations else ()))
