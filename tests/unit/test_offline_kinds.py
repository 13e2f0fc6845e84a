"""Kinds by tables of words: what stands about a person, what is liked, and look-alikes of both."""

from __future__ import annotations

import pytest

from perdure.offline.kinds import kind


def kinds(*texts: str, has_event: bool = False) -> set[str]:
    return {kind(text, slot=None, has_event=has_event) for text in texts}


@pytest.mark.parametrize(
    "text",
    [
        "Ana has been vegan for two years.",
        "The user is strictly pescatarian.",
        "The user is severely allergic to bee stings.",
        "The user's son is gluten intolerant.",
        "The user has type 2 diabetes.",
        "Ana was diagnosed with epilepsy.",
        "Ana is six months pregnant.",
        "The user is almost blind in one eye.",
        "The user wears hearing aids.",
        "The user is ambidextrous.",
        "The user eats only halal.",
        "The user doesn't drink any alcohol.",
        "The user never eats red meat.",
        "The user gave up smoking.",
        "Ana's pronouns are she/her.",
        "The user's blood group is AB negative.",
        "The user is terrified of spiders.",
        "The user has a fear of heights.",
        "Garlic gives the user heartburn.",
        "Walnuts could kill Ana.",
        "The user can't swim.",
        "The user's name is Iris.",
        "The user is 52 years old.",
        "Ana is a retired bus driver.",
        "The user works as a translator.",
        "Ana grew up near Ghent.",
        "The user is from Peru.",
        "The user has three grandchildren.",
        "The user's brother lives in Oslo.",
        "Eva is Ana's stepmother.",
        "The user speaks Catalan.",
        "The user runs a small bakery.",
    ],
)
def test_diet_health_identity_work_home_and_family_are_profile(text: str) -> None:
    assert {"profile"} == kinds(text)


def test_a_standing_fact_is_profile_though_it_names_a_time() -> None:
    assert {"profile"} == kinds("The user has been vegan since 3 May 2019.", has_event=True)


@pytest.mark.parametrize(
    "text",
    [
        "The user detests cold showers.",
        "The user never takes the lift.",
        "The user always sits by the window.",
        "Ana would rather walk than drive.",
        "The user is not keen on musicals.",
        "The user is a huge fan of snooker.",
        "The user doesn't like surprises.",
        "Ana can't stand crowds.",
        "The user's favourite season is autumn.",
        "The user has no interest in golf.",
        "The user avoids motorways.",
        "The user wants the assistant to use kilometres.",
    ],
)
def test_tastes_habits_and_wishes_are_preferences(text: str) -> None:
    assert {"preference"} == kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "The user cooked a vegan chilli.",
        "The user read about diabetes.",
        "The user is planning a christian wedding for a client.",
        "The user is tired.",
        "The user has an appointment.",
        "The user can't find the keys.",
        "The report is a disaster.",
        "The user is a member.",
        "The user photographed a blind horse.",
        "The user's friend adopted a strategy.",
        "The user is looking for a wheelchair ramp.",
        "The user feels like a stone.",
    ],
)
def test_look_alikes_are_facts(text: str) -> None:
    assert {"fact"} == kinds(text)


def test_what_happened_is_an_event() -> None:
    assert {"event"} == kinds("Ana hiked on 3 May 2024.", "Ana liked a vegan restaurant in May 2024.", has_event=True)
