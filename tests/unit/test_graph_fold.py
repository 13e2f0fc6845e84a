"""From claims to intervals, and names and labels in their normal forms."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from perdure.graph.fold import fold
from perdure.graph.labels import label, slot
from perdure.graph.names import Node, choose
from perdure.models import Claim, HeldClaim, RelationRecord
from tests import make

DAY = timedelta(days=1)


def told(order: int, name: str, end: str | None, *, day: int = 0, until: int | None = None, **fields: Any) -> HeldClaim:
    start = make.AT + day * DAY
    claim = Claim(f"c{order}", "m", "ana", "Ana", name, end, end or "", **{"at": start, "valid_from": start, **fields})
    memory_to = None if until is None else make.AT + until * DAY
    return HeldClaim(claim, order, "op", make.AT + order * DAY, None, None, memory_to, "ana", None, None)


def folded(*claims: HeldClaim) -> list[RelationRecord]:
    return fold(claims, lambda given, _: given, {})


def spans(*claims: HeldClaim) -> list[tuple[str, int, int | None]]:
    return [
        (r.destination, (r.valid_from - make.AT).days, None if r.valid_to is None else (r.valid_to - make.AT).days)  # type: ignore[operator]
        for r in folded(*claims)
        if r.retired_at is None
    ]


def test_a_new_value_of_a_single_valued_label_ends_the_old_one_where_it_begins() -> None:
    assert spans(told(1, "lives_in", "lyon"), told(2, "lives_in", "porto", day=3)) == [
        ("lyon", 0, 3), ("porto", 3, None),
    ]  # fmt: skip


def test_what_is_told_late_takes_its_place() -> None:
    claims = [told(1, "lives_in", "porto", day=3), told(2, "lives_in", "lyon")]

    assert spans(*claims) == [("lyon", 0, 3), ("porto", 3, None)]


def test_the_same_value_again_is_evidence_and_after_an_end_an_interval_of_its_own() -> None:
    back = [told(1, "works_at", "bolt"), told(2, "works_at", "bolt", day=1), told(3, "works_at", "siemens", day=2)]

    assert len(folded(*back)[0].claims) == 2
    assert spans(*back, told(4, "works_at", "bolt", day=5)) == [("bolt", 0, 2), ("siemens", 2, 5), ("bolt", 5, None)]


def test_two_values_of_one_moment_do_not_take_turns() -> None:
    claims = [told(n, "dating", ("bo", "cy")[n % 2]) for n in range(4)]

    assert sorted(spans(*claims), key=lambda span: span[0]) == [("bo", 0, 0), ("cy", 0, None)]


def test_an_end_without_a_destination_ends_whatever_holds() -> None:
    assert spans(told(1, "works_at", "bolt"), told(2, "works_at", None, day=2, is_ended=True)) == [("bolt", 0, 2)]


def test_an_end_that_is_dated_before_what_it_ends_ends_it_at_once() -> None:
    late = told(2, "works_at", "bolt", day=1, at=make.AT + 9 * DAY, is_ended=True)

    assert spans(told(1, "works_at", "bolt", day=2), late) == [("bolt", 2, 2)]


def test_an_ended_memory_ends_what_only_it_tells() -> None:
    assert spans(told(1, "likes", "tea", until=4)) == [("tea", 0, 4)]
    assert spans(told(1, "likes", "tea", until=4), told(2, "likes", "tea", day=1)) == [("tea", 0, None)]


def test_opposite_labels_of_one_pair_end_each_other_and_other_pairs_do_not() -> None:
    found = folded(told(1, "likes", "tea"), told(2, "likes", "milk"), told(3, "dislikes", "tea", day=2))

    assert [(r.label, r.destination, r.valid_to is None) for r in found] == [
        ("likes", "milk", True), ("likes", "tea", False), ("dislikes", "tea", True),
    ]  # fmt: skip


def test_a_correction_retracts_what_was_claimed_before_it() -> None:
    claims = [
        told(1, "born_on", "3 may"),
        told(2, "born_on", "4 may", day=1),
        told(3, "born_on", "3 may", day=1, is_ended=True, effect="correction"),
    ]
    old, new = sorted(folded(*claims), key=lambda r: r.destination)

    assert (old.retired_at, old.ended_by) == (make.AT + 3 * DAY, "c3")
    assert (new.retired_at, new.valid_to) == (None, None)


def test_every_relation_that_holds_no_longer_says_why() -> None:
    ended, _ = folded(told(1, "lives_in", "lyon"), told(2, "lives_in", "porto", day=3))

    assert (ended.reason, ended.ended_by) == ("replaced by: Ana lives in porto", "c2")


@pytest.mark.parametrize(
    ("said", "name", "is_ended", "is_inverse"),
    [
        ("resides in", "lives_in", False, False), ("Works-for", "works_at", False, False),
        ("no longer works at", "works_at", True, False), ("divorced", "married_to", True, False),
        ("employs", "works_at", False, True), ("plays chess with", "plays_chess_with", False, False),
        ("is_married_to", "married_to", False, False), ("喜欢", "喜欢", False, False),
    ],
)  # fmt: skip
def test_labels_have_normal_forms_and_new_ones_are_welcome(
    said: str, name: str, is_ended: bool, is_inverse: bool
) -> None:
    found = label(said)

    assert (found.name, found.is_ended, found.is_inverse) == (name, is_ended, is_inverse)


def test_being_married_and_dating_fill_one_slot() -> None:
    assert slot("ana", "married_to", "bo") == slot("ana", "dating", "cy")
    assert slot("ana", "visited", "lyon") != slot("ana", "visited", "porto")


SILVA = Node("1", frozenset({"ana silva"}), "person")
COSTA = Node("2", frozenset({"ana costa"}), "person")
YORK = Node("3", frozenset({"new york"}), "place")


@pytest.mark.parametrize(
    ("said", "type", "nodes", "near", "wanted"),
    [
        ("Dr. ANA Silva", "person", [SILVA], [], "1"),  # the same name
        ("Ana", "person", [SILVA], [], "1"),  # the only one who is called so
        ("Ana", "person", [SILVA, COSTA], [], None),  # which one?
        ("Ana Costa", "person", [SILVA], [("1", 0.99)], None),  # a first name makes nobody the same
        ("Ana Silva", "place", [SILVA], [("1", 1.0)], None),  # types must agree
        ("New York City", "place", [YORK], [("3", 0.95)], "3"),
        ("New York City", "place", [YORK], [("3", 0.8)], None),  # below the threshold
        ("Newark", "place", [YORK], [("3", 0.95)], None),  # near, but other words
    ],
)
def test_two_names_are_one_entity_only_for_a_reason(
    said: str, type: str, nodes: list[Node], near: list[tuple[str, float]], wanted: str | None
) -> None:
    assert choose(said, type, nodes, near=near, least=0.9) == wanted


def test_what_an_assistant_said_ends_nothing_that_the_user_said() -> None:
    own = told(1, "lives_in", "lyon")
    others = replace(told(2, "lives_in", "rome", day=2), origin="assistant")
    denial = replace(told(3, "lives_in", "lyon", day=3, is_ended=True, effect="correction"), origin="tool")

    assert sorted(spans(own, others, denial)) == [("lyon", 0, None), ("rome", 2, 2)]
    assert spans(others, told(4, "lives_in", "lyon", day=5)) == [("rome", 2, 5), ("lyon", 5, None)]
