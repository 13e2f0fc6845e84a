"""After any writes, edits, undos and erasures the graph is whole, and SQLite holds what the reference store holds."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perdure import Memory
from perdure.errors import PerdureError
from perdure.graph.labels import is_single, slot
from perdure.providers.fakes import CountingIds, FixedClock

START = datetime(2024, 1, 1, tzinfo=UTC)
FACTS = [
    "Ana lives in Lyon", "Ana moved to Porto", "Ana no longer lives in Porto", "Ana works at Bolt", "Ana left Bolt",
    "Ana's sister is Marie", "Marie lives in Lyon", "Ana likes tea", "Ana dislikes tea", "Ana Silva works at Siemens",
    "Ana is married to Bo", "Ana is dating Cy",
]  # fmt: skip

steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(FACTS), st.integers(-40, 0)),
        st.tuples(st.just("add"), st.sampled_from(FACTS), st.integers(-40, 0)),
        st.tuples(st.just("edit"), st.integers(0, 9), st.sampled_from(FACTS)),
        st.tuples(st.sampled_from(["undo", "delete", "end", "erase"]), st.integers(0, 9), st.just("")),
        st.tuples(st.just("before"), st.integers(-40, 0), st.just("")),
        st.tuples(st.just("merge"), st.just("Ana"), st.sampled_from(["Ana Silva", "Marie"])),
        st.tuples(st.just("split"), st.just("Ana"), st.sampled_from(["Ana Silva", "Marie"])),
    ),
    max_size=10,
)


def carry_out(memory: Memory, clock: FixedClock, step: tuple[str, Any, Any]) -> type | None:
    """Carry out one step; the class of its error if it is refused."""
    verb, what, more = step
    clock.move(timedelta(days=1))
    held = memory.list(user="u", validity="all").items
    done = memory.operations(user="u").items
    try:
        if verb == "add":
            memory.add(facts=[what], user="u", at=clock.now() + timedelta(days=more))
        elif verb == "edit" and held:
            memory.update(held[what % len(held)].id, more)
        elif verb == "undo" and done:
            memory.undo(done[what % len(done)].operation_id, cascade=True)
        elif verb in ("delete", "end") and held:
            memory.delete(held[what % len(held)].id, effect="change" if verb == "end" else "correction")
        elif verb == "erase" and held:
            memory.erase(held[what % len(held)].id)
        elif verb == "before":
            memory.erase(user="u", before=clock.now() + timedelta(days=what))
        elif verb == "merge":
            memory.merge(what, more, user="u")
        elif verb == "split":
            memory.split(what, [more], user="u")
    except PerdureError as err:
        return type(err)
    return None


def check(memory: Memory) -> list[tuple[Any, ...]]:
    """Assert that the graph is whole, and return it without what ids and chance decide."""
    entities = {one.id: one for one in memory.entities(user="u")}
    every = memory.relations(user="u", validity="all")
    current = memory.relations(user="u")
    held = {record.id for record in memory.list(user="u", validity="all").items}
    for one in every:
        assert {one.source_id, one.destination_id} <= entities.keys(), "an edge has two live ends"
        assert {support.memory_id for support in one.sources} <= held, "no edge outlives its memories"
    for entity in entities.values():
        assert held.issuperset(entity.memories), "no node outlives its memories"
    for one in every:
        assert one in current or one.valid_to is not None, "what does not hold has an end"
    slots = [slot(one.source_id, one.label, one.destination_id) for one in current]
    singles = [one for one in slots if one[0] == "single"]
    assert len(singles) == len(set(singles)), "two current edges of a single-valued label leave one source"
    assert all(is_single(one.label) for one in current if slot(one.source_id, one.label, "")[0] == "single")
    return sorted((one.text, str(one.valid_from), str(one.valid_to), len(one.sources)) for one in every) + sorted(
        (one.name, str(one.type), one.aliases, one.mention_count) for one in entities.values()
    )


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_the_graph_stays_whole_and_the_same_in_both_stores(sequence: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        memories, clocks = [], []
        for place in (":memory:", str(Path(folder) / "memory.db")):
            clocks.append(FixedClock(START))
            memories.append(
                Memory(place, embedder="none", clock=clocks[-1], ids=CountingIds(), settings={"jobs": "manual"})
            )
        for step in sequence:
            one, other = (carry_out(*pair, step) for pair in zip(memories, clocks, strict=True))
            assert one == other
            assert check(memories[0]) == check(memories[1])
        for memory in memories:
            memory.close()


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(steps, st.integers(0, 9))
def test_an_undo_taken_back_leaves_the_graph_as_it_was(sequence: list[Any], which: int) -> None:
    clock = FixedClock(START)
    with Memory(":memory:", embedder="none", clock=clock, ids=CountingIds(), settings={"jobs": "manual"}) as memory:
        for step in sequence:
            carry_out(memory, clock, step)
        before, listed = check(memory), memory.list(user="u", validity="all").items
        done = memory.operations(user="u").items
        if not done:
            return
        clock.move(timedelta(days=1))
        try:
            undone = memory.undo(done[which % len(done)].operation_id)
        except PerdureError:
            return
        clock.move(timedelta(days=1))
        if undone.verb == "undo" and undone.operation_id not in {one.operation_id for one in done}:
            memory.undo(undone.operation_id)
            again = memory.list(user="u", validity="all").items
            assert sorted((one.id, one.text) for one in again) == sorted((one.id, one.text) for one in listed)
            assert check(memory) == before
