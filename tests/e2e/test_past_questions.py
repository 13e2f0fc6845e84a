"""Questions about the past, asked in words and by dates, with the packaged embedder, no model and no network.

She preferred tea and lived in Lyon; in June 2024 she moved, and in July preferred coffee.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from perdure import Memory
from perdure.providers.fakes import FixedClock

SAID = (
    ("2024-01-10", "My favourite drink is green tea."),
    ("2024-01-12", "I live in Lyon."),
    ("2024-06-03", "I live in Bergen now."),
    ("2024-07-20", "My favourite drink is black coffee now."),
)
MARCH = datetime(2024, 3, 15, tzinfo=UTC)


def day(text):
    return datetime.fromisoformat(text).replace(hour=9, tzinfo=UTC)


@pytest.fixture(params=[":memory:", "file"])
def memory(request, tmp_path):
    clock = FixedClock()
    store = tmp_path / "m.db" if request.param == "file" else ":memory:"
    with Memory(store, clock=clock, settings={"jobs": "manual"}) as memory:
        for at, text in SAID:
            clock.move(day(at))
            memory.add(text, user="ana")
        clock.move(day("2025-03-01"))
        yield memory


def test_when_did_that_change(memory):
    """The timeline has both, joined at the day; the answer cites the dated sentence of the change."""
    lyon, bergen = memory.timeline("where does she live", user="ana")

    assert "Lyon" in lyon.text
    assert "Bergen" in bergen.text
    assert (lyon.valid_from, lyon.valid_to) == (day("2024-01-12"), day("2024-06-03"))
    assert (bergen.valid_from, bergen.valid_to) == (day("2024-06-03"), None)
    assert memory.timeline(bergen.id, user="ana") == [lyon, bergen]
    answer = memory.answer("When did I start to live in Bergen?", user="ana")
    assert "3 June 2024" in answer.text
    assert any(hit.memory is not None and hit.memory.id == bergen.id for hit in answer.citations)


def test_what_did_she_prefer_before(memory):
    """The answer reads what has ended, labelled with its interval."""
    answer = memory.answer("What was my favourite drink before, green tea?", user="ana")

    assert "green tea" in answer.text
    assert "10 January 2024 until 20 July 2024" in answer.text
    (before,) = [r for r in memory.list(user="ana", validity="ended").items if "drink" in r.text]
    (now,) = [r for r in memory.list(user="ana").items if "drink" in r.text]
    assert "green tea" in before.text
    assert "coffee" in now.text
    assert (before.superseded_by, now.supersedes) == (now.id, (before.id,))


def test_what_did_we_believe_last_march(memory):
    """At known_at nothing is read that was said later, by any verb."""
    for answer in (
        memory.answer("Where do I live?", user="ana", known_at=MARCH).text,
        memory.context("Where do I live?", user="ana", known_at=MARCH, validity="all").text,
        " ".join(hit.text for hit in memory.search("Where do I live?", user="ana", known_at=MARCH)),
        " ".join(record.text for record in memory.timeline("where I live", user="ana", known_at=MARCH)),
        " ".join(record.text for record in memory.list(user="ana", known_at=MARCH).items),
    ):
        assert "Lyon" in answer
        assert "Bergen" not in answer
        assert "coffee" not in answer
    (lyon,) = [r for r in memory.list(user="ana", known_at=MARCH).items if "Lyon" in r.text]
    assert (lyon.valid_to, lyon.superseded_by) == (None, None)


def test_what_held_in_march_as_we_know_it_today(memory):
    """as_of asks of then with what is known now: a correction said in 2025 counts, and known_at does not see it."""
    memory.add("No, in fact I live in Oslo, not in Bergen.", user="ana", at=day("2025-03-01"))
    memory.add("I had a cat called Tom.", user="ana", at=day("2024-02-01"))

    as_of = " ".join(record.text for record in memory.list(user="ana", as_of=MARCH).items)
    known = " ".join(record.text for record in memory.list(user="ana", known_at=MARCH).items)

    assert "Tom" in as_of
    assert "Tom" not in known
    assert "Lyon" in as_of
    assert "Oslo" not in as_of
