"""The contract of an embedder: subclass EmbedderContract and give it an `embedder` fixture."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from perdure.models import Role
from perdure.ports import Embedder

TEXTS = (
    "Ana lives in Lyon.",
    "The train to Porto leaves at nine in the morning from platform two, said the man at the counter.",
    "ok",
    "Ben has three cats and no dog.",
)


class EmbedderContract:
    """What every embedder must do.

    class TestMine(EmbedderContract):
        @pytest.fixture
        def embedder(self):
            return Mine()
    """

    def test_rows_are_float32_unit_vectors_of_the_stated_length(self, embedder: Embedder) -> None:
        """Cosines are dot products, so length and type are part of the contract."""
        vectors = embedder.embed(TEXTS, Role.DOCUMENT)

        assert vectors.shape == (len(TEXTS), embedder.dimensions)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        """A write without candidates needs no special case."""
        assert embedder.embed([], Role.QUERY).shape == (0, embedder.dimensions)

    def test_rows_keep_the_order_of_the_texts(self, embedder: Embedder) -> None:
        """A batch gives what its texts give one by one, turned round or not."""
        forwards = embedder.embed(TEXTS, Role.DOCUMENT)
        backwards = embedder.embed(TEXTS[::-1], Role.DOCUMENT)
        single = np.vstack([embedder.embed([text], Role.DOCUMENT) for text in TEXTS])

        assert np.allclose(forwards, backwards[::-1], atol=1e-3)
        assert np.allclose(forwards, single, atol=1e-3)

    def test_threads_get_the_vectors_that_one_caller_gets(self, embedder: Embedder) -> None:
        """An embedder is shared by all threads."""
        alone = embedder.embed(TEXTS, Role.DOCUMENT)
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda _: embedder.embed(TEXTS, Role.DOCUMENT), range(8)))

        assert all(np.allclose(alone, vectors, atol=1e-3) for vectors in together)

    def test_odd_texts_have_finite_vectors(self, embedder: Embedder) -> None:
        """Blank, long, emoji, other scripts, NUL and lone surrogates: what reaches an embedder is not its choice."""
        odd = ["", " \n", "\x00", "\ud800 half", "🙂" * 50, "吃苹果", "مرحبا", "word " * 5_000]

        vectors = embedder.embed(odd, Role.DOCUMENT)

        assert vectors.shape == (len(odd), embedder.dimensions)
        assert np.isfinite(vectors).all()

    def test_name_floor_and_coverage_are_stated(self, embedder: Embedder) -> None:
        """A store is bound to the name; the floor is a cosine."""
        assert embedder.model.strip()
        assert math.isfinite(embedder.floor)
        assert -1.0 <= embedder.floor <= 1.0
        assert embedder.covers("") is True
