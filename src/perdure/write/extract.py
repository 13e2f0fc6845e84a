"""Extraction, φ of the paper: from the context to the candidate facts of the new exchange.  Pure.

The model names its source by a small number and a quote; both are checked here, and speaker, time and origin come
from the message that was really quoted, never from the model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any, get_args

from perdure import prompts
from perdure.errors import BadCompletion
from perdure.models import (
    Candidate,
    Completion,
    Extraction,
    ExtractionContext,
    Kind,
    MessageRecord,
    Origin,
    Precision,
    Prompt,
    Tool,
    Triple,
    Warning,
)
from perdure.prompts.recalled import as_data
from perdure.settings import PromptSize
from perdure.text import content_words, normal
from perdure.when import local
from perdure.write import reply
from perdure.write.context import extractable
from perdure.write.dates import Moment, read_moment
from perdure.write.grounds import grounds

_DATE: dict[str, Any] = {"type": ["string", "null"]}
_FACT: dict[str, Any] = {
    "text": {"type": "string"},
    "message": {"type": "integer", "description": "number of the NEW message that says it"},
    "quote": {"type": "string"},
    "kind": {"type": "string", "enum": list(get_args(Kind)), "description": "profile: diet, health, identity"},
    "entities": {"type": "array", "items": {"type": "string"}, "description": "people, places, things named"},
    "event_from": {**_DATE, "description": "first day of what happens or happened: YYYY[-MM[-DD]]"},
    "event_to": {**_DATE, "description": "its last day"},
    "precision": {"type": ["string", "null"], "enum": [*get_args(Precision), None]},
    "valid_from": {**_DATE, "description": "since when a state holds, if said"},
    "valid_to": {**_DATE, "description": "last day on which it holds, if said"},
    "ends": {"type": "boolean", "description": "it only says that something no longer holds"},
    "corrects": {"type": "boolean", "description": "it says that an earlier statement was wrong"},
}
_STRING: dict[str, Any] = {"type": "string"}


def _listed(**names: dict[str, Any]) -> dict[str, Any]:
    item = {"type": "object", "properties": names, "required": list(names), "additionalProperties": False}
    return {"type": "array", "items": item}


_GRAPH_FACT: dict[str, Any] = {
    **_FACT,
    "entities": _listed(name=_STRING, type=_STRING),
    "relations": _listed(source=_STRING, label=_STRING, target=_STRING),
}
_SHORT_FACT: dict[str, Any] = {
    "text": {"type": "string"},
    "quote": {"type": "string"},
    "event_from": {**_DATE, "description": "day it happens or happened: YYYY[-MM[-DD]]"},
    "ends": {"type": "boolean", "description": "it only says that something is no longer so"},
}


def _tool(fact: Mapping[str, Any], *more: str) -> Tool:
    item = {"type": "object", "properties": fact, "required": list(fact), "additionalProperties": False}
    schema = {
        "type": "object",
        "properties": {"facts": {"type": "array", "items": item}},
        "required": ["facts"],
        "additionalProperties": False,
    }
    return Tool("record_facts", " ".join(("Record the facts, in order of appearance.", *more)), schema)


TOOL = _tool(_FACT)
SHORT_TOOL = _tool(_SHORT_FACT)
GRAPH_TOOL = _tool(
    _GRAPH_FACT,
    "`entities`: every person, place, organisation, object, concept, event or value named, with that type. "
    "`relations`: what the fact ties together, by those names, with labels like lives_in, works_at, married_to, likes; "
    "what `ends` too.",
)

_KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
_PRECISIONS: dict[str, Precision] = {precision: precision for precision in get_args(Precision)}
# What models that do not keep to the schema call the list and the text; seen with small ones.
_LIST_KEYS = ("facts", "memories", "statements", "memory", "items", "results")
_TEXT_KEYS = ("text", "fact", "memory", "content", "statement", "sentence")
_TRUST: tuple[Origin, ...] = ("document", "tool", "assistant", "import", "manual", "user")  # least trusted first
_PLAIN_ROLE = re.compile(r"[\w-]+")  # "user", "tool": nothing in it could be read as an order
_QUOTED_SHARE = 0.5  # of a quote's content words: a message that holds fewer is not its source (chosen)


def prompt(
    context: ExtractionContext,
    *,
    with_graph: bool = False,
    size: PromptSize = "full",
    folder: str | None = None,
    timezone: tzinfo = UTC,
    exchange_chars: int = 60_000,
    window_chars: int = 2_000,
) -> Prompt:
    """Return what the model is asked, `with_graph` about entities' types and relations too (not by the short prompt).

    A message of the window is cut at `window_chars`.

    An exchange longer than `exchange_chars` is cut, each of its messages at the same length; see `is_cut`.
    """
    new = extractable(context)
    limit = _limit(new, exchange_chars)
    wishes = context.instructions.strip()
    is_short = size == "short"
    is_joint = with_graph and not is_short
    return prompts.load("extract_short" if is_short else "extract", folder).fill(
        tools=(SHORT_TOOL if is_short else GRAPH_TOOL if is_joint else TOOL,),
        summary=as_data(context.summary) if context.summary else "(none)",
        window="\n".join(_line(m, None, timezone, window_chars) for m in context.window if _is_said(m)) or "(none)",
        exchange="\n".join(_line(m, number, timezone, limit) for number, m in enumerate(new, start=1)),
        instructions=f"\nWishes of the memory's owner:\n{wishes}\n" if wishes else "",
    )


def is_cut(context: ExtractionContext, *, exchange_chars: int) -> bool:
    """True if the prompt of this context leaves out a part of a new message."""
    new = extractable(context)
    return any(len(m.content) > _limit(new, exchange_chars) for m in new)


def parse(completion: Completion, context: ExtractionContext, *, timezone: tzinfo = UTC) -> Extraction:
    """Return the candidates of the reply, in its order; a bad item becomes a warning, the good ones stay.

    Raises BadCompletion if nothing in the reply can be read as the asked form, or no item of it as a fact.
    """
    candidates: list[Candidate] = []
    warnings: list[Warning] = []
    read = reply.items(completion, tool=TOOL.name, keys=_LIST_KEYS, marks=_TEXT_KEYS)
    for place, item in enumerate(read.items, start=1):
        given = _opened(item)
        text = next((t for k in _TEXT_KEYS if (t := reply.text(given.get(k)))), "")
        if not text:
            warnings.append(Warning("bad_fact", f"fact {place} of the model's reply has no text; it was left out"))
            continue
        candidates.append(_candidate(text, given, context, timezone, warnings))
    if read.items and not candidates:
        raise BadCompletion(
            'none of the facts in the reply has a "text"; a list of facts was expected, or an empty one'
        )
    if read.is_cut:
        detail = "the model's reply ended before its list did; the whole facts of it were kept"
        warnings.append(Warning("reply_cut", detail))
    return Extraction(tuple(candidates), tuple(warnings), model=completion.model or None)


def _opened(item: object) -> Mapping[str, Any]:
    """Return an item as fields: a bare text is a fact's text, and a fact may stand within a field of its own."""
    if isinstance(item, str):
        return {"text": item}
    given = item if isinstance(item, Mapping) else {}
    inner = reply.first(given, _TEXT_KEYS)
    return {**given, **inner} if isinstance(inner, Mapping) else given


def _is_said(message: MessageRecord) -> bool:
    return message.role != "system" and bool(message.content.strip())


def _limit(new: Sequence[MessageRecord], exchange_chars: int) -> int:
    """Return the length at which each new message is cut: all of it where the exchange is short enough."""
    lengths = [len(m.content) for m in new]
    return max(lengths, default=0) if sum(lengths) <= exchange_chars else exchange_chars // len(lengths)


def _line(message: MessageRecord, number: int | None, timezone: tzinfo, limit: int) -> str:
    """Return a message as one line of the prompt: number, local time, speaker, text as a JSON string."""
    at = local(message.at, timezone).strftime("%a %Y-%m-%d %H:%M")
    role = message.role if _PLAIN_ROLE.fullmatch(message.role) else as_data(message.role)
    speaker = role if message.name is None else f"{as_data(message.name)} ({role})"
    text = message.content if len(message.content) <= limit else message.content[:limit] + "…"
    return f"{'-' if number is None else f'[{number}]'} {at} {speaker}: {as_data(text)}"


def _candidate(
    text: str,
    given: Mapping[str, Any],
    context: ExtractionContext,
    timezone: tzinfo,
    warnings: list[Warning],
) -> Candidate:
    messages = extractable(context)
    quote = reply.text(given.get("quote"))
    source = _source(quote, reply.whole(given.get("message")), messages)
    fault = "its quote does not stand in the exchange"
    if source.is_grounded and not grounds(source.message, text, context):
        source = _Source(source.message, _least(messages).origin, is_grounded=False)
        fault = "the message that its quote stands in says something else"
    if not source.is_grounded:
        warnings.append(Warning("ungrounded", f"{fault}; it was kept, flagged", text))
    event_from, event_to = _interval(given, "event_from", "event_to", timezone, text, warnings)
    valid_from, valid_to = _interval(given, "valid_from", "valid_to", timezone, text, warnings)
    start = valid_from.start if valid_from else source.message.at
    end = valid_to.end if valid_to else None
    entities, types = _entities(given.get("entities"))
    return Candidate(
        text=text,
        at=source.message.at,
        attributed_to=source.message.speaker,
        origin=source.origin,
        kind=_KINDS.get(reply.text(given.get("kind")), "fact"),
        message_id=source.message.id,
        quote=quote,
        is_grounded=source.is_grounded,
        event_from=event_from.start if event_from else None,
        event_to=(event_to or event_from).end if event_from else None,
        time_precision=_precision(reply.text(given.get("precision")), event_from),
        valid_from=min(start, end) if end else start,
        valid_to=end,
        entities=entities,
        types=types,
        triples=_triples(given.get("relations")),
        is_negation=reply.truth(given.get("ends")),
        is_correction=reply.truth(given.get("corrects")),
    )


def _entities(given: object) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the names of a fact, and the types of those that have one; a name may stand without."""
    listed = given if isinstance(given, list) else [given]
    types: dict[str, str] = {}
    names: list[object] = []
    for item in listed:
        if isinstance(item, Mapping):
            name, kind = reply.text(reply.first(item, ("name", "entity", "text"))), reply.text(item.get("type"))
            names.append(name)
            if name and kind:
                types[name] = kind
        else:
            names.append(item)
    return reply.texts(names), types


def _triples(given: object) -> tuple[Triple, ...]:
    """Return the relations of a fact; one without its three parts is passed over, a list of three is read too."""
    found: dict[Triple, None] = {}
    for item in given if isinstance(given, list) else []:
        parts: Sequence[object] = ()
        if isinstance(item, Mapping):
            parts = (
                reply.first(item, ("source", "subject", "head")),
                reply.first(item, ("label", "relation", "predicate", "relationship")),
                reply.first(item, ("target", "destination", "object", "tail")),
            )
        elif isinstance(item, list):
            parts = item
        said = [reply.text(part) for part in parts]
        if len(said) == 3 and all(said):
            source, label, target = said
            found[Triple(source, label, target)] = None
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Source:
    message: MessageRecord
    origin: Origin
    is_grounded: bool


def _source(quote: str, number: int | None, messages: Sequence[MessageRecord]) -> _Source:
    """Return the message that says a fact.

    The quote decides: the named message if it holds it, else the first one that does.  A quote that stands nowhere is
    credited to the named message if that holds at least half of the quote's content words, else to the origin that is
    trusted least in this exchange: a model that is talked into a false quote gains no standing by it.
    """
    named = messages[number - 1] if number is not None and 1 <= number <= len(messages) else None
    order = [named, *messages] if named is not None else list(messages)
    wanted = normal(quote)
    if wanted:
        for message in order:
            if f" {wanted} " in f" {normal(message.content)} " or _is_within(wanted, message.content):
                return _Source(message, message.origin, is_grounded=True)
    said = content_words(quote)
    if named is not None and said:
        held = said & content_words(named.content)
        if len(held) >= _QUOTED_SHARE * len(said):
            return _Source(named, named.origin, is_grounded=False)
    least = _least(messages)
    return _Source(named or least, least.origin, is_grounded=False)


def _least(messages: Sequence[MessageRecord]) -> MessageRecord:
    """Return the message whose origin is trusted least."""
    return min(messages, key=lambda m: (_TRUST.index(m.origin), m.order))


def _is_within(wanted: str, content: str) -> bool:
    """True if a quote in a script without spaces stands within a longer run."""
    return not wanted.isascii() and wanted.replace(" ", "") in normal(content).replace(" ", "")


def _interval(
    given: Mapping[str, Any], first: str, last: str, timezone: tzinfo, text: str, warnings: list[Warning]
) -> tuple[Moment | None, Moment | None]:
    """Return the two ends that were given and can be read; what cannot be is left out with a warning."""
    ends: list[Moment | None] = []
    for name in (first, last):
        said = reply.text(given.get(name))
        moment = read_moment(said, timezone=timezone) if said else None
        if said and moment is None:
            warnings.append(Warning("bad_date", f"{name} could not be read as a date; it was left out", text))
        ends.append(moment)
    start, end = ends
    if start and end and end.end < start.start:
        warnings.append(Warning("bad_date", f"{last} was before {first}; it was left out", text))
        end = None
    return start, end


def _precision(said: str, moment: Moment | None) -> Precision | None:
    if moment is None:
        return None
    return _PRECISIONS.get(said, moment.precision)
