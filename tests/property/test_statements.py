"""Laws of the offline statements: whatever is said, quotes stand in their message, and reading takes no time squared."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdure.models import ExtractionContext
from perdure.offline.extract import extract
from perdure.offline.sentences import LONGEST
from tests import make

WORDS = (
    "I am a nurse and live in Lyon because my dog is vegan if we were rich you don't like it please always remember that "
    "never use emojis She said yes no Rome? ! . , : ; \" ' ** https://a.b/?c=d \n - sono un medico 我 住 在 上海 1 May"
).split(" ")


def candidates(text: str, before: str = "Do you live in Rome?") -> list[tuple[str, str]]:
    window = (make.message_record(before, id="m-0", role="assistant", origin="assistant"),)
    exchange = make.exchange(make.message_record(text, id="m-1"))
    return [(c.text, c.quote) for c in extract(ExtractionContext("", window, exchange)).candidates]


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=60).map(" ".join))
def test_every_quote_stands_in_its_message_and_no_statement_is_empty(text: str) -> None:
    for statement, quote in candidates(text):
        assert quote
        assert quote in text
        assert statement.strip()


@settings(deadline=None)
@given(st.text(min_size=1, max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    candidates(text if text.strip() else "x")


@pytest.mark.parametrize(
    "piece",
    [
        "I cook and ",
        "a ",
        "Ab ",
        "1 ",
        "if I were ",
        "I want you to ",
        "I'm tall, ",
        "**a** ",
        "my ",
        "[",
        "does not ",
        "Hi! ",
    ],
)
def test_a_message_far_beyond_the_bound_costs_what_the_bound_costs(piece: str) -> None:
    """Ratios are generous: the reading is bounded, so that ten times the text costs about the same."""
    times = []
    for length in (LONGEST, 10 * LONGEST):
        text = (piece * (length // len(piece) + 1))[:length]
        started = time.process_time()
        candidates(text)
        times.append(time.process_time() - started)

    assert times[1] < 4 * times[0] + 0.2
