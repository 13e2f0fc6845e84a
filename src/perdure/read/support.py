"""How well the best hits meet a question: what `confidence` is read from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import fmean

from perdure.models import Hit, Ranking
from perdure.read import asked
from perdure.read.calibrate import FLOOR, Support
from perdure.read.channels import Look
from perdure.text import stem, terms

FIRST = 3  # hits that are read; chosen
READ = 10  # hits in which the wording of an answer is looked for; chosen
MOST_CHARS = 2_000  # of each; chosen: a page

_NAME = re.compile(r"\b[A-Z][^\W\d_]+")
_OPENING = re.compile(r"[^\W_]+")


def support(
    text: str,
    look: Look,
    hits: Sequence[Hit],
    rankings: Sequence[Ranking],
    *,
    best: float,
    floor: float | None,
    ids: frozenset[str] = frozenset(),
) -> Support:
    """Return how well the hits meet the question `text`; a hit that only asks, or says nothing, is no evidence.

    `rankings` are those of the question's own channels, of all kinds; `best` is the best fused signal; `ids` are the
    words of the scope's ids: who is called so is known, though nothing tells of the name.
    """
    cosines = [max(one.scores.values()) for one in rankings if one.channel == "dense" and one.scores]
    question = asked.asked(text).without(ids)
    names = frozenset(stem(name) for name in question.names)
    words = frozenset(look.probe.terms)
    told = [hit for hit in hits if not (hit.message and asked.is_bare(hit.message.content))]
    read = [frozenset(terms(hit.text[:MOST_CHARS])) for hit in told[:FIRST]]
    covered = max((len(words & held) for held in read), default=0) / max(1, len(words))
    return Support(
        best,
        max(cosines, default=None),
        covered,
        _told(text, hits),
        FLOOR if floor is None else floor,
        _attribute(words - names, names, read),
        _unknown(question, told),
        _holds(question, told[:READ]),
    )


def _attribute(words: frozenset[str], names: frozenset[str], read: Sequence[frozenset[str]]) -> float:
    """Return the share of what is asked beside names that stands in one hit that names whom the question names."""
    if not words:
        return 0.5  # "Who is Ana?": there is nothing to cover; chosen
    return max((len(words & held) for held in read if not names.isdisjoint(held) or not names), default=0) / len(words)


def _unknown(question: asked.Asked, told: Sequence[Hit]) -> float:
    """Return the share of those whom the question names, by name or as kin, of whom no hit tells."""
    if not question.names and not question.kin:
        return 0.0
    texts = [hit.text[:MOST_CHARS] for hit in told]
    folded = [text.casefold() for text in texts]
    near = [
        text
        for text, low in zip(texts, folded, strict=True)
        if not question.names or any(name in low for name in question.names)
    ]
    missing = sum(not any(name in low for low in folded) for name in question.names)
    missing += sum(not any(one in asked.kin(text) for text in near) for one in question.kin)
    return missing / (len(question.names) + len(question.kin))


def _holds(question: asked.Asked, told: Sequence[Hit]) -> float:
    """Return 1 where a hit fills the slot that is asked for, −1 where none can be the answer, 0 where that is open."""
    if question.wording is None:
        return 0.0
    if any(asked.holds(question, hit.text[:MOST_CHARS]) for hit in told):
        return 1.0 if question.is_slot else 0.0
    return -1.0


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
