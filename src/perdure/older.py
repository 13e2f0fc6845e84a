"""Probes in the spaces of embedders that were replaced: what finds rows which are not re-embedded yet."""

from __future__ import annotations

from collections.abc import Sequence

from perdure.models import OlderVector, Role
from perdure.ports import Embedder


def older_vectors(
    texts: Sequence[str], role: Role, *, embedder: Embedder, older: Sequence[Embedder]
) -> list[tuple[OlderVector, ...]]:
    """Return each text's vectors in the spaces of the older embedders that cover it, in order.

    Scores come to the scale of `embedder`, so that its floor serves both: 1 − c is multiplied by
    (1 − its floor) / (1 − the older one's floor).  A mean and deviation per space would say nothing of a space with
    its first or last few rows, and a floor must hold for a single row.  Raises ProviderError kinds.
    """
    found: list[list[OlderVector]] = [[] for _ in texts]
    for other in older:
        scale = (1.0 - embedder.floor) / max(1.0 - other.floor, 0.01)  # chosen: a floor of 1 must not divide by 0
        covered = [place for place, text in enumerate(texts) if other.covers(text)]
        matrix = other.embed([texts[place] for place in covered], role) if covered else ()
        for place, vector in zip(covered, matrix, strict=True):
            found[place].append(OlderVector(other.model, vector, scale))
    return [tuple(vectors) for vectors in found]
