"""Fit the map from fused signal to probability on LongMemEval's sample (MIT), and print the constants to ship.

    python runs/calibrate.py

Haystacks of several sizes are made of the sample's own sessions: a question's sessions, with as many messages of other
questions' sessions as the size asks for, and once without its own sessions (then it cannot be answered).
The constants go into read/calibrate.py and, the priors, into read/fuse.py; the output goes into runs/LOG.md.
"""

from __future__ import annotations

import gzip
import json
import math
import random
from dataclasses import dataclass
from statistics import median

import numpy as np

from perdure.evaluation.datasets.locomo import data_folder
from perdure.models import Ranking, Role
from perdure.providers.local import MiniLM
from perdure.read import calibrate
from perdure.read.channels import asked_terms
from perdure.read.fuse import PRIOR, Fused, fuse
from perdure.settings import Settings
from perdure.text import BM25_B, BM25_K1, spoken, terms

SIZES = (0, 60, 250, 1000)  # messages of other questions: from a first day to months
TOP = 10
SETTINGS = Settings()


@dataclass
class Corpus:
    """Every message of the sample: its vector, terms, session and label."""

    vectors: np.ndarray
    terms: list[dict[str, int]]
    lengths: np.ndarray
    session: list[int]
    is_gold: list[bool]


def read():
    path = data_folder() / "longmemeval" / "oracle_sample97.json.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        items = json.load(file)
    texts, session, gold, asked = [], [], [], []
    number = 0
    for item in items:
        own = []
        for turns in item["haystack_sessions"]:
            own.append(number)
            for turn in turns:
                texts.append(spoken(turn["role"], turn["content"]))
                session.append(number)
                gold.append(bool(turn.get("has_answer")))
            number += 1
        asked.append((item["question"], own, item["question_id"].endswith("_abs")))
    return texts, session, gold, asked


def haystacks(asked, session, index):
    """Yield (rows, whether the evidence is in them) of every size for one question, the others' sessions at random."""
    own = set(asked[index][1])
    others = sorted(set(session) - own)
    for size in SIZES:
        order = others.copy()
        random.Random(f"{index} {size}").shuffle(order)
        filler, count = set(), 0
        for other in order:
            if count >= size:
                break
            filler.add(other)
            count += session.count(other)
        yield size, [row for row, s in enumerate(session) if s in own or s in filler], True
        if filler:
            yield size, [row for row, s in enumerate(session) if s in filler], False


def rankings(corpus, rows, vector, wanted):
    """Return both channels' rankings of all rows, with the statistics of the haystack."""
    lengths = corpus.lengths[rows]
    sparse = np.zeros(len(rows))
    for term, frequency in wanted.items():
        tf = np.array([corpus.terms[row].get(term, 0) for row in rows], dtype=float)
        df = int((tf > 0).sum())
        idf = math.log(1 + (len(rows) - df + 0.5) / (df + 0.5))
        sparse += (
            frequency * idf * tf * (BM25_K1 + 1) / (tf + BM25_K1 * (1 - BM25_B + BM25_B * lengths / lengths.mean()))
        )
    dense = corpus.vectors[rows] @ vector
    return tuple(
        Ranking(name, 1, dict(zip(rows, map(float, raw), strict=True)), len(rows), float(raw.mean()), float(raw.std()))
        for name, raw in (("dense", dense), ("sparse", sparse))
    )


def logistic(signals, labels):
    """Return intercept and slope of greatest likelihood, by Newton's method."""
    x = np.column_stack([np.ones(len(signals)), signals])
    y = np.array(labels, dtype=float)
    beta = np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ beta))
        beta += np.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]), x.T @ (y - p))
    return float(beta[0]), float(beta[1])


def quality(name, probabilities, labels):
    """Print AUROC, expected calibration error in 15 bins of equal mass, and Brier skill over the base rate."""
    p, y = np.array(probabilities), np.array(labels, dtype=float)
    order = np.argsort(p, kind="stable")
    ece = sum(abs(p[part].mean() - y[part].mean()) * len(part) for part in np.array_split(order, 15)) / len(p)
    positive, negative = p[y == 1], p[y == 0]
    wins = (positive[:, None] > negative).mean() + 0.5 * (positive[:, None] == negative).mean()
    skill = 1 - ((p - y) ** 2).mean() / ((y.mean() - y) ** 2).mean()
    print(f"{name}: n {len(p)}, base rate {y.mean():.3f}, AUROC {wins:.3f}, ECE {ece:.3f}, Brier skill {skill:.3f}")


def main() -> None:
    texts, session, gold, asked = read()
    embedder = MiniLM()
    counts = [dict(terms(text)) for text in texts]
    lengths = np.array([sum(c.values()) for c in counts], dtype=float)
    corpus = Corpus(embedder.embed(texts, Role.DOCUMENT), counts, lengths, session, gold)
    queries = embedder.embed([question for question, _, _ in asked], Role.QUERY)

    seen: dict[str, list[tuple[float, float]]] = {"dense": [], "sparse": []}
    hits: list[tuple[int, float, bool]] = []  # question, signal, is it gold
    best: list[tuple[int, float, bool]] = []  # question, best signal, is gold among the first TOP
    recalls: dict[int, list[float]] = {size: [] for size in SIZES}
    for index, (question, _, is_unanswerable) in enumerate(asked):
        for size, rows, has_evidence in haystacks(asked, session, index):
            ranked = rankings(corpus, rows, queries[index], asked_terms(question))
            for ranking in ranked:
                seen[ranking.channel].append((ranking.mean, ranking.deviation))
            found: list[Fused] = fuse({"message": ranked}, SETTINGS)[:TOP]
            own = set(asked[index][1])
            labels = [corpus.is_gold[row.ref] and session[row.ref] in own and not is_unanswerable for row in found]
            if not found:
                continue
            best.append((index, found[0].signal, any(labels)))
            if has_evidence:
                hits.extend((index, row.signal, label) for row, label in zip(found, labels, strict=True))
                total = sum(corpus.is_gold[row] and session[row] in own for row in rows)
                if total:
                    recalls[size].append(sum(labels) / total)

    print("PRIOR as it is", dict(PRIOR))
    for channel, pairs in seen.items():
        print(f"median {channel}: mean {median(m for m, _ in pairs):.3f}, deviation {median(d for _, d in pairs):.3f}")
    for size, values in recalls.items():
        print(f"recall@{TOP} with {size} messages of others: {100 * np.mean(values):.1f}")
    for name, data, place in (
        ("score", hits, (calibrate.INTERCEPT, calibrate.SLOPE)),
        ("confidence", best, (calibrate.CONFIDENCE_INTERCEPT, calibrate.CONFIDENCE_SLOPE)),
    ):
        signals, labels = [s for _, s, _ in data], [label for _, _, label in data]
        intercept, slope = logistic(signals, labels)
        print(f"{name}: intercept {intercept:.2f}, slope {slope:.2f}; shipped {place}")
        folds = {}
        for fold in range(5):  # by question, so that no question is on both sides
            train = [(s, label) for q, s, label in data if q % 5 != fold]
            folds[fold] = logistic([s for s, _ in train], [label for _, label in train])
        held_out = [1 / (1 + math.exp(-(folds[q % 5][0] + folds[q % 5][1] * s))) for q, s, _ in data]
        quality(f"{name}, held out (5 folds by question)", held_out, labels)


if __name__ == "__main__":
    main()
