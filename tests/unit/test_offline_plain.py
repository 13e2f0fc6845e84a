"""Markup is taken off, and chat spelling written out."""

from __future__ import annotations

import pytest

from perdure.offline.plain import spelled, unmarked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**My cat** is *old*", "My cat is old"),
        ("I use `vim` and snake_case_names", "I use vim and snake_case_names"),
        ("see [my page](https://example.org/a?b=c)", "see my page"),
        ('"I dislike stripes."', "I dislike stripes."),
        ('He said "no" and "yes"', 'He said "no" and "yes"'),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_markup_goes_and_words_stay(text: str, expected: str) -> None:
    assert expected == unmarked(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("im a baker and i live in ghent", "I'm a baker and I live in Ghent"),
        ("ive got a cat, shes called mimi", "I have a cat, she's called Mimi"),
        ("i cant swim and dont drive", "I can't swim and don't drive"),
        ("i work at home", "I work at home"),
        ("i was ill", "I was ill"),
        ("RN at a clinic, i.e. a nurse", "RN at a clinic, i.e. a nurse"),
        ("Iris here, new in town", "I'm Iris, new in town"),
    ],
)
def test_chat_spelling_is_written_out(text: str, expected: str) -> None:
    assert expected == spelled(text)
