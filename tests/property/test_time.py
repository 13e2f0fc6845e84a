"""Laws of the two time axes."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdure import Memory
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder, ScriptedLLM
from tests.conversation import decision, decisions, fact, facts, shown_numbers

START = datetime(2024, 1, 1, 12, tzinfo=UTC)
CITIES = ("Lyon", "Paris", "Nice")

said = st.lists(st.sampled_from(CITIES), min_size=1, max_size=7).flatmap(
    lambda cities: st.tuples(
        st.just([(START + timedelta(days=day), city) for day, city in enumerate(cities)]),
        st.permutations(range(len(cities))),
    )
)


def model(prompt):
    """Extract the city of the last message; a fact contradicts whatever else is shown."""
    said = prompt.turns[0].content
    if prompt.name == "extract":
        city = re.findall(r"I live in (\w+)", said)[-1]
        return facts(fact(f"Ana lives in {city}", quote=f"I live in {city}"))
    shown = shown_numbers(prompt)
    text = json.JSONDecoder().raw_decode(said[said.index('"Ana', said.index("FACT")) :])[0]
    others = [number for held, number in shown.items() if held != text]
    if others:
        return decisions(decision("DELETE", others[0], effect="change"))
    return decisions(decision("NOOP", shown[text]) if text in shown else decision("ADD"))


def timeline(messages, *, llm=None):
    """Add messages in this order, without a model or with one, and return the intervals of where Ana lives."""
    clock = FixedClock(START + timedelta(days=1000))
    options = {"embedder": HashEmbedder(), "clock": clock, "ids": CountingIds(), "settings": {"jobs": "manual"}}
    with Memory(":memory:", llm=llm and ScriptedLLM(llm), **options) as memory:
        for at, city in messages:
            said = {"role": "user", "name": "Ana", "content": f"I live in {city}.", "id": at.isoformat()}
            memory.add([said], user="ana", at=at)
        records = memory.list(user="ana", validity="all", limit=1000).items
        held = [r for r in records if r.valid_to is None or r.valid_to > r.valid_from]
        return sorted((r.valid_from, r.text, r.valid_to) for r in held), memory.timeline("lives", user="ana")


@pytest.mark.parametrize("llm", [None, model], ids=["offline", "model"])
@settings(deadline=None, max_examples=60)
@given(said)
def test_messages_imported_late_give_the_same_timeline_as_in_order_arrival(llm, case):
    messages, order = case

    in_order, _ = timeline(messages, llm=llm)
    out_of_order, _ = timeline([messages[place] for place in order], llm=llm)

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
