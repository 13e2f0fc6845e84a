"""Memory with a real client of a loopback endpoint: a conversation becomes memory, and the memory answers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.conversation import decision, decisions, fact, facts
from tests.wire import Answer, Request, chat, error, serve

from perdure import Memory
from perdure.providers.fakes import FixedClock, HashEmbedder

NOW = datetime(2024, 9, 1, tzinfo=UTC)


def model(request: Request) -> Answer:
    """A model that knows Ana: it records where she lives, sees that she moved, and answers from the first entry."""
    asked = request.body["messages"][-1]["content"]
    name = request.body["tools"][0]["function"]["name"]
    if name == "record_facts":
        place = "Bergen" if "Bergen" in asked.rsplit("NEW", 1)[-1] else "Trondheim"
        return chat(None, calls=[(name, facts(fact(f"Ana lives in {place}", quote=f"I live in {place}")))])
    if name == "settle":
        return chat(None, calls=[(name, decisions(decision("DELETE", 1, effect="change")))])
    return chat(None, calls=[(name, {"answer": "In Bergen.", "citations": [1], "known": True})])


def remembering(tmp_path, base_url: str) -> Memory:
    settings = {"llm_base_url": base_url, "llm_retries": 0, "jobs": "manual", "summary_every": 100}
    return Memory(
        tmp_path / "m.db", llm="openai:tiny", embedder=HashEmbedder(floor=0.1), clock=FixedClock(NOW), settings=settings
    )


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")


def test_a_change_is_settled_and_the_answer_is_cited(tmp_path):
    with serve(model) as wire, remembering(tmp_path, wire.base_url) as memory:
        first = memory.add("I live in Trondheim", user="ana", at="2024-05-01T00:00:00Z")
        second = memory.add("I live in Bergen", user="ana", at="2024-08-01T00:00:00Z")
        answer = memory.answer("Where does Ana live?", user="ana")

    assert (first.engine, first.usage.llm_calls) == ("llm", 1)
    assert (second.status, second.usage.llm_calls) == ("done", 2)
    ended, added = second.changes
    assert (ended.event, ended.effect, added.event) == ("DELETE", "change", "ADD")
    assert ended.previous.valid_to is None
    assert ended.memory.valid_to == datetime(2024, 8, 1, tzinfo=UTC)
    assert (added.memory.text, added.memory.supersedes) == ("Ana lives in Bergen", (ended.memory.id,))
    assert (answer.text, answer.abstained, len(answer.citations)) == ("In Bergen.", False, 1)
    assert [request.body["temperature"] for request in wire.requests] == [0] * 4


def test_an_outage_keeps_the_messages_and_a_retry_makes_it_good(tmp_path):
    answers = iter([error(500, "down"), error(500, "down")])
    with (
        serve(lambda request: next(answers, None) or model(request)) as wire,
        remembering(tmp_path, wire.base_url) as memory,
    ):
        failed = memory.add("I live in Trondheim", user="ana", at="2024-05-01T00:00:00Z")
        kept = memory.search("Trondheim", user="ana")
        again = memory.retry(failed.operation_id)
        good = memory.retry(failed.operation_id)

        assert (failed.status, failed.changes) == ("failed", ())
        assert [warning.code for warning in failed.warnings] == ["extraction_failed"]
        assert [hit.kind for hit in kept] == ["message"]
        assert again.status == "failed"
        assert (good.status, [change.event for change in good.changes]) == ("done", ["ADD"])
        assert memory.messages(user="ana").total == 1


def test_a_deferred_add_is_searchable_at_once_and_extracted_by_flush(tmp_path):
    with serve(model) as wire, remembering(tmp_path, wire.base_url) as memory:
        pending = memory.add("I live in Trondheim", user="ana", at="2024-05-01T00:00:00Z", wait=False)
        at_once = memory.search("Trondheim", user="ana")
        asked_before = len(wire.requests)
        memory.flush()

        assert (pending.status, asked_before) == ("pending", 0)
        assert [hit.kind for hit in at_once] == ["message"]
        assert memory.operation(pending.operation_id).status == "done"
        assert [record.text for record in memory.list(user="ana").items] == ["Ana lives in Trondheim"]


def test_the_summary_is_refreshed_beside_the_add_and_flush_waits_for_it(tmp_path):
    def summarising(request: Request) -> Answer:
        if request.body.get("tools"):
            return model(request)
        return chat("Ana told where she lives.")

    with serve(summarising) as wire:
        settings = {"llm_base_url": wire.base_url, "jobs": "manual", "summary_every": 1}
        with Memory(
            ":memory:", llm="openai:tiny", embedder=HashEmbedder(), clock=FixedClock(NOW), settings=settings
        ) as memory:
            added = memory.add("I live in Trondheim", user="ana", at="2024-05-01T00:00:00Z")
            before = memory.summary(user="ana").text
            memory.flush()

            assert added.usage.llm_calls == 1
            assert before == ""
            assert memory.summary(user="ana").text == "Ana told where she lives."
