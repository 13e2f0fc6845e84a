"""Undo, at the level of the verbs, on both stores."""

from datetime import UTC, datetime, timedelta

import pytest

from perdure import Conflict, Forbidden, Memory, NotFound
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder, ScriptedLLM
from tests.conversation import fact, facts

START = datetime(2024, 5, 8, 12, tzinfo=UTC)
LYON, NICE = "Ana lives in Lyon", "Ana lives in Nice"


@pytest.fixture(params=[":memory:", "file"])
def memory(request, tmp_path):
    store = tmp_path / "m.db" if request.param == "file" else ":memory:"
    with opened(store) as memory:
        yield memory


def opened(store, llm=None, **options):
    clock = FixedClock(START)
    options = {
        "embedder": HashEmbedder(),
        "clock": clock,
        "ids": CountingIds(),
        "settings": {"jobs": "manual"},
        **options,
    }
    memory = Memory(store, llm=llm, **options)
    memory.clock = clock
    return memory


def add(memory, text, *, days=1, **options):
    memory.clock.move(timedelta(days=days))
    return memory.add(facts=[{"text": text, "attributed_to": "Ana"}], user="ana", **options)


def texts(memory, **options):
    return [record.text for record in memory.list(user="ana", **options).items]


def test_a_decided_change_is_taken_back_whole_and_known_at_still_tells_it(memory):
    old = add(memory, LYON).changes[0].memory
    changed = add(memory, NICE)
    at = memory.clock.now()
    then = memory.list(user="ana", known_at=at, validity="all"), memory.get(old.id, known_at=at)
    memory.clock.move(timedelta(days=1))

    memory.undo(changed.operation_id)

    record = memory.get(old.id)
    assert texts(memory, validity="all") == [LYON]
    assert (record.valid_to, record.superseded_by, record.version) == (None, None, 3)
    assert then == (memory.list(user="ana", known_at=at, validity="all"), memory.get(old.id, known_at=at))
    assert [v.superseded_by is not None for v in memory.history(old.id)] == [False, True, False]


def test_an_update_goes_back_to_the_text_before_as_a_new_version(memory):
    id = add(memory, LYON).changes[0].memory.id
    updated = memory.update(id, "Ana lives in Lyon, France", metadata={"a": 1})

    memory.undo(updated.operation_id)

    assert [(v.version, v.text) for v in memory.history(id)] == [(1, LYON), (2, "Ana lives in Lyon, France"), (3, LYON)]
    assert memory.get(id).metadata == {}


def test_an_undone_add_is_retracted_and_its_messages_stay(memory):
    added = memory.add("I live in Lyon.", user="ana")
    (record,) = memory.list(user="ana").items

    result = memory.undo(added.operation_id)

    assert texts(memory, validity="all") == []
    assert memory.get(record.id).retired_at is not None
    assert [m.content for m in memory.messages(user="ana").items] == ["I live in Lyon."]
    assert "messages_kept" in [w.code for w in result.warnings]
    assert memory.operation(added.operation_id).undone_by == result.operation_id


def test_an_undo_can_be_undone_again_and_again(memory):
    added = memory.add("I live in Lyon.", user="ana")
    (before,) = memory.list(user="ana").items
    one = memory.undo(added.operation_id)
    two = memory.undo(one.operation_id)

    (after,) = memory.list(user="ana").items
    assert (after.id, after.text, after.sources) == (before.id, before.text, before.sources)
    assert memory.operation(added.operation_id).undone_by is None

    three = memory.undo(two.operation_id)
    assert texts(memory) == []
    assert memory.operation(added.operation_id).undone_by == one.operation_id
    memory.undo(three.operation_id)
    (last,) = memory.list(user="ana").items
    assert (last.text, last.sources) == (before.text, before.sources)
    memory.undo(added.operation_id)
    assert texts(memory) == []


def test_undos_of_a_chain_are_taken_back_one_by_one_the_last_first(memory):
    _, second, third = (add(memory, f"Ana lives in {city}") for city in ("Lyon", "Nice", "Paris"))
    held = [texts(memory)]
    undos = []
    for operation in (third, second):
        undos.append(memory.undo(operation.operation_id))
        held.append(texts(memory))

    with pytest.raises(Conflict, match=undos[1].operation_id):
        memory.undo(undos[0].operation_id)
    for undone in reversed(undos):
        held.pop()
        memory.undo(undone.operation_id)
        assert texts(memory) == held[-1]


def test_one_cascade_brings_back_a_chain_of_undos(memory):
    operations = [add(memory, f"Ana lives in {city}") for city in ("Lyon", "Nice", "Paris")]
    before = [(r.text, r.superseded_by) for r in memory.list(user="ana", validity="all").items]
    first = memory.undo(operations[2].operation_id)
    memory.undo(operations[1].operation_id)

    memory.undo(first.operation_id, cascade=True)

    assert sorted((r.text, r.superseded_by) for r in memory.list(user="ana", validity="all").items) == sorted(before)


def test_evidence_is_withdrawn_with_its_operation(memory):
    id = add(memory, LYON).changes[0].memory.id
    again = add(memory, LYON)
    assert memory.get(id).evidence_count == 2

    result = memory.undo(again.operation_id)

    assert (memory.get(id).evidence_count, memory.get(id).version) == (1, 1)
    assert [c.event for c in result.changes] == ["NOOP"]
    memory.undo(result.operation_id)
    assert memory.get(id).evidence_count == 2


def test_what_later_operations_built_on_it_is_named_and_cascade_takes_it_along(memory):
    added = add(memory, LYON)
    id = added.changes[0].memory.id
    again = add(memory, LYON)
    updated = memory.update(id, "Ana lives in Lyon, France")
    apart = add(memory, "Ana owns a red bicycle")

    with pytest.raises(Conflict) as caught:
        memory.undo(added.operation_id)
    for later in (again, updated):
        assert later.operation_id in str(caught.value)
    assert apart.operation_id not in str(caught.value)

    result = memory.undo(added.operation_id, cascade=True)
    assert texts(memory) == ["Ana owns a red bicycle"]
    for taken in (added, again, updated):
        assert memory.operation(taken.operation_id).undone_by == result.operation_id
    memory.undo(result.operation_id)
    assert sorted(texts(memory)) == ["Ana lives in Lyon, France", "Ana owns a red bicycle"]
    assert memory.get(id).evidence_count == 2


def test_what_was_undone_itself_stands_in_nobodys_way(memory):
    added = add(memory, LYON)
    updated = memory.update(added.changes[0].memory.id, "Ana lives in Lyon, France")
    memory.undo(updated.operation_id)

    memory.undo(added.operation_id)

    assert texts(memory, validity="all") == []


def test_redoing_needs_what_it_was_built_on(memory):
    id = add(memory, LYON).changes[0].memory.id
    first = memory.update(id, metadata={"a": 1})
    second = memory.update(id, metadata={"a": 2})
    undo_second = memory.undo(second.operation_id)
    undo_first = memory.undo(first.operation_id)

    with pytest.raises(Conflict, match=undo_first.operation_id):
        memory.undo(undo_second.operation_id)

    memory.undo(undo_second.operation_id, cascade=True)
    assert memory.get(id).metadata == {"a": 2}


def test_undoing_twice_writes_nothing_and_says_so(memory):
    added = add(memory, LYON)
    first = memory.undo(added.operation_id)
    count = memory.operations(user="ana").total

    again = memory.undo(added.operation_id)

    assert again.operation_id == first.operation_id
    assert "already_undone" in [w.code for w in again.warnings]
    assert memory.operations(user="ana").total == count


def test_a_delete_of_many_users_comes_back_whole(memory):
    memory.add(facts=["Ana likes tea"], user="ana", agent="bot")
    memory.add(facts=["Ben likes rum"], user="ben", agent="bot")
    deleted = memory.delete_all(agent="bot")
    assert memory.list(agent="bot").total == 0

    undone = memory.undo(deleted.operation_id)

    assert sorted(r.text for r in memory.list(agent="bot").items) == ["Ana likes tea", "Ben likes rum"]
    memory.undo(undone.operation_id)
    assert memory.list(agent="bot").total == 0


def test_an_undo_that_was_interrupted_between_partitions_is_carried_on(memory):
    memory.add(facts=["Ana likes tea"], user="ana", agent="bot")
    memory.add(facts=["Ben likes rum"], user="ben", agent="bot")
    deleted = memory.delete_all(agent="bot")
    store, commits = memory._ports.store, []

    class Interrupted:
        def __getattr__(self, name):
            return getattr(store, name)

        def commit(self, changes, **options):
            commits.append(changes)
            if len(commits) > 2:
                raise KeyboardInterrupt
            return store.commit(changes, **options)

    memory._shared.ports = type(memory._ports)(
        Interrupted(), *[getattr(memory._ports, n) for n in ("clock", "ids", "embedder")]
    )
    with pytest.raises(KeyboardInterrupt):
        memory.undo(deleted.operation_id)
    assert memory.list(agent="bot").total == 1

    memory._shared.ports = type(memory._ports)(
        store, *[getattr(memory._ports, n) for n in ("clock", "ids", "embedder")]
    )
    result = memory.undo(deleted.operation_id)

    assert (result.status, memory.list(agent="bot").total) == ("done", 2)
    assert memory.operation(deleted.operation_id).undone_by == result.operation_id


def test_what_cannot_be_undone_is_refused_with_the_reason(memory):
    with pytest.raises(NotFound):
        memory.undo("nothing")
    added = add(memory, LYON)
    with pytest.raises(NotFound, match="scope"):
        memory.undo(added.operation_id, user="ben")
    with pytest.raises(NotFound):
        memory.for_tenant("other").undo(added.operation_id)
    deferred = memory.add("I have a cat.", user="ana", wait=False)
    with pytest.raises(Conflict, match="flush"):
        memory.undo(deferred.operation_id)


def test_the_papers_policy_is_not_undone():
    llm = ScriptedLLM([facts(fact(LYON, quote="I live in Lyon"))])
    with opened(":memory:", llm, policy="paper") as memory:
        added = memory.add("I live in Lyon.", user="ana")

        with pytest.raises(Forbidden, match="paper"):
            memory.undo(added.operation_id)


def test_a_failed_add_that_was_undone_is_not_retried(memory):
    llm = ScriptedLLM([])
    with opened(":memory:", llm) as memory:
        failed = memory.add("I like tea.", user="ana")
        memory.undo(failed.operation_id)

        with pytest.raises(Forbidden, match="undone"):
            memory.retry(failed.operation_id)


def test_facts_that_were_not_settled_are_not_reported_as_done_by_a_retry():
    script = [facts(fact(LYON, quote="I live in Lyon"))]
    with opened(":memory:", ScriptedLLM(script)) as memory:
        memory.add("I live in Lyon.", user="ana")
        failed = memory.add(facts=[NICE], user="ana")
        assert failed.status == "failed"

        with pytest.raises(Forbidden, match="add with its facts again"):
            memory.retry(failed.operation_id)

        assert memory.operation(failed.operation_id).status == "failed"


@pytest.mark.parametrize("undone", [1, 3])
def test_what_an_undone_and_erased_operation_had_ended_does_not_end_again(memory, undone):
    """The erased operation is no more there to say that it was undone."""
    add(memory, NICE)
    operation = taken = add(memory, LYON)
    for _ in range(undone):  # undone, or undone, redone and undone again
        memory.clock.move(timedelta(hours=1))
        operation = memory.undo(operation.operation_id)
    memory.erase(next(change.memory.id for change in taken.changes if change.event == "ADD"), user="ana")
    before = [(r.text, r.valid_to) for r in memory.list(user="ana", validity="all").items]
    moved = add(memory, "Ana lives in Paris")
    memory.clock.move(timedelta(hours=1))

    memory.undo(moved.operation_id)

    assert [(r.text, r.valid_to) for r in memory.list(user="ana", validity="all").items] == before == [(NICE, None)]
