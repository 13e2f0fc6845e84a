from __future__ import annotations

import numpy as np
import pytest

from perdure.stores.sqlite.rank import Scored, _best, _products


@pytest.mark.parametrize("rows", [0, 1, 22, 23, 24, 100])
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("dimensions", [384, 20_000])
def test_products_in_blocks_equal_one_product(rows: int, count: int, dimensions: int) -> None:
    random = np.random.default_rng(1)
    matrix = random.standard_normal((rows, dimensions)).astype(np.float32)
    vectors = [random.standard_normal(dimensions).astype(np.float32) for _ in range(count)]

    found = _products(matrix, vectors)

    assert found.shape == (count, rows)
    assert np.allclose(found, np.stack(vectors) @ matrix.T, rtol=1e-4, atol=1e-2)


def test_the_best_of_many_ties_are_the_first_rows() -> None:
    scores = np.array([0.5, 0.9, 0.9, 0.1, 0.9 - 1e-9, 0.9], dtype=np.float32)

    assert _best("dense", Scored.of(scores, np.arange(6)), 3).tolist() == [1, 2, 4]


def test_the_sparse_channel_offers_only_rows_that_share_a_term() -> None:
    scores = np.array([0.0, 0.3, 0.0, 0.7])

    assert _best("sparse", Scored.of(scores, np.arange(4)), 4).tolist() == [3, 1]


def test_rows_that_share_no_term_fill_no_place_of_the_sparse_channel() -> None:
    scores = np.array([0.0, 0.3, 0.0, 0.0, 0.0])

    assert _best("sparse", Scored.of(scores, np.array([0, 1, 3])), 2).tolist() == [1]
