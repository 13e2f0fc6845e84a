"""Law: the SQL of a filter matches exactly the records that the reference evaluator matches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdure import where
from perdure.models import MemoryRecord, Where
from perdure.where.sql import micros
from tests import make

TEXTS = ("text", "user", "kind")
COLUMNS = {
    **{name: where.Column(f"r.{name}", "text") for name in TEXTS},
    "version": where.Column("r.version", "number"),
    "valid_from": where.Column("r.valid_from", "time"),
    "valid_to": where.Column("r.valid_to", "time"),
    "categories": where.Column("r.categories", "list"),
    "role": where.Column("NULL", "missing"),
}  # `at` is not named at all: missing too


def matched(tree: Where, record: MemoryRecord, *, ascii_only: bool = False) -> bool:
    fragment, bound = where.compile_sql(tree, COLUMNS, metadata="r.metadata")
    row = {
        "text": record.text, "user": record.user, "kind": record.kind, "version": record.version,
        "valid_from": record.valid_from and micros(record.valid_from),
        "valid_to": record.valid_to and micros(record.valid_to),
        "categories": json.dumps(record.categories), "metadata": json.dumps(record.metadata, ensure_ascii=ascii_only),
    }  # fmt: skip
    assert not set(row) & set(bound)
    CONNECTION.execute("DELETE FROM r")
    CONNECTION.execute(
        "INSERT INTO r VALUES (:text, :user, :kind, :version, :valid_from, :valid_to, :categories, :metadata)", row
    )
    ((value,),) = CONNECTION.execute(f"SELECT {fragment} FROM r", bound)
    assert value in (0, 1)
    return bool(value)


def connection() -> apsw.Connection:
    opened = apsw.Connection(":memory:")
    opened.create_scalar_function(where.CASEFOLD, where.casefold, 1, deterministic=True)
    opened.execute(
        "CREATE TABLE r (text TEXT, user TEXT, kind TEXT, version INTEGER, valid_from INTEGER, valid_to INTEGER,"
        " categories TEXT, metadata TEXT)"
    )
    return opened


CONNECTION = connection()

# Few values, alike but of different types, so that filters match often; and some of anything.
words = st.sampled_from(
    ["a", "A", "ab", "ß", "SS", "ss", "İ", "é", "É", "1", "true", "", "日本", "😀", "%", "*", "a'b"]
) | (st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=6))
numbers = (
    st.sampled_from([0, 1, -1, 2, 1.0, 0.5, -0.0, 2**53, 2**53 + 1, float(2**53), 2**63 - 1, -(2**63) + 1, 1e300])
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
)
scalars = st.none() | st.booleans() | numbers | words
names = st.sampled_from(["x", "y", "z", "a.b", 'q"', "\\", "[0]", "é", "$"])
documents = st.dictionaries(
    names, st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)),
    max_size=5,
)  # fmt: skip
times = st.sampled_from([datetime(2024, 5, 8, 12, 0, 0, n, tzinfo=UTC) for n in range(3)]) | st.datetimes(
    timezones=st.just(UTC)
)
records = st.builds(
    make.memory, text=words, user=st.none() | words, version=st.integers(1, 3), valid_from=st.none() | times,
    valid_to=st.none() | times, categories=st.lists(words, max_size=3).map(tuple), metadata=documents,
)  # fmt: skip


def path(keys: list[str]) -> str:
    return "metadata." + ".".join(json.dumps(key) for key in keys)


def operators(values: st.SearchStrategy[Any], ordered: st.SearchStrategy[Any], *more: str) -> st.SearchStrategy[Any]:
    null = st.none() | values
    return (
        null
        | st.fixed_dictionaries({}, optional={
            "eq": null, "ne": null, "in": st.lists(null, max_size=4), "nin": st.lists(null, max_size=4),
            "gt": ordered, "gte": ordered, "lt": ordered, "lte": ordered, "exists": st.booleans(),
            **({"contains": values} if "contains" in more else {}), **({"icontains": words} if "contains" in more else {}),
        }).filter(bool)
    )  # fmt: skip


fields = st.one_of(
    st.tuples(st.lists(names, min_size=1, max_size=2).map(path), operators(st.booleans() | numbers | words, numbers | words, "contains")),
    st.tuples(st.lists(names, min_size=1, max_size=2).map(path), operators(st.booleans() | numbers | words, numbers | words, "contains")),
    st.tuples(st.sampled_from([*TEXTS, "categories", "role"]), operators(words, words, "contains")),
    st.tuples(st.sampled_from(["valid_from", "valid_to", "at"]), operators(times, times)),
    st.tuples(st.just("version"), operators(st.integers(0, 4) | numbers, numbers)),
)  # fmt: skip
leaves = st.lists(fields, max_size=3).map(dict)


def groups(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, max_size=3)
    return st.fixed_dictionaries({}, optional={"AND": several, "OR": several, "NOT": several | inner})


filters = st.recursive(leaves, groups, max_leaves=6)


@settings(deadline=None)  # the machine may be busy
@given(filters, records, st.booleans())
def test_sql_matches_exactly_what_the_evaluator_matches(
    filter: Mapping[str, Any], record: MemoryRecord, ascii_only: bool
) -> None:
    tree = where.parse(filter)

    assert where.holds(tree, record) == matched(tree, record, ascii_only=ascii_only)


@settings(deadline=None)  # the machine may be busy
@given(documents, st.data())
def test_sql_finds_every_value_of_a_document_where_it_stands(document: dict[str, Any], data: st.DataObject) -> None:
    """Aimed: a random filter seldom names a value that is there."""
    if not document:
        return
    key = data.draw(st.sampled_from(sorted(document)))
    value = document[key]
    items = value if isinstance(value, list) else [value]
    operand = data.draw(st.sampled_from(items)) if items else None
    if isinstance(operand, list | dict):
        operand = None
    record = make.memory(metadata=document)

    for filter in ({path([key]): operand}, {path([key]): {"ne": operand}}, {path([key]): {"nin": [operand, "x"]}}):
        tree = where.parse(filter)
        assert where.holds(tree, record) == matched(tree, record)
    if operand is not None:
        assert matched(where.parse({path([key]): operand}), record)


@settings(deadline=None)  # the machine may be busy
@given(filters, records)
def test_not_is_the_complement(filter: Mapping[str, Any], record: MemoryRecord) -> None:
    assert where.holds(where.parse({"NOT": filter}), record) != where.holds(where.parse(filter), record)


@pytest.mark.parametrize("group", ["AND", "OR"])
def test_the_widest_and_the_deepest_filter_run_in_sql(group: str) -> None:
    wide: dict[str, Any] = {group: [{"metadata.x": {"ne": n}} for n in range(450)]}
    for _ in range(30):
        wide = {"NOT": wide} if group == "AND" else {"OR": [wide, {"kind": "event"}]}
    tree = where.parse(wide)

    assert where.holds(tree, make.memory()) == matched(tree, make.memory())


def test_ten_thousand_listed_values_run_in_sql() -> None:
    tree = where.parse({"metadata.x": {"in": [f"v{n}" for n in range(10_000)]}})

    assert matched(tree, make.memory(metadata={"x": "v9999"}))
    assert not matched(tree, make.memory(metadata={"x": "v10000"}))
