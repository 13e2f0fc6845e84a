"""What begin, finish and the reads of operations and messages promise."""

from __future__ import annotations

from typing import Any

import pytest

from perdure.errors import Conflict, InputError, NotFound, SettingsError
from perdure.models import ChangeSet, Scope, Usage, Warning
from perdure.ports import Store
from perdure.testing.store.writer import ANA, DAY, MODEL, SAID, StoreFixtures, Writer, ids_of, message, vector


class BeginContract(StoreFixtures):
    """Operations, exchanges and messages."""

    def test_a_store_bound_to_an_embedder_refuses_another(self, store: Store) -> None:
        store.claim_embedder(MODEL, 4)

        store.claim_embedder(MODEL, 4)
        with pytest.raises(SettingsError, match="embed"):
            store.claim_embedder(MODEL, 8)
        with pytest.raises(SettingsError, match="other-4"):
            store.claim_embedder("other-4", 4)

    def test_a_vector_before_any_embedder_or_of_another_length_is_refused(self, store: Store, clock: object) -> None:
        writer = Writer(store, clock)  # type: ignore[arg-type]

        with pytest.raises(SettingsError, match="claim_embedder"):
            writer.begin(message("tea", "m-1", embedding=vector(1)))
        store.claim_embedder(MODEL, 3)
        with pytest.raises(InputError, match="dimensions"):
            writer.begin(message("tea", "m-1", embedding=vector(1)))

        assert store.messages(ANA).total == 0

    def test_begin_keeps_messages_by_exchange_in_order(self, store: Store, writer: Writer) -> None:
        row, exchanges = writer.begin(
            message("I like tea.", "m-1", name="Ana", metadata={"n": [1, None]}),
            message("Noted.", "m-2", role="assistant", origin="assistant"),
            message("I live in Lyon.", "m-3", exchange=1, external_id="x-3", at=SAID + DAY),
        )

        assert (row.status, row.exchanges, row.finished_at) == ("pending", 2, None)
        assert [[m.id for m in exchange.messages] for exchange in exchanges] == [["m-1", "m-2"], ["m-3"]]
        assert [(e.number, e.operation_id, e.scope, e.is_done) for e in exchanges] == [
            (0, row.id, ANA, False),
            (1, row.id, ANA, False),
        ]
        first = exchanges[0].messages[0]
        assert (first.speaker, first.content, first.at, first.user) == ("Ana", "I like tea.", SAID, "ana")
        assert first.metadata == {"n": [1, None]}
        assert store.exchanges("acme", row.id) == exchanges
        assert store.operation("acme", row.id) == row

    def test_order_rises_within_a_partition(self, store: Store, writer: Writer) -> None:
        writer.begin(message("one", "m-1"), message("two", "m-2"))
        writer.begin(message("three", "m-3"), scope=Scope("acme", user="ana", run="r"))

        orders = [record.order for record in store.messages(ANA).items]

        assert orders == sorted(set(orders))
        assert len(orders) == 3

    def test_an_operation_that_begins_as_done_has_its_exchanges_done(self, store: Store, writer: Writer) -> None:
        usage = Usage(embedded_texts=2)
        row, exchanges = store.begin(
            writer.operation(), [message("tea", "m-1")], status="done", warnings=[Warning("w", "d")], usage=usage
        )

        assert (row.status, row.finished_at, row.warnings, row.usage) == ("done", row.at, (Warning("w", "d"),), usage)
        assert [exchange.is_done for exchange in exchanges] == [True]
        assert store.count_exchanges(ANA) == 1

    def test_the_same_message_again_is_left_out_with_a_warning(self, store: Store, writer: Writer) -> None:
        writer.begin(message("tea", "m-1", external_id="x"))

        row, exchanges = writer.begin(
            message("tea", "m-2", external_id="x"),
            message("coffee", "m-3", exchange=1, external_id="y"),
            message("coffee", "m-4", exchange=2, external_id="y"),
        )

        assert [(w.code, w.item) for w in row.warnings] == [("duplicate_message", "x"), ("duplicate_message", "y")]
        assert (row.exchanges, [exchange.number for exchange in exchanges]) == (1, [1])
        assert ids_of(store.messages(ANA).items) == ["m-1", "m-3"]

    @pytest.mark.parametrize("change", [{"content": "two"}, {"role": "assistant"}, {"name": "Bo"}, {"at": SAID + DAY}])
    def test_a_known_message_id_with_other_content_is_a_conflict(
        self, store: Store, writer: Writer, change: dict[str, Any]
    ) -> None:
        writer.begin(message("one", "m-1", external_id="x"))
        before = store.stats(ANA)

        with pytest.raises(Conflict, match="'x'"):
            writer.begin(
                message("new", "m-2"), message(**{"content": "one", "id": "m-3", "external_id": "x", **change})
            )

        assert store.stats(ANA) == before

    def test_message_ids_of_two_partitions_do_not_meet(self, store: Store, writer: Writer) -> None:
        writer.begin(message("one", "m-1", external_id="x"))
        writer.begin(message("two", "m-2", external_id="x"), scope=Scope("acme", user="bo"))
        writer.begin(message("three", "m-1", external_id="x"), scope=Scope("other", user="ana"))

        assert store.message("acme", "x", scope=ANA).content == "one"
        assert store.message("acme", "x", scope=Scope("acme", user="bo")).content == "two"
        assert store.message("other", "m-1").content == "three"

    def test_an_external_id_of_several_owners_is_refused_until_one_is_named(self, store: Store, writer: Writer) -> None:
        for user in ("ana", "bo"):
            writer.begin(message(user, f"m-{user}", external_id="x"), scope=Scope("acme", user=user, agent="bot"))

        with pytest.raises(InputError, match="name the user too"):
            store.message("acme", "x", scope=Scope("acme", agent="bot"))
        assert store.message("acme", "x", scope=Scope("acme", user="bo", agent="bot")).content == "bo"
        assert store.message("acme", "m-ana", scope=Scope("acme", agent="bot")).content == "ana"

    def test_a_key_seen_before_returns_what_was_stored(self, store: Store, writer: Writer) -> None:
        row, _ = writer.begin(message("tea", "m-1"), message("rice", "m-2", exchange=1), key="k", payload_hash="h")
        store.commit(ChangeSet(ANA, row.id, exchange=0))

        again, exchanges = writer.begin(message("tea", "m-3"), key="k", payload_hash="h")

        assert again == row
        assert [(ids_of(e.messages), e.is_done) for e in exchanges] == [(["m-1"], True), (["m-2"], False)]
        assert store.messages(ANA).total == 2
        assert store.operations(ANA).total == 1

    def test_a_key_with_another_payload_is_a_conflict(self, store: Store, writer: Writer) -> None:
        writer.begin(message("tea", "m-1"), key="k", payload_hash="h")

        with pytest.raises(Conflict, match="'k'"):
            writer.begin(message("rice", "m-2"), key="k", payload_hash="other")
        writer.begin(message("rice", "m-2"), scope=Scope("acme", user="bo"), key="k", payload_hash="other")

        assert store.messages(ANA).total == 1

    def test_an_operation_id_is_used_once(self, store: Store, writer: Writer) -> None:
        operation = writer.operation()
        store.begin(operation, [message("tea", "m-1")])

        with pytest.raises(Conflict):
            store.begin(operation, [message("rice", "m-2")])

        assert store.messages(ANA).total == 1

    def test_a_scope_that_names_nobody_cannot_write(self, writer: Writer) -> None:
        with pytest.raises(InputError, match="names nobody"):
            writer.begin(message("tea", "m-1"), scope=Scope("acme"))

    def test_finish_adds_warnings_and_usage(self, store: Store, writer: Writer) -> None:
        row, _ = writer.begin(message("tea", "m-1"))
        writer.clock.move(DAY)

        store.finish("acme", row.id, "partial", warnings=[Warning("a", "b", "c")], usage=Usage(llm_calls=2, ms=1.5))
        row = store.finish("acme", row.id, "done", warnings=[Warning("d", "e")], usage=Usage(llm_calls=1))

        assert (row.status, row.finished_at) == ("done", writer.clock.now())
        assert row.warnings == (Warning("a", "b", "c"), Warning("d", "e"))
        assert row.usage == Usage(llm_calls=3, ms=1.5)
        assert store.operation("acme", row.id) == row

    def test_unknown_ids_are_not_found(self, store: Store, writer: Writer) -> None:
        row, _ = writer.begin(message("tea", "m-1"))

        for call in (
            lambda: store.operation("acme", "op-9"),
            lambda: store.operation("other", row.id),
            lambda: store.exchanges("acme", "op-9"),
            lambda: store.finish("acme", "op-9", "done"),
            lambda: store.message("acme", "m-9"),
            lambda: store.message("other", "m-1"),
            lambda: store.message("acme", "m-1", scope=Scope("acme", user="bo")),
            lambda: store.commit(ChangeSet(ANA, "op-9")),
            lambda: store.commit(ChangeSet(ANA, row.id, exchange=7)),
        ):
            with pytest.raises(NotFound):
                call()

    def test_operations_are_listed_newest_first_in_pages(self, store: Store, writer: Writer) -> None:
        for number in range(5):
            writer.begin(message("tea", f"m-{number}"), scope=Scope("acme", user="ana", run=f"r{number % 2}"))
        writer.begin(message("tea", "m-9"), scope=Scope("acme", user="bo"))

        first = store.operations(ANA, limit=2)
        second = store.operations(ANA, limit=2, cursor=first.cursor)
        third = store.operations(ANA, limit=2, cursor=second.cursor)

        assert [ids_of(page.items) for page in (first, second, third)] == [["op-5", "op-4"], ["op-3", "op-2"], ["op-1"]]
        assert (first.total, third.total, third.cursor) == (5, 5, None)
        assert ids_of(store.operations(Scope("acme", user="ana", run="r1")).items) == ["op-4", "op-2"]

    def test_messages_are_paged_in_order_and_last_keeps_the_newest(self, store: Store, writer: Writer) -> None:
        for number in range(5):
            writer.begin(message(f"tea {number}", f"m-{number}", at=SAID - number * DAY))

        page = store.messages(ANA, limit=3)
        rest = store.messages(ANA, limit=3, cursor=page.cursor)
        newest = store.messages(ANA, last=2)

        assert (ids_of(page.items), page.total) == (["m-0", "m-1", "m-2"], 5)
        assert (ids_of(rest.items), rest.cursor) == (["m-3", "m-4"], None)
        assert (ids_of(newest.items), newest.total) == (["m-3", "m-4"], 2)
        with pytest.raises(InputError, match="cursor"):
            store.messages(ANA, cursor="nonsense")
        with pytest.raises(InputError, match="limit"):
            store.messages(ANA, limit=0)

    def test_messages_of_an_agent_span_its_users(self, store: Store, writer: Writer) -> None:
        writer.begin(message("one", "m-1"), scope=Scope("acme", user="ana", agent="cook"))
        writer.begin(message("two", "m-2"), scope=Scope("acme", user="bo", agent="cook"))
        writer.begin(message("three", "m-3"), scope=Scope("acme", user="bo", agent="tutor"))
        writer.begin(message("four", "m-4"), scope=Scope("acme", agent="cook"))

        assert ids_of(store.messages(Scope("acme", agent="cook")).items) == ["m-1", "m-2", "m-4"]
        assert ids_of(store.messages(Scope("acme", user="bo")).items) == ["m-2", "m-3"]

    def test_the_window_is_of_exactly_the_scope_tuple(self, store: Store, writer: Writer) -> None:
        run = Scope("acme", user="ana", run="r")
        writer.begin(message("one", "m-1"), scope=run)
        writer.begin(message("other run", "m-2"))
        _, exchanges = writer.begin(message("two", "m-3"), message("three", "m-4"), scope=run)
        last = exchanges[0].messages[-1]

        assert ids_of(store.window(run, before=last.order, size=10)) == ["m-1", "m-3"]
        assert ids_of(store.window(run, before=last.order, size=1)) == ["m-3"]
        assert store.window(run, before=last.order, size=0) == []
        assert ids_of(store.window(ANA, before=last.order, size=10)) == ["m-2"]

    def test_done_exchanges_are_counted_by_the_whole_scope_tuple(self, store: Store, writer: Writer) -> None:
        run = Scope("acme", user="ana", run="r")
        row, _ = writer.begin(message("one", "m-1"), message("two", "m-2", exchange=1), scope=run)

        store.commit(ChangeSet(run, row.id, exchange=1))

        assert (store.count_exchanges(run), store.count_exchanges(ANA)) == (1, 0)

    def test_what_is_returned_is_a_copy(self, store: Store, writer: Writer) -> None:
        given: dict[str, object] = {"tags": ["a"]}
        writer.begin(message("tea", "m-1", metadata=given))
        given["tags"] = "changed"

        store.message("acme", "m-1").metadata["tags"].append("b")

        assert store.message("acme", "m-1").metadata == {"tags": ["a"]}
