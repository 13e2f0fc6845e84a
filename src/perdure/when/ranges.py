"""Two times that "from ... to ..." makes one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from perdure.when.calendar import Stretch
from perdure.when.english_words import MOVED_FROM

_TO = re.compile(
    r"\s*(?:[-–—~〜～]|到|至|から|부터|에서)\s*|\s+(?:to|until|till|through|thru|up\s+to)\s+(?:the\s+)?"
    r"|\s+(?:au|jusqu['’]au|al|fino\s+al?|hasta(?:\s+el)?|sampai|hingga|s/d)\s+",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+(?:and|et|e|y|dan)\s+(?:le\s+|il\s+|el\s+)?", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|entre|tra|fra|antara)\s+(?:le\s+|il\s+|el\s+)?$", re.IGNORECASE)
_FINEST = ("day", "week", "month", "year")
_NEAR = 80  # characters before a time in which "was moved from" may stand (chosen)
_LEAD = re.compile(r"^(?:on|in|from)\s+")


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch that text[begin:stop] names."""

    stretch: Stretch
    begin: int
    stop: int
    is_english: bool


def joined(text: str, found: Sequence[Found]) -> list[Found]:
    """Return the times with each "from A to B" made one.  Of what was moved from A to B, only B is a time of it."""
    kept: list[Found] = []
    for time in found:
        last = kept[-1] if kept else None
        if last is None or not _is_range(text, last, time):
            kept.append(time)
        elif MOVED_FROM.search(text, max(0, last.begin - _NEAR), last.begin):
            kept[-1] = replace(last, stretch=replace(last.stretch, is_former=True))
            kept.append(time)
        else:
            kept[-1] = _one(text, last, time)
    return kept


def _is_range(text: str, last: Found, time: Found) -> bool:
    one, two = last.stretch, time.stretch
    if not (one.first < two.first and one.last <= two.last) or "approximate" in (one.precision, two.precision):
        return False
    if _TO.fullmatch(text, last.stop, time.begin):
        return True
    return bool(
        _AND.fullmatch(text, last.stop, time.begin) and _BETWEEN.search(text, max(0, last.begin - _NEAR), last.begin)
    )


def _one(text: str, last: Found, time: Found) -> Found:
    one, two = last.stretch, time.stretch
    precision = max(one.precision, two.precision, key=_FINEST.index)
    said = f"from {_LEAD.sub('', one.said)}{text[last.stop : time.begin]}{_LEAD.sub('', two.said)}"
    stretch = Stretch(one.first, two.last, precision, said, one.is_relative or two.is_relative)
    return Found(stretch, last.begin, time.stop, last.is_english and time.is_english)
