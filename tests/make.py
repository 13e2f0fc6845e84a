"""Small makers of records: what a test does not say has a plain default."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from perdure.models import Candidate, Exchange, MemoryRecord, Message, MessageRecord, Scope

AT = datetime(2024, 5, 8, 12, 0, tzinfo=UTC)


def scope(**ids: str | None) -> Scope:
    return Scope(**{"tenant": "default", "user": "ana", **ids})  # type: ignore[arg-type]


def message(content: str = "I live in Lyon.", **fields: Any) -> Message:
    return Message(**{"role": "user", "content": content, "at": AT, "origin": "user", **fields})


def message_record(content: str = "I live in Lyon.", **fields: Any) -> MessageRecord:
    defaults: dict[str, Any] = {
        "id": "m-1", "external_id": None, "role": "user", "name": None, "content": content, "at": AT, "origin": "user",
        "user": "ana", "agent": None, "run": None, "metadata": {}, "order": 1,
    }  # fmt: skip
    return MessageRecord(**{**defaults, **fields})


def exchange(*messages: MessageRecord, **fields: Any) -> Exchange:
    return Exchange(
        **{"number": 0, "operation_id": "op-1", "scope": scope(), "messages": messages or (message_record(),), **fields}
    )


def candidate(text: str = "Ana lives in Lyon", **fields: Any) -> Candidate:
    return Candidate(**{"text": text, "at": AT, "attributed_to": "Ana", "quote": "", **fields})


def memory(text: str = "Ana lives in Lyon", **fields: Any) -> MemoryRecord:
    defaults: dict[str, Any] = {
        "id": "mem-1", "text": text, "version": 1, "user": "ana", "agent": None, "run": None, "kind": "fact",
        "metadata": {}, "categories": (), "attributed_to": "Ana", "origin": "user", "event_from": None, "event_to": None,
        "time_precision": None, "valid_from": AT, "valid_to": None, "recorded_at": AT, "retired_at": None,
        "expires_at": None, "created_at": AT, "updated_at": AT, "sources": (), "entities": (), "supersedes": (),
        "superseded_by": None, "evidence_count": 0,
    }  # fmt: skip
    return MemoryRecord(**{**defaults, **fields})
