"""The embedder behind an OpenAI-compatible endpoint, through a socket: batches, order, encodings, lengths, errors."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from tests.wire import Answer, Request, Script, Wire, error, raw, serve

from perdure import Memory
from perdure.errors import PerdureError, ProviderError, ProviderTimeout, RateLimited, SettingsError
from perdure.models import Role
from perdure.ports import Embedder
from perdure.providers import openai_embeddings
from perdure.providers.fakes import FixedClock, HashEmbedder
from perdure.providers.openai_embeddings import OpenAIEmbedder
from perdure.testing.embedder import EmbedderContract

KEY = "sk-test-0123456789"
HASHES = HashEmbedder(8)


def embeddings(request: Request, *, scale: float = 3.0) -> Answer:
    """What an endpoint answers: in the encoding asked for, in reverse order with its indices, not of unit length."""
    rows = scale * HASHES.embed(request.body["input"], Role.DOCUMENT)
    is_base64 = request.body.get("encoding_format") == "base64"
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(row.astype("<f4").tobytes()).decode() if is_base64 else row.tolist(),
        }
        for index, row in enumerate(rows)
    ]
    return raw({"object": "list", "data": data[::-1], "model": "tiny", "usage": {"prompt_tokens": 3}})


@contextmanager
def asking(script: Script = embeddings, **arguments: Any) -> Iterator[tuple[OpenAIEmbedder, Wire]]:
    with serve(script) as wire:
        given = {"api_key": KEY, "base_url": wire.base_url, "timeout_s": 10.0, "sleep": lambda _: None, **arguments}
        embedder = OpenAIEmbedder("tiny", **given)
        try:
            yield embedder, wire
        finally:
            embedder.close()


class TestOpenAIEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Iterator[Embedder]:
        with asking() as (embedder, _):
            yield embedder


def test_vectors_follow_the_index_and_have_unit_length() -> None:
    texts = ["tea", "rice", "milk"]
    with asking() as (embedder, wire):
        found = embedder.embed(texts, Role.DOCUMENT)

    assert np.allclose(found, HASHES.embed(texts, Role.DOCUMENT), atol=1e-6)
    sent = wire.requests[-1]
    assert sent.path == "/v1/embeddings"
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.body == {"model": "tiny", "input": texts, "encoding_format": "base64"}


def test_an_endpoint_without_base64_is_asked_for_numbers_and_remembered() -> None:
    def script(request: Request) -> Answer:
        return error(400, "unknown encoding_format") if "encoding_format" in request.body else embeddings(request)

    with asking(script) as (embedder, wire):
        first = embedder.embed(["tea"], Role.QUERY)
        asked = len(wire.requests)
        second = embedder.embed(["tea"], Role.QUERY)

    assert np.allclose(first, HASHES.embed(["tea"], Role.QUERY), atol=1e-6)
    assert np.allclose(first, second)
    assert len(wire.requests) == asked + 1


def test_an_endpoint_that_gives_numbers_whatever_was_asked_is_read() -> None:
    def script(request: Request) -> Answer:
        return embeddings(Request(request.path, request.headers, {"input": request.body["input"]}))

    with asking(script) as (embedder, _):
        assert np.allclose(embedder.embed(["tea"], Role.QUERY), HASHES.embed(["tea"], Role.QUERY), atol=1e-6)


def test_dimensions_of_an_unknown_model_are_asked_for_once_and_of_a_known_one_never() -> None:
    with asking() as (embedder, wire):
        assert (embedder.dimensions, embedder.dimensions) == (8, 8)
        assert len(wire.requests) == 1
        known = OpenAIEmbedder("text-embedding-3-small", api_key=KEY, base_url=wire.base_url)
        assert known.dimensions == 1536
        assert len(wire.requests) == 1


def test_shortened_dimensions_are_asked_for_and_stand_in_the_name() -> None:
    with asking(dimensions=8) as (embedder, wire):
        embedder.embed(["tea"], Role.DOCUMENT)

    assert embedder.model == "tiny@8"
    assert wire.requests[-1].body["dimensions"] == 8


def test_many_texts_go_out_in_batches_by_number_and_by_tokens() -> None:
    texts = [f"word {number}" for number in range(300)]
    with asking(max_tokens=200_000) as (embedder, wire):
        found = embedder.embed(texts, Role.DOCUMENT)
        by_number = [len(request.body["input"]) for request in wire.requests[1:]]
        embedder.embed(["tea " * 60_000, "rice " * 60_000], Role.DOCUMENT)

    assert by_number == [128, 128, 44]
    assert np.allclose(found, HASHES.embed(texts, Role.DOCUMENT), atol=1e-6)
    assert [len(request.body["input"]) for request in wire.requests[4:]] == [1, 1]


def test_a_text_beyond_the_length_is_the_mean_of_its_pieces_weighted_by_length() -> None:
    text = "tea and rice and milk and bread"
    with asking(max_tokens=6) as (embedder, wire):
        [found] = embedder.embed([text], Role.DOCUMENT)

    sent = [piece for request in wire.requests[1:] for piece in request.body["input"]]
    assert "".join(sent) == text
    assert len(sent) > 1
    expected = sum(len(piece) * row for piece, row in zip(sent, HASHES.embed(sent, Role.DOCUMENT), strict=True))
    assert np.allclose(found, expected / np.linalg.norm(expected), atol=1e-5)


def test_a_text_that_the_endpoint_finds_too_long_is_halved_until_it_fits() -> None:
    def script(request: Request) -> Answer:
        if any(len(text) > 20 for text in request.body["input"]):
            return error(400, "This model's maximum context length is 5 tokens", code="context_length_exceeded")
        return embeddings(request)

    with asking(script) as (embedder, wire):
        found = embedder.embed(["tea", "tea and rice and milk and bread"], Role.DOCUMENT)

    assert np.allclose(found[0], HASHES.embed(["tea"], Role.DOCUMENT)[0], atol=1e-6)
    assert np.isclose(np.linalg.norm(found[1]), 1.0, atol=1e-5)
    assert all(len(text) <= 20 for text in wire.requests[-1].body["input"])


def test_blank_texts_are_not_sent() -> None:
    with asking(dimensions=8) as (embedder, wire):
        found = embedder.embed(["", " \n", "\x00"], Role.DOCUMENT)

    assert wire.requests == []
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0)


def test_a_passing_error_is_tried_again() -> None:
    answers = iter([error(429, retry_after="0"), error(503), Answer(how="reset")])
    with asking(lambda request: next(answers, embeddings(request)), dimensions=8) as (embedder, wire):
        embedder.embed(["tea"], Role.DOCUMENT)

    assert len(wire.requests) == 4


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (error(401, code="invalid_api_key"), ProviderError),
        (error(429), RateLimited),
        (error(404), ProviderError),
        (Answer(how="silent"), ProviderTimeout),
        (raw({"data": []}), ProviderError),
        (raw({"data": [{"index": 0, "embedding": [1.0] * 8}, {"index": 0, "embedding": [1.0] * 8}]}), ProviderError),
        (raw({"data": [{"index": 5, "embedding": [1.0] * 8}]}), ProviderError),
        (raw({"data": [{"index": 0, "embedding": [1.0] * 4}]}), ProviderError),
        (raw({"data": [{"index": 0, "embedding": [0.0] * 8}]}), ProviderError),
        (raw({"data": [{"index": 0, "embedding": ["a"]}]}), ProviderError),
        (raw({"data": [{"index": 0, "embedding": "no base64!"}]}), ProviderError),
        (raw({"data": [{"index": 0, "embedding": None}]}), ProviderError),
        (raw({"data": "x"}), ProviderError),
    ],
)  # fmt: skip
def test_what_is_no_set_of_vectors_is_a_provider_error_without_text_or_key(
    answer: Answer, kind: type[PerdureError]
) -> None:
    with (
        asking(lambda _: answer, dimensions=8, retries=1, timeout_s=0.3) as (embedder, _),
        pytest.raises(kind) as caught,
    ):
        embedder.embed(["the secret plan"], Role.DOCUMENT)

    assert KEY not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_openai_itself_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        OpenAIEmbedder("text-embedding-3-small")


def test_a_memory_finds_by_an_endpoints_vectors() -> None:
    with serve(embeddings) as wire:
        settings = {"embedder_base_url": wire.base_url, "jobs": "manual"}
        with Memory(":memory:", embedder="openai:tiny", clock=FixedClock(), settings=settings) as memory:
            memory.add("I drink green tea.", user="ana", infer=False)
            found = memory.search("green tea", user="ana")
            stats = memory.stats(user="ana")

    assert found[0].text == "user: I drink green tea."
    assert (stats.embedder, stats.dimensions) == ("tiny", 8)


def test_an_endpoint_that_does_not_say_its_dimensions_leaves_no_open_store() -> None:
    with serve(lambda _: error(401)) as wire:
        settings = {"embedder_base_url": wire.base_url}

        with pytest.raises(ProviderError, match="key"):
            Memory(":memory:", embedder="openai:tiny", settings=settings)


def test_batches_hold_what_they_were_given_in_order() -> None:
    rows = [(number, "tea " * number) for number in range(400)]

    found = list(openai_embeddings.batches(rows))

    assert [row for batch in found for row in batch] == rows
