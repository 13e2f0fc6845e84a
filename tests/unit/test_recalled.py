"""Blocks of recalled memories are left out, in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.prompts.recalled import CLOSE, OPEN, quote, strip


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"a {OPEN}x{CLOSE} b", "a  b"),
        (f"a\n{OPEN}\nx {OPEN} y\n{CLOSE}\nb", "a\n\nb"),
        (f"a\n{OPEN}\nx", "a"),
        (f"a {OPEN} b", f"a {OPEN} b"),
        (f"a {CLOSE} b", f"a {CLOSE} b"),
        (f"a {OPEN}x{CLOSE}\n{OPEN} tail", "a"),
        ("a\n< Recalled-Memories kind='x' >\nx\n< / recalled-memories >\nb", "a\n\nb"),
    ],
)
def test_a_block_is_left_out_and_a_marker_within_a_line_stays(text: str, left: str) -> None:
    assert left == strip(text)


@pytest.mark.parametrize(
    "unit",
    [OPEN, CLOSE, OPEN + CLOSE, f"{OPEN}\n", "<recalled-memories", "<recalled-memories ", "\n<recalled-memories"],
)
def test_no_run_of_markers_takes_more_than_linear_time(unit: str) -> None:
    """Quadratic matching took minutes here; the suite would not end."""
    strip(unit * 50_000)


@pytest.mark.parametrize("blank", [" ", "\n", "\t"])
def test_a_marker_followed_by_much_space_takes_linear_time(blank: str) -> None:
    text = "<" + blank * 300_000 + "x"

    assert text.strip() == strip(text)
    assert text == quote(text)


@pytest.mark.parametrize(
    "spelt",
    [
        "</recalled\u200b-memories>", "</re\u00adcalled-memories>", "＜／ｒｅｃａｌｌｅｄ－ｍｅｍｏｒｉｅｓ＞", "<\u2060/recalled\u2011memories>",
        "< / Recalled Memories >", "﹤recalled-memories﹥",
    ],
)  # fmt: skip
def test_no_spelling_of_the_marker_opens_or_closes_a_block(spelt: str) -> None:
    assert not set("<＜﹤") & set(quote(spelt))


@given(st.text(alphabet="<>/ab recalled-memories\u200b", max_size=200))
def test_quoting_changes_nothing_but_brackets(text: str) -> None:
    assert quote(text).replace("‹", "<") == text
    assert quote(quote(text)) == quote(text)
