"""Find the times in a text, and write its relative ones out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo

from perdure.models import Precision
from perdure.when import english, tongues
from perdure.when.calendar import Stretch
from perdure.when.edge import local
from perdure.when.english import Setting
from perdure.when.tense import readable, tense_at

_PREPOSITION = re.compile(
    r"\b(?:since|until|till|by|from|before|after|for|of|on|in|at|during|around|about|over|to|through)\s+$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:on|in)\s+")
_NEAR = 40  # characters before a time that tell how to write it; chosen: a preposition and its space
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


def find(text: str, *, anchor: datetime, timezone: tzinfo = UTC) -> list[Span]:
    """Return the times that a text names, in order and without overlap.

    Relative ones are read against the day of `anchor` in `timezone`; of overlapping readings the earliest counts, then
    the longest.  What the wording leaves open ("my birthday is in May") is left out, and so
    is a sentence of more than 2,000 characters.

    >>> [span.said for span in find("We met last week.", anchor=datetime(2023, 5, 8, tzinfo=UTC))]
    ['in the week of 1 May 2023']
    """
    today = local(anchor, timezone).date()
    found: list[Span] = []
    text = readable(text)
    for rules, is_english in ((english.rules(), True), (tongues.rules(), False)):
        for pattern, reading in rules:
            for match in pattern.finditer(text):
                span = _read(match, reading, today, timezone, is_english=is_english)
                if span is not None:
                    found.append(span)
    found.sort(key=lambda span: (span.begin, -span.stop, not span.is_english))
    kept: list[Span] = []
    for span in found:
        if not kept or span.begin >= kept[-1].stop:
            kept.append(span)
    return kept


def _read(
    match: re.Match[str], reading: english.Reading, today: date, timezone: tzinfo, *, is_english: bool
) -> Span | None:
    setting = Setting(today, tense_at(match.string, match.start(), match.end()))
    try:
        stretch = reading(match, setting)
        return _span(match, stretch, timezone, is_english=is_english) if stretch else None
    except (OverflowError, ValueError):
        return None  # beyond the calendar's years: not a time that anybody means


def _span(match: re.Match[str], stretch: Stretch, timezone: tzinfo, *, is_english: bool) -> Span:
    return Span(
        start=_midnight(stretch.first, timezone),
        end=_midnight(stretch.last, timezone),
        precision=stretch.precision,
        text=match.group(),
        begin=match.start(),
        stop=match.end(),
        said=stretch.said,
        is_relative=stretch.is_relative,
        is_english=is_english,
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
