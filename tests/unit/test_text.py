"""Terms, normal forms and token counts."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from perdure import text

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the package's own
    import bpe_openai

    ENCODING = bpe_openai.get_encoding("cl100k_base")


def test_equal_statements_have_equal_normal_forms_and_digests() -> None:
    assert text.normal("User  likes\tTEA.") == text.normal("user likes tea")
    assert text.normal("ＡＢＣ café") == text.normal("abc cafe\u0301")
    assert text.digest("I run.") == text.digest("i RUN") != text.digest("I ran")


def test_words_are_stemmed_and_possessives_dropped() -> None:
    assert {"she", "run", "tom", "dog"} == set(text.terms("She runs Tom's dogs"))
    assert text.terms("run running Runs")["run"] == 3


def test_a_cjk_run_gives_its_characters_and_bigrams() -> None:
    assert {"吃", "苹", "果", "吃苹", "苹果"} == set(text.terms("吃苹果"))
    assert "서울" in text.terms("서울에 살아요")


def test_threads_get_the_same_terms() -> None:
    lines = [f"runner{i} running quickly happily number{i}" for i in range(400)]
    text.stem.cache_clear()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(text.terms, lines))

    text.stem.cache_clear()
    assert found == [text.terms(line) for line in lines]


@pytest.mark.parametrize(
    "sample",
    [
        "My sister moved to a small town near the coast last summer, and she's already complaining about the wind.",
        "Thanks! I'd love to come; what time should we be there? I'll bring bread, cheese and olives.",
        "上个星期我和朋友一起去爬山，天气很好，我们在山顶吃了午饭，晚上才回家。",
        "先週の日曜日、友達と一緒に山に登りました。天気がよくて、頂上でお弁当を食べました。",
        "지난 일요일에 친구들과 함께 등산을 갔는데 날씨가 좋아서 정상에서 도시락을 먹었어요.",
        "Dimanche dernier, nous sommes allés à la montagne avec des amis et nous avons déjeuné au sommet.",
        "def total(rows):\n    return sum(row['price'] * row['count'] for row in rows)\n",
        "Call 0171 5550 1234 before 18:30 on 2024-05-08, reference A-7781/3.",
    ],
)
def test_the_estimate_is_at_most_five_percent_below_the_real_count(sample: str) -> None:
    real = len(ENCODING.encode(sample))

    assert 0.95 * real <= text.count_tokens(sample) <= 1.5 * real + 2


def test_an_empty_text_takes_no_more_than_a_token() -> None:
    assert text.count_tokens("") <= 1
