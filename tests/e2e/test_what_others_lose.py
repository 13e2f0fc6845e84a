"""What the critics of memory layers found lost, wrong or silent, each by its name, on a real file.

One test of each name; the rules behind them are tested where they are made.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import apsw
import pytest
from runs.proofs import writers
from tests.conversation import decision, decisions, fact, facts

from perdure import Memory, NotFound, PerdureError
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder, ScriptedLLM

START = datetime(2024, 1, 1, 12, tzinfo=UTC)
MONTH = timedelta(days=30)
LYON, NICE = "Ana lives in Lyon", "Ana lives in Nice"


def opened(path, **options):
    options = {"embedder": HashEmbedder(), "clock": FixedClock(START), "ids": CountingIds(), **options}
    return Memory(path, settings={"jobs": "manual"}, **options)


@pytest.fixture
def memory(tmp_path):
    clock = FixedClock(START)
    with opened(tmp_path / "m.db", clock=clock) as memory:
        memory.clock = clock
        yield memory


def say(memory, text):
    memory.clock.move(MONTH)
    return memory.add(facts=[{"text": text, "attributed_to": "Ana"}], user="ana")


def texts(records):
    return [record.text for record in records]


@pytest.mark.parametrize("said", [{"messages": "I live in Lyon."}, {"facts": [LYON]}], ids=["messages", "facts"])
def test_expired_twin(memory, said):
    """What has expired never blocks adding the same again, and never takes the place of what is live."""
    first = memory.add(**said, user="ana", expires=START + timedelta(days=1))
    memory.clock.move(MONTH)
    assert memory.list(user="ana").total == 0

    again = memory.add(**said, user="ana")

    assert [change.event for change in again.changes] == ["ADD"]
    (live,) = memory.list(user="ana").items
    (hit,) = memory.search("where does Ana live", user="ana", include=["memories"])
    assert hit.id == live.id != first.changes[0].memory.id


def test_ghost_links_after_reset(memory, tmp_path):
    """An erased scope leaves no link, source or posting that points at what is gone; what is said next starts anew."""
    memory.add("I live in Lyon.", user="ana")
    memory.clock.move(MONTH)
    memory.add("I moved to Nice.", user="ana")
    assert memory.list(user="ana").items[0].supersedes != ()

    memory.erase(user="ana")
    memory.add("I live in Lyon.", user="ana")

    (held,) = memory.list(user="ana", validity="all").items
    assert (held.supersedes, held.superseded_by, held.evidence_count) == ((), None, 1)
    with apsw.Connection(str(tmp_path / "m.db")) as connection:
        assert connection.execute("select count(*) from link").get == 0
        assert connection.execute("select group_concat(distinct memory) from source").get == held.id
        ghosts = """select count(*) from posting p where not exists (
          select 1 from memory m where m.no = p.partition << 24 | p.seq) and not exists (
          select 1 from message m where m.no = p.partition << 24 | p.seq)"""
        assert connection.execute(ghosts).get == 0


def test_history_that_shows_deleted_as_live(memory):
    """The history of a deleted memory tells that and when it was deleted."""
    id = say(memory, LYON).changes[0].memory.id
    memory.clock.move(MONTH)
    deleted = memory.delete(id)

    (version,) = memory.history(id)
    assert version.retired_at == memory.get(id).retired_at is not None
    added, retired = memory.history(id, lineage=True)
    assert (added.event, retired.event, retired.effect, retired.operation_id) == (
        "ADD", "DELETE", "correction", deleted.operation_id,
    )  # fmt: skip
    assert (retired.at, retired.memory.retired_at) == (version.retired_at, version.retired_at)
    assert texts(memory.list(user="ana", validity="all").items) == []


def test_history_without_owner(memory):
    """Every version tells whose it is, and nobody else's scope reads it."""
    id = memory.add(facts=[LYON], user="ana", agent="bot", run="r1").changes[0].memory.id
    memory.update(id, NICE)

    assert {(v.user, v.agent, v.run) for v in memory.history(id)} == {("ana", "bot", "r1")}
    for scope in ({"user": "ben"}, {"user": "ana", "run": "r2"}, {"agent": "other"}):
        with pytest.raises(NotFound):
            memory.history(id, **scope)
    with pytest.raises(NotFound):
        memory.for_tenant("other").history(id)


def test_duplicate_transcript(memory):
    """The same messages again are skipped, with a warning each, and leave the memories as they were."""
    transcript = [
        {"role": "user", "content": "I live in Lyon.", "id": "m1", "at": "2024-01-01T09:00:00Z"},
        {"role": "user", "content": "I work at Bosch.", "id": "m2", "at": "2024-01-02T09:00:00Z"},
    ]
    memory.add(transcript, user="ana")
    before = memory.list(user="ana").items

    again = memory.add(transcript, user="ana")

    assert [w.code for w in again.warnings] == ["duplicate_message"] * 2
    assert memory.list(user="ana").items == before
    assert memory.messages(user="ana").total == 2


def test_duplicate_transcript_without_ids(memory):
    """Said again without ids, it is said twice, and believed once."""
    for _ in range(2):
        memory.add("I live in Lyon.", user="ana")

    (held,) = memory.list(user="ana").items
    assert held.evidence_count == 2
    assert memory.messages(user="ana").total == 2


def test_similar_transcript_to_two_processes_at_once():
    """Equal facts and other words for the same come from several processes: each is current once, nothing is lost."""
    assert writers.check(0, processes=2, adds=20) is None
    assert writers.measured()["busy"] == 0


def test_failed_vector_write_reported_as_add(tmp_path):
    """Memory, vector, words and log are one transaction: what fails in it is an error, and nothing of it is there."""

    class Forgetful(HashEmbedder):
        def embed(self, texts, role):
            return super().embed(texts, role)[:, : self.width]

    embedder = Forgetful()
    embedder.width = 256
    with opened(tmp_path / "m.db", embedder=embedder) as memory:
        memory.add(facts=[LYON], user="ana")
        embedder.width = 100

        for verb in (
            lambda: memory.add(facts=["Ana owns a red bicycle"], user="ana"),
            lambda: memory.add("I own a boat.", user="ana"),
            lambda: memory.update(memory.list(user="ana").items[0].id, NICE),
        ):
            assert outcome(verb) in ("failed", "ProviderError", "InputError")

        assert texts(memory.list(user="ana", validity="all").items) == [LYON]
        assert [c.event for o in memory.operations(user="ana").items for c in o.changes] == ["ADD"]


def outcome(verb):
    try:
        return verb().status
    except PerdureError as err:
        return type(err).__name__


def test_wrong_delete(memory):
    """A delete that should not have been comes back under its id, with its text, its dates and its evidence."""
    added = say(memory, LYON).changes[0].memory
    deleted = memory.delete(added.id)
    assert texts(memory.list(user="ana").items) == []

    result = memory.undo(deleted.operation_id)

    record = memory.get(added.id)
    assert (result.verb, result.status, [c.event for c in result.changes]) == ("undo", "done", ["ADD"])
    assert (record.text, record.version, record.retired_at) == (LYON, 2, None)
    assert (record.valid_from, record.evidence_count) == (added.valid_from, added.evidence_count)
    assert [hit.id for hit in memory.search("Lyon", user="ana", include=["memories"])] == [added.id]


def test_rollback(tmp_path):
    """A whole add is taken back, the model's wrong decision with it."""
    script = [
        facts(fact("Ana likes tea", quote="I like tea")),
        facts(fact("Ana likes coffee", quote="I like coffee")),
        decisions(decision("DELETE", 1, effect="correction")),
    ]
    with opened(tmp_path / "m.db", llm=ScriptedLLM(script)) as memory:
        memory.add("I like tea.", user="ana")
        wrong = memory.add("I like coffee.", user="ana")
        assert texts(memory.list(user="ana").items) == ["Ana likes coffee"]

        memory.undo(wrong.operation_id)

        (tea,) = memory.list(user="ana").items
        assert (tea.text, tea.superseded_by, tea.evidence_count) == ("Ana likes tea", None, 1)
        assert memory.messages(user="ana").total == 2


def test_lineage_lost(tmp_path):
    """Each version keeps the model, the prompt, the reason and the sentence behind it, across supersession."""
    script = [
        facts(fact(LYON, quote="I live in Lyon")),
        facts(fact(NICE, quote="I live in Nice")),
        decisions(decision("DELETE", 1, effect="change", reason="she moved")),
    ]
    with opened(tmp_path / "m.db", llm=ScriptedLLM(script, model="tiny")) as memory:
        first = memory.add([{"role": "user", "content": "I live in Lyon.", "id": "m1"}], user="ana")
        second = memory.add([{"role": "user", "content": "I live in Nice.", "id": "m2"}], user="ana")
        (nice,) = memory.list(user="ana").items

        entries = memory.history(nice.id, lineage=True)

        assert [(e.memory.text, e.memory.version, e.event, e.operation_id) for e in entries] == [
            (LYON, 1, "ADD", first.operation_id),
            (LYON, 2, "DELETE", second.operation_id),
            (NICE, 1, "ADD", second.operation_id),
        ]
        assert entries == memory.history(entries[0].memory.id, lineage=True)
        assert {e.model for e in entries} == {"tiny"}
        assert all(e.prompt_hash for e in entries)
        assert entries[1].reason == "she moved"
        assert [[s.message_id for s in e.memory.sources] for e in entries] == [["m1"], ["m1"], ["m2"]]
        assert nice.supersedes == (entries[0].memory.id,)


def test_recency_ignored(memory):
    """What is stale never outranks what replaced it, though it is more alike; by default it is not shown at all."""
    say(memory, LYON)
    say(memory, NICE)
    query = "does Ana live in Lyon?"

    assert texts(memory.search(query, user="ana")) == [NICE]
    assert texts(memory.search(query, user="ana", validity="all")) == [NICE, LYON]
    assert texts(memory.search(query, user="ana", as_of=START + 1.5 * MONTH)) == [LYON]
