"""What the signals mean: probabilities, by shipped monotone maps.

Fitted on LongMemEval's sample of 97 questions (MIT) by runs/confidence.py.
`calibration_id` names the maps, so that stored scores can be told apart when they change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import assert_never

from perdure.settings import Fusion, Settings

# Fitted by runs/confidence.py: P(relevant) = 1 / (1 + exp(−(INTERCEPT + SLOPE · signal))).
ID = "zscore-longmemeval97-3"
INTERCEPT, SLOPE = -3.06, 0.31
# The same for "the evidence is among the first ten": from the best cosine, and the share of the question's words in one
# of the first hits; where there is no vector, from the best signal.
CONFIDENCE_INTERCEPT, COSINE, COVERED = -6.86, 12.34, 2.5
SPARSE_INTERCEPT, SPARSE_SLOPE = -3.06, 0.61
SPARSE_COVERED = 3.5  # hand-set beside them, as the dense map had it; runs/LOG.md
# What else tells that nothing here answers: hand-set near a fit on the own chat of runs/abstain.py, not refitted on
# LongMemEval (COVERED was 3.5 there, without ATTRIBUTE); runs/LOG.md.
ATTRIBUTE = 1.5  # the share of what is asked beside names that one hit holds
UNKNOWN = 2.5  # loss where nobody whom the question names is told of
HOLDS = 2.0  # gain where a hit fills the slot that is asked for, loss where none can be the answer
TOLD = 2.0  # gain where the first hits are told by or of whom the question names, loss where not; chosen, runs/LOG.md
FLOOR = 0.4  # the floor of the embedder that the map was fitted with; another's cosines are moved to it

SUMS_ID = "mem0-sum"  # no probability either: Mem0's sum of signals over the signals that any row has
RANKS_ID = "rrf-share-of-best"  # ranks carry no probability: the share of the best possible sum, and no more


def calibration_id(fusion: Fusion) -> str:
    """Return the name of the map in use."""
    if fusion == "zscore":
        return ID
    if fusion == "rrf":
        return RANKS_ID
    if fusion == "mem0":
        return SUMS_ID
    assert_never(fusion)


def probability(signal: float, settings: Settings) -> float:
    """Return the estimated probability that a row is relevant, 0 to 1; it never falls as the signal rises."""
    if settings.fusion == "rrf":
        return min(1.0, signal * (settings.rrf_k + 1))
    if settings.fusion == "mem0":
        return min(1.0, max(0.0, signal))
    return _logistic(INTERCEPT + SLOPE * signal)


@dataclass(frozen=True, slots=True)
class Support:
    """How well the best hits meet a question.

    `best` fused signal; `cosine` the best one, None without a vector; `covered` share of the question's words in one of
    the first hits; `told` from −0.5 to 0.5: are the first hits told by or of whom the question names (0: it names
    nobody who is known here); `attribute` share of the words beside names in one hit that names whom the question
    names; `unknown` share of those named of whom nothing is told; `holds` 1 where a hit fills the slot asked for, −1
    where none can be the answer, 0 where that is open.
    """

    best: float
    cosine: float | None = None
    covered: float = 0.0
    told: float = 0.0
    floor: float = FLOOR
    attribute: float = 0.0
    unknown: float = 0.0
    holds: float = 0.0


def confidence(support: Support, settings: Settings) -> float:
    """Return the estimated probability that the question can be answered from here."""
    if support.cosine is not None:
        near = support.cosine + FLOOR - support.floor
        logit = CONFIDENCE_INTERCEPT + COSINE * near + COVERED * support.covered + ATTRIBUTE * support.attribute
    elif settings.fusion != "zscore":
        return probability(support.best, settings)
    else:
        logit = SPARSE_INTERCEPT + SPARSE_SLOPE * support.best + SPARSE_COVERED * support.covered
    return _logistic(logit + TOLD * support.told - UNKNOWN * support.unknown + HOLDS * support.holds)


def _logistic(x: float) -> float:
    """Return 1 / (1 + e^−x), without overflow.

    >>> _logistic(0.0), _logistic(-1000.0)
    (0.5, 0.0)
    """
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    small = math.exp(x)
    return small / (1.0 + small)
