"""The verbs whole, embedding excluded: search beside one float32 product with its top 60, and a verbatim add."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.corpus import SCOPE, START, Corpus, filled
from benchmarks.search import cpu, top, wall
from perdure import Memory
from perdure.models import Role
from perdure.providers.fakes import FixedClock

K = 10


class Given:
    """An embedder that costs nothing: it hands out vectors made beforehand."""

    model = "synthetic-384"
    dimensions = 384
    floor = 0.4

    def __init__(self, corpus: Corpus, texts: Sequence[str] = ()) -> None:
        self._corpus = corpus
        self._vectors = {text: corpus.vector() for text in texts}
        self._spare = corpus.vector()

    def covers(self, text: str) -> bool:
        return True

    def embed(self, texts: Sequence[str], role: Role) -> np.ndarray:  # type: ignore[type-arg]
        return np.stack([self._vectors.get(text, self._spare) for text in texts])


def search(count: int, *, queries: int) -> dict[str, float | int]:
    """Return times in milliseconds of Memory.search over `count` memories of one user, k = 10."""
    corpus = Corpus()
    asked = [" ".join(corpus.terms(6)) + f" {number}" for number in range(queries)]
    matrix = np.stack([corpus.vector() for _ in range(count)])
    vectors = [corpus.vector() for _ in range(queries)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        filled(path, corpus, count).close()
        with Memory(path, embedder=Given(corpus, asked), clock=FixedClock(START), tenant=SCOPE.tenant) as memory:

            def found(text: str) -> None:
                assert len(memory.search(text, user=SCOPE.user, k=K)) == K

            cold_ms = wall(lambda: found(asked[0]))
            for text in asked[: queries // 4]:
                found(text)
            new = [cpu(lambda t=text: found(t)) for text in asked]  # type: ignore[misc]
            cpus = [cpu(lambda t=text: found(t)) for text in asked]  # type: ignore[misc]  # before any thread of a product spins
            walls, products = [], []
            for text, vector in zip(asked, vectors, strict=True):
                products.append(wall(lambda v=vector: top(matrix, v)))  # type: ignore[misc]
                walls.append(wall(lambda t=text: found(t)))  # type: ignore[misc]
    p50, product = statistics.median(walls), statistics.median(products)
    return {
        "memories": count,
        "queries": queries,
        "search_p50_ms": round(p50, 3),
        "search_p95_ms": round(sorted(walls)[int(0.95 * len(walls))], 3),
        "search_cpu_p50_ms": round(statistics.median(cpus), 3),
        "search_cpu_p50_ms_with_words_not_asked_for_before": round(statistics.median(new), 3),
        "product_p50_ms": round(product, 3),
        "ratio": round(p50 / product, 2),
        "cold_ms": round(cold_ms, 1),
    }


def add_verbatim(count: int, *, durability: str) -> dict[str, float | int | str]:
    """Return the time of Memory.add(infer=False) of one message: durable, searchable, embedding excluded."""
    corpus = Corpus()
    said = [" ".join(corpus.terms(14)) for _ in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        settings = {"durability": durability}
        path = Path(folder) / "memory.db"
        with Memory(path, embedder=Given(corpus), clock=FixedClock(START), settings=settings) as memory:
            walls = [wall(lambda t=text: memory.add(t, user="ana", infer=False)) for text in said]  # type: ignore[misc]
    return {"messages": count, "durability": durability, "add_p50_ms": round(statistics.median(walls), 3)}
