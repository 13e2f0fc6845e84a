"""What export and import promise: everything, in order, and nothing twice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from perdure.errors import Conflict, InputError
from perdure.models import ChangeSet, Link, LoggedChange, NewJob, Probe, Scope, Summary, Usage, Warning
from perdure.ports import Store
from perdure.testing.store.writer import (
    ANA,
    DAY,
    DIMENSIONS,
    MODEL,
    SAID,
    StoreFixtures,
    Writer,
    found,
    message,
    select,
    source,
    texts,
    vector,
    version,
)

WHOLE = Scope("acme")
RUN = Scope("acme", user="bo", run="r")


class TransferContract(StoreFixtures):
    """Export and import."""

    def fill(self, store: Store, writer: Writer) -> None:
        """Write one of everything."""
        row, _ = writer.begin(
            message("tea", "m-1", external_id="x", embedding=vector(1)), message("rice", "m-2", exchange=1, name="Ana"),
            key="k", payload_hash="h", arguments={"kind": "fact"}, actor="tester",
        )  # fmt: skip
        log = (LoggedChange("ADD", None, ("a", 1), None, "new", "tea", "model", "hash"),)
        store.commit(
            ChangeSet(
                ANA, row.id, exchange=0, opened=(version("Ana likes tea", "a", embedding=vector(1)),),
                sources=(source("a", "m-1", "tea"),), log=log, warnings=(Warning("w", "detail", "item"),),
                usage=Usage(1, 2, 3, 4, 5.5),
            )
        )  # fmt: skip
        writer.replace(version("Ana likes green tea", "a", 2, embedding=vector(1, 1), metadata={"x": [1, None]}))
        writer.add(version("Ana likes rice", "b", categories=("food",)), links=(Link("b", "a"),))
        writer.retract("b")
        writer.add(version("Bo runs", "c", scope=RUN), scope=RUN)
        store.set_summary(ANA, Summary("About tea.", SAID, 2))
        store.add_job("acme", NewJob("summary", "ana", {"user": "ana"}, SAID))

    def lines(self, store: Store, scope: Scope = WHOLE, **options: Any) -> list[dict[str, Any]]:
        return [json.loads(json.dumps(line)) for line in store.export(scope, **options)]

    def test_an_export_holds_everything_of_the_tenant_and_nothing_of_another(
        self, store: Store, writer: Writer
    ) -> None:
        self.fill(store, writer)
        writer.add(version("other tenant's", "z", scope=Scope("other", user="ana")), scope=Scope("other", user="ana"))

        lines = self.lines(store)

        assert lines[0] == {"type": "perdure-export", "version": 1, "embedder": MODEL, "dimensions": DIMENSIONS}
        count = {name: sum(line["type"] == name for line in lines) for name in {line["type"] for line in lines[1:]}}
        assert count == {
            "partition": 2, "operation": 5, "message": 2, "memory": 4, "source": 1, "link": 1, "summary": 1, "job": 1
        }  # fmt: skip
        assert "other tenant" not in json.dumps(lines)

    def test_exporting_an_import_gives_the_lines_back(self, store: Store, writer: Writer) -> None:
        self.fill(store, writer)
        lines = self.lines(store)

        counts = store.import_("copy", lines)

        assert counts["memory"] == 4
        assert self.lines(store, Scope("copy")) == lines
        there, here = Scope("copy", user="ana"), ANA
        assert store.memory("copy", "a") == store.memory("acme", "a")
        assert store.versions("copy", "b") == store.versions("acme", "b")
        assert store.summary(there) == store.summary(here)
        assert store.messages(there) == store.messages(here)
        for channel in ("dense", "sparse"):
            probe = Probe(vector(1), {"tea": 1, "like": 1})
            assert found(store, select(there), probe, channel=channel) == found(
                store, select(here), probe, channel=channel
            )

    def test_importing_twice_brings_nothing_twice(self, store: Store, writer: Writer) -> None:
        self.fill(store, writer)
        lines = self.lines(store)
        store.import_("copy", lines)

        counts = store.import_("copy", lines)

        assert set(counts.values()) == {0}
        assert self.lines(store, Scope("copy")) == lines

    def test_rows_stand_behind_those_that_are_there(self, store: Store, writer: Writer) -> None:
        self.fill(store, writer)
        there = Scope("copy", user="ana")
        writer.begin(message("coffee", "m-9"), scope=there)
        writer.add(version("Ana likes coffee", "z", scope=there), scope=there)

        store.import_("copy", self.lines(store))

        assert [m.id for m in store.messages(there).items] == ["m-9", "m-1", "m-2"]
        assert texts(store, select(there)) == ["Ana likes coffee", "Ana likes green tea"]
        after = writer.add(version("Ana likes cake", "y", scope=there), scope=there)
        assert after.recorded_at > store.memory("copy", "a").recorded_at

    def test_what_was_closed_since_the_last_import_is_closed(self, store: Store, writer: Writer) -> None:
        writer.add(version("Ana lives in Lyon", "a"))
        store.import_("copy", self.lines(store))
        there = Scope("copy", user="ana")
        assert found(store, select(there), Probe(None, {"lyon": 1}), channel="sparse")
        writer.retract("a")

        store.import_("copy", self.lines(store))

        assert store.memory("copy", "a").retired_at == store.memory("acme", "a").retired_at
        assert found(store, select(there), Probe(None, {"lyon": 1}), channel="sparse") == []

    def test_a_scope_exports_itself_alone(self, store: Store, writer: Writer) -> None:
        self.fill(store, writer)

        lines = self.lines(store, Scope("acme", run="r"))

        assert [line["type"] for line in lines] == ["perdure-export", "partition", "operation", "memory"]
        assert lines[-1]["text"] == "Bo runs"

    def test_vectors_may_be_left_out(self, store: Store, writer: Writer) -> None:
        self.fill(store, writer)

        assert {line["vector"] for line in self.lines(store, vectors=False) if "vector" in line} == {None}

    def test_an_id_of_another_owner_is_a_conflict_and_nothing_comes(self, store: Store, writer: Writer) -> None:
        self.fill(store, writer)
        lines = self.lines(store)
        before = self.lines(store)
        moved = [
            {**line, "user": "cy"} if line.get("user") == "ana" else line
            for line in lines
            if line["type"] != "operation"
        ]

        with pytest.raises(Conflict, match="owner"):
            store.import_("acme", moved)

        assert self.lines(store) == before

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda lines: lines[:0],
            lambda lines: lines[1:],
            lambda lines: [{**lines[0], "version": 2}, *lines[1:]],
            lambda lines: [*lines, {"type": "poem"}],
            lambda lines: [*lines, {"type": "memory", "id": "z"}],
            lambda lines: [*lines[:-1], {**lines[-1], "due_at": "soon"}],
            lambda lines: [line if line["type"] != "partition" else {**line, "kind": "dog"} for line in lines],
        ],
    )
    def test_a_spoilt_export_is_refused_whole(self, store: Store, writer: Writer, spoil: Any) -> None:
        self.fill(store, writer)

        with pytest.raises(InputError):
            store.import_("copy", spoil(self.lines(store)))

        assert len(self.lines(store, Scope("copy"))) == 1

    def test_expired_names_what_expired_before_a_time(self, store: Store, writer: Writer) -> None:
        writer.add(version("old", "a", expires_at=SAID), version("later", "b", expires_at=SAID + DAY))
        writer.add(version("never", "c"))
        writer.replace(version("renewed", "a", 2, expires_at=SAID + 9 * DAY))

        assert store.expired("acme", SAID + DAY) == []
        assert [record.id for record in store.expired("acme", SAID + 2 * DAY)] == ["b"]
        assert store.expired("other", SAID + 2 * DAY) == []
