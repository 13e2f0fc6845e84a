"""Find the times in a text, and write its relative ones out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo

from perdure.models import Precision
from perdure.when import east, english, english_dates, english_lengths, english_words, latin, ranges
from perdure.when.edge import local
from perdure.when.ranges import Found
from perdure.when.relative import Reading, Rules, Setting
from perdure.when.tense import Cues, readable, tense_at

_PREPOSITION = re.compile(
    r"\b(?:since|until|till|by|from|before|after|for|of|on|in|at|during|around|about|over|to|through)\s+$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:on|in|at|from)\s+")
_NEAR = 40  # characters before a time that tell how to write it; chosen: a preposition and its space
_SINCE = re.compile(r"\b(?:since|depuis|dal|da|desde|sejak)(?:\s+(?:about|around|le|la|il|el))?\s+$", re.IGNORECASE)
_SINCE_WITHIN = re.compile(r"(?:since|depuis|dal|dall['’]|da|desde|sejak)\b", re.IGNORECASE)
_SINCE_AFTER = re.compile(r"\s?(?:以来|以來|开始|開始|起|から|より|부터|이래|이후)")
_NOTE = re.compile(r"\s?[(（]\d{4}")


@dataclass(frozen=True, slots=True)
class Span:
    """A time named in text[begin:stop]: the half-open interval [start, end) in UTC, and how finely it is known."""

    start: datetime
    end: datetime
    precision: Precision
    text: str
    begin: int
    stop: int
    said: str = ""  # how a sentence says it whatever the day: "on 7 May 2023"
    is_relative: bool = False  # it was read against the anchor
    is_english: bool = True
    is_since: bool = False  # it says since when something holds
    is_former: bool = False  # what is told of was moved away from it


def find(text: str, *, anchor: datetime, timezone: tzinfo = UTC) -> list[Span]:
    """Return the times that a text names, in order and without overlap.

    Relative ones are read against the day of `anchor` in `timezone`; of overlapping readings the earliest counts, then
    the longest.  What the wording leaves open ("my birthday is in May") is left out, and so
    is a sentence of more than 2,000 characters.

    >>> [span.said for span in find("We met last week.", anchor=datetime(2023, 5, 8, tzinfo=UTC))]
    ['in the week of 1 May 2023']
    """
    today = local(anchor, timezone).date()
    read = readable(text)
    found: list[Found] = []
    for rules, cues, is_english in _families(read):
        for pattern, reading in rules:
            for match in pattern.finditer(read):
                one = _read(match, reading, today, cues, is_english=is_english)
                if one is not None:
                    found.append(one)
    found.sort(key=lambda one: (one.begin, -one.stop, not one.is_english))
    kept: list[Found] = []
    for one in found:
        if not kept or one.begin >= kept[-1].stop:
            kept.append(one)
    return [span for one in ranges.joined(read, kept) if (span := _span(read, one, today, timezone))]


def _families(text: str) -> list[tuple[Rules, Cues, bool]]:
    """Return the rules and the cues of tense to read a text with: those of the East only where it has their letters."""
    native = english_dates.rules() + english.rules() + english_lengths.rules()
    families = [(native, english_words.cues(), True), (latin.rules(), latin.cues(), False)]
    if east.is_eastern(text):
        families.append((east.rules(), east.cues(text), False))
    return families


def _read(match: re.Match[str], reading: Reading, today: date, cues: Cues, *, is_english: bool) -> Found | None:
    setting = Setting(today, tense_at(match.string, match.start(), match.end(), cues))
    try:
        stretch = reading(match, setting)
    except (OverflowError, ValueError):
        return None  # beyond the calendar's years: not a time that anybody means
    return Found(stretch, match.start(), match.end(), is_english) if stretch else None


def _span(text: str, found: Found, today: date, timezone: tzinfo) -> Span | None:
    stretch = found.stretch
    try:
        start, end = _midnight(stretch.first, timezone), _midnight(stretch.last, timezone)
    except (OverflowError, ValueError):
        return None
    return Span(
        start=start,
        end=end,
        precision=stretch.precision,
        text=text[found.begin : found.stop],
        begin=found.begin,
        stop=found.stop,
        said=stretch.said,
        is_relative=stretch.is_relative,
        is_english=found.is_english,
        is_since=stretch.first <= today and (stretch.is_since or _is_since(text, found)),
        is_former=stretch.is_former,
    )


def _is_since(text: str, found: Found) -> bool:
    return bool(
        _SINCE.search(text, max(0, found.begin - _NEAR), found.begin)
        or _SINCE_WITHIN.match(text, found.begin, found.stop)
        or _SINCE_AFTER.match(text, found.stop)
    )


def _midnight(day: date, timezone: tzinfo) -> datetime:
    return datetime.combine(day, time(), tzinfo=timezone).astimezone(UTC)


def absolute(text: str, *, anchor: datetime, timezone: tzinfo = UTC) -> str:
    """Return the text with its relative times written out; absolute ones stay as they are.

    English ones are replaced; in another language nothing is translated: the date follows in brackets, in ISO 8601.
    Idempotent.

    >>> absolute("I ran yesterday.", anchor=datetime(2023, 5, 8, tzinfo=UTC))
    'I ran on 7 May 2023.'
    """
    spans = [span for span in find(text, anchor=anchor, timezone=timezone) if span.is_relative]
    for span in reversed(spans):
        if span.is_english:
            text = _replace(text, span)
        elif not _NOTE.match(text, span.stop):
            text = f"{text[: span.stop]} ({_iso(span, timezone)}){text[span.stop :]}"
    return text


def _replace(text: str, span: Span) -> str:
    before, after = text[: span.begin], text[span.stop :]
    near = before[-_NEAR:]
    said = span.said
    if after[:2].lower() in ("'s", "’s") or _PREPOSITION.search(near):
        said = _LEAD.sub("", said)
    elif not before.strip() or re.search(r"[.!?]\s+$", near):
        said = said[0].upper() + said[1:]
    return before + said + after


def _iso(span: Span, timezone: tzinfo) -> str:
    first = span.start.astimezone(timezone).date()
    match span.precision:
        case "year":
            return f"{first:%Y}"
        case "month":
            return f"{first:%Y-%m}"
        case "day":
            return first.isoformat()
        case _:
            last = date.fromordinal(span.end.astimezone(timezone).date().toordinal() - 1)
            return f"{first.isoformat()}/{last.isoformat()}"
