"""Memory on SQLite against Memory on the reference store: any sequence of verbs, the same answers, and no past changed.

`dev.py prove state_machine` runs it in full numbers.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from perdure import Memory, NotFound, PerdureError
from perdure.models import MemoryRecord
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder
from perdure.stores.in_memory import InMemoryStore
from perdure.stores.sqlite.store import SQLiteStore
from perdure.write.undo import content

START = datetime(2024, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
FACTS = (
    *(f"Ana lives in {city}" for city in ("Lyon", "Paris", "Nice")),
    *(f"Ana works at {firm}" for firm in ("Bosch", "Airbus")),
    "Ana no longer works at Bosch", "Ana likes green tea", "Ana likes rum", "Ana is allergic to nuts",
    "The boiler makes a strange noise",
)  # fmt: skip
LINES = ("I live in Lyon.", "I live in Nice now.", "I no longer work there.", "I like green tea.", "How are you?")
USERS = ("ana", "ben")

facts, lines, users = st.sampled_from(FACTS), st.sampled_from(LINES), st.sampled_from(USERS)
places = st.integers(0, 10_000)  # an index into what is known, taken modulo its length
ago = st.integers(0, 40).map(lambda days: days * DAY)
soon = st.none() | st.integers(1, 20).map(lambda days: days * DAY)
QUERY = "where does Ana live and work"


class MemoryMachine(RuleBasedStateMachine):
    """Every rule runs one verb on both memories and asserts that they answered the same."""

    runs = steps = 0  # counted for the proof

    def __init__(self) -> None:
        super().__init__()
        type(self).runs += 1
        self.folder = Path(tempfile.mkdtemp(dir=_fast()))
        self.clock = FixedClock(START)
        stores = SQLiteStore(self.folder / "m.db", clock=self.clock), InMemoryStore(clock=self.clock)
        self.memories = [
            Memory(store, embedder=HashEmbedder(32), clock=self.clock, ids=CountingIds(), settings={"jobs": "manual"})
            for store in stores
        ]
        self.stores = stores
        self.ids: dict[str, None] = {}  # memories ever seen, in order
        self.operations: list[str] = []
        self.pasts: list[tuple[datetime, str, dict[str, MemoryRecord]]] = []

    def teardown(self) -> None:
        for past in self.pasts:
            self._assert_unchanged(past)
        for memory in self.memories:
            memory.close()
        self.stores[0].close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # -- both at once

    def both(self, verb: Callable[[Memory], Any]) -> Any:
        """Run a verb on both memories, assert equal results or errors, and return the result (None for an error)."""
        type(self).steps += 1
        self.clock.move(timedelta(hours=1))
        results = []
        for memory in self.memories:
            try:
                results.append(verb(memory))
            except PerdureError as err:
                results.append((type(err), str(err)))
        assert results[0] == results[1]
        return None if isinstance(results[0], tuple) else results[0]

    def write(self, verb: Callable[[Memory], Any]) -> Any:
        """As `both`, for a verb that returns an OperationResult."""
        result = self.both(verb)
        if result is not None:
            self.operations.append(result.operation_id)
            for change in result.changes:
                self.ids |= {record.id: None for record in (change.memory, change.previous) if record is not None}
        return result

    def pick(self, place: int, among: Sequence[str]) -> str:
        return among[place % len(among)]

    # -- the verbs

    @initialize(text=facts, user=users)
    def begin(self, text: str, user: str) -> None:
        self.write(lambda memory: memory.add(facts=[text], user=user))

    @rule(text=facts, user=users, ago=ago, expires=soon)
    def add(self, text: str, user: str, ago: timedelta, expires: timedelta | None) -> None:
        at = self.clock.now()
        until = None if expires is None else at + expires
        self.write(lambda memory: memory.add(facts=[text], user=user, agent="bot", at=at - ago, expires=until))

    @rule(text=lines, user=users, ago=ago)
    def say(self, text: str, user: str, ago: timedelta) -> None:
        at = self.clock.now() - ago
        message = {"role": "user", "name": "Ana", "content": text, "id": f"{at.isoformat()} {text}"}
        self.write(lambda memory: memory.add([message], user=user, at=at))

    @rule(place=places, text=facts, ago=st.none() | ago)
    def update(self, place: int, text: str, ago: timedelta | None) -> None:
        id, until = self.pick(place, list(self.ids)), self.clock.now()
        dates = {} if ago is None else {"valid_to": until - ago}
        self.write(lambda memory: memory.update(id, text, metadata={"place": place}, **dates))

    @rule(place=places, effect=st.sampled_from(["correction", "change"]))
    def delete(self, place: int, effect: Any) -> None:
        id = self.pick(place, list(self.ids))
        self.write(lambda memory: memory.delete(id, effect=effect))

    @precondition(lambda self: len(self.operations) % 7 == 6)
    @rule(scope=st.sampled_from([{"user": "ana"}, {"user": "ben"}, {"agent": "bot"}]))
    def delete_all(self, scope: dict[str, str]) -> None:
        self.write(lambda memory: memory.delete_all(**scope))

    @rule(place=places, cascade=st.booleans(), is_late=st.booleans())
    def undo(self, place: int, cascade: bool, is_late: bool) -> None:
        operation = self.pick(place, self.operations[-3:] if is_late else self.operations)
        self.write(lambda memory: memory.undo(operation, cascade=cascade))

    @rule(text=facts, user=users, ago=ago)
    def undo_at_once(self, text: str, user: str, ago: timedelta) -> None:
        """What was just done and is undone leaves what was there, and redone what it had made."""
        soon = self.clock.now() + DAY  # what expires until then may do so between two of the looks
        before = self._contents(soon)
        at = self.clock.now() - ago
        added = self.write(lambda memory: memory.add(facts=[text], user=user, at=at))
        between = self._contents(soon)
        undone = self.write(lambda memory: memory.undo(added.operation_id))
        assert self._contents(soon) == before
        redone = self.write(lambda memory: memory.undo(undone.operation_id))
        assert self._contents(soon) == between
        assert redone.verb == "undo"

    @precondition(lambda self: len(self.ids) > 4)
    @rule(place=places)
    def erase(self, place: int) -> None:
        """What is erased is gone from every past too, and so are the links to it."""
        id = self.pick(place, list(self.ids))
        self._erased(self.both(lambda memory: memory.erase(id).counts))

    @precondition(lambda self: len(self.operations) % 5 == 4)
    @rule(scope=st.sampled_from([{"user": "ben"}, {"agent": "bot"}]), ago=st.none() | ago)
    def erase_scope(self, scope: dict[str, str], ago: timedelta | None) -> None:
        before = None if ago is None else self.clock.now() - ago
        self._erased(self.both(lambda memory: memory.erase(before=before, **scope).counts))

    def _erased(self, counts: Any) -> None:
        if counts is not None:
            self.pasts.clear()
            self.operations += [
                operation.operation_id
                for operation in reversed(self.memories[0].operations(user="ana", limit=3).items)
                if operation.verb == "erase" and operation.operation_id not in self.operations
            ]

    @rule(days=st.integers(1, 15))
    def wait(self, days: int) -> None:
        """Time passes: some memories expire."""
        self.clock.move(days * DAY)

    # -- reading

    @rule(ago=ago, learned=st.none() | ago, validity=st.sampled_from(["current", "ended", "all"]), user=users)
    def look_back(self, ago: timedelta, learned: timedelta | None, validity: Any, user: str) -> None:
        now = self.clock.now()
        times = {"as_of": now - ago, "known_at": None if learned is None else now - learned}
        self.both(lambda memory: memory.list(user=user, validity=validity, **times))
        results = [memory.search(QUERY, user=user, validity=validity, **times) for memory in self.memories]
        first, second = ({hit.id: hit.score for hit in found} for found in results)
        assert first == pytest.approx(second, abs=1e-4)  # the means behind a score are summed in another order
        self.both(lambda memory: memory.timeline("lives", user=user, **times))

    @rule(place=places)
    def trace(self, place: int) -> None:
        id = self.pick(place, list(self.ids))
        self.both(lambda memory: memory.history(id, lineage=True))
        self.both(lambda memory: memory.diff(id, 1, 2))

    # -- the laws

    @invariant()
    def same_everywhere(self) -> None:
        for scope in ({"user": "ana"}, {"user": "ben"}, {"agent": "bot"}):
            first, second = ([*m.list(**scope, validity="all", limit=1000).items] for m in self.memories)
            assert first == second
        first, second = (memory.stats() for memory in self.memories)
        assert first == replace(second, store_bytes=first.store_bytes, schema_version=first.schema_version)

    @invariant()
    def intervals_are_whole(self) -> None:
        for id in self.ids:
            versions, others = (self._history(memory, id) for memory in self.memories)
            assert versions == others
            assert [v.version for v in versions] == sorted({v.version for v in versions})
            for one, other in pairwise(versions):
                assert one.retired_at is not None
                assert one.recorded_at < one.retired_at <= other.recorded_at
            for version in versions:
                if version.valid_from is not None and version.valid_to is not None:
                    assert version.valid_from <= version.valid_to

    @invariant()
    def the_past_is_not_changed(self) -> None:
        if self.pasts:
            self._assert_unchanged(self.pasts[-1])
            self._assert_unchanged(self.pasts[len(self.pasts) // 2])
        self.clock.move(timedelta(minutes=1))
        now = self.clock.now()
        last = {id: self._history(self.memories[0], id)[-1:] for id in self.ids}
        held = {id: record for id, records in last.items() for record in records if record.retired_at is None}
        self.pasts.append((now, self._seen(self.memories[0], now), held))
        self.clock.move(timedelta(minutes=1))

    @staticmethod
    def _history(memory: Memory, id: str) -> Sequence[MemoryRecord]:
        """Return the versions of a memory; none where it was erased."""
        try:
            return memory.history(id)
        except NotFound:
            return []

    def _assert_unchanged(self, past: tuple[datetime, str, dict[str, MemoryRecord]]) -> None:
        at, seen, held = past
        for memory in self.memories:
            assert self._seen(memory, at) == seen
            for id in self.ids:
                try:
                    record = memory.get(id, known_at=at)
                except NotFound:
                    assert id not in held
                else:
                    assert repr(record) == repr(held[id])

    def _seen(self, memory: Memory, at: datetime) -> str:
        pages = [memory.list(user=user, validity="all", known_at=at, limit=1000).items for user in USERS]
        hits = memory.search(QUERY, user="ana", known_at=at, include=["memories"])
        return repr((pages, sorted((hit.id, repr(hit.memory)) for hit in hits)))

    def _contents(self, soon: datetime) -> list[list[tuple[MemoryRecord, int, tuple[str, ...], str | None]]]:
        return [
            sorted(
                (
                    (content(r), r.evidence_count, r.supersedes, r.superseded_by)
                    for user in USERS
                    for r in memory.list(user=user, validity="all", limit=1000).items
                    if r.expires_at is None or r.expires_at > soon
                ),
                key=lambda held: held[0].id,
            )
            for memory in self.memories
        ]


def _fast() -> str | None:
    """Return a folder that is kept in memory, where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


# Without shrinking, which can take far longer than the test: a seed that fails is shrunk by hand.
SETTINGS = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
MemoryMachine.TestCase.settings = settings(SETTINGS, max_examples=12, stateful_step_count=25)
TestMemoryMachine = MemoryMachine.TestCase
