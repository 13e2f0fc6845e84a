"""Texts to vectors, where the embedder covers them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from perdure.models import Role
from perdure.ports import Embedder

if TYPE_CHECKING:
    from perdure.models import FloatArray


def embed(texts: Sequence[str], embedder: Embedder | None) -> list[FloatArray | None]:
    """Return one vector (d,) per text, in order; None without an embedder or where it does not cover the text.

    Raises ProviderError kinds.  Cost: one call, each distinct text once.
    """
    if embedder is None:
        return [None] * len(texts)
    distinct = [text for text in dict.fromkeys(texts) if embedder.covers(text)]
    rows = embedder.embed(distinct, Role.DOCUMENT) if distinct else ()
    vectors = dict(zip(distinct, rows, strict=True))
    return [vectors.get(text) for text in texts]
