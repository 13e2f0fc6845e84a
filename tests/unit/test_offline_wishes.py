"""What is asked of the assistant: to remember, to behave in a certain way, a task, a game of pretending."""

from __future__ import annotations

import pytest

from perdure.offline import asides, passing, wishes
from perdure.offline.person import Cast

ANA = Cast("Ana", "the assistant")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Remember: my bike lock opens with 4711.", "my bike lock opens with 4711."),
        ("Please remember that the bins go out on Tuesday.", "the bins go out on Tuesday."),
        ("never forget that my sister is called Ines", "my sister is called Ines"),
        ("Keep in mind I have a bad knee.", "I have a bad knee."),
        ("FYI: our gate code is 99.", "our gate code is 99."),
        ("I should mention that I moved.", "I moved."),
        ("Could you note that I leave at noon?", "I leave at noon"),
    ],
)
def test_what_is_to_be_remembered_is_the_statement_after_it(text: str, expected: str) -> None:
    assert expected == asides.to_keep(text)


@pytest.mark.parametrize(
    "text", ["Remember when we met?", "Don't forget to call.", "Remember that time we got lost.", "Note the irony."]
)
def test_other_remembering_asks_for_nothing_to_be_kept(text: str) -> None:
    assert asides.to_keep(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer in Dutch, please.", "Ana wants the assistant to answer in Dutch."),
        ("Don't use bullet points.", "Ana wants the assistant not to use bullet points."),
        ("Never mention my brother.", "Ana wants the assistant never to mention Ana's brother."),
        ("From now on, keep replies short.", "Ana wants the assistant to keep replies short from now on."),
        ("I'd like you to be more formal.", "Ana wants the assistant to be more formal."),
        ("I want you to never give me spoilers.", "Ana wants the assistant never to give Ana spoilers."),
        ("Stop recommending fish.", "Ana wants the assistant to stop recommending fish."),
        ("Call me Bo.", "Ana wants to be called Bo."),
        ("No jargon please.", "Ana wants no jargon from the assistant."),
    ],
)
def test_a_wish_about_every_answer_stands(text: str, expected: str) -> None:
    assert expected == wishes.standing(text, ANA)


@pytest.mark.parametrize(
    "text",
    [
        "Write a short poem about rain.",
        "Give me two examples in French.",
        "Translate this into German.",
        "Explain entropy briefly.",
        "Fix the second function.",
        "Call me back tomorrow.",
        "Never give up!",
        "Be careful.",
    ],
)
def test_an_order_of_the_moment_does_not_stand(text: str) -> None:
    assert wishes.standing(text, ANA) is None


@pytest.mark.parametrize(
    "text",
    [
        "I need you to translate a letter.",
        "I want a haiku about snow.",
        "I would like an overview of the tax rules.",
        "We need some tips for packing.",
        "I'm trying to debug this script.",
        "I'd like to understand how vaccines work.",
        "I have another question.",
        "I keep getting a syntax error.",
    ],
)
def test_what_an_answer_fulfils_is_a_task(text: str) -> None:
    assert passing.is_task(text)


@pytest.mark.parametrize(
    "text",
    ["I need a new flat.", "I want a dog.", "I'm trying to quit smoking.", "I need tips for my daughter's wedding."],
)
def test_what_tells_of_the_speaker_is_no_task(text: str) -> None:
    assert not passing.is_task(text)


@pytest.mark.parametrize(
    "text",
    [
        "If I had a garden, I would grow beans.",
        "We'd move to Crete if we could.",
        "Suppose I owned a bank.",
        "Imagine I'm a pilot.",
        "In the film, I play a nurse.",
    ],
)
def test_what_is_only_imagined_is_supposed(text: str) -> None:
    assert passing.is_supposed(text)


def test_a_real_condition_is_not_supposed() -> None:
    assert not passing.is_supposed("If I eat shrimp I get a rash.")
