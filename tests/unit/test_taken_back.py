"""What a user asks the assistant to forget is retracted; what only sounds like it changes nothing."""

from __future__ import annotations

import pytest

from perdure import Memory

PASSPORT, SISTER = "The user's passport number is X1234567.", "The user's sister is Lea."


def left_after(*said: str) -> list[str]:
    with Memory(":memory:", embedder="none") as memory:
        memory.add("My passport number is X1234567. My sister is Lea.", user="u")
        for text in said:
            memory.add(text, user="u")
        return sorted(one.text for one in memory.list(user="u"))


@pytest.mark.parametrize(
    "said",
    [
        "Forget my passport number.", "Please delete my passport number from your memory.", "Can you erase my passport number?",
        "Actually don't remember my passport number.", "Don't store my passport number, please.",
        "Remove my passport number from memory.",
    ],
)  # fmt: skip
def test_what_is_to_be_forgotten_is_retracted(said: str) -> None:
    assert left_after(said) == [SISTER]


@pytest.mark.parametrize(
    "said",
    ["Forget my sister, she is mean.", "Delete my last commit.", "Never forget my mother's cakes.", "Forget it."],
)
def test_what_only_sounds_like_it_retracts_nothing(said: str) -> None:
    assert {PASSPORT, SISTER} <= set(left_after(said))


def test_it_can_be_undone() -> None:
    with Memory(":memory:", embedder="none") as memory:
        memory.add("My passport number is X1234567.", user="u")
        memory.undo(memory.add("Forget my passport number.", user="u").operation_id)
        assert [one.text for one in memory.list(user="u")] == [PASSPORT]


def test_between_people_it_is_talk() -> None:
    with Memory(":memory:", embedder="none") as memory:
        memory.add([{"role": "user", "name": "Ana", "content": "My address is Elm Street 4."}], user="u")
        talk = [
            {"role": "user", "name": "Ben", "content": "Nice."},
            {"role": "user", "name": "Ana", "content": "Forget my address."},
        ]
        memory.add(talk, user="u")
        assert "Ana's address is Elm Street 4." in [one.text for one in memory.list(user="u")]
