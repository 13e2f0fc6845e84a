"""Dates in words, measured and carried into the offline engine's statements."""

from __future__ import annotations

from datetime import UTC, datetime

from runs import dates

from perdure.models import Candidate, ExtractionContext
from perdure.offline.extract import extract
from tests import make

TUESDAY = datetime(2024, 5, 7, 12, tzinfo=UTC)


def test_nine_in_ten_of_the_written_sentences_are_read_right() -> None:
    """The issue's criterion, on 120 sentences in eight languages; runs/dates.py reports them by language."""
    sentences = dates.rows("written")

    right = sum(dates.is_exact(row.expected, dates.perdure(row)) for row in sentences)

    assert len(sentences) == 120
    assert right / len(sentences) >= 0.9


def candidate(content: str) -> Candidate:
    messages = make.exchange(make.message_record(content, at=TUESDAY))
    (found,) = extract(ExtractionContext("", (), messages)).candidates
    return found


def test_a_range_is_an_event_from_its_first_day_to_the_day_after_its_last() -> None:
    fair = candidate("I will be at the fair in Lyon from 3 to 10 October.")

    assert (datetime(2024, 10, 3, tzinfo=UTC), datetime(2024, 10, 11, tzinfo=UTC)) == (fair.event_from, fair.event_to)


def test_what_was_moved_happens_on_its_new_day() -> None:
    talk = candidate("My talk in Lyon was moved from Thursday to Monday.")

    assert datetime(2024, 5, 13, tzinfo=UTC) == talk.event_from


def test_what_has_held_for_years_is_valid_since_about_then() -> None:
    home = candidate("I've lived in Lyon for three years.")

    assert home.event_from is None
    assert home.valid_from is not None
    assert home.valid_from.year == 2020


def test_a_past_range_that_begins_with_a_word_for_since_is_an_event() -> None:
    beach = candidate("Siamo stati al mare con gli amici dal 3 al 10 aprile.")

    assert (datetime(2024, 4, 3, tzinfo=UTC), datetime(2024, 4, 11, tzinfo=UTC)) == (beach.event_from, beach.event_to)
