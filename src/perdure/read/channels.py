"""The channels' look-ups: each query's rankings of memories and messages, and the records behind them.

Filters, scope, validity and expiry act inside the store's queries, not after them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from perdure.errors import ProviderError
from perdure.models import (
    Both,
    Compare,
    Include,
    MemoryRecord,
    MessageRecord,
    Negated,
    Probe,
    Ranking,
    Role,
    Selection,
    Usage,
    Warning,
)
from perdure.older import older_vectors
from perdure.ports import Embedder, Store
from perdure.read.query import Query, RowKind
from perdure.settings import Settings
from perdure.text import STOP_WORDS, stem, terms

_KINDS: Mapping[Include, RowKind] = {"memories": "memory", "messages": "message"}


@dataclass(frozen=True, slots=True)
class Look:
    """A query as the channels see it, and what was lost on the way."""

    probe: Probe
    warnings: tuple[Warning, ...] = ()
    embedded_texts: int = 0

    @property
    def usage(self) -> Usage:
        """What it cost."""
        return Usage(embedded_texts=self.embedded_texts)


def looks(queries: Sequence[Query], embedder: Embedder | None, older: Sequence[Embedder] = ()) -> list[Look]:
    """Return each query's probe, in order; all are embedded in one batch.

    Where the embedder does not cover a query's script, or fails, the query is looked up by its words alone, with a
    warning.
    """
    sparse = [asked_terms(query.text) for query in queries]
    if embedder is None:
        return [Look(Probe(None, counts)) for counts in sparse]

    covered = [index for index, query in enumerate(queries) if embedder.covers(query.text)]
    failure: Warning | None = None
    vectors = {}
    if covered:
        texts = [queries[index].text for index in covered]
        try:
            matrix = embedder.embed(texts, Role.QUERY)
            others = older_vectors(texts, Role.QUERY, embedder=embedder, older=older)
            vectors = dict(zip(covered, zip(matrix, others, strict=True), strict=True))
        except ProviderError as err:
            failure = Warning("dense_failed", f"the embedder failed, so the words alone were looked up: {err}")

    found: list[Look] = []
    for index, counts in enumerate(sparse):
        if index in vectors:
            vector, others_of = vectors[index]
            found.append(Look(Probe(vector, counts, embedder.model, others_of), embedded_texts=1 + len(others_of)))
        else:
            uncovered = Warning(
                "dense_uncovered",
                f"the embedder {embedder.model} does not cover this query's script, so its words alone were looked up",
            )
            is_failed = failure is not None and index in covered
            found.append(Look(Probe(None, counts), (failure if failure and is_failed else uncovered,)))
    return found


def asked_terms(text: str) -> Mapping[str, int]:
    """Return the sparse terms of a query without its stop words, which a question is full of; with them if all are.

    Measured: +3 to +5 points of LoCoMo recall@10 (runs/LOG.md).  Stored text keeps its stop words.

    >>> dict(asked_terms("What does Ana drink?"))
    {'ana': 1, 'drink': 1}
    >>> dict(asked_terms("Who are you?"))
    {'who': 1, 'are': 1, 'you': 1}
    """
    counts = terms(text)
    return {term: count for term, count in counts.items() if term not in _stop_terms()} or counts


@lru_cache(maxsize=1)
def _stop_terms() -> frozenset[str]:
    return frozenset(stem(word) for word in STOP_WORDS)


def rankings(
    queries: Sequence[Query], looked: Sequence[Look], store: Store, settings: Settings
) -> list[dict[RowKind, tuple[Ranking, ...]]]:
    """Return each query's rankings by kind of row, in order.

    Queries with equal selections are ranked by one call per kind.
    """
    found: list[dict[RowKind, tuple[Ranking, ...]]] = [{} for _ in queries]
    for selection, include, indices in _alike(queries):
        limit = max(settings.pool, *(queries[index].k for index in indices))
        probes = [looked[index].probe for index in indices]
        for kind in (_KINDS[name] for name in include if name in _KINDS):  # relations: graph_channels
            ranked = store.rank(kind, selection, probes, limit=limit)
            for index, one in zip(indices, ranked, strict=True):
                found[index][kind] = one.rankings
    return found


def _alike(queries: Sequence[Query]) -> list[tuple[Selection, tuple[Include, ...], list[int]]]:
    """Group queries by selection and kinds, in order of appearance (a selection may hold lists: it has no hash)."""
    groups: list[tuple[Selection, tuple[Include, ...], list[int]]] = []
    for index, query in enumerate(queries):
        include = tuple(dict.fromkeys(query.include))
        for selection, kinds, indices in groups:
            if kinds == include and selection == seen(query):
                indices.append(index)
                break
        else:
            groups.append((seen(query), include, [index]))
    return groups


def seen(query: Query) -> Selection:
    """Return the query's selection without what was said after its cut.

    A message is dated by `at`, a memory by `valid_from`; the field that a kind does not have hides nothing.
    """
    if query.cut is None:
        return query.selection
    where = () if query.selection.where is None else (query.selection.where,)
    later = (Negated(Compare(field, "gt", query.cut)) for field in ("at", "valid_from"))
    return replace(query.selection, where=Both((*where, *later)))


@dataclass(frozen=True, slots=True)
class Loaded:
    """The records behind references; one that was erased since is absent.

    `outdated` are the references of what holds no longer: ended memories, and messages whose memories all ended.
    """

    memories: Mapping[int, MemoryRecord]
    messages: Mapping[int, MessageRecord]
    outdated: frozenset[tuple[RowKind, int]] = frozenset()


def load(rows: Sequence[tuple[RowKind, int]], store: Store, *, selection: Selection) -> Loaded:
    """Return the records behind (kind, reference) pairs, with one call per kind."""
    memory_refs = [ref for kind, ref in rows if kind == "memory"]
    message_refs = [ref for kind, ref in rows if kind == "message"]
    memories = store.load_memories(memory_refs, known_at=selection.known_at) if memory_refs else []
    messages = store.load_messages(message_refs) if message_refs else []
    found = {ref: record for ref, record in zip(memory_refs, memories, strict=True) if record is not None}
    return Loaded(
        found,
        {ref: record for ref, record in zip(message_refs, messages, strict=True) if record is not None},
        _outdated(found, message_refs, store, selection),
    )


def _outdated(
    memories: Mapping[int, MemoryRecord], message_refs: Sequence[int], store: Store, selection: Selection
) -> frozenset[tuple[RowKind, int]]:
    """Return what holds no longer; nothing where ended memories are what was asked for."""
    if selection.validity == "ended":
        return frozenset()
    at = selection.as_of or selection.known_at or selection.now
    ended = {ref for ref, record in memories.items() if record.valid_to is not None and record.valid_to <= at}
    flags = store.outdated(message_refs, at=at) if message_refs else []
    messages = {ref for ref, flag in zip(message_refs, flags, strict=True) if flag}
    kinds: tuple[tuple[RowKind, set[int]], ...] = (("memory", ended), ("message", messages))
    return frozenset((kind, ref) for kind, refs in kinds for ref in refs)
