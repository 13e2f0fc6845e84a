"""Synthetic memories: unit vectors around topics, and words by Zipf's law."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from perdure.models import ChangeSet, MemoryRecord, NewOperation, NewVersion, Probe, Scope
from perdure.providers.fakes import FixedClock
from perdure.stores.sqlite.store import SQLiteStore

DIMENSIONS = 384  # MiniLM's
TOPICS = 200  # chosen: vectors are near one of so many directions
VOCABULARY = 20_000  # chosen: words by Zipf's law with exponent 1.1
LENGTHS = (8, 20)  # chosen: words of a memory
QUERY_WORDS = 6  # chosen
PER_COMMIT = 50  # memories of one change set while filling; chosen

SCOPE = Scope("bench", user="ana")
START = datetime(2024, 1, 1, tzinfo=UTC)


class Corpus:
    """A repeatable source of texts, terms and vectors."""

    def __init__(self, seed: int = 7) -> None:
        self._random = np.random.default_rng(seed)
        self._topics = self._random.standard_normal((TOPICS, DIMENSIONS)).astype(np.float32)
        weights = 1.0 / np.arange(1, VOCABULARY + 1) ** 1.1
        self._cumulative = np.cumsum(weights / weights.sum())

    def vector(self) -> Any:
        """Return a unit vector near a topic."""
        noise = self._random.standard_normal(DIMENSIONS).astype(np.float32)
        made = self._topics[self._random.integers(TOPICS)] + noise
        return (made / np.linalg.norm(made)).astype(np.float32)

    def terms(self, count: int) -> dict[str, int]:
        """Return so many words, with their frequencies."""
        terms: dict[str, int] = {}
        for place in np.searchsorted(self._cumulative, self._random.random(count)):
            word = f"w{place}"
            terms[word] = terms.get(word, 0) + 1
        return terms

    def version(self, number: int) -> NewVersion:
        """Return a memory's first version."""
        terms = self.terms(int(self._random.integers(*LENGTHS)))
        at = START + timedelta(minutes=number)
        record = MemoryRecord(
            f"m-{number}", " ".join(terms), 1, SCOPE.user, None, None, "fact", {"n": number % 10}, (), "Ana", "user",
            None, None, None, at, None, at, None, None, at, at, (), (), (), None, 0,
        )  # fmt: skip
        return NewVersion(record, self.vector(), terms)

    def probes(self, count: int) -> Iterator[Probe]:
        """Yield queries."""
        for _ in range(count):
            yield Probe(self.vector(), self.terms(QUERY_WORDS))


def filled(path: Path, corpus: Corpus, count: int) -> SQLiteStore:
    """Return a store with so many memories of one user."""
    store = SQLiteStore(path, clock=FixedClock(START))
    store.claim_embedder("synthetic-384", DIMENSIONS)
    for first in range(0, count, PER_COMMIT):
        operation = NewOperation(f"op-{first}", "add", SCOPE, "verbatim")
        opened = tuple(corpus.version(number) for number in range(first, min(count, first + PER_COMMIT)))
        store.commit(ChangeSet(SCOPE, operation.id, operation=operation, opened=opened, finishes="done"))
    return store
