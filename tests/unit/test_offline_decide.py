"""Algorithm 1 by rules: what repeats, what replaces, what only looks like it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from perdure.models import Decision, Match, Similar
from perdure.offline.decide import decide
from tests import make

LATER = make.AT + timedelta(days=30)


def match(text: str, *memories: Any, similarity: float = 0.8, **fields: Any) -> Match:
    candidate = make.candidate(text, **{"at": LATER, "valid_from": LATER, **fields})
    return Match(candidate, tuple(Similar(m, similarity, 0.5) for m in memories))


def decided(*matches: Match) -> list[Decision]:
    return decide(matches, near_duplicate=0.95)


def events(*matches: Match) -> list[tuple[str, str | None, str | None]]:
    return [(d.event, d.target, d.effect) for d in decided(*matches)]


def test_the_same_words_are_a_noop_on_the_memory_that_says_them() -> None:
    assert events(match("ana lives in lyon!", make.memory("Ana lives in Lyon"))) == [("NOOP", "mem-1", None)]


def test_a_near_duplicate_is_a_noop() -> None:
    stored = make.memory("Ana really enjoys baking sourdough bread")

    assert events(match("Ana enjoys baking sourdough bread", stored, similarity=0.97)) == [("NOOP", "mem-1", None)]
    assert events(match("Ana enjoys baking sourdough bread", stored, similarity=0.94)) == [("ADD", None, None)]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Ana ran 10 km in the park", "Ana ran 5 km in the park"),
        ("Ana baked bread with Tom", "Ana baked bread with Tim"),
        ("Ana opened the old shop", "Ana closed the old shop"),
        ("Ana is allergic to nuts", "Ana is allergic to milk"),
    ],
)
def test_texts_that_differ_in_a_number_name_negation_or_opposite_are_no_duplicates(new: str, old: str) -> None:
    assert events(match(new, make.memory(old), similarity=0.99)) == [("ADD", None, None)]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Ana doesn't eat fish", "Ana eats fish"),
        ("Ana hates long flights", "Ana loves long flights"),
        ("Ana prefers coffee to tea", "Ana prefers tea to coffee"),
    ],
)
def test_the_opposite_in_nearly_the_same_words_is_no_duplicate_and_ends_it(new: str, old: str) -> None:
    assert events(match(new, make.memory(old), similarity=0.99)) == [("DELETE", "mem-1", "change")]


def test_the_same_words_of_another_day_are_another_event() -> None:
    stored = make.memory("Ana went swimming", event_from=make.AT, event_to=make.AT + timedelta(days=1))

    assert events(match("Ana went swimming", stored, event_from=LATER)) == [("ADD", None, None)]


def test_a_change_ends_the_other_value_of_a_single_valued_slot() -> None:
    stored = make.memory("Ana lives in Lyon")

    assert events(match("Ana moved to Porto", stored)) == [("DELETE", "mem-1", "change")]


def test_a_correction_retracts_it() -> None:
    stored = make.memory("Ana lives in Lyon")

    assert events(match("Ana lives in Porto", stored, is_correction=True)) == [("DELETE", "mem-1", "correction")]


def test_every_stored_value_of_the_slot_is_retired_once() -> None:
    stored = [make.memory("Ana lives in Lyon"), make.memory("Ana is living in Nice", id="mem-2")]

    found = events(match("Ana moved to Porto", *stored), match("Ana's new home town is Porto", *stored))

    assert found == [("DELETE", "mem-1", "change"), ("DELETE", "mem-2", "change"), ("ADD", None, None)]


def test_a_bare_negation_ends_what_it_negates() -> None:
    job = make.memory("Ana works at Bosch")

    assert events(match("Ana no longer works at Bosch", job, is_negation=True)) == [("DELETE", "mem-1", "change")]
    assert events(match("Ana quit Ana's job", job, is_negation=True)) == [("DELETE", "mem-1", "change")]
    assert events(match("Ana no longer works at Airbus", job, is_negation=True)) == [("ADD", None, None)]


def test_a_multi_valued_slot_ends_only_by_the_negation_of_its_value() -> None:
    tea = make.memory("Ana likes tea")

    assert events(match("Ana likes coffee", tea)) == [("ADD", None, None)]
    assert events(match("Ana doesn't like coffee", tea, is_negation=True)) == [("ADD", None, None)]
    assert events(match("Ana no longer likes tea", tea, is_negation=True)) == [("DELETE", "mem-1", "change")]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Ana's sister moved to Porto", "Ana lives in Lyon"),
        ("Ana also works at Lidl", "Ana works at Bosch"),
        ("Ana lives in Lyon, France", "Ana lives in Lyon"),
        ("Ana visited Porto", "Ana lives in Lyon"),
        ("Ana would like to live in Porto", "Ana lives in Lyon"),
        ("Ana's favourite book is Emma", "Ana's favourite film is Alien"),
        ("Ana is allergic to nuts", "Ana is allergic to shellfish"),
        ("Ana bought a Volvo", "Ana owns a Tesla"),
    ],
)
def test_a_look_alike_ends_nothing(new: str, old: str) -> None:
    assert events(match(new, make.memory(old))) == [("ADD", None, None)]


def test_an_assistant_never_ends_what_a_user_said() -> None:
    assert events(match("Ana lives in Porto", make.memory("Ana lives in Lyon"), origin="assistant")) == [
        ("ADD", None, None)
    ]


def test_what_has_ended_stays_as_it_is() -> None:
    ended = make.memory("Ana lives in Nice", id="mem-2", valid_to=make.AT)

    assert events(match("Ana moved to Porto", ended)) == [("ADD", None, None)]


def test_a_contradiction_with_what_was_said_later_is_named_so_that_apply_can_place_it() -> None:
    newer = make.memory("Ana lives in Lyon", valid_from=LATER + timedelta(days=1))

    assert events(match("Ana moved to Porto", newer)) == [("DELETE", "mem-1", "change")]


def test_decisions_come_in_the_order_of_their_candidates() -> None:
    found = decided(match("Ana moved to Porto", make.memory()), match("Ana bakes"), match("Ana sings"))

    assert [d.candidate for d in found] == [0, 1, 2]
    assert all(d.reason for d in found)


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Ann manages Tom", "Tom manages Ann"),
        ("Globex acquired Acme", "Acme acquired Globex"),
        ("Ana's flight to Rome is lh232c", "Ana's flight to Rome is lh232b"),
    ],
)
def test_names_in_another_order_or_another_code_are_another_fact(said: str, held: str) -> None:
    assert events(match(said, make.memory(held), similarity=0.99)) == [("ADD", None, None)]


@pytest.mark.parametrize(
    ("old", "new", "is_one"),
    [
        ("The user's brother Marek lives in Warsaw.", "Marek moved to Gdansk.", True),
        ("Marek lives in Warsaw.", "The user's brother Marek moved to Gdansk.", True),
        ("The user's sister Eva works at Bosch.", "Eva works at Siemens.", True),
        ("The user's brother Marek lives in Warsaw.", "The user's colleague Marek moved to Gdansk.", False),
        ("The user's brother lives in Warsaw.", "Marek moved to Gdansk.", False),
        ("The user lives in Warsaw.", "Marek moved to Gdansk.", False),
    ],
)
def test_a_relative_is_one_person_with_and_without_the_kinship(old: str, new: str, is_one: bool) -> None:
    decision = decided(match(new, make.memory(old)))[0]

    assert decision.event == ("DELETE" if is_one else "ADD")


@pytest.mark.parametrize(
    "text",
    ["The user's last day at Initech is 27 June 2024.", "27 June 2024 is the user's last day at Initech.",
     "The user's last day at Initech will be 27 June 2024.", "The user is leaving Initech on 27 June 2024."],
)  # fmt: skip
def test_a_last_day_at_work_ends_it_on_that_day(text: str) -> None:
    ends = datetime(2024, 6, 28, tzinfo=UTC)
    works = make.memory("The user works at Initech.")

    (dated,) = decided(match(text, works, event_from=ends - timedelta(days=1), event_to=ends))
    (other,) = decided(match(text, make.memory("The user works at Bosch."), event_from=ends, event_to=ends))

    assert ("DELETE", "change", ends) == (dated.event, dated.effect, dated.ends)
    assert other.event == "ADD"
