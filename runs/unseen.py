"""What the engine without a model makes of sentences written by readers who had not seen it.

    python runs/unseen.py [changes_1|changes_2|changes_3|statements_1|...|standing_1|...|es|ru|ar ...]

The sets in runs/unseen are our own writing.  Each was measured once before anybody looked at its sentences; runs/LOG.md
has those figures, and says which sets were learnt from afterwards.
Rows go to runs/unseen/NAME.rows.jsonl: ids and outcomes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from perdure import Memory
from perdure.models import MemoryRecord
from perdure.providers.fakes import FixedClock
from perdure.stores.in_memory import InMemoryStore

FOLDER = Path(__file__).parent / "unseen"
START = datetime(2026, 3, 2, 18, 30, tzinfo=UTC)
USER = "reader"
TURNS = 500  # of other talk around a standing fact
CHANGES = ("change", "correction", "end")


def changes(name: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return, for each pair of messages, whether the second retired what the first had left."""
    rows = []
    for item in read(name):
        at = START + timedelta(days=item["days_between"])
        with opened(at + timedelta(hours=1)) as memory:
            first = memory.add(item["first"], user=USER, at=START)
            old = [change.memory.id for change in first.changes if change.memory is not None]
            memory.add(item["then"], user=USER, at=at)
            gone = [id for id in old if not holds(memory, id)]
            rows.append({"id": item["id"], "expect": item["expect"], "old": len(old), "gone": len(gone)})
    real = [row for row in rows if row["expect"] in CHANGES]
    harmless = [row for row in rows if row["expect"] not in CHANGES]
    found = sum(row["gone"] > 0 for row in real)
    false = sum(row["gone"] > 0 for row in harmless)
    kept = sum(row["old"] > 0 for row in rows)
    lines = [
        f"first statement kept: {kept} of {len(rows)}",
        f"recall of supersession: {found} of {len(real)}",
        f"harmless ones that retired something: {false} of {len(harmless)}",
        f"precision: {found / max(1, found + false):.3f}",
    ]
    for kind in CHANGES:
        of = [row for row in real if row["expect"] == kind]
        lines.append(f"  {kind}: {sum(row['gone'] > 0 for row in of)} of {len(of)}")
    return rows, lines


def statements(name: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return, for each message, whether what is worth keeping was kept, and nothing else."""
    rows = []
    for number, item in enumerate(read(name)):
        with opened(START + timedelta(hours=1)) as memory:
            records = current(memory.add(item["text"], user=USER, at=START))
            text = " ".join(record.text for record in records).casefold()
            kinds = {record.kind for record in records}
            rows.append(
                {
                    "id": number,
                    "keep": item["keep"],
                    "kept": len(records),
                    "whole": all(word.casefold() in text for word in item.get("must_contain") or ()),
                    "kind": item.get("kind") is None or item["kind"] in kinds,
                }
            )
    worth = [row for row in rows if row["keep"]]
    empty = [row for row in rows if not row["keep"]]
    return rows, [
        f"kept of what is worth keeping: {sum(row['kept'] > 0 for row in worth)} of {len(worth)}",
        f"  with every key word: {sum(row['kept'] > 0 and row['whole'] for row in worth)}",
        f"  of the kind that was meant: {sum(row['kept'] > 0 and row['kind'] for row in worth)}",
        f"kept of what is not: {sum(row['kept'] > 0 for row in empty)} of {len(empty)}",
    ]


def standing(name: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return, for each standing fact, where a question that shares no word with it finds it, 500 turns later."""
    items, talk = read(name), [item["text"] for item in read("talk")]
    rows = []
    for number, item in enumerate(items):
        lines = [talk[(number * 17 + place) % len(talk)] for place in range(TURNS)]
        lines.insert(60 + 7 * number, item["fact"])
        at = START
        with opened(START + timedelta(days=60)) as memory:
            told = -1
            for place in range(0, len(lines), 10):
                batch = lines[place : place + 10]
                messages = [{"role": "user", "content": line, "id": f"{place + n}"} for n, line in enumerate(batch)]
                memory.add(messages, user=USER, at=at)
                if item["fact"] in batch:
                    told = place + batch.index(item["fact"])
                at += timedelta(hours=9)
            hits = memory.search(item["question"], user=USER, k=10)
            rank = next((n for n, hit in enumerate(hits, 1) if tells(hit, str(told))), None)
            block = memory.context(item["question"], user=USER, budget_tokens=1500)
            rows.append({"id": item["id"], "rank": rank, "context": any(tells(hit, str(told)) for hit in block.hits)})
        print(rows[-1], file=sys.stderr)
    return rows, [
        f"among the first five hits: {sum((row['rank'] or 99) <= 5 for row in rows)} of {len(rows)}",
        f"in a context of 1,500 tokens: {sum(row['context'] for row in rows)} of {len(rows)}",
    ]


def language(name: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return, for thirty messages of a language, what was kept, what was taken for a repeat and what is found."""
    items = read(name)
    rows: list[dict[str, Any]] = []
    with opened(START + timedelta(days=40)) as memory:
        for number, item in enumerate(items):
            message = {"role": "user", "content": item["text"], "id": str(number)}
            result = memory.add([message], user=USER, at=START + timedelta(days=number))
            events = [change.event for change in result.changes]
            rows.append({"id": number, "fact": item["is_fact"], "repeat": item["duplicate_of"], "events": events})
        for row, item in zip(rows, items, strict=True):
            if item["is_fact"] and item["duplicate_of"] is None and item.get("query"):
                hits = memory.search(item["query"], user=USER, k=5)
                same = {str(row["id"])} | {str(r["id"]) for r in rows if r["repeat"] == row["id"]}
                row["found"] = any(tells(hit, place) for hit in hits for place in same)
    new = [row for row in rows if row["fact"] and row["repeat"] is None]
    repeats = [row for row in rows if row["repeat"] is not None]
    talk = [row for row in rows if not row["fact"]]
    asked = [row for row in new if "found" in row]
    return rows, [
        f"facts kept: {sum('ADD' in row['events'] for row in new)} of {len(new)}",
        f"repeats not kept twice: {sum('ADD' not in row['events'] for row in repeats)} of {len(repeats)}",
        f"talk kept as a fact: {sum('ADD' in row['events'] for row in talk)} of {len(talk)}",
        f"found among five hits: {sum(row['found'] for row in asked)} of {len(asked)}",
    ]


def opened(now: datetime) -> Memory:
    """Return an empty memory at a time."""
    clock = FixedClock(now)
    return Memory(InMemoryStore(clock=clock), clock=clock, settings={"jobs": "manual"})


def current(result: Any) -> list[MemoryRecord]:
    """Return the memories that an add left."""
    return [change.memory for change in result.changes if change.memory is not None and change.event == "ADD"]


def holds(memory: Memory, id: str) -> bool:
    """Return whether a memory is current."""
    return any(record.id == id for record in memory.list(user=USER, limit=1000).items)


def tells(hit: Any, place: str) -> bool:
    """Return whether a hit is the message, or a memory drawn from it."""
    if hit.message is not None:
        return hit.message.external_id == place
    return hit.memory is not None and any(source.message_id == place for source in hit.memory.sources)


def read(name: str) -> list[dict[str, Any]]:
    """Return the items of a set, in order."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines() if line.strip()]


KINDS: dict[str, Callable[[str], tuple[list[dict[str, Any]], list[str]]]] = {
    "changes": changes,
    "statements": statements,
    "standing": standing,
}
SETS = (*(f"{kind}_{number}" for kind in KINDS for number in (1, 2)), "changes_3", "es", "ru", "ar")


def main(names: Sequence[str]) -> None:
    """Measure the named sets, or all."""
    for name in names or SETS:
        rows, lines = KINDS.get(name.partition("_")[0], language)(name)
        write(FOLDER / f"{name}.rows.jsonl", rows)
        print("\n".join([name, *(f"  {line}" for line in lines)]), flush=True)


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows, one a line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
