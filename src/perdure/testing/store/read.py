"""What reads of memories promise: times, scopes, filters, order and pages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from perdure.errors import InputError, NotFound
from perdure.models import Closing, Link, Probe, Scope
from perdure.ports import ListOrder, Store
from perdure.testing.store.writer import (
    ANA,
    DAY,
    SAID,
    StoreFixtures,
    Writer,
    ids_of,
    message,
    select,
    source,
    texts,
    version,
)
from perdure.where import parse


class ReadContract(StoreFixtures):
    """Reads by id and listings."""

    def test_known_at_before_a_change_returns_what_was_returned_then(self, store: Store, writer: Writer) -> None:
        writer.begin(message("tea", "m-1"))
        writer.add(version("Ana lives in Lyon", "a"), version("Ana likes tea", "b"), sources=(source("a", "m-1", "q"),))
        then = store.memory("acme", "a")
        listed = store.memories(select()).items
        known_at = then.recorded_at

        writer.clock.move(DAY)
        writer.add(sources=(source("a", "m-1", "again"),))
        writer.replace(version("Ana lives in Lyon, by the river", "a", 2))
        writer.add(version("Ana lives in Paris", "c"), closed=(Closing("a", 2),), links=(Link("c", "a"),))

        assert store.memory("acme", "a", known_at=known_at) == then
        assert store.memories(select(known_at=known_at, as_of=SAID + DAY)).items == listed

    def test_each_version_keeps_the_evidence_it_had(self, store: Store, writer: Writer) -> None:
        writer.add(version("one", "a"), sources=(source("a", None, "first"),))
        writer.replace(version("two", "a", 2), sources=(source("a", None, "second"),))
        writer.add(version("other", "b"), closed=(Closing("a", 2),), links=(Link("b", "a"),))

        old, new = store.versions("acme", "a")

        assert [(s.quote, old.superseded_by) for s in old.sources] == [("first", None)]
        assert [(s.quote, new.superseded_by) for s in new.sources] == [("first", "b"), ("second", "b")]
        assert store.memory("acme", "a") == new

    def test_a_memory_is_not_found_where_it_was_not_held(self, store: Store, writer: Writer) -> None:
        done = writer.add(version("one", "a", valid_from=SAID, valid_to=SAID + DAY))
        gone = writer.retract("a")

        assert store.memory("acme", "a", known_at=done.recorded_at).retired_at is None
        assert store.memory("acme", "a", as_of=SAID).text == "one"
        for times in (
            {"known_at": done.recorded_at - DAY},
            {"known_at": gone.recorded_at},
            {"as_of": SAID - DAY},
            {"as_of": SAID + DAY},
        ):
            with pytest.raises(NotFound):
                store.memory("acme", "a", **times)
        for tenant, id in (("other", "a"), ("acme", "b")):
            with pytest.raises(NotFound):
                store.memory(tenant, id)
            with pytest.raises(NotFound):
                store.versions(tenant, id)

    def test_the_default_view_is_what_has_not_ended(self, store: Store, writer: Writer) -> None:
        now = SAID + 60 * DAY
        writer.add(
            version("holds", "a"),
            version("ended", "b", valid_to=now),
            version("ends later", "c", valid_to=now + DAY),
            version("planned", "d", valid_from=now + DAY),
            version("unknown start", "e", valid_from=None),
            version("expired", "f", expires_at=now),
            version("retracted", "g"),
        )
        writer.retract("g")

        assert texts(store, select(now=now)) == ["holds", "ends later", "planned", "unknown start"]
        assert texts(store, select(now=now, validity="ended")) == ["ended"]
        assert texts(store, select(now=now, validity="all")) == [
            "holds",
            "ended",
            "ends later",
            "planned",
            "unknown start",
        ]

    def test_as_of_sees_the_intervals_that_contain_it(self, store: Store, writer: Writer) -> None:
        writer.add(
            version("first", "a", valid_from=SAID, valid_to=SAID + DAY),
            version("second", "b", valid_from=SAID + DAY),
            version("always", "c", valid_from=None),
            version("expires", "d", expires_at=SAID + DAY),
        )

        assert texts(store, select(as_of=SAID)) == ["first", "always", "expires"]
        assert texts(store, select(as_of=SAID + DAY)) == ["second", "always"]
        assert texts(store, select(as_of=SAID - DAY)) == ["always"]
        assert texts(store, select(as_of=SAID + DAY, validity="ended")) == ["first"]
        assert texts(store, select(as_of=SAID, validity="all")) == ["first", "always", "expires"]

    def test_known_at_alone_implies_the_same_as_of(self, store: Store, writer: Writer) -> None:
        done = writer.add(
            version("ended by then", "a", valid_to=writer.clock.now()),
            version("planned", "b", valid_from=SAID + 99 * DAY),
            version("holds", "c"),
        )

        assert texts(store, select(known_at=done.recorded_at)) == ["holds"]
        assert texts(store, select(known_at=done.recorded_at, as_of=SAID)) == ["ended by then", "holds"]
        assert texts(store, select(known_at=done.recorded_at - DAY)) == []

    def test_a_named_id_must_be_equal_and_an_unnamed_one_is_free(self, store: Store, writer: Writer) -> None:
        scopes = {
            "u": Scope("acme", user="ana"),
            "ua": Scope("acme", user="ana", agent="cook"),
            "uar": Scope("acme", user="ana", agent="cook", run="r"),
            "bo": Scope("acme", user="bo", agent="cook"),
            "a": Scope("acme", agent="cook"),
            "r": Scope("acme", run="r"),
            "t": Scope("other", user="ana", agent="cook", run="r"),
        }
        for name, scope in scopes.items():
            writer.add(version(name, name, scope=scope), scope=scope)

        assert texts(store, select(scopes["u"])) == ["u", "ua", "uar"]
        assert texts(store, select(scopes["ua"])) == ["ua", "uar"]
        assert sorted(texts(store, select(scopes["a"]))) == ["a", "bo", "ua", "uar"]
        assert sorted(texts(store, select(scopes["r"]))) == ["r", "uar"]
        assert texts(store, select(Scope("acme", agent="cook", run="r"))) == ["uar"]
        assert texts(store, select(scopes["a"], within=scopes["bo"].owner)) == ["bo"]
        assert texts(store, select(scopes["t"])) == ["t"]
        assert texts(store, select(Scope("acme", user="nobody"))) == []

    def test_a_selection_names_somebody_of_its_own_tenant(self, store: Store, writer: Writer) -> None:
        writer.add(version("one", "a"))

        assert texts(store, select(Scope("acme"), within=ANA.owner)) == ["one"]
        with pytest.raises(InputError, match="names nobody"):
            store.memories(select(Scope("acme")))
        with pytest.raises(InputError, match="tenant"):
            store.memories(select(Scope("other"), within=ANA.owner))

    @pytest.mark.parametrize(
        ("order", "expected"),
        [
            ("recorded", ["b", "c", "a", "d"]),
            ("-recorded", ["d", "a", "b", "c"]),
            ("valid", ["c", "a", "d", "b"]),
            ("-valid", ["b", "a", "d", "c"]),
        ],
    )
    def test_every_order_is_total_and_pages_join(
        self, store: Store, writer: Writer, order: ListOrder, expected: list[str]
    ) -> None:
        writer.add(version("c", "c", valid_from=None), version("b", "b", valid_from=SAID + 2 * DAY))
        writer.add(version("a", "a", valid_from=SAID))
        writer.add(version("d", "d", valid_from=SAID))

        pages = [store.memories(select(), order=order, limit=3)]
        pages.append(store.memories(select(), order=order, limit=3, cursor=pages[0].cursor))

        assert [id for page in pages for id in ids_of(page.items)] == expected
        assert [page.total for page in pages] == [4, 4]
        assert pages[1].cursor is None

    def test_a_cursor_belongs_to_its_listing(self, store: Store, writer: Writer) -> None:
        writer.add(version("a", "a"), version("b", "b"))
        cursor = store.memories(select(), limit=1).cursor

        for wrong in ("", "x", "%%%", cursor):
            with pytest.raises(InputError, match="cursor"):
                store.memories(select(), order="-valid", cursor=wrong)
        with pytest.raises(InputError, match="limit"):
            store.memories(select(), limit=0)

    def test_a_cursor_of_one_scope_is_refused_in_another(self, store: Store, writer: Writer) -> None:
        """A position in another's listing would leave out rows in silence."""
        ana, ben = Scope("acme", user="ana", agent="bot"), Scope("acme", user="ben", agent="bot")
        for who in (ana, ben):
            for n in (1, 2):
                writer.add(version("x", f"{who.user}-{n}", scope=who), scope=who)
                writer.begin(message("x", f"m-{who.user}-{n}"), scope=who)
        memories = store.memories(select(ana), limit=1).cursor
        messages = store.messages(ana, limit=1).cursor
        operations = store.operations(ana, limit=1).cursor
        assert None not in (memories, messages, operations)

        with pytest.raises(InputError, match="same scope"):
            store.memories(select(ben), cursor=memories)
        with pytest.raises(InputError, match="same scope"):
            store.memories(select(ana, validity="all"), cursor=memories)
        with pytest.raises(InputError, match="same scope"):
            store.messages(ben, cursor=messages)
        with pytest.raises(InputError, match="same scope"):
            store.operations(ben, cursor=operations)

    @pytest.mark.parametrize(
        ("filter", "expected"),
        [
            ({"kind": "event"}, ["b"]),
            ({"metadata.n": {"gte": 2}}, ["b", "c"]),
            ({"NOT": {"metadata.n": 2}}, ["a", "c"]),
            ({"entities": "Lyon"}, ["a"]),
            ({"evidence_count": {"gt": 0}}, ["b"]),
            ({"superseded_by": {"exists": True}}, []),
            ({"supersedes": "z"}, ["c"]),
            ({"text": {"icontains": "STRASSE"}}, ["a"]),
            ({"run": "r"}, ["c"]),
            ({"updated_at": {"lt": datetime(2024, 1, 1, tzinfo=UTC)}}, []),
            ({"retired_at": None}, ["a", "b", "c"]),
            ({"role": {"exists": False}}, ["a", "b", "c"]),
        ],
    )
    def test_where_narrows(self, store: Store, writer: Writer, filter: dict[str, object], expected: list[str]) -> None:
        run = Scope("acme", user="ana", run="r")
        writer.add(version("z", "z"))
        writer.add(
            version("Hauptstraße", "a", entities=("Lyon", "Ana"), metadata={"n": "2"}),
            version("b", "b", kind="event", metadata={"n": 2}),
            version("c", "c", scope=run, metadata={"n": 3}),
            sources=(source("b", None),),
            links=(Link("c", "z"),),
            closed=(Closing("z", 1),),
        )

        assert texts_by_id(store, filter) == expected

    def test_stats_count_what_is_current_ended_and_retracted(self, store: Store, writer: Writer) -> None:
        now = writer.clock.now()
        writer.begin(message("tea", "m-1"))
        writer.add(
            version("a", "a"), version("b", "b", valid_to=now), version("c", "c", expires_at=now), version("d", "d")
        )
        writer.retract("d")
        writer.replace(version("a2", "a", 2))
        bo = Scope("acme", user="bo")
        writer.add(version("e", "e", scope=bo), scope=bo)

        ana, whole = store.stats(ANA), store.stats(Scope("acme"))

        assert (ana.memories, ana.ended, ana.retracted, ana.messages, ana.operations) == (1, 2, 1, 1, 4)
        assert (whole.memories, whole.partitions, whole.operations) == (2, 2, 5)
        assert (ana.embedder, ana.dimensions) == ("contract-4", 4)
        assert store.stats(Scope("other", user="ana")).memories == 0

    def test_load_memories_keeps_order_and_leaves_gaps(self, store: Store, writer: Writer) -> None:
        writer.add(version("a", "a"), version("b", "b"))
        ranked = store.rank("memory", select(), [Probe(None, {"a": 1, "b": 1})], limit=10)[0]
        refs = sorted(ranked.rankings[0].scores)
        writer.add(erased=("a",))

        loaded = store.load_memories([refs[1], 7, refs[0], refs[1]])

        assert [record and record.id for record in loaded] == ["b", None, None, "b"]

    def test_a_message_is_outdated_when_nothing_drawn_from_it_holds(self, store: Store, writer: Writer) -> None:
        writer.begin(*(message(f"said {id}", id, external_id=id) for id in ("ended", "half", "retracted", "plain")))
        writer.add(
            version("one", "a"), version("two", "b"), version("three", "c"), version("four", "d"),
            sources=(source("a", "ended"), source("b", "half"), source("c", "half"), source("d", "retracted")),
        )  # fmt: skip
        writer.replace(version("one", "a", 2, valid_to=SAID + DAY))
        writer.replace(version("two", "b", 2, valid_to=SAID + DAY))
        writer.retract("d")
        ranked = store.rank("message", select(), [Probe(None, {"said": 1})], limit=10)[0]
        refs = [ref for ranking in ranked.rankings for ref in ranking.scores]
        records = store.load_messages(refs)

        flags = dict(zip((r.id for r in records if r), store.outdated(refs, at=SAID + 2 * DAY), strict=True))

        assert flags == {"ended": True, "half": False, "retracted": True, "plain": False}
        assert store.outdated(refs, at=SAID).count(True) == 1  # before the ends only the retracted one


def texts_by_id(store: Store, filter: dict[str, object]) -> list[str]:
    """Return the ids that a filter leaves, sorted."""
    return sorted(ids_of(store.memories(select(where=parse(filter))).items))
