"""Reading a message costs about as much as the message is long, whatever it repeats."""

from __future__ import annotations

from datetime import UTC, datetime
from time import process_time

import pytest

from perdure import when
from perdure.models import ExtractionContext
from perdure.offline.extract import extract
from tests import make

ANCHOR = datetime(2026, 9, 17, tzinfo=UTC)
CHARS = 8_000
MOST_S = 3.0  # chosen: what was quadratic took 6 to 33 s at this length, and takes below 0.5 s since

UNITS = [
    " ", "\n", "\t", "1", "9 ", "1/", "1-", "2024-", "A", "a", "Ab", "I ", "_", ".", "!", "? ", ". ", ", ", "; ", '"', "'",
    "(", ")", "[", "{", "<", "> ", "|", "| a\n", "|a", "`", "```", "~~~", "<code>", "<pre>", "-", "- ", "—", "#", ":)", "🙂",
    "\u3000", "年", "3日 ", "1日", "明天", "é", "\0", "a.", "e.g. x ", "next week ", "3 days ago ", "I met Ana tomorrow ",
    "see you Friday. ", "on ", "in ", "the ", "last ", "May ", "5 May ", "will ", "was ", "so ", "let me know ", "you know ",
    "I live in Ghent ", "I live in Ghent. ", "my ", "and I ", "not ", "no, ", "hey ", "hier ", "il y a ", "dans ", "Traceback\n",
    "at a(", "is being ", "going to ", "Mr. ", "I'm ", "prepar", "a few ",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_reading_a_repetition_is_about_linear(unit: str) -> None:
    content = "I live in Ghent" + unit * (CHARS // len(unit)) + "x"

    begin = process_time()
    when.absolute(content, anchor=ANCHOR)
    extract(ExtractionContext("", (), make.exchange(make.message_record(content))))

    assert process_time() - begin < MOST_S


def test_a_sentence_beyond_the_bound_is_kept_word_for_word_without_a_date() -> None:
    long = "I live in Ghent and met Ana yesterday, " + "so it goes, " * 200

    candidates = extract(ExtractionContext("", (), make.exchange(make.message_record(long + "x. I moved to Lyon."))))

    assert long in candidates.candidates[0].text
    assert (candidates.candidates[0].slot, candidates.candidates[0].event_from) == (None, None)
    assert "Lyon" in candidates.candidates[1].text
