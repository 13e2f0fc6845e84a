"""Leads: rows that were loaded and may become hits, with all that speaks for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from perdure.models import MemoryRecord, MessageRecord, Selection, Signal
from perdure.ports import Store
from perdure.read import channels
from perdure.read.fuse import Fused
from perdure.read.query import RowKind


@dataclass(frozen=True, slots=True)
class Lead:
    """A memory or message that was found.

    `own` is its fused signal (0 where no channel ranked it), `added` what other rows and the question's form lend it.
    """

    kind: RowKind
    ref: int
    record: MemoryRecord | MessageRecord
    own: float
    is_outdated: bool = False
    added: tuple[Signal, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def signal(self) -> float:
        """Everything that speaks for it, added up."""
        if not self.added:
            return self.own
        return self.own + sum(signal.weight * signal.normalised for signal in self.added)

    def with_signal(self, signal: Signal, note: str = "") -> Lead:
        """Return the lead with one more signal, and why."""
        return replace(self, added=(*self.added, signal), notes=(*self.notes, note) if note else self.notes)


def order(leads: Sequence[Lead]) -> list[Lead]:
    """Return the leads, best first; ties by kind and reference."""
    return sorted(leads, key=lambda lead: (-lead.signal, lead.kind, lead.ref))


def leads(rows: Sequence[Fused], store: Store, *, selection: Selection) -> list[Lead]:
    """Return the rows as leads, in order, with one call per kind; a row that was erased since is left out."""
    loaded = channels.load([(row.kind, row.ref) for row in rows], store, selection=selection)
    found: list[Lead] = []
    for row in rows:
        record = loaded.memories.get(row.ref) if row.kind == "memory" else loaded.messages.get(row.ref)
        if record is not None:
            is_outdated = (row.kind, row.ref) in loaded.outdated
            found.append(Lead(row.kind, row.ref, record, row.signal, is_outdated))
    return found
