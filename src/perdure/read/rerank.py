"""A second opinion on the order of the best hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perdure.errors import Forbidden, ProviderError
from perdure.models import Hit, Warning
from perdure.ports import Reranker


def rerank(query: str, hits: Sequence[Hit], reranker: Reranker) -> tuple[list[Hit], list[Warning]]:
    """Return the hits in the reranker's order, ties as they stood.

    A reranker's scores have no range, so the probabilities stay with the places: the first hit has the highest.
    A reranker that fails leaves the order as it was, with a warning.
    """
    if len(hits) < 2:
        return list(hits), []
    try:
        scores = reranker.score(query, [hit.text for hit in hits])
    except (ProviderError, Forbidden) as err:  # the day's budget may be used up
        return list(hits), [Warning("rerank_failed", f"the reranker failed, so the fused order stands: {err}")]
    order = sorted(range(len(hits)), key=lambda index: (-scores[index], index))
    places = sorted((hit.score for hit in hits), reverse=True)
    return [replace(hits[index], score=score) for index, score in zip(order, places, strict=True)], []
