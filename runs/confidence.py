"""Fit score and confidence on LongMemEval's sample (MIT), and print the constants to ship.

    python runs/confidence.py

All sessions of the sample lie in one memory; a question is asked among its own sessions and those of others, 60 or 500
messages of them, and among those of others alone (then it cannot be answered).  Held out by question, five folds.
Then the shipped map is measured on LoCoMo dev: category 5 cannot be answered.  Constants go into read/calibrate.py.
"""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from perdure import Memory
from perdure.evaluation.datasets import locomo
from perdure.evaluation.datasets.locomo import data_folder
from perdure.read import calibrate, pipeline

START = datetime(2023, 1, 1, tzinfo=UTC)
SIZES = (60, 500)
FOLDS = 5
supports: list[calibrate.Support] = []  # of the searches, in order


def remembering(*args, **options):
    supports.append(real(*args, **options))
    return supports[-1]


real, pipeline.support = pipeline.support, remembering


def longmemeval(folder: Path):
    """Return (question, support, is answerable) and (question, signal, is gold) of hits."""
    with gzip.open(data_folder() / "longmemeval" / "oracle_sample97.json.gz", "rt", encoding="utf-8") as file:
        items = json.load(file)
    sizes: dict[str, int] = {}
    asked, hits = [], []
    with Memory(folder / "longmemeval.db", settings={"jobs": "manual"}) as memory:
        for number, item in enumerate(items):
            for place, turns in enumerate(item["haystack_sessions"]):
                run = f"{number}.{place}"
                messages = [
                    {
                        "role": turn["role"],
                        "content": turn["content"],
                        "at": START + timedelta(days=len(sizes), minutes=minute),
                        "metadata": {"gold": bool(turn.get("has_answer"))},
                    }
                    for minute, turn in enumerate(turns)
                ]
                memory.add(messages, user="u", run=run, infer=False)
                sizes[run] = len(messages)
        for number, item in enumerate(items):
            own = [run for run in sizes if run.startswith(f"{number}.")]
            is_unanswerable = item["question_id"].endswith("_abs")
            for size in SIZES:
                others = [run for run in sizes if run not in own]
                random.Random(f"{number} {size}").shuffle(others)
                filler, count = [], 0
                while count < size:
                    filler.append(others.pop())
                    count += sizes[filler[-1]]
                for runs in (filler + own, filler):
                    found = memory.search(item["question"], user="u", where={"run": {"in": runs}}, explain=True)
                    labels = [
                        bool(hit.message.metadata["gold"]) and hit.message.run in own and not is_unanswerable
                        for hit in found
                    ]
                    asked.append((number, supports[-1], any(labels)))
                    if len(runs) > len(filler):
                        hits += [(number, hit.explanation.fused, y) for hit, y in zip(found, labels, strict=True)]
    return asked, hits


def logistic(x, y):
    x, y = np.column_stack([np.ones(len(x)), x]), np.array(y, dtype=float)
    beta = np.zeros(x.shape[1])
    for _ in range(60):  # Newton's method
        p = 1 / (1 + np.exp(-x @ beta))
        beta += np.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]) + 1e-6 * np.eye(x.shape[1]), x.T @ (y - p))
    return beta


def fit(name, questions, x, y):
    questions, x, y = np.array(questions), np.array(x), np.array(y)
    p = np.zeros(len(y))
    for fold in range(FOLDS):
        test = questions % FOLDS == fold
        beta = logistic(x[~test], y[~test])
        p[test] = 1 / (1 + np.exp(-(beta[0] + x[test] @ beta[1:])))
    print(name, "constants", logistic(x, y).round(2), quality(p, y))
    return p


def quality(p, y) -> str:
    p, y = np.array(p), np.array(y, dtype=float)
    order = np.argsort(p, kind="stable")
    ece = sum(abs(p[part].mean() - y[part].mean()) * len(part) for part in np.array_split(order, 15)) / len(p)
    a, b = p[y == 1], p[y == 0]
    auroc = (a[:, None] > b).mean() + 0.5 * (a[:, None] == b).mean()
    skill = 1 - ((p - y) ** 2).mean() / ((y.mean() - y) ** 2).mean()
    return f"n {len(p)}, base {y.mean():.3f}, AUROC {auroc:.3f}, ECE {ece:.3f}, Brier skill {skill:.3f}"


def coverage(name, p, y):
    for level in (0.02, 0.05, 0.1, 0.2, 0.5):
        kept = np.array(p) >= level
        y_kept = np.array(y)[kept]
        print(
            f"{name}, answered from {level}: {kept.mean():.1%} of all, {y_kept.mean():.1%} of those can be; "
            f"lost {1 - y_kept.sum() / np.sum(y):.1%}"
        )


def on_locomo(folder: Path, include) -> None:
    confidence, is_known, scores, gold = [], [], [], []
    for conversation in locomo.load():
        path = folder / f"{conversation.id}.db"
        is_new = not path.exists()
        with Memory(path, settings={"jobs": "manual"}) as memory:
            if is_new:
                turns = [
                    {"role": "user", "name": t.speaker, "content": t.text, "at": t.at, "id": t.id}
                    for t in conversation.turns
                ]
                memory.add(turns, run=conversation.id)
            texts = [question.text for question in conversation.questions]
            every = memory.search(texts, run=conversation.id, include=include)
        for question, found in zip(conversation.questions, every, strict=True):
            confidence.append(found.confidence)
            is_known.append(question.category != 5)
            if question.category != 5:
                scores += [hit.score for hit in found]
                gold += [bool(set(question.evidence) & set(behind(hit))) for hit in found]
    name = "LoCoMo dev " + "+".join(include)
    print(name, "confidence, category 5 against 1 to 4:", quality(confidence, is_known))
    coverage(name, confidence, is_known)
    print(name, "score of ten hits:", quality(scores, gold))


def behind(hit):
    return [hit.message.public_id] if hit.message else [source.message_id for source in hit.memory.sources]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        asked, hits = longmemeval(Path(folder))
        questions, y = [q for q, _, _ in asked], [label for _, _, label in asked]
        p = fit("confidence", questions, [(s.cosine, s.covered) for _, s, _ in asked], y)
        coverage("LongMemEval", p, y)
        fit("confidence without vectors", questions, [(s.best,) for _, s, _ in asked], y)
        fit("score", [q for q, _, _ in hits], [(s,) for _, s, _ in hits], [label for _, _, label in hits])
        for include in (("messages",), ("memories", "messages")):
            on_locomo(Path(folder), include)


if __name__ == "__main__":
    main()
