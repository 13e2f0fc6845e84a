"""A run's rows as a few lines: the mean, its two intervals, and the mean of each category."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from perdure.errors import InputError
from perdure.evaluation.runner import Row
from perdure.evaluation.statistics import Interval, by_cluster, by_question, paired_differences


def lines(name: str, rows: Sequence[Row]) -> list[str]:
    """Return what a run showed, in percent."""
    values = [row.recall for row in rows]
    clusters = [row.conversation for row in rows]
    means = {
        c: fmean(row.recall for row in rows if row.category == c)
        for c in sorted({row.category for row in rows}, key=str)
    }
    shown = "  ".join(f"{category}: {100 * mean:.1f}" for category, mean in means.items())
    return [
        f"{name}: {100 * fmean(values):.2f} over {len(rows)} questions",
        f"  95 % by question {_span(by_question(values))}, by conversation {_span(by_cluster(values, clusters))}",
        f"  by category  {shown}",
    ]


def comparison(name: str, rows: Sequence[Row], other: str, others: Sequence[Row]) -> list[str]:
    """Return the paired difference of two runs, in points.  Raises InputError unless they asked the same questions."""
    keys = [(row.conversation, row.question) for row in rows]
    if keys != [(row.conversation, row.question) for row in others]:
        raise InputError(f"{name} and {other} were not asked the same questions; run both again")
    differences = paired_differences([row.recall for row in rows], [row.recall for row in others])
    by_conversation = by_cluster(differences, [row.conversation for row in rows])
    return [
        f"{name} minus {other}: {100 * fmean(differences):+.2f} points",
        f"  95 % by question {_span(by_question(differences))}, by conversation {_span(by_conversation)}",
    ]


def _span(interval: Interval) -> str:
    return f"[{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
