"""Past or future: what decides which Friday, or which May, a speaker means."""

from __future__ import annotations

import re
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
_BREAK = re.compile(r"[.!?;\n。！？]")


def tense_at(text: str, begin: int, stop: int) -> Tense:
    """Return the tense of the sentence around text[begin:stop]: that of the cue nearest to it, "" without a cue.

    "have" and "has" count as past only through their participle, as any form in -ed does.
    """
    opens = max((m.end() for m in _BREAK.finditer(text, 0, begin)), default=0)
    closing = _BREAK.search(text, stop)
    closes = closing.start() if closing else len(text)
    if _RECURRING.search(text, opens, closes):
        return "recurring"
    cues = [(_distance(m, begin, stop), "future") for m in _FUTURE.finditer(text, opens, closes)]
    cues += [(_distance(m, begin, stop), "past") for m in _PAST.finditer(text, opens, closes) if not _is_present(m)]
    if not cues:
        return ""
    return "past" if min(cues)[1] == "past" else "future"


def _distance(cue: re.Match[str], begin: int, stop: int) -> int:
    return begin - cue.end() if cue.end() <= begin else max(cue.start() - stop, 0) + 20  # a cue after weighs less


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
