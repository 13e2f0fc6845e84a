"""Laws of the two time axes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from perdure import Memory
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder

START = datetime(2024, 1, 1, 12, tzinfo=UTC)
CITIES = ("Lyon", "Paris", "Nice")

said = st.lists(st.sampled_from(CITIES), min_size=1, max_size=7).flatmap(
    lambda cities: st.tuples(
        st.just([(START + timedelta(days=day), city) for day, city in enumerate(cities)]),
        st.permutations(range(len(cities))),
    )
)


def timeline(messages):
    """Add messages in this order by the offline engine, and return the intervals of where Ana lives."""
    clock = FixedClock(START + timedelta(days=1000))
    options = {"embedder": HashEmbedder(), "clock": clock, "ids": CountingIds(), "settings": {"jobs": "manual"}}
    with Memory(":memory:", **options) as memory:
        for at, city in messages:
            said = {"role": "user", "name": "Ana", "content": f"I live in {city}.", "id": at.isoformat()}
            memory.add([said], user="ana", at=at)
        records = memory.list(user="ana", validity="all", limit=1000).items
        held = [r for r in records if r.valid_to is None or r.valid_to > r.valid_from]
        return sorted((r.valid_from, r.text, r.valid_to) for r in held), memory.timeline("lives", user="ana")


@settings(deadline=None, max_examples=60)
@given(said)
def test_messages_imported_late_give_the_same_timeline_as_in_order_arrival(case):
    messages, order = case

    in_order, _ = timeline(messages)
    out_of_order, _ = timeline([messages[place] for place in order])

    assert out_of_order == in_order


@settings(deadline=None, max_examples=30)
@given(said)
def test_intervals_of_one_slot_never_overlap_and_the_last_one_is_open(case):
    messages, order = case

    held, shown = timeline([messages[place] for place in order])

    assert all(one[2] == other[0] for one, other in pairwise(held))
    assert held[-1][2] is None
    assert [record.valid_from for record in shown] == sorted(record.valid_from for record in shown)
    for record in shown:
        assert record.sources, "what holds again has its own source"
