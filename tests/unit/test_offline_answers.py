"""A yes or no states its question, where that is plain."""

from __future__ import annotations

import pytest

from perdure.offline.answers import stated


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Do you own a car?", "Yes.", "I own a car."),
        ("Do you own a car?", "nope", "I don't own a car."),
        ("Do you drink wine?", "No, never.", "I don't drink wine."),
        ("Are you a teacher?", "Yes, I am!", "I am a teacher."),
        ("Are you a teacher?", "I'm not.", "I am not a teacher."),
        ("Have you ever been to Chile?", "Yep, twice.", "I have been to Chile, twice."),
        ("Have you ever been to Chile?", "No.", "I have never been to Chile."),
        ("Do you still work at Bosch?", "Not anymore.", "I no longer work at Bosch."),
        ("So, do you live with your sister?", "Yeah!", "I live with my sister."),
        ("Does your brother live in Oslo?", "Yes.", "My brother lives in Oslo."),
        ("Can you swim?", "No, I can't.", "I can't swim."),
    ],
)
def test_a_yes_or_no_states_a_plain_question(question: str, answer: str, expected: str) -> None:
    assert expected == stated(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do you like it?", "Yes."),
        ("Tea or coffee?", "Yes."),
        ("Do you drink tea or coffee?", "Yes."),
        ("Do you want me to book a table?", "Yes please."),
        ("Would you like a summary?", "Yes."),
        ("Do you have any plans?", "Yes."),
        ("Are you sure?", "Yes."),
        ("What is your name?", "Yes."),
        ("Do you live in Rome?", "Perhaps."),
        ("Do you live in Rome?", "No, in Milan."),
        ("Do you live in Rome?", "Yes, but I hate it."),
    ],
)
def test_a_question_that_leans_on_something_or_an_answer_that_says_more_states_nothing(
    question: str, answer: str
) -> None:
    assert stated(question, answer) is None
