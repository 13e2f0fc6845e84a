"""What a question says about time: a stretch it names, the first or the last of several, what was before.

Rows of the stretch gain a share, others lose nothing: a date may be remembered wrongly, and what was said may tell of
another day.  English, and the dates of the languages that `when` reads.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from perdure import when
from perdure.models import MemoryRecord, Precision, Signal
from perdure.read.leads import Lead, order
from perdure.read.query import Query

# What a row of the named stretch gains, by how finely it is named; runs/LOG.md
GAINS: Mapping[Precision, float] = {"day": 1.5, "week": 1.0, "month": 1.0, "approximate": 0.5, "year": 0.3}
PLACE = 0.25  # what the first or last of several gains, the others in proportion to their place; chosen
STRONG = 0.5  # share of the best signal from which a row is one of the several; chosen

# A cheap look before the dates are read, which takes 0.3 ms: the figures of a date, or a word that stands in most.
_MAY_NAME = re.compile(
    r"\b(?:19|20)\d\d\b|\d(?:st|nd|rd|th)\b|\d[-/.]\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this"
    r"|previous|past|week\w*"
    r"|month|year|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|\b(?:hier|ieri|ayer|kemarin|semaine|mois|semana|mes|settimana|mese|minggu|bulan|tahun|anno)\b|[^\x00-\x7f]",
    re.IGNORECASE,
)
_LAST = re.compile(r"\b(?:most recent(?:ly)?|latest|last time|newest)\b", re.IGNORECASE)
_FIRST = re.compile(
    r"\b(?:first time|for the first|earliest|at first|originally|initially|the beginning)\b", re.IGNORECASE
)
_PAST = re.compile(
    r"\b(?:used to|before|previous(?:ly)?|former(?:ly)?|earlier|in the past|originally|back then|no longer|any ?more"
    r"|chang(?:e|ed|es)|switch(?:ed)?|until when|how long (?:did|was|were))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Timing:
    """The stretches that a question names, and whether it asks for the first or the last of several."""

    spans: tuple[when.Span, ...] = ()
    end: Literal["first", "last"] | None = None


def timing(query: Query) -> Timing:
    """Return what a question says about time, relative times read against its `as_of` or its present."""
    text = query.text
    spans: tuple[when.Span, ...] = ()
    if len(text) <= when.LONGEST and _MAY_NAME.search(text):
        spans = tuple(when.find(text, anchor=query.selection.as_of or query.selection.now))
    end: Literal["first", "last"] | None = None
    if _LAST.search(text):
        end = "last"
    elif _FIRST.search(text):
        end = "first"
    return Timing(spans, end)


def asks_for_the_past(text: str) -> bool:
    """True for a question about what held before, or when it changed: ended memories answer it.

    >>> asks_for_the_past("Where did Ana live before?"), asks_for_the_past("Where does Ana live?")
    (True, False)
    """
    return _PAST.search(text) is not None


def timed(found: Sequence[Lead], said: Timing) -> list[Lead]:
    """Return the leads with what their time adds, in the order given."""
    leads = list(found)
    if said.spans:
        leads = [_in_span(lead, said.spans) for lead in leads]
    if said.end is not None and leads:
        leads = _by_place(leads, said.end)
    return leads


def _in_span(lead: Lead, spans: Sequence[when.Span]) -> Lead:
    for span in spans:
        if any(span.start <= moment < span.end for moment in _moments(lead)):
            gain = GAINS[span.precision]
            return lead.with_signal(
                Signal("time", 1.0, 1.0, gain, 1), f"of the time asked for: {span.said or span.text}"
            )
    return lead


def _by_place(leads: list[Lead], end: Literal["first", "last"]) -> list[Lead]:
    """Give the rows that are nearly as strong as the best one a share by their place in time."""
    least = STRONG * order(leads)[0].signal
    strong = {id(lead) for lead in leads if lead.signal >= least > 0}
    moments = sorted({_moments(lead)[0] for lead in leads if id(lead) in strong}, reverse=end == "last")
    if len(moments) < 2:
        return leads
    kept: list[Lead] = []
    for lead in leads:
        if id(lead) in strong:
            place = moments.index(_moments(lead)[0])
            share = 1 - place / (len(moments) - 1)
            lead = lead.with_signal(Signal("time", share, share, PLACE, place + 1), f"by its time, {end} first")  # noqa: PLW2901
        kept.append(lead)
    return kept


def _moments(lead: Lead) -> tuple[datetime, ...]:
    """Return when what a row tells of happened or held, and when it was said; the best first."""
    record = lead.record
    if isinstance(record, MemoryRecord):
        moments = (record.event_from, record.valid_from, *(source.at for source in record.sources))
        return tuple(moment for moment in moments if moment is not None) or (record.recorded_at,)
    return (record.at,)
