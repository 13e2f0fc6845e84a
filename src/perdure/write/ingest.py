"""From a caller's messages to a durable operation, and from there through the pipeline, exchange by exchange.

Messages are stored first, in one transaction: whatever happens to a model later, nothing said is lost.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from perdure.errors import Forbidden
from perdure.models import (
    Candidate,
    Exchange,
    Json,
    Message,
    NewJob,
    NewMessage,
    NewOperation,
    OperationRow,
    Policy,
    Scope,
    Status,
    Usage,
    Warning,
)
from perdure.ports import Ports
from perdure.settings import Settings
from perdure.text import spoken, terms
from perdure.when import zone
from perdure.write.context import group
from perdure.write.embed import embed
from perdure.write.pipeline import Wishes, settle, write

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Started:
    """An operation whose messages are durable, with its exchanges as stored."""

    operation: OperationRow
    exchanges: list[Exchange]


def operation(verb: str, scope: Scope, ports: Ports, *, payload: Any, **fields: Any) -> NewOperation:
    """Return a new operation; the hash of `payload` (JSON-able) tells the same key with other content or ids."""
    canonical = json.dumps(
        [payload, scope.user, scope.agent, scope.run], sort_keys=True, ensure_ascii=False, default=str
    )
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    return NewOperation(id=ports.ids.new(), verb=verb, scope=scope, payload_hash=digest, **fields)


def start(
    messages: Sequence[Message],
    new: NewOperation,
    ports: Ports,
    settings: Settings,
    *,
    warnings: Sequence[Warning] = (),
    jobs: Sequence[NewJob] = (),
) -> Started:
    """Store the messages, cut into exchanges, with vectors and terms, under a new (or resumed) operation.

    A verbatim operation is done with that.  Cost: one embedding a message.
    """
    texts = [spoken(m.speaker, m.content) for m in messages]
    vectors = embed(texts, ports.embedder)
    rows: list[NewMessage] = []
    for number, exchange in enumerate(group(messages, session_gap_s=settings.session_gap_s)):
        for message in exchange:
            place = len(rows)
            rows.append(NewMessage(ports.ids.new(), message, number, vectors[place], terms(texts[place]), ports.space))
    status: Status = "done" if new.engine == "verbatim" else "pending"
    row, exchanges = ports.store.begin(
        new,
        rows,
        status=status,
        warnings=warnings,
        usage=Usage(embedded_texts=sum(vector is not None for vector in vectors)),
        jobs=jobs,
    )
    return Started(row, exchanges)


def carry_out(
    started: Started,
    ports: Ports,
    settings: Settings,
    *,
    policy: Policy,
    progress: Progress | None = None,
) -> OperationRow:
    """Run the pipeline over the exchanges that are not done yet and set the operation's status.

    done: every exchange; partial: some; failed: none.  `progress` is told (exchanges done, exchanges in all).
    Raises Forbidden where a budget does not reach; the operation then says what is left to do, as after a failure.
    """
    row, exchanges = started.operation, started.exchanges
    wishes = _wishes(row.arguments)
    warnings: list[Warning] = []
    usage = Usage()
    done = sum(exchange.is_done for exchange in exchanges)
    refusal: Forbidden | None = None
    for place, exchange in enumerate(exchanges):
        if not exchange.is_done:
            written = write(exchange, ports, settings, policy=policy, wishes=wishes)
            done += written.is_done
            if not written.is_done:  # what a committed exchange cost and said is stored with it
                warnings.extend(written.warnings)
                usage += written.usage
            refusal = written.refusal
            if refusal is not None:
                break
        if progress is not None:
            progress(place + 1, len(exchanges))
    status: Status = "done" if done == len(exchanges) else "partial" if done else "failed"
    row = ports.store.finish(row.scope.tenant, row.id, status, warnings=warnings, usage=usage)
    if refusal is not None:
        raise _refused(row, refusal)
    return row


def _refused(row: OperationRow, refusal: Forbidden) -> Forbidden:
    return Forbidden(f"{refusal}; what was said is stored: retry operation {row.id} then", until=refusal.until)


def settle_facts(
    candidates: Sequence[Candidate], new: NewOperation, ports: Ports, settings: Settings, *, policy: Policy
) -> OperationRow:
    """Settle given facts under a new operation; a resumed key that is done returns what was stored.

    Without a key the operation is stored with what it did, or with why it failed: whatever stops it leaves nothing.
    With a key it is stored first, so that the same call goes on with it.
    """
    store, tenant = ports.store, new.scope.tenant
    is_begun = new.key is not None
    if is_begun:
        row, _ = store.begin(new, [])
        if row.status == "done" or row.undone_by is not None:
            return row
        new = replace(new, id=row.id)
    written = settle(
        candidates, ports, settings, new=new, is_begun=is_begun, policy=policy, wishes=_wishes(new.arguments)
    )
    if written.is_done:
        return store.operation(tenant, new.id)
    if is_begun:
        row = store.finish(tenant, new.id, "failed", warnings=written.warnings, usage=written.usage)
    else:
        row, _ = store.begin(new, [], status="failed", warnings=written.warnings, usage=written.usage)
    if written.refusal is not None:
        raise Forbidden(
            f"{written.refusal}; nothing was settled: give the facts again then", until=written.refusal.until
        )
    return row


def _wishes(given: Json) -> Wishes:
    """Return the caller's wishes as an operation keeps them, so that a retry has them too."""
    expires = given.get("expires")
    return Wishes(
        instructions=given.get("instructions") or "",
        metadata=given.get("metadata") or {},
        kind=given.get("kind"),
        expires_at=datetime.fromisoformat(expires) if expires else None,
        timezone=zone(given.get("timezone")) or UTC,
    )
