"""The plan of an undo, on records alone."""

from dataclasses import replace
from datetime import timedelta

import pytest

from perdure.errors import Conflict, Forbidden
from perdure.models import LoggedChange, OperationRow, Touch, Usage
from perdure.write import undo
from perdure.write.undo import Picture
from tests import make


def operation(id, day, verb="add", **fields):
    made = OperationRow(
        id,
        verb,
        make.scope(),
        "llm",
        None,
        None,
        "",
        {},
        "done",
        make.AT + timedelta(days=day),
        None,
        0,
        (),
        (),
        Usage(),
    )
    return replace(made, **fields)


def picture(*rows, touches=(), versions=()):
    by_memory = {}
    for touch in touches:
        by_memory.setdefault(touch.memory_id, []).append(touch)
    return Picture({row.id: row for row in rows}, by_memory, {"m": list(versions)})


def touch(operation_id, day, event="UPDATE", memory=("m", 1)):
    return Touch("m", operation_id, make.AT + timedelta(days=day), LoggedChange(event, None, memory, None, "", ""))


def version(number, day, text):
    at = make.AT + timedelta(days=day)
    return make.memory(text, id="m", version=number, recorded_at=at, updated_at=at)


ADD, UPDATE, UNDO = (
    operation("a", 1),
    operation("u", 2, "update"),
    operation("z", 3, "undo", arguments={"undoes": ["u"]}),
)
TOUCHES = (touch("a", 1, "ADD"), touch("u", 2, memory=("m", 2)))


def test_evidence_is_built_on_what_it_supports_and_nothing_is_built_on_evidence():
    seen = picture(ADD, UPDATE, touches=(touch("a", 1, "ADD"), touch("u", 2, "NOOP")))

    assert [row.id for row in undo.built_on({"a"}, seen)] == ["u"]
    assert undo.built_on({"u"}, seen) == []


def test_an_undo_stands_in_the_way_only_of_what_is_newer_than_what_it_took_back():
    undone = replace(UPDATE, undone_by="z")
    seen = picture(ADD, undone, UNDO, touches=(*TOUCHES, touch("z", 3, memory=("m", 3))))
    assert undo.built_on({"a"}, seen) == []

    older = replace(UNDO, arguments={"undoes": ["a"]})
    between = picture(ADD, UPDATE, older, touches=(*TOUCHES, touch("z", 3, memory=("m", 3))))
    assert [row.id for row in undo.built_on({"u"}, between)] == ["z"]


def test_a_memory_becomes_what_the_last_operation_in_force_made_of_it():
    seen = picture(ADD, UPDATE, touches=TOUCHES, versions=(version(1, 1, "one"), version(2, 2, "two")))

    (back,) = undo.reversals({"u"}, undo.undone({"u"}, "new", seen), seen)
    assert (back.opened.text, back.opened.version, back.closed.version) == ("one", 3, 2)

    (gone,) = undo.reversals({"a", "u"}, undo.undone({"a", "u"}, "new", seen), seen)
    assert (gone.opened, gone.closed.version, gone.logged.event, gone.logged.effect) == (
        None,
        2,
        "DELETE",
        "correction",
    )


def test_a_log_that_names_a_version_it_only_found_did_not_make_it():
    late = touch("u", 2, "UPDATE", memory=("m", 1))
    seen = picture(ADD, UPDATE, touches=(touch("a", 1, "ADD"), late), versions=(version(1, 1, "one"),))

    (same,) = undo.reversals({"u"}, undo.undone({"u"}, "new", seen), seen)

    assert (same.opened, same.closed, same.logged.event) == (None, None, "NOOP")


def test_taking_back_an_undo_puts_what_it_took_back_in_force_again():
    undone = replace(UPDATE, undone_by="z")
    seen = picture(ADD, undone, UNDO, touches=TOUCHES)

    out = undo.undone({"z"}, "new", seen)

    assert out == {"z": "new"}
    assert {(mark.operation_id, mark.by) for mark in undo.marks({"z"}, out, seen)} == {("z", "new"), ("u", None)}


@pytest.mark.parametrize(
    ("row", "error", "why"),
    [
        (operation("e", 1, "erase"), Forbidden, "erased"),
        (operation("e", 1, "teleport"), Forbidden, "no way back"),
        (operation("e", 1, arguments={"policy": "paper"}), Forbidden, "paper"),
        (operation("e", 1, status="pending"), Conflict, "flush"),
    ],
)
def test_what_has_no_way_back_is_refused_with_the_reason(row, error, why):
    with pytest.raises(error, match=why):
        undo.check(row)
