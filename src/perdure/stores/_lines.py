"""The lines of an export: what a store holds as JSON objects, the same from every backend.

The first line names the format and its version.  Then come the partitions, operations, messages, versions, sources,
links, the graph (`_graph_lines`), summaries and open jobs, each in the order of the store.  Times are ISO 8601, UTC;
vectors are base64 of float16, little endian, all of the embedder that the first line names: a row that is not
re-embedded yet has none.  Terms are not in it: they are made again from the texts.
"""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from perdure.errors import InputError
from perdure.models import (
    JobRow,
    Link,
    LoggedChange,
    MemoryRecord,
    MessageRecord,
    NewOperation,
    NewSource,
    OperationRow,
    Owner,
    OwnerKind,
    Scope,
    Summary,
    Usage,
    Warning,
)
from perdure.stores import _rules
from perdure.stores._rules import SEQ_MASK
from perdure.text import spoken, terms, with_pictures

if TYPE_CHECKING:
    from perdure.models import FloatArray

FORMAT: Final = "perdure-export"
VERSION: Final = 1
_TIMES = ("event_from", "event_to", "valid_from", "valid_to", "recorded_at", "retired_at", "expires_at", "created_at")
_PLAIN = ("id", "text", "version", "user", "agent", "run", "kind", "attributed_to", "origin", "time_precision")

COUNTED: Final = (
    "operation", "message", "memory", "source", "link", "entity", "mention", "claim", "move", "summary", "job",
)  # fmt: skip

Line = dict[str, Any]  # one JSON object


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a row stood: its place in the partition, when and by which operation it was recorded."""

    seq: int
    recorded_at: datetime
    operation: str
    exchange: int = 0


# ---------------------------------------------------------------- to lines


def header(embedder: tuple[str, int] | None) -> Line:
    """Return the first line: `embedder` is the current one, model and dimensions."""
    model, dimensions = embedder or (None, None)
    return {"type": FORMAT, "version": VERSION, "embedder": model, "dimensions": dimensions}


def partition(owner: Owner, *, next_seq: int, recorded_at: datetime | None) -> Line:
    """Return an owner's line."""
    place = {"kind": owner.kind, "owner": owner.id}
    return {"type": "partition", **place, "next_seq": next_seq, "recorded_at": _iso(recorded_at)}


def operation(row: OperationRow, exchanges: Mapping[int, bool], times: Sequence[datetime | None]) -> Line:
    """Return an operation's line, with its exchanges (number → is done) and decisions, carried out at `times`."""
    return {
        "type": "operation", "id": row.id, "verb": row.verb, **_ids(row.scope), "engine": row.engine,
        "actor": row.actor, "key": row.key, "payload_hash": row.payload_hash, "arguments": row.arguments,
        "status": row.status,
        "at": _iso(row.at), "finished_at": _iso(row.finished_at),
        "exchanges": [[number, is_done] for number, is_done in sorted(exchanges.items())],
        "log": [
            [
                e.event, e.effect, _list(e.memory), _list(e.previous), e.reason, e.candidate, e.model, e.prompt_hash,
                _iso(at),
            ]
            for e, at in zip(row.log, times, strict=True)
        ],
        "warnings": [[each.code, each.detail, each.item] for each in row.warnings], "usage": list(astuple(row.usage)),
        "undone_by": row.undone_by,
    }  # fmt: skip


def message(record: MessageRecord, spot: Spot, vector: bytes | None) -> Line:
    """Return a message's line."""
    names = ("id", "external_id", "role", "name", "content", "origin", "user", "agent", "run", "metadata")
    return {
        "type": "message", **{name: getattr(record, name) for name in names}, "at": _iso(record.at), **_spot(spot),
        "vector": _text(vector),
    }  # fmt: skip


def memory(record: MemoryRecord, spot: Spot, vector: bytes | None) -> Line:
    """Return a version's line."""
    return {
        "type": "memory", **{name: getattr(record, name) for name in _PLAIN},
        **{name: _iso(getattr(record, name)) for name in _TIMES}, "metadata": record.metadata,
        "categories": list(record.categories), "entities": list(record.entities),
        "seq": spot.seq, "operation": spot.operation, "vector": _text(vector),
    }  # fmt: skip


def source(
    owner: Owner, new: NewSource, operation: str | None, recorded_at: datetime, retired_at: datetime | None
) -> Line:
    """Return a source's line."""
    return {
        "type": "source", "kind": owner.kind, "owner": owner.id, "memory": new.memory_id, "message": new.message_id,
        "quote": new.quote, "at": _iso(new.at), "operation": operation, "recorded_at": _iso(recorded_at),
        "retired_at": _iso(retired_at),
    }  # fmt: skip


def link(owner: Owner, new: Link, operation: str | None, recorded_at: datetime, retired_at: datetime | None) -> Line:
    """Return a link's line."""
    return {
        "type": "link", "kind": owner.kind, "owner": owner.id, "successor": new.successor,
        "predecessor": new.predecessor, "operation": operation, "recorded_at": _iso(recorded_at),
        "retired_at": _iso(retired_at),
    }  # fmt: skip


def summary(scope: Scope, held: Summary) -> Line:
    """Return a summary's line."""
    return {"type": "summary", **_ids(scope), "text": held.text, "at": _iso(held.at), "messages": held.messages}


def job(row: JobRow) -> Line:
    """Return an open job's line; one that runs is waiting for whoever imports it."""
    return {
        "type": "job", "kind": row.kind, "key": row.key, "payload": row.payload, "attempts": row.attempts,
        "due_at": _iso(row.due_at), "is_dead": row.status == "dead", "error": row.error,
    }  # fmt: skip


def is_exported(row: JobRow) -> bool:
    """True unless the job is done."""
    return row.status != "done"


# ---------------------------------------------------------------- from lines


def type_of(line: Line) -> str:
    """Return a line's type.  Raises InputError on one that this version does not know."""
    if line.get("type") not in ("partition", *COUNTED):
        raise InputError(f"the export has a line of type {line.get('type')!r}; known are {', '.join(COUNTED)}")
    return str(line["type"])


@contextlib.contextmanager
def reading(number: int) -> Iterator[None]:
    """Raise InputError where a line lacks a field, or has a value that cannot be read."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError) as err:
        raise InputError(
            f"line {number} of the export is not whole ({type(err).__name__}); nothing was imported"
        ) from err


def seq_of(line: Line, *, shift: int) -> int:
    """Return a row's place, behind what was there.  Raises StoreError beyond a partition's last."""
    seq = int(line["seq"]) + shift
    if not 0 < seq <= SEQ_MASK:
        raise _rules.full()
    return seq


def owner_of(tenant: str, line: Line) -> Owner:
    """Return the partition that a line belongs to: named by itself, else the owner of its scope."""
    if "owner" not in line:
        return scope_of(tenant, line).owner
    kinds: tuple[OwnerKind, ...] = ("user", "agent", "run")
    return Owner(tenant, kinds[kinds.index(line["kind"])], str(line["owner"]))


def scope_of(tenant: str, line: Line) -> Scope:
    """Return the scope tuple of a line."""
    return Scope(tenant, line["user"], line["agent"], line["run"])


def to_operation(tenant: str, line: Line) -> tuple[OperationRow, dict[int, bool], list[datetime | None]]:
    """Return the operation of a line, its exchanges, and when its decisions were carried out."""
    log = tuple(
        LoggedChange(event, effect, _place(after), _place(before), reason, candidate, model, prompt_hash)
        for event, effect, after, before, reason, candidate, model, prompt_hash, _ in line["log"]
    )
    times = [None if entry[-1] is None else datetime.fromisoformat(entry[-1]) for entry in line["log"]]
    row = OperationRow(
        line["id"], line["verb"], scope_of(tenant, line), line["engine"], line["actor"], line["key"],
        line["payload_hash"], line["arguments"], line["status"], time(line, "at"), time_or_none(line, "finished_at"),
        len(line["exchanges"]), log, tuple(Warning(*each) for each in line["warnings"]), Usage(*line["usage"]),
        line["undone_by"],
    )  # fmt: skip
    return row, dict(line["exchanges"]), times


def as_new(row: OperationRow) -> NewOperation:
    """Return what an operation was begun with."""
    return NewOperation(
        row.id, row.verb, row.scope, row.engine, row.actor, row.key, row.payload_hash, row.arguments
    )  # fmt: skip


def to_message(line: Line, *, seq: int) -> MessageRecord:
    """Return the message of a line, at a new place."""
    names = ("id", "external_id", "role", "name", "content")
    return MessageRecord(
        **{name: line[name] for name in names}, at=time(line, "at"), origin=line["origin"], user=line["user"],
        agent=line["agent"], run=line["run"], metadata=line["metadata"], order=seq,
    )  # fmt: skip


def to_memory(line: Line) -> MemoryRecord:
    """Return the version of a line, without what is derived from sources and links."""
    times: dict[str, Any] = {name: time_or_none(line, name) for name in _TIMES}  # None is right where it may be
    times |= {name: time(line, name) for name in ("recorded_at", "created_at")}
    return MemoryRecord(
        **{name: line[name] for name in _PLAIN}, **times, updated_at=time(line, "recorded_at"),
        metadata=line["metadata"], categories=tuple(line["categories"]), entities=tuple(line["entities"]),
        sources=(), supersedes=(), superseded_by=None, evidence_count=0,
    )  # fmt: skip


def to_source(line: Line) -> NewSource:
    """Return the source of a line."""
    return NewSource(line["memory"], line["message"], line["quote"], time(line, "at"))


def to_link(line: Line) -> Link:
    """Return the link of a line."""
    return Link(line["successor"], line["predecessor"])


def to_job(tenant: str, line: Line, *, id: int) -> JobRow:
    """Return the job of a line."""
    status: Literal["dead", "waiting"] = "dead" if line["is_dead"] else "waiting"
    return JobRow(
        id, tenant, line["kind"], line["key"], line["payload"], status, line["attempts"], time(line, "due_at"), None,
        line["error"],
    )  # fmt: skip


def to_summary(line: Line, *, shift: int) -> Summary:
    """Return the summary of a line; the messages it has read stand `shift` places further on."""
    return Summary(line["text"], time_or_none(line, "at"), line["messages"] + shift if line["messages"] else 0)


def text_of(line: Line) -> str | None:
    """Return what a row is searched and embedded by; None if the line is no row of that kind."""
    if line["type"] == "memory":
        return str(line["text"])
    if line["type"] == "message":
        return spoken(line["name"] or line["role"], with_pictures(line["content"], line["metadata"]))
    return None


def terms_of(line: Line) -> Mapping[str, int]:
    """Return a row's sparse terms."""
    return terms(text_of(line) or "")


def vector_of(line: Line) -> bytes | None:
    """Return a row's vector as the stores keep it."""
    return None if line["vector"] is None else base64.b64decode(line["vector"])


def array_of(line: Line) -> FloatArray | None:
    """Return a row's vector, shape (d,)."""
    blob = vector_of(line)
    return None if blob is None else np.frombuffer(blob, dtype="<f2").astype(np.float32)


def time(line: Line, name: str) -> datetime:
    """Return a time of a line."""
    at = datetime.fromisoformat(line[name])
    if at.tzinfo is None:
        raise ValueError(f"{name} has no UTC offset")
    return at.astimezone(UTC)


def time_or_none(line: Line, name: str) -> datetime | None:
    """Return a time of a line that may be absent."""
    return None if line[name] is None else time(line, name)


def check_header(line: Line) -> None:
    """Raise InputError on a first line that is not of this format, or of a later version of it."""
    if line.get("type") != FORMAT:
        raise InputError(f"the file is no export of perdure: its first line says {line.get('type')!r}, not {FORMAT!r}")
    if line.get("version") != VERSION:
        raise InputError(
            f"the export has version {line.get('version')!r}, this release reads {VERSION}; import it with the release "
            "that wrote it, or a later one"
        )


def _ids(scope: Scope) -> Line:
    return {"user": scope.user, "agent": scope.agent, "run": scope.run}


def _spot(spot: Spot) -> Line:
    return {
        "seq": spot.seq, "recorded_at": _iso(spot.recorded_at), "operation": spot.operation, "exchange": spot.exchange
    }  # fmt: skip


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _text(vector: bytes | None) -> str | None:
    return None if vector is None else base64.b64encode(vector).decode("ascii")


def _list(place: tuple[str, int] | None) -> list[str | int] | None:
    return None if place is None else list(place)


def _place(value: Sequence[Any] | None) -> tuple[str, int] | None:
    return None if value is None else (value[0], value[1])
