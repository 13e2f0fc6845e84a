"""BM25 as every backend computes it, so that all rank alike.

score(row) = sum over the probe's terms t of  qf(t) · idf(t) · tf·(k1 + 1) / (tf + k1·(1 − b + b·length/average))
Terms are added in sorted order, so that the sums are equal to the last bit.
Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; idf with the + 1 inside the logarithm, so
that a term of every row still counts for something.
"""

from __future__ import annotations

import math
from typing import Any

from perdure import text


def idf(population: int, frequency: int) -> float:
    """Return the weight of a term that `frequency` of `population` current rows hold.

    >>> round(idf(10, 1), 4)
    1.9924
    """
    return math.log(1.0 + (population - frequency + 0.5) / (frequency + 0.5))


def damping(length: Any, average: float) -> Any:
    """Return k1·(1 − b + b·length/average): how much of a term a long row needs; a number, or an array of them."""
    return text.BM25_K1 * (1.0 - text.BM25_B + text.BM25_B * (length / average))


def saturation(tf: Any, damping: Any) -> Any:
    """Return the share of a term's idf that a row earns; numbers, or float64 arrays of equal length."""
    return tf * (text.BM25_K1 + 1.0) / (tf + damping)


def average_length(total: int, population: int) -> float:
    """Return the mean length of the current rows; 1 where there is none, which only retired rows can meet."""
    return total / population if total else 1.0
