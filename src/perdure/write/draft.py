"""A change set while it is being made: working copies of what it touches, folded to one final row per memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from perdure.models import (
    Candidate,
    ChangeSet,
    Closing,
    Effect,
    Event,
    Link,
    LoggedChange,
    MemoryRecord,
    Mention,
    NewClaim,
    NewEntity,
    NewSource,
    NewVersion,
    Scope,
    Warning,
)
from perdure.text import terms, triple_text


@dataclass(slots=True)
class _Copy:
    """A memory as the change set leaves it so far.  `stored` is the store's version, None for a new memory."""

    record: MemoryRecord
    stored: MemoryRecord | None
    retired: Effect | None = None
    is_erased: bool = False

    @property
    def is_retracted(self) -> bool:
        return self.retired == "correction" or self.is_erased

    @property
    def place(self) -> tuple[str, int] | None:
        """(id, version) of the row that the memory ends up with, None if it has none."""
        if self.is_retracted:
            return None
        if self.stored is None or self.record == self.stored:
            return self.record.id, self.record.version
        return self.record.id, self.stored.version + 1

    @property
    def before(self) -> tuple[str, int] | None:
        return None if self.stored is None else (self.stored.id, self.stored.version)


@dataclass(slots=True)
class Draft:
    """Collects what one exchange changes, in order; `fold` gives the change set.

    messages: internal message id → the id that sources show.  new_id: the id source.  at: the present.
    """

    scope: Scope
    operation_id: str
    new_id: Callable[[], str]
    at: datetime
    messages: Mapping[str, str] = field(default_factory=dict)
    warnings: list[Warning] = field(default_factory=list)
    entities: list[NewEntity] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    claims: list[NewClaim] = field(default_factory=list)
    _copies: dict[str, _Copy] = field(default_factory=dict)
    _sources: list[NewSource] = field(default_factory=list)
    _cited: dict[str, set[str | None]] = field(default_factory=dict)  # memory id → messages of the new sources
    _links: dict[str, str] = field(default_factory=dict)  # predecessor → successor
    _log: list[tuple[LoggedChange, str | None]] = field(default_factory=list)

    @property
    def touched(self) -> frozenset[str]:
        """The ids of the stored memories that the decisions rest on."""
        return frozenset(id for id, copy in self._copies.items() if copy.stored is not None)

    def take(self, memory: MemoryRecord) -> MemoryRecord:
        """Return the working copy of a stored memory, made on the first call."""
        return self._copies.setdefault(memory.id, _Copy(memory, memory)).record

    def held(self, id: str) -> MemoryRecord:
        """Return the working copy of a memory that this change set has touched."""
        return self._copies[id].record

    def is_retired(self, id: str) -> bool:
        """True if this change set ends, retracts or erases the memory."""
        return id in self._copies and (self._copies[id].retired is not None or self._copies[id].is_erased)

    def add(self, candidate: Candidate, *, valid_to: datetime | None = None) -> str:
        """Store the candidate as a new memory with its source, and return its id."""
        start = candidate.valid_from or candidate.at
        end = valid_to or candidate.valid_to
        record = MemoryRecord(
            id=self.new_id(), text=candidate.text, version=1, user=self.scope.user, agent=self.scope.agent,
            run=self.scope.run, kind=candidate.kind, metadata=candidate.metadata, categories=candidate.categories,
            attributed_to=candidate.attributed_to, origin=candidate.origin, event_from=candidate.event_from,
            event_to=candidate.event_to, time_precision=candidate.time_precision, valid_from=start,
            valid_to=max(start, end) if end else None, recorded_at=self.at, retired_at=None,
            expires_at=candidate.expires_at, created_at=self.at, updated_at=self.at, sources=(),
            entities=candidate.entities, supersedes=(), superseded_by=None, evidence_count=0,
        )  # fmt: skip
        self._copies[record.id] = _Copy(record, None)
        self.cite(record.id, candidate)
        return record.id

    def change(self, id: str, **fields: Any) -> None:
        """Change fields of a working copy."""
        copy = self._copies[id]
        copy.record = replace(copy.record, **fields)

    def retire(self, id: str, effect: Effect, *, at: datetime) -> None:
        """End a working copy at a time, never before it began nor after it would have ended; or retract it."""
        copy = self._copies[id]
        copy.retired = effect
        if effect == "change":
            end = min(at, copy.record.valid_to) if copy.record.valid_to else at
            start = copy.record.valid_from
            copy.record = replace(copy.record, valid_to=max(end, start) if start else end)

    def erase(self, id: str) -> None:
        """Remove a memory physically (the paper's DELETE)."""
        self._copies[id].is_erased = True

    def cite(self, id: str, candidate: Candidate) -> None:
        """Add the candidate's source to a memory, unless the same message is one already."""
        copy = self._copies[id]
        shown = None if candidate.message_id is None else self.messages.get(candidate.message_id, candidate.message_id)
        known = {source.message_id for source in copy.record.sources}
        cited = self._cited.setdefault(id, set())
        if shown is None or not {shown, candidate.message_id} & (known | cited):
            cited.add(candidate.message_id)
            quote = candidate.quote if candidate.is_grounded else ""
            self._sources.append(NewSource(id, candidate.message_id, quote, candidate.at))

    def link(self, *, successor: str, predecessor: str) -> None:
        """Let one memory supersede another; the first successor stays."""
        self._links.setdefault(predecessor, successor)

    def log(
        self,
        event: Event,
        id: str | None,
        candidate: Candidate,
        *,
        reason: str,
        effect: Effect | None = None,
        model: str | None = None,
        prompt_hash: str | None = None,
    ) -> None:
        """Note a decision as carried out; its versions are filled in by `fold`."""
        change = LoggedChange(event, effect, None, None, reason, candidate.text, model, prompt_hash)
        self._log.append((change, id))

    def fold(self, **fields: Any) -> ChangeSet:
        """Return the change set: vectors are still missing.  `fields` go to it as they are."""
        live = [copy for copy in self._copies.values() if not copy.is_erased]
        moved = [c for c in live if c.stored is not None and (c.is_retracted or c.record != c.stored)]
        opened = [c for c in live if not c.is_retracted and (c.stored is None or c.record != c.stored)]
        gone = {id for id, copy in self._copies.items() if copy.is_retracted}
        mentions = tuple(one for one in self.mentions if one.memory_id not in gone)
        claims = tuple(one for one in self.claims if one.claim.memory_id not in gone)
        used = {one.entity_id for one in mentions}
        dropped = {id for id, copy in self._copies.items() if copy.is_erased or (copy.is_retracted and not copy.stored)}
        return ChangeSet(
            self.scope,
            self.operation_id,
            opened=tuple(NewVersion(self._final(copy), None, terms(copy.record.text)) for copy in opened),
            closed=tuple(Closing(c.stored.id, c.stored.version) for c in moved if c.stored is not None),
            erased=tuple(id for id, copy in self._copies.items() if copy.is_erased and copy.stored is not None),
            sources=tuple(source for source in self._sources if source.memory_id not in gone),
            entities=tuple(one for one in self.entities if one.id in used),
            mentions=mentions,
            claims=claims,
            links=tuple(Link(s, p) for p, s in self._links.items() if not {s, p} & dropped),
            log=tuple(self._placed(change, id) for change, id in self._log),
            warnings=tuple(self.warnings),
            **fields,
        )

    @staticmethod
    def _final(copy: _Copy) -> MemoryRecord:
        return copy.record if copy.stored is None else replace(copy.record, version=copy.stored.version + 1)

    def _placed(self, change: LoggedChange, id: str | None) -> LoggedChange:
        if id is None:
            return change
        copy = self._copies[id]
        before = copy.before if change.event in ("UPDATE", "DELETE") else None
        return replace(change, memory=copy.place, previous=before)


def vectors_missing(changes: ChangeSet, known: Mapping[str, Any]) -> Sequence[str]:
    """Return the texts of the change set that `known` (text → vector) lacks, each once, in order."""
    texts = [
        *(new.record.text for new in changes.opened),
        *(new.name for new in changes.entities),
        *(claim_text(new) for new in changes.claims),
    ]
    return list(dict.fromkeys(text for text in texts if text not in known))


def claim_text(new: NewClaim) -> str:
    """Return what a claim is embedded by."""
    claim = new.claim
    return triple_text(claim.source_name, claim.label, claim.destination_name)


def with_vectors(changes: ChangeSet, known: Mapping[str, Any]) -> ChangeSet:
    """Return the change set with the vector of each opened version, node and claim."""
    return replace(
        changes,
        opened=tuple(replace(new, vector=known[new.record.text]) for new in changes.opened),
        entities=tuple(replace(new, vector=known[new.name]) for new in changes.entities),
        claims=tuple(replace(new, vector=known[claim_text(new)]) for new in changes.claims),
    )
