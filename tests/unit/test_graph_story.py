"""The graph of a life, at six dates, however it was written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from perdure import Memory
from perdure.providers.fakes import FixedClock, HashEmbedder, ScriptedLLM
from tests.story import STORY, Notes


@pytest.fixture(params=["memory", "file"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return ":memory:" if request.param == "memory" else str(tmp_path / "memory.db")


@pytest.fixture(params=["joint", "paper", "forgetful"])
def told(request: pytest.FixtureRequest, place: str) -> Iterator[tuple[Memory, Notes]]:
    """A memory that was told the story; "forgetful": with a model that decides ADD whatever was known."""
    notes = Notes(forgets=request.param == "forgetful")
    mode = "paper" if request.param == "paper" else "joint"
    clock = FixedClock()
    settings = {"jobs": "manual"}
    with Memory(
        place, llm=ScriptedLLM(notes), embedder=HashEmbedder(), clock=clock, graph=mode, settings=settings
    ) as memory:
        for at, one in STORY:
            clock.move(at)
            result = memory.add([{"role": "user", "name": "Ana", "content": one.said, "at": at}], user="ana")
            assert (result.status, result.warnings) == ("done", ())
        clock.move(datetime(2022, 1, 1, tzinfo=UTC))
        yield memory, notes


def edges(memory: Memory, **options: Any) -> list[str]:
    return sorted(relation.text for relation in memory.relations(user="ana", **options))


FRIEND = ["Ana friend of Paul Martin", "Paul Martin plays chess"]
FRIENDS = ["Ana friend of Paul Durand", *FRIEND[:1], "Paul Durand plays tennis", *FRIEND[1:]]
DATES = {
    "2020-01-15": ["Ana lives in Lyon"],
    "2020-05-15": ["Ana lives in Lyon", "Ana works at Bolt", *FRIEND],
    "2020-08-15": ["Ana lives in Porto", "Ana works at Siemens", *FRIEND],
    "2020-12-15": ["Ana born on 4 May 1990", "Ana lives in Porto", "Ana works at Siemens", *FRIENDS],
    "2021-02-15": ["Ana born on 4 May 1990", "Ana lives in Porto", "Ana works at Bolt", *FRIENDS],
    "2021-06-15": [
        "Ana born on 4 May 1990", "Ana lives in Berlin", "Ana married to Rosa", "Ana works at Bolt",
        "Rosa lives in Berlin", *FRIENDS,
    ],
}  # fmt: skip


def test_the_graph_is_right_at_every_date(told: tuple[Memory, Notes]) -> None:
    memory, _ = told

    found = {date: edges(memory, as_of=f"{date}T00:00Z") for date in DATES}

    assert found == {date: sorted(wanted) for date, wanted in DATES.items()}


def test_what_was_known_then_is_still_known_to_have_been_known(told: tuple[Memory, Notes]) -> None:
    memory, _ = told

    assert "Ana born on 3 May 1990" in edges(memory, known_at="2020-08-15T00:00Z")
    assert "Ana born on 3 May 1990" not in edges(memory, validity="all")


def test_each_employer_has_its_interval_and_the_first_one_two(told: tuple[Memory, Notes]) -> None:
    memory, _ = told
    found = [r for r in memory.relations("Ana", validity="all", user="ana") if r.label == "works_at"]

    assert [(r.destination, f"{r.valid_from:%Y-%m}", r.valid_to and f"{r.valid_to:%Y-%m}") for r in found] == [
        ("Bolt", "2020-02", "2020-07"), ("Siemens", "2020-07", "2021-01"), ("Bolt", "2021-01", None),
    ]  # fmt: skip
    assert [bool(r.reason) for r in found] == [True, True, False]


def test_each_person_and_place_is_one_node_and_friends_of_one_first_name_are_two(told: tuple[Memory, Notes]) -> None:
    memory, _ = told
    names = [entity.name for entity in memory.entities(user="ana")]

    assert len(names) == len(set(names))
    assert {"Ana", "Paul Durand", "Paul Martin", "Bolt", "Rosa"} <= set(names)


def test_two_current_edges_of_a_single_label_never_leave_one_source(told: tuple[Memory, Notes]) -> None:
    memory, _ = told
    single = ("lives_in", "works_at", "married_to", "born_on")
    current = [(r.source_id, r.label) for r in memory.relations(user="ana") if r.label in single]

    assert len(current) == len(set(current))


def test_undoing_every_operation_newest_first_leaves_no_graph(told: tuple[Memory, Notes]) -> None:
    memory, _ = told
    for operation in memory.operations(user="ana").items:
        memory.undo(operation.operation_id, user="ana")

    assert (memory.relations(validity="all", user="ana"), memory.entities(user="ana")) == ([], [])


def test_undoing_the_undo_of_the_last_ones_brings_their_graph_back(told: tuple[Memory, Notes]) -> None:
    memory, _ = told
    whole = memory.relations(validity="all", user="ana")
    last = memory.operations(user="ana").items[:2]
    undone = [memory.undo(operation.operation_id, user="ana").operation_id for operation in last]

    assert len(memory.relations(validity="all", user="ana")) == len(whole) - 3

    for id in reversed(undone):
        memory.undo(id, user="ana")
    again = memory.relations(validity="all", user="ana")
    assert [(r.text, r.valid_from, r.valid_to) for r in again] == [(r.text, r.valid_from, r.valid_to) for r in whole]


def test_undoing_a_move_brings_the_old_home_back(told: tuple[Memory, Notes]) -> None:
    memory, _ = told
    memory.undo(memory.operations(user="ana").items[0].operation_id, user="ana")

    assert "Ana lives in Porto" in edges(memory)
    assert "Ana lives in Berlin" not in edges(memory)


def test_erasing_all_leaves_nothing_of_the_graph(told: tuple[Memory, Notes]) -> None:
    memory, _ = told
    memory.erase(user="ana")

    assert (memory.entities(user="ana"), memory.relations(validity="all", user="ana")) == ([], [])


@pytest.mark.parametrize("mode", ["off", "joint", "paper"])
def test_joint_asks_no_more_often_than_off_and_paper_at_most_four_times_more(mode: Any) -> None:
    notes = Notes()
    memory = Memory(
        ":memory:", llm=ScriptedLLM(notes), embedder=HashEmbedder(), graph=mode, settings={"jobs": "manual"}
    )
    most = 0
    for at, one in STORY:
        before = len(notes.asked)
        memory.add([{"role": "user", "name": "Ana", "content": one.said, "at": at}], user="ana")
        most = max(most, len(notes.asked) - before)

    assert most <= {"off": 2, "joint": 2, "paper": 6}[mode]
    assert {name for name in notes.asked if name.startswith("graph_")} == (
        {"graph_entities", "graph_relations", "graph_conflicts", "graph_resolve"} if mode == "paper" else set()
    )
    assert bool(memory.relations(user="ana")) == (mode != "off")
