"""Past or future: what decides which Friday, or which May, a speaker means.  The cues are those of a language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Tense = Literal["past", "future", "recurring", ""]

LONGEST = 2_000  # characters of a sentence that is read; chosen: no speaker's is longer, and the cost stays linear
_BREAK = re.compile(r"[.!?;\n。！？]")
_UNREAD = re.compile(rf"(?<![^.!?;\n。！？])[^.!?;\n。！？]{{{LONGEST + 1},}}")
_BESIDE = 60  # characters next to a time in which "was moved to" may stand; chosen: four words


@dataclass(frozen=True, slots=True)
class Cues:
    """What tells the tense in a language.

    `before` ends, and `after` begins, right at a time that lies ahead whatever the verb: "was moved to", "by".
    A cue inside one of the other tense is none: "is set for", "did not start".
    """

    future: re.Pattern[str]
    past: re.Pattern[str]
    recurring: re.Pattern[str]
    before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    cost_after: int = 20  # characters by which a cue that follows is farther; chosen: in English the verb comes first


def tense_at(text: str, begin: int, stop: int, cues: Cues) -> Tense:
    """Return the tense of the sentence around text[begin:stop]: that of the cue nearest to it, "" without a cue."""
    if cues.before and cues.before.search(text, max(0, begin - _BESIDE), begin):
        return "future"
    if cues.after and cues.after.match(text, stop, stop + _BESIDE):
        return "future"
    left, right = max(0, begin - LONGEST), min(len(text), stop + LONGEST)
    opens = max((m.end() for m in _BREAK.finditer(text, left, begin)), default=left)
    closing = _BREAK.search(text, stop, right)
    closes = closing.start() if closing else right
    told = _told(text[opens:closes], cues)
    if told is None:
        return "recurring"
    if not told:
        return ""
    return min((_distance(cue, begin - opens, stop - opens, cues.cost_after), cue[2]) for cue in told)[1]


def readable(text: str) -> str:
    """Return the text, of the same length, with its sentences beyond LONGEST blotted out."""
    return _UNREAD.sub(lambda match: "\0" * len(match.group()), text)


_Cue = tuple[int, int, Literal["future", "past"]]


@lru_cache(maxsize=16)
def _told(sentence: str, cues: Cues) -> tuple[_Cue, ...] | None:
    """Return (begin, stop, tense) of a sentence's cues, None where it tells of what recurs; once for all its times."""
    if cues.recurring.search(sentence):
        return None
    ahead: list[_Cue] = [(m.start(), m.end(), "future") for m in cues.future.finditer(sentence)]
    back: list[_Cue] = [(m.start(), m.end(), "past") for m in cues.past.finditer(sentence)]
    back = _outside(back, ahead)
    return tuple(_outside(ahead, back) + back)


def _outside(some: list[_Cue], others: list[_Cue]) -> list[_Cue]:
    """Return those of some cues that lie in none of the others; both in order and each without overlap."""
    kept: list[_Cue] = []
    at = 0
    for cue in some:
        while at < len(others) and others[at][1] < cue[1]:
            at += 1
        if at == len(others) or others[at][0] > cue[0]:
            kept.append(cue)
    return kept


def _distance(cue: _Cue, begin: int, stop: int, cost_after: int) -> int:
    return begin - cue[1] if cue[1] <= begin else max(cue[0] - stop, 0) + cost_after
