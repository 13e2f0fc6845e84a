"""Every stored text into another embedder's space, batch by batch, while the store is read and written.

The store already belongs to the new embedder: what is written meanwhile goes into its space, and a search looks into
both.  What is interrupted goes on where it stopped: a row is in one space, so the rows left over are the work left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perdure.models import GraphKind, Reembedding
from perdure.ports import Ports, RowKind, Store
from perdure.text import spoken
from perdure.write.describe import readable
from perdure.write.embed import embed

if TYPE_CHECKING:
    from perdure.models import FloatArray

KINDS: tuple[RowKind, ...] = ("memory", "message")
GRAPH_KINDS: tuple[GraphKind, ...] = ("entity", "relation")
BATCH = 64  # chosen: a commit each; an endpoint takes it in one request, a local model in about a second

Progress = Callable[[int, int], None]


def reembed(ports: Ports, *, progress: Progress | None = None) -> Reembedding:
    """Embed every row that is not in the space of `ports.embedder`, then drop the older spaces.

    A text that the embedder does not cover is left without a vector.  Raises ProviderError and StoreError kinds; what
    was done by then stays done.  `progress` is told (rows done, rows in all as far as is known).
    """
    assert ports.embedder is not None  # noqa: S101 - who calls has just bound the store to it
    work = _Work(ports, progress, sum(space.rows for space in ports.store.spaces()))
    while True:  # a writer that still has the older embedder may add to its space while this runs
        for kind in KINDS:
            work.run(kind)
        for part in GRAPH_KINDS:
            work.run_graph(part)
        if not ports.store.drop_spaces():
            return Reembedding(ports.embedder.model, ports.embedder.dimensions, work.embedded, work.left_out)


@dataclass(slots=True)
class _Work:
    ports: Ports
    progress: Progress | None
    total: int
    embedded: int = 0
    left_out: int = 0

    def run(self, kind: RowKind) -> None:
        """Go once through the rows of a kind."""
        assert self.ports.embedder is not None  # noqa: S101 - see reembed
        store, after = self.ports.store, 0
        self.left_out = 0 if kind == KINDS[0] else self.left_out
        while refs := store.stale(kind, after=after, limit=BATCH):
            found = embed(_texts(kind, refs, store), self.ports.embedder)
            embedded = sum(vector is not None for vector in found)
            vectors: dict[int, FloatArray | None] = dict(zip(refs, found, strict=True))
            store.set_vectors(kind, vectors, space=self.ports.embedder.model)
            self.embedded += embedded
            self.left_out += len(refs) - embedded
            after = refs[-1]
            if self.progress is not None:
                done = self.embedded + self.left_out
                self.progress(done, max(done, self.total))

    def run_graph(self, kind: GraphKind) -> None:
        """Go once through the names, or the relations' texts; they are not counted, nor told to `progress`."""
        assert self.ports.embedder is not None  # noqa: S101 - see reembed
        store, after = self.ports.store, 0
        while rows := store.stale_graph(kind, after=after, limit=BATCH):
            found = embed([text for _, text in rows], self.ports.embedder)
            vectors: dict[int, FloatArray | None] = {
                place: vector for (place, _), vector in zip(rows, found, strict=True)
            }
            store.set_graph_vectors(kind, vectors, space=self.ports.embedder.model)
            after = rows[-1][0]


def _texts(kind: RowKind, refs: list[int], store: Store) -> list[str]:
    """Return the texts that were embedded when the rows were written; empty where one was erased since."""
    if kind == "memory":
        return ["" if record is None else record.text for record in store.load_memories(refs)]
    return ["" if m is None else spoken(m.speaker, readable(m)) for m in store.load_messages(refs)]
