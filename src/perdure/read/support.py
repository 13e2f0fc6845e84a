"""How well the best hits meet a question: what `confidence` is read from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import fmean

from perdure.models import Hit, Ranking
from perdure.read.calibrate import FLOOR, Support
from perdure.read.channels import Look
from perdure.text import stem, terms

FIRST = 3  # hits that are read; chosen
MOST_CHARS = 2_000  # of each; chosen: a page

_NAME = re.compile(r"\b[A-Z][^\W\d_]+")
_OPENING = re.compile(r"[^\W_]+")


def support(
    text: str, look: Look, hits: Sequence[Hit], rankings: Sequence[Ranking], *, best: float, floor: float | None
) -> Support:
    """Return how well the hits meet the question `text`.

    `rankings` are those of the question's own channels, of all kinds; `best` is the best fused signal.
    """
    cosines = [max(one.scores.values()) for one in rankings if one.channel == "dense" and one.scores]
    asked = set(look.probe.terms)
    met = [len(asked.intersection(terms(hit.text[:MOST_CHARS]))) for hit in hits[:FIRST]]
    covered = max(met, default=0) / max(1, len(asked))
    return Support(best, max(cosines, default=None), covered, _told(text, hits), FLOOR if floor is None else floor)


def _told(text: str, hits: Sequence[Hit]) -> float:
    """Return the share of the first hits that are told by or of somebody whom the question names, less a half.

    0 where it names nobody by whom or of whom any hit is told.
    """
    named = {stem(name.casefold()) for name in _NAME.findall(text)}
    if not named:
        return 0.0
    by = [_teller(hit) for hit in hits]
    return fmean(name in named for name in by[:FIRST]) - 0.5 if not named.isdisjoint(by) else 0.0


def _teller(hit: Hit) -> str:
    """Return whom a hit is told by, or a memory of: its first name."""
    who = hit.message.speaker if hit.message else (hit.memory and hit.memory.attributed_to) or ""
    first = _OPENING.search(who)
    return stem(first[0].casefold()) if first else ""
