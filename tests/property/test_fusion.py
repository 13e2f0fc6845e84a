"""Laws of fusion."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.models import Ranking
from perdure.read import calibrate
from perdure.read.fuse import fuse
from perdure.settings import Settings

numbers = st.floats(-20, 20, allow_nan=False).map(lambda x: round(x, 3))


@st.composite
def ranked(draw):
    made = []
    for partition in range(1, draw(st.integers(1, 3)) + 1):
        refs = [partition * 100 + n for n in range(draw(st.integers(0, 6)))]
        for channel in ("dense", "sparse"):
            scores = {ref: draw(numbers) for ref in refs}
            count = len(refs) + draw(st.integers(0, 50))
            made.append(Ranking(channel, partition, scores, count, draw(numbers), abs(draw(numbers))))
    return made


@pytest.mark.parametrize("fusion", ["zscore", "rrf"])
@given(data=st.data(), rankings=ranked())
def test_fusion_does_not_depend_on_the_order_of_the_rankings(fusion, data, rankings):
    settings = replace(Settings(), fusion=fusion)
    shuffled = data.draw(st.permutations(rankings))

    assert fuse({"memory": rankings}, settings) == fuse({"memory": shuffled}, settings)


@given(rankings=ranked())
def test_swapping_the_channels_changes_no_order_at_equal_weights(rankings):
    settings = replace(Settings(), fusion="rrf", dense_weight=0.5)
    swapped = [replace(r, channel="sparse" if r.channel == "dense" else "dense") for r in rankings]

    assert fuse({"memory": rankings}, settings) == fuse({"memory": swapped}, settings)


@pytest.mark.parametrize("fusion", ["zscore", "rrf"])
@given(first=numbers, second=numbers)
def test_the_probability_never_falls_as_the_signal_rises(fusion, first, second):
    settings = replace(Settings(), fusion=fusion)
    low, high = sorted((abs(first), abs(second)) if fusion == "rrf" else (first, second))

    assert 0 <= calibrate.probability(low, settings) <= calibrate.probability(high, settings) <= 1
    weak, strong = calibrate.Support(low), calibrate.Support(high)
    assert 0 <= calibrate.confidence(weak, settings) <= calibrate.confidence(strong, settings) <= 1
