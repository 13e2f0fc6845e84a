"""The filter language: what parses, what is refused, and what a filter means on a record."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from perdure import where
from perdure.errors import InputError
from perdure.models import Both, Compare, Either, MemoryRecord, MessageRecord, Negated
from tests import make

NOON = datetime(2024, 5, 8, 12, tzinfo=UTC)


def matches(filter: dict[str, Any], record: MemoryRecord | MessageRecord) -> bool:
    return where.holds(where.parse(filter), record)


def having(**metadata: Any) -> MemoryRecord:
    return make.memory(metadata=metadata)


def found(filter: dict[str, Any]) -> list[int]:
    """Which of three memories match: n = 1 and c = x; n = 2; n = 3 and c = y."""
    records = [having(n=1, c="x"), having(n=2), having(n=3, c="y")]
    return [record.metadata["n"] for record in records if matches(filter, record)]


# ---------------------------------------------------------------- the cases that other filters get wrong


def test_two_values_of_one_field_under_and_match_nothing() -> None:
    assert found({"AND": [{"metadata.n": 1}, {"metadata.n": 2}]}) == []


def test_both_ors_under_and_must_hold() -> None:
    either = [{"OR": [{"metadata.n": 1}, {"metadata.n": 2}]}, {"OR": [{"metadata.n": 2}, {"metadata.n": 3}]}]

    assert found({"AND": either}) == [2]


def test_all_operators_of_one_field_must_hold() -> None:
    assert found({"metadata.n": {"in": [1, 2], "nin": [2]}}) == [1]
    assert found({"metadata.n": {"gt": 0, "ne": 2}}) == [1, 3]


def test_ne_matches_records_without_the_field() -> None:
    assert found({"metadata.c": {"ne": "x"}}) == [2, 3]


def test_exists_finds_what_has_the_field() -> None:
    assert found({"metadata.c": {"exists": True}}) == [1, 3]
    assert found({"metadata.c": {"exists": False}}) == [2]


def test_a_star_is_a_string_and_no_wildcard() -> None:
    assert found({"metadata.c": "*"}) == []
    assert found({"user": "*"}) == []
    assert matches({"metadata.c": "*"}, having(c="*"))


def test_users_may_be_listed_and_may_stand_under_and_alone() -> None:
    ana, bob, eve = (make.memory(user=user) for user in ("ana", "bob", "eve"))
    either = {"user": {"in": ["ana", "bob"]}}

    assert [matches(either, record) for record in (ana, bob, eve)] == [True, True, False]
    assert [matches({"AND": [{"user": "ana"}]}, record) for record in (ana, bob, eve)] == [True, False, False]


def test_a_second_user_narrows_and_never_replaces_the_first() -> None:
    both = {"user": "ana", "AND": [{"user": "bob"}]}

    assert not any(matches(both, make.memory(user=user)) for user in ("ana", "bob"))


# ---------------------------------------------------------------- meaning


@pytest.mark.parametrize(("stored", "asked"), [(True, 1), (1, True), (False, 0), ("1", 1), (1, "1"), ("true", True)])
def test_values_of_different_types_are_never_equal(stored: Any, asked: Any) -> None:
    assert not matches({"metadata.x": asked}, having(x=stored))
    assert not matches({"metadata.x": {"in": [asked]}}, having(x=stored))
    assert matches({"metadata.x": {"ne": asked}}, having(x=stored))


def test_an_integer_equals_the_float_of_its_value() -> None:
    assert matches({"metadata.x": 1.0}, having(x=1))
    assert matches({"metadata.x": {"in": [1]}}, having(x=1.0))


@pytest.mark.parametrize("operator", ["gt", "gte", "lt", "lte"])
@pytest.mark.parametrize(("stored", "asked"), [("5", 1), (5, "1"), (True, 0), (None, 0), ({"y": 5}, 0)])
def test_order_holds_only_within_a_type(operator: str, stored: Any, asked: Any) -> None:
    assert not matches({"metadata.x": {operator: asked}}, having(x=stored))


def test_order_includes_the_bound_only_with_an_e() -> None:
    two = having(x=2)

    answers = [matches({"metadata.x": {operator: 2}}, two) for operator in ("gt", "gte", "lt", "lte")]

    assert answers == [False, True, False, True]


def test_a_list_matches_by_element() -> None:
    record = make.memory(categories=("food", "travel"), metadata={"scores": [1, 9]})

    assert matches({"categories": "food"}, record)
    assert not matches({"categories": "foo"}, record)
    assert not matches({"categories": {"ne": "food"}}, record)
    assert matches({"categories": {"in": ["work", "travel"]}}, record)
    assert matches({"metadata.scores": {"gt": 5}}, record)
    assert matches({"metadata.scores": {"lt": 5}}, record)


def test_contains_is_a_part_of_a_string_or_an_element_of_a_list() -> None:
    record = make.memory(text="Ana lives in Lyon", entities=("Ana", "Lyon"))

    assert matches({"text": {"contains": "in Ly"}}, record)
    assert not matches({"text": {"contains": "in ly"}}, record)
    assert matches({"entities": {"contains": "Lyon"}}, record)
    assert not matches({"entities": {"contains": "Ly"}}, record)
    assert matches({"metadata.n": {"contains": 2}}, having(n=[1, 2]))
    assert not matches({"metadata.n": {"contains": 2}}, having(n=2))


def test_icontains_folds_case_beyond_ascii() -> None:
    assert matches({"text": {"icontains": "STRASSE"}}, make.memory(text="Sie wohnt in der Gartenstraße"))
    assert matches({"entities": {"icontains": "ÉMILE"}}, make.memory(entities=("Émile",)))
    assert not matches({"entities": {"icontains": "ÉMI"}}, make.memory(entities=("Émile",)))


def test_null_is_the_same_as_a_missing_field() -> None:
    for record in (having(x=None), having()):
        assert matches({"metadata.x": None}, record)
        assert matches({"metadata.x": {"in": [None, 1]}}, record)
        assert matches({"metadata.x": {"exists": False}}, record)
        assert not matches({"metadata.x": {"ne": None}}, record)
    assert matches({"valid_to": None}, make.memory(valid_to=None))
    assert not matches({"valid_to": None}, make.memory(valid_to=NOON))


def test_not_matches_what_its_filter_does_not() -> None:
    assert found({"NOT": {"metadata.c": "x"}}) == [2, 3]
    assert found({"NOT": [{"metadata.c": "x"}, {"metadata.c": "y"}]}) == [2]
    assert found({"NOT": {"metadata.c": "x", "metadata.n": 3}}) == [1, 2, 3]


def test_an_empty_filter_matches_all_and_an_empty_or_nothing() -> None:
    assert found({}) == [1, 2, 3]
    assert found({"AND": []}) == [1, 2, 3]
    assert found({"NOT": []}) == [1, 2, 3]
    assert found({"OR": []}) == []
    assert found({"metadata.n": {"in": []}}) == []


def test_a_path_reads_nested_metadata() -> None:
    record = having(team={"lead": "ana", "size": 3}, **{"a.b": 1, '"q': 2})

    assert matches({"metadata.team.lead": "ana"}, record)
    assert not matches({"metadata.team.lead.name": "ana"}, record)
    assert not matches({"metadata.team": "ana"}, record)
    assert matches({"metadata.team": {"exists": True}}, record)
    assert matches({'metadata."a.b"': 1}, record)
    assert not matches({"metadata.a.b": 1}, record)
    assert matches({'metadata."\\"q"': 2}, record)


def test_a_field_of_the_other_kind_of_record_is_missing() -> None:
    assert not matches({"role": "user"}, make.memory())
    assert matches({"role": "user"}, make.message_record())
    assert matches({"kind": {"ne": "fact"}}, make.message_record())


def test_times_are_compared_as_times() -> None:
    record = make.memory(valid_from=NOON)
    east = timezone(timedelta(hours=2))

    assert matches({"valid_from": "2024-05-08T14:00:00+02:00"}, record)
    assert matches({"valid_from": datetime(2024, 5, 8, 14, tzinfo=east)}, record)
    assert matches({"valid_from": {"gte": "2024-05-08T12:00Z", "lt": "2024-05-08T12:00:00.000001Z"}}, record)
    assert not matches({"valid_to": {"lt": "9999-01-01T00:00Z"}}, record)


def test_a_naive_time_needs_a_timezone() -> None:
    east = timezone(timedelta(hours=2))

    assert Compare("at", "eq", NOON) == where.parse({"at": "2024-05-08T14:00"}, timezone=east)
    assert Compare("at", "gt", datetime(2024, 5, 7, 22, tzinfo=UTC)) == where.parse(
        {"at": {"gt": date(2024, 5, 8)}}, timezone=east
    )
    naives = ("2024-05-08T14:00", "2024-05-08", datetime(2024, 5, 8), date(2024, 5, 8))
    for naive in naives:
        with pytest.raises(InputError, match="zone"):
            where.parse({"at": naive})


# ---------------------------------------------------------------- parsing


def test_a_filter_parses_to_a_tree() -> None:
    tree = where.parse({"kind": "event", "OR": [{"user": "ana"}, {"NOT": {"run": None}}]})

    expected = Both(
        (
            Compare("kind", "eq", "event"),
            Either((Compare("user", "eq", "ana"), Negated(Compare("run", "eq", None)))),
        )
    )
    assert expected == tree


@pytest.mark.parametrize(
    ("filter", "said"),
    [
        ("kind", "mapping"),
        (None, "mapping"),
        ([{"kind": "fact"}], "mapping"),
        ({"kindd": "fact"}, "known are id, text"),
        ({"user_id": "ana"}, "known are id, text"),
        ({"metadata": {"x": 1}}, "metadata.<key>"),
        ({"and": []}, "AND, OR, NOT"),
        ({5: 1}, "unknown filter field"),
        ({"kind": {"equals": "fact"}}, "known are eq, ne"),
        ({"kind": {"eq": "fact", 5: 1}}, "known are eq, ne"),
        ({"metadata.x": {"y": 1}}, "known are eq, ne"),
        ({"kind": {}}, "empty mapping"),
        ({"kind": 5}, "takes text, not int"),
        ({"kind": ["fact", "event"]}, "use in"),
        ({"version": "1"}, "takes number, not str"),
        ({"version": True}, "takes number, not bool"),
        ({"version": {"contains": 1}}, "does not apply"),
        ({"at": {"icontains": "2024"}}, "does not apply"),
        ({"at": 1715169600}, "ISO 8601"),
        ({"at": "yesterday"}, "ISO 8601"),
        ({"at": {"in": "2024-05-08T12:00Z"}}, "takes a list"),
        ({"metadata.x": {"in": {"a": 1}}}, "takes a list"),
        ({"metadata.x": {"in": [[1]]}}, "not list"),
        ({"metadata.x": {"gt": True}}, "text or number, not bool"),
        ({"metadata.x": {"gt": None}}, "not null"),
        ({"metadata.x": {"contains": None}}, "not null"),
        ({"metadata.x": {"icontains": 1}}, "takes text"),
        ({"metadata.x": {"exists": 1}}, "true or false"),
        ({"metadata.x": float("nan")}, "finite"),
        ({"metadata.x": {"in": [float("inf")]}}, "finite"),
        ({"metadata.x": 2**63}, "64 bits"),
        ({"metadata.x": b"x"}, "not bytes"),
        ({"metadata.x": NOON}, "not datetime"),
        ({"metadata.x": "a\x00b"}, "NUL"),
        ({"metadata.x": "\ud800"}, "surrogate"),
        ({"metadata.\ud800": 1}, "surrogate"),
        ({"metadata.": 1}, "not a metadata path"),
        ({"metadata.a..b": 1}, "not a metadata path"),
        ({"metadata.a.": 1}, "not a metadata path"),
        ({'metadata."a"b': 1}, "not a metadata path"),
        ({'metadata."\\x"': 1}, "not a JSON string"),
        ({"metadata" + ".a" * 33: 1}, "at most 32"),
        ({"AND": {"kind": "fact"}}, "takes a list"),
        ({"OR": "kind"}, "takes a list"),
        ({"NOT": "kind"}, "or one filter"),
        ({"AND": [{"kind": "fact"}, "event"]}, "mapping"),
        ({"AND": [{"kind": "fact"}] * 1_000}, "more than 1000"),
        ({"id": {"in": ["x"] * 10_001}}, "more than 10000"),
    ],
)  # fmt: skip
def test_what_cannot_be_right_is_refused_with_what_is_known(filter: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        where.parse(filter)


def test_depth_is_limited() -> None:
    def nested(levels: int) -> dict[str, Any]:
        filter: dict[str, Any] = {"kind": "fact"}
        for _ in range(levels):
            filter = {"NOT": filter}
        return filter

    assert matches(nested(30), make.memory())
    with pytest.raises(InputError, match="too deep"):
        where.parse(nested(32))


def test_a_filter_that_holds_itself_is_refused() -> None:
    endless: dict[str, Any] = {}
    endless["AND"] = [endless, endless]

    with pytest.raises(InputError):
        where.parse(endless)
