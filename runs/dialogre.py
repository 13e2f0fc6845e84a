"""DialogRE's labels through the graph: python runs/dialogre.py [dev|test].

Proof of the store: an extractor that is fed from the labels; each node and edge must be there exactly once, with the
aliases merged.  Measure: precision and recall by kind of relation of the engine without a model, on the dialogues.
Needs the data (PERDURE_DATA); prints numbers only.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

from perdure import Memory  # noqa: E402
from perdure.errors import InputError  # noqa: E402
from perdure.evaluation.datasets.locomo import data_folder  # noqa: E402
from perdure.graph.labels import label  # noqa: E402
from perdure.graph.names import key_of, type_of  # noqa: E402
from perdure.models import Prompt  # noqa: E402
from perdure.providers.fakes import FixedClock, HashEmbedder, ScriptedLLM  # noqa: E402
from perdure.text import name_of  # noqa: E402

AT = datetime(2024, 1, 1, tzinfo=UTC)
ALIAS = "alternate_names"
# DialogRE's own words for what the offline engine says in another label.
SAME = {
    "parents": "has_parent", "children": "parent_of", "siblings": "sibling_of", "spouse": "married_to",
    "girl/boyfriend": "dating", "friends": "friend_of", "works": "works_at", "employee_or_member_of": "works_at",
    "place_of_residence": "lives_in", "place_of_birth": "born_in", "date_of_birth": "born_on", "age": "aged",
    "title": "works_as", "pet": "owns", "neighbor": "neighbour_of", "boss": "boss", "schools_attended": "studies_at",
    "dates": "dating",
}  # fmt: skip
TYPES = {"PER": "person", "GPE": "place", "ORG": "organisation", "STRING": "value", "VALUE": "value"}
Edge = tuple[str, str, str]


def load(part: str, language: str = "en") -> list[Any]:
    """Return the dialogues of a part, each with its labelled pairs."""
    with gzip.open(data_folder() / "other" / f"dialogre_{language}_{part}.json.gz", "rt", encoding="utf-8") as file:
        return list(json.load(file))


def prove(dialogue: Any, store: str = ":memory:") -> dict[str, int]:
    """Write a dialogue's labels through a scripted extractor, and assert that the graph is exactly they."""
    triples, types = _labelled(dialogue)
    aliases = [(x, y) for x, name, y in triples if name == ALIAS]
    told = [triple for triple in triples if triple[1] != ALIAS]
    facts = [
        {"text": f"{x} {name} {y} ({n})", "message": 1, "quote": "",
         "entities": [{"name": end, "type": types[end]} for end in (x, y)],
         "relations": [] if name == ALIAS else [{"source": x, "label": name, "target": y}]}
        for n, (x, name, y) in enumerate(triples)
    ]  # fmt: skip

    def script(prompt: Prompt) -> dict[str, Any]:
        if prompt.name == "extract":
            return {"facts": facts}
        return {"decisions": [], "relations": []}  # the facts are added as they are

    with Memory(
        store, llm=ScriptedLLM(script), embedder=HashEmbedder(), clock=FixedClock(AT), settings={"jobs": "manual"}
    ) as memory:
        for _ in range(2):  # said twice, it is there once
            memory.add([{"role": "user", "content": "\n".join(dialogue[0]), "at": AT}], user="d")
        by_key = {}
        for entity in memory.entities(user="d"):
            for name in (entity.name, *entity.aliases):
                by_key.setdefault(key_of(name, entity.type), []).append(entity.id)
        assert all(len(ids) == 1 for ids in by_key.values()), "a name of one type is one node"
        merged = 0
        for x, y in aliases:
            one, other = (_id(memory, end, types) for end in (x, y))
            if one != other:
                memory.merge(one, other, user="d")
                merged += 1
        place = {end: _id(memory, end, types) for end in {end for x, _, y in triples for end in (x, y)}}
        wanted = Counter({(place[x], form.name, place[y]) if not form.is_inverse else (place[y], form.name, place[x]): 1
                          for x, name, y in told for form in [label(name)]})  # fmt: skip
        found = Counter((r.source_id, r.label, r.destination_id) for r in memory.relations(user="d", validity="all"))
        assert found == wanted, "each edge is there exactly once"
        assert {e.id for e in memory.entities(user="d")} == set(place.values()), "each node is there exactly once"
        for x, y in aliases:
            assert place[x] == place[y], "aliases are one node"
    return {"nodes": len(set(place.values())), "edges": len(wanted), "merged": merged}


def _id(memory: Memory, said: str, types: dict[str, str]) -> str:
    """Return the node that goes by a name: of its type, else (merged with one of another type) the only one."""
    called = [e for e in memory.entities(user="d") if name_of(said) in {name_of(name) for name in (e.name, *e.aliases)}]
    found = [e.id for e in called if e.type == type_of(types[said])] or [e.id for e in called]
    assert len(found) == 1, f"{len(found)} nodes go by one name and type"
    return found[0]


def _labelled(dialogue: Any) -> tuple[list[Edge], dict[str, str]]:
    """Return the labelled triples, each once, and name → type; a name that has several keeps the first."""
    triples: dict[Edge, None] = {}
    types: dict[str, str] = {}
    for pair in dialogue[1]:
        for end, kind in ((pair["x"], pair["x_type"]), (pair["y"], pair["y_type"])):
            types.setdefault(end, TYPES.get(kind, "value"))
        for name in pair["r"]:
            if name != "unanswerable" and name_of(pair["x"]) != name_of(pair["y"]):
                said = name.split(":")[1]
                triples[pair["x"], SAME.get(said, said), pair["y"]] = None
    # Two spellings of one name are one: the first stands for both.
    first: dict[str, str] = {}
    for end in types:
        first.setdefault(key_of(end, type_of(types[end])), end)
    spelt = {end: first[key_of(end, type_of(types[end]))] for end in types}
    return list(dict.fromkeys((spelt[x], name, spelt[y]) for x, name, y in triples)), types


def measure(dialogues: list[Any]) -> dict[str, tuple[int, int, int]]:
    """Return kind → how many relations are labelled, found by the offline engine, and both.

    A relation counts as labelled if its ends go by names that the dialogue labels as one (aliases).
    """
    labelled, found, both = Counter[str](), Counter[str](), Counter[str]()
    kinds = {label(name).name for name in SAME.values()}
    for dialogue in dialogues:
        triples, _ = _labelled(dialogue)
        leader: dict[str, str] = {}

        def lead(said: str, leader: dict[str, str] = leader) -> str:
            form = name_of(said)
            while leader.get(form, form) != form:
                form = leader[form]
            return form

        for x, name, y in triples:
            if name == ALIAS and lead(x) != lead(y):
                leader[lead(x)] = lead(y)
        gold = set()
        for x, name, y in triples:
            form = label(name)
            if form.name in kinds:
                gold.add((lead(y), form.name, lead(x)) if form.is_inverse else (lead(x), form.name, lead(y)))
        with Memory(":memory:", embedder="none", clock=FixedClock(AT), settings={"jobs": "manual"}) as memory:
            messages = []
            for line in dialogue[0]:
                speaker, _, said = line.partition(": ")
                if said.strip():
                    messages.append({"role": "user", "name": speaker, "content": said, "at": AT})
            try:
                memory.add(messages, run="d")
            except InputError:
                continue
            told = {
                (lead(r.source), r.label, lead(r.destination)) for r in memory.relations(run="d", validity="all")
            } if memory.entities(run="d") else set()  # fmt: skip
        told = {edge for edge in told if edge[1] in kinds}
        labelled.update(edge[1] for edge in gold)
        found.update(edge[1] for edge in told)
        both.update(edge[1] for edge in gold & told)
    return {kind: (labelled[kind], found[kind], both[kind]) for kind in sorted(labelled | found)}


def main() -> None:
    part = sys.argv[1] if len(sys.argv) > 1 else "dev"
    dialogues = load(part)
    totals: Counter[str] = Counter()
    for dialogue in dialogues:
        totals.update(prove(dialogue))
    print(f"{part}: {len(dialogues)} dialogues, exact: {dict(totals)}")
    print("kind, labelled, found, both, precision, recall (engine without a model)")
    table = measure(dialogues)
    table["all"] = tuple(sum(row[n] for row in table.values()) for n in range(3))  # type: ignore[assignment]
    for kind, (labelled, found, both) in table.items():
        print(f"{kind}, {labelled}, {found}, {both}, {both / max(1, found):.2f}, {both / max(1, labelled):.2f}")


if __name__ == "__main__":
    main()
