"""Update and delete of single memories, as change sets."""

from __future__ import annotations

from datetime import timedelta

from perdure.write import edit
from tests import make


def test_a_memory_that_has_ended_keeps_its_end() -> None:
    ended = make.memory(valid_to=make.AT)

    changes = edit.retire(
        [(ended, None)], "change", at=make.AT + timedelta(days=9), scope=make.scope(), operation_id="op"
    )

    assert (changes.opened, changes.closed) == ((), ())
    assert [("NOOP", (ended.id, 1), "it had ended before")] == [(c.event, c.memory, c.reason) for c in changes.log]


def test_a_memory_that_would_end_later_ends_now() -> None:
    planned = make.memory(valid_to=make.AT + timedelta(days=90))
    now = make.AT + timedelta(days=9)

    changes = edit.retire([(planned, None)], "change", at=now, scope=make.scope(), operation_id="op")

    assert [now] == [new.record.valid_to for new in changes.opened]


def test_a_new_text_keeps_only_the_entities_that_it_names() -> None:
    old = make.memory("Ana lives in Lyon with 小明", entities=("Ana", "Lyon", "小明"))

    assert edit.revise(old, {"text": "Ana's home is with 小明在巴黎"}).entities == ("Ana", "小明")
    assert old.entities == edit.revise(old, {"metadata": {"a": 1}}).entities
