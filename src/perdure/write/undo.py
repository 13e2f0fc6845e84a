"""What undoing operations does to the memories they touched.  Pure.

An operation is in force unless an undo that is itself in force took it back.  A memory then is what the last operation
in force made of it: that version comes back as a new one, or the memory is retracted where there is none.  So undoing
an undo needs no rule of its own, and neither does undoing several operations at once.

An operation built on another if it touched, later, a memory that the other had shaped.  Evidence alone shapes nothing:
it can be withdrawn at any time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from perdure.errors import Conflict, Forbidden
from perdure.models import Closing, LoggedChange, MemoryRecord, OperationRow, Touch, Undone

UNDOABLE: Final = ("add", "update", "delete", "delete_all", "merge", "split", "undo", "import")
_REMOVING: Final = ("erase", "purge")  # they leave nothing that could be built on


@dataclass(frozen=True, slots=True)
class Picture:
    """What is known of the operations to undo, of their memories, and of whatever else touched these.

    touches and versions are by memory id, oldest first; an erased memory has no versions, an erased operation no row.
    """

    operations: Mapping[str, OperationRow]
    touches: Mapping[str, Sequence[Touch]]
    versions: Mapping[str, Sequence[MemoryRecord]]


@dataclass(frozen=True, slots=True)
class Reversal:
    """What one memory becomes.  `opened` still needs its vector."""

    memory: MemoryRecord  # its last version so far
    opened: MemoryRecord | None
    closed: Closing | None
    logged: LoggedChange


def check(row: OperationRow) -> None:
    """Raise Forbidden where an operation cannot be undone, Conflict where it still runs."""
    if row.verb not in UNDOABLE:
        what = "what is erased is gone" if row.verb in _REMOVING else f"there is no way back from {row.verb}"
        raise Forbidden(f"operation {row.id!r} is not undone: {what}; undoable are {', '.join(UNDOABLE)}")
    if row.arguments.get("policy") == "paper":
        raise Forbidden(
            f'operation {row.id!r} ran with policy="paper", which removes and overwrites; '
            'use policy="consolidate" where undo is wanted'
        )
    if row.status == "pending" and row.verb != "undo":
        raise Conflict(f"operation {row.id!r} is not finished; call flush() or retry({row.id!r}), then undo it")


def undoes(row: OperationRow) -> tuple[str, ...]:
    """Return the ids of the operations that an undo took back; none for another verb."""
    return tuple(row.arguments.get("undoes", ())) if row.verb == "undo" else ()


def touched(row: OperationRow) -> list[str]:
    """Return the ids of the memories that an operation's log names, each once, in order."""
    places = [place for change in row.log for place in (change.memory, change.previous) if place is not None]
    return list(dict.fromkeys(id for id, _ in places))


# ---------------------------------------------------------------- what was built on what


def built_on(taken: Collection[str], picture: Picture) -> list[OperationRow]:
    """Return the operations in force that were built on those taken, newest first.

    An undo is built on nothing that is older than all it took back: together they left that as it was.
    """
    found: dict[str, OperationRow] = {}
    for touches in picture.touches.values():
        shaped, last = _shaped(touches), _last(touches)
        for base in taken & shaped.keys():
            for id, at in last.items():
                row = picture.operations.get(id)
                if row is None:  # erased: nothing of it can be taken back
                    continue
                is_other = id not in taken and row.undone_by is None and row.verb not in _REMOVING
                if is_other and at > shaped[base] and not _is_neutral(row, shaped, shaped[base]):
                    found[id] = row
    return newest_first(found.values())


def newest_first(rows: Collection[OperationRow]) -> list[OperationRow]:
    """Return operations in the order in which they are undone."""
    return sorted(rows, key=lambda row: (row.at, row.id), reverse=True)


def _shaped(touches: Sequence[Touch]) -> dict[str, datetime]:
    """Return when each operation first shaped the memory."""
    shaped: dict[str, datetime] = {}
    for touch in touches:
        if touch.shapes:
            shaped.setdefault(touch.operation_id, touch.at)
    return shaped


def _last(touches: Sequence[Touch]) -> dict[str, datetime]:
    """Return when each operation last touched the memory of itself.

    A link is recorded anew when its operation comes in force again, and counts from when it was recorded first.
    """
    last: dict[str, datetime] = {}
    for touch in touches:
        if touch.change is None:
            last.setdefault(touch.operation_id, touch.at)
        else:
            last[touch.operation_id] = touch.at
    return last


def _is_neutral(row: OperationRow, shaped: Mapping[str, datetime], base: datetime) -> bool:
    return row.verb == "undo" and all(shaped[id] > base for id in undoes(row) if id in shaped)


# ---------------------------------------------------------------- what is in force


def undone(taken: Collection[str], by: str, picture: Picture) -> dict[str, str]:
    """Return the operations that are not in force once `by` has taken these back, each with the undo that took it.

    A newer undo is never taken back by an older one, so one pass from the newest decides.
    """
    out = dict.fromkeys(taken, by)
    for row in newest_first(picture.operations.values()):
        if row.id not in out:
            for id in undoes(row):
                out.setdefault(id, row.id)
    return out


def marks(taken: Collection[str], out: Mapping[str, str], picture: Picture) -> tuple[Undone, ...]:
    """Return the new standing of the operations taken and of all that the undos among them had taken back.

    Oldest first: what they recorded is recorded anew in that order, and the newest link names the successor.
    """
    reached: dict[str, None] = dict.fromkeys(sorted(taken))
    queue = list(reached)
    while queue:
        took = undoes(picture.operations[queue.pop(0)])
        more = [id for id in took if id in picture.operations and id not in reached]
        reached.update(dict.fromkeys(more))
        queue.extend(more)
    oldest_first = reversed(newest_first([picture.operations[id] for id in reached]))
    return tuple(Undone(row.id, out.get(row.id)) for row in oldest_first)


# ---------------------------------------------------------------- what a memory becomes


def reversals(taken: Collection[str], out: Mapping[str, str], picture: Picture) -> list[Reversal]:
    """Return what each memory becomes, by memory id; erased ones are left out."""
    return [_reversal(id, taken, out, picture) for id, versions in sorted(picture.versions.items()) if versions]


def _reversal(id: str, taken: Collection[str], out: Mapping[str, str], picture: Picture) -> Reversal:
    last = picture.versions[id][-1]
    wanted = _wanted(id, out, picture)
    place, is_open = (id, last.version), last.retired_at is None
    mine = dict.fromkeys(t.operation_id for t in picture.touches[id] if t.operation_id in taken)
    reason = "undo of " + ", ".join(f"{picture.operations[each].verb} {each}" for each in mine)
    closed = Closing(*place) if is_open else None
    if wanted is None:
        event, effect = ("DELETE", "correction") if is_open else ("NOOP", None)
        memory, previous = (None, place) if is_open else (place, None)
        return Reversal(
            last,
            None,
            closed,
            LoggedChange(event, effect, memory, previous, reason, last.text),  # type: ignore[arg-type]
        )
    if is_open and content(wanted) == content(last):
        return Reversal(last, None, None, LoggedChange("NOOP", None, place, None, reason, last.text))
    opened = replace(wanted, version=last.version + 1)
    logged = LoggedChange("UPDATE" if is_open else "ADD", None, (id, opened.version), place, reason, opened.text)
    return Reversal(last, opened, closed, logged)


def _wanted(id: str, out: Mapping[str, str], picture: Picture) -> MemoryRecord | None:
    """Return the version that the last operation in force made; None if it retracted the memory, or there is none."""
    touches = picture.touches[id]
    makers = {
        (touch.change.memory, touch.at): touch.operation_id
        for touch in touches
        if touch.change is not None and touch.shapes
    }

    def is_in_force(maker: str | None) -> bool:
        row = None if maker is None else picture.operations.get(maker)
        return row is None or (row.id not in out and row.verb != "undo")

    # A version that no log tells of stands; a log may also name a version that it found and left as it was.
    held = [
        record for record in picture.versions[id] if is_in_force(makers.get(((id, record.version), record.recorded_at)))
    ]
    if not held:
        return None
    for touch in touches:
        change = touch.change
        is_retraction = change is not None and change.event == "DELETE" and change.memory is None
        if is_retraction and touch.at > held[-1].recorded_at and is_in_force(touch.operation_id):
            return None
    return held[-1]


def content(record: MemoryRecord) -> MemoryRecord:
    """Return a version without what tells it from another of equal content: number, times of recording, evidence."""
    return replace(
        record, version=0, recorded_at=record.created_at, retired_at=None, updated_at=record.created_at, sources=(),
        supersedes=(), superseded_by=None, evidence_count=0,
    )  # fmt: skip
