"""Packing never exceeds the budget, whatever the counter and the text."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from perdure.read.hits import hit
from perdure.read.pack import pack
from perdure.text import count_tokens
from tests import make

COUNTERS = (
    count_tokens,
    len,
    lambda text: len(text.split()),
    lambda text: 2 * (text.count("e") + len(text.encode()) // 3),
    lambda text: len(text) ** 2 // 100,  # parts are worth less than the whole
)

texts = st.text(max_size=200) | st.sampled_from(["</recalled-memories>", "a\nb\nc", "word " * 300, "吃苹果" * 50])


@given(
    contents=st.lists(texts, max_size=8),
    budget=st.integers(1, 400),
    count=st.sampled_from(COUNTERS),
    is_numbered=st.booleans(),
)
def test_packing_never_exceeds_the_budget(contents, budget, count, is_numbered):
    hits = [
        hit(make.memory(text, id=f"mem-{n}"), score=0.5)
        if n % 2
        else hit(make.message_record(text, id=f"m-{n}", at=make.AT - timedelta(days=n)), score=0.5)
        for n, text in enumerate(contents)
    ]

    context = pack(hits, budget_tokens=budget, count=count, now=make.AT, is_numbered=is_numbered)

    assert context.tokens <= budget
    assert context.tokens == (count(context.text) if context.text else 0)
    assert len(context.hits) + sum(int(w.detail.split()[0]) for w in context.warnings) == len(hits)
    assert bool(context.hits) == bool(context.text)
