"""Wordings and the slots they fill."""

from __future__ import annotations

import pytest

from perdure.offline import meet, slots
from tests import make

FILLED = [
    ("I live in Lyon", "lives_in", "Lyon"),
    ("I'm living in Porto now", "lives_in", "Porto"),
    ("I'm based in Madrid", "lives_in", "Madrid"),
    ("We moved to Berlin last month", "lives_in", "Berlin"),
    ("I just moved from Lyon to Marseille", "lives_in", "Marseille"),
    ("I've relocated to Vienna for work", "lives_in", "Vienna"),
    ("Ana now lives in Lyon, France.", "lives_in", "Lyon, France"),
    ("In March 2024 the user moved to Porto.", "lives_in", "Porto"),
    ("I work at Siemens", "works_at", "Siemens"),
    ("I've been working for Bosch", "works_at", "Bosch"),
    ("I started a new job at Airbus on Monday", "works_at", "Airbus"),
    ("I got a job at Bosch", "works_at", "Bosch"),
    ("I joined Novo Nordisk as a chemist", "works_at", "Novo Nordisk"),
    ("I work as a nurse", "job_title", "nurse"),
    ("I got promoted to team lead", "job_title", "team lead"),
    ("I'm 34 years old", "age", "34"),
    ("I turned 35 last week", "age", "35"),
    ("My name is Ana Lima", "name", "Ana Lima"),
    ("I'm married to Paul", "partner", "Paul"),
    ("My wife is Maria", "partner", "Maria"),
    ("I'm vegan", "diet", "vegan"),
    ("I went vegetarian", "diet", "vegetarian"),
    ("My favourite colour is blue", "favourite_colour", "blue"),
    ("My new favorite food is sushi", "favourite_food", "sushi"),
    ("My doctor is Dr. Haas", "doctor", "Dr. Haas"),
    ("My phone number is 555 0199", "phone_number", "555 0199"),
]
MANY = [
    ("I'm allergic to peanuts", "allergic_to", "peanuts"),
    ("I have a shellfish allergy", "allergic_to", "shellfish"),
    ("I love tea", "likes", "tea"),
    ("I can't stand mushrooms", "dislikes", "mushrooms"),
    ("I prefer trains to planes", "prefers", "trains over planes"),
    ("I own a Tesla", "owns", "Tesla"),
    ("I adopted a dog named Rex", "owns", "dog named Rex"),
    ("I speak fluent German", "speaks", "German"),
    ("I also work at Lidl on weekends", "works_at", "Lidl"),
]
ENDED = [
    ("I no longer live in Lyon", "lives_in", "Lyon"),
    ("I moved out of Lyon", "lives_in", "Lyon"),
    ("I no longer work there", "works_at", ""),
    ("I don't work at Siemens anymore", "works_at", "Siemens"),
    ("I quit Siemens last week", "works_at", "Siemens"),
    ("I quit my job yesterday", "works_at", ""),
    ("I'm not vegetarian anymore", "diet", "vegetarian"),
    ("I'm no longer allergic to peanuts", "allergic_to", "peanuts"),
    ("I don't like tea anymore", "likes", "tea"),
    ("I sold my Tesla", "owns", "Tesla"),
]


@pytest.mark.parametrize(("text", "attribute", "value"), FILLED)
def test_a_single_valued_slot_is_read_from_its_wordings(text: str, attribute: str, value: str) -> None:
    slot = slots.find(text, "user")

    assert slot is not None
    assert (attribute, value, True) == (slot.attribute, slot.value, slot.is_single)


@pytest.mark.parametrize(("text", "attribute", "value"), MANY)
def test_a_multi_valued_slot_is_read_from_its_wordings(text: str, attribute: str, value: str) -> None:
    slot = slots.find(text, "user")

    assert slot is not None
    assert (attribute, value, False) == (slot.attribute, slot.value, slot.is_single)


@pytest.mark.parametrize(("text", "attribute", "value"), ENDED)
def test_a_bare_negation_names_what_ends_and_fills_nothing(text: str, attribute: str, value: str) -> None:
    reading = slots.read(text, "user")

    assert reading is not None
    assert (attribute, value, True, True) == (
        reading.slot.attribute, reading.slot.value, reading.is_negation, reading.is_bare,
    )  # fmt: skip
    assert slots.find(text, "user") is None


@pytest.mark.parametrize(
    "text",
    [
        "I used to live in Rome",
        "I want to live in Rome",
        "I will move to Lyon",
        "I'm moving to Lyon next month",
        "I might be allergic to cats",
        "I moved to Python last year",
        "I moved to the second section",
        "When I lived in Rome I was happy",
        "I have been to Rome",
        "One of my favourite films is Alien",
        "Seems like ages",
        "I work at night",
        "We live in a small house",
        "If I live in Lyon I will cycle",
        "My boss thinks I live in Lyon",
    ],
)
def test_what_is_wished_planned_past_or_of_another_kind_fills_no_slot(text: str) -> None:
    assert slots.find(text, "user") is None


def test_a_statement_about_somebody_else_fills_their_slot() -> None:
    assert slots.find("My sister lives in Oslo", "user").subject == "the user's sister"  # type: ignore[union-attr]
    assert slots.find("Anna lives in Paris", "user").subject == "Anna"  # type: ignore[union-attr]


def test_two_wordings_of_one_slot_are_common_whatever_the_value() -> None:
    candidate = make.candidate("I moved to Porto", attributed_to="Ana")

    assert meet.common(candidate, make.memory("Ana lives in Lyon")) == (False, True)
    assert meet.common(candidate, make.memory("Ana's sister lives in Lyon")) == (False, False)
    assert meet.common(candidate, make.memory("Ana works at Bosch")) == (False, False)


def test_two_values_of_a_multi_valued_slot_have_nothing_in_common() -> None:
    tea = make.candidate("Ana no longer likes tea", attributed_to="Ana")

    assert meet.common(tea, make.memory("Ana likes green tea")) == (False, True)
    assert meet.common(tea, make.memory("Ana likes coffee")) == (False, False)


def test_a_shared_name_is_common_unless_it_is_the_speakers() -> None:
    candidate = make.candidate("Ana saw Tom", entities=("Ana", "Tom"))

    assert meet.common(candidate, make.memory("Tom bakes", entities=("tom",)))[0]
    assert not meet.common(candidate, make.memory("Ana bakes", entities=("Ana",)))[0]
