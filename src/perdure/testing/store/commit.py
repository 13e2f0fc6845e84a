"""What commit promises: whole or not at all, versions that follow each other, and conflicts that are noticed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest

from perdure.errors import Conflict, InputError, PerdureError
from perdure.models import (
    ChangeSet,
    Closing,
    Link,
    LoggedChange,
    MemoryRecord,
    NewJob,
    Scope,
    Source,
    Usage,
    Warning,
)
from perdure.ports import Store
from perdure.testing.store.writer import (
    ANA,
    DAY,
    SAID,
    StoreFixtures,
    Writer,
    message,
    partition_version,
    select,
    source,
    texts,
    vector,
    version,
)

if TYPE_CHECKING:
    from perdure.models import FloatArray

MICROSECOND = timedelta(microseconds=1)


class CommitContract(StoreFixtures):
    """Change sets."""

    def test_a_change_set_shares_one_recorded_at(self, store: Store, writer: Writer) -> None:
        done = writer.add(version("Ana likes tea", "a"), version("Ana lives in Lyon", "b"))

        for id in ("a", "b"):
            record = store.memory("acme", id)
            assert (record.recorded_at, record.created_at, record.updated_at) == (done.recorded_at,) * 3
            assert record.retired_at is None

    def test_recorded_at_rises_whatever_the_clock_does(self, store: Store, writer: Writer) -> None:
        first = writer.add(version("one", "a"))
        second = writer.add(version("two", "b"))
        writer.clock.move(-DAY)
        third = writer.add(version("three", "c"))

        assert first.recorded_at == writer.clock.now() + DAY
        assert second.recorded_at == first.recorded_at + MICROSECOND
        assert third.recorded_at == second.recorded_at + MICROSECOND

    def test_each_commit_raises_the_version_of_its_partition_only(self, store: Store, writer: Writer) -> None:
        assert partition_version(store) == 0

        done = writer.add(version("one", "a"))
        bo = Scope("acme", user="bo")
        writer.add(version("two", "b", scope=bo), scope=bo)
        again = writer.add(version("three", "c"))

        assert (done.version, again.version, partition_version(store)) == (1, 2, 2)

    def test_a_record_comes_back_as_it_was_given(self, store: Store, writer: Writer) -> None:
        given = version(
            "Ana läuft 10 km 🏃", "a", kind="event", metadata={"x": {"y": [1, 2.5, None, True, "ü"]}},
            categories=("sport",), attributed_to="Ana", origin="document", event_from=SAID,
            event_to=SAID + DAY + MICROSECOND, time_precision="day", valid_from=None,
            valid_to=SAID + 9 * DAY, expires_at=SAID + 99 * DAY,
            entities=("Ana", "Lyon"),
        )  # fmt: skip
        writer.add(given)

        held = store.memory("acme", "a")

        for name in (
            "id", "text", "version", "user", "agent", "run", "kind", "metadata", "categories", "attributed_to",
            "origin", "event_from", "event_to", "time_precision", "valid_from", "valid_to", "expires_at", "entities",
        ):  # fmt: skip
            assert getattr(held, name) == getattr(given.record, name), name

    def test_a_new_version_closes_the_one_before_and_keeps_its_creation(self, store: Store, writer: Writer) -> None:
        first = writer.add(version("Ana lives in Lyon", "a"))
        second = writer.replace(version("Ana lives in Lyon, by the river", "a", 2))

        old, new = store.versions("acme", "a")

        assert (old.retired_at, new.retired_at) == (second.recorded_at, None)
        assert (new.created_at, new.updated_at) == (first.recorded_at, second.recorded_at)
        assert texts(store, select()) == ["Ana lives in Lyon, by the river"]

    def test_closing_without_a_successor_retracts(self, store: Store, writer: Writer) -> None:
        writer.add(version("Ana lives in Lyon", "a"))
        done = writer.retract("a")

        assert texts(store, select(validity="all")) == []
        assert store.memory("acme", "a").retired_at == done.recorded_at
        assert len(store.versions("acme", "a")) == 1

    def test_a_retracted_memory_may_get_a_version_again(self, store: Store, writer: Writer) -> None:
        writer.add(version("Ana lives in Lyon", "a"))
        writer.retract("a")
        writer.add(version("Ana lives in Lyon", "a", 2))

        assert [record.version for record in store.versions("acme", "a")] == [1, 2]
        assert texts(store, select()) == ["Ana lives in Lyon"]

    def test_nothing_is_written_when_a_closing_is_overtaken(self, store: Store, writer: Writer) -> None:
        writer.add(version("one", "a"))
        writer.replace(version("two", "a", 2))
        before = (store.stats(ANA), store.versions("acme", "a"), partition_version(store))

        for closed in (Closing("a", 1), Closing("a", 3), Closing("gone", 1)):
            with pytest.raises(Conflict):
                writer.add(version("new", "b"), closed=(closed,))

        assert (store.stats(ANA), store.versions("acme", "a"), partition_version(store)) == before

    def test_a_closing_reaches_no_other_partition(self, store: Store, writer: Writer) -> None:
        bo = Scope("acme", user="bo")
        writer.add(version("bo's", "b", scope=bo), scope=bo)

        with pytest.raises(Conflict):
            writer.add(closed=(Closing("b", 1),))
        with pytest.raises(InputError, match="partition"):
            writer.add(version("bo's", "c", scope=bo))

        assert store.memory("acme", "b").retired_at is None

    def test_versions_follow_each_other(self, store: Store, writer: Writer) -> None:
        writer.add(version("one", "a"))

        for wrong in (version("again", "a"), version("open", "a", 2), version("gap", "b", 2)):
            with pytest.raises(Conflict):
                writer.add(wrong)
        with pytest.raises(Conflict):
            writer.add(version("gap", "a", 3), closed=(Closing("a", 1),))
        with pytest.raises(InputError, match="two versions"):
            writer.add(version("x", "c"), version("y", "c", 2))
        with pytest.raises(InputError, match="twice"):
            writer.add(closed=(Closing("a", 1), Closing("a", 1)))

        assert texts(store, select()) == ["one"]

    def test_an_exchange_is_done_once(self, store: Store, writer: Writer) -> None:
        row, _ = writer.begin(message("tea", "m-1"))
        store.commit(ChangeSet(ANA, row.id, exchange=0, opened=(version("one", "a"),)))

        with pytest.raises(Conflict, match="done"):
            store.commit(ChangeSet(ANA, row.id, exchange=0, opened=(version("two", "b"),)))

        assert [exchange.is_done for exchange in store.exchanges("acme", row.id)] == [True]
        assert texts(store, select()) == ["one"]

    def test_a_key_seen_before_is_a_conflict_for_a_commit(self, store: Store, writer: Writer) -> None:
        operation = writer.operation(key="k")
        store.commit(ChangeSet(ANA, operation.id, operation=operation))

        again = writer.operation(key="k")
        with pytest.raises(Conflict, match="'k'"):
            store.commit(ChangeSet(ANA, again.id, operation=again, opened=(version("one", "a"),)))

        assert store.operations(ANA).total == 1
        assert store.stats(ANA).memories == 0

    def test_a_commit_writes_the_log_usage_warnings_and_status_of_its_operation(
        self, store: Store, writer: Writer
    ) -> None:
        row, _ = writer.begin(message("tea", "m-1"), message("rice", "m-2", exchange=1))
        changes = [
            LoggedChange("ADD", None, ("a", 1), None, "new", "Ana likes tea", "model", "hash"),
            LoggedChange("DELETE", "correction", None, ("b", 2), "never so", "not Lyon"),
            LoggedChange("NOOP", None, None, None, "", "again"),
        ]
        store.commit(
            ChangeSet(
                ANA, row.id, exchange=0, log=tuple(changes[:2]), usage=Usage(llm_calls=2), warnings=(Warning("a", "b"),)
            )
        )
        store.commit(
            ChangeSet(ANA, row.id, exchange=1, log=tuple(changes[2:]), usage=Usage(llm_calls=1), finishes="done")
        )

        row = store.operation("acme", row.id)

        assert row.log == tuple(changes)
        assert (row.usage, row.warnings, row.status) == (Usage(llm_calls=3), (Warning("a", "b"),), "done")
        assert row.finished_at is not None

    def test_jobs_are_enqueued_with_their_change_set_or_not_at_all(self, store: Store, writer: Writer) -> None:
        job = NewJob("summary", "ana", {"n": 1}, SAID)
        writer.add(version("one", "a"), jobs=(job,))
        with pytest.raises(Conflict):
            writer.add(closed=(Closing("gone", 1),), jobs=(NewJob("summary", "bo", {}, SAID),))

        assert [(row.kind, row.key, row.payload) for row in store.jobs()] == [("summary", "ana", {"n": 1})]

    def test_sources_count_as_evidence_and_show_the_callers_id(self, store: Store, writer: Writer) -> None:
        writer.begin(message("I like tea", "m-1", external_id="x-1"), message("Tea again", "m-2", at=SAID + DAY))
        writer.add(
            version("Ana likes tea", "a"),
            sources=(source("a", "m-2", "Tea again", SAID + DAY), source("a", "m-1", "I like tea")),
        )
        writer.add(sources=(source("a", None, "given", SAID - DAY),))

        record = store.memory("acme", "a")

        assert record.sources == (
            Source(None, "given", SAID - DAY),
            Source("x-1", "I like tea", SAID),
            Source("m-2", "Tea again", SAID + DAY),
        )
        assert record.evidence_count == 3

    def test_supersession_is_linked_both_ways(self, store: Store, writer: Writer) -> None:
        writer.add(version("Ana lives in Lyon", "a"), version("Ana lives in Nice", "b"))
        links = (Link("c", "a"), Link("c", "b"))
        writer.add(version("Ana lives in Paris", "c"), closed=(Closing("a", 1), Closing("b", 1)), links=links)

        assert store.memory("acme", "c").supersedes == ("a", "b")
        assert store.memory("acme", "a").superseded_by == "c"
        assert store.memory("acme", "b").superseded_by == "c"

    def test_a_source_or_link_of_a_memory_that_is_gone_is_a_conflict(self, store: Store, writer: Writer) -> None:
        writer.add(version("one", "a"))
        writer.retract("a")

        with pytest.raises(Conflict):
            writer.add(sources=(source("a", None),))
        with pytest.raises(Conflict):
            writer.add(version("two", "b"), links=(Link("b", "gone"),))

        assert store.memory("acme", "a").evidence_count == 0
        assert store.stats(ANA).memories == 0

    def test_an_erased_memory_is_gone_with_its_sources_and_links(self, store: Store, writer: Writer) -> None:
        writer.add(version("one tea", "a", embedding=vector(1)), version("two", "b"), sources=(source("a", None),))
        writer.replace(version("one tea", "a", 2), links=(Link("b", "a"),))
        before = texts(store, select())

        writer.add(erased=("a",))

        assert sorted(before) == ["one tea", "two"]
        assert texts(store, select(validity="all")) == ["two"]
        assert store.memory("acme", "b").supersedes == ()
        for call in (lambda: store.memory("acme", "a"), lambda: store.versions("acme", "a")):
            with pytest.raises(PerdureError, match="'a'"):
                call()
        writer.add(version("one again", "a"))
        assert store.memory("acme", "a").evidence_count == 0
        with pytest.raises(Conflict):
            writer.add(erased=("gone",))

    # -- decided on an older version

    def test_collides_is_asked_about_what_was_recorded_since(self, store: Store, writer: Writer) -> None:
        writer.add(version("before", "a"))
        read = partition_version(store)
        writer.add(version("since", "b", embedding=vector(1, 1)), version("retired since", "c"))
        writer.retract("c")
        writer.begin(message("tea", "m-1"))
        asked: list[tuple[MemoryRecord, FloatArray | None]] = []

        writer.store.commit(
            ChangeSet(ANA, "op-new", operation=writer.operation(id="op-new"), read_version=read),
            collides=lambda rows: asked.extend(rows) or False,  # type: ignore[func-returns-value]
        )

        ((record, held),) = asked
        assert record.text == "since"
        assert held is not None
        assert np.allclose(held, vector(1, 1), atol=1e-3)

    def test_a_collision_is_a_conflict_and_writes_nothing(self, store: Store, writer: Writer) -> None:
        read = partition_version(store)
        writer.add(version("since", "a"))
        before = store.stats(ANA), partition_version(store)

        with pytest.raises(Conflict):
            store.commit(
                ChangeSet(
                    ANA, "op-x", operation=writer.operation(id="op-x"), read_version=read, opened=(version("b", "b"),)
                ),
                collides=_always,
            )

        assert (store.stats(ANA), partition_version(store)) == before

    @pytest.mark.parametrize("write", ["nothing", "messages", "elsewhere"])
    def test_collides_is_not_asked_when_no_memory_came_since(self, store: Store, writer: Writer, write: str) -> None:
        writer.add(version("before", "a"))
        read = partition_version(store)
        bo = Scope("acme", user="bo")
        if write == "messages":
            writer.begin(message("tea", "m-1"))
        if write == "elsewhere":
            writer.add(version("bo's", "b", scope=bo), scope=bo)

        store.commit(
            ChangeSet(
                ANA, "op-x", operation=writer.operation(id="op-x"), read_version=read, opened=(version("c", "c"),)
            ),
            collides=_never,
        )
        store.commit(ChangeSet(ANA, "op-y", operation=writer.operation(id="op-y")), collides=_never)

        assert store.memory("acme", "c").version == 1

    def test_a_vector_is_kept_to_half_precision(self, store: Store, writer: Writer) -> None:
        given = vector(0.1, 0.2, 0.3, 0.4)
        held: list[tuple[MemoryRecord, FloatArray | None]] = []
        writer.add(version("one", "a", embedding=given))

        store.commit(
            ChangeSet(ANA, "op-x", operation=writer.operation(id="op-x"), read_version=0),
            collides=lambda rows: held.extend(rows) or False,  # type: ignore[func-returns-value]
        )

        ((_, kept),) = held
        assert kept is not None
        assert kept.dtype == np.float32
        assert np.array_equal(kept, given.astype(np.float16).astype(np.float32))


def _always(_: object) -> bool:
    return True


def _never(_: object) -> bool:
    raise AssertionError("collides was asked")
