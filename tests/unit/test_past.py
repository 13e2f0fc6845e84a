"""Looking back: as_of, known_at, validity, history, lineage, diff, timeline."""

from datetime import UTC, datetime, timedelta

import pytest

from perdure import InputError, Memory, NotFound
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder

START = datetime(2024, 1, 1, 12, tzinfo=UTC)
MONTH = timedelta(days=30)


@pytest.fixture(params=[":memory:", "file"])
def memory(request, tmp_path):
    clock = FixedClock(START)
    store = tmp_path / "m.db" if request.param == "file" else ":memory:"
    with Memory(store, embedder=HashEmbedder(), clock=clock, ids=CountingIds(), settings={"jobs": "manual"}) as memory:
        memory.clock = clock
        yield memory


def say(memory, text, *, at=None):
    memory.clock.move(MONTH)
    return memory.add(facts=[{"text": text, "attributed_to": "Ana"}], user="ana", at=at)


def texts(records):
    return [record.text for record in records]


def test_what_she_preferred_before_and_when_that_changed(memory):
    say(memory, "Ana's favourite tea is sencha")
    changed = say(memory, "Ana's favourite tea is rooibos")
    when = memory.clock.now()

    assert texts(memory.list(user="ana").items) == ["Ana's favourite tea is rooibos"]
    (before,) = memory.list(user="ana", validity="ended").items
    assert (before.text, before.valid_to) == ("Ana's favourite tea is sencha", when)
    assert texts(memory.list(user="ana", as_of=when - MONTH / 2).items) == [before.text]
    timeline = memory.timeline("favourite tea", user="ana")
    assert [(r.text[-7:], r.valid_from, r.valid_to) for r in timeline] == [
        (" sencha", START + MONTH, when), ("rooibos", when, None),
    ]  # fmt: skip
    assert memory.operation(changed.operation_id).at >= when


def test_what_was_believed_last_march_is_not_what_is_known_of_last_march_now(memory):
    say(memory, "Ana lives in Lyon")
    believed = memory.clock.now() + MONTH / 2
    say(memory, "Ana lives in Nice", at=believed - timedelta(days=1))

    assert texts(memory.list(user="ana", known_at=believed).items) == ["Ana lives in Lyon"]
    assert texts(memory.list(user="ana", as_of=believed).items) == ["Ana lives in Nice"]
    hits = memory.search("Ana lives", user="ana", known_at=believed, include=["memories"])
    assert [hit.text for hit in hits] == ["Ana lives in Lyon"]


def test_a_fact_true_in_two_periods_stays_two_intervals(memory):
    times = []
    for city in ("Lyon", "Paris", "Lyon"):
        say(memory, f"Ana lives in {city}")
        times.append(memory.clock.now())

    found = memory.timeline("lives", user="ana")

    assert [(r.text, r.valid_from, r.valid_to) for r in found] == [
        ("Ana lives in Lyon", times[0], times[1]),
        ("Ana lives in Paris", times[1], times[2]),
        ("Ana lives in Lyon", times[2], None),
    ]
    assert len({r.id for r in found}) == 3


def test_a_timeline_takes_a_memory_id_a_topic_or_a_name_and_leaves_out_the_rest(memory):
    say(memory, "Ana lives in Lyon")
    say(memory, "Ana lives in Nice")
    say(memory, "The boiler makes a strange noise")
    (nice, boiler) = memory.list(user="ana").items

    for about in (nice.id, nice.supersedes[0], "Nice"):
        assert texts(memory.timeline(about, user="ana")) == ["Ana lives in Lyon", "Ana lives in Nice"], about
    assert texts(memory.timeline("boiler noise", user="ana")) == [boiler.text]
    assert memory.timeline(nice.id, user="ben") == []
    assert texts(memory.timeline("Nice", user="ana", where={"text": {"contains": "Lyon"}})) == ["Ana lives in Lyon"]
    memory.delete(nice.id)
    assert texts(memory.timeline("lives", user="ana")) == ["Ana lives in Lyon"]


def test_a_diff_tells_text_metadata_and_dates(memory):
    id = say(memory, "Ana lives in Lyon").changes[0].memory.id
    memory.update(id, "Ana lives in Nice", metadata={"checked": True}, valid_to="2024-09-01T00:00:00Z")

    lines = memory.diff(id, 1, 2).splitlines()

    assert {"-Ana lives in Lyon", "+Ana lives in Nice", "+metadata.checked: true"} <= set(lines)
    assert '+valid_to: "2024-09-01 00:00:00+00:00"' in lines
    assert memory.diff(id, 2, 2) == ""
    with pytest.raises(NotFound, match="no version 3"):
        memory.diff(id, 1, 3)
    for wrong in (0, "1", True, [1], None):
        with pytest.raises(InputError, match="version"):
            memory.diff(id, wrong, 2)


@pytest.mark.parametrize("wrong", ["no", 0, None])
def test_a_flag_that_is_no_flag_is_refused(memory, wrong):
    """What is true by accident would take more along than was asked for."""
    added = say(memory, "Ana lives in Lyon")

    with pytest.raises(InputError, match="cascade"):
        memory.undo(added.operation_id, cascade=wrong)
    with pytest.raises(InputError, match="lineage"):
        memory.history(added.changes[0].memory.id, lineage=wrong)
