"""What repeats another statement, and what only looks like it."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from perdure.models import Match, Similar
from perdure.write.repeat import append, is_repeat, repeats
from tests import make

APART = [
    ("Ana takes flight LH232b", "Ana takes flight LH232c"),
    ("the seat is d30", "the seat is a30"),
    ("the answer is b/c", "the answer is c/b"),
    ("Ana beat Bob at chess", "Bob beat Ana at chess"),
    ("the score was 3 to 1", "the score was 1 to 3"),
    ("Ana paid 20, 20 and 30", "Ana paid 20, 30 and 30"),
    ("小明比小红高", "小红比小明高"),
]
SAME = [
    ("Ana owns two dogs", "Ana owns 2 dogs"),
    ("Ana really likes Lyon", "ana likes lyon a lot"),
    ("Ana paid 1,000 euros", "Ana has paid 1000 euros"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_order_and_count_and_whole_codes_tell_statements_apart(one: str, other: str) -> None:
    vector = np.array([1.0], dtype=np.float32)
    known = Match(make.candidate(one), (Similar(make.memory(other), 1.0, 1.0),))

    assert not is_repeat(make.candidate(one), make.candidate(other), 1.0, near_duplicate=0.97)
    assert repeats([make.candidate(one), make.candidate(other)], [vector, vector], near_duplicate=0.97) == {}
    assert [decision.event for decision in append([known], near_duplicate=0.97)] == ["ADD"]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_another_wording_of_the_same_is_a_repeat(one: str, other: str) -> None:
    assert is_repeat(make.candidate(one), make.candidate(other), 1.0, near_duplicate=0.97)


def test_equal_texts_of_other_times_do_not_repeat_each_other() -> None:
    days = [None, make.AT, make.AT + timedelta(days=1), make.AT]
    candidates = [make.candidate("Ana ran", event_from=day) for day in days[1:]]

    assert repeats(candidates, [None] * 3, near_duplicate=0.97) == {2: 0}
    assert repeats([make.candidate("Ana ran", event_from=day) for day in days], [None] * 4, near_duplicate=0.97) == {
        1: 0,
        2: 0,
        3: 0,
    }


def test_what_repeats_is_found_among_thousands_of_facts() -> None:
    """Pair by pair this took minutes."""
    texts = [f"Ana owns item number {number % 2_000}" for number in range(4_000)]
    rows = np.eye(50, dtype=np.float32)

    found = repeats([make.candidate(text) for text in texts], [rows[n % 50] for n in range(4_000)], near_duplicate=0.97)

    assert {number + 2_000: number for number in range(2_000)} == found
