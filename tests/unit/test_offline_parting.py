"""A sentence parted into facts that stand alone, its pronouns named."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from perdure import when
from perdure.offline.parting import parted


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "My sister doesn't live in Rome anymore, she lives in Pisa.",
            ["My sister doesn't live in Rome anymore.", "My sister lives in Pisa."],
        ),
        ("We have a dog called Biscuit, he's three.", ["We have a dog called Biscuit.", "Biscuit is three."]),
        ("I stopped running, my knee hurts.", ["I stopped running.", "My knee hurts."]),
        ("I have a brother, his name is Piotr.", ["I have a brother.", "My brother's name is Piotr."]),
        ("I live in Leeds with my wife Eva.", ["I live in Leeds.", "I live with my wife Eva."]),
    ],
)
def test_what_stands_alone_is_a_fact_of_its_own(text: str, facts: list[str]) -> None:
    assert parted(text) == facts


@pytest.mark.parametrize(
    "text",
    ["I work at Acme, a small bakery.", "I live in Leeds and it rains a lot.", "I play guitar, piano and drums."],
)
def test_what_does_not_stand_alone_stays(text: str) -> None:
    assert parted(text) == [text]


def test_a_feast_told_of_on_its_day_is_that_day() -> None:
    said = datetime(2026, 2, 14, 21, tzinfo=UTC)
    spans = when.find("We had dinner for Valentine's day.", anchor=said)
    assert [span.start for span in spans] == [datetime(2026, 2, 14, tzinfo=UTC)]
