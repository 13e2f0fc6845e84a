"""Search without embedding: rank and load ten, beside one float32 matrix-vector product with its top 60."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import numpy as np

from benchmarks.corpus import SCOPE, START, Corpus, filled
from perdure.models import Message, NewMessage, NewOperation, Probe, Selection
from perdure.providers.fakes import FixedClock
from perdure.stores.sqlite.store import SQLiteStore

LIMIT = 60  # rows that a channel offers
LOADED = 10  # k of a search


def search(count: int, *, queries: int) -> dict[str, float | int]:
    """Return times in milliseconds of `count` memories of one user; the ratio is of medians of one interleaved run."""
    corpus = Corpus()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        store = filled(path, corpus, count)
        selection = Selection(SCOPE, START + timedelta(days=400))
        matrix = np.stack([corpus.vector() for _ in range(count)])
        probes = list(corpus.probes(queries))
        cold = SQLiteStore(path, clock=FixedClock(START))
        cold_ms = wall(lambda: _found(cold, selection, probes[0]))
        cold.close()
        for probe in probes[: queries // 4]:
            _found(store, selection, probe)
        cpus = [cpu(lambda p=probe: _found(store, selection, p)) for probe in probes]  # type: ignore[misc]
        # The product's threads spin on after it, so that CPU time is measured before the first of them.
        walls, products = [], []
        for probe in probes:
            products.append(wall(lambda v=probe.vector: top(matrix, v)))  # type: ignore[misc]
            walls.append(wall(lambda p=probe: _found(store, selection, p)))  # type: ignore[misc]
        store.close()
    p50, product = statistics.median(walls), statistics.median(products)
    return {
        "memories": count,
        "queries": queries,
        "search_p50_ms": round(p50, 3),
        "search_p95_ms": round(sorted(walls)[int(0.95 * len(walls))], 3),
        "search_cpu_p50_ms": round(statistics.median(cpus), 3),
        "product_p50_ms": round(product, 3),
        "ratio": round(p50 / product, 2),
        "cold_ms": round(cold_ms, 1),
    }


def verbatim(count: int, *, durability: str) -> dict[str, float | int | str]:
    """Return the time of one durable verbatim message, stored and searchable, in milliseconds."""
    corpus = Corpus()
    with tempfile.TemporaryDirectory() as folder:
        store = SQLiteStore(Path(folder) / "memory.db", clock=FixedClock(START), durability=durability)  # type: ignore[arg-type]
        store.claim_embedder("synthetic-384", 384)
        walls = []
        for number in range(count):
            terms = corpus.terms(14)
            message = Message("user", " ".join(terms), START, "user")
            new = NewMessage(f"x-{number}", message, 0, corpus.vector(), terms)
            operation = NewOperation(f"op-{number}", "add", SCOPE, "verbatim")
            walls.append(wall(lambda o=operation, n=new: store.begin(o, [n], status="done")))  # type: ignore[misc]
        store.close()
    return {"messages": count, "durability": durability, "begin_p50_ms": round(statistics.median(walls), 3)}


def _found(store: SQLiteStore, selection: Selection, probe: Probe) -> None:
    ranked = store.rank("memory", selection, [probe], limit=LIMIT)[0]
    scores = ranked.rankings[0].scores
    loaded = store.load_memories(sorted(scores, key=lambda ref: -scores[ref])[:LOADED])
    assert len(loaded) == LOADED


def top(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    scores = matrix @ vector
    best = np.argpartition(scores, len(scores) - LIMIT)[len(scores) - LIMIT :]
    return best[np.argsort(-scores[best])]


def wall(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - before)


def cpu(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return 1000 * (time.process_time() - before)
