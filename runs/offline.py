"""The offline engine on LoCoMo dev: evidence turns that give a statement, tokens of statements over raw ones.

    python runs/offline.py [--sample N [--seed S]] [--retired]

--sample prints N statements, each with its conversation and turn and what was said there, for reading; --retired what
would be superseded.  Neither is committed.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import bpe_openai

from perdure.models import Candidate, Exchange, ExtractionContext, Match, MemoryRecord, MessageRecord, Scope, Similar
from perdure.offline import meet
from perdure.offline.decide import decide
from perdure.offline.extract import extract

DATA = Path(os.environ.get("PERDURE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
ENCODING = bpe_openai.get_encoding("cl100k_base")


def tokens(text: str) -> int:
    return len(ENCODING.encode(text))


def turns(conversation: dict) -> list[MessageRecord]:
    found: list[MessageRecord] = []
    number = 1
    while f"session_{number}" in conversation:
        at = datetime.strptime(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for turn in conversation[f"session_{number}"]:
            found.append(
                MessageRecord(
                    turn["dia_id"], turn["dia_id"], "user", turn["speaker"], turn["text"], at, "user", "u", None, None,
                    {}, len(found) + 1,
                )
            )  # fmt: skip
        number += 1
    return found


def statements(messages: list[MessageRecord]) -> list[Candidate]:
    found: list[Candidate] = []
    for start in range(0, len(messages), 2):
        window, pair = messages[max(0, start - 10) : start], messages[start : start + 2]
        exchange = Exchange(start // 2, "op", Scope("default", user="u"), tuple(pair))
        found.extend(extract(ExtractionContext("", tuple(window), exchange)).candidates)
    return found


def memory(candidate: Candidate, number: int) -> MemoryRecord:
    return MemoryRecord(
        str(number), candidate.text, 1, "u", None, None, candidate.kind, {}, (), candidate.attributed_to,
        candidate.origin, candidate.event_from, candidate.event_to, candidate.time_precision, candidate.valid_from,
        None, candidate.at, None, None, candidate.at, candidate.at, (), candidate.entities, (), None, 0,
    )  # fmt: skip


def retired(found: list[Candidate]) -> list[tuple[MemoryRecord, Candidate, str]]:
    """Every supersession when each candidate meets all earlier statements of one slot, newest first."""
    current: list[MemoryRecord] = []
    gone: list[tuple[MemoryRecord, Candidate, str]] = []
    for number, candidate in enumerate(found):
        near = tuple(Similar(m, 0.0, 0.0) for m in reversed(current) if meet.common(candidate, m)[1])
        for decision in decide([Match(candidate, near)], near_duplicate=0.97):
            if decision.event == "DELETE":
                old = next(m for m in current if m.id == decision.target)
                gone.append((old, candidate, decision.reason))
                current.remove(old)
        current.append(memory(candidate, number))
    return gone


def words(text: object) -> set[str]:
    return set(re.findall(r"\w+", str(text).lower()))


def main() -> None:
    conversations = json.loads((DATA / "locomo" / "dev.json").read_text())
    raw = kept = hit = wanted = 0
    gold_raw = gold_kept = 0
    everything: list[Candidate] = []
    told: list[tuple[str, MessageRecord, Candidate]] = []
    missed: list[str] = []
    gone: list[tuple[MemoryRecord, Candidate, str]] = []
    spent = time.process_time()
    for item in conversations:
        messages = turns(item["conversation"])
        found = statements(messages)
        by_turn: dict[str, list[Candidate]] = {}
        for candidate in found:
            by_turn.setdefault(candidate.message_id or "", []).append(candidate)
        texts = {m.id: m for m in messages}
        raw += sum(tokens(f"{m.speaker}: {m.content}") for m in messages)
        kept += sum(tokens(c.text) for c in found)
        questions = [q for q in item["qa"] if q["category"] != 5]
        evidence = {e for q in questions for e in q["evidence"] if e in texts}
        wanted += len(evidence)
        hit += sum(e in by_turn for e in evidence)
        missed += [f"{texts[e].speaker}: {texts[e].content}" for e in sorted(evidence) if e not in by_turn]
        for question in questions:
            ids = [e for e in question["evidence"] if e in texts]
            gold = words(question["answer"])
            in_raw = gold & words(" ".join(texts[e].content for e in ids))
            gold_raw += len(in_raw)
            gold_kept += len(in_raw & words(" ".join(c.quote for e in ids for c in by_turn.get(e, []))))
        everything += found
        told += [(item["sample_id"], texts[c.message_id], c) for c in found if c.message_id in texts]
        if "--retired" in sys.argv:
            gone += retired(found)
    print(f"evidence turns with a statement: {hit}/{wanted} = {hit / wanted:.1%}")
    print(
        f"tokens: {kept}/{raw} = {kept / raw:.1%}; statements {len(everything)}; "
        f"CPU {time.process_time() - spent:.1f} s"
    )
    print(f"gold-answer tokens of raw turns covered: {gold_kept}/{gold_raw} = {gold_kept / gold_raw:.1%}")
    print(f"slots: {sum(c.slot is not None for c in everything)}, negations: {sum(c.is_negation for c in everything)}")
    if "--sample" in sys.argv:
        size, seed = (
            int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else 7 for name in ("--sample", "--seed")
        )
        for place, message, candidate in random.Random(seed).sample(told, size):
            print(f"- {place} {message.id} | {candidate.text} | {candidate.slot and candidate.slot.attribute}")
            print(f"    {message.speaker}: {message.content}")
    if "--missed" in sys.argv:
        print("\n".join("x " + text for text in random.Random(7).sample(missed, 30)))
    for old, new, reason in gone:
        print("~", old.text, "=>", new.text, "|", reason)


if __name__ == "__main__":
    main()
