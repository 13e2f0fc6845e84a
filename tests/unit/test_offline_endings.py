"""What is over, moved or wrong in words that no slot knows: tables of pairs, and the rules behind them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from perdure.models import Candidate, Decision, ExtractionContext, Match, MemoryRecord, Similar
from perdure.offline import meet
from perdure.offline.decide import decide
from perdure.offline.extract import extract
from tests import ended, make, varied

LATER = make.AT + timedelta(days=30)


def said(text: str, at: datetime, name: str | None = None) -> Sequence[Candidate]:
    message = make.message_record(text, at=at, name=name)
    return extract(ExtractionContext("", (), make.exchange(message))).candidates


def remembered(*texts: str, name: str | None = None) -> list[MemoryRecord]:
    """The memories that messages of one person leave."""
    found = [candidate for text in texts for candidate in said(text, make.AT, name)]
    return [
        make.memory(
            c.text, id=f"mem-{number}", attributed_to=c.attributed_to, event_from=c.event_from, event_to=c.event_to,
            valid_from=c.valid_from, entities=c.entities,
        )
        for number, c in enumerate(found)
    ]  # fmt: skip


def settled(new: str, *old: str, at: datetime = LATER, by: str | None = None, of: str | None = None) -> list[Decision]:
    """The DELETEs of a new message against what older ones left, where it finds them by the thing that they name."""
    held = remembered(*old, name=of)
    matches = [
        Match(candidate, tuple(Similar(m, 0.0, 0.0) for m in held if meet.common(candidate, m)[1]))
        for candidate in said(new, at, by)
    ]
    return [d for d in decide(matches, near_duplicate=0.97) if d.event == "DELETE"]


@pytest.mark.parametrize(("old", "new"), ended.CHANGES)
def test_what_is_said_to_be_over_or_moved_ends_and_is_found_near(old: str, new: str) -> None:
    assert [d.effect for d in settled(new, old)] == ["change"]


@pytest.mark.parametrize(("old", "new"), ended.CORRECTIONS)
def test_what_is_said_to_have_been_wrong_is_retracted(old: str, new: str) -> None:
    assert [d.effect for d in settled(new, old, at=make.AT)] == ["correction"]


@pytest.mark.parametrize(("old", "new"), ended.LOOK_ALIKES + varied.LOOK_ALIKES + varied.LOOK_ALIKES_2)
def test_what_only_looks_like_an_ending_leaves_the_memory_alone(old: str, new: str) -> None:
    assert settled(new, old) == []


def test_of_two_memories_that_fit_alike_none_ends() -> None:
    assert settled("I've sold the kayak.", "I own a red kayak.", "I own a blue kayak.") == []
    assert [d.target for d in settled("I've sold the red kayak.", "I own a red kayak.", "I own a blue kayak.")] == [
        "mem-0"
    ]


def test_only_the_speaker_ends_what_the_speaker_said() -> None:
    assert settled("I've left the choir.", "I sing in the choir.", by="Tom", of="Ana") == []
    assert len(settled("I've left the choir.", "I sing in the choir.", by="Ana", of="Ana")) == 1


def test_an_appointment_whose_time_has_come_is_not_moved() -> None:
    old = "My eye test is on 12 May 2024."

    assert len(settled("My eye test has moved to 19 May 2024.", old, at=make.AT)) == 1
    assert settled("My eye test has moved to 19 August 2024.", old, at=LATER + timedelta(days=60)) == []


def test_a_figure_alone_corrects_only_what_was_just_said() -> None:
    assert len(settled("Sorry, 71 Elm Road.", "I live at 17 Elm Road.", at=make.AT)) == 1
    assert settled("Sorry, 45.", "I weigh 92 kilos.", at=LATER) == []


def test_an_ending_without_a_subject_is_kept_as_a_statement_of_the_speaker() -> None:
    assert [c.text for c in said("no longer in the choir", make.AT)] == ["The user says: No longer in the choir."]


@pytest.mark.parametrize(
    ("pairs", "effect", "at_least"),
    [
        (varied.CHANGES, "change", 28),
        (varied.CORRECTIONS, "correction", 16),
        (varied.CHANGES_2, "change", 19),
        (varied.CORRECTIONS_2, "correction", 9),
    ],
)
def test_of_varied_wordings_most_are_found_and_told_apart(
    pairs: Sequence[tuple[str, str]], effect: str, at_least: int
) -> None:
    found = [[d.effect for d in settled(new, old, at=make.AT + timedelta(days=3))] for old, new in pairs]

    assert {one for each in found for one in each} == {effect}
    assert sum(map(bool, found)) >= at_least
