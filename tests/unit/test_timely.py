"""A question's own words about time move what is of that time up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from perdure import Memory
from perdure.models import Scope, Selection
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder
from perdure.read.leads import Lead
from perdure.read.query import Query
from perdure.read.timely import GAINS, Timing, asks_for_the_past, timed, timing
from tests import make

NOW = datetime(2024, 3, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def read(text):
    return timing(Query(text, Selection(Scope("default", user="u"), now=NOW)))


def said(ref, at, signal=1.0):
    return Lead("message", ref, make.message_record(f"m {ref}", id=f"m-{ref}", at=at), signal)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("What did we do in May 2023?", datetime(2023, 5, 1, tzinfo=UTC)),
        ("What did Ana paint yesterday?", datetime(2024, 3, 9, tzinfo=UTC)),
        ("Where were we last summer?", datetime(2023, 6, 1, tzinfo=UTC)),
    ],
)
def test_a_stretch_is_read_against_the_present_of_the_question(text, start):
    [span] = read(text).spans

    assert span.start == start


@pytest.mark.parametrize(
    ("text", "end"), [("What is the latest plan?", "last"), ("When did we first time meet?", "first")]
)
def test_the_last_or_first_of_several_may_be_asked_for(text, end):
    assert read(text).end == end


def test_a_question_without_a_time_says_nothing_about_it():
    assert read("Where does Ana live?") == Timing()


def test_what_is_of_the_stretch_gains_and_the_rest_loses_nothing():
    spans = read("What happened in May 2023?").spans
    inside, outside = timed(
        [said(1, datetime(2023, 5, 31, tzinfo=UTC)), said(2, datetime(2023, 6, 1, tzinfo=UTC))], Timing(spans)
    )

    assert inside.signal == pytest.approx(1.0 + GAINS["month"])
    assert outside.signal == 1.0


def test_a_memory_is_of_the_time_of_its_event_whenever_it_was_told():
    record = make.memory("Ana sang", event_from=datetime(2023, 5, 4, tzinfo=UTC), valid_from=NOW)

    [lead] = timed([Lead("memory", 1, record, 1.0)], read("What happened in May 2023?"))

    assert lead.signal > 1.0


def test_among_equals_the_newest_or_the_oldest_comes_first():
    leads = [said(n, NOW - n * DAY) for n in range(3)]

    newest, middle, oldest = timed(leads, Timing(end="last"))
    assert newest.signal > middle.signal > oldest.signal == 1.0

    newest, middle, oldest = timed(leads, Timing(end="first"))
    assert newest.signal == 1.0 < middle.signal < oldest.signal


def test_a_weak_row_is_not_one_of_the_several():
    strong, weak = timed([said(1, NOW - DAY, 2.0), said(2, NOW, 0.5)], Timing(end="last"))

    assert (strong.signal, weak.signal) == (2.0, 0.5)


@pytest.mark.parametrize(
    "text", ["Where did I live before?", "What did Ana use to drink, or used to?", "What changed?"]
)
def test_questions_about_what_was_are_told_from_those_about_what_is(text):
    assert asks_for_the_past(text)


def test_a_context_for_what_was_shows_ended_memories_with_their_interval():
    with Memory(":memory:", embedder=HashEmbedder(), clock=FixedClock(NOW), ids=CountingIds()) as memory:
        old = memory.add(facts=["Ana lives in Paris"], user="u", at=NOW - 90 * DAY).changes[0].memory
        memory.delete(old.id, effect="change")
        now = memory.context("Where does Ana live?", user="u")
        was = memory.context("Where did Ana live before?", user="u")

    assert "Paris" not in now.text
    assert "until 10 March 2024, ended: Ana lives in Paris" in was.text


def test_a_date_in_the_question_finds_the_turn_of_that_day():
    with Memory(":memory:", embedder=HashEmbedder(), clock=FixedClock(NOW), ids=CountingIds()) as memory:
        for n in range(40):
            memory.add(f"We ran along the river again, round {n}q.", user="u", at=NOW - n * DAY, infer=False)
        [first, *_] = memory.search("Which round did we run on 24 February 2024?", user="u", explain=True)

    assert first.text == "user: We ran along the river again, round 15q."
    assert "time" in [signal.channel for signal in first.explanation.signals]
