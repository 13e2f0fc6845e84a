"""Retrieval on every set of issue 6's table that needs no model: messages as they are, the shipped settings.

    python runs/retrieval.py [--dense-off] [locomo beam memdaily pooled prefeval plus fresh]

Each prints its measures with 95 % intervals; a context is cut by the library's own estimate of tokens (from above).
Rows of ids and numbers go to runs/retrieval/NAME.jsonl.
`plus`: each cue of LoCoMo-Plus stands once in a dev conversation (drawn by a fixed seed, at the end of a session) and
is asked for by its trigger; a cue is found where one of its turns is.
`pooled`: the evidence sessions of all 500 questions of LongMemEval as one haystack; never called LongMemEval.
`prefeval`: four users, 250 preferences of mixed topics each.
`fresh`: HaluMem's modified preferences, ended as the labels say, asked for by what each was; where the old and the new
one are shown, which stands first?
"""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from tests.conversation import decision, decisions, shown_numbers

from perdure import Memory
from perdure.evaluation import statistics
from perdure.evaluation.conversation import Conversation, Turn
from perdure.evaluation.datasets import beam, halumem, locomo, memdaily, prefeval
from perdure.evaluation.datasets.locomo import data_folder
from perdure.evaluation.measures.recall import evidence_recall
from perdure.models import Hit, Prompt
from perdure.providers.fakes import ScriptedLLM
from perdure.providers.local import MiniLM

ROWS = Path(__file__).parent / "retrieval"
SEED = 6
BUDGET = 1_500
DEEP = 60  # hits that are read where sessions are counted
START = datetime(2023, 1, 1, 12, tzinfo=UTC)
is_dense = "--dense-off" not in sys.argv


@dataclass(frozen=True, slots=True)
class Row:
    """One question's measures, each from 0 to 1."""

    group: str
    question: str
    category: str
    measures: Mapping[str, float]


_EMBEDDER = MiniLM()


@contextmanager
def remembered(conversation: Conversation) -> Iterator[Memory]:
    """Yield a memory in which a conversation was stored as it is, for the run "c"."""
    embedder: Any = _EMBEDDER if is_dense else "none"
    with Memory(":memory:", embedder=embedder, settings={"jobs": "manual"}) as memory:
        messages = [
            {"role": turn.role, "name": turn.speaker, "content": turn.text, "at": turn.at, "id": turn.id}
            for turn in conversation.turns
        ]
        memory.add(messages, run="c", infer=False)
        yield memory


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.message.public_id for hit in hits if hit.message is not None]


def turn_measures(
    memory: Memory, text: str, evidence: Sequence[str], session_of: Mapping[str, str]
) -> dict[str, float]:
    found = ids(memory.search(text, run="c", k=DEEP).hits)
    packed = ids(memory.context(text, run="c", budget_tokens=BUDGET).hits)
    sessions = list(dict.fromkeys(session_of[id] for id in found))
    wanted = {session_of[id] for id in evidence}
    return {
        "turns@10": evidence_recall(found[:10], evidence, k=10),
        "turns@20": evidence_recall(found[:20], evidence, k=20),
        "any@10": float(any(id in evidence for id in found[:10])),
        "session any@5": float(not wanted.isdisjoint(sessions[:5])),
        "session all@10": float(wanted <= set(sessions[:10])),
        "in a context": evidence_recall(packed, evidence, k=len(packed) or 1),
    }


def locomo_rows() -> Iterator[Row]:
    for conversation in locomo.load():
        session_of = {turn.id: turn.session or turn.id.split(":")[0] for turn in conversation.turns}
        with remembered(conversation) as memory:
            for question in conversation.questions:
                if question.category in (1, 2, 3, 4) and question.evidence:
                    measures = turn_measures(memory, question.text, question.evidence, session_of)
                    yield Row(conversation.id, str(question.index), str(question.category), measures)


def beam_rows() -> Iterator[Row]:
    for part in ("a", "b"):
        for conversation in beam.load(data_folder() / "other" / f"beam_100k_{part}.jsonl.gz"):
            with remembered(conversation) as memory:
                for question in conversation.questions:
                    if question.evidence:
                        found = ids(memory.search(question.text, run="c", k=10).hits)
                        measures = {"turns@10": evidence_recall(found, question.evidence, k=10)}
                        yield Row(conversation.id, str(question.index), str(question.category), measures)


def memdaily_rows() -> Iterator[Row]:
    every = memdaily.load()
    for conversation in random.Random(SEED).sample(every, 600):
        with remembered(conversation) as memory:
            for question in conversation.questions:
                if question.evidence:
                    found = ids(memory.search(question.text, run="c", k=5).hits)
                    measures = {"turns@5": evidence_recall(found, question.evidence, k=5)}
                    yield Row(conversation.id, str(question.index), str(question.category), measures)


def pooled_rows() -> Iterator[Row]:
    path = data_folder() / "longmemeval" / "evidence_turns_500.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    turns: list[Turn] = []
    asked: list[tuple[Any, list[str]]] = []
    for item in items:
        sessions = []
        for place, session in enumerate(item["evidence_sessions"]):
            name = f"{item['question_id']}.{place}"
            sessions.append(name)
            at = datetime.strptime(re.sub(r" \(\w+\)", "", session["date"]), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
            turns += [
                Turn(
                    f"{name}:{n}",
                    turn["role"],
                    turn["content"],
                    at,
                    role=turn["role"],
                    session=name,
                )
                for n, turn in enumerate(session["turns"])
            ]
        if sessions:
            asked.append((item, sessions))
    turns.sort(key=lambda turn: (turn.at, turn.id))
    with remembered(Conversation("pooled", ("user", "assistant"), tuple(turns), ())) as memory:
        for item, sessions in asked:
            found = ids(memory.search(item["question"], run="c", k=DEEP).hits)
            named = list(dict.fromkeys(id.rpartition(":")[0] for id in found))
            measures = {
                "session all@5": float(set(sessions) <= set(named[:5])),
                "session any@5": float(not set(sessions).isdisjoint(named[:5])),
            }
            yield Row("pooled", item["question_id"], item["question_type"], measures)


def prefeval_rows() -> Iterator[Row]:
    every = [
        (topic.id, question, turn)
        for topic in prefeval.load()
        for question, turn in zip(topic.questions, topic.turns, strict=True)
    ]
    random.Random(SEED).shuffle(every)
    for user in range(4):
        mine = every[user * 250 : (user + 1) * 250]
        turns = tuple(
            replace(turn, id=f"P{n}", speaker="user", at=START + timedelta(days=n))
            for n, (_, _, turn) in enumerate(mine)
        )
        with remembered(Conversation(f"user {user}", ("user", "assistant"), turns, ())) as memory:
            for n, (topic, question, _) in enumerate(mine):
                packed = ids(memory.context(question.text, run="c", budget_tokens=BUDGET).hits)
                found = ids(memory.search(question.text, run="c", k=10).hits)
                measures = {
                    "in a context": float(f"P{n}" in packed),
                    "share shown": len(packed) / len(mine),
                    "at 10": float(f"P{n}" in found),
                }
                yield Row(f"user {user}", str(n), topic, measures)


def plus_rows() -> Iterator[Row]:
    with gzip.open(data_folder() / "locomo" / "locomo_plus.json.gz", "rt", encoding="utf-8") as file:
        pairs = json.load(file)
    conversations = locomo.load()
    draw = random.Random(SEED)
    placed: dict[str, list[tuple[int, int]]] = {}
    for number in range(len(pairs)):
        conversation = draw.choice(conversations)
        last = [
            n
            for n, (one, other) in enumerate(zip(conversation.turns, conversation.turns[1:], strict=False))
            if one.at != other.at
        ]
        placed.setdefault(conversation.id, []).append((draw.choice(last), number))
    for conversation in conversations:
        turns = list(conversation.turns)
        for after, number in sorted(placed.get(conversation.id, ()), reverse=True):
            turns[after + 1 : after + 1] = list(cue(pairs[number], number, conversation.turns[after], conversation))
        with remembered(replace(conversation, turns=tuple(turns))) as memory:
            for _, number in placed.get(conversation.id, ()):
                asked = said(pairs[number]["trigger_query"])[-1][1]
                found = ids(memory.search(asked, run="c", k=10).hits)
                packed = ids(memory.context(asked, run="c", budget_tokens=BUDGET).hits)
                measures = {
                    "at 10": float(any(id.startswith(f"cue {number}:") for id in found)),
                    "in a context": float(any(id.startswith(f"cue {number}:") for id in packed)),
                }
                yield Row(conversation.id, str(number), pairs[number]["relation_type"], measures)


def said(text: str) -> list[tuple[str, str]]:
    """Return (speaker, words) of lines "A: ...", lines without one going on."""
    found: list[tuple[str, str]] = []
    for line in text.split("\n"):
        mark, _, words = line.partition(":")
        if mark.strip() in ("A", "B") and words:
            found.append((mark.strip(), words.strip()))
        elif line.strip():
            found.append(("A", line.strip()))
    return found


def cue(pair: Mapping[str, Any], number: int, after: Turn, conversation: Conversation) -> Iterator[Turn]:
    for place, (who, words) in enumerate(said(pair["cue_dialogue"])):
        speaker = conversation.speakers[0 if who == "A" else 1]
        at = after.at + timedelta(minutes=1 + place)
        yield Turn(f"cue {number}:{place}", speaker, words, at, session=f"cue {number}")


def fresh_rows() -> Iterator[Row]:
    for conversation in halumem.load():
        told = {turn.id: turn for turn in conversation.turns}
        ended: list[str] = []

        def reply(prompt: Prompt, ended: list[str] = ended) -> Any:
            shown = shown_numbers(prompt)
            number = next((shown[text] for text in ended if text in shown), None)
            return decisions(decision("ADD") if number is None else decision("DELETE", number, effect="change"))

        options: dict[str, Any] = {"floor": -1.0, "top_s": 1000, "jobs": "manual"}  # the labels decide
        with Memory(":memory:", embedder=_EMBEDDER, llm=ScriptedLLM(reply), settings=options) as memory:
            for question in conversation.questions:
                if question.category != "Modify" or question.answer is None:
                    continue
                what, _, rest = question.text.partition(": it was ")
                old, new = f"{what}: {rest.rpartition('. What is it now?')[0]}", f"{what}: {question.answer}"
                if old == new:  # the labels change only the reason
                    continue
                at = told[question.evidence[0]].at
                ended[:] = []
                memory.add(facts=[old], user="u", at=at - timedelta(days=7))
                ended[:] = [old]
                memory.add(facts=[new], user="u", at=at)
                found = memory.search(question.text, user="u", k=10, validity="all", include=("memories",))
                texts = [hit.text for hit in found.hits]
                if new in texts and old in texts:
                    measures = {"the current one first": float(texts.index(new) < texts.index(old))}
                    yield Row(conversation.id, str(question.index), "Modify", measures)


SETS = {
    "locomo": locomo_rows, "beam": beam_rows, "memdaily": memdaily_rows, "pooled": pooled_rows,
    "prefeval": prefeval_rows, "plus": plus_rows, "fresh": fresh_rows,
}  # fmt: skip


def main() -> None:
    ROWS.mkdir(exist_ok=True)
    for name in [word for word in sys.argv[1:] if not word.startswith("--")] or list(SETS):
        rows = list(SETS[name]())
        path = ROWS / f"{name}{'' if is_dense else '_bm25'}.jsonl"
        path.write_text("".join(json.dumps(asdict(row), separators=(",", ":")) + "\n" for row in rows), "utf-8")
        print(f"{name}: {len(rows)} questions")
        for measure in rows[0].measures:
            values = [row.measures[measure] for row in rows]
            each = statistics.by_question(values)
            whole = statistics.by_cluster(values, [row.group for row in rows])
            print(
                f"  {measure:22s} {100 * each.mean:5.1f}  by question {100 * each.low:.1f} to {100 * each.high:.1f}"
                f"  by conversation {100 * whole.low:.1f} to {100 * whole.high:.1f}"
            )
            kinds = sorted({row.category for row in rows})
            if 1 < len(kinds) <= 10:
                by = {kind: fmean(row.measures[measure] for row in rows if row.category == kind) for kind in kinds}
                print("    " + "  ".join(f"{kind} {100 * mean:.1f}" for kind, mean in by.items()))


if __name__ == "__main__":
    main()
