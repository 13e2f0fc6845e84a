"""Contract: what operations did to a memory, and taking their sources and links back."""

from __future__ import annotations

import pytest

from perdure.errors import Conflict, NotFound
from perdure.models import ChangeSet, Closing, Link, LoggedChange, Undone
from perdure.ports import Store
from perdure.testing.store.writer import ANA, DAY, SAID, StoreFixtures, Writer, partition_version, source, version


def _logged(event: str, memory: tuple[str, int] | None, previous: tuple[str, int] | None = None) -> LoggedChange:
    return LoggedChange(event, None, memory, previous, "because", "said")  # type: ignore[arg-type]


class UndoContract(StoreFixtures):
    """Touches and undone operations."""

    def _two(self, writer: Writer) -> None:
        """Commit a memory (op-1), and another that replaces it (op-2)."""
        writer.add(version("tea", "a"), sources=(source("a", None, "tea"),), log=(_logged("ADD", ("a", 1)),))
        writer.add(
            version("tea", "a", 2, valid_to=SAID + DAY),
            version("rum", "b"),
            closed=(Closing("a", 1),),
            sources=(source("b", None, "rum"), source("a", None, "no tea")),
            links=(Link("b", "a"),),
            log=(_logged("DELETE", ("a", 2), ("a", 1)), _logged("ADD", ("b", 1))),
        )

    def _mark(self, store: Store, writer: Writer, by: str | None, **fields: object) -> None:
        undo = writer.operation(verb="undo")
        changes = {"read_version": partition_version(store), "undone": (Undone("op-2", by),), **fields}
        store.commit(ChangeSet(ANA, undo.id, operation=undo, **changes))  # type: ignore[arg-type]

    def test_touches_tell_what_operations_did_to_a_memory_oldest_first(self, store: Store, writer: Writer) -> None:
        self._two(writer)

        touches = store.touches("acme", ["a", "unknown"])

        assert [(t.memory_id, t.operation_id, t.change and t.change.event) for t in touches] == [
            ("a", "op-1", "ADD"), ("a", "op-2", "DELETE"), ("a", "op-2", None),
        ]  # fmt: skip
        recorded = [record.recorded_at for record in store.versions("acme", "a")]
        assert [touch.at for touch in touches] == [recorded[0], recorded[1], recorded[1]]
        assert touches[1].change == _logged("DELETE", ("a", 2), ("a", 1))
        assert store.touches("other", ["a"]) == []
        assert store.touches("acme", []) == []

    def test_sources_and_links_of_an_undone_operation_are_withdrawn(self, store: Store, writer: Writer) -> None:
        self._two(writer)
        at = store.memory("acme", "a").recorded_at

        self._mark(store, writer, "undo-1")

        record = store.memory("acme", "a")
        assert ([s.quote for s in record.sources], record.evidence_count, record.superseded_by) == (["tea"], 1, None)
        assert store.memory("acme", "b").supersedes == ()
        assert store.operation("acme", "op-2").undone_by == "undo-1"
        before = store.memory("acme", "a", known_at=at)
        assert ([s.quote for s in before.sources], before.superseded_by) == (["tea", "no tea"], "b")

    def test_a_version_that_ended_with_its_sources_and_links_keeps_them(self, store: Store, writer: Writer) -> None:
        self._two(writer)

        self._mark(store, writer, "undo-1", opened=(version("tea", "a", 3),), closed=(Closing("a", 2), Closing("b", 1)))

        _, second, third = store.versions("acme", "a")
        assert ([s.quote for s in second.sources], second.superseded_by) == (["tea", "no tea"], "b")
        assert ([s.quote for s in third.sources], third.superseded_by) == (["tea"], None)
        assert store.memory("acme", "b").supersedes == ("a",)

    def test_an_operation_in_force_again_has_its_sources_and_links_again(self, store: Store, writer: Writer) -> None:
        self._two(writer)
        was = store.memory("acme", "a")
        for _ in range(2):
            self._mark(store, writer, "undo-1")
            self._mark(store, writer, None)
            self._mark(store, writer, None)  # telling twice changes nothing

        assert store.memory("acme", "a") == was
        assert store.operation("acme", "op-2").undone_by is None

    def test_undoing_is_refused_where_anything_was_written_since(self, store: Store, writer: Writer) -> None:
        self._two(writer)
        read = partition_version(store)
        writer.add(sources=(source("a", None, "tea again"),))

        with pytest.raises(Conflict):
            self._mark(store, writer, "undo-1", read_version=read)

        assert store.operation("acme", "op-2").undone_by is None
        assert store.memory("acme", "a").evidence_count == 3

    def test_undoing_an_unknown_operation_is_not_found(self, store: Store, writer: Writer) -> None:
        with pytest.raises(NotFound):
            self._mark(store, writer, "undo-1")
