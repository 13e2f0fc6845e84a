"""Evidence recall at k: how much of what proves the answer is among the first k."""

from __future__ import annotations

from collections.abc import Sequence

from perdure.errors import InputError


def evidence_recall(found: Sequence[str], evidence: Sequence[str], *, k: int) -> float:
    """Return |E ∩ {f_1 … f_k}| / |E|, for distinct evidence E and a ranking f without its repetitions.

    The mean over questions is a macro average: a question counts once, however much evidence it has.
    Raises InputError without evidence (the share of nothing) or if k < 1.
    Source: recall at a document cut-off, as in Manning, Raghavan, Schütze 2008, section 8.4.

    Of two evidence turns the first three hold one:

    >>> evidence_recall(["D1:3", "D2:1", "D4:4", "D9:9"], ["D2:1", "D9:9"], k=3)
    0.5
    """
    wanted = set(evidence)
    if not wanted:
        raise InputError("evidence recall needs at least one evidence id; leave out questions without")
    if k < 1:
        raise InputError(f"k must be at least 1, not {k}")
    return len(wanted & set(list(dict.fromkeys(found))[:k])) / len(wanted)
