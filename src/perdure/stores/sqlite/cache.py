"""What searching needs of a partition, as arrays in memory, brought up to date from the file.

A shelf holds one partition's versions or messages in the order of their seq.  It is keyed by the partition's version:
when that has moved, rows with a larger seq are appended and rows closed since are marked; rows erased since make it
start anew.  Arrays are only ever written beyond what a reader was given, or replaced, so that scoring needs no lock.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeVar

import apsw
import numpy as np

from perdure.models import Selection
from perdure.stores._rules import SEQ_BITS
from perdure.stores._spaces import NOWHERE
from perdure.stores._visible import OPEN_LEFT, OPEN_RIGHT, Times
from perdure.stores.sqlite.rows import home_of, partitions, select
from perdure.stores.sqlite.writing import Partition, partition_by_no, partition_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from perdure.models import FloatArray

    IntArray = npt.NDArray[np.int64]
    BoolArray = npt.NDArray[np.bool_]

Kind = Literal["memory", "message"]
Number = TypeVar("Number", bound=np.generic)

_RECORDED, _RETIRED, _VALID_FROM, _VALID_TO, _EXPIRES, _LENGTH, _USER, _AGENT, _RUN, _SPACE = range(10)
_TERM_BYTES = 256  # what an entry costs beside its arrays; chosen
_MASKS = 8  # kept per partition; a byte a row each; chosen
NOBODY = -1  # the code of an absent id
UNKNOWN = -2  # the code of an id that no row has


@dataclass(frozen=True, slots=True)
class Posting:
    """The rows (positions on the shelf) that hold a term, rising, and how often."""

    rows: IntArray
    tf: npt.NDArray[np.float64]
    until: int  # the last seq that was looked at
    saturation: dict[int, tuple[int, npt.NDArray[np.float64]]] = field(default_factory=dict)
    """Of one version of the partition: how many of the rows are current, and each row's BM25 saturation."""


_NONE = Posting(np.empty(0, dtype=np.int64), np.empty(0), 0)


@dataclass(frozen=True, slots=True)
class Admitted:
    """Which rows a selection without a date admits, shape (n,), while `since` <= now < `until`."""

    mask: BoolArray
    since: int
    until: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A partition as it stood when it was read: n rows, and the postings of the terms that were asked for."""

    partition: Partition
    seqs: IntArray
    columns: npt.NDArray[np.int64]  # shape (10, n)
    matrices: Mapping[int, FloatArray]  # space → shape (n, d), zero in the rows of other spaces
    postings: Mapping[str, Posting]
    codes: Mapping[str, int]
    admitted: dict[tuple[object, ...], Admitted]  # of this version of the partition

    @property
    def times(self) -> Times:
        """The rows' times, open ends filled in."""
        recorded, retired, valid_from, valid_to, expires = self.columns[: _EXPIRES + 1]
        return Times(recorded, retired, valid_from, valid_to, expires)

    def kept(self, key: tuple[object, ...], now: int) -> BoolArray | None:
        """Return the mask that was kept under a key, if it is still right."""
        held = self.admitted.get(key)
        return held.mask if held is not None and held.since <= now < held.until else None

    def keep(self, key: tuple[object, ...], now: int, mask: BoolArray) -> None:
        """Keep a mask until the next row ends or expires."""
        bounds = self.columns[_VALID_TO : _EXPIRES + 1]
        since = int(bounds.max(where=bounds <= now, initial=OPEN_LEFT))
        until = int(bounds.min(where=bounds > now, initial=OPEN_RIGHT))
        if len(self.admitted) >= _MASKS:
            self.admitted.clear()
        self.admitted[key] = Admitted(mask, since, until)

    @property
    def lengths(self) -> IntArray:
        """The number of terms of each row."""
        lengths: IntArray = self.columns[_LENGTH]
        return lengths

    @property
    def spaces(self) -> IntArray:
        """The space of each row's vector; NOWHERE where it has none."""
        spaces: IntArray = self.columns[_SPACE]
        return spaces

    def is_of(self, *, user: str | None, agent: str | None, run: str | None) -> BoolArray | None:
        """Return which rows have the ids that are named; None where none is."""
        named = [(row, id) for row, id in ((_USER, user), (_AGENT, agent), (_RUN, run)) if id is not None]
        found: BoolArray | None = None
        for row, id in named:
            equal = self.columns[row] == self.codes.get(id, UNKNOWN)
            found = equal if found is None else found & equal
        return found


class Shelf:
    """One partition's rows of one kind."""

    def __init__(self, partition: int, kind: Kind) -> None:
        self._partition = partition
        self._kind: Kind = kind
        self._clear()

    def _clear(self) -> None:
        self._version = -1
        self._erasures = 0
        self._recorded_at = -1
        self._count = 0
        self._seqs: IntArray = np.empty(0, dtype=np.int64)
        self._columns: IntArray = np.empty((10, 0), dtype=np.int64)
        self._matrices: dict[int, FloatArray] = {}
        self._codes: dict[str, int] = {}
        self._postings: dict[str, Posting] = {}
        self._posting_bytes = 0
        self._admitted: dict[tuple[object, ...], Admitted] = {}

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        matrices = sum(matrix.nbytes for matrix in self._matrices.values())
        return self._seqs.nbytes + self._columns.nbytes + matrices + self._posting_bytes

    def snapshot(self, connection: apsw.Connection, partition: Partition, terms: Iterable[str]) -> Snapshot:
        """Return the partition as the connection's transaction sees it."""
        if partition.version != self._version:
            if partition.erasures != self._erasures:
                self._clear()
            self._append(connection)
            self._mark_closed(connection)
            self._version, self._erasures = partition.version, partition.erasures
            self._recorded_at = partition.recorded_at or -1
            self._admitted = {}  # a reader of the old version keeps the old one
        n = self._count
        return Snapshot(
            partition,
            self._seqs[:n],
            self._columns[:, :n],
            {space: matrix[:n] for space, matrix in self._matrices.items()},
            self._postings_of(connection, terms),
            self._codes,
            self._admitted,
        )

    def _last_seq(self) -> int:
        return int(self._seqs[self._count - 1]) if self._count else 0

    def _append(self, connection: apsw.Connection) -> None:
        bound = {"partition": self._partition, "after": self._partition << 24 | self._last_seq(), "open": OPEN_RIGHT}
        rows = list(select(connection, f"shelf_{self._kind}", bound))
        if not rows:
            return
        seqs, *numbers, users, agents, runs, spaces, blobs = zip(*rows, strict=True)
        start, end = self._count, self._count + len(rows)
        self._reserve(end)
        self._seqs[start:end] = seqs
        for place, column in enumerate(numbers):
            self._columns[place, start:end] = column
        for place, ids in ((_USER, users), (_AGENT, agents), (_RUN, runs)):
            self._columns[place, start:end] = [self._code(id) for id in ids]
        self._columns[_SPACE, start:end] = [NOWHERE if space is None else space for space in spaces]
        for space in sorted({space for space in spaces if space is not None}):
            places = [place for place, other in enumerate(spaces) if other == space]
            vectors = np.frombuffer(b"".join(blobs[place] for place in places), dtype="<f2").reshape(len(places), -1)
            if space not in self._matrices:
                self._matrices[space] = np.zeros((len(self._seqs), vectors.shape[1]), dtype=np.float32)
            self._matrices[space][np.array(places) + start] = vectors
        self._count = end

    def _code(self, id: str | None) -> int:
        return NOBODY if id is None else self._codes.setdefault(id, len(self._codes))

    def _reserve(self, count: int) -> None:
        """Make room, half as much again, so that appending one row at a time costs a constant each."""
        if count > len(self._seqs):
            room = count + count // 2 if self._count else count
            self._seqs = _grown(self._seqs, (room,), self._count)
            columns = np.zeros((10, room), dtype=np.int64)
            columns[:, : self._count] = self._columns[:, : self._count]
            self._columns = columns
            for space, matrix in self._matrices.items():
                self._matrices[space] = _grown(matrix, (room, matrix.shape[1]), self._count)

    def _mark_closed(self, connection: apsw.Connection) -> None:
        if self._kind == "message" or self._version < 0:
            return
        bound = {"partition": self._partition, "since": self._recorded_at}
        closed = list(select(connection, "closed_since", bound))
        if closed:
            seqs, times = zip(*closed, strict=True)
            self._columns = self._columns.copy()  # a reader may be looking at the old one
            self._columns[_RETIRED, np.searchsorted(self._seqs[: self._count], seqs)] = times

    def _postings_of(self, connection: apsw.Connection, terms: Iterable[str]) -> dict[str, Posting]:
        """Return the terms' postings; those that are not held up to the last row are read by one query."""
        last = self._last_seq()
        if not last:  # no row, so none that holds a term
            return dict.fromkeys(terms, _NONE)
        asked = list(dict.fromkeys(terms))
        missing = [term for term in asked if (held := self._postings.get(term)) is None or held.until < last]
        if missing:
            self._read(connection, missing, last)
        return {term: self._postings[term] for term in asked}

    def _read(self, connection: apsw.Connection, terms: Sequence[str], last: int) -> None:
        afters = [held.until if (held := self._postings.get(term)) is not None else 0 for term in terms]
        bound = {
            "partition": self._partition,
            "kind": self._kind,
            "asked": json.dumps(list(zip(terms, afters, strict=True))),
        }
        found = np.fromiter(chain.from_iterable(select(connection, "postings", bound)), dtype=np.int64).reshape(-1, 3)
        keys = found[:, 0] << SEQ_BITS | found[:, 1]
        if (keys[1:] < keys[:-1]).any():
            found = found[np.argsort(keys)]
        bounds = np.searchsorted(found[:, 0], np.arange(len(terms) + 1))
        for place, term in enumerate(terms):
            mine = found[bounds[place] : bounds[place + 1]]
            rows = np.searchsorted(self._seqs[: self._count], mine[:, 1])
            tf = mine[:, 2].astype(np.float64)
            held = self._postings.get(term)
            self._posting_bytes += rows.nbytes + 2 * tf.nbytes + (_TERM_BYTES if held is None else 0)
            if held is not None:
                rows, tf = np.concatenate([held.rows, rows]), np.concatenate([held.tf, tf])
            self._postings[term] = Posting(rows, tf, last)


class Cache:
    """The shelves of a store, the least recently used dropped beyond `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._filling = threading.Lock()  # guards the shelves while they are brought up to date
        self._shelves: OrderedDict[tuple[int, Kind], Shelf] = OrderedDict()
        self.nbytes = 0  # memory held

    def clear(self) -> None:
        """Drop every shelf: what was erased leaves this process's memory too."""
        with self._filling:
            self._shelves.clear()
            self.nbytes = 0

    def snapshots(
        self, connection: apsw.Connection, kind: Kind, selection: Selection, terms: Iterable[str]
    ) -> list[Snapshot]:
        """Return a selection's partitions as the connection's transaction sees them, which must not have read before.

        A shelf may then be older than that snapshot, never newer: whoever filled it read earlier.
        """
        terms = list(terms)
        with self._filling:
            found = []
            for partition in _reached(connection, selection):
                shelf = self._shelves.pop((partition.no, kind), None) or Shelf(partition.no, kind)
                self.nbytes -= shelf.nbytes
                found.append(shelf.snapshot(connection, partition, terms))
                self._shelves[partition.no, kind] = shelf
                self.nbytes += shelf.nbytes
            while self.nbytes > self._limit and self._shelves:
                _, dropped = self._shelves.popitem(last=False)
                self.nbytes -= dropped.nbytes
            return found


def _reached(connection: apsw.Connection, selection: Selection) -> list[Partition]:
    home = home_of(selection.scope, selection.within)
    if home is not None:
        one = partition_of(connection, home)
        return [] if one is None else [one]
    return [partition_by_no(connection, no) for no in partitions(connection, selection.scope)]


def _grown(array: npt.NDArray[Number], shape: tuple[int, ...], count: int) -> npt.NDArray[Number]:
    grown: npt.NDArray[Number] = np.zeros(shape, dtype=array.dtype)
    grown[:count] = array[:count]
    return grown
