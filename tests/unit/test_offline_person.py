"""The third person: verbs agree, whoever speaks is named."""

from __future__ import annotations

import pytest

from perdure.offline.person import Cast, third


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I juggle and whistle.", "Ana juggles and whistle."),
        ("I doubt it.", "Ana doubts it."),
        ("I echo that.", "Ana echoes that."),
        ("I rely on buses.", "Ana relies on buses."),
        ("I put salt in it.", "Ana put salt in it."),
        ("I sing but don't dance.", "Ana sings but doesn't dance."),
        ("I was late and my boss is cross with me.", "Ana was late and Ana's boss is cross with Ana."),
        ("I'm shy and have two cats.", "Ana is shy and has two cats."),
        ("I moved to Bonn and work at a bank.", "Ana moved to Bonn and works at a bank."),
        ("I want to travel and see Peru.", "Ana wants to travel and see Peru."),
        ("Bo and I run a shop and live upstairs.", "Bo and Ana run a shop and live upstairs."),
        ("I eat kale, which I tolerate.", "Ana eats kale, which Ana tolerates."),
        ("I'd never felt so well.", "Ana had never felt so well."),
        ("I'd rather wait.", "Ana would rather wait."),
        ("I've a boat; it's mine.", "Ana has a boat; it's Ana's."),
        ("I flew to the US by myself.", "Ana flew to the US by themselves."),
        ("I loves jokes.", "Ana loves jokes."),
    ],
)
def test_every_verb_of_the_speaker_agrees(text: str, expected: str) -> None:
    assert expected == third(text, Cast("Ana"))
