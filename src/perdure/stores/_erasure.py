"""What an erasure takes from one partition: worked out on light rows, the same for every backend.

A memory goes with all its versions when it is named, when its scope is, or when every source of it is erased.
A memory that keeps a source loses the erased ones, and with them every version from the first one that was written
from an erased source: its text says what the erased message said.  The version before, if there is one, holds again.
What the remaining sources said is extracted again from their exchanges.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from perdure.models import Erasure, Scope
from perdure.stores._times import microseconds

# Arguments of an operation that may outlive its content; by "undoes" an undo says what it took back.
CONTENT_FREE: Final = ("expires", "graph", "kind", "of", "policy", "timezone", "undoes")
COUNTED: Final = (
    "memories", "versions", "messages", "vectors", "sources", "links", "relations", "entities", "operations",
    "decisions", "summaries", "jobs",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version: its reference, the memory's id, when and by which operation it was recorded."""

    ref: int
    id: str
    recorded_at: int
    operation: str
    is_current: bool
    is_admitted: bool  # by the scope


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message: its reference, id, time, and the exchange it was said in."""

    ref: int
    id: str
    at: int
    operation: str
    exchange: int
    scope: Scope
    is_admitted: bool


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source: its number, the memory's and the message's id, its own time and when it was recorded."""

    no: int
    memory: str
    message: str | None
    at: int
    recorded_at: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What goes from one partition, and what must be done for what stays."""

    memories: frozenset[str]  # gone whole
    versions: tuple[int, ...]  # references that go, those of `memories` among them
    reopened: tuple[int, ...]  # references of versions that hold again
    sources: tuple[int, ...]  # numbers that go, beside those of `memories`
    messages: tuple[MessageRow, ...]
    again: tuple[tuple[str, int], ...]  # (operation, exchange) to be extracted again
    operations: frozenset[str]  # that wrote something of what goes
    kept_operations: frozenset[str]  # that wrote something of what stays
    kept_exchanges: frozenset[tuple[str, int]]  # that keep a message
    scopes: tuple[Scope, ...]  # whole tuples of the messages that go
    talking: frozenset[Scope]  # whole tuples that keep messages
    tainted: tuple[tuple[str, int], ...]  # (memory, recorded_at) of the versions that go
    trimmed: frozenset[str]  # memories that lose a source and stay
    before: int | None  # the target's own limit

    @property
    def is_empty(self) -> bool:
        """True if nothing goes."""
        return not (self.versions or self.messages or self.sources)


def plan(
    target: Erasure, versions: Sequence[VersionRow], messages: Sequence[MessageRow], sources: Sequence[SourceRow]
) -> Plan:
    """Return what `target` takes from the partition of these rows; versions of one memory are in order."""
    before = microseconds(target.before)
    is_by_scope = target.memories is None
    gone = [m for m in messages if is_by_scope and m.is_admitted and (before is None or m.at < before)]
    gone_ids = {m.id for m in gone}
    kept = {m.id: m for m in messages if m.id not in gone_ids}
    rows: dict[str, list[VersionRow]] = defaultdict(list)
    for row in versions:
        rows[row.id].append(row)
    said: dict[str, list[SourceRow]] = defaultdict(list)
    for source in sources:
        said[source.memory].append(source)

    whole: set[str] = set()
    taken: list[VersionRow] = []
    reopened: list[int] = []
    lost: list[int] = []
    again: set[tuple[str, int]] = set()
    trimmed: set[str] = set()
    for id, mine in rows.items():
        own = said[id]
        erased = [s for s in own if _is_erased(s, mine[0], gone_ids, before)]
        if _is_named(target, id, mine, own) or (erased and len(erased) == len(own)):
            whole.add(id)
            taken += mine
        elif erased:
            lost += [s.no for s in erased]
            trimmed.add(id)
            first = _first_tainted(mine, erased)
            taken += mine[first:]
            if first == 0:
                whole.add(id)
            elif first < len(mine) and mine[-1].is_current:
                reopened.append(mine[first - 1].ref)
            if first < len(mine):
                again |= _to_extract_again(own, erased, mine[first].recorded_at if first else 0, kept)
    left = {row.ref for row in versions} - {row.ref for row in taken}
    return Plan(
        frozenset(whole),
        tuple(row.ref for row in taken),
        tuple(reopened),
        tuple(lost),
        tuple(gone),
        tuple(sorted(again)),
        frozenset([*(row.operation for row in taken), *(m.operation for m in gone)]),
        frozenset([*(row.operation for row in versions if row.ref in left), *(m.operation for m in kept.values())]),
        frozenset((m.operation, m.exchange) for m in kept.values()),
        tuple(dict.fromkeys(m.scope for m in gone)),
        frozenset(m.scope for m in kept.values()),
        tuple((row.id, row.recorded_at) for row in taken),
        frozenset(trimmed),
        before,
    )


def key_of_renamed(id: str) -> str:
    """Return the key of a node whose name was erased: it must tell nothing of that, and no new node may meet it."""
    return f"|#{id}"


def _is_named(target: Erasure, id: str, rows: Sequence[VersionRow], sources: Sequence[SourceRow]) -> bool:
    """True if the target itself takes the memory; one without any source is as old as its first version."""
    if target.memories is not None:
        return id in target.memories
    if not rows[0].is_admitted:
        return False
    return target.before is None or (not sources and rows[0].recorded_at < microseconds(target.before))


def _is_erased(source: SourceRow, row: VersionRow, messages: Collection[str], before: int | None) -> bool:
    """True if a source goes: with its message, or, of a given fact, by its own time."""
    if source.message is not None:
        return source.message in messages
    return before is not None and row.is_admitted and source.at < before


def _first_tainted(rows: Sequence[VersionRow], erased: Iterable[SourceRow]) -> int:
    """Return the place of the first version that was recorded together with an erased source; beyond all if none."""
    at = {source.recorded_at for source in erased}
    return next((place for place, row in enumerate(rows) if row.recorded_at in at), len(rows))


def _to_extract_again(
    sources: Sequence[SourceRow], erased: Sequence[SourceRow], since: int, kept: Mapping[str, MessageRow]
) -> set[tuple[str, int]]:
    """Return the exchanges of the sources that stay, recorded since the first version that goes."""
    staying = [s for s in sources if s not in erased and s.recorded_at >= since and s.message in kept]
    return {(kept[s.message].operation, kept[s.message].exchange) for s in staying if s.message is not None}


def tombstone(target: Erasure, counts: Mapping[str, int], arguments: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return what an erasure's operation keeps: its kind, counts and a hash of the ids, no content."""
    kind = "scope" if target.memories is None else "memory"
    scope = target.scope
    ids = target.memories if target.memories is not None else (scope.user, scope.agent, scope.run)
    digest = sha256("\x00".join(["" if id is None else id for id in [scope.tenant, *ids]]).encode()).hexdigest()
    before = None if target.before is None else target.before.isoformat()
    return {**arguments, "erased": kind, "before": before, "counts": dict(counts), "ids_sha256": digest, **more}


def redacted(
    arguments: str, warnings: Sequence[tuple[str, str, str | None]]
) -> tuple[str, list[tuple[str, str, None]]]:
    """Return an operation's arguments (JSON) and warnings without content: dates and kinds stay, and the codes."""
    kept = {name: value for name, value in json.loads(arguments).items() if name in CONTENT_FREE}
    return json.dumps(kept), [(code, "erased", None) for code, *_ in warnings]
