"""Exact rankings of one partition's rows, from arrays in memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from perdure.models import Channel, Probe, Ranking, Selection
from perdure.stores import _bm25
from perdure.stores._rules import SEQ_BITS
from perdure.stores._spaces import DECIMALS, Look
from perdure.stores._visible import OPEN_RIGHT, is_held, is_visible, view
from perdure.stores.sqlite.cache import Kind, Snapshot

if TYPE_CHECKING:
    import numpy.typing as npt

    from perdure.models import FloatArray

    BoolArray = npt.NDArray[np.bool_]
    Scores = npt.NDArray[np.float64]

UNSHARED = 9_215  # numbers in a matrix; from 9,216 on OpenBLAS shares a product with a vector among threads


def admitted(shelf: Snapshot, kind: Kind, selection: Selection, allowed: Sequence[int] | None) -> BoolArray:
    """Return which rows a selection admits; `allowed` are the seqs that pass its filter, None without one.

    The result is not to be written to: without a date it is kept for as long as no interval begins or ends.
    """
    scope, seen = selection.scope, view(selection)
    named = (scope.user, scope.agent, scope.run)
    is_kept = not seen.is_dated and kind == "memory"
    mask = shelf.kept((seen.validity, *named), seen.at) if is_kept else None
    if mask is None:
        mask = is_visible(shelf.times, seen) if kind == "memory" else is_held(shelf.times, seen.known_at)
        of = shelf.is_of(user=scope.user, agent=scope.agent, run=scope.run)
        mask = mask if of is None else mask & of
        if is_kept:
            shelf.keep((seen.validity, *named), seen.at, mask)
    if allowed is not None:
        passed = np.zeros(len(mask), dtype=np.bool_)
        passed[np.searchsorted(shelf.seqs, np.array(allowed, dtype=np.int64))] = True
        mask = mask & passed
    return mask


@dataclass(frozen=True, slots=True)
class Dense:
    """A probe's cosine with every row, shape (n,), and which rows have one; 0 elsewhere."""

    cosine: FloatArray
    is_known: BoolArray


def dense(shelf: Snapshot, looks: Sequence[Sequence[Look]]) -> list[Dense]:
    """Return each probe's cosines, in order.  Cost: one pass over the matrix of each space."""
    n = len(shelf.seqs)
    products: dict[tuple[int, int], FloatArray] = {}  # (place of the probe, space)
    for space, matrix in shelf.matrices.items():
        mine = [(place, look) for place, each in enumerate(looks) for look in each if look.space == space]
        vectors = [look.vector for _, look in mine]
        for (place, look), row in zip(mine, _products(matrix, vectors) if vectors else (), strict=True):
            products[place, space] = look.scaled(row)
    found = []
    for place, each in enumerate(looks):
        one = Dense(np.zeros(n, dtype=np.float32), np.zeros(n, dtype=np.bool_))
        for look in each:
            if (place, look.space) in products:
                is_here = shelf.spaces == look.space
                if is_here.all():
                    one = Dense(products[place, look.space], is_here)
                else:
                    one.cosine[is_here] = products[place, look.space][is_here]
                    one.is_known[is_here] = True
        found.append(one)
    return found


def _products(matrix: FloatArray, vectors: Sequence[FloatArray]) -> FloatArray:
    """Return every vector's product with every row, shape (len(vectors), n).

    Row by row or in blocks of few rows, because OpenBLAS shares larger ones among threads that wait for each other:
    beside other processes on two cores a product of 10,000 rows took 6.6 ms instead of 1.5, and the spinning threads
    more CPU still.
    """
    if len(vectors) == 1:
        found: FloatArray = np.vecdot(matrix, vectors[0])
        return found[None, :]
    block = max(1, UNSHARED // matrix.shape[1])
    whole = len(matrix) // block * block
    blocks = matrix[:whole].reshape(whole // block, block, matrix.shape[1])
    right = np.stack(vectors).T
    return np.concatenate([np.matmul(blocks, right).reshape(whole, len(vectors)), matrix[whole:] @ right]).T


def rankings(
    shelf: Snapshot,
    kind: Kind,
    mask: BoolArray,
    probe: Probe,
    dense: Dense | None,
    *,
    limit: int,
    channels: Sequence[Channel],
) -> list[Ranking]:
    """Return a probe's rankings of the rows in the mask, one per channel, over the union of each channel's best."""
    rows = np.flatnonzero(mask)
    scored: dict[Channel, Scored] = {}
    for channel in channels:
        if channel == "sparse":
            scored[channel] = Scored.of(bm25(shelf, kind, probe), rows)
        elif dense is not None:
            known = rows if dense.is_known.all() else np.flatnonzero(mask & dense.is_known)
            scored[channel] = Scored.of(dense.cosine, known)
    best = [_best(channel, scores, limit) for channel, scores in scored.items()]
    is_best = np.zeros(len(mask), dtype=np.bool_)
    for places in best:
        is_best[places] = True
    pool = np.flatnonzero(is_best)
    refs = (shelf.seqs[pool] + (shelf.partition.no << SEQ_BITS)).tolist()
    return [_ranking(channel, shelf.partition.no, scores, pool, refs) for channel, scores in scored.items()]


@dataclass(frozen=True, slots=True)
class Scored:
    """A channel's scores of every row of the partition, shape (n,), the rows that count, and their scores."""

    scores: Scores | FloatArray
    rows: npt.NDArray[np.intp]
    own: Scores | FloatArray

    @classmethod
    def of(cls, scores: Scores | FloatArray, rows: npt.NDArray[np.intp]) -> Scored:
        """Return scores of the whole partition, of which only `rows` count."""
        return cls(scores, rows, scores if len(rows) == len(scores) else scores[rows])


def bm25(shelf: Snapshot, kind: Kind, probe: Probe) -> Scores:
    """Return every row's BM25, shape (n,), statistics from the partition's current rows; see _bm25."""
    partition = shelf.partition
    population, length = (
        (partition.memories, partition.memory_length)
        if kind == "memory"
        else (partition.messages, partition.message_length)
    )
    average = _bm25.average_length(length, population)
    scores = np.zeros(len(shelf.seqs))
    for term in sorted(probe.terms):
        posting = shelf.postings[term]
        held = posting.saturation.get(shelf.partition.version)
        if held is None:
            is_current = shelf.times.retired[posting.rows] == OPEN_RIGHT
            damping = _bm25.damping(shelf.lengths[posting.rows], average)
            held = int(np.count_nonzero(is_current)), _bm25.saturation(posting.tf, damping)
            posting.saturation.clear()
            posting.saturation[shelf.partition.version] = held
        frequency, saturation = held
        scores[posting.rows] += probe.terms[term] * _bm25.idf(population, frequency) * saturation
    return scores


def _best(channel: Channel, scored: Scored, limit: int) -> npt.NDArray[np.intp]:
    """Return the rows with the best scores, ties by reference; of the sparse channel only those that share a term."""
    rows, own = scored.rows, scored.own
    if len(rows) > limit:
        # Everything that rounds to the last place's score stays in, so that ties fall by reference, not by partition.
        last = np.partition(own, len(own) - limit)[len(own) - limit]
        near = np.flatnonzero(own >= last - 10.0**-DECIMALS)
        rows, own = rows[near], own[near]
    if channel == "sparse":
        shares = own > 0.0
        rows, own = rows[shares], own[shares]
    rounded = np.round(own.astype(np.float64), DECIMALS) if channel == "dense" else own
    return rows[np.lexsort((rows, -rounded))[:limit]]


def _ranking(
    channel: Channel, partition: int, scored: Scored, pool: npt.NDArray[np.intp], refs: Sequence[int]
) -> Ranking:
    count = len(scored.own)
    mean = deviation = 0.0
    if count:
        own = scored.own.astype(np.float64)
        mean = float(np.add.reduce(own)) / count
        own -= mean
        deviation = math.sqrt(float(np.vdot(own, own)) / count)
    values = scored.scores[pool].astype(np.float64)
    if channel == "dense":
        values = np.round(values, DECIMALS)
    return Ranking(channel, partition, dict(zip(refs, values.tolist(), strict=True)), count, mean, deviation)
