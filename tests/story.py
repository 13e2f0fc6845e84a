"""A life told in nine exchanges, and a scripted model that takes notes of it: for tests of the graph.

Ana moves twice, leaves her employer and returns, marries, corrects a birthday, and has two friends called Paul.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from perdure.models import Prompt


@dataclass(frozen=True)
class Told:
    """A fact as the model notes it: what was said, its text, its relations, and what it replaces."""

    said: str
    text: str
    triples: tuple[tuple[str, str, str], ...]
    replaces: str | None = None  # text of the memory that it contradicts
    effect: str = "change"
    ends: bool = False
    corrects: bool = False


TYPES = {
    "Lyon": "city", "Porto": "city", "Berlin": "place", "Bolt": "company", "Siemens": "organisation", "Rosa": "person",
    "Ana": "person", "Paul Martin": "person", "Paul Durand": "person", "chess": "activity", "tennis": "activity",
}  # fmt: skip

STORY: tuple[tuple[datetime, Told], ...] = tuple(
    (datetime(2020 + n // 12, n % 12 + 1, 1, 12, tzinfo=UTC), told)
    for n, told in [
        (0, Told("I live in Lyon", "Ana lives in Lyon", (("Ana", "lives in", "Lyon"),))),
        (1, Told("I work for Bolt", "Ana works for Bolt", (("Ana", "works for", "Bolt"),))),
        (2, Told("I was born on 3 May 1990", "Ana was born on 3 May 1990", (("Ana", "birthday", "3 May 1990"),))),
        (3, Told("Paul Martin is my friend and plays chess", "Paul Martin, a friend of Ana, plays chess",
                 (("Ana", "friend of", "Paul Martin"), ("Paul Martin", "plays", "chess")))),
        (5, Told("I moved to Porto", "Ana lives in Porto", (("Ana", "resides in", "Porto"),), "Ana lives in Lyon")),
        (6, Told("I work for Siemens now", "Ana works for Siemens", (("Ana", "employed by", "Siemens"),),
                 "Ana works for Bolt")),
        (8, Told("Sorry, I was born on 4 May 1990", "Ana was born on 4 May 1990", (("Ana", "born on", "4 May 1990"),),
                 "Ana was born on 3 May 1990", "correction", corrects=True)),
        (10, Told("My friend Paul Durand plays tennis", "Paul Durand, a friend of Ana, plays tennis",
                  (("Ana", "friends with", "Paul Durand"), ("Paul Durand", "plays", "tennis")))),
        (12, Told("I am back at Bolt", "Ana works for Bolt again", (("Ana", "works at", "Bolt"),),
                  "Ana works for Siemens")),
        (14, Told("I married Rosa", "Ana is married to Rosa", (("Ana", "married", "Rosa"),))),
        (16, Told("We moved to Berlin", "Ana and Rosa live in Berlin",
                  (("Ana", "lives_in", "Berlin"), ("Rosa", "lives_in", "Berlin")), "Ana lives in Porto")),
    ]
)  # fmt: skip


class Notes:
    """The script: reads what it is asked from the prompt, and answers by the story."""

    def __init__(self, *, forgets: bool = False) -> None:
        self.forgets = forgets  # decides ADD, whatever contradicts
        self.asked: list[str] = []

    def __call__(self, prompt: Prompt) -> dict[str, Any]:
        self.asked.append(prompt.name)
        said = prompt.turns[0].content
        if prompt.name == "extract":
            told = next(told for _, told in STORY if told.said in said.split("NEW\n")[1])
            return {"facts": [self._fact(told, prompt)]}
        told = next(told for _, told in STORY if json.dumps(told.text) in said.split("FACTS\n")[-1])
        return getattr(self, prompt.name)(told, said)

    @staticmethod
    def _fact(told: Told, prompt: Prompt) -> dict[str, Any]:
        fact = {"text": told.text, "message": 1, "quote": told.said, "ends": told.ends, "corrects": told.corrects}
        if "relations" in json.dumps(prompt.tools[0].schema):
            names = dict.fromkeys(end for source, _, end in told.triples for end in (source, end))
            fact["entities"] = [{"name": name, "type": TYPES.get(name, "value")} for name in names]
            fact["relations"] = [{"source": s, "label": label, "target": t} for s, label, t in told.triples]
        return fact

    def decide(self, told: Told, said: str) -> dict[str, Any]:
        memories = said.split("FACTS\n")[0]
        alias = _number(memories, told.replaces) if told.replaces else None
        number = int(re.findall(r"^\[(\d+)\]", said.split("FACTS\n")[1], re.MULTILINE)[0])
        decision = {
            "fact": number,
            "event": "ADD",
            "memory": None,
            "effect": None,
            "text": None,
            "changed": [],
            "reason": "",
        }
        if alias is not None and not self.forgets:
            decision |= {"event": "DELETE", "memory": alias, "effect": told.effect, "reason": "told anew"}
        edges = re.findall(r"^\[(\d+)\]", said.split("RELATIONS\n")[1], re.MULTILINE) if "RELATIONS\n" in said else []
        ended = [{"relation": int(edge), "effect": told.effect} for edge in edges if told.replaces]
        return {"decisions": [decision], "relations": ended}

    def graph_entities(self, told: Told, said: str) -> dict[str, Any]:
        names = dict.fromkeys(end for source, _, end in told.triples for end in (source, end))
        return {"entities": [{"name": name, "type": TYPES.get(name, "value")} for name in names]}

    def graph_relations(self, told: Told, said: str) -> dict[str, Any]:
        return {"relations": [{"fact": 1, "source": s, "label": label, "target": t} for s, label, t in told.triples]}

    def graph_conflicts(self, told: Told, said: str) -> dict[str, Any]:
        edges = re.findall(r"^\[(\d+)\]", said.split("RELATIONS\n")[1], re.MULTILINE)
        return {"conflicts": [{"relation": int(edge)} for edge in edges if told.replaces]}

    def graph_resolve(self, told: Told, said: str) -> dict[str, Any]:
        edges = re.findall(r"^\[(\d+)\]", said.split("RELATIONS\n")[1], re.MULTILINE)
        return {"relations": [{"relation": int(edge), "effect": told.effect} for edge in edges]}


def _number(listed: str, text: str) -> int | None:
    line = next((line for line in listed.splitlines() if line.endswith(json.dumps(text))), None)
    return int(re.findall(r"\[(\d+)\]", line)[0]) if line else None
