"""Statements of an exchange by rules: self-contained, in the third person, dated, with the sentence they come from.

A speaker without a name is "the user" throughout.  English is rewritten; a sentence in another language is kept word
for word behind its speaker.  What is left out stays searchable as a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from perdure import when
from perdure.models import Candidate, Extraction, ExtractionContext, Kind, MessageRecord, Precision, Warning
from perdure.offline import chatter, correction, pointing, slots
from perdure.offline.entities import entities
from perdure.offline.keep import Kept, Setting, keep
from perdure.offline.kinds import kind
from perdure.offline.person import Cast, named
from perdure.offline.sentences import LONGEST, MOST, cut, is_english, split
from perdure.offline.wording import capital, statement
from perdure.text import normal, words

_VAGUE = re.compile(r"\b(?:it|he|she|they|him|them)\b", re.IGNORECASE)
_SOMEBODY = re.compile(r"\b(?:he|she|they|him|them)\b", re.IGNORECASE)
_LONGEST_QUESTION = 300  # characters of a question that a statement carries; chosen
_LEADING = 2  # sentences that what another one leans on may lean on; chosen
_LAST_WORDS = 2_000  # characters of a message's end where its last question is sought; chosen


def extract(context: ExtractionContext, *, timezone: tzinfo = UTC) -> Extraction:
    """Return the statements of the exchange's messages, in order, each once.  Never reads the window for facts.

    A sentence of more than 2,000 characters is kept word for word, without dates, names or slot.
    From an assistant only what it says to have done for the user, or of the user's plans; nothing from tools.
    Cost: well under a millisecond per sentence.
    """
    found: list[Candidate] = []
    warnings: list[Warning] = []
    seen: set[str] = set()
    earlier = list(context.window)
    everyone = [*context.window, *context.exchange.messages]
    for message in context.exchange.messages:
        for candidate in _of_message(message, earlier, everyone, timezone, warnings):
            if candidate.is_correction and candidate.slot:
                found = [old for old in found if not _is_corrected(old, candidate)]
            key = normal(candidate.text)
            if key not in seen:
                seen.add(key)
                found.append(candidate)
        earlier.append(message)
    return Extraction(tuple(found), tuple(warnings))


def _is_corrected(old: Candidate, correction: Candidate) -> bool:
    return bool(old.slot and correction.slot and old.slot.is_single and slots.is_same(old.slot, correction.slot))


def _listener(message: MessageRecord, messages: Iterable[MessageRecord]) -> str | None:
    """The other speaker, where there is exactly one."""
    others = {other.speaker for other in messages} - {message.speaker}
    if not others and message.name is None:
        return {"user": "the assistant", "assistant": "the user"}.get(message.role)
    return named(others.pop()) if len(others) == 1 else None


def _of_message(
    message: MessageRecord,
    earlier: Sequence[MessageRecord],
    everyone: Sequence[MessageRecord],
    timezone: tzinfo,
    warnings: list[Warning],
) -> list[Candidate]:
    if message.origin == "tool" or message.role in ("tool", "system"):
        return []
    cast = Cast(named(message.speaker), _listener(message, everyone))
    whole = cut(message.content)
    if not whole.is_whole:
        warnings.append(_cut_off(message))
    sentences = list(whole.sentences)
    candidates: list[Candidate] = []
    read = [s for s in sentences if len(s.text) <= when.LONGEST]
    corrected = correction.find(read, message, earlier) if message.origin == "user" else None
    if corrected is not None:
        said, quote = corrected
        begin = message.content.index(quote)
        kept = Kept(begin, begin + len(quote), (said,))
        candidates.append(replace(_candidate(kept, message, cast, timezone), is_correction=True))
        sentences = [s for s in sentences if s.text != quote]
    setting = Setting(message, cast, *_context(earlier, message), _is_to_assistant(message, everyone))
    candidates += [_candidate(kept, message, cast, timezone) for kept in keep(sentences, setting)]
    return candidates


def _cut_off(message: MessageRecord) -> Warning:
    detail = (
        f"only the first {MOST} sentences of the first {LONGEST:,} characters of a message were read for facts; "
        "the whole message is kept and found by search"
    )
    return Warning("message_cut", detail, message.public_id)


def _is_to_assistant(message: MessageRecord, everyone: Iterable[MessageRecord]) -> bool:
    """True unless another person talks along."""
    return message.role == "user" and all(
        other.role == "assistant" for other in everyone if other.speaker != message.speaker
    )


def _context(earlier: Sequence[MessageRecord], message: MessageRecord) -> tuple[str, str]:
    """Return what another speaker last asked and last told, in the message right before; each may be "".

    A question that points back ("How long did it take?") comes with the sentence before it.
    """
    if not earlier or earlier[-1].speaker == message.speaker:
        return "", ""
    said = [s.text for s in split(earlier[-1].content[-_LAST_WORDS:]) if is_english(s.text)]
    told = _told(said)
    place = next((i for i in reversed(range(len(said))) if _is_clear(said[i])), None)
    question = "" if place is None else said[place]
    if place is not None and _VAGUE.search(question):
        named = _told(said[:place])
        if place and _is_telling(said[place - 1]) and named:
            question = f"{named} {question}"
        elif _SOMEBODY.search(question):
            question = ""
    question = question if len(question) <= _LONGEST_QUESTION else ""
    return question.replace('"', "'"), told.replace('"', "'")


def _told(said: Sequence[str]) -> str:
    """Return the last sentence that tells something, led by those before it as far as it leans on them."""
    place = next((i for i in reversed(range(len(said))) if _is_telling(said[i])), None)
    if place is None:
        return ""
    text = said[place]
    for before in reversed(said[max(0, place - _LEADING) : place]):
        if pointing.stands(text) or chatter.is_question(before):
            break
        text = f"{before} {text}"
    return text if len(text) <= _LONGEST_QUESTION else said[place] if len(said[place]) <= _LONGEST_QUESTION else ""


def _is_telling(text: str) -> bool:
    return not chatter.is_question(text) and chatter.weight(chatter.strip_ends(text)) > 1


def _is_clear(text: str) -> bool:
    return chatter.is_question(text) and len(words(text)) > 2


def _candidate(kept: Kept, message: MessageRecord, cast: Cast, timezone: tzinfo) -> Candidate:
    quote = message.content[kept.begin : kept.stop]
    first = kept.parts[0]
    english = not kept.is_foreign
    spans = when.find(first, anchor=message.at, timezone=timezone) if len(first) <= when.LONGEST else []
    text = _text(kept, spans, message, cast, timezone)
    reading = slots.read(text, message.speaker) if english and not kept.lead else None
    event = _event(spans)
    since = next((s.start for s in spans if s.is_since), None)
    sort = _kind(kept, text, reading, has_event=event is not None)
    is_done = sort == "event" or (reading is not None and (reading.is_change or reading.is_negation))
    past = event.start if event and is_done and event.start <= message.at else None
    return Candidate(
        text=text,
        at=message.at,
        attributed_to=message.speaker,
        origin=message.origin,
        kind=sort,
        message_id=message.id,
        quote=quote,
        is_grounded=True,
        event_from=event.start if event else None,
        event_to=event.end if event else None,
        time_precision=event.precision if event else None,
        valid_from=since or past or message.at,
        entities=entities(text if english else first, speaker=cast.speaker) if len(first) <= when.LONGEST else (),
        is_negation=reading is not None and reading.is_bare,
        is_correction=reading is not None
        and ((correction.opens(quote) and not reading.is_change) or correction.is_firm(quote, text, wrong="")),
        slot=reading.slot if reading else None,
    )


def _kind(kept: Kept, text: str, reading: slots.Reading | None, *, has_event: bool) -> Kind:
    if kept.is_foreign:
        return "fact"
    slot = reading.slot if reading and not reading.is_negation else None
    found = kind(text, slot=slot, has_event=has_event)
    return "preference" if kept.wish and found != "profile" else found


def _text(kept: Kept, spans: Sequence[when.Span], message: MessageRecord, cast: Cast, timezone: tzinfo) -> str:
    if kept.wish:
        return capital(kept.wish)
    first, *others = kept.parts
    dated = when.absolute(first, anchor=message.at, timezone=timezone) if any(s.is_relative for s in spans) else first
    text = " ".join([dated, *(when.absolute(part, anchor=message.at, timezone=timezone) for part in others)])
    return f"{message.speaker}: {text}" if kept.is_foreign else statement(text, first, cast, kept.lead)


@dataclass(frozen=True, slots=True)
class _Event:
    start: datetime
    end: datetime
    precision: Precision


def _event(spans: Sequence[when.Span]) -> _Event | None:
    """Return when what is told of happens: the first time named, unless it says since when something holds."""
    span = next((s for s in spans if not s.is_since and not s.is_former), None)
    return _Event(span.start, span.end, span.precision) if span else None
