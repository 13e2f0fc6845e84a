"""What comes in from outside is right, or refused with what is wrong, expected and to be done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdure import checks
from perdure.errors import InputError
from perdure.models import Candidate, Message, Scope
from tests import make

AT = make.AT
EAST = timezone(timedelta(hours=2))
UNSTORABLE = [("a\x00b", "NUL"), ("\ud800", "surrogate"), ("ok \udfff", "surrogate")]
OPTIONS = ("current", "ended", "all")


def messages(value: object, **arguments: Any) -> list[Message]:
    return checks.messages(value, **{"at": AT, "now": AT, "timezone": None, "max_chars": 100, **arguments})[0]


def warned(value: object) -> list[tuple[str, str | None]]:
    _, warnings = checks.messages(value, at=AT, now=AT, timezone=None, max_chars=100)
    return [(warning.code, warning.item) for warning in warnings]


def facts(value: object, **arguments: Any) -> list[Candidate]:
    return checks.facts(value, **{"at": AT, "timezone": None, "max_chars": 100, **arguments})


# ---------------------------------------------------------------- texts, ids, scope


def test_a_text_is_kept_as_it_was_written() -> None:
    assert checks.text("  Ünïcode 😀\n", "query", 100) == "  Ünïcode 😀\n"


@pytest.mark.parametrize(
    ("value", "said"),
    [*UNSTORABLE, ("", "blank"), (" \n\u3000", "blank"), ("x" * 101, "at most 100"), (None, "not None"), (5, "not int"),
     (b"x", "not bytes"), (["x"], "not list")],
)  # fmt: skip
def test_a_text_that_says_nothing_or_cannot_be_stored_is_refused(value: Any, said: str) -> None:
    with pytest.raises(InputError, match=f"query.*{said}"):
        checks.text(value, "query", 100)


def test_errors_about_text_do_not_repeat_it() -> None:
    with pytest.raises(InputError) as caught:
        checks.text("my secret \x00", "query", 100)

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("value", ["a", "ana@example.org", "Ana María", "用户", "x" * 256, "*"])
def test_an_id_is_any_short_text(value: str) -> None:
    assert checks.scope_ids("default", value, None, None) == Scope("default", user=value)


@pytest.mark.parametrize("field", ["tenant", "user", "agent", "run"])
@pytest.mark.parametrize(
    ("value", "said"),
    [*UNSTORABLE, (7, "str"), (True, "not bool"), ("", "blank"), ("ana ", "white space"), ("\tana", "white space"),
     ("x" * 257, "at most 256"), (["ana"], "not list")],
)  # fmt: skip
def test_an_id_that_could_be_mistaken_is_refused(field: str, value: Any, said: str) -> None:
    ids = {"tenant": "default", "user": "ana", "agent": None, "run": None, field: value}

    with pytest.raises(InputError, match=f"{field}.*{said}"):
        checks.scope_ids(**ids)


def test_a_scope_names_somebody_where_the_verb_needs_it() -> None:
    with pytest.raises(InputError, match="at least one of user=, agent= and run="):
        checks.scope_ids("default", None, None, None, is_required=True)

    assert checks.scope_ids("default", None, None, None) == Scope("default")


# ---------------------------------------------------------------- numbers and choices


def test_numbers_within_range_are_taken() -> None:
    assert [checks.k(1), checks.limit(10_000), checks.budget(1500)] == [1, 10_000, 1500]
    assert [checks.probability(value, "threshold") for value in (0, 1, 0.5, None)] == [0.0, 1.0, 0.5, None]


@pytest.mark.parametrize("check", [checks.k, checks.limit, checks.budget])
@pytest.mark.parametrize("value", [0, -1, True, 1.0, "5", None, 2**70, float("nan")])
def test_a_count_is_a_whole_number_from_one_up(check: Callable[[object], int], value: Any) -> None:
    with pytest.raises(InputError):
        check(value)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), True, "0.5", 10**400])
def test_a_probability_is_a_number_from_zero_to_one(value: Any) -> None:
    with pytest.raises(InputError, match="threshold must be"):
        checks.probability(value, "threshold")


def test_a_choice_is_one_of_its_options() -> None:
    assert checks.choice("ended", "validity", OPTIONS) == "ended"
    for value in ("Ended", "", None, 1, ["ended"], "x" * 1000, "\ud800"):
        with pytest.raises(InputError, match="validity must be one of current, ended, all"):
            checks.choice(value, "validity", OPTIONS)


def test_include_names_sources_once_in_one_order() -> None:
    assert checks.include(["messages", "memories", "messages"]) == ("memories", "messages")
    assert checks.include("messages") == ("messages",)
    for value in ([], ["memory"], None, 5, [["memories"]], {"memories": True}):
        with pytest.raises(InputError, match="include"):
            checks.include(value)


def test_one_query_or_several_become_a_list() -> None:
    assert checks.queries("where?", max_chars=100) == ["where?"]
    assert checks.queries(("where?", "when?"), max_chars=100) == ["where?", "when?"]
    with pytest.raises(InputError, match=r"query\[1\] is blank"):
        checks.queries(["where?", " "], max_chars=100)
    with pytest.raises(InputError, match="empty list"):
        checks.queries([], max_chars=100)


def test_a_key_is_an_id_or_none() -> None:
    assert [checks.key(None), checks.key("order 7")] == [None, "order 7"]
    with pytest.raises(InputError, match="key must be a str"):
        checks.key(7)


def test_a_time_is_aware_or_read_in_the_timezone() -> None:
    noon = datetime(2024, 5, 8, 12, tzinfo=UTC)

    assert checks.moment("2024-05-08T14:00+02:00", timezone=None, name="as_of") == noon
    assert checks.moment("2024-05-08T14:00", timezone=EAST, name="as_of") == noon
    assert checks.moment(date(2024, 5, 8), timezone=UTC, name="as_of") == datetime(2024, 5, 8, tzinfo=UTC)
    assert checks.moment(None, timezone=None, name="as_of") is None
    for value in ("2024-05-08T14:00", "soon", 1715169600, "", True, "99999-01-01T00:00Z"):
        with pytest.raises(InputError, match="as_of"):
            checks.moment(value, timezone=None, name="as_of")


# ---------------------------------------------------------------- metadata


def test_metadata_is_a_deep_copy() -> None:
    given = {"team": {"lead": "ana"}, "tags": ["a"]}

    taken = checks.metadata(given)
    given["team"]["lead"] = "eve"  # type: ignore[index, call-overload]
    given["tags"].append("b")  # type: ignore[attr-defined]

    assert taken == {"team": {"lead": "ana"}, "tags": ["a"]}


def test_metadata_may_hold_any_json() -> None:
    value = {"a": None, "b": True, "c": [1, 1.5, -(2**63) + 1, "é", {"": {}}], "d.e": [[]], "f": (1, 2)}

    assert checks.metadata(value) == {**value, "f": [1, 2]}
    assert checks.metadata(None) == {}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        *[({"x": text}, said) for text, said in UNSTORABLE], *[({"x": [{text: 1}]}, said) for text, said in UNSTORABLE],
        ("x", "mapping"), ([], "mapping"), ({1: 2}, "JSON keys"), ({"x": {None: 1}}, "JSON keys"),
        ({"x": {1, 2}}, "holds a set"), ({"x": AT}, "isoformat"), ({"x": b"y"}, "holds a bytes"),
        ({"x": object()}, "holds a object"), ({"x": float("nan")}, "not finite"), ({"x": [float("-inf")]}, "not finite"),
        ({"x": 2**63}, "64 bits"), ({"x": "y" * 1_000_001}, "characters"), ({"x": [0] * 10_001}, "more than 10000 values"),
    ],
)  # fmt: skip
def test_metadata_that_no_store_keeps_is_refused(value: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        checks.metadata(value)


def test_metadata_that_holds_itself_is_refused() -> None:
    endless: dict[str, Any] = {}
    endless["x"] = [endless]
    shared: Any = {}
    for _ in range(30):
        shared = {"a": shared, "b": shared}  # 2 to the 30 values when written out

    for value in (endless, shared):
        with pytest.raises(InputError):
            checks.metadata(value)


# ---------------------------------------------------------------- messages


def test_a_text_alone_is_said_by_the_user() -> None:
    assert messages("I live in Lyon.") == [make.message("I live in Lyon.", at=AT)]


def test_mappings_and_pairs_may_be_mixed() -> None:
    taken = messages(
        [
            ("user", "Where is my key?"),
            {
                "role": "assistant",
                "content": "On the shelf.",
                "name": "Ada",
                "id": "m7",
                "at": "2024-05-09T10:00+02:00",
            },
        ]
    )

    assert taken == [
        make.message("Where is my key?", at=AT),
        make.message(
            "On the shelf.", role="assistant", origin="assistant", name="Ada", external_id="m7",
            at=datetime(2024, 5, 9, 8, tzinfo=UTC),
        ),
    ]  # fmt: skip
    assert messages({"role": "user", "content": "Hi"}) == messages([["user", "Hi"]])


@pytest.mark.parametrize(
    ("role", "origin"),
    [("user", "user"), ("assistant", "assistant"), ("Assistant", "assistant"), ("tool", "tool"), ("function", "tool"),
     ("system", "document"), ("developer", "document"), ("nurse", "user")],
)  # fmt: skip
def test_the_role_decides_the_origin_unless_one_is_given(role: str, origin: str) -> None:
    assert messages([(role, "Hi")])[0].origin == origin
    assert messages([(role, "Hi")], default_origin="import")[0].origin == "import"
    assert messages([{"role": role, "content": "Hi", "origin": "document"}], default_origin="import")[0].origin == (
        "document"
    )


def test_a_naive_time_of_a_message_is_read_in_the_timezone() -> None:
    said = {"role": "user", "content": "Hi", "at": "2024-05-08T14:00"}

    assert messages(said, timezone=EAST)[0].at == datetime(2024, 5, 8, 12, tzinfo=UTC)
    with pytest.raises(InputError, match=r"messages\[0\].at"):
        messages(said)


def test_a_part_that_is_no_text_leaves_a_mark_and_is_kept() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}}
    content = [{"type": "text", "text": "My cat:"}, image, "isn't she fine?"]

    (taken,) = messages({"role": "user", "content": content, "metadata": {"n": 1}})

    assert taken.content == "My cat:\n[image]\nisn't she fine?"
    assert taken.metadata == {"n": 1, "content_parts": [image]}
    assert warned({"role": "user", "content": content}) == [("part_not_read", "messages[0]")]


def test_a_message_from_the_future_is_kept_and_warned_of() -> None:
    today, later = (
        {"role": "user", "content": "Hi", "id": f"m{days}", "at": AT + timedelta(days=days, seconds=1)}
        for days in (0, 1)
    )

    assert warned([today, later]) == [("future_time", "m1")]
    assert warned({"role": "user", "content": "Hi", "at": datetime.max.replace(tzinfo=UTC)}) != []


def test_metadata_of_the_call_is_added_to_each_message_under_its_own() -> None:
    first, second = messages(
        [("user", "Hi"), {"role": "user", "content": "Ho", "metadata": {"a": 2}}],
        metadata={"a": 1, "b": 1},
    )

    assert (first.metadata, second.metadata) == ({"a": 1, "b": 1}, {"a": 2, "b": 1})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "not None"), (5, "not int"), (b"x", "not bytes"), ([], "empty"), ({}, r"messages\[0\] has no role"),
        ("", "content is blank"), ("x" * 101, "at most 100"),
        (["Hi"], 'write \\("user", content\\)'), (("user", "Hi"), r"messages\[0\] is a str"),
        ([("user",)], "pair"), ([("user", "Hi", "x")], "pair"), ([None], "not None"),
        ([("user", "Hi"), {"role": "user"}], r"messages\[1\] has no content"),
        ({"content": "Hi"}, "has no role"), ({"role": "", "content": "Hi"}, "role is blank"),
        ({"role": "x" * 65, "content": "Hi"}, "at most 64"), ({"role": 5, "content": "Hi"}, "role must be a str"),
        ({"role": "user", "content": None}, "content must be a str"), ({"role": "user", "content": {"a": 1}}, "str"),
        ({"role": "user", "content": "Hi", "timestamp": 5}, "unknown key 'timestamp'; known are role, content"),
        ({"role": "user", "content": "Hi", 5: 5}, "unknown key 5"),
        ({"role": "user", "content": "Hi", "id": 7}, r"id must be a str"),
        ({"role": "user", "content": "Hi", "name": " "}, "name is blank"),
        ({"role": "user", "content": "Hi", "origin": "dream"}, "origin must be one of user, assistant"),
        ({"role": "user", "content": "Hi", "at": "2024-05-08"}, "zone"),
        ({"role": "user", "content": "Hi", "metadata": {"x": AT}}, r"messages\[0\].metadata"),
        ({"role": "user", "content": []}, "blank"), ({"role": "user", "content": [5]}, r"content\[0\]"),
        ({"role": "user", "content": [{"text": "Hi"}]}, r"content\[0\]"),
        ({"role": "user", "content": [{"type": "text"}]}, "no text"),
        ({"role": "user", "content": [{"type": "image", "data": b"x"}]}, "holds a bytes"),
        ({"role": "user", "content": [{"type": "image"}], "metadata": {"content_parts": 1}}, "rename"),
        *[({"role": "user", "content": text}, said) for text, said in UNSTORABLE],
    ],
)  # fmt: skip
def test_messages_in_another_form_are_refused(value: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        messages(value)


# ---------------------------------------------------------------- facts


def test_a_text_is_a_fact_valid_from_its_time() -> None:
    expected = Candidate(text="Ana lives in Lyon", at=AT, origin="manual", quote="Ana lives in Lyon", valid_from=AT)

    assert facts(["Ana lives in Lyon"]) == [expected]
    assert facts("Ana lives in Lyon") == [expected]


def test_a_fact_may_say_everything() -> None:
    (taken,) = facts(
        [
            {
                "text": "Ana's wedding is in June", "kind": "event", "at": "2024-05-01T00:00Z",
                "valid_from": None, "valid_to": "2025-01-01T00:00Z",
                "event_from": "2024-06-01T00:00Z", "event_to": "2024-07-01T00:00Z", "time_precision": "month",
                "metadata": {"n": 1}, "categories": ["family", "family"], "entities": ("Ana",), "attributed_to": "Ana",
            }
        ]
    )  # fmt: skip

    assert taken == Candidate(
        text="Ana's wedding is in June", at=datetime(2024, 5, 1, tzinfo=UTC), attributed_to="Ana", origin="manual",
        kind="event", quote="Ana's wedding is in June", event_from=datetime(2024, 6, 1, tzinfo=UTC),
        event_to=datetime(2024, 7, 1, tzinfo=UTC), time_precision="month", valid_from=None,
        valid_to=datetime(2025, 1, 1, tzinfo=UTC), entities=("Ana",), categories=("family",), metadata={"n": 1},
    )  # fmt: skip


def test_a_fact_that_ended_before_it_was_told_began_at_an_unknown_time() -> None:
    (taken,) = facts({"text": "Ana lived in Nice", "valid_to": "2020-01-01T00:00Z"})

    assert taken.valid_from is None


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "not None"), ([], "empty"), ([5], "not int"), ([""], r"facts\[0\].text is blank"), ({}, "no text"),
        ({"text": "x", "fact": 1}, "unknown key 'fact'"), ({"text": "x", "kind": "wish"}, "kind must be one of fact"),
        ({"text": "x", "time_precision": "hour"}, "one of day"), ({"text": "x", "entities": "Ana"}, "list of texts"),
        ({"text": "x", "categories": [1]}, r"categories\[0\]"), ({"text": "x", "valid_from": "2024"}, "valid_from"),
        ({"text": "x", "valid_from": "2024-05-08T12:00Z", "valid_to": "2024-05-08T12:00Z"}, "not after"),
        ({"text": "x", "event_from": "2024-05-08T12:00Z", "event_to": "2024-05-07T12:00Z"}, "not after"),
        ({"text": "x", "metadata": []}, "metadata must be a mapping"), ({"text": "x", "attributed_to": 5}, "str"),
    ],
)  # fmt: skip
def test_facts_in_another_form_are_refused(value: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        facts(value)


# ---------------------------------------------------------------- anything at all

keys = st.sampled_from(["role", "content", "name", "at", "id", "origin", "metadata", "text", "type", "valid_from"])
words = st.sampled_from(["user", "text", "image", "fact", "2024-05-08T12:00Z", "2024-05-08", "0001-01-01T00:00+14:00"])
atoms = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8) | words
    | st.datetimes() | st.datetimes(timezones=st.timezones()) | st.dates() | st.binary(max_size=3)
)  # fmt: skip
junk = st.recursive(
    atoms,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(keys, inner, max_size=5)
        | st.dictionaries(st.integers() | st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=12,
)
CHECKS: list[Callable[[Any], object]] = [
    messages, facts, checks.metadata, checks.k, checks.limit, checks.budget, checks.key, checks.include,
    lambda value: messages([value, value], timezone=EAST),
    lambda value: facts([value, value], timezone=EAST),
    lambda value: checks.text(value, "query", 10),
    lambda value: checks.queries(value, max_chars=10),
    lambda value: checks.probability(value, "threshold"),
    lambda value: checks.choice(value, "validity", OPTIONS),
    lambda value: checks.moment(value, timezone=None, name="as_of"),
    lambda value: checks.moment(value, timezone=EAST, name="as_of"),
    lambda value: checks.scope_ids(value, value, value, value),
]  # fmt: skip


@settings(deadline=None)  # the machine may be busy
@given(junk)
def test_anything_gives_a_result_or_an_input_error(value: Any) -> None:
    for check in CHECKS:
        try:
            result = check(value)
        except InputError as err:
            str(err).encode()  # an error can be printed, whatever it is about
        else:
            repr(result).encode()
