"""What a store promises while it is given to another embedder: two spaces, each compared within itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from perdure.errors import InputError, SettingsError
from perdure.models import ChangeSet, Erasure, MemoryRecord, OlderVector, Probe, Scope, VectorSpace
from perdure.ports import RowKind, Store
from perdure.testing.store.writer import (
    ANA,
    MODEL,
    StoreFixtures,
    Writer,
    found,
    message,
    partition_version,
    select,
    vector,
    version,
)

if TYPE_CHECKING:
    from perdure.models import FloatArray

NEW = "new-4"
KINDS: tuple[RowKind, ...] = ("memory", "message")


class SpaceContract(StoreFixtures):
    """Re-embedding."""

    def test_the_current_space_comes_first_and_the_older_ones_are_counted(self, store: Store, writer: Writer) -> None:
        writer.begin(message("tea", "m-1", embedding=vector(1)))
        writer.add(version("one", "a", embedding=vector(1)), version("two", "b"))

        store.rebind(NEW, 4)

        assert store.spaces() == [VectorSpace(NEW, 4, True, 0), VectorSpace(MODEL, 4, False, 2)]
        store.claim_embedder(NEW, 4)
        with pytest.raises(SettingsError, match=NEW):
            store.claim_embedder(MODEL, 4)

    def test_binding_again_changes_nothing_and_the_older_space_can_be_taken_back(
        self, store: Store, writer: Writer
    ) -> None:
        writer.add(version("one", "a", embedding=vector(1)))
        store.rebind(NEW, 4)
        store.rebind(NEW, 4)
        store.rebind(MODEL, 4)

        assert [space.model for space in store.spaces()] == [MODEL, NEW]
        assert store.stale("memory", after=0, limit=10) == []

    def test_a_name_stands_for_one_length(self, store: Store, writer: Writer) -> None:
        with pytest.raises(SettingsError, match="another name"):
            store.rebind(MODEL, 8)

        assert [space.dimensions for space in store.spaces()] == [4]

    def test_rows_that_are_not_in_the_current_space_are_listed_in_pages(self, store: Store, writer: Writer) -> None:
        writer.add(version("one", "a", embedding=vector(1)), version("two", "b"), version("three", "c"))
        writer.begin(message("tea", "m-1"))
        store.rebind(NEW, 4)

        first = store.stale("memory", after=0, limit=2)
        rest = store.stale("memory", after=first[-1], limit=2)

        assert [r.text if r else "" for r in store.load_memories([*first, *rest])] == ["one", "two", "three"]
        assert len(store.stale("message", after=0, limit=10)) == 1

    def test_a_row_is_scored_in_its_own_space_alone(self, store: Store, writer: Writer) -> None:
        writer.add(version("old", "a", embedding=vector(0, 1)))
        store.rebind(NEW, 4)
        writer.add(version("new", "b", embedding=vector(1)))
        probe = Probe(vector(1), {}, NEW)

        alone = dict(found(store, select(), probe, channel="dense"))
        both = dict(
            found(store, select(), Probe(vector(1), {}, NEW, (OlderVector(MODEL, vector(0, 1), 1.0),)), channel="dense")
        )

        assert {name: round(score, 3) for name, score in alone.items()} == {"new": 1.0}
        assert {name: round(score, 3) for name, score in both.items()} == {"new": 1.0, "old": 1.0}

    def test_cosines_of_an_older_space_come_to_the_scale_of_the_new_one(self, store: Store, writer: Writer) -> None:
        """The old floor falls on the new one, and 1 on 1."""
        writer.add(version("old", "a", embedding=vector(0.6, 0.8)))
        store.rebind(NEW, 4)
        older = (OlderVector(MODEL, vector(1), 0.5), OlderVector("gone-4", vector(1), 1.0))

        scores = dict(found(store, select(), Probe(vector(1), {}, NEW, older), channel="dense"))

        assert round(scores["old"], 3) == 0.8

    def test_spaces_may_differ_in_length(self, store: Store, writer: Writer) -> None:
        writer.add(version("old", "a", embedding=vector(1)))
        store.rebind("new-2", 2)
        [ref] = store.stale("memory", after=0, limit=10)

        with pytest.raises(InputError, match="dimensions"):
            store.set_vectors("memory", {ref: vector(1)}, space="new-2")
        store.set_vectors("memory", {ref: vector(1)[:2]}, space="new-2")

        assert dict(found(store, select(), Probe(vector(1)[:2], {}), channel="dense")) == {"old": 1.0}

    def test_a_vector_goes_to_the_space_of_its_model_until_that_is_dropped(self, store: Store, writer: Writer) -> None:
        """A process that was open before a re-embedding still writes vectors of the older model."""
        store.rebind(NEW, 4)
        late = version("late", "a", embedding=vector(0, 1))
        writer.add(late, space=MODEL)

        assert store.drop_spaces() == 1
        [ref] = store.stale("memory", after=0, limit=10)
        store.set_vectors("memory", {ref: vector(1)}, space=NEW)

        assert store.drop_spaces() == 0
        with pytest.raises(SettingsError, match="open it again"):
            writer.add(version("later", "b", embedding=vector(1)), space=MODEL)
        with pytest.raises(SettingsError, match="open it again"):
            store.rank("memory", select(), [Probe(vector(1), {}, MODEL)], limit=10)
        assert [space.model for space in store.spaces()] == [NEW]

    def test_a_row_moves_at_once_for_a_reader_that_looked_before(self, store: Store, writer: Writer) -> None:
        """Caches of a partition start anew."""
        writer.begin(message("tea", "m-1", embedding=vector(0, 1)))
        writer.add(version("one", "a", embedding=vector(0, 1)))
        store.rebind(NEW, 4)
        probe = Probe(vector(1), {}, NEW)
        assert [_scores(store, kind, probe) for kind in KINDS] == [[], []]

        for kind in KINDS:
            store.set_vectors(kind, {store.stale(kind, after=0, limit=1)[0]: vector(1)}, space=NEW)

        assert [_scores(store, kind, probe) for kind in KINDS] == [[1.0], [1.0]]

    def test_a_row_can_be_left_without_a_vector_and_one_that_is_gone_is_skipped(
        self, store: Store, writer: Writer
    ) -> None:
        writer.add(version("one", "a", embedding=vector(1)), version("two", "b", embedding=vector(1)))
        store.rebind(NEW, 4)
        first, second = store.stale("memory", after=0, limit=10)
        writer.add(erased=("b",))

        store.set_vectors("memory", {first: None, second: vector(1)}, space=NEW)

        assert found(store, select(), Probe(vector(1), {}, NEW), channel="dense") == []
        assert store.drop_spaces() == 0

    def test_moving_rows_is_no_change_that_a_decision_could_collide_with(self, store: Store, writer: Writer) -> None:
        writer.add(version("one", "a", embedding=vector(1)))
        store.rebind(NEW, 4)
        read = partition_version(store)
        store.set_vectors("memory", {store.stale("memory", after=0, limit=1)[0]: vector(1)}, space=NEW)

        begun = writer.operation()
        changes = ChangeSet(ANA, begun.id, begun, read_version=read, space=NEW, opened=(version("two", "b"),))

        store.commit(changes, collides=lambda _: True)

        assert store.memories(select()).total == 2

    def test_a_decision_sees_vectors_of_its_own_space_only(self, store: Store, writer: Writer) -> None:
        read = partition_version(store)
        writer.add(version("old", "a", embedding=vector(1)))
        store.rebind(NEW, 4)
        writer.add(version("new", "b", embedding=vector(1)))
        seen: dict[str, bool] = {}

        def collides(written: Sequence[tuple[MemoryRecord, FloatArray | None]]) -> bool:
            seen.update({record.text: other is not None for record, other in written})
            return False

        begun = writer.operation()
        changes = ChangeSet(ANA, begun.id, begun, read_version=read, space=NEW, opened=(version("next", "c"),))
        store.commit(changes, collides=collides)

        assert seen == {"old": False, "new": True}

    def test_an_export_holds_vectors_of_the_current_space_alone(self, store: Store, writer: Writer) -> None:
        writer.begin(message("tea", "m-1", embedding=vector(1)))
        writer.add(version("old", "a", embedding=vector(1)))
        store.rebind(NEW, 4)
        writer.add(version("new", "b", embedding=vector(0, 1)))

        head, *lines = store.export(Scope("acme"))

        assert head["embedder"] == NEW
        held = {line["id"]: line["vector"] is not None for line in lines if "vector" in line}
        assert held == {"m-1": False, "a": False, "b": True}

    def test_an_imported_vector_goes_to_the_space_of_the_embedder_that_the_export_names(
        self, store: Store, writer: Writer
    ) -> None:
        """An import that was embedded before a re-embedding began."""
        writer.begin(message("tea", "m-1", embedding=vector(1)))
        writer.add(version("old", "a", embedding=vector(1)))
        lines = list(store.export(Scope("acme")))
        store.rebind(NEW, 4)
        rows_before = store.spaces()[1].rows

        store.import_("copy", lines)

        assert store.spaces()[1].rows == rows_before + 2
        with pytest.raises(SettingsError, match="open it again"):
            store.import_("third", [{**lines[0], "embedder": "unknown-4"}, *lines[1:]])
        assert len(list(store.export(Scope("third")))) == 1

    def test_an_erasure_takes_the_vectors_of_every_space(self, store: Store, writer: Writer) -> None:
        writer.begin(message("tea", "m-1", embedding=vector(1)))
        writer.add(version("old", "a", embedding=vector(1)))
        store.rebind(NEW, 4)
        writer.add(version("new", "b", embedding=vector(0, 1)))
        left = store.stale("memory", after=0, limit=10)

        receipt = store.erase(writer.operation(verb="erase"), Erasure(ANA))
        store.set_vectors("memory", {ref: vector(1) for ref in left}, space=NEW)

        assert receipt.counts["vectors"] == 3
        assert store.drop_spaces() == 0
        for kind in KINDS:
            assert _scores(store, kind, Probe(vector(1), {}, NEW)) == []


def _scores(store: Store, kind: RowKind, probe: Probe) -> list[float]:
    [ranked] = store.rank(kind, select(), [probe], limit=10, channels=["dense"])
    return [score for ranking in ranked.rankings for score in ranking.scores.values()]
