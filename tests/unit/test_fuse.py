from __future__ import annotations

from dataclasses import replace

import pytest

from perdure.errors import InputError
from perdure.models import Channel, Ranking
from perdure.read.fuse import PRIOR, fuse, reciprocal_rank_fusion, signals, spread_of, weights, zscore_fusion
from perdure.settings import Settings

SETTINGS = Settings()


def ranking(
    channel: Channel, scores: dict[int, float], *, count: int, mean: float, deviation: float, partition: int = 1
):
    return Ranking(channel, partition, scores, count, mean, deviation)


def test_the_fused_signal_is_the_weighted_sum_of_scores_in_units_of_their_spread():
    # A million rows drown the prior of twenty, so the hand-worked figures are those of the population.
    dense = ranking("dense", {1: 0.6, 2: 0.2}, count=1_000_000, mean=0.2, deviation=0.1)
    sparse = ranking("sparse", {1: 0.0, 2: 6.0}, count=1_000_000, mean=1.0, deviation=2.0)

    scores = zscore_fusion([dense, sparse], weights={"dense": 0.5, "sparse": 0.5})

    assert scores[1] == pytest.approx(0.5 * 4.0 + 0.5 * -0.5, abs=1e-3)
    assert scores[2] == pytest.approx(0.5 * 0.0 + 0.5 * 2.5, abs=1e-3)


def test_a_keyword_perfect_row_that_the_dense_channel_puts_last_can_still_win():
    dense = ranking("dense", {1: 0.30, 2: 0.05}, count=500, mean=0.1, deviation=0.1)
    sparse = ranking("sparse", {1: 0.0, 2: 14.0}, count=500, mean=0.3, deviation=1.2)

    first = fuse({"message": (dense, sparse)}, SETTINGS)[0]

    assert first.ref == 2


def test_a_channel_that_is_absent_leaves_its_share_to_the_others():
    sparse = ranking("sparse", {1: 3.0}, count=10, mean=1.0, deviation=1.0)

    assert weights([sparse], 0.5) == {"sparse": 1.0}
    assert weights([sparse], 1.0) == {"sparse": 1.0}


def test_the_best_of_a_few_rows_stands_out_because_the_prior_speaks_for_rows_unseen():
    alone = ranking("dense", {1: 0.7}, count=1, mean=0.7, deviation=0.0)
    unlike = ranking("dense", {1: 0.02}, count=1, mean=0.02, deviation=0.0)

    [near] = zscore_fusion([alone], weights={"dense": 1.0}).values()
    [far] = zscore_fusion([unlike], weights={"dense": 1.0}).values()

    assert near > 2 > 0 > far


def test_the_spread_of_two_partitions_is_that_of_their_rows_together():
    rows = [0.0, 2.0, 4.0, 6.0]
    prior = PRIOR["sparse"]

    spread = spread_of(
        "sparse",
        [
            ranking("sparse", {}, count=2, mean=1.0, deviation=1.0, partition=1),
            ranking("sparse", {}, count=2, mean=5.0, deviation=1.0, partition=2),
        ],
    )

    assert spread.count == prior.count + 4
    mean = (prior.count * prior.mean + sum(rows)) / (prior.count + 4)
    square = (prior.count * (prior.deviation**2 + prior.mean**2) + sum(x * x for x in rows)) / (prior.count + 4)
    assert spread.mean == pytest.approx(mean)
    assert spread.deviation == pytest.approx((square - mean**2) ** 0.5)


def test_a_row_that_no_channel_finds_is_not_returned():
    dense = ranking("dense", {1: 0.2, 2: -0.1}, count=3, mean=0.0, deviation=0.1)
    sparse = ranking("sparse", {1: 0.0, 2: 0.0}, count=3, mean=0.0, deviation=0.0)

    assert [row.ref for row in fuse({"memory": (dense, sparse)}, SETTINGS)] == [1]


def test_equal_signals_stand_by_kind_and_reference():
    same = ranking("sparse", {7: 2.0, 3: 2.0}, count=5, mean=1.0, deviation=1.0)

    rows = fuse({"message": (same,), "memory": (same,)}, SETTINGS)

    assert [(row.kind, row.ref) for row in rows] == [("memory", 3), ("memory", 7), ("message", 3), ("message", 7)]


def test_rank_fusion_adds_reciprocal_ranks_and_nothing_for_what_a_channel_does_not_find():
    dense = ranking("dense", {1: 0.9, 2: 0.8}, count=9, mean=0.1, deviation=0.1)
    sparse = ranking("sparse", {1: 0.0, 2: 5.0}, count=9, mean=0.1, deviation=0.1)

    scores = reciprocal_rank_fusion([dense, sparse], k=60)

    assert scores == pytest.approx({1: 1 / 61, 2: 1 / 62 + 1 / 61})


def test_rank_fusion_refuses_a_constant_that_is_not_above_zero():
    with pytest.raises(InputError, match="above 0"):
        reciprocal_rank_fusion([], k=0)


@pytest.mark.parametrize("fusion", ["zscore", "rrf", "mem0"])
def test_the_explained_parts_add_up_to_the_fused_signal(fusion):
    settings = replace(SETTINGS, fusion=fusion, dense_weight=0.3)
    ranked = (
        ranking("dense", {1: 0.6, 2: 0.3, 3: 0.1}, count=30, mean=0.2, deviation=0.1),
        ranking("sparse", {1: 0.0, 2: 6.0, 3: 1.0}, count=30, mean=1.0, deviation=2.0),
    )

    for row in fuse({"memory": ranked}, settings):
        parts = signals(row.ref, ranked, settings)
        assert [part.channel for part in parts] == ["dense", "sparse"]
        assert sum(part.weight * part.normalised for part in parts) == pytest.approx(row.signal)


def test_the_explained_rank_is_the_channels_own():
    ranked = (
        ranking("dense", {1: 0.6, 2: 0.3, 3: 0.1}, count=30, mean=0.2, deviation=0.1),
        ranking("sparse", {1: 0.0, 2: 6.0, 3: 1.0}, count=30, mean=1.0, deviation=2.0),
    )

    assert [part.rank for part in signals(1, ranked, SETTINGS)] == [1, 3]
    assert [part.rank for part in signals(2, ranked, SETTINGS)] == [2, 1]
