"""What erase promises: everything that is named goes, what rests on it goes too, and the rest stays as it was."""

from __future__ import annotations

import pytest

from perdure.errors import Conflict, NotFound
from perdure.models import (
    ChangeSet,
    Closing,
    Erasure,
    ErasureReceipt,
    Link,
    LoggedChange,
    NewJob,
    Probe,
    Scope,
    Summary,
    Warning,
)
from perdure.ports import Store
from perdure.testing.store.writer import (
    ANA,
    DAY,
    SAID,
    StoreFixtures,
    Writer,
    found,
    ids_of,
    message,
    select,
    source,
    texts,
    vector,
    version,
)

RUN = Scope("acme", user="ana", run="r")
BO = Scope("acme", user="bo")


class EraseContract(StoreFixtures):
    """Physical removal."""

    def erase(self, store: Store, writer: Writer, target: Erasure) -> ErasureReceipt:
        return store.erase(writer.operation(target.scope, verb="erase"), target)

    def test_erasing_by_id_takes_every_version_source_and_link(self, store: Store, writer: Writer) -> None:
        writer.add(
            version("one tea", "a", embedding=vector(1)), version("two", "b"), sources=(source("a", None, "tea"),)
        )
        writer.replace(version("one rice", "a", 2, embedding=vector(0, 1)), links=(Link("b", "a"),))

        receipt = self.erase(store, writer, Erasure(ANA, memories=("a",)))

        for call in (store.memory, store.versions):
            with pytest.raises(NotFound):
                call("acme", "a")
        assert texts(store, select(validity="all")) == ["two"]
        assert store.memory("acme", "b").supersedes == ()
        named = {name: number for name, number in receipt.counts.items() if number}
        assert named == {"memories": 1, "versions": 2, "vectors": 2, "sources": 1, "links": 1, "operations": 1}
        assert receipt.at == store.operation("acme", receipt.operation_id).at
        for channel in ("sparse", "dense"):
            assert found(store, select(), Probe(vector(1), {"tea": 1}), channel=channel) in ([], [("two", 0.0)])

    def test_an_unknown_id_erases_nothing(self, store: Store, writer: Writer) -> None:
        writer.add(version("one", "a"))

        with pytest.raises(NotFound, match="gone"):
            self.erase(store, writer, Erasure(ANA, memories=("a", "gone")))

        assert texts(store, select()) == ["one"]
        assert store.operations(ANA).total == 1

    def test_erasing_a_scope_leaves_other_scopes_as_they_were(self, store: Store, writer: Writer) -> None:
        for scope in (ANA, RUN, BO, Scope("other", user="ana")):
            name = f"{scope.tenant}-{scope.user}-{scope.run}"
            writer.begin(message(f"message {name}", f"m-{name}"), scope=scope)
            writer.add(version(f"memory {name}", name, scope=scope), scope=scope)

        self.erase(store, writer, Erasure(RUN))
        assert texts(store, select(ANA)) == ["memory acme-ana-None"]
        self.erase(store, writer, Erasure(ANA))

        assert store.stats(ANA).memories == store.stats(ANA).messages == 0
        assert [row.verb for row in store.operations(ANA).items] == ["erase", "erase"]
        assert texts(store, select(BO)) == ["memory acme-bo-None"]
        assert store.stats(BO).messages == store.stats(Scope("other", user="ana")).messages == 1

    def test_erasing_an_agent_spans_its_users(self, store: Store, writer: Writer) -> None:
        for user in ("ana", "bo"):
            for agent in ("x", "y"):
                scope = Scope("acme", user=user, agent=agent)
                writer.add(version(f"{user} {agent}", f"{user}-{agent}", scope=scope), scope=scope)

        self.erase(store, writer, Erasure(Scope("acme", agent="x")))

        assert [texts(store, select(Scope("acme", user=user))) for user in ("ana", "bo")] == [["ana y"], ["bo y"]]
        assert store.stats(Scope("acme", agent="x")).partitions == 0

    def test_a_fact_goes_with_its_last_source(self, store: Store, writer: Writer) -> None:
        row, _ = writer.begin(
            message("old", "m-1", at=SAID), message("new", "m-2", at=SAID + 9 * DAY, exchange=1)
        )  # fmt: skip
        store.commit(
            ChangeSet(ANA, row.id, exchange=0, opened=(version("old fact", "a"),), sources=(source("a", "m-1"),))
        )
        store.commit(
            ChangeSet(ANA, row.id, exchange=1, opened=(version("new fact", "b"),), sources=(source("b", "m-2"),))
        )

        receipt = self.erase(store, writer, Erasure(ANA, before=SAID + DAY))

        assert texts(store, select()) == ["new fact"]
        assert ids_of(store.messages(ANA).items) == ["m-2"]
        assert (receipt.counts["messages"], receipt.counts["memories"]) == (1, 1)
        assert [exchange.number for exchange in store.exchanges("acme", row.id)] == [1]

    def test_a_version_written_from_an_erased_message_goes_and_the_one_before_holds_again(
        self, store: Store, writer: Writer
    ) -> None:
        row, _ = writer.begin(
            message("kept", "m-1", at=SAID + 9 * DAY), message("secret", "m-2", at=SAID, exchange=1)
        )  # fmt: skip
        store.commit(ChangeSet(ANA, row.id, exchange=0, opened=(version("fact", "a"),), sources=(source("a", "m-1"),)))
        store.commit(
            ChangeSet(
                ANA, row.id, exchange=1, closed=(Closing("a", 1),), opened=(version("fact and secret", "a", 2),),
                sources=(source("a", "m-2", "secret"),),
            )
        )  # fmt: skip

        self.erase(store, writer, Erasure(ANA, before=SAID + DAY))

        (held,) = store.versions("acme", "a")
        assert (held.text, held.retired_at, held.evidence_count) == ("fact", None, 1)
        assert texts(store, select()) == ["fact"]
        assert [name for name, _ in found(store, select(), Probe(None, {"secret": 1}), channel="sparse")] == []

    def test_what_a_staying_message_said_too_is_extracted_again(self, store: Store, writer: Writer) -> None:
        """The text of the memory is the erased message's; the other message attests it in its own words."""
        row, _ = writer.begin(
            message("secret", "m-1", at=SAID), message("the same", "m-2", at=SAID + 9 * DAY, exchange=1)
        )  # fmt: skip
        store.commit(
            ChangeSet(ANA, row.id, exchange=0, opened=(version("secret", "a"),), sources=(source("a", "m-1"),))
        )
        store.commit(ChangeSet(ANA, row.id, exchange=1, sources=(source("a", "m-2"),), finishes="done"))

        receipt = self.erase(store, writer, Erasure(ANA, before=SAID + DAY))

        assert texts(store, select(validity="all")) == []
        assert [(e.number, e.is_done) for e in store.exchanges("acme", row.id)] == [(1, False)]
        assert store.operation("acme", row.id).status == "pending"
        assert store.operation("acme", receipt.operation_id).arguments["again"] == [row.id]

    def test_a_given_fact_is_as_old_as_it_says(self, store: Store, writer: Writer) -> None:
        writer.add(
            version("old", "a"), version("new", "b"), sources=(source("a", None), source("b", None, at=SAID + 9 * DAY))
        )

        self.erase(store, writer, Erasure(ANA, before=SAID + DAY))

        assert texts(store, select()) == ["new"]

    def test_operations_that_stay_no_longer_say_what_is_gone(self, store: Store, writer: Writer) -> None:
        row, _ = writer.begin(
            message("secret", "m-1"), message("plain", "m-2", exchange=1),
            arguments={"instructions": "look for the secret", "expires": None},
        )  # fmt: skip
        log = (
            LoggedChange("ADD", None, ("a", 1), None, "secret reason", "secret"),
            LoggedChange("ADD", None, ("b", 1), None, "plain reason", "plain"),
        )
        said = (Warning("ungrounded", "about the secret", "secret"),)
        opened = (version("secret", "a"), version("plain", "b"))
        store.commit(ChangeSet(ANA, row.id, exchange=0, opened=opened, log=log, warnings=said))

        self.erase(store, writer, Erasure(ANA, memories=("a",)))

        held = store.operation("acme", row.id)
        assert "secret" not in repr(held)
        assert [(entry.memory, entry.candidate) for entry in held.log] == [(("a", 1), ""), (("b", 1), "plain")]
        assert (held.arguments, [warning.code for warning in held.warnings]) == ({"expires": None}, ["ungrounded"])
        assert store.message("acme", "m-1").content == "secret", "a message goes by scope or time only"

    def test_the_tombstone_says_what_kind_and_how_much_and_no_content(self, store: Store, writer: Writer) -> None:
        writer.add(version("secret", "a"))
        receipt = self.erase(store, writer, Erasure(ANA, memories=("a",)))

        row = store.operation("acme", receipt.operation_id)

        assert (row.verb, row.status, row.log) == ("erase", "pending", ())
        assert row.arguments["erased"] == "memory"
        assert row.arguments["counts"] == receipt.counts
        assert len(row.arguments["ids_sha256"]) == 64
        assert '"a"' not in repr(row.arguments)
        assert receipt.pending
        assert store.scrub()
        assert store.operation("acme", receipt.operation_id).status == "done"

    def test_summaries_and_jobs_of_the_scope_go(self, store: Store, writer: Writer) -> None:
        row, _ = writer.begin(message("a", "m-1"), message("b", "m-2", at=SAID + 9 * DAY))
        store.set_summary(ANA, Summary("secret", SAID, 2))
        store.set_summary(BO, Summary("bo's", SAID, 2))
        store.add_job("acme", NewJob("extract", row.id, {"operation_id": row.id}, SAID))
        store.add_job("acme", NewJob("summary", "ana", {"user": "ana", "agent": None, "run": None}, SAID))
        store.add_job("acme", NewJob("summary", "bo", {"user": "bo", "agent": None, "run": None}, SAID))

        first = self.erase(store, writer, Erasure(ANA, before=SAID + DAY))
        assert store.summary(ANA).text == ""
        assert store.operation("acme", first.operation_id).arguments["summaries"] == [
            {"user": "ana", "agent": None, "run": None}
        ]
        self.erase(store, writer, Erasure(ANA))

        assert [job.key for job in store.jobs(open_only=False)] == ["bo"]
        assert store.summary(BO).text == "bo's"

    def test_a_summary_read_before_an_erasure_is_not_stored_after_it(self, store: Store, writer: Writer) -> None:
        writer.begin(message("secret", "m-1"))
        held = store.summary(ANA)
        self.erase(store, writer, Erasure(ANA))

        with pytest.raises(Conflict, match="erased"):
            store.set_summary(ANA, Summary("secret", SAID, 1, held.erasures))

        assert store.summary(ANA).text == ""

    def test_what_was_decided_before_an_erasure_is_not_written_after_it(self, store: Store, writer: Writer) -> None:
        row, _ = writer.begin(message("secret", "m-1"))
        self.erase(store, writer, Erasure(ANA))

        with pytest.raises(NotFound):
            store.commit(ChangeSet(ANA, row.id, exchange=0, opened=(version("secret", "a"),)))

        assert texts(store, select(validity="all")) == []

    def test_an_exchange_that_lost_a_message_is_not_extracted_any_more(self, store: Store, writer: Writer) -> None:
        row, _ = writer.begin(message("secret", "m-1"), message("and so on", "m-2", at=SAID + 9 * DAY))

        self.erase(store, writer, Erasure(ANA, before=SAID + DAY))

        assert store.exchanges("acme", row.id) == []
        assert ids_of(store.messages(ANA).items) == ["m-2"]
        with pytest.raises(NotFound):
            store.commit(ChangeSet(ANA, row.id, exchange=0, opened=(version("secret", "a"),)))

    def test_statistics_and_order_go_on_after_an_erasure(self, store: Store, writer: Writer) -> None:
        writer.add(version("tea tea", "a", embedding=vector(1)))
        before = writer.add(version("rice", "b", embedding=vector(0, 1)))
        self.erase(store, writer, Erasure(ANA, memories=("a",)))

        after = writer.add(version("tea", "a", embedding=vector(1)))

        assert after.recorded_at > before.recorded_at
        assert after.version > before.version
        assert found(store, select(), Probe(vector(1), {"tea": 1}), channel="dense")[0][0] == "tea"
        assert [name for name, _ in found(store, select(), Probe(None, {"tea": 1}), channel="sparse")] == ["tea"]

    def test_an_erasure_takes_an_idempotency_key_along(self, store: Store, writer: Writer) -> None:
        writer.begin(message("tea", "m-1", external_id="x"), key="k", payload_hash="1")
        self.erase(store, writer, Erasure(ANA))

        row, _ = writer.begin(message("rice", "m-2", external_id="x"), key="k", payload_hash="2")

        assert ids_of(store.messages(ANA).items) == ["m-2"]
        assert row.exchanges == 1
