"""One thing that a statement says of whatever else speaks of the same; and the clauses that say it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from perdure.offline.ending_cues import EVERY
from perdure.offline.figures import Figure

_JOINT = re.compile(
    r"(?P<stop>[.;!?:]+\s+|\s[-–—]+\s)|,\s+(?:and |(?P<but>but )|so |then |because |since )?|\s(?:and(?! [A-TV-Z])|(?P<but2>but)|so|because|though|although|which|where|then)\s|\s(?:since|after|as)\s(?=U\+? |the \w+ (?:is|was|has|had)\b|it\b|he\b|she\b|they\b)|[()]"
)
_LEAD = re.compile(
    r"^(?:(?:ok|okay|well|so|and|but|then|oh|yep|yes|yeah|nope|finally|sadly|unfortunately|luckily|thankfully|happily|anyway|btw|fyi|update|big news|news|guess what|you know what|also|actually|in the end|as it happens|well then|"
    r"who'd have (?:guessed|thought)(?: it)?|who would have (?:guessed|thought)(?: it)?|who knew|believe it or not|to U's surprise|strangely enough|officially|recently|just|now|never thought U would (?:say|see|admit) (?:it|this|that)(?: but)?)(?:[ ,:]+|$)|no, )+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a statement says of whatever else speaks of the same."""

    owner: str
    does: Literal["ends", "moves", "corrects", "succeeds", "goes_on"]
    names: frozenset[str]  # what it names: all of it must stand in the memory
    kinds: frozenset[str] = EVERY  # of memory that it can end
    about: frozenset[str] = frozenset()  # where it names nothing itself: what the statement speaks of
    figures: tuple[Figure, ...] = ()
    value: frozenset[str] = frozenset()  # of what succeeds
    denied: frozenset[str] = frozenset()  # of "the other one, not this"
    verb: frozenset[str] = frozenset()  # of "banks with Ana's now": with this verb and this preposition
    preposition: str = ""
    outcome: tuple[int, str] | None = None  # a row of the table of outcomes, and of what


def clauses_of(said: str) -> list[str]:
    """Return the clauses of a statement."""
    return [clause for clause, _ in clauses(said)]


def clauses(said: str) -> Iterator[tuple[str, bool]]:
    """Yield the clauses, without what opens them, and whether a sentence begins there."""
    begin, is_new = 0, True
    for joint in _JOINT.finditer(said):
        yield _LEAD.sub("", said[begin : joint.start()].strip()), is_new
        begin, is_new = joint.end(), any(joint[name] for name in ("stop", "but", "but2"))
    yield _LEAD.sub("", said[begin:].strip()), is_new


# What a noun phrase may not open with to be the thing of the speaker that is known already.
NOT_MINE = re.compile(
    r"^(?:an?|some|another|one|two|three|any|every|each|his|her|their|your|other|more|no|it|him|them|me|\w+'s(?= \w))\b",
    re.IGNORECASE,
)


@cache
def compiled(source: str) -> re.Pattern[str]:
    """Compile at first use, in whatever case: at import these would cost time."""
    return re.compile(source, re.IGNORECASE)


def found_in(source: str, text: str) -> bool:
    """Return True if a pattern is found anywhere in a text."""
    return compiled(source).search(text) is not None
