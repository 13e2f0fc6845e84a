"""Texts ranked by the cosine of their embeddings: retrieval as the paper's baselines have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from perdure.models import Role
from perdure.ports import Embedder

if TYPE_CHECKING:
    from perdure.models import FloatArray


class DenseIndex:
    """A few texts and their vectors; a text beyond the embedder's length is cut by it."""

    def __init__(self, embedder: Embedder, texts: Sequence[str]) -> None:
        self._embedder = embedder
        self._size = len(texts)
        self._vectors: FloatArray | None = embedder.embed(texts, Role.DOCUMENT) if texts else None

    def rank(self, query: str, *, k: int) -> list[tuple[int, float]]:
        """Return the places of the k nearest texts with their cosines, nearest first; ties by place."""
        if self._vectors is None:
            return []
        cosines = self._vectors @ self._embedder.embed([query], Role.QUERY)[0]
        order = sorted(range(self._size), key=lambda place: (-float(cosines[place]), place))[:k]
        return [(place, float(cosines[place])) for place in order]
