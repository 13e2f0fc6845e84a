"""Precision and recall of supersession on pairs of statements, and the wordings that none of them uses.

    python runs/settled.py PAIRS.jsonl

A line is {"old": text, "new": text, "effect": "change" | "correction" | null}; null for a look-alike that ends nothing.
Both texts are messages of one user, ten days apart, read by the offline engine as it reads a conversation.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from perdure import offline
from perdure.models import Candidate, Exchange, ExtractionContext, Match, MemoryRecord, MessageRecord, Scope, Similar
from perdure.offline import meet, slots
from perdure.offline.clauses import clauses
from perdure.offline.decide import decide

AT = datetime(2026, 5, 4, 12, tzinfo=UTC)
DAYS = timedelta(days=10)


def said(text: str, at: datetime, order: int) -> tuple[Candidate, ...]:
    message = MessageRecord(f"m{order}", None, "user", None, text, at, "user", "u", None, None, {}, order)
    return offline.extraction(
        ExtractionContext("", (), Exchange(order, "op", Scope("default", user="u"), (message,)))
    ).candidates


def memory(candidate: Candidate, number: int) -> MemoryRecord:
    return MemoryRecord(
        str(number), candidate.text, 1, "u", None, None, candidate.kind, {}, (), candidate.attributed_to,
        candidate.origin, candidate.event_from, candidate.event_to, candidate.time_precision, candidate.valid_from,
        None, candidate.at, None, None, candidate.at, candidate.at, (), candidate.entities, (), None, 0,
    )  # fmt: skip


def effects(old: str, new: str) -> list[str | None]:
    held = [memory(candidate, number) for number, candidate in enumerate(said(old, AT, 0))]
    matches = [
        Match(candidate, tuple(Similar(m, 0.5, 0.5) for m in held if meet.common(candidate, m)[1]))
        for candidate in said(new, AT + DAYS, 1)
    ]
    return [d.effect for d in decide(matches, near_duplicate=0.97) if d.event == "DELETE"]


def unused(texts: list[str]) -> list[str]:
    spoken = [clause for text in texts for c in said(text, AT, 0) for clause in clauses(c.text, c.attributed_to)]
    return [
        wording.source
        for pattern, wording, is_whole in slots.table()
        if not any(pattern.match(clause.whole if is_whole else clause.predicate) for clause in spoken)
    ]


def main() -> None:
    pairs = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines() if line.strip()]
    hit = effect = false = 0
    for pair in pairs:
        found = effects(pair["old"], pair["new"])
        if pair["effect"] and found:
            hit += 1
            effect += found[0] == pair["effect"]
        elif pair["effect"] or found:
            false += bool(found)
            print("missed" if pair["effect"] else "FALSE", "|", pair["old"], "|", pair["new"])
    wanted = sum(bool(pair["effect"]) for pair in pairs)
    print(f"recall {hit}/{wanted}; precision {hit}/{hit + false}; effect right {effect}/{hit}")
    print(f"look-alikes that ended something: {false}/{len(pairs) - wanted}")
    rest = unused([text for pair in pairs for text in (pair["old"], pair["new"])])
    print(f"wordings that no pair uses: {len(rest)}", *rest, sep="\n  ")


if __name__ == "__main__":
    main()
