"""Past or future: what decides which Friday, or which May, a speaker means."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Tense = Literal["past", "future", "recurring", ""]

_FUTURE = re.compile(
    r"\b(?:will|won't|shall|gonna|going\s+to|about\s+to|see\s+you|let's|let\s+me|tomorrow|upcoming|hopefully|soon)\b|'ll\b"
    r"|\b(?:plan(?:s|ning)?|hop(?:e|es|ing)|want(?:s)?|excited|ready|prepar\w+|look(?:s|ing)?\s+forward|can't\s+wait|would)\b"
    r"|\b(?:deadline|appointment|due|scheduled|starts|begins|opens|leaves?|arrives?|must|have\s+to|need\s+to|should|can|remind)\b"
    r"|\b(?:is|are)\s+(?=on\b|this\b)"
    r"|\b(?:'m|am|is|are|'re|'s)\s+(?:\w+ly\s+)?(?!going\s+to\b)\w{2,}ing\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|wasn't|weren't|had|did|didn't|went|got|saw|came|took|made|met|gave|found|left|bought|began|felt|told|"
    r"said|ran|won|lost|ate|drank|drove|flew|wrote|read|spoke|taught|thought|brought|caught|heard|held|kept|led|paid|"
    r"sent|sold|sang|swam|threw|wore|woke|broke|chose|fell|grew|knew|spent|built|became|hung|rode|put|set|hurt|cut|hit|"
    r"been|done|gone|have|has|quit|slept|sat|stood|\w{2,}ed)\b|'ve\b|'d\s+been\b",
    re.IGNORECASE,
)
_RECURRING = re.compile(
    r"\b(?:born|birthdays?|anniversary|every|each|always|usually|often|never|annual(?:ly)?|yearly|typically|normally)\b",
    re.IGNORECASE,
)
LONGEST = 2_000  # characters of a sentence that is read; chosen: no speaker's is longer, and the cost stays linear
_BREAK = re.compile(r"[.!?;\n。！？]")
_UNREAD = re.compile(rf"(?<![^.!?;\n。！？])[^.!?;\n。！？]{{{LONGEST + 1},}}")


def tense_at(text: str, begin: int, stop: int) -> Tense:
    """Return the tense of the sentence around text[begin:stop]: that of the cue nearest to it, "" without a cue.

    "have" and "has" count as past only through their participle, as any form in -ed does.
    """
    left, right = max(0, begin - LONGEST), min(len(text), stop + LONGEST)
    opens = max((m.end() for m in _BREAK.finditer(text, left, begin)), default=left)
    closing = _BREAK.search(text, stop, right)
    closes = closing.start() if closing else right
    cues = _cues(text[opens:closes])
    if cues is None:
        return "recurring"
    if not cues:
        return ""
    return min((_distance(cue, begin - opens, stop - opens), cue[2]) for cue in cues)[1]


def readable(text: str) -> str:
    """Return the text, of the same length, with its sentences beyond LONGEST blotted out."""
    return _UNREAD.sub(lambda match: "\0" * len(match.group()), text)


_Cue = tuple[int, int, Literal["future", "past"]]


@lru_cache(maxsize=16)
def _cues(sentence: str) -> tuple[_Cue, ...] | None:
    """Return (begin, stop, tense) of a sentence's cues, None where it tells of what recurs; once for all its times."""
    if _RECURRING.search(sentence):
        return None
    cues: list[_Cue] = [(m.start(), m.end(), "future") for m in _FUTURE.finditer(sentence)]
    cues += [(m.start(), m.end(), "past") for m in _PAST.finditer(sentence) if not _is_present(m)]
    return tuple(cues)


def _distance(cue: _Cue, begin: int, stop: int) -> int:
    return begin - cue[1] if cue[1] <= begin else max(cue[0] - stop, 0) + 20  # a cue after weighs less


def _is_present(cue: re.Match[str]) -> bool:
    """True for "have" and "has", alone ("I have a meeting on Friday"), and for words in -ed that are no past forms."""
    return cue.group().lower() in {
        "have",
        "has",
        "need",
        "indeed",
        "bed",
        "red",
        "wed",
        "excited",
        "scheduled",
        "speed",
    }
