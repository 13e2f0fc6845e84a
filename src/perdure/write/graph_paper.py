"""graph="paper": the four calls of Mem0^g (section 2.2 of the paper), each apart, where joint needs none of its own.

Entity extractor → relations generator before the nodes are linked; conflict detector → update resolver after, each only
where there is something to ask about.  They read the exchange's facts, so that each relation has a memory to live with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from perdure import prompts
from perdure.models import Candidate, Completion, Effect, Prompt, Tool, Triple
from perdure.prompts.recalled import as_data
from perdure.text import name_of, triple_text
from perdure.write import reply
from perdure.write.graph import Linked, Rival, Verdict
from perdure.write.paper import Ask

_STRING: dict[str, Any] = {"type": "string"}
_WHOLE: dict[str, Any] = {"type": "integer"}


def _tool(tool: str, says: str, key: str, /, **fields: dict[str, Any]) -> Tool:
    item = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    listed = {key: {"type": "array", "items": item}}
    schema = {"type": "object", "properties": listed, "required": [key], "additionalProperties": False}
    return Tool(tool, says, schema)


ENTITIES = _tool("record_entities", "Record the entities.", "entities", name=_STRING, type=_STRING)
RELATIONS = _tool(
    "record_relations", "Record the relations.", "relations", fact=_WHOLE, source=_STRING, label=_STRING, target=_STRING
)
CONFLICTS = _tool("report_conflicts", "Report the contradicted relations.", "conflicts", relation=_WHOLE)
RESOLVE = _tool(
    "resolve", "Mark relations as no longer valid.", "relations",
    relation=_WHOLE, effect={"type": "string", "enum": list(get_args(Effect))},
)  # fmt: skip


def told(candidates: Sequence[Candidate], *, ask: Ask, folder: str | None) -> list[Candidate]:
    """Return the candidates with the entities and relations that the model finds in them, by two calls."""
    if not candidates:
        return []
    facts = _facts(candidates)
    prompt = prompts.load("graph_entities", folder).fill(tools=(ENTITIES,), facts=facts)
    types = ask(prompt, _entities)
    if not types:
        return list(candidates)
    listed = "\n".join(f"- {as_data(name)} ({as_data(type) if type else 'unknown'})" for name, type in types.items())
    prompt = prompts.load("graph_relations", folder).fill(tools=(RELATIONS,), entities=listed, facts=facts)
    triples = ask(prompt, lambda completion: _relations(completion, len(candidates)))
    return [
        replace(candidate, triples=tuple(triples.get(index, ())), types=types)
        for index, candidate in enumerate(candidates)
    ]


def verdicts(candidates: Sequence[Candidate], linked: Linked, *, ask: Ask, folder: str | None) -> Mapping[str, Verdict]:
    """Return what becomes of the stored edges that new ones may replace: one call finds, another decides."""
    if not linked.rivals:
        return {}
    facts = _facts(candidates)
    found = ask(_about("graph_conflicts", CONFLICTS, facts, linked.rivals, folder), _conflicts(linked.rivals))
    if not found:
        return {}
    decided = ask(_about("graph_resolve", RESOLVE, facts, found, folder), _resolved(found))
    return {rival.relation.id: verdict for rival, verdict in decided}


def _facts(candidates: Sequence[Candidate]) -> str:
    return "\n".join(f"[{number}] {as_data(c.text)}" for number, c in enumerate(candidates, start=1))


def _about(name: str, tool: Tool, facts: str, rivals: Sequence[Rival], folder: str | None) -> Prompt:
    new = dict.fromkeys(triple_text(r.triple.source, r.triple.label, r.triple.destination) for r in rivals)
    lines = [f"[{number}] {as_data(rival.relation.text)}" for number, rival in enumerate(rivals, start=1)]
    return prompts.load(name, folder).fill(
        tools=(tool,), facts=facts, new="\n".join(map(as_data, new)), relations="\n".join(lines)
    )


# ---------------------------------------------------------------- replies


def _entities(completion: Completion) -> dict[str, str]:
    """Return name → type, "" where it has none."""
    found: dict[str, str] = {}
    for item in reply.items(completion, tool=ENTITIES.name, keys=("entities",), marks=("name",)).items:
        given = item if isinstance(item, Mapping) else {"name": item}
        name = reply.text(reply.first(given, ("name", "entity")))
        if name_of(name):
            found.setdefault(name, reply.text(given.get("type")))
    return found


def _relations(completion: Completion, count: int) -> dict[int, list[Triple]]:
    """Return index of a fact → its relations; one without its parts, or of no fact that was shown, is passed over."""
    found: dict[int, list[Triple]] = {}
    for item in reply.items(completion, tool=RELATIONS.name, keys=("relations",), marks=("source",)).items:
        given = item if isinstance(item, Mapping) else {}
        number = reply.whole(given.get("fact")) if count > 1 else 1
        source, label = (reply.text(given.get(name)) for name in ("source", "label"))
        target = reply.text(reply.first(given, ("target", "destination")))
        if number is not None and 1 <= number <= count and source and label and target:
            found.setdefault(number - 1, []).append(Triple(source, label, target))
    return found


def _conflicts(rivals: Sequence[Rival]) -> Callable[[Completion], list[Rival]]:
    def parse(completion: Completion) -> list[Rival]:
        read = reply.items(completion, tool=CONFLICTS.name, keys=("conflicts", "relations"), marks=("relation",))
        numbers = [reply.whole(item.get("relation") if isinstance(item, Mapping) else item) for item in read.items]
        return [rivals[n - 1] for n in dict.fromkeys(numbers) if n is not None and 1 <= n <= len(rivals)]

    return parse


def _resolved(rivals: Sequence[Rival]) -> Callable[[Completion], list[tuple[Rival, Verdict]]]:
    def parse(completion: Completion) -> list[tuple[Rival, Verdict]]:
        found = []
        for item in reply.items(completion, tool=RESOLVE.name, keys=("relations",), marks=("relation",)).items:
            given = item if isinstance(item, Mapping) else {}
            number = reply.whole(given.get("relation"))
            effect: Effect = "correction" if given.get("effect") == "correction" else "change"
            if number is not None and 1 <= number <= len(rivals):
                found.append((rivals[number - 1], Verdict(effect)))
        return found

    return parse
