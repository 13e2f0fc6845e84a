"""The rankings of the in-memory store: each score by itself, for others to be compared with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from perdure.models import Channel, Probe, Ranking
from perdure.stores import _bm25
from perdure.stores._held import HeldMessage, HeldVersion
from perdure.stores._spaces import DECIMALS, Look

Row = HeldVersion | HeldMessage


def rankings(
    partition: int,
    rows: Sequence[Row],
    statistics: Sequence[Row],
    probe: Probe,
    looks: Sequence[Look],
    *,
    limit: int,
    channels: Sequence[Channel],
) -> list[Ranking]:
    """Return a probe's rankings of the rows that a selection admits; `statistics` are the partition's current rows."""
    scores: dict[Channel, dict[int, float]] = {}
    for channel in channels:
        if channel == "sparse":
            scores[channel] = _sparse(rows, statistics, probe.terms)
        elif probe.vector is not None:
            scores[channel] = {
                row.ref: round(look.scaled(float(np.dot(row.vector, look.vector))), DECIMALS)
                for row in rows
                for look in looks
                if row.vector is not None and row.space == look.space
            }
    pool: set[int] = set()
    for channel, found in scores.items():
        offered = [ref for ref, score in found.items() if channel == "dense" or score > 0.0]
        pool.update(sorted(offered, key=lambda ref: (-found[ref], ref))[:limit])
    return [_ranking(channel, partition, found, sorted(pool)) for channel, found in scores.items()]


def _sparse(rows: Sequence[Row], statistics: Sequence[Row], terms: Mapping[str, int]) -> dict[int, float]:
    population = len(statistics)
    average = _bm25.average_length(sum(sum(row.terms.values()) for row in statistics), population)
    scores = {row.ref: 0.0 for row in rows}
    for term in sorted(terms):
        weight = terms[term] * _bm25.idf(population, sum(term in row.terms for row in statistics))
        for row in rows:
            if term in row.terms:
                damping = _bm25.damping(sum(row.terms.values()), average)
                scores[row.ref] += weight * _bm25.saturation(row.terms[term], damping)
    return scores


def _ranking(channel: Channel, partition: int, scores: Mapping[int, float], pool: Sequence[int]) -> Ranking:
    count = len(scores)
    mean = math.fsum(scores.values()) / count if count else 0.0
    variance = math.fsum((score - mean) ** 2 for score in scores.values()) / count if count else 0.0
    return Ranking(channel, partition, {ref: scores.get(ref, 0.0) for ref in pool}, count, mean, math.sqrt(variance))
