"""What a statement says to be over, moved or wrong: its claims, before it is known which memory they meet.

Nothing is read of what is asked, wished, supposed, told by others, joked, or so for a while only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from perdure.offline import ending_cues as cues
from perdure.offline.claim import Claim, clauses, found_in
from perdure.offline.held import plain, tokens
from perdure.offline.otherwise import refigured, succeeding, taken_back
from perdure.offline.over import come_about, ended

_BEFORE = re.compile(
    r"^(?:after|since|following|in|on|at|from|as of|with|thanks to|due to|last|over|during|around|this|yesterday|today|\w+ (?:days|weeks|months|years) ago)\b[^,]{0,60}? (?=U\+? )",
    re.IGNORECASE,
)
_POINTS = re.compile(r"(?:it|they|that|the new one)\b", re.IGNORECASE)


@lru_cache(maxsize=16_384)
def claimed(text: str, speaker: str | None, quote: str = "") -> tuple[Claim, ...]:
    """Return what a statement says to be over, moved or corrected; nothing of what is asked, wished, joked or for a while."""
    if text.rstrip().endswith("?") or found_in(cues.JOKE, quote) or found_in(cues.JOKE, text):
        return ()
    said, owner = plain(text, speaker)
    return tuple(dict.fromkeys(_claims(said, owner, quote)))


def is_telling(sentence: str) -> bool:
    """Return True for a sentence of the speaker that says something to be over or moved, however short."""
    return any(
        claim.names or claim.denied or (claim.figures and claim.does == "corrects")
        for claim in claimed(sentence, "user")
    )


def _pronoun(said: str) -> str:
    """Return "her" of "sorry, her birthday is the 19th": of somebody who was named before."""
    match = re.search(r"(?:^|, )(her|his) \w+ (?:is|are)\b", said, re.IGNORECASE)
    return match[1].casefold() if match else ""


def _claims(said: str, owner: str, quote: str) -> Iterator[Claim]:
    about = tokens(said)
    owner = owner or _pronoun(said)
    yield from taken_back(said, owner, quote)
    is_hedged, is_wrong, is_mine, before = False, found_in(cues.WRONG, f"{said} {quote}"), True, ""
    for number, (whole, is_new) in enumerate(clauses(said)):
        is_hedged = (is_hedged and not is_new) or found_in(cues.HEDGE, whole)
        clause = _BEFORE.sub("", whole, count=1)
        if clause.startswith("Their "):  # of others: of the speaker's own it would be written out
            continue
        if not is_hedged and not found_in(cues.ALSO, clause) and clause:
            is_open = is_mine or number == 0
            if not found_in(cues.PASSING, clause):
                yield from ended(clause, owner, about, is_open=is_open)
                yield from succeeding(clause, owner)
                yield from come_about(clause, owner)
            if not found_in(r"\b(?:today|tonight|this \w+|for now|was|were)\b", clause):
                led = f"{before}, {clause}" if _POINTS.match(clause) else clause
                yield from refigured(clause, owner, about, is_wrong=is_wrong, cue=led)
        before = clause
        is_mine = clause.startswith("U") or (is_mine and not re.match(r"(?:[Tt]he|they|it|he|she|[A-Z])\b", clause))
