"""Any endpoint that speaks OpenAI's embeddings.

Texts go out in batches, bounded in number and in tokens.  A text beyond the model's length is cut into pieces, and its
vector is the mean of theirs, weighted by length.  Every vector is brought to unit length.
"""

from __future__ import annotations

import base64
import binascii
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perdure.errors import ProviderError, SettingsError
from perdure.models import Role
from perdure.ports import Clock
from perdure.providers._http import Endpoint, Rejected
from perdure.text import count_tokens

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from perdure.models import FloatArray

OPENAI = "https://api.openai.com/v1"
BATCH_TEXTS = 128  # chosen: OpenAI takes 2,048, small servers far fewer
BATCH_TOKENS = 100_000  # chosen: OpenAI refuses more than 300,000 in one request, by its own count
SPARE = 0.8  # chosen: share of a model's length that a piece may take, since its tokens are estimated
MAX_CHARS = 400_000  # chosen: what is beyond the first 100,000 tokens or so does not move a mean much


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a model: dimensions and length as its maker states them; the floor is chosen, not measured."""

    dimensions: int
    max_tokens: int
    floor: float


KNOWN: Mapping[str, Known] = {
    "text-embedding-3-small": Known(1536, 8191, 0.35),
    "text-embedding-3-large": Known(3072, 8191, 0.35),
    "text-embedding-ada-002": Known(1536, 8191, 0.8),  # its cosines seldom fall below 0.7
}
UNKNOWN_TOKENS = 512  # chosen: the length of most small embedders
UNKNOWN_FLOOR = 0.4  # chosen: that of MiniLM; settings.floor replaces it


class OpenAIEmbedder:
    """An embedder behind an OpenAI-compatible endpoint; implements `Embedder`.

    Key and address come from the arguments, else from OPENAI_API_KEY and OPENAI_BASE_URL.
    dimensions: asked of the endpoint, which must be able to shorten its vectors; the model's own if None.
    The dimensions of a model that is not known are found by embedding one word, when they are first asked for.
    May be shared by threads, and used on after a fork.  Raises SettingsError where api.openai.com has no key.
    """

    def __init__(
        self,
        model: str,
        *,
        dimensions: int | None = None,
        floor: float | None = None,
        max_tokens: int | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout_s: float = 60.0,
        retries: int = 4,
        connections: int = 4,
        transport: Any = None,  # an httpx2 transport, for a proxy or own certificates
        sleep: Callable[[float], None] = time.sleep,
        clock: Clock | None = None,
    ) -> None:
        if not model.strip():
            raise SettingsError('the embedder has no name; expected one such as "text-embedding-3-small"')
        key = (api_key or os.environ.get("OPENAI_API_KEY") or "").strip()
        self._endpoint = Endpoint(
            base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI,
            model=model,
            key=key or None,
            timeout_s=timeout_s,
            retries=retries,
            connections=connections,
            transport=transport,
            sleep=sleep,
            clock=clock,
        )
        if self._endpoint.host.removesuffix(":443") == "api.openai.com" and not key:
            raise SettingsError(
                "api.openai.com needs a key, and none is set; set OPENAI_API_KEY, or embedder_base_url to another "
                "endpoint"
            )
        known = KNOWN.get(model)
        self._asked = model
        self._shortened = dimensions
        self._probing = threading.Lock()  # guards the two fields below while the endpoint is asked
        self._dimensions = dimensions or (known.dimensions if known else None)
        self._encoding: str | None = "base64"  # half the bytes of numbers in decimal; None: not understood here
        self.model = model if dimensions is None else f"{model}@{dimensions}"
        self.floor = floor if floor is not None else known.floor if known else UNKNOWN_FLOOR
        self._piece_tokens = max(1, int(SPARE * (max_tokens or (known.max_tokens if known else UNKNOWN_TOKENS))))

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.model!r}, host={self._endpoint.host!r})"

    @property
    def dimensions(self) -> int:
        """Length of a vector.  Raises ProviderError kinds where the endpoint must be asked and fails."""
        with self._probing:
            if self._dimensions is None:
                [vector] = self._ask(["word"])
                self._dimensions = len(vector)
            return self._dimensions

    def covers(self, text: str) -> bool:
        """Return True: which scripts a model behind an endpoint was trained on is not known."""
        return True

    def embed(self, texts: Sequence[str], role: Role) -> FloatArray:
        """Return shape (len(texts), d), float32, unit rows, in order; the role makes no difference.

        A blank text has the first axis: endpoints refuse it.  Raises ProviderTimeout, RateLimited, ProviderError.
        """
        import numpy as np

        pieces = [(place, piece) for place, text in enumerate(texts) for piece in self._pieces(text)]
        found = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for batch in batches(pieces):
            vectors = self._ask([piece for _, piece in batch])
            for (place, piece), vector in zip(batch, vectors, strict=True):
                if vector.shape != (self.dimensions,):
                    raise ProviderError(
                        f"{self!r} gave a vector of {vector.size} numbers, not {self.dimensions}; check the model's "
                        "name and its dimensions"
                    )
                found[place] += len(piece) * _unit(vector)
        for row in found:
            if not row.any():
                row[0] = 1.0
            row[:] = _unit(row)
        return found

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        self._endpoint.close()

    def _pieces(self, text: str) -> list[str]:
        """Return the text, cleaned, in pieces within the model's length; none of a blank one."""
        clean = text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8").replace("\x00", " ").strip()
        return list(pieces(clean, self._piece_tokens)) if clean else []

    def _ask(self, texts: Sequence[str]) -> list[npt.NDArray[np.float32]]:
        """Return the endpoint's vectors in the order of the texts.  A text that it finds too long is halved."""
        body: dict[str, Any] = {"model": self._asked, "input": list(texts)}
        if self._shortened is not None:
            body["dimensions"] = self._shortened
        encoding = self._encoding
        if encoding is not None:
            body["encoding_format"] = encoding
        try:
            reply = self._endpoint.post("/embeddings", body)
        except Rejected as err:
            if encoding is not None and err.status in (400, 404, 422, 501) and "encoding" in err.said.lower():
                self._encoding = None
                return self._ask(texts)
            if _is_too_long(err) and len(texts) > 1:
                middle = len(texts) // 2
                return [*self._ask(texts[:middle]), *self._ask(texts[middle:])]
            if _is_too_long(err) and len(texts[0]) > 1:
                return [self._mean(texts[0])]
            raise
        return self._vectors(reply, len(texts))

    def _mean(self, text: str) -> npt.NDArray[np.float32]:
        import numpy as np

        halves = _halves(text)
        total = sum(len(half) * _unit(vector) for half, vector in zip(halves, self._ask(halves), strict=True))
        return np.asarray(total, dtype=np.float32)

    def _vectors(self, reply: Mapping[str, Any], count: int) -> list[npt.NDArray[np.float32]]:
        """Return a reply's vectors by index.  Raises ProviderError unless each text has exactly one."""
        data = reply.get("data")
        found: dict[int, Any] = {}
        for place, one in enumerate(data if isinstance(data, list) else ()):
            if isinstance(one, dict):
                index = one.get("index", place)
                found[index if isinstance(index, int) else place] = one.get("embedding")
        if not isinstance(data, list) or len(data) != count or sorted(found) != list(range(count)):
            raise ProviderError(f"{self!r} did not give one vector for each of {count} texts; check that it embeds")
        return [self._vector(found[index]) for index in range(count)]

    def _vector(self, value: Any) -> npt.NDArray[np.float32]:
        """Return a vector given as numbers, or as base64 of little-endian float32."""
        import numpy as np

        try:
            if isinstance(value, str):
                vector = np.frombuffer(base64.b64decode(value, validate=True), dtype="<f4").astype(np.float32)
            else:
                vector = np.array(value, dtype=np.float32)
        except (ValueError, TypeError, binascii.Error) as err:
            raise ProviderError(f"{self!r} gave something else than a vector; check that it embeds") from err
        if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all() or not vector.any():
            raise ProviderError(f"{self!r} gave a vector that is empty, zero or not finite; check that it embeds")
        return vector


def pieces(text: str, max_tokens: int) -> Iterator[str]:
    """Yield a text in pieces of about `max_tokens` at most, cut between words where there are any.

    >>> list(pieces("tea and rice and milk and bread", 5))
    ['tea and rice ', 'and milk and bread']
    """
    if count_tokens(text) <= max_tokens or len(text) < 2:
        yield text
        return
    for half in _halves(text):
        yield from pieces(half, max_tokens)


def batches(rows: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Yield rows of (place, text) in order, BATCH_TEXTS or about BATCH_TOKENS at a time."""
    batch: list[tuple[int, str]] = []
    tokens = 0
    for row in rows:
        more = count_tokens(row[1])
        if batch and (len(batch) == BATCH_TEXTS or tokens + more > BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(row)
        tokens += more
    if batch:
        yield batch


def _halves(text: str) -> list[str]:
    """Return a text's two halves, cut after the blank nearest before the middle, if there is one."""
    middle = len(text) // 2
    blank = text.rfind(" ", 1, middle)
    cut = blank + 1 if blank > 0 else middle
    return [text[:cut], text[cut:]]


def _unit(vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    length = math.sqrt(float(vector @ vector))
    return vector / length


def _is_too_long(err: Rejected) -> bool:
    said = err.said.lower()
    return err.status in (400, 413, 422) and any(
        word in said for word in ("context length", "context_length", "maximum", "too long", "too large", "tokens")
    )
