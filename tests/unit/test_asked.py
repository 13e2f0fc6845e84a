"""What a question asks for, and what is no evidence."""

import pytest

from perdure.read.asked import asked, holds, is_bare, looks_up


@pytest.mark.parametrize(
    "content", ["Haha ok.", "Noted!", "How old is Marek?", "Do you remember where I lived before?"]
)
def test_a_message_that_only_asks_or_says_nothing_is_bare(content: str):
    assert is_bare(content)


@pytest.mark.parametrize("content", ["I moved to Oslo. Did you?", "Three, we think.", "I live in Ghent."])
def test_a_message_that_tells_something_is_not_bare(content: str):
    assert not is_bare(content)


def test_a_move_fills_the_slot_of_where_somebody_lives_for_them_alone():
    question = asked("Where does Tomasz live?")

    assert holds(question, "Tomasz moved to Oslo.")
    assert not holds(question, "Ana moved to Oslo.")


def test_a_question_after_a_fact_asks_for_no_advice():
    assert looks_up("Which dentist do I see?")
    assert not looks_up("Which dentist should I see?")
