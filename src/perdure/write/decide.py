"""The decision of Algorithm 1, taken by the model for all candidates of an exchange in one call.  Pure.

Memories and facts are shown under small numbers; a number that was not shown is refused, and its fact is added as a
memory of its own: what is in doubt must not change what is stored.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Any, get_args

from perdure import prompts
from perdure.errors import BadCompletion
from perdure.models import (
    Completion,
    Decision,
    Effect,
    Event,
    Match,
    MemoryRecord,
    Prompt,
    RelationRecord,
    Tool,
    Warning,
)
from perdure.prompts.recalled import as_data
from perdure.settings import PromptSize
from perdure.when import local
from perdure.write import reply
from perdure.write.graph import Rival, Verdict

_SHORT_DECISION: dict[str, Any] = {
    "fact": {"type": "integer"},
    "event": {"type": "string", "enum": list(get_args(Event))},
    "memory": {"type": ["integer", "null"]},
    "effect": {"type": ["string", "null"], "enum": [*get_args(Effect), None]},
    "text": {"type": ["string", "null"]},
}
_DECISION: dict[str, Any] = {
    **_SHORT_DECISION,
    "changed": {"type": "array", "items": {"type": "string"}},
    "reason": {"type": "string"},
}


_ENDED: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"relation": {"type": "integer"}, "effect": {"type": "string", "enum": list(get_args(Effect))}},
        "required": ["relation", "effect"],
        "additionalProperties": False,
    },
}


def _tool(decision: Mapping[str, Any], *says: str, **more: Any) -> Tool:
    item = {"type": "object", "properties": decision, "required": list(decision), "additionalProperties": False}
    schema = {
        "type": "object",
        "properties": {"decisions": {"type": "array", "items": item}, **more},
        "required": ["decisions", *more],
        "additionalProperties": False,
    }
    return Tool("settle", " ".join(("Decide about every fact.", *says)), schema)


TOOL = _tool(_DECISION)
SHORT_TOOL = _tool(_SHORT_DECISION)
GRAPH_TOOL = _tool(
    _DECISION,
    "RELATIONS are stored edges that a FACT may replace. List under `relations` those that hold no longer, "
    "with `effect` as for memories; else leave it empty.",
    relations=_ENDED,
)
NEW = "nothing similar is known"  # the reason of an ADD that no model was asked about


@dataclass(frozen=True, slots=True)
class Decided:
    """Decisions in the order of their candidates, and what was refused."""

    decisions: tuple[Decision, ...]
    warnings: tuple[Warning, ...] = ()
    model: str | None = None
    prompt_hash: str | None = None
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)  # id of a stored relation → what becomes of it


def shown(matches: Sequence[Match]) -> list[MemoryRecord]:
    """Return the memories that a prompt shows, each once, in the order of their numbers."""
    return list({near.memory.id: near.memory for match in matches for near in match.similar}.values())


def prompt(
    matches: Sequence[Match],
    *,
    rivals: Sequence[Rival] = (),
    size: PromptSize = "full",
    folder: str | None = None,
    timezone: tzinfo = UTC,
) -> Prompt:
    """Return what the model is asked: about every candidate with a similar memory, and about the rivals' relations."""
    lines = [f"[{number}] {memory_line(memory, timezone)}" for number, memory in enumerate(shown(matches), start=1)]
    facts = [f"[{number + 1}] {_fact_line(matches[number], timezone)}" for number in asked(matches, rivals)]
    if size == "short":
        return prompts.load("decide_short", folder).fill(
            tools=(SHORT_TOOL,), memories="\n".join(lines) or "(none)", facts="\n".join(facts)
        )
    edges = [f"[{number}] {relation_line(rival.relation, timezone)}" for number, rival in enumerate(rivals, start=1)]
    return prompts.load("decide", folder).fill(
        tools=(GRAPH_TOOL if rivals else TOOL,),
        memories="\n".join(lines) or "(none)",
        facts="\n".join(facts) + ("\n\nRELATIONS\n" + "\n".join(edges) if edges else ""),
    )


def asked(matches: Sequence[Match], rivals: Sequence[Rival] = ()) -> list[int]:
    """Return the indices of the candidates that a decision is needed for."""
    replacing = {rival.candidate for rival in rivals}
    return [index for index, match in enumerate(matches) if match.similar or index in replacing]


def all_new(matches: Sequence[Match]) -> tuple[Decision, ...]:
    """Return the decisions where nothing is similar to any candidate: ADD each."""
    return tuple(Decision(index, "ADD", reason=NEW) for index in range(len(matches)))


def parse(completion: Completion, matches: Sequence[Match], rivals: Sequence[Rival] = ()) -> Decided:
    """Return the decisions of the reply, and an ADD for every candidate that it leaves without one.

    A decision with an unknown fact, event or memory, or an UPDATE without text, is refused with a warning.
    Raises BadCompletion if nothing in the reply can be read as the asked form, or no item of it carried out.
    """
    memories = shown(matches)
    wanted = dict.fromkeys(asked(matches, rivals))
    found: dict[int, list[Decision]] = {index: [] for index in wanted}
    taken: set[tuple[int, Event, str | None]] = set()
    warnings: list[Warning] = []
    read = reply.items(completion, tool=TOOL.name, keys=_LIST_KEYS, marks=_EVENT_KEYS)
    for item in read.items:
        decision = _decision(item, matches, memories, wanted, warnings)
        if decision is None or (place := (decision.candidate, decision.event, decision.target)) in taken:
            continue  # said again: the first one counts
        taken.add(place)
        found[decision.candidate].append(decision)
    if read.items and not any(found.values()):
        raise BadCompletion("none of the decisions in the reply is about a fact and a memory that were shown")
    for index in wanted:
        if not found[index]:
            detail = "the model gave no decision that can be carried out; the fact was added as it is"
            warnings.append(Warning("undecided", detail, matches[index].candidate.text))
            found[index] = [Decision(index, "ADD", reason="undecided")]
    new = {index: [Decision(index, "ADD", reason=NEW)] for index in range(len(matches)) if index not in found}
    decisions = tuple(d for index in range(len(matches)) for d in (found | new)[index])
    return Decided(
        decisions, tuple(warnings), completion.model or None, verdicts=_verdicts(completion, rivals, decisions)
    )


def _verdicts(completion: Completion, rivals: Sequence[Rival], decisions: Sequence[Decision]) -> dict[str, Verdict]:
    """Return what the reply says of the rivals' relations; one that was not shown is passed over."""
    found: dict[str, Verdict] = {}
    if not rivals:
        return found
    try:
        listed = reply.items(completion, tool=TOOL.name, keys=("relations",), marks=("relation",)).items
    except BadCompletion:
        return found  # no such list: the decisions alone were given
    reasons = {d.candidate: d.reason for d in decisions if d.reason and d.event != "ADD"}
    for item in listed:
        given = item if isinstance(item, Mapping) else {}
        number = reply.whole(given.get("relation"))
        if number is not None and 1 <= number <= len(rivals):
            rival = rivals[number - 1]
            effect: Effect = "correction" if given.get("effect") == "correction" else "change"
            found[rival.relation.id] = Verdict(effect, reasons.get(rival.candidate, ""))
    return found


def relation_line(relation: RelationRecord, timezone: tzinfo) -> str:
    """Return a stored relation as the model sees it: since when it holds, and its text as a JSON string."""
    since = f"(since {local(relation.valid_from, timezone):%Y-%m-%d}) " if relation.valid_from else ""
    return f"{since}{as_data(relation.text)}"


def memory_line(memory: MemoryRecord, timezone: tzinfo) -> str:
    """Return a memory as the model sees it: since when it holds, who said it, and its text as a JSON string."""
    since = f"since {local(memory.valid_from, timezone):%Y-%m-%d}, " if memory.valid_from else ""
    return f"({since}said by {memory.origin}) {as_data(memory.text)}"


def _fact_line(match: Match, timezone: tzinfo) -> str:
    candidate = match.candidate
    notes = [f"{local(candidate.at, timezone):%Y-%m-%d}", f"said by {candidate.origin}"]
    if candidate.is_negation:
        notes.append("says only that something no longer holds")
    if candidate.is_correction:
        notes.append("corrects an earlier statement")
    return f"({', '.join(notes)}) {as_data(candidate.text)}"


def _decision(
    item: Any,
    matches: Sequence[Match],
    memories: Sequence[MemoryRecord],
    wanted: Collection[int],
    warnings: list[Warning],
) -> Decision | None:
    """Return a checked decision, or None with a warning."""
    given = item if isinstance(item, Mapping) else {}
    number = reply.whole(reply.first(given, ("fact", "fact_id")))
    if number is None and len(wanted) == 1:
        number = next(iter(wanted)) + 1  # one question, one answer
    if number is None or number - 1 not in wanted:
        warnings.append(
            Warning("bad_decision", "the model decided about a fact that it was not shown; it was left out")
        )
        return None
    candidate = matches[number - 1].candidate
    event = _EVENTS.get(reply.text(reply.first(given, _EVENT_KEYS)).upper())
    alias = reply.whole(reply.first(given, ("memory", "memory_id", "target")))
    is_known = alias is not None and 1 <= alias <= len(memories)
    merged = reply.text(given.get("text"))
    fault = _fault(event, is_known=is_known, has_alias=alias is not None, merged=merged)
    if fault is not None or event is None:
        warnings.append(Warning("bad_decision", f"{fault}; that decision was left out", candidate.text))
        return None
    target = memories[alias - 1].id if alias is not None and is_known and event != "ADD" else None
    is_correction = given.get("effect") == "correction" or (given.get("effect") is None and candidate.is_correction)
    return Decision(
        candidate=number - 1,
        event=event,
        target=target,
        effect=("correction" if is_correction else "change") if event == "DELETE" else None,
        text=merged if event == "UPDATE" else None,
        changed=reply.texts(given.get("changed")) if event == "UPDATE" else (),
        reason=reply.text(given.get("reason")),
    )


# What models that do not keep to the schema call the list, the event and its kinds.
_LIST_KEYS = ("decisions", "operations", "actions", "events")
_EVENT_KEYS = ("event", "action", "operation", "decision")
_EVENTS: dict[str, Event] = {
    **{event: event for event in get_args(Event)},
    "NEW": "ADD", "INSERT": "ADD", "CREATE": "ADD", "MERGE": "UPDATE", "MODIFY": "UPDATE", "REMOVE": "DELETE",
    "INVALIDATE": "DELETE", "SUPERSEDE": "DELETE", "NONE": "NOOP", "NO-OP": "NOOP", "NO_OP": "NOOP", "IGNORE": "NOOP",
    "SKIP": "NOOP", "KEEP": "NOOP", "NO_CHANGE": "NOOP", "DUPLICATE": "NOOP",
}  # fmt: skip


def _fault(event: Event | None, *, is_known: bool, has_alias: bool, merged: str) -> str | None:
    if event is None:
        return "the model named an event other than ADD, UPDATE, DELETE and NOOP"
    if event != "ADD" and has_alias and not is_known:
        return "the model named a memory that it was not shown"
    if event in ("UPDATE", "DELETE") and not has_alias:
        return f"the model named no memory to {event}"
    return "the model gave no merged text for its UPDATE" if event == "UPDATE" and not merged else None
