"""BLEU-1 of one answer."""

from __future__ import annotations

from collections import Counter
from math import exp

from perdure.evaluation.measures.word_tokens import word_tokens


def bleu1(answer: str, gold: str) -> float:
    """Return BP · p₁ over lower-cased Treebank words, 0 where no word is shared.

    p₁ = Σ_w min(count of w in the answer, in the gold) / words of the answer; BP = 1 if the answer is longer than the
    gold, else exp(1 − |gold| / |answer|).  Without smoothing: the harness's smoothing touches longer n-grams alone.
    Source: Papineni et al., ACL 2002, with n = 1, as the Mem0 paper's harness computes it; runs/LOG.md has on how many
    recorded rows the value is the same.

    The answer has 2 words, both right, the gold 3: exp(1 − 3/2) · 2/2.

    >>> round(bleu1("May 2023", "7 May 2023"), 4)
    0.6065
    """
    said, wanted = word_tokens(answer.lower()), word_tokens(gold.lower())
    shared = (Counter(said) & Counter(wanted)).total()
    if not shared:
        return 0.0
    brevity = 1.0 if len(said) > len(wanted) else exp(1 - len(wanted) / len(said))
    return brevity * shared / len(said)
