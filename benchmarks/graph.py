"""The graph: two hops from a node, beside one float32 product of 10,000 × 384; and what a write costs with it."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from datetime import timedelta
from pathlib import Path

import numpy as np

from benchmarks.corpus import SCOPE, START
from benchmarks.search import cpu
from perdure import Memory
from perdure.graph import look
from perdure.models import (
    ChangeSet,
    Claim,
    MemoryRecord,
    Mention,
    NewClaim,
    NewEntity,
    NewOperation,
    NewVersion,
    Selection,
)
from perdure.providers.fakes import FixedClock
from perdure.stores.sqlite.store import SQLiteStore

_LABELS = ("knows", "likes", "owns", "friend_of", "visited", "lives_in")
_BATCH = 2_000  # memories a commit


def two_hops(nodes: int, edges: int, *, queries: int) -> dict[str, float | int]:
    """Return CPU times in milliseconds of two hops from random nodes, one claim a memory."""
    rng = random.Random(7)  # noqa: S311 - a benchmark
    with tempfile.TemporaryDirectory() as folder:
        clock = FixedClock(START)
        store = SQLiteStore(Path(folder) / "memory.db", clock=clock)
        began = time.perf_counter()
        for first in range(0, edges, _BATCH):
            store.commit(_changes(first, min(_BATCH, edges - first), nodes, rng))
        filled_s = time.perf_counter() - began
        selection = Selection(SCOPE, START + timedelta(days=400))
        asked = [f"e-{rng.randrange(nodes)}" for _ in range(queries)]
        for id in asked[: queries // 4]:
            look.neighbourhood(store, selection, [id], hops=2)
        found = [len(look.neighbourhood(store, selection, [id], hops=2)[1]) for id in asked]
        cpus = [cpu(lambda at=id: look.neighbourhood(store, selection, [at], hops=2)) for id in asked]  # type: ignore[misc]
        matrix = np.random.default_rng(7).standard_normal((10_000, 384)).astype(np.float32)
        products = [cpu(lambda row=row: matrix @ row) for row in matrix[:queries]]  # type: ignore[misc]
        store.close()
    return {
        "nodes": nodes,
        "edges": edges,
        "filled_s": round(filled_s, 1),
        "edges_found_p50": statistics.median(found),
        "two_hops_cpu_p50_ms": round(statistics.median(cpus), 3),
        "two_hops_cpu_p95_ms": round(sorted(cpus)[int(0.95 * len(cpus))], 3),
        "product_cpu_p50_ms": round(statistics.median(products), 3),
        "ratio": round(statistics.median(cpus) / statistics.median(products), 2),
    }


def _changes(first: int, count: int, nodes: int, rng: random.Random) -> ChangeSet:
    """Return a change set of memories with one claim each; a node comes with the first one that leaves it."""
    operation = NewOperation(f"op-{first}", "add", SCOPE, "offline")
    opened, mentions, claims, entities = [], [], [], []
    for number in range(first, first + count):
        source, end = number % nodes, rng.randrange(nodes)
        new = (source, end) if number < nodes else ()
        entities.extend(NewEntity(f"e-{node}", f"node {node}|person", f"Node {node}", "person") for node in new)
        label = _LABELS[rng.randrange(len(_LABELS))]
        opened.append(NewVersion(_record(f"m-{number}"), None, {"node": 1}))
        mentions.append(Mention(f"m-{number}", f"e-{source}", f"Node {source}", None, START))
        claim = Claim(
            f"c-{number}", f"m-{number}", f"e-{source}", f"Node {source}", label, f"e-{end}", f"Node {end}", START
        )
        claims.append(NewClaim(claim))
    return ChangeSet(
        SCOPE, operation.id, operation=operation, opened=tuple(opened), entities=tuple(entities),
        mentions=tuple(mentions), claims=tuple(claims), finishes="done",
    )  # fmt: skip


def _record(id: str) -> MemoryRecord:
    return MemoryRecord(
        id, "node", 1, SCOPE.user, SCOPE.agent, SCOPE.run, "fact", {}, (), None, "user", None, None, None, START, None,
        START, None, None, START, START, (), (), (), None, 0,
    )  # fmt: skip


def writing(count: int) -> list[dict[str, float | int | str]]:
    """Return the CPU time of an add of one fact with a relation, with the packaged embedder, graph off and joint."""
    found: list[dict[str, float | int | str]] = []
    for mode in ("off", "joint"):
        with tempfile.TemporaryDirectory() as folder:
            memory = Memory(Path(folder) / "memory.db", graph=mode, settings={"jobs": "manual"})  # type: ignore[arg-type]
            facts = [f"Person{n} lives in Town{n % 50}" for n in range(count)]
            cpus = [cpu(lambda it=memory, fact=fact: it.add(facts=[fact], user="ana")) for fact in facts]  # type: ignore[misc]
            memory.close()
        found.append({"graph": mode, "adds": count, "add_cpu_p50_ms": round(statistics.median(cpus), 2)})
    return found
