"""The verbs that a person uses on single memories: update and delete, as change sets (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from perdure.errors import InputError
from perdure.models import (
    ChangeSet,
    Closing,
    Effect,
    LoggedChange,
    MemoryRecord,
    NewOperation,
    NewSource,
    NewVersion,
    Scope,
)
from perdure.text import normal, stem, terms, words

if TYPE_CHECKING:
    from perdure.models import FloatArray


def owner_scope(record: MemoryRecord, tenant: str) -> Scope:
    """Return the scope that a memory was written under."""
    return Scope(tenant, record.user, record.agent, record.run)


def revise(record: MemoryRecord, changed: dict[str, Any]) -> MemoryRecord:
    """Return the next version of a memory with some fields changed; the same version if nothing differs.

    Entities that a new text no longer names are dropped.
    Raises InputError where an interval would end before it starts.
    """
    new = replace(record, **changed)
    if new.text != record.text:
        new = replace(new, entities=tuple(entity for entity in record.entities if is_named(entity, new.text)))
    for start, end, name in (
        (new.valid_from, new.valid_to, "valid"),
        (new.event_from, new.event_to, "event"),
    ):
        if start is not None and end is not None and end < start:
            raise InputError(
                f"{name}_to ({end.isoformat()}) is before {name}_from ({start.isoformat()}); "
                "give both so that the interval does not end before it starts"
            )
    return record if new == record else replace(new, version=record.version + 1)


def is_named(entity: str, text: str) -> bool:
    """True if every word of an entity stands in a text, or, in a script without spaces, all of it does."""
    if {stem(word) for word in words(entity)} <= {stem(word) for word in words(text)}:
        return True
    return not entity.isascii() and normal(entity) in normal(text)


def update(record: MemoryRecord, new: MemoryRecord, vector: FloatArray | None, operation: NewOperation) -> ChangeSet:
    """Return the change set that closes `record` and opens `new`; one that only logs a NOOP if they are equal."""
    place = (record.id, record.version)
    if new is record:
        log = LoggedChange("NOOP", None, place, None, "nothing differs", record.text)
        return ChangeSet(operation.scope, operation.id, operation=operation, finishes="done", log=(log,))
    log = LoggedChange("UPDATE", None, (new.id, new.version), place, "updated by the caller", new.text)
    return ChangeSet(
        operation.scope,
        operation.id,
        operation=operation,
        finishes="done",
        closed=(Closing(*place),),
        opened=(NewVersion(new, vector, terms(new.text)),),
        log=(log,),
    )


def take_in(
    records: Sequence[tuple[MemoryRecord, FloatArray | None]], operation: NewOperation, *, at: datetime
) -> ChangeSet:
    """Return the change set that adds imported memories of one partition, each its own source."""
    return ChangeSet(
        operation.scope,
        operation.id,
        operation=operation,
        finishes="done",
        opened=tuple(NewVersion(record, vector, terms(record.text)) for record, vector in records),
        sources=tuple(NewSource(record.id, None, record.text, record.valid_from or at) for record, _ in records),
        log=tuple(LoggedChange("ADD", None, (record.id, 1), None, "imported", record.text) for record, _ in records),
    )


def retire(
    records: Sequence[tuple[MemoryRecord, FloatArray | None]],
    effect: Effect,
    *,
    at: datetime,
    scope: Scope,
    operation_id: str,
) -> ChangeSet:
    """Return the change set that retires memories of one partition: "change" ends them at `at`, "correction" retracts.

    A memory that starts after `at` is ended where it starts; one that ended before keeps its end.
    """
    closed, opened, log = [], [], []
    for record, vector in records:
        place = (record.id, record.version)
        after = None
        if effect == "change" and record.valid_to is not None and record.valid_to <= at:
            log.append(LoggedChange("NOOP", None, place, None, "it had ended before", record.text))
            continue
        closed.append(Closing(*place))
        if effect == "change":
            end = max(at, record.valid_from) if record.valid_from is not None else at
            ended = replace(record, version=record.version + 1, valid_to=end)
            opened.append(NewVersion(ended, vector, terms(ended.text)))
            after = (ended.id, ended.version)
        log.append(LoggedChange("DELETE", effect, after, place, "deleted by the caller", record.text))
    return ChangeSet(
        scope,
        operation_id,
        closed=tuple(closed),
        opened=tuple(opened),
        log=tuple(log),
    )
