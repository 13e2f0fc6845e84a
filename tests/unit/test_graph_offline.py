"""The graph that rules alone draw: it says what the memories say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from perdure import Memory
from perdure.providers.fakes import FixedClock, HashEmbedder

START = datetime(2026, 1, 1, tzinfo=UTC)


class Teller:
    """A memory of one user that is told something every thirty days."""

    def __init__(self, memory: Memory, clock: FixedClock) -> None:
        self.memory, self.clock, self.at = memory, clock, START

    def tell(self, *told: str, name: str | None = None) -> None:
        for said in told:
            message = {"role": "user", "content": said, "at": self._next(), **({"name": name} if name else {})}
            self.memory.add([message], user="u")

    def give(self, *facts: str) -> None:
        for fact in facts:
            self.memory.add(facts=[fact], user="u", at=self._next())

    def edges(self, **options: Any) -> list[str]:
        return sorted(relation.text for relation in self.memory.relations(user="u", **options))

    def texts(self) -> list[str]:
        return sorted(record.text for record in self.memory.list(user="u").items)

    def names(self) -> list[str]:
        return sorted(entity.name for entity in self.memory.entities(user="u"))

    def _next(self) -> datetime:
        self.at += timedelta(days=30)
        self.clock.move(self.at)
        return self.at


@pytest.fixture
def teller() -> Iterator[Teller]:
    clock = FixedClock()
    with Memory(":memory:", llm=None, embedder=HashEmbedder(), clock=clock, settings={"jobs": "manual"}) as memory:
        yield Teller(memory, clock)


@pytest.mark.parametrize("said", ["I like jazz.", "I hate jazz."])
def test_a_taste_does_not_end_as_it_begins(teller: Teller, said: str) -> None:
    teller.tell(said)

    (relation,) = teller.memory.relations(user="u", validity="all")
    assert (relation.label in ("likes", "dislikes"), relation.valid_to) == (True, None)


def test_a_taste_that_turns_ends_its_opposite_alone(teller: Teller) -> None:
    teller.tell("I hate coriander.", "I love coriander now.")

    assert teller.edges() == ["The user likes coriander"]
    assert teller.edges(validity="ended") == ["The user dislikes coriander"]


def test_given_facts_about_somebodys_taste_settle(teller: Teller) -> None:
    teller.give("Nora likes opera.", "Nora dislikes opera.")

    assert (teller.edges(), teller.texts()) == (["Nora dislikes opera"], ["Nora dislikes opera."])


def test_an_export_after_a_split_comes_back_the_same(teller: Teller, tmp_path: Path) -> None:
    teller.tell("I like jazz.", "I like blues.")
    teller.memory.merge("jazz", "blues", user="u")
    teller.memory.split("jazz", ["blues"], user="u")
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    teller.memory.export(first)
    with Memory(":memory:", llm=None, embedder=HashEmbedder(), clock=teller.clock) as other:
        other.import_(first)
        other.export(second)

    assert first.read_text().splitlines()[1:] == second.read_text().splitlines()[1:]


def test_a_relative_with_a_name_is_the_subject_of_what_is_said_of_it(teller: Teller) -> None:
    teller.tell("My sister Ana lives in Rome.", "I have a dog named Biscuit.")

    assert teller.edges() == ["Ana lives in Rome", "The user owns Biscuit", "The user sibling of Ana"]
