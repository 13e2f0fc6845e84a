"""What is true now stands above what was true before, in memories and in the messages they came from."""

from datetime import UTC, datetime

import pytest

from perdure import Memory
from perdure.providers.fakes import FixedClock, HashEmbedder


@pytest.fixture(params=["in_memory", "sqlite"])
def memory(request, tmp_path):
    store = ":memory:" if request.param == "in_memory" else tmp_path / "m.db"
    with Memory(store, embedder=HashEmbedder(), clock=FixedClock(datetime(2025, 1, 1, tzinfo=UTC))) as memory:
        memory.add("I live in Trondheim.", user="ana", at="2024-05-01T00:00:00Z")
        memory.add("I live in Bergen now.", user="ana", at="2024-08-01T00:00:00Z")
        yield memory


def test_the_message_behind_an_ended_memory_ranks_below_the_present_one(memory):
    hits = memory.search("Where do I live?", user="ana", explain=True)

    old = [place for place, hit in enumerate(hits) if "Trondheim" in hit.text]
    new = [place for place, hit in enumerate(hits) if "Bergen" in hit.text]
    assert len(old) == 1
    assert len(new) == 1  # the fact and the turn it came from
    assert max(new) < min(old)
    assert "holds no longer" in hits[old[0]].explanation.notes[0]


def test_the_answer_begins_with_what_holds_now_and_still_knows_what_was_before(memory):
    answer = memory.answer("Where do I live?", user="ana")

    assert "Bergen" in answer.text.splitlines()[0]
    assert "Trondheim" in memory.context("Where did I live before?", user="ana", validity="all").text


def test_a_message_is_not_damped_at_a_time_when_its_fact_held(memory):
    [then] = memory.search("live", user="ana", include=["memories"], as_of="2024-06-01T00:00:00Z")

    assert "Trondheim" in then.text


def test_a_late_message_about_the_past_does_not_end_what_holds(memory):
    memory.add("I live in Oslo.", user="ana", at="2023-01-01T00:00:00Z")

    current = [record.text for record in memory.list(user="ana").items]
    assert len(current) == 1
    assert "Bergen" in current[0]
    [oslo] = [r for r in memory.list(user="ana", validity="ended").items if "Oslo" in r.text]
    assert oslo.valid_to <= datetime(2024, 8, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["I moved to Oslo last month.", "I have lived in Oslo since 2019.", "I moved to Oslo in March."]
)
def test_news_of_an_earlier_time_is_no_late_message(memory, text):
    """It was said last, so it is what holds, though it began before what it replaces was said."""
    memory.add(text, user="ana", at="2024-08-20T00:00:00Z")

    (current,) = memory.list(user="ana").items
    assert "Oslo" in current.text
    assert {"Bergen", "Trondheim"} <= {
        word.strip(".") for r in memory.list(user="ana", validity="ended").items for word in r.text.split()
    }
