"""Erasure of scopes of 10,000 memories: no byte of text or vector left in any file, and how long it takes.

Another owner holds as much, both as many messages; nobody else reads.  A seed fails where a byte is left; the
times are measured, of the wall and of this process's processor, which a busy machine does not stretch.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from perdure.models import ChangeSet, Erasure, NewOperation, NewSource, Scope
from perdure.providers.system import SystemClock
from perdure.stores.sqlite.store import SQLiteStore
from perdure.testing.store.writer import SAID, message, version

COUNT = 20
BATCH = 1
MEMORIES, AT_ONCE, DIMENSIONS, LOOKED_FOR = 10_000, 500, 384, 100
_SECONDS: list[tuple[float, float]] = []


def check(seed: int) -> str | None:
    """Return what an erasure left, or None."""
    pick = random.Random(seed)
    folder = Path(tempfile.mkdtemp())
    store = SQLiteStore(folder / "memory.db", clock=SystemClock())
    try:
        store.claim_embedder("proof", DIMENSIONS)
        needles: list[bytes] = []
        for user in ("bo", "ana"):
            held = _fill(store, Scope("t", user=user), pick)
            needles = held if user == "ana" else needles
        scope = Scope("t", user="ana")
        began = time.perf_counter(), time.process_time()
        receipt = store.erase(NewOperation("erase", "erase", scope, "verbatim"), Erasure(scope))
        is_clean = store.scrub()
        _SECONDS.append((time.perf_counter() - began[0], time.process_time() - began[1]))
        left = _found(folder, pick.sample(needles, LOOKED_FOR))
        store.close()
        left += _found(folder, pick.sample(needles, LOOKED_FOR))
        is_whole = is_clean and receipt.counts["memories"] == MEMORIES == receipt.counts["messages"]
        return None if is_whole and not left else f"seed {seed}: {left} needles left, {dict(receipt.counts)}"
    finally:
        store.close()
        shutil.rmtree(folder)


def measured() -> dict[str, Any]:
    """Return the seconds that the erasures of this process took."""
    wall, cpu = zip(*_SECONDS, strict=True)
    return {
        "erasures": len(_SECONDS),
        "p95_s": round(float(np.quantile(wall, 0.95)), 2),
        "p95_cpu_s": round(float(np.quantile(cpu, 0.95)), 2),
    }


def _fill(store: SQLiteStore, scope: Scope, pick: random.Random) -> list[bytes]:
    """Write memories and messages of a scope, and return what must not be found again: words and vectors."""
    needles: list[bytes] = []
    numbers = np.random.default_rng(pick.randrange(2**32))
    for start in range(0, MEMORIES, AT_ONCE):
        matrix = numbers.standard_normal((AT_ONCE, DIMENSIONS)).astype(np.float32)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        texts = [" ".join(f"{pick.getrandbits(40):010x}" for _ in range(12)) for _ in range(AT_ONCE)]
        ids = [f"{scope.user}-{start + n}" for n in range(AT_ONCE)]
        said = [message(text, f"m-{id}", embedding=row) for text, id, row in zip(texts, ids, matrix, strict=True)]
        row, _ = store.begin(NewOperation(f"op-{ids[0]}", "add", scope, "llm"), said)
        store.commit(
            ChangeSet(
                scope, row.id, exchange=0, finishes="done",
                opened=tuple(
                    version(text, id, scope=scope, embedding=one)
                    for text, id, one in zip(texts, ids, matrix, strict=True)
                ),
                sources=tuple(NewSource(id, f"m-{id}", text, SAID) for text, id in zip(texts, ids, strict=True)),
            )
        )  # fmt: skip
        needles += [word.encode() for text in texts for word in text.split()]
        needles += [one.astype("<f2").tobytes() for one in matrix]
    return needles


def _found(folder: Path, needles: list[bytes]) -> int:
    """Return how many of the needles stand in some file."""
    files = [file.read_bytes() for file in folder.iterdir()]
    return sum(needle in data for data in files for needle in needles)
