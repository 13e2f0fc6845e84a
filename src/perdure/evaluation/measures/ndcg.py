"""nDCG at k: whether the evidence stands early among what is returned."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from perdure.errors import InputError


def ndcg(found: Sequence[str], evidence: Sequence[str], *, k: int) -> float:
    """Return DCG / IDCG of a ranking without its repetitions, for distinct evidence of equal worth.

    DCG = Σ 1 / log₂(rank + 1) over the ranks up to k that hold evidence, rank from 1; IDCG is that of a ranking with
    all evidence first.
    Raises InputError without evidence or if k < 1.
    Source: Järvelin, Kekäläinen, TOIS 2002, with binary gains.

    Evidence at the ranks 1 and 3 of two wanted: (1 + 1/2) / (1 + 1/log₂3) = 1.5 / 1.6309.

    >>> round(ndcg(["a", "x", "b"], ["a", "b"], k=3), 4)
    0.9197
    """
    wanted = set(evidence)
    if not wanted:
        raise InputError("nDCG needs at least one evidence id; leave out questions without")
    if k < 1:
        raise InputError(f"k must be at least 1, not {k}")
    gains = [1 / log2(rank + 1) for rank in range(1, k + 1)]
    first = list(dict.fromkeys(found))[:k]
    reached = sum(gain for gain, id in zip(gains, first, strict=False) if id in wanted)
    return reached / sum(gains[: len(wanted)])
