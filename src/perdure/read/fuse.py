"""Fusion: several channels' rankings become one order.

Raw scores of two channels cannot be added: a cosine has a narrow range, BM25 an open one that depends on the query.
Each channel's scores are therefore put in units of their own spread over all rows that the query may see, and the
weighted sum decides.  Rank fusion, which throws the spread away, and Mem0's sum are kept by name: with a small embedder
ranks are worse, and the sum loses what only the words find (runs/LOG.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple, assert_never

from perdure.errors import InputError
from perdure.models import Channel, Ranking, Signal
from perdure.read.query import RowKind
from perdure.settings import Settings


class Fused(NamedTuple):
    """A row and its fused signal: higher is better; what it means is `calibrate`'s affair."""

    kind: RowKind
    ref: int
    signal: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of a channel's raw scores over `count` rows."""

    count: float
    mean: float
    deviation: float


# What is believed of a channel's scores before any row is seen, as if PRIOR.count rows had said so: among three rows
# the deviation says nothing, and the best of three can never stand out by its own population.
# Means and deviations: median over questions, LongMemEval sample (runs/calibrate.py); the count is chosen.
PRIOR: Mapping[Channel, Spread] = {
    "dense": Spread(20, 0.05, 0.10),
    "sparse": Spread(20, 1.0, 1.8),
    "entity": Spread(20, 0.1, 0.3),  # chosen: few edges hang on what a query names
    "triplet": Spread(20, 0.05, 0.10),  # as dense: the same vectors
}
MEM0_FLOOR, MEM0_MIDDLE, MEM0_STEEPNESS = 0.1, 7.0, 0.6  # Mem0 2.2
TRIPLET_WEIGHT = 0.6  # share of the triplet channel among relations, the entity channel has the rest (chosen)


def fuse(rankings: Mapping[RowKind, Sequence[Ranking]], settings: Settings) -> list[Fused]:
    """Return the rows of all kinds by fused signal, best first; ties by kind and reference.

    Each kind is fused within its own population and the kinds are merged on the signal.
    A row that no channel finds (no raw score above 0) is not returned.
    """
    found: list[Fused] = []
    for kind, ranked in rankings.items():
        scores = fused(ranked, settings)
        is_found = {ref for ranking in ranked for ref, raw in ranking.scores.items() if raw > 0}
        found += [Fused(kind, ref, scores[ref]) for ref in is_found if ref in scores]
    found.sort(key=itemgetter(0, 1))
    found.sort(key=itemgetter(2), reverse=True)  # stable: ties stay by kind and reference
    return found


def fused(ranked: Sequence[Ranking], settings: Settings) -> dict[int, float]:
    """Return reference → signal of one kind's rankings, by the fusion of the settings."""
    share = weights(ranked, settings.dense_weight)
    if settings.fusion == "zscore":
        return zscore_fusion(ranked, weights=share)
    if settings.fusion == "rrf":
        return reciprocal_rank_fusion(ranked, k=settings.rrf_k, weights=share)
    if settings.fusion == "mem0":
        return mem0_fusion(ranked)
    assert_never(settings.fusion)


def weights(rankings: Iterable[Ranking], dense_weight: float) -> dict[Channel, float]:
    """Return each present channel's share; a channel that is absent leaves its share to the others."""
    share: dict[Channel, float] = {
        "dense": dense_weight, "sparse": 1.0 - dense_weight, "triplet": TRIPLET_WEIGHT, "entity": 1.0 - TRIPLET_WEIGHT,
    }  # fmt: skip
    present = {ranking.channel for ranking in rankings}
    total = sum(share[channel] for channel in present)
    if total == 0:  # the only channel present is one that was given no weight
        return dict.fromkeys(present, 1.0)
    return {channel: share[channel] / total for channel in present}


def zscore_fusion(rankings: Sequence[Ranking], *, weights: Mapping[Channel, float]) -> dict[int, float]:
    """Return reference → sum over channels c of weight_c · (raw_c − mean_c) / deviation_c.

    Mean and deviation are those of all rows that the selection admits, over all partitions, with PRIOR.
    A row that a channel did not score has raw 0 there.  Cost: O(total scores).

    >>> lists = [Ranking("sparse", 1, {1: 6.0, 2: 0.0}, count=0, mean=0.0, deviation=0.0)]
    >>> {ref: round(score, 2) for ref, score in zscore_fusion(lists, weights={"sparse": 1.0}).items()}
    {1: 2.78, 2: -0.56}
    """
    channels = _by_channel(rankings)
    spreads = {channel: spread_of(channel, parts) for channel, parts in channels.items()}
    unscored = math.fsum(-weights[channel] * spread.mean / spread.deviation for channel, spread in spreads.items())
    totals = {ref: unscored for ranking in rankings for ref in ranking.scores}
    for channel, parts in channels.items():
        unit = weights[channel] / spreads[channel].deviation
        for ranking in parts:
            for ref, raw in ranking.scores.items():
                totals[ref] += unit * raw
    return totals


def reciprocal_rank_fusion(
    rankings: Sequence[Ranking], *, k: float = 60.0, weights: Mapping[Channel, float] | None = None
) -> dict[int, float]:
    """Return reference → sum over channels c of weight_c / (k + rank_c),  rank from 1, over all partitions.

    A row that a channel does not find (raw score 0 or less, or none) adds 0.  Ties in a channel: by reference.
    Weight 1 where none is given.  Cost: O(n log n).  Raises InputError if k <= 0.
    Source: Cormack, Clarke, Büttcher, SIGIR 2009.

    >>> dense = Ranking("dense", 1, {1: 0.9, 2: 0.8}, count=3, mean=0.5, deviation=0.2)
    >>> sparse = Ranking("sparse", 1, {2: 4.0, 3: 2.0}, count=3, mean=1.0, deviation=1.0)
    >>> scores = reciprocal_rank_fusion([dense, sparse])
    >>> sorted(scores, key=lambda ref: (-scores[ref], ref))
    [2, 1, 3]
    """
    if not k > 0:
        raise InputError(f"the constant of reciprocal rank fusion must be above 0, not {k}")
    totals = dict.fromkeys(sorted({ref for ranking in rankings for ref in ranking.scores}), 0.0)
    for channel, parts in _by_channel(rankings).items():
        weight = 1.0 if weights is None else weights[channel]
        for rank, ref in enumerate(_order(_merged(parts)), start=1):
            totals[ref] += weight / (k + rank)
    return totals


def mem0_fusion(rankings: Sequence[Ranking]) -> dict[int, float]:
    """Return reference → (cosine + sigmoid(BM25) + entity / 2) / D.

    D is 1, and 1 more if any row has BM25, and a half more if any has an entity.

    Only what the dense channel ranks with a cosine of 0.1 or more is there: a row with every word of the question and a
    low cosine is lost, and a row with one strong signal is divided by signals that only others have.
    Without a dense channel the sparse one stands alone.
    Source: Mem0 2.2's hybrid search; its sigmoid for questions of four to six terms is used for all.

    >>> dense = Ranking("dense", 1, {1: 0.9, 2: 0.62}, count=9, mean=0.2, deviation=0.2)
    >>> sparse = Ranking("sparse", 1, {1: 0.0, 2: 9.0}, count=9, mean=1.0, deviation=2.0)
    >>> {ref: round(score, 2) for ref, score in mem0_fusion([dense, sparse]).items()}
    {1: 0.45, 2: 0.69}
    """
    scores = {channel: _merged(parts) for channel, parts in _by_channel(rankings).items()}
    shares = _mem0_shares(scores)
    first = scores.get("dense", scores.get("triplet"))
    kept = scores.get("sparse", {}) if first is None else {ref: raw for ref, raw in first.items() if raw >= MEM0_FLOOR}
    return {
        ref: sum(shares[channel] * _mem0_part(channel, held.get(ref, 0.0)) for channel, held in scores.items())
        for ref in kept
    }


def _mem0_shares(scores: Mapping[Channel, Mapping[int, float]]) -> dict[Channel, float]:
    """Return each channel's weight: the same divisor for every row, whichever signals it has."""
    has = {channel: any(raw > 0 for raw in held.values()) for channel, held in scores.items()}
    divisor = 1.0 + has.get("sparse", False) + 0.5 * has.get("entity", False)
    return {channel: (0.5 if channel == "entity" else 1.0) / divisor for channel in scores}


def _mem0_part(channel: Channel, raw: float) -> float:
    if channel != "sparse":
        return raw
    return 1.0 / (1.0 + math.exp(-MEM0_STEEPNESS * (raw - MEM0_MIDDLE))) if raw > 0 else 0.0


def signals(ref: int, rankings: Sequence[Ranking], settings: Settings) -> tuple[Signal, ...]:
    """Return each channel's part in one row: the weighted normalised scores add up to its fused signal.

    A channel that does not find the row gives it the rank after the last that it finds.
    """
    share = weights(rankings, settings.dense_weight)
    if settings.fusion == "mem0":
        share = _mem0_shares({channel: _merged(parts) for channel, parts in _by_channel(rankings).items()})
    parts_of: list[Signal] = []
    for channel, parts in sorted(_by_channel(rankings).items()):
        scores = _merged(parts)
        raw = scores.get(ref, 0.0)
        order = _order(scores)
        rank = order.index(ref) + 1 if ref in order else len(order) + 1
        if settings.fusion == "rrf":
            normalised = 1.0 / (settings.rrf_k + rank) if ref in order else 0.0
        elif settings.fusion == "mem0":
            normalised = _mem0_part(channel, raw)
        else:
            spread = spread_of(channel, parts)
            normalised = (raw - spread.mean) / spread.deviation
        parts_of.append(Signal(channel, raw, normalised, share[channel], rank))
    return tuple(parts_of)


def spread_of(channel: Channel, rankings: Sequence[Ranking]) -> Spread:
    """Return mean and deviation of one channel over several partitions and PRIOR.

    N = Σ n_i,  mean = Σ n_i·m_i / N,  variance = Σ n_i·(d_i² + (m_i − mean)²) / N.

    >>> parts = [Ranking("sparse", p, {}, count=20, mean=m, deviation=0.0) for p, m in [(1, 1.0), (2, 4.0)]]
    >>> spread = spread_of("sparse", parts)
    >>> spread.count, round(spread.mean, 2), round(spread.deviation, 2)
    (60.0, 2.0, 1.75)
    """
    parts = [PRIOR[channel], *(Spread(r.count, r.mean, r.deviation) for r in rankings)]
    count = math.fsum(part.count for part in parts)
    mean = math.fsum(part.count * part.mean for part in parts) / count
    variance = math.fsum(part.count * (part.deviation**2 + (part.mean - mean) ** 2) for part in parts) / count
    return Spread(count, mean, math.sqrt(variance))


def _by_channel(rankings: Sequence[Ranking]) -> dict[Channel, list[Ranking]]:
    groups: dict[Channel, list[Ranking]] = {}
    for ranking in sorted(rankings, key=lambda r: (r.channel, r.partition)):
        groups.setdefault(ranking.channel, []).append(ranking)
    return groups


def _merged(rankings: Sequence[Ranking]) -> dict[int, float]:
    """References name rows across partitions, so the partitions' scores are one mapping."""
    return {ref: raw for ranking in rankings for ref, raw in ranking.scores.items()}


def _order(scores: Mapping[int, float]) -> list[int]:
    return [ref for ref, raw in sorted(scores.items(), key=lambda item: (-item[1], item[0])) if raw > 0]
