"""Changes in plain words that two statements side by side would leave both: mothers, employers, doses, dates, races."""

from __future__ import annotations

import pytest

from perdure import Memory
from perdure.offline.person import Cast, third


def held(*said: str) -> list[str]:
    with Memory(":memory:") as memory:
        for number, text in enumerate(said):
            memory.add(text, user="ana", at=f"2026-03-{number + 1:02}T09:00:00Z")
        return [one.text for one in memory.list(user="ana", order="valid")]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("My mum lives in York.", "Mum moved to Harrogate."),
        ("My mother Helen lives in York.", "My mum moved to Harrogate."),
        ("I work at Leeds hospital.", "I work at Bayer now."),
        ("I work as a nurse at the Norton clinic.", "I started at Acre Labs."),
        ("I take 50mg of sertraline.", "My doctor upped me to 100 mg of sertraline."),
        ("I'm on 20mg of citalopram daily.", "My citalopram went down to 10mg."),
        ("Dan's wedding is on 20 June.", "Dan's wedding is on 27 June."),
        ("I've gone vegan.", "I'm not vegan any more, just vegetarian."),
        ("I signed up for the Leeds half marathon.", "I've pulled out of the half marathon."),
        ("I drive a Honda Jazz.", "I sold the Honda, got an e-bike instead."),
    ],
)
def test_the_old_value_ends_and_the_new_one_is_kept(first: str, then: str) -> None:
    [kept] = held(first, then)
    assert kept != held(first)[0]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("My mum lives in York.", "Priya's mum moved to Harrogate."),
        ("My mother Helen lives in York.", "My mother-in-law moved to Harrogate."),
        ("My grandma Ida lives in York.", "My grandma Rose moved to Harrogate."),
        ("I take 50mg of sertraline.", "My sister takes 100mg of sertraline."),
        ("I take 50mg of sertraline.", "I take 10mg of loratadine."),
        ("Dan's wedding is on 20 June.", "Priya's wedding is on 27 June."),
        ("My dentist appointment is on 20 June.", "My dentist appointment is on 27 June."),
        ("I signed up for the Leeds half marathon.", "I pulled out of the charity auction."),
        ("I work at Leeds hospital.", "My brother works at Bayer now."),
    ],
)
def test_what_only_looks_alike_ends_nothing(first: str, then: str) -> None:
    assert held(first)[0] in held(first, then)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Mum moved to York", "Ana's mum moved to York"),
        ("I hiked with Dad on Sunday", "Ana hiked with Ana's dad on Sunday"),
        ("Mom's soup is the best", "Ana's mom's soup is the best"),
        ("Thanks Mom for the cake", "Thanks Mom for the cake"),
        ("Bea's Mum moved", "Bea's Mum moved"),
        ("Dad jokes are fun", "Dad jokes are fun"),
        ("Bea is a great Mom and friend", "Bea is a great Mom and friend"),
    ],
)
def test_a_mother_called_mum_is_the_speakers_own(said: str, told: str) -> None:
    assert third(said, Cast("Ana")) == told
