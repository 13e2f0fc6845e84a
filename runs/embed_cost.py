"""Measure what the local embedder costs: python runs/embed_cost.py prints ms per sentence, by threads and by batch."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from perdure.models import Role
from perdure.providers.local import MiniLM

TEXTS = [
    f"Ana said that she would visit the museum number {n} with her old friends from school next week in Lyon."
    for n in range(160)
]


def main() -> None:
    for threads in (1, 2):
        began = time.process_time()
        embedder = MiniLM(threads=threads)
        embedder.load()
        print(f"{threads} threads: loading {time.process_time() - began:.2f} s CPU (the first imports onnxruntime)")
        report("one by one", lambda embedder=embedder: embedder.embed(TEXTS, Role.DOCUMENT))
        report("batches of 32", lambda embedder=embedder: batches(embedder, 32))


def report(name: str, run: Callable[[], object]) -> None:
    """Print the best of three."""
    run()
    spent = []
    for _ in range(3):
        wall, cpu = time.perf_counter(), time.process_time()
        run()
        spent.append((time.process_time() - cpu, time.perf_counter() - wall))
    cpu, wall = min(spent)
    print(f"  {name}: {1000 * wall / len(TEXTS):.1f} ms wall, {1000 * cpu / len(TEXTS):.1f} ms CPU per sentence")


def batches(embedder: MiniLM, size: int) -> None:
    """Run the network over padded batches; all texts are of about one length, which favours batches."""
    loaded = embedder.load()
    for start in range(0, len(TEXTS), size):
        rows = [loaded.tokenizer.encode(text).ids for text in TEXTS[start : start + size]]
        ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        for row, found in zip(ids, rows, strict=True):
            row[: len(found)] = found
        mask = (ids > 0).astype(np.int64)
        loaded.network.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})


if __name__ == "__main__":
    main()
