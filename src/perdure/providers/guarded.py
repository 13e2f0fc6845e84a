"""A caller's own model or embedder, held to the contract of its port.

Whatever such an object raises becomes a ProviderError, which the pipelines know how to survive: the messages stay
stored and the result says what failed.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from perdure.errors import ProviderError, SettingsError
from perdure.models import Completion, Prompt, Role

if TYPE_CHECKING:
    from perdure.models import FloatArray
    from perdure.ports import LLM, Embedder, Reranker

T = TypeVar("T")
logger = logging.getLogger(__name__)


class GuardedLLM:
    """A language model of the caller's.  Raises SettingsError if it is none."""

    def __init__(self, llm: LLM) -> None:
        _expect(llm, "llm", {"model": str}, ("complete",))
        self._llm = llm

    @property
    def model(self) -> str:
        """The model's name, as it gives it."""
        return self._llm.model

    @property
    def can_see(self) -> bool:
        """Whether it says that pictures can be shown to it."""
        return bool(getattr(self._llm, "can_see", False))

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return its completions.  Raises ProviderError kinds, whatever it raised or returned instead."""
        found: Any = _called("complete", lambda: self._llm.complete(prompts))
        is_list = isinstance(found, list | tuple) and all(isinstance(one, Completion) for one in found)
        if not is_list or len(found) != len(prompts):
            got = f"{len(found)} items" if isinstance(found, list | tuple) else type(found).__name__
            raise ProviderError(f"complete() returned {got}; expected a list of {len(prompts)} Completion")
        return list(found)


class GuardedEmbedder:
    """An embedder of the caller's.  Raises SettingsError if it is none."""

    def __init__(self, embedder: Embedder) -> None:
        _expect(embedder, "embedder", {"model": str, "dimensions": int, "floor": float | int}, ("covers", "embed"))
        self._embedder = embedder

    @property
    def model(self) -> str:
        """The weights' name, as it gives it."""
        return self._embedder.model

    @property
    def dimensions(self) -> int:
        """Length d of a vector."""
        return self._embedder.dimensions

    @property
    def floor(self) -> float:
        """The cosine below which two statements are not about the same thing."""
        return self._embedder.floor

    def covers(self, text: str) -> bool:
        """True if it means something for this text.  Raises ProviderError kinds."""
        return bool(_called("covers", lambda: self._embedder.covers(text)))

    def embed(self, texts: Sequence[str], role: Role) -> FloatArray:
        """Return shape (len(texts), d), float32.  Raises ProviderError kinds, whatever it raised or returned."""
        found: Any = _called("embed", lambda: self._embedder.embed(texts, role))
        wanted = (len(texts), self.dimensions)
        if getattr(found, "shape", None) != wanted:
            shape = getattr(found, "shape", type(found).__name__)
            raise ProviderError(f"embed() returned {shape}; expected an array of float32 of shape {wanted}")
        rows: FloatArray = found
        return rows


class GuardedReranker:
    """A reranker of the caller's.  Raises SettingsError if it is none."""

    def __init__(self, reranker: Reranker) -> None:
        _expect(reranker, "reranker", {}, ("score",))
        self._reranker = reranker

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return its scores.  Raises ProviderError kinds, whatever it raised or returned instead."""
        found: Any = _called("score", lambda: [float(one) for one in self._reranker.score(query, texts)])
        if len(found) != len(texts) or not all(math.isfinite(one) for one in found):
            raise ProviderError(f"score() returned {len(found)} numbers; expected {len(texts)} finite ones")
        return list(found)


def _called(name: str, call: Callable[[], T]) -> T:
    try:
        return call()
    except ProviderError:
        raise
    except Exception as err:  # a caller's code may raise anything; none of it may leave an operation half told
        logger.warning("provider.failed", extra={"call": name, "error": type(err).__name__}, exc_info=True)
        raise ProviderError(f"{name}() of the object that was given raised {type(err).__name__}: {err}") from err


def _expect(given: object, what: str, attributes: dict[str, Any], methods: Sequence[str]) -> None:
    faults = [name for name, kind in attributes.items() if not isinstance(getattr(given, name, None), kind)]
    faults += [f"{name}()" for name in methods if not callable(getattr(given, name, None))]
    if faults:
        wanted = ", ".join([*attributes, *(f"{name}()" for name in methods)])
        raise SettingsError(
            f"the {what} that was given, a {type(given).__name__}, has no usable {', '.join(faults)}; expected a name, "
            f"or an object with {wanted} (perdure.ports)"
        )
