"""What a fused signal means: a probability, by a shipped monotone map.

Crude on purpose: one logistic curve for every kind of hit, fitted on LongMemEval's sample of 97 questions (MIT) by
runs/calibrate.py.  `calibration_id` names the map, so that stored scores can be told apart when it changes.
"""

from __future__ import annotations

import math
from typing import assert_never

from perdure.settings import Fusion, Settings

# Fitted by runs/calibrate.py: P(relevant) = 1 / (1 + exp(−(INTERCEPT + SLOPE · signal))).
ID = "zscore-longmemeval97-1"
INTERCEPT, SLOPE = -2.61, 0.31
# The same for "the evidence is among the first ten", from the best signal.
CONFIDENCE_INTERCEPT, CONFIDENCE_SLOPE = -0.97, 0.27

RANKS_ID = "rrf-share-of-best"  # ranks carry no probability: the share of the best possible sum, and no more


def calibration_id(fusion: Fusion) -> str:
    """Return the name of the map in use."""
    if fusion == "zscore":
        return ID
    if fusion == "rrf":
        return RANKS_ID
    assert_never(fusion)


def probability(signal: float, settings: Settings) -> float:
    """Return the estimated probability that a row is relevant, 0 to 1; it never falls as the signal rises."""
    if settings.fusion == "rrf":
        return min(1.0, signal * (settings.rrf_k + 1))
    return _logistic(INTERCEPT + SLOPE * signal)


def confidence(best: float | None, settings: Settings) -> float:
    """Return the estimated probability that the question can be answered, from the best signal; 0 if there is none."""
    if best is None:
        return 0.0
    if settings.fusion == "rrf":
        return probability(best, settings)
    return _logistic(CONFIDENCE_INTERCEPT + CONFIDENCE_SLOPE * best)


def _logistic(x: float) -> float:
    """Return 1 / (1 + e^−x), without overflow.

    >>> _logistic(0.0), _logistic(-1000.0)
    (0.5, 0.0)
    """
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    small = math.exp(x)
    return small / (1.0 + small)
