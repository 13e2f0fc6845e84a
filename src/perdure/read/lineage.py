"""Where a memory comes from and what became of it: its versions, those it replaced, and what differs between two."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence

from perdure.errors import NotFound
from perdure.models import MemoryRecord, Touch, VersionRecord
from perdure.ports import Store

_DERIVED = frozenset("id text version recorded_at retired_at created_at updated_at sources evidence_count".split())


def lineage(versions: Sequence[MemoryRecord], store: Store, *, tenant: str) -> list[VersionRecord]:
    """Return every version of a memory and of its `family`, with the decision behind each, and every retraction.

    Order: by time; of one time, what was retired before what took its place; then by memory id and version.
    """
    related = family(versions, store, tenant=tenant)
    touches = [touch for touch in store.touches(tenant, sorted(related)) if touch.shapes]
    records = [record for held in related.values() for record in held]
    found = [_opened(record, touches) for record in records]
    for held in related.values():
        following = {record.recorded_at for record in held}
        found += [_retracted(r, touches) for r in held if r.retired_at is not None and r.retired_at not in following]
    return sorted(found, key=lambda entry: (entry.at, entry.event != "DELETE", entry.memory.id, entry.memory.version))


def family(versions: Sequence[MemoryRecord], store: Store, *, tenant: str) -> dict[str, Sequence[MemoryRecord]]:
    """Return the versions of a memory and, transitively, of all that it superseded or was superseded by, by id."""
    found: dict[str, Sequence[MemoryRecord]] = {versions[0].id: versions}
    queue = _neighbours(versions)
    while queue:
        id = queue.pop(0)
        if id not in found:
            found[id] = store.versions(tenant, id)
            queue += _neighbours(found[id])
    return found


def _neighbours(versions: Sequence[MemoryRecord]) -> list[str]:
    found = [id for record in versions for id in (*record.supersedes, record.superseded_by) if id is not None]
    return list(dict.fromkeys(found))


def _opened(record: MemoryRecord, touches: Sequence[Touch]) -> VersionRecord:
    place = (record.id, record.version)
    for touch in touches:
        change = touch.change
        if change is not None and change.memory == place and touch.at == record.recorded_at:
            return _entry(record, touch)
    event = "ADD" if record.version == 1 else "UPDATE"
    return VersionRecord(record, record.recorded_at, None, event, None, "", None, None)  # type: ignore[arg-type]


def _retracted(record: MemoryRecord, touches: Sequence[Touch]) -> VersionRecord:
    assert record.retired_at is not None  # noqa: S101 - the caller asked
    place = (record.id, record.version)
    for touch in touches:
        change = touch.change
        if change is not None and change.previous == place and change.memory is None and change.event == "DELETE":
            return _entry(record, touch)
    return VersionRecord(record, record.retired_at, None, "DELETE", "correction", "", None, None)


def _entry(record: MemoryRecord, touch: Touch) -> VersionRecord:
    change = touch.change
    assert change is not None  # noqa: S101 - the callers asked
    return VersionRecord(
        record, touch.at, touch.operation_id, change.event, change.effect, change.reason, change.model,
        change.prompt_hash,
    )  # fmt: skip


# ---------------------------------------------------------------- what differs


def difference(versions: Sequence[MemoryRecord], one: int, other: int) -> str:
    """Return a unified diff of two versions: the text first, then every field that is set; empty if they are equal.

    Raises NotFound for a version that is not among these.
    """
    records = {record.version: record for record in versions}
    for number in (one, other):
        if number not in records:
            raise NotFound(f"memory {versions[0].id!r} has no version {number}; it has versions 1 to {max(records)}")
    return _difference(records[one], records[other])


def _difference(one: MemoryRecord, other: MemoryRecord) -> str:
    return "".join(
        difflib.unified_diff(
            _lines(one), _lines(other), f"{one.id} version {one.version}", f"{other.id} version {other.version}"
        )
    )


def _lines(record: MemoryRecord) -> list[str]:
    fields = {name: getattr(record, name) for name in record.__slots__ if name not in _DERIVED}
    metadata = fields.pop("metadata")
    fields |= {f"metadata.{name}": metadata[name] for name in sorted(metadata)}
    shown = [f"{name}: {_shown(value)}\n" for name, value in fields.items() if value not in (None, (), [])]
    return [f"{line}\n" for line in record.text.splitlines()] + shown


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
