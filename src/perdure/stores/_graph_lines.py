"""The lines of an export that hold the graph: nodes, mentions, claims and moves; see _lines.py for the format."""

from __future__ import annotations

import base64
from datetime import datetime

from perdure.models import Claim, Mention, Move, NewEntity, Owner
from perdure.stores._lines import Line, time, time_or_none

_CLAIM = (
    "id", "memory_id", "message_id", "quote", "source_id", "source_name", "label", "destination_id",
    "destination_name", "is_ended", "effect", "reason",
)  # fmt: skip
_CLAIM_TIMES = ("at", "valid_from", "valid_to")


def entity(owner: Owner, new: NewEntity, recorded_at: datetime, vector: bytes | None) -> Line:
    """Return a node's line."""
    return {
        "type": "entity", **_owner(owner), "id": new.id, "key": new.key, "name": new.name, "entity_type": new.type,
        "recorded_at": recorded_at.isoformat(), "vector": _text(vector),
    }  # fmt: skip


def mention(
    owner: Owner, new: Mention, operation: str | None, recorded_at: datetime, retired_at: datetime | None
) -> Line:
    """Return a mention's line."""
    return {
        "type": "mention", **_owner(owner), "memory": new.memory_id, "entity": new.entity_id, "name": new.name,
        "message": new.message_id, "at": new.at.isoformat(), "is_dropped": new.is_dropped,
        **_stamp(operation, recorded_at, retired_at),
    }  # fmt: skip


def claim(
    owner: Owner,
    new: Claim,
    operation: str | None,
    recorded_at: datetime,
    retired_at: datetime | None,
    vector: bytes | None,
) -> Line:
    """Return a claim's line."""
    return {
        "type": "claim", **_owner(owner), **{name: getattr(new, name) for name in _CLAIM},
        **{name: _iso(getattr(new, name)) for name in _CLAIM_TIMES}, **_stamp(operation, recorded_at, retired_at),
        "vector": _text(vector),
    }  # fmt: skip


def move(owner: Owner, new: Move, operation: str | None, recorded_at: datetime, retired_at: datetime | None) -> Line:
    """Return a move's line."""
    return {
        "type": "move", **_owner(owner), "entity": new.entity_id, "name": new.name, "to": new.to_id,
        **_stamp(operation, recorded_at, retired_at),
    }  # fmt: skip


def to_entity(line: Line) -> NewEntity:
    """Return the node of a line, without its vector."""
    return NewEntity(line["id"], line["key"], line["name"], line["entity_type"])


def to_mention(line: Line) -> Mention:
    """Return the mention of a line."""
    memory, entity, name, message = (line[key] for key in ("memory", "entity", "name", "message"))
    return Mention(memory, entity, name, message, time(line, "at"), line["is_dropped"])


def to_claim(line: Line) -> Claim:
    """Return the claim of a line."""
    start, end = time_or_none(line, "valid_from"), time_or_none(line, "valid_to")
    return Claim(**{name: line[name] for name in _CLAIM}, at=time(line, "at"), valid_from=start, valid_to=end)


def to_move(line: Line) -> Move:
    """Return the move of a line."""
    return Move(line["entity"], line["name"], line["to"])


def apart(new: NewEntity) -> str:
    """Return the key of an imported node whose key the partition has under another id: it stays a node of its own."""
    return f"{new.key}#{new.id}"


def _owner(owner: Owner) -> Line:
    return {"kind": owner.kind, "owner": owner.id}


def _stamp(operation: str | None, recorded_at: datetime, retired_at: datetime | None) -> Line:
    return {"operation": operation, "recorded_at": recorded_at.isoformat(), "retired_at": _iso(retired_at)}


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _text(vector: bytes | None) -> str | None:
    return None if vector is None else base64.b64encode(vector).decode("ascii")
