"""Abstention: whether confidence tells what can be answered from what cannot, and what declining buys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perdure.errors import InputError


def auroc(confidences: Sequence[float], is_positive: Sequence[bool]) -> float | None:
    """Return the chance that a positive (an answerable question) has more confidence than a negative; ties count half.

    = (Σ ranks of the positives − n₊(n₊ + 1)/2) / (n₊ n₋), with mean ranks for ties; None if a class is empty.
    0.5: no better than a coin.
    Source: the Mann-Whitney form, Hanley and McNeil, Radiology 1982.

    Of the four pairs three are in order and one is tied: 3.5 / 4.

    >>> auroc([0.9, 0.5, 0.5, 0.1], [True, True, False, False])
    0.875
    """
    _same_length(confidences, is_positive)
    positives = sum(is_positive)
    negatives = len(is_positive) - positives
    if not positives or not negatives:
        return None
    ranks = _mean_ranks(confidences)
    total = sum(rank for rank, positive in zip(ranks, is_positive, strict=True) if positive)
    return (total - positives * (positives + 1) / 2) / (positives * negatives)


@dataclass(frozen=True, slots=True)
class Risk:
    """The share of questions answered, the least confidence among them, and the share of them that is wrong."""

    coverage: float
    threshold: float
    risk: float


def risk_coverage(confidences: Sequence[float], losses: Sequence[float]) -> list[Risk]:
    """Return the risk at every coverage that a threshold can reach, most confident first; ties go together.

    risk(c) = mean loss of the questions with confidence ≥ the threshold that answers a share c.
    Source: El-Yaniv and Wiener, JMLR 2010.

    >>> [(round(p.coverage, 2), round(p.risk, 2)) for p in risk_coverage([0.9, 0.4, 0.4], [0.0, 1.0, 0.0])]
    [(0.33, 0.0), (1.0, 0.33)]
    """
    _same_length(confidences, losses)
    order = sorted(zip(confidences, losses, strict=True), key=lambda pair: -pair[0])
    points: list[Risk] = []
    lost = 0.0
    for number, (confidence, loss) in enumerate(order, start=1):
        lost += loss
        if number == len(order) or order[number][0] != confidence:
            points.append(Risk(number / len(order), confidence, lost / number))
    return points


def area_under_risk(points: Sequence[Risk]) -> float:
    """Return the mean risk over coverage: Σ risk · step of coverage; lower is better.

    >>> area_under_risk([Risk(0.5, 0.9, 0.0), Risk(1.0, 0.1, 0.5)])
    0.25
    """
    before = (0.0, *(point.coverage for point in points))
    return sum(point.risk * (point.coverage - at) for point, at in zip(points, before, strict=False))


def _mean_ranks(values: Sequence[float]) -> list[float]:
    places: dict[float, list[int]] = {}
    for rank, value in enumerate(sorted(values), start=1):
        places.setdefault(value, []).append(rank)
    return [(places[value][0] + places[value][-1]) / 2 for value in values]


def _same_length(one: Sequence[object], other: Sequence[object]) -> None:
    if len(one) != len(other):
        raise InputError(f"{len(one)} confidences need as many outcomes, not {len(other)}")
