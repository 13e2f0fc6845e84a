"""A fact that comes in late takes the place between what was said before and after it.  Pure but for the draft.

Only for a slot that holds one value at a time ("lives in"), where what held when can be told without a model: the
timeline is then the same as if everything had been said in order.  The evidence tells how far an interval may be cut:
what was said again later held again from then on, as a memory of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from perdure import offline
from perdure.models import Candidate, MemoryRecord, Source, Warning
from perdure.text import normal
from perdure.write.draft import Draft
from perdure.write.repeat import OWN_WORD

MessageId = Callable[[str], str | None]  # the id that a source shows → the internal id, None if it is gone


def slot_of(candidate: Candidate) -> tuple[str, str] | None:
    """Return the slot of a plain statement of a value that excludes others: subject and attribute; else None."""
    is_plain = not (candidate.is_negation or candidate.is_correction) and candidate.valid_to is None
    return offline.line_of(candidate) if is_plain else None


def settle(candidate: Candidate, held: Sequence[MemoryRecord], draft: Draft, *, message_id: MessageId) -> str | None:
    """Put the candidate in its place among the memories of its slot, ended ones included; None if it is not late.

    Late is what was said before something that is known: "I moved in March", said last, is news of an earlier time.
    What others said never cuts what the user said.  Returns the id of the memory that says it.
    """
    at = candidate.valid_from or candidate.at
    line = sorted((record for record in held if not _is_empty(record)), key=lambda r: (_begin(r), r.id))
    is_late = any(_last_said(r) > candidate.at for r in line)
    if not is_late or not any(_begin(r) > at or _said_again(r, at) for r in line):
        return None
    if candidate.origin not in OWN_WORD and any(r.origin in OWN_WORD for r in line):
        return None
    around = [r for r in line if _begin(r) <= at and (r.valid_to is None or r.valid_to > at)]
    after = next((r for r in line if _begin(r) > at), None)
    if around and _says(around[-1], candidate):
        draft.take(around[-1])
        draft.cite(around[-1].id, candidate)
        draft.log("NOOP", around[-1].id, candidate, reason="says the same")
        return around[-1].id
    if after is None and not _is_bounded(around[-1], at):  # of two values that hold, the other one was said again
        return None
    place = _Place(draft, candidate, at, around[-1] if around else None, after)
    return place.take(message_id)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the candidate belongs: within `around`, if that is there, and before `after`."""

    draft: Draft
    candidate: Candidate
    at: datetime
    around: MemoryRecord | None
    after: MemoryRecord | None

    def take(self, message_id: MessageId) -> str:
        again = _said_again(self.around, self.at) if self.around is not None else []
        if self.around is not None:
            self._cut(self.around)
        if not again and self.after is not None and _says(self.after, self.candidate):
            home = self.after.id
            self.draft.take(self.after)
            self.draft.change(home, valid_from=self.at)
            self.draft.cite(home, self.candidate)
            self.draft.log("UPDATE", home, self.candidate, reason="it was said earlier too")
        else:
            home = self._add(again)
        if self.around is not None:
            self.draft.link(successor=home, predecessor=self.around.id)
            if again:
                self._repeat(self.around, again, home, message_id)
        return home

    def _cut(self, around: MemoryRecord) -> None:
        """End what held when the candidate came to hold."""
        self.draft.take(around)
        self.draft.change(around.id, valid_to=self.at)
        event, effect = ("DELETE", "change") if around.valid_to is None else ("UPDATE", None)
        reason = "another value held from then on, as a later message told of an earlier time"
        self.draft.log(event, around.id, self.candidate, reason=reason, effect=effect)  # type: ignore[arg-type]

    def _add(self, again: Sequence[Source]) -> str:
        ends = [source.at for source in again[:1]]
        ends += [r for r in (self.around.valid_to if self.around else None,) if r is not None]
        ends += [_begin(self.after)] if self.after is not None else []
        home = self.draft.add(self.candidate, valid_to=min(ends))
        detail = "it was said before what is known of the same; it was stored as ended"
        self.draft.warnings.append(Warning("older_than_known", detail, self.candidate.text))
        if self.after is not None and not again and min(ends) == _begin(self.after):
            self.draft.take(self.after)
            self.draft.link(successor=self.after.id, predecessor=home)
        self.draft.log("ADD", home, self.candidate, reason="told later than what followed it")
        return home

    def _repeat(self, around: MemoryRecord, again: Sequence[Source], home: str, message_id: MessageId) -> None:
        """Let what was said again later hold again from then on."""
        first, *rest = [_restated(around, source, message_id) for source in again]
        copy = self.draft.add(first, valid_to=around.valid_to)
        for more in rest:
            self.draft.cite(copy, more)
        self.draft.link(successor=copy, predecessor=home)
        if self.after is not None and around.valid_to == _begin(self.after):
            self.draft.take(self.after)
            self.draft.link(successor=self.after.id, predecessor=copy)
        self.draft.log("ADD", copy, first, reason="said again after another value held")


def _restated(memory: MemoryRecord, source: Source, message_id: MessageId) -> Candidate:
    """Return the statement of a memory as a source repeats it."""
    return Candidate(
        text=memory.text, at=source.at, attributed_to=memory.attributed_to, origin=memory.origin, kind=memory.kind,
        message_id=None if source.message_id is None else message_id(source.message_id), quote=source.quote,
        event_from=memory.event_from, event_to=memory.event_to, time_precision=memory.time_precision,
        entities=memory.entities, categories=memory.categories, metadata=memory.metadata, expires_at=memory.expires_at,
    )  # fmt: skip


def _says(memory: MemoryRecord, candidate: Candidate) -> bool:
    return normal(memory.text) == normal(candidate.text)


def _is_empty(memory: MemoryRecord) -> bool:
    return memory.valid_to is not None and memory.valid_to <= _begin(memory)


def _said_again(memory: MemoryRecord, at: datetime) -> list[Source]:
    """Return the sources of a memory that repeat it after a time, while it held, oldest first."""
    return [s for s in memory.sources if s.at > at and (memory.valid_to is None or s.at < memory.valid_to)]


def _is_bounded(memory: MemoryRecord, at: datetime) -> bool:
    """True if a memory that held at a time ended later, or was said again later."""
    return memory.valid_to is not None or bool(_said_again(memory, at))


def _last_said(memory: MemoryRecord) -> datetime:
    return max((source.at for source in memory.sources), default=_begin(memory))


def _begin(memory: MemoryRecord) -> datetime:
    return memory.valid_from or min((source.at for source in memory.sources), default=memory.created_at)
