"""Eight processes, 2,000 adds each, on one file: nothing twice, nothing lost, nobody refused.

A third of what each adds is what all the others add too, a third says what the others say in other words (the group is
the label), a third is its own.  Vectors are MiniLM's, made once and shared by all.  The decider is a pure function of
the labels: a shown memory of the same group is a NOOP, anything else an ADD.
Whether two wordings of a group ever meet is the floor's affair: the share that passes it is reported, and no two that
pass it may both be current.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import numpy as np
from tests import make
from tests.conversation import decision, decisions, shown_numbers

from perdure import Memory, StoreBusy
from perdure.models import MemoryRecord, Prompt, Role
from perdure.providers.fakes import ScriptedLLM
from perdure.providers.local import VOCABULARY, MiniLM
from perdure.write.similar import compare

COUNT = 1
PROCESSES, ADDS = 8, 2_000
USER = "ana"
WORDINGS = (
    "{0} keeps the {1} beside the {2}",
    "the {1} of {0} is kept next to the {2}",
    "beside the {2} is where {0} keeps the {1}",
    "{0} stores the {1} right by the {2}",
    "you find the {1} of {0} near the {2}",
    "{0} has put the {1} close to the {2}",
    "next to the {2} stands the {1} of {0}",
    "the {2} has the {1} of {0} at its side",
)
OVERLAP_FLOOR = 0.5  # settings.overlap_floor

_measured: dict[str, Any] = {}


def check(seed: int, *, processes: int = PROCESSES, adds: int = ADDS) -> str | None:
    """Return what went wrong with many writers on one file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        labels = {text: group for worker in range(processes) for text, group in said(seed, worker, adds)}
        began = time.perf_counter()
        vectors = MiniLM().embed(list(labels), Role.DOCUMENT)
        np.savez(folder / "vectors.npz", texts=np.array(list(labels)), vectors=vectors)
        embedded_s = time.perf_counter() - began
        with _open(folder, labels):
            pass  # the schema is there before all come at once
        began = time.perf_counter()
        context = multiprocessing.get_context("spawn")
        start = context.Barrier(processes)
        workers = [context.Process(target=work, args=(seed, n, adds, processes, name, start)) for n in range(processes)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        reports = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("report-*.json"))]
        if len(reports) < processes or any(worker.exitcode for worker in workers):
            return "a writer died"
        _note(reports, embedded_s, time.perf_counter() - began)
        with _open(folder, labels) as memory:
            return _verdict(memory, labels, reports, processes * adds)


def measured() -> dict[str, Any]:
    """Return what the last run measured."""
    return _measured


# ---------------------------------------------------------------- what is said


def said(seed: int, worker: int, adds: int) -> Iterator[tuple[str, str]]:
    """Yield what one process adds, with the label of each: equal, paraphrased, its own, in turn."""
    words = _words()
    for number in range(adds):
        kind, place = ("equal", "other words", "own")[number % 3], number // 3
        group = f"{kind} {place}" + (f" {worker}" if kind == "own" else "")
        first = _hash(f"{seed} {group}")
        names = [words[(first >> shift) % len(words)] for shift in (0, 20, 40)]
        wording = WORDINGS[worker % len(WORDINGS) if kind == "other words" else place % len(WORDINGS)]
        yield wording.format(names[0].title(), *names[1:]), group


def _words() -> list[str]:
    lines = VOCABULARY.read_text("utf-8").split()
    return [word for word in lines if word.isascii() and word.isalpha() and 6 <= len(word) <= 10]


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


# ---------------------------------------------------------------- one process


@dataclass(frozen=True)
class Shared:
    """MiniLM's vectors of known texts."""

    model: str
    dimensions: int
    floor: float
    vectors: dict[str, Any]

    def covers(self, text: str) -> bool:
        return True

    def embed(self, texts: Sequence[str], role: Role) -> Any:
        return np.stack([self.vectors[text] for text in texts])


def work(seed: int, worker: int, adds: int, processes: int, name: str, start: Barrier) -> None:
    """Add everything that this process has to say, and report."""
    folder = Path(name)
    labels = {text: group for n in range(processes) for text, group in said(seed, n, adds)}
    times: list[float] = []
    report: dict[str, Any] = {"busy": 0, "again": 0, "conflicts": 0, "operations": [], "times": times}
    with _open(folder, labels) as memory:
        start.wait(timeout=600)
        for text, _ in said(seed, worker, adds):
            began = time.perf_counter()
            while True:
                try:
                    result = memory.add(facts=[text], user=USER)
                except StoreBusy:
                    report["busy"] += 1
                    continue
                if result.status == "done":
                    break
                report["again"] += 1
            times.append(time.perf_counter() - began)
            report["conflicts"] += any(warning.code == "decided_again" for warning in result.warnings)
            report["operations"].append(result.operation_id)
    (folder / f"report-{worker}.json").write_text(json.dumps(report), "utf-8")


def _open(folder: Path, labels: dict[str, str]) -> Memory:
    local = MiniLM()
    with np.load(folder / "vectors.npz") as held:
        vectors = dict(zip(held["texts"].tolist(), held["vectors"], strict=True))
    embedder = Shared(local.model, local.dimensions, local.floor, vectors)

    def decide(prompt: Prompt) -> Any:
        fact = prompt.turns[0].content.split("FACT", 1)[1]
        label = labels[json.JSONDecoder().raw_decode(fact[fact.index('"') :])[0]]
        alike = [number for text, number in shown_numbers(prompt).items() if labels[text] == label]
        return decisions(decision("NOOP", alike[0]) if alike else decision("ADD"))

    settings = {"jobs": "manual", "max_conflicts": 100}
    return Memory(folder / "m.db", llm=ScriptedLLM(decide), embedder=embedder, settings=settings)


# ---------------------------------------------------------------- the verdict


def _verdict(memory: Memory, labels: dict[str, str], reports: list[dict[str, Any]], adds: int) -> str | None:
    if any(report["busy"] for report in reports):
        return "a caller was told that the database is busy"
    held: dict[str, list[MemoryRecord]] = {}
    cursor = None
    while True:
        page = memory.list(user=USER, limit=1000, cursor=cursor)
        for record in page.items:
            held.setdefault(labels[record.text], []).append(record)
        cursor = page.cursor
        if cursor is None:
            break
    if held.keys() != set(labels.values()):
        return f"{len(set(labels.values()) - held.keys())} groups are lost"
    twice = [group for group, records in held.items() if len(records) > 1 and not group.startswith("other words")]
    if twice:
        return f"{len(twice)} equal facts are current twice, the first is {twice[0]}"
    pairs = [pair for records in held.values() for pair in combinations(records, 2)]
    near = [pair for pair in pairs if _passes(memory, *pair)]
    _measured["paraphrases_current_twice_below_the_floor"] = len(pairs) - len(near)
    _measured["share_of_paraphrases_that_pass_the_floor"] = round(_share(memory, labels), 4)
    if near:
        return f"{len(near)} pairs of paraphrases that pass the floor are current, the first is {near[0][0].text!r}"
    evidence = sum(record.evidence_count for records in held.values() for record in records)
    again = sum(report["again"] for report in reports)
    if evidence != adds:
        return f"{adds} adds were acknowledged, {evidence} left their evidence"
    known = memory.operations(user=USER, limit=1).total
    return None if known == adds + again else f"{adds + again} operations ran, {known} are known"


def _passes(memory: Memory, one: MemoryRecord, other: MemoryRecord) -> bool:
    embedder: Any = memory._ports.embedder  # noqa: SLF001 - the proof looks behind the verbs
    cosine = _cosine(embedder, one.text, other.text)
    ways = [(one, other), (other, one)]
    return cosine >= embedder.floor or all(
        compare(make.candidate(a.text, attributed_to=None), b, cosine).overlap >= OVERLAP_FLOOR for a, b in ways
    )


def _cosine(embedder: Any, one: str, other: str) -> float:
    first, second = embedder.embed([one, other], Role.DOCUMENT)
    return float(first @ second)


def _share(memory: Memory, labels: dict[str, str]) -> float:
    """Return the share of pairs of wordings of one group whose cosine passes the floor."""
    embedder: Any = memory._ports.embedder  # noqa: SLF001
    groups: dict[str, list[str]] = {}
    for text, group in labels.items():
        groups.setdefault(group, []).append(text)
    cosines = [_cosine(embedder, a, b) for texts in groups.values() for a, b in combinations(texts, 2)]
    return sum(cosine >= embedder.floor for cosine in cosines) / max(1, len(cosines))


def _note(reports: list[dict[str, Any]], embedded_s: float, took_s: float) -> None:
    times = sorted(took for report in reports for took in report["times"])
    _measured.update(
        processes=len(reports),
        adds=len(times),
        seconds=round(took_s, 1),
        embedding_seconds=round(embedded_s, 1),
        adds_decided_again=sum(report["conflicts"] for report in reports),
        adds_called_again=sum(report["again"] for report in reports),
        busy=sum(report["busy"] for report in reports),
        p50_ms=round(times[len(times) // 2] * 1000, 2),
        p99_ms=round(times[int(len(times) * 0.99)] * 1000, 2),
    )


if __name__ == "__main__":
    print(check(0, processes=int(sys.argv[1]), adds=int(sys.argv[2])), json.dumps(measured(), indent=1))
