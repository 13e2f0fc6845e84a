"""What a first user asks of a small store: the fact itself comes first, a question is no answer, plans lie ahead."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from perdure import Memory, when
from perdure.providers.fakes import FixedClock

AT = datetime(2026, 3, 5, 21, 10, tzinfo=UTC)


@pytest.fixture
def memory():
    with Memory(":memory:", clock=FixedClock(datetime(2026, 3, 20, tzinfo=UTC))) as opened:
        yield opened


def test_a_question_after_a_fact_is_answered_by_it_before_standing_facts_of_the_same_concern(memory: Memory) -> None:
    for text in (
        "I'm lactose intolerant.", "My blood type is O negative.", "I've stopped drinking coffee, doctor's orders.",
        "My dentist appointment is on 17 March at 3pm.", "The dentist appointment got moved to 24 March, same time",
    ):  # fmt: skip
        memory.add(text, user="u", at=AT)

    assert "24 March" in memory.answer("When is the dentist appointment?", user="u").citations[0].text


def test_what_the_assistant_asked_is_no_evidence(memory: Memory) -> None:
    talk = [
        ("user", "My son Leo is 6."), ("assistant", "When is Leo's birthday?"), ("user", "14 October"),
        ("assistant", "Are you married?"), ("user", "divorced"),
    ]  # fmt: skip
    memory.add([{"role": role, "content": text} for role, text in talk], user="u", at=AT)

    assert "divorced" in memory.answer("Am I married?", user="u").citations[0].text
    cited = [hit.text for hit in memory.answer("When is Leo's birthday?", user="u").citations]
    assert any("14 October" in text for text in cited)
    assert not any(text.startswith("assistant:") for text in cited)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I'm getting married on 20 June.", "2026-06-20"),
        ("Anna gets married on 20 June.", "2026-06-20"),
        ("I got tickets for the concert on 9 July.", "2026-07-09"),
        ("I got a job interview on 9 July.", "2026-07-09"),
        ("I signed up for a marathon on 9 July.", "2026-07-09"),
        ("I handed in my notice, last day is 24 April", "2026-04-24"),
        ("I got married on 20 June.", "2025-06-20"),
        ("I got my tickets on 9 February.", "2026-02-09"),
        ("I signed up for the gym on 9 February.", "2026-02-09"),
        ("The wedding was on 20 June.", "2025-06-20"),
    ],
)
def test_what_is_got_or_entered_for_lies_ahead_of_the_getting(text: str, day: str) -> None:
    [span] = when.find(text, anchor=AT, timezone=UTC)

    assert span.start.date().isoformat() == day


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("My sister lives in York", "My sister lives in Harrogate now"),
        ("My mum lives in York.", "My mum moved to Harrogate last week"),
        ("I live in York.", "I moved to Leeds."),
    ],
)
def test_york_is_a_town_that_one_moves_from(memory: Memory, before: str, after: str) -> None:
    memory.add(before, user="u", at=AT)
    memory.add(after, user="u", at=datetime(2026, 3, 15, tzinfo=UTC))

    assert not any("York" in one.text for one in memory.list(user="u"))
