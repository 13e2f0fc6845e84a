"""Which names and relations are near a vector: exact search on arrays that are kept per partition."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
import numpy as np

from perdure.models import GraphKind
from perdure.stores._spaces import DECIMALS
from perdure.stores.sqlite.graph import QUERIES

if TYPE_CHECKING:
    from perdure.models import FloatArray

_Key = tuple[int, GraphKind, int]


@dataclass(frozen=True, slots=True)
class _Vectors:
    marks: tuple[int, int, int]
    ids: tuple[str, ...]
    matrix: FloatArray  # shape (n, d)


class GraphVectors:
    """The vectors of the graph, read again where anything was written or erased since."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards _held
        self._held: dict[_Key, _Vectors] = {}

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._held.clear()

    def near(
        self, connection: apsw.Connection, partition: int, kind: GraphKind, space: int, vector: FloatArray, limit: int
    ) -> list[tuple[str, float]]:
        """Return the nearest ids of a partition with their cosines, greatest first; ties by id."""
        held = self._read(connection, (partition, kind, space))
        if held is None:
            return []
        scores = np.round((held.matrix @ vector).astype(np.float64), DECIMALS)
        least = np.partition(scores, -limit)[-limit] if len(scores) > limit else -np.inf
        found = [(held.ids[place], float(scores[place])) for place in np.flatnonzero(scores >= least).tolist()]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def _read(self, connection: apsw.Connection, key: _Key) -> _Vectors | None:
        partition, kind, space = key
        bound = {"partition": partition, "kind": kind, "space": space}
        marks = connection.execute(QUERIES["vector_marks"], bound).fetchone()
        if marks is None or not marks[2]:
            return None
        with self._lock:
            held = self._held.get(key)
        if held is not None and held.marks == marks:
            return held
        # Vectors are only appended until something is erased: then all are read again.
        is_grown = held is not None and held.marks[0] == marks[0] and held.marks[1] <= marks[1]
        after = held.marks[1] if held is not None and is_grown else 0
        rows = list(connection.execute(QUERIES["vectors"], {**bound, "after": after}))
        found = np.array([np.frombuffer(blob, dtype="<f2") for _, _, blob in rows], dtype=np.float32)
        ids = tuple(id for _, id, _ in rows)
        if held is not None and is_grown and len(held.ids) + len(ids) == marks[2]:
            ids, found = held.ids + ids, np.concatenate([held.matrix, found]) if len(rows) else held.matrix
        elif after:
            rows = list(connection.execute(QUERIES["vectors"], {**bound, "after": 0}))
            found = np.array([np.frombuffer(blob, dtype="<f2") for _, _, blob in rows], dtype=np.float32)
            ids = tuple(id for _, id, _ in rows)
        fresh = _Vectors(marks, ids, found)
        with self._lock:
            self._held[key] = fresh
        return fresh
