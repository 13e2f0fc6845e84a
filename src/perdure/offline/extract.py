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
from perdure.models import Candidate, Extraction, ExtractionContext, Kind, MessageRecord, Precision
from perdure.offline import chatter, correction, slots
from perdure.offline.entities import entities
from perdure.offline.person import Cast, named, third
from perdure.offline.sentences import Sentence, is_english, split
from perdure.text import normal, words

_FIRST = re.compile(r"\b(?:I|i['’]m|i['’]ve|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|[Uu]s|myself|ourselves)\b|\bi (?=[a-z])")
_ANAPHOR = re.compile(
    r"^(?:and |but |so )?(?:it|its|it['’]s|he|she|they|they['’]re|he['’]s|she['’]s|this"
    r"(?! (?:week|weekend|month|year|morning|evening|afternoon|spring|summer|autumn|fall|winter)\b)"
    r"|that|these(?! days\b)|those|his"
    r"|her|their|them|there|"
    r"both|one|another|some|each|which|such|the (?:one|other|first|second|second|latter|former))\b",
    re.IGNORECASE,
)
_ELIDED = re.compile(
    r"^(?P<verb>(?:just |recently |finally |also |still |even |already |currently |really )*(?:been|went|got"
    r"|had|took|started|finished|made|met|saw|came|bought|found|"
    r"tried|spent|joined|moved|signed|visited|watched|learned|decided|worked|booked|won|lost|did|wrote|left|planned|"
    r"gave|ran|drove|flew|ate|read|sold|quit|used to|gotta|gonna|going to|planning|thinking|hoping|looking|trying|working|"
    r"volunteering|studying|feeling|love|loving|miss|need|want|plan|hope|can['’]t|won['’]t|didn['’]t|don['’]t"
    r"|haven['’]t|will)\b)",
    re.IGNORECASE,
)  # fmt: skip
_PROFILE = re.compile(
    r"\b(?:vegan|vegetarian|pescatarian|kosher|halal|gluten|lactose|allerg\w+|intoleran\w+|celiac|coeliac"
    r"|diabet\w+|asthma\w*|epilep\w+|"
    r"pregnan\w+|adhd|autis\w+|disab\w+|wheelchair|depression|anxiety|migraine\w*|medication|blood (?:type"
    r"|pressure)|diagnos\w+|"
    r"trans(?:gender)?|nonbinary|non-binary|pronouns|name is|years old|birthday|religio\w+|muslim|christian"
    r"|jewish|hindu|buddhist|atheist|"
    r"don't eat|doesn't eat|never eats?)\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\b(?:likes?|loves?|enjoys?|prefers?|hates?|dislikes?|adores?|favou?rites?|can't stand|rather|into|fan of"
    r"|passion\w*)\b",
    re.IGNORECASE,
)
_JOINT = re.compile(r",?\s+(?:and|but)\s+(?P<subject>(?:I|[Mm]y|we|our)\b)?(?:(?<!I)(?:also|now|then)\s+)?")
_POINTER = re.compile(r"\b(?:it|he|she|they|him|her|them|there|that|this)\b", re.IGNORECASE)
_ASSISTANT = re.compile(
    r"^(?:I(?:['’]ve| have| will|['’]ll)? (?:booked|scheduled|ordered|reserved|saved|recommend(?:ed)?|suggested"
    r"|noted|remind)\b"
    r"|Your [\w -]{2,40} (?:is|are|was|were|has been|have been|will be) (?:booked|scheduled|confirmed|set|due"
    r"|reserved|cancelled|canceled|ordered)\b)"
)
_PLAIN_SHORTEST = 4  # words of weight that a sentence about somebody else must have; chosen on dev, see runs/LOG.md
_OWN_SHORTEST = 2  # and a sentence in the first person; chosen on dev, see runs/LOG.md
_JOINED = 3  # sentences to a statement, at most; chosen


@dataclass(frozen=True, slots=True)
class _Kept:
    """Sentences that make one statement: content[begin:stop], and each sentence as it is to be rewritten."""

    begin: int
    stop: int
    parts: tuple[str, ...]
    asked: str = ""  # the question that the first part answers and leans on


def extract(context: ExtractionContext, *, timezone: tzinfo = UTC) -> Extraction:
    """Return the statements of the exchange's messages, in order, each once.  Never reads the window for facts.

    A sentence of more than 2,000 characters is kept word for word, without dates, names or slot.
    From an assistant only what it says to have done for the user, or of the user's plans; nothing from tools.
    Cost: well under a millisecond per sentence.
    """
    found: list[Candidate] = []
    seen: set[str] = set()
    earlier = list(context.window)
    for message in context.exchange.messages:
        cast = Cast(named(message.speaker), _listener(message, [*context.window, *context.exchange.messages]))
        for candidate in _of_message(message, cast, earlier, timezone):
            if candidate.is_correction and candidate.slot:
                found = [old for old in found if not _is_corrected(old, candidate)]
            key = normal(candidate.text)
            if key not in seen:
                seen.add(key)
                found.append(candidate)
        earlier.append(message)
    return Extraction(tuple(found))


def _is_corrected(old: Candidate, correction: Candidate) -> bool:
    return bool(old.slot and correction.slot and old.slot.is_single and slots.is_same(old.slot, correction.slot))


def _listener(message: MessageRecord, messages: Iterable[MessageRecord]) -> str | None:
    """The other speaker, where there is exactly one."""
    others = {other.speaker for other in messages} - {message.speaker}
    if not others and message.name is None:
        return {"user": "the assistant", "assistant": "the user"}.get(message.role)
    return named(others.pop()) if len(others) == 1 else None


def _of_message(
    message: MessageRecord, cast: Cast, earlier: Sequence[MessageRecord], timezone: tzinfo
) -> list[Candidate]:
    if message.origin == "tool" or message.role in ("tool", "system"):
        return []
    sentences = split(message.content)
    candidates: list[Candidate] = []
    read = [s for s in sentences if len(s.text) <= when.LONGEST]
    corrected = correction.find(read, message, earlier) if message.origin == "user" else None
    if corrected is not None:
        statement, quote = corrected
        begin = message.content.index(quote)
        kept = _Kept(begin, begin + len(quote), (statement,))
        candidates.append(replace(_candidate(kept, message, cast, timezone), is_correction=True))
        sentences = [s for s in sentences if s.text != quote]
    asked = _question(earlier, message)
    candidates += [_candidate(kept, message, cast, timezone) for kept in _keep(sentences, message, asked)]
    return candidates


def _question(earlier: Sequence[MessageRecord], message: MessageRecord) -> str:
    """Return the last question of the message right before, if another speaker asked it; else ""."""
    if not earlier or earlier[-1].speaker == message.speaker:
        return ""
    asked = [s.text for s in split(earlier[-1].content) if chatter.is_question(s.text)]
    return next((text for text in reversed(asked) if is_english(text) and len(words(text)) > 2), "").replace('"', "'")


def _keep(sentences: Sequence[Sentence], message: MessageRecord, asked: str) -> list[_Kept]:
    """Return what is worth keeping; a sentence that points back joins the kept one right before it.

    Where nothing was kept before it, it may lean on the question that the message answers.
    """
    kept: list[_Kept] = []
    is_open = False  # the sentence before was kept
    for sentence in sentences:
        text = sentence.text
        if len(text) > when.LONGEST:
            is_open = False
            if message.origin != "assistant" and _has_substance(text):
                kept.append(_Kept(sentence.begin, sentence.stop, (text,)))
            continue
        if not is_english(text):
            is_open = False
            if not chatter.is_question(text) and not chatter.is_greeting(text) and _has_substance(text):
                kept.append(_Kept(sentence.begin, sentence.stop, (text,)))
            continue
        text = chatter.strip_ends(text)
        is_back = _ANAPHOR.match(text) is not None
        if message.origin == "assistant":
            if _ASSISTANT.match(text):
                kept.append(_Kept(sentence.begin, sentence.stop, (text,)))
        elif is_back and is_open and len(kept[-1].parts) < _JOINED:
            if not chatter.is_question(text) and chatter.weight(text) >= 2:
                last = kept.pop()
                kept.append(_Kept(last.begin, sentence.stop, (*last.parts, _capital(text)), last.asked))
            continue
        elif _is_statement(text, is_back=is_back):
            kept.extend(_Kept(sentence.begin, sentence.stop, (clause,)) for clause in _clauses(text))
            is_open = True
            continue
        elif asked and not kept and _is_answer(text):
            kept.append(_Kept(sentence.begin, sentence.stop, (text,), asked))
            is_open = True
            continue
        is_open = False
    return kept


def _is_answer(text: str) -> bool:
    """Short or pointing back, and yet it says something."""
    return not chatter.is_talk(text) and chatter.weight(text) >= (2 if _ANAPHOR.match(text) else 1)


def _has_substance(text: str) -> bool:
    """Two words, or six characters of a script that sets no spaces."""
    return len(words(text)) >= 3 or sum(not c.isascii() and c.isalpha() for c in text) >= 6


def _is_statement(text: str, *, is_back: bool) -> bool:
    if is_back or chatter.is_talk(text):
        return False
    if _FIRST.search(text) or _ELIDED.match(text):
        return chatter.weight(text) >= _OWN_SHORTEST or _has_detail(text) or slots.read(text, "user") is not None
    return chatter.weight(text) >= _PLAIN_SHORTEST


def _has_detail(text: str) -> bool:
    """A number, or a name or "my"-noun: few words, but a fact ("I'm 34", "I live in Lyon", "My dog is old")."""
    return (
        re.search(r"\d|(?<=[a-z,] )[A-Z][a-z]|\b[Mm]y [a-z]+ (?:is|was|are|has)\b|allergic|vegan|vegetarian", text)
        is not None
    )


def _clauses(text: str) -> list[str]:
    """Return the facts of a sentence that joins several, where one fills a slot: one may end and the other stay.

    "I live in Lyon and work at Siemens" → "I live in Lyon", "I work at Siemens".
    """
    for joint in _JOINT.finditer(text):
        head, tail = text[: joint.start()], text[joint.end() :]
        tail = tail if joint["subject"] is None else joint["subject"] + tail
        tail = tail if _FIRST.match(tail) else "I " + tail
        first, second = slots.read(head, "user"), slots.read(tail, "user")
        stands = joint["subject"] is not None and not _POINTER.search(tail)
        if first is not None and (second is not None or stands):
            return [head, *_clauses(tail)]
    return [text]


def _candidate(kept: _Kept, message: MessageRecord, cast: Cast, timezone: tzinfo) -> Candidate:
    quote = message.content[kept.begin : kept.stop]
    first = kept.parts[0]
    english = len(first) <= when.LONGEST and is_english(first)  # a longer one is kept word for word
    spans = [s for part in kept.parts[:1] for s in when.find(part, anchor=message.at, timezone=timezone)]
    text = " ".join(when.absolute(part, anchor=message.at, timezone=timezone) for part in kept.parts)
    text = _statement(text, first, cast, kept.asked) if english else f"{message.speaker}: {text}"
    reading = slots.read(text, message.speaker) if english and not kept.asked else None
    event = _event(spans)
    since = next((s.start for s in spans if s.is_since), None)
    past = event.start if event and reading and reading.is_change and event.start <= message.at else None
    return Candidate(
        text=text,
        at=message.at,
        attributed_to=message.speaker,
        origin=message.origin,
        kind=_kind(text, has_event=event is not None),
        message_id=message.id,
        quote=quote,
        is_grounded=True,
        event_from=event.start if event else None,
        event_to=event.end if event else None,
        time_precision=event.precision if event else None,
        valid_from=since or past or message.at,
        entities=entities(text if english else first, speaker=cast.speaker) if len(first) <= when.LONGEST else (),
        is_negation=reading is not None and reading.is_bare,
        is_correction=correction.opens(quote) and reading is not None and not reading.is_change,
        slot=reading.slot if reading else None,
    )


@dataclass(frozen=True, slots=True)
class _Event:
    start: datetime
    end: datetime
    precision: Precision


def _event(spans: Sequence[when.Span]) -> _Event | None:
    """Return when what is told of happens: the first time named, unless it says since when something holds."""
    span = next((s for s in spans if not s.is_since and not s.is_former), None)
    return _Event(span.start, span.end, span.precision) if span else None


def _statement(text: str, first: str, cast: Cast, asked: str) -> str:
    """Return the English statement with its speaker named, and its last mark a full stop."""
    spoken = third(text, cast)
    if asked:
        spoken = f'Asked "{asked}", {cast.speaker} says: {_capital(spoken)}'
    elif not _FIRST.search(first):
        elided = _ELIDED.match(spoken)
        if elided:
            spoken = third("I " + _with_auxiliary(spoken[0].lower() + spoken[1:]), cast)
        elif not re.match(r"[A-Z][\w']+", spoken) or not _names_somebody(spoken):
            spoken = f"{_capital(cast.speaker)} says: {_capital(spoken)}"
    return _capital(re.sub(r"\s+", " ", spoken).strip().rstrip("!.… ") + ".")


def _with_auxiliary(clause: str) -> str:
    """ "been busy" → "have been busy"; "planning a trip" → "am planning a trip"."""
    if re.match(r"(?:\w+ )?been\b", clause):
        return "have " + clause
    if re.match(r"(?:\w+ly |just |also |still |even )?(?:\w{2,}ing\b|gonna\b)", clause):
        return "am " + clause
    return clause


def _names_somebody(text: str) -> bool:
    """True if a sentence in the third person opens with a name, so that it stands by itself."""
    return (
        bool(entities(text, speaker=""))
        and re.match(r"[A-Z][\w'-]+ ", text) is not None
        and bool(
            re.match(r"[A-Z]", text.split()[0])
            and text.split()[0].casefold() in normal(" ".join(entities(text, speaker="")))
        )
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _kind(text: str, *, has_event: bool) -> Kind:
    if _PROFILE.search(text):
        return "profile"
    if has_event:
        return "event"
    return "preference" if _PREFERENCE.search(text) else "fact"
