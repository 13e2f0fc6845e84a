"""The parser of replies never crashes, never invents, and never answers a bad reply with an empty list.

A case is a list of facts, written the way that a careless model writes it, then damaged.  Laws, for every case:
- what comes back is an Extraction or a BadCompletion, within a second of CPU;
- no candidates without a warning only where the reply itself holds an empty list;
- a reply that was only dressed (fence, talk, thought, tags, Python's literals, other keys) gives exactly its facts;
- a reply that was only cut gives a beginning of its facts: no half ones, and, if some are missing, `reply_cut`;
- of one that was damaged at random, nothing is known but the first two laws.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from perdure.errors import BadCompletion
from perdure.models import Completion, Exchange, Extraction, ExtractionContext, MessageRecord, Scope, ToolCall
from perdure.write import extract

COUNT = 10_000
SLOW_S = 1.0  # of CPU, chosen: a reply of 4,096 tokens takes under 0.01 s, one made to be slow about 0.3 s

_AT = datetime(2024, 5, 8, 12, tzinfo=UTC)
_WORDS = (
    "Ana lives in Lyon with Théo and two cats, since 2019; she likes 茶 «green» Ōsaka's rain 50% Müller [sic] {braces} "
    "a\\b 10:30 #one // no \"quoted\" 'single' 🙂 ends. true null facts text"
).split()
_CONTEXT = ExtractionContext(
    "",
    (),
    Exchange(
        0,
        "op",
        Scope("default", "ana", None, None),
        (
            MessageRecord(
                "m", None, "user", None, "I live in Lyon.", _AT, "user", "ana", None, None, metadata={}, order=1
            ),
        ),
    ),
)


def check(seed: int) -> str | None:
    """Return what is wrong with the reading of the reply of this seed, None if nothing is."""
    chance = random.Random(seed)
    facts = [{"text": _sentence(chance, n), **_extras(chance)} for n in range(chance.randrange(5))]
    texts = [" ".join(fact["text"].split()) for fact in facts]
    law, completion = chance.choice(_CASES)(chance, facts)
    began = time.process_time()
    try:
        found = extract.parse(completion, _CONTEXT)
    except BadCompletion:
        found = None
    took = time.process_time() - began
    fault = _fault(law, completion, texts, found)
    if fault is None and took > SLOW_S:
        fault = f"it took {took:.1f} s"
    return None if fault is None else f"seed {seed}, {law}: {fault}"


def _fault(law: str, completion: Completion, texts: list[str], found: Extraction | None) -> str | None:
    if found is None:
        return "a dressed reply was not read" if law == "dressed" and texts else None
    got = [candidate.text for candidate in found.candidates]
    codes = {warning.code for warning in found.warnings}
    said = completion.text + "".join(call.arguments for call in completion.calls)
    if not got and not codes and "[" not in said:
        return "nothing was found in silence"
    if law == "dressed" and got != texts:
        return f"{len(got)} facts of {len(texts)}, or other ones"
    if law == "cut" and got != texts[: len(got)]:
        return "half a fact, or an invented one"
    if law == "cut" and len(got) < len(texts) and "reply_cut" not in codes and completion.is_truncated:
        return "facts are missing and nothing says so"
    return None


def _sentence(chance: random.Random, number: int) -> str:
    return f"{number} " + " ".join(chance.choices(_WORDS, k=chance.randrange(1, 12)))


def _extras(chance: random.Random) -> dict[str, Any]:
    values: dict[str, Any] = {
        "message": chance.choice([1, "1", "#1", 1.0, None, 99, True]),
        "quote": chance.choice(["I live in Lyon", "", None, 3, _sentence(chance, 0)]),
        "kind": chance.choice(["fact", "event", "poem", 7]),
        "entities": chance.choice([[], ["Ana"], "Ana", None, [1]]),
        "event_from": chance.choice([None, "2024-05-07", "2024-05", "soon", 2024]),
        "ends": chance.choice([False, True, "yes", None]),
    }
    return {name: value for name, value in values.items() if chance.random() < 0.7}


# ---------------------------------------------------------------- the ways to write it


def _dressed(chance: random.Random, facts: list[dict[str, Any]]) -> tuple[str, Completion]:
    """Return the whole reply in one of the ways that lose nothing."""
    shape = chance.randrange(4)
    key = chance.choice(["facts", "facts", "memories", "statements"])
    text_key = chance.choice(["text", "text", "fact", "statement"])
    renamed = [{text_key if name == "text" else name: value for name, value in fact.items()} for fact in facts]
    document: Any = {key: renamed} if shape else renamed
    written = _python(document) if chance.random() < 0.3 else json.dumps(document, ensure_ascii=chance.random() < 0.5)
    if shape == 2:
        written = json.dumps({"name": "record_facts", "arguments": document})
    if shape == 3:
        written = json.dumps(document, indent=chance.choice([1, 2, 4]))
    if chance.random() < 0.3:
        return "dressed", Completion("", (ToolCall(chance.choice(["record_facts", "recordFacts"]), written),))
    wrap: Callable[[str], str] = chance.choice(
        [
            lambda s: s,
            lambda s: f"```json\n{s}\n```",
            lambda s: f"Here you are:\n\n{s}\n\nAnything else?",
            lambda s: f"<think>I see (maybe [1] or {{2}}).</think>{s}",
            lambda s: f"hm, {{draft}}\n</think>\n{s}",
            lambda s: f"<tool_call>\n{s}\n</tool_call>",
        ]
    )
    # Of an empty list without a key, inside other words, nothing can be told.
    return "dressed" if facts else "free", Completion(wrap(written))


def _python(value: Any) -> str:
    """Return a document as Python writes it; a text with quotes stays as JSON writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"'{key}': {_python(inner)}" for key, inner in value.items()) + ",}"
    if isinstance(value, list):
        return "[" + "".join(_python(inner) + ", " for inner in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def _cut(chance: random.Random, facts: list[dict[str, Any]]) -> tuple[str, Completion]:
    """Return a reply that ends somewhere."""
    written = json.dumps({"facts": facts}, ensure_ascii=chance.random() < 0.5)
    written = written[: chance.randrange(len(written) + 1)]
    if chance.random() < 0.5:
        return "cut", Completion("", (ToolCall("record_facts", written),), is_truncated=True)
    return "cut", Completion(f"Sure:\n```json\n{written}", is_truncated=True)


def _damaged(chance: random.Random, facts: list[dict[str, Any]]) -> tuple[str, Completion]:
    """Return a reply with signs lost, doubled, exchanged or moved."""
    signs = list(json.dumps({"facts": facts}, ensure_ascii=False))
    for _ in range(chance.randrange(1, 12)):
        place = chance.randrange(len(signs) + 1)
        chance.choice(
            [
                lambda at=place: signs.__delitem__(slice(at, at + 1)),
                lambda at=place: signs.insert(at, chance.choice("{}[]\"',:\\\n\t\0#/`<>N1")),
                lambda at=place: signs.insert(
                    at, chance.choice(["```", "<think>", "</think>", "//", "null", "\ud800"])
                ),
                lambda at=place: signs.__setitem__(slice(at, at + chance.randrange(20)), []),
                lambda at=place: signs.extend(signs[at : at + 200]),
            ]
        )()
    return "free", Completion("".join(signs), is_truncated=chance.random() < 0.1)


def _soup(chance: random.Random, _: list[dict[str, Any]]) -> tuple[str, Completion]:
    """Return signs of JSON, tags and words in no order."""
    pieces = [
        *"{}[]\"':,-\\#\n \0“”", "facts", '"facts"', '"text"', "null", "1e999", "\\u12", "<think>", "</think>",
        "```json\n", "```", "//", "/*", "*/", "Ana", "\ud83d",
    ]  # fmt: skip
    said = "".join(chance.choices(pieces, k=chance.randrange(400)))
    if chance.random() < 0.2:
        said = chance.choice(pieces) * chance.randrange(20_000)
    return "free", Completion(said)


_CASES = (_dressed, _dressed, _cut, _cut, _damaged, _soup)
