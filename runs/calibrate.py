"""What is believed of a channel's scores before any row is seen, and recall on LongMemEval's sample (MIT).

    python runs/calibrate.py

Haystacks of several sizes are made of the sample's own sessions: a question's sessions, with as many messages of other
questions' sessions as the size asks for, and once without its own sessions (then it cannot be answered).
The priors go into read/fuse.py; the map to probabilities is fitted by runs/confidence.py.
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


def main() -> None:
    texts, session, gold, asked = read()
    embedder = MiniLM()
    counts = [dict(terms(text)) for text in texts]
    lengths = np.array([sum(c.values()) for c in counts], dtype=float)
    corpus = Corpus(embedder.embed(texts, Role.DOCUMENT), counts, lengths, session, gold)
    queries = embedder.embed([question for question, _, _ in asked], Role.QUERY)

    seen: dict[str, list[tuple[float, float]]] = {"dense": [], "sparse": []}
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
            if has_evidence:
                total = sum(corpus.is_gold[row] and session[row] in own for row in rows)
                if total:
                    recalls[size].append(sum(labels) / total)

    print("PRIOR as it is", dict(PRIOR))
    for channel, pairs in seen.items():
        print(f"median {channel}: mean {median(m for m, _ in pairs):.3f}, deviation {median(d for _, d in pairs):.3f}")
    for size, values in recalls.items():
        print(f"recall@{TOP} with {size} messages of others: {100 * np.mean(values):.1f}")


if __name__ == "__main__":
    main()
