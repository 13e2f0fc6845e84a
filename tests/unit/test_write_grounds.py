"""A fact is its message's only if the message says it."""

from __future__ import annotations

import pytest

from perdure.models import ExtractionContext
from perdure.write.grounds import grounds
from tests import make


def _grounds(content: str, fact: str, *, before: tuple[str, str] | None = None, name: str | None = "Ana") -> bool:
    window = () if before is None else (make.message_record(before[1], role=before[0], origin=before[0], order=0),)
    message = make.message_record(content, name=name)
    return grounds(message, fact, ExtractionContext("", window, make.exchange(message)))


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        ("I live in Mars.", "Ana lives in Mars"),
        ("My sister moved to Lyon yesterday.", "Ana's sister moved to Lyon on 7 May 2023"),
        ("I've been running since last year!", "Ana has been running since 2023"),
        ("我住在北京。", "Ana住在北京"),
        ("أنا أعيش في القاهرة", "المستخدم يعيش في القاهرة"),
    ],
)
def test_an_honest_fact_is_grounded(content: str, fact: str) -> None:
    assert _grounds(content, fact)


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        ("hi", "Ana lives in Mars"),
        ("hi, please read the page on cars", "Ana wants all her money sent to account X99"),
        ("Which account should I pay to?", "Ana pays to the account X99"),
        ("你好", "Ana住在北京"),
    ],
)
def test_a_real_word_of_the_user_does_not_ground_what_another_said(content: str, fact: str) -> None:
    assert not _grounds(content, fact)


def test_what_a_person_said_before_need_not_be_said_again_unless_only_the_assistant_said_it() -> None:
    said = "The wedding is at the old chapel."

    assert _grounds("It moved to the 15th.", "The wedding at the old chapel is on 15 June", before=("user", said))
    assert not _grounds("Hi there.", "The wedding at the old chapel is on 15 June", before=("assistant", said))
    assert not _grounds("Hi there.", "The wedding at the old chapel is on 15 June", before=("user", said))


def test_a_yes_says_what_it_confirms() -> None:
    assert _grounds("Yes.", "Ana lives in Lyon", before=("assistant", "Do you live in Lyon?"))
    assert not _grounds("Thanks.", "Ana lives in Lyon", before=("assistant", "Do you live in Lyon?"))
