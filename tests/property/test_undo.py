"""Undo, and undoing undos in any order: what comes back, and what alone stands in the way, on both stores."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from perdure import Conflict, Memory
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder
from perdure.write.undo import content

START = datetime(2024, 6, 1, 12, tzinfo=UTC)
CITIES = (
    "Lyon", "Nice", "Paris", "Rome", "Oslo", "Bonn", "Lima", "Porto", "Turin", "Ghent", "Basel", "Graz", "Malmo",
    "Cork", "Leeds", "Quito", "Cairo", "Dakar", "Osaka", "Delhi",
)  # fmt: skip
SETTINGS = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])


class Story:
    """One memory, and how undo is to behave on it by the law alone.

    Each add supersedes the memories that hold, so it is built on those: its parents.  What is in force must never hold
    an add without its parents, nor two on one parent; whatever keeps to that is allowed.
    """

    def __init__(self, memory: Memory, clock: FixedClock) -> None:
        self.memory, self.clock = memory, clock
        self.parents: dict[str, list[str]] = {}
        self.undos: dict[str, set[str]] = {}  # by age, each with what it took back

    def in_force(self, *, and_undone: tuple[str, ...] = ()) -> list[str]:
        """Return the adds in force, oldest first, if these were undone too."""
        out = set(and_undone)
        for undo, took in reversed(self.undos.items()):
            if undo not in out:
                out |= took
        return [add for add in self.parents if add not in out]

    def is_sound(self, adds: list[str]) -> bool:
        """True if every parent of these is one of them, and the parent of only one."""
        parents = [parent for add in adds for parent in self.parents[add]]
        return set(parents) <= set(adds) and len(parents) == len(set(parents))

    def add(self, text: str, ago: timedelta = timedelta(0)) -> None:
        held = self.in_force()
        superseded = {parent for add in held for parent in self.parents[add]}
        at = self.tick()
        result = self.memory.add(facts=[{"text": text, "attributed_to": "Ana"}], user="ana", at=at - ago)
        self.parents[result.operation_id] = [add for add in held if add not in superseded]

    def undo(self, id: str, *, cascade: bool = False) -> str:
        self.tick()
        result = self.memory.undo(id, cascade=cascade)
        row = self.memory._ports.store.operation("default", result.operation_id)
        self.undos[row.id] = set(row.arguments["undoes"])
        return row.id

    def tick(self) -> datetime:
        self.clock.move(timedelta(hours=1))
        return self.clock.now()

    def held(self) -> list[Any]:
        """Return all that is held, without what tells one version from another of equal content."""
        records = self.memory.list(user="ana", validity="all").items
        return sorted(
            (r.id, r.superseded_by or "", sorted(r.supersedes), [str(s) for s in r.sources], str(content(r)))
            for r in records
        )


@contextmanager
def stories(graph: str) -> Iterator[list[Story]]:
    """Give the same story on each store."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for place in (":memory:", str(Path(folder) / "memory.db")):
            clock = FixedClock(START)
            memory = Memory(
                place, embedder=HashEmbedder(32), clock=clock, ids=CountingIds(), settings={"jobs": "manual"},
                graph=graph,  # type: ignore[arg-type]
            )  # fmt: skip
            found.append(Story(memory, clock))
        try:
            yield found
        finally:
            for story in found:
                story.memory.close()


graphs = st.sampled_from(["joint", "off"])
places = st.integers(0, 10_000)  # an index into what is known, taken modulo its length


@SETTINGS
@example("off", ["add", ("toggle", 2), ("toggle", 1), ("toggle", 1), ("toggle", 2)])
@given(graphs, st.lists(st.just("add") | st.tuples(st.just("toggle"), places), min_size=3, max_size=16))
def test_an_add_is_undone_or_brought_back_unless_what_is_in_force_would_be_unsound(
    graph: str, steps: list[Any]
) -> None:
    with stories(graph) as told:
        for story in told:
            kept: dict[tuple[str, ...], Any] = {(): []}
            cities = iter(CITIES)
            for step in ["add", "add", *steps]:
                if step == "add":
                    story.add(f"Ana lives in {next(cities)}")
                else:
                    add = [*story.parents][step[1] % len(story.parents)]
                    target = story.memory.operation(add).undone_by or add
                    after, now = story.in_force(and_undone=(target,)), story.held()
                    try:
                        story.undo(target)
                        assert story.is_sound(after)
                        assert story.in_force() == after
                    except Conflict:
                        assert not story.is_sound(after)
                        assert story.held() == now
                held = story.held()
                assert kept.setdefault(tuple(story.in_force()), held) == held, "what is in force decides what is held"
        assert told[0].held() == told[1].held()


@SETTINGS
@example("off", [("add", "Nice", 3), ("add", "Paris", 4), ("cascade", 0, True)])
@given(
    graphs,
    st.lists(
        st.tuples(st.just("add"), st.sampled_from(CITIES[:4]), st.integers(0, 100))
        | st.tuples(st.sampled_from(["undo", "cascade"]), places, st.booleans()),
        min_size=4,
        max_size=14,
    ),
)
def test_undoing_an_undo_at_once_restores_what_was_and_a_conflict_names_only_what_is_in_force(
    graph: str, steps: list[Any]
) -> None:
    with stories(graph) as told:
        for story in told:
            story.add("Ana lives in Lyon")
            for verb, what, more in steps:
                if verb == "add":
                    story.add(f"Ana lives in {what}", timedelta(hours=more))
                    continue
                known = [*story.parents, *story.undos]
                id = known[what % len(known)]
                if story.memory.operation(id).undone_by is not None:
                    continue
                before = story.held()
                try:
                    undo = story.undo(id, cascade=verb == "cascade")
                except Conflict as err:
                    assert verb == "undo"
                    named = [one for one in known if f" {one} (" in str(err)]
                    assert named
                    for one in map(story.memory.operation, named):
                        assert one.undone_by is None
                        assert (one.at, one.operation_id) > (story.memory.operation(id).at, id)
                    continue
                if more:
                    story.undo(undo)
                    assert story.held() == before
        assert told[0].held() == told[1].held()
