"""After any sequence of writes, refused ones included, SQLite holds what the reference store holds."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perdure.errors import PerdureError
from perdure.models import ChangeSet, Closing, Link, NewOperation, Owner, Probe, Scope, Selection
from perdure.ports import Store
from perdure.providers.fakes import FixedClock
from perdure.stores.in_memory import InMemoryStore
from perdure.stores.sqlite.store import SQLiteStore
from perdure.testing.store.writer import DIMENSIONS, MODEL, message, source, vector, version
from perdure.where import parse

START = datetime(2024, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)
SCOPES = [
    Scope("t", user="u"),
    Scope("t", user="u", run="r"),
    Scope("t", user="u", agent="a"),
    Scope("t", user="w", agent="a"),
    Scope("t", agent="a", run="r"),
]
IDS = ["m1", "m2", "m3", "m4"]
WORDS = ["tea", "rice", "milk", "Lyon"]

days = st.one_of(st.none(), st.integers(-2, 4).map(lambda n: START + n * DAY))
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
vectors = st.one_of(st.none(), st.sampled_from([vector(1), vector(0, 1), vector(1, 1), vector(-1, 0, 2)]))


@st.composite
def versions(draw: st.DrawFn, scope: Scope) -> Any:
    return version(
        draw(texts), draw(st.sampled_from(IDS)), draw(st.integers(1, 3)), scope=scope, embedding=draw(vectors),
        valid_from=draw(days), valid_to=draw(days), expires_at=draw(days), metadata={"n": draw(st.integers(0, 2))},
    )  # fmt: skip


@st.composite
def commits(draw: st.DrawFn) -> tuple[str, Any]:
    scope = draw(st.sampled_from(SCOPES))
    some = st.sampled_from(IDS)
    opened = tuple(draw(st.lists(versions(scope), max_size=2)))
    return "commit", ChangeSet(
        scope,
        "",
        opened=opened,
        closed=tuple(
            Closing(new.record.id, new.record.version - 1)
            for new in opened
            if new.record.version > 1 and draw(st.booleans())
        )
        + tuple(draw(st.lists(st.builds(Closing, some, st.integers(1, 2)), max_size=1))),
        erased=tuple(draw(st.lists(some, max_size=1))) if draw(st.integers(0, 5)) == 0 else (),
        sources=tuple(source(id, "x") for id in draw(st.lists(some, max_size=1))),
        links=tuple(Link(*pair) for pair in draw(st.lists(st.tuples(some, some), max_size=1))),
        read_version=draw(st.one_of(st.none(), st.integers(0, 3))),
    )


@st.composite
def begins(draw: st.DrawFn) -> tuple[str, Any]:
    external = st.one_of(st.none(), st.sampled_from(["e1", "e2"]))
    said = draw(st.lists(st.tuples(texts, external, vectors, st.integers(0, 1)), min_size=1, max_size=3))
    return "begin", (draw(st.sampled_from(SCOPES)), said, draw(st.sampled_from([None, "k1", "k2"])))


steps = st.lists(st.one_of(commits(), commits(), begins(), st.just(("wait", None))), max_size=14)


def apply(store: Store, clock: FixedClock, number: int, step: tuple[str, Any]) -> object:
    """Carry out one step and return its result, or the class of its error."""
    kind, what = step
    id = f"op-{number}"
    try:
        if kind == "wait":
            clock.move(DAY)
            return None
        if kind == "begin":
            scope, said, key = what
            messages = [
                message(text, f"x{number}-{n}", external_id=external, embedding=embedding, exchange=exchange)
                for n, (text, external, embedding, exchange) in enumerate(said)
            ]
            return store.begin(NewOperation(id, "add", scope, "llm", key=key, payload_hash=str(said)), messages)
        operation = NewOperation(id, "add", what.scope, "llm")
        asked: list[Any] = []

        def collides(rows: Any) -> bool:
            asked.extend((record, None if held is None else held.tolist()) for record, held in rows)
            return len(asked) > 2

        return store.commit(replace(what, operation_id=id, operation=operation), collides=collides), asked
    except PerdureError as err:
        return type(err)


def selections(now: datetime) -> list[Selection]:
    picked = [Selection(scope, now) for scope in [*SCOPES, Scope("t", agent="a"), Scope("t", run="r")]]
    picked += [Selection(SCOPES[0], now, validity="all"), Selection(SCOPES[0], now, validity="ended")]
    picked += [
        Selection(SCOPES[0], now, as_of=START + n * DAY, known_at=known) for n in (-1, 2) for known in (None, now)
    ]
    picked += [
        Selection(SCOPES[0], now, known_at=START + DAY),
        Selection(SCOPES[0], now, known_at=START, validity="all"),
    ]
    picked.append(Selection(SCOPES[0], now, where=parse({"metadata.n": {"gt": 0}}), validity="all"))
    picked.append(Selection(SCOPES[0], now, where=parse({"evidence_count": {"gt": 0}}), validity="all"))
    picked.append(Selection(Scope("t"), now, within=Owner("t", "user", "w")))
    return picked


def everything(store: Store, now: datetime) -> list[object]:
    """Return all that can be read."""
    state: list[object] = []
    for id in IDS:
        try:
            state.append(store.versions("t", id))
        except PerdureError as err:
            state.append(type(err))
    for selection in selections(now):
        for order in ("recorded", "-valid"):
            page = store.memories(selection, order=order, limit=2)
            state.append(page)
            if page.cursor is not None:
                state.append(store.memories(selection, order=order, limit=2, cursor=page.cursor))
    for scope in SCOPES:
        state += [
            store.messages(scope),
            store.messages(scope, last=2),
            store.operations(scope),
            store.count_exchanges(scope),
        ]
        state += [store.window(scope, before=9, size=3), replace(store.stats(scope), store_bytes=0, schema_version=0)]
    return state


def ranked(store: Store, now: datetime) -> tuple[list[object], list[float]]:
    """Return every ranking: what must be equal, and the numbers, which may differ in the last place."""
    probes = [Probe(vector(1, 0.5), {"tea": 1, "lyon": 2}), Probe(None, {"rice": 1})]
    exact: list[object] = []
    numbers: list[float] = []
    for selection in selections(now):
        for kind in ("memory", "message"):
            for one in store.rank(kind, selection, probes, limit=50):  # type: ignore[arg-type]
                exact.append(one.version)
                for found in one.rankings:
                    exact.append((found.channel, found.partition, found.count, sorted(found.scores)))
                    numbers += [found.mean, found.deviation, *(found.scores[ref] for ref in sorted(found.scores))]
    return exact, numbers


def assert_ranked_alike(one: Store, other: Store, now: datetime) -> None:
    (exact, numbers), (expected, expected_numbers) = ranked(one, now), ranked(other, now)
    assert exact == expected
    assert numbers == pytest.approx(expected_numbers, abs=2e-6)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(steps)
def test_any_sequence_of_writes_leaves_both_stores_equal(sequence: list[tuple[str, Any]]) -> None:
    clocks = FixedClock(START), FixedClock(START)
    with tempfile.TemporaryDirectory() as folder:
        stores = InMemoryStore(clock=clocks[0]), SQLiteStore(Path(folder) / "memory.db", clock=clocks[1])
        try:
            for store in stores:
                store.claim_embedder(MODEL, DIMENSIONS)
            for number, step in enumerate(sequence):
                one, other = (apply(*pair, number, step) for pair in zip(stores, clocks, strict=True))
                assert one == other
                if number % 3 == 0:  # fills the cache midway, so that it must be brought up to date
                    assert_ranked_alike(*stores, clocks[0].at)

            assert everything(stores[0], clocks[0].at) == everything(stores[1], clocks[1].at)
            assert_ranked_alike(*stores, clocks[0].at)
        finally:
            stores[1].close()
