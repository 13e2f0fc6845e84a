"""F1 as LoCoMo's own evaluation has it: stemmed, with a rule for each category."""

from __future__ import annotations

import re
import string
from collections import Counter
from functools import lru_cache
from statistics import fmean

from perdure.errors import InputError

_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation))
_LITTLE = re.compile(r"\b(?:a|an|the|and)\b")
_DECLINES = ("no information available", "not mentioned")


def locomo_f1(answer: str, gold: str, category: int) -> float:
    """Return the score of an answer to a question of this category (the file's number).

    Tokens: lower case, punctuation taken out, without a, an, the, and; Porter stems; counted as often as they stand.
    F1 = 2PR / (P + R) with P = |A ∩ G| / |A|, R = |A ∩ G| / |G| over multisets.
    1 (multi-hop): both are split at commas; every gold part takes its best F1 over the answer's parts; their mean.
    2, 4: F1.  3: F1 against what stands before the gold's first semicolon.
    5 (adversarial): 1 if the answer says "no information available" or "not mentioned", else 0.
    Raises InputError on another category.
    Source: Maharana et al., ACL 2024, task_eval/evaluation.py; reproduced on Honcho's recorded rows, runs/LOG.md.

    Of two gold parts the answer names one, and a third thing: (1 + 0) / 2.

    >>> locomo_f1("pottery, running", "painting, pottery", 1)
    0.5

    A = {paint, lake}, G = {lake, sunris}: P = R = 1/2.

    >>> locomo_f1("The painted lake", "a lake and sunrise", 4), locomo_f1("Not mentioned.", "", 5)
    (0.5, 1.0)
    """
    if category == 1:
        parts = [part.strip() for part in answer.split(",")]
        return fmean(max(_f1(part, wanted.strip()) for part in parts) for wanted in gold.split(","))
    if category in (2, 4):
        return _f1(answer, gold)
    if category == 3:
        return _f1(answer, gold.split(";")[0].strip())
    if category == 5:
        return float(any(words in answer.lower() for words in _DECLINES))
    raise InputError(f"LoCoMo has the categories 1 to 5, not {category!r}")


def _f1(answer: str, gold: str) -> float:
    said, wanted = _stems(answer), _stems(gold)
    shared = (said & wanted).total()
    if not shared:
        return 0.0
    precision, recall = shared / said.total(), shared / wanted.total()
    return 2 * precision * recall / (precision + recall)


def _stems(text: str) -> Counter[str]:
    plain = _LITTLE.sub(" ", text.lower().translate(_PUNCTUATION))
    return Counter(_stem(word) for word in plain.split())


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    import Stemmer

    return str(Stemmer.Stemmer("porter").stemWord(word))
