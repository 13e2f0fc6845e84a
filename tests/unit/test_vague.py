"""What says nothing to somebody who did not hear the talk is left out, and chat's "this" is no pointer."""

from __future__ import annotations

import pytest

from perdure import Memory
from perdure.offline.vague import indefinite, is_empty, is_pointing


def told(*said: str) -> list[str]:
    """Return the statements that two people's turns give, Ana's first."""
    turns = [{"role": "user", "name": ("Ana", "Ben")[n % 2], "content": text} for n, text in enumerate(said)]
    with Memory(":memory:", embedder="none") as memory:
        memory.add(turns, user="u")
        return [one.text for one in memory.list(user="u")]


@pytest.mark.parametrize(
    "reaction",
    [
        "I was definitely elated!", "Stoked about it!", "I 100% agree, Ben.", "I'll definitely keep that in mind.",
        "I'd love to.", "I haven't.", "I'll keep working hard on it.", "We should cherish every moment of life.",
        "Now I can't wait for the pictures.", "I will try it out.", "Hang in there, the paperwork takes ages.",
    ],
)  # fmt: skip
def test_a_reaction_a_promise_or_advice_gives_no_statement(reaction: str) -> None:
    assert told("The paperwork for the studio takes ages.", reaction)[:-1] == []


@pytest.mark.parametrize(
    "statement",
    [
        "I was elated to win the chess cup.", "I keep bees in our garden.", "I agree with my sister about the house.",
        "I'll try it at the Lisbon marathon.", "I'm proud of my daughter's violin concert.", "I moved this week.",
    ],
)  # fmt: skip
def test_what_names_something_stays(statement: str) -> None:
    assert not is_empty(statement)
    assert not is_pointing(statement)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I have been reading this inspiring book.", "I have been reading an inspiring book."),
        ("I found these old photos.", "I found some old photos."),
        ("I moved this week.", "I moved this week."),
        ("I wrote this because I was sad.", "I wrote this because I was sad."),
        ("I think this is fine.", "I think this is fine."),
    ],
)
def test_the_this_of_chat_becomes_an_article(said: str, kept: str) -> None:
    assert indefinite(said) == kept


def test_a_sentence_that_points_at_what_was_said_comes_with_it_or_not_at_all() -> None:
    texts = told("The park by the river has a new pond.", "I need to take my pups for a stroll there.")
    assert any(text.startswith('After "The park by the river has a new pond."') for text in texts)
    assert told("I read it a while back and changed my goals.") == []


def test_a_gerund_that_is_the_subject_is_not_told_of_the_speaker() -> None:
    [text] = told("Having my sister's furry friends along on a road trip is an amazing experience.")

    assert "is having" not in text
