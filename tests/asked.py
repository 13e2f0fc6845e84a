"""A small data set of our own, and a model that remembers, answers and judges as the tests need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from perdure.models import Prompt

TALK = [
    ("Ana", "Hi Ben! I adopted a cat yesterday, her name is Mia.", "2024-05-01T10:00:00Z"),
    ("Ben", "Lovely! I bought a red kayak in Lyon.", "2024-05-01T10:01:00Z"),
    ("Ana", "I moved to Graz last week.", "2024-05-09T10:00:00Z"),
    ("Ben", "I sold the kayak.", "2024-05-09T10:01:00Z"),
]
QUESTIONS = [
    {"question": "What is the name of Ana's cat?", "answer": "Mia", "evidence": ["1"], "category": "pets"},
    {"question": "What did Ben buy in Lyon?", "answer": "a red kayak", "evidence": ["2"], "category": "things"},
    {"question": "Where does Ana live?", "answer": "Graz", "evidence": ["3"], "category": "places"},
    {"question": "What is Ben's dog called?", "category": "none", "answerable": False},
]


def write(folder: Path, *ids: str) -> Path:
    """Write one conversation per id in the form of a user's own data set."""
    messages = [{"id": str(n), "name": who, "content": text, "at": at} for n, (who, text, at) in enumerate(TALK, 1)]
    path = folder / "own.jsonl"
    rows = [{"id": id, "messages": messages, "questions": QUESTIONS} for id in ids]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def reply(prompt: Prompt) -> Any:
    """What the model says: facts by line, answers by the words of the question, verdicts by equality."""
    said = prompt.turns[-1].content
    if prompt.name == "answer":
        return answer(said)
    if prompt.name.startswith("judge"):
        return {"correct": verdict(said)}
    if prompt.name == "summarize":
        return "Ana adopted Mia and moved to Graz. Ben bought a kayak."
    return think(prompt.tools[0].name, said)


def think(tool: str, said: str) -> dict[str, Any]:
    if tool == "record_facts":
        new = said.rpartition("\nNEW\n")[2]
        found = [text for _, text, _ in TALK if text in new]
        return {"facts": [{"text": text, "message": 1, "quote": text} for text in found]}
    numbers = [
        int(line[1 : line.index("]")]) for line in said.rpartition("\nFACTS\n")[2].splitlines() if line[:1] == "["
    ]
    return {"decisions": [{"fact": n, "event": "ADD", "memory": None, "effect": None} for n in numbers]}


def answer(said: str) -> str:
    record, _, asked = said.partition("QUESTION")
    for words, wanted, text in (("cat?", "Mia", "Mia"), ("buy", "kayak", "a red kayak"), ("live", "Graz", "Graz")):
        if words in asked and wanted in record:
            return text
    return "No information available"


def verdict(said: str) -> bool:
    reference, given = (line.partition(": ")[2] for line in said.splitlines()[1:3])
    return reference == given
