"""From claims to relations: what was said of each slot, in the order of time, becomes intervals.

Of one slot one value holds at a time: a new value ends the old one where it begins, the same value again is more
evidence, and after an end it opens an interval of its own (she returns to her first employer).  An ended claim ends
what it names; one with effect "correction" says that it never held, and what was claimed before is retracted.
What an assistant, a tool or a document said ends and retracts nothing that a user said: where the two differ, the
user's word holds and the other has an interval without length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from perdure.graph.labels import is_alike, slot
from perdure.models import HeldClaim, HeldEntity, RelationRecord, Support, Validity
from perdure.text import triple_text

_OTHERS: Final = ("assistant", "tool", "document")  # whose word is not the user's own
Resolve = Callable[[str, str], str]  # (entity id, name as said) → the id of the node that is meant
Value = tuple[str, str]  # label and destination


@dataclass(frozen=True, slots=True)
class _Told:
    """A claim with its ends resolved and its interval."""

    held: HeldClaim
    source: str
    destination: str  # "" where an ended one names none
    start: datetime
    end: datetime | None

    @property
    def value(self) -> Value:
        return self.held.claim.label, self.destination

    @property
    def is_own(self) -> bool:
        return self.held.origin not in _OTHERS


@dataclass(slots=True)
class _Interval:
    """A relation while it is being put together."""

    value: Value
    start: datetime | None
    end: datetime | None
    told: list[_Told] = field(default_factory=list)
    ended_by: HeldClaim | None = None
    retired_at: datetime | None = None

    def yields_to(self, one: _Told) -> bool:
        """True unless it is the user's word and the other is not."""
        return one.is_own or not any(told.is_own for told in self.told)


def fold(claims: Sequence[HeldClaim], resolve: Resolve, names: Mapping[str, HeldEntity | str]) -> list[RelationRecord]:
    """Return the relations that the claims tell of, ended and retracted ones too, in `by_start` order.

    The claims of a slot must be there whole: all that leave a source under a single-valued label.
    names: node id → the node, or its name.
    """
    slots: dict[tuple[str, ...], list[_Told]] = defaultdict(list)
    for held in claims:
        claim = held.claim
        source = resolve(claim.source_id, claim.source_name)
        destination = resolve(claim.destination_id, claim.destination_name) if claim.destination_id else ""
        start = claim.valid_from or held.memory_from or claim.at
        ends = [end for end in (claim.valid_to, held.memory_to) if end is not None]
        end = min(ends) if ends else None
        told = _Told(held, source, destination, start, end if end is None else max(start, end))
        slots[slot(source, claim.label, destination)].append(told)
    found = [_record(interval, names) for told in slots.values() for interval in _intervals(told) if interval.value[1]]
    return sorted(found, key=by_start)


def by_start(relation: RelationRecord) -> tuple[datetime, str, str]:
    """The order of relations: by start, then by text, then by id."""
    return relation.valid_from or relation.recorded_at, relation.text, relation.id


def _intervals(told: Sequence[_Told]) -> list[_Interval]:
    """Return the intervals of one slot, retracted ones last."""
    asserted = [one for one in told if not one.held.claim.is_ended]
    ended = [one for one in told if one.held.claim.is_ended]
    retracted = _corrected(asserted, ended)
    standing = [one for one in asserted if one.held.order not in retracted]
    ends = [(_end_of(one, standing), one) for one in ended if one.held.claim.effect == "change"]
    # At one moment what was recorded first comes first.
    steps = sorted([*ends, *((one.start, one) for one in standing)], key=lambda step: (step[0], step[1].held.order))
    found: list[_Interval] = []
    for at, one in steps:
        last = found[-1] if found else None
        if one.held.claim.is_ended:
            is_open = last is not None and (last.end is None or at < last.end)
            if last is not None and is_open and _names(one, last.value) and last.yields_to(one):
                last.end, last.ended_by = max(at, last.start or at), one.held
        elif last is not None and last.value == one.value and (last.end is None or one.start < last.end):
            last.end = None if last.end is None or one.end is None else max(last.end, one.end)
            last.told.append(one)
        elif (same := _begun(found, one)) is not None:
            same.told.append(one)  # said again of the same moment: two values of one moment do not take turns
        else:
            if last is not None and (last.end is None or one.start < last.end):
                if not last.yields_to(one):
                    found.insert(-1, _Interval(one.value, one.start, one.start, [one], last.told[0].held))
                    continue
                last.end, last.ended_by = one.start, one.held
            elif last is not None and one.start == last.end and last.ended_by is None:
                last.ended_by = one.held  # its memory was superseded by this one's
            found.append(_Interval(one.value, one.start, one.end, [one]))
    return [*found, *_retracted(asserted, retracted)]


def _corrected(asserted: Sequence[_Told], ended: Sequence[_Told]) -> dict[int, _Told]:
    """Return order of a claim → what retracted it: the first correction of its value that came after it."""
    retracted: dict[int, _Told] = {}
    for one in ended:
        if one.held.claim.effect == "correction":
            for other in asserted:
                is_later = other.held.order < one.held.order
                if is_later and _names(one, other.value) and (one.is_own or not other.is_own):
                    retracted.setdefault(other.held.order, one)
    return retracted


def _begun(found: Sequence[_Interval], one: _Told) -> _Interval | None:
    """Return the interval of a value that began when it is said to, if there is one."""
    same = (interval for interval in found if interval.value == one.value and interval.start == one.start)
    return next(same, None)


def _names(ended: _Told, value: Value) -> bool:
    """True if an ended claim is about a value: of its label, not the opposite, and its destination, if it names one."""
    return is_alike(ended.held.claim.label, value[0]) and ended.destination in ("", value[1])


def _end_of(ended: _Told, standing: Sequence[_Told]) -> datetime:
    """Return when an end counts: not before what it ends had begun, where that was said before it."""
    begun = [
        one.start
        for one in standing
        if _names(ended, one.value) and one.held.order < ended.held.order and one.start <= ended.held.claim.at
    ]
    return max([ended.start, *begun])


def _retracted(asserted: Sequence[_Told], by: Mapping[int, _Told]) -> list[_Interval]:
    """Return an interval per value that was retracted, as it was held."""
    found: dict[Value, _Interval] = {}
    for one in asserted:
        if one.held.order in by:
            interval = found.setdefault(one.value, _Interval(one.value, one.start, one.end))
            interval.told.append(one)
            interval.ended_by = by[one.held.order].held
            interval.retired_at = interval.ended_by.recorded_at
    return list(found.values())


def _record(interval: _Interval, names: Mapping[str, HeldEntity | str]) -> RelationRecord:
    told = sorted(interval.told, key=lambda one: one.held.order)
    first = told[0].held
    label, destination = interval.value
    source_name, end_name = (_name(names, id) for id in (told[0].source, destination))
    ender = interval.ended_by
    sources = dict.fromkeys(
        Support(one.held.claim.memory_id, one.held.public_message_id, one.held.claim.quote, one.held.claim.at)
        for one in sorted(told, key=lambda one: (one.held.claim.at, one.held.order))
    )
    return RelationRecord(
        id=first.claim.id, source=source_name, label=label, destination=end_name, source_id=told[0].source,
        destination_id=destination, text=triple_text(source_name, label, end_name), valid_from=interval.start,
        valid_to=interval.end, recorded_at=min(one.held.recorded_at for one in told), retired_at=interval.retired_at,
        sources=tuple(sources), reason=_reason(interval) if ender or interval.end else "",
        user=first.user, agent=first.agent, run=first.run, claims=tuple(one.held.claim.id for one in told),
        ended_by=ender.claim.id if ender else None,
    )  # fmt: skip


def _name(names: Mapping[str, HeldEntity | str], id: str) -> str:
    held = names.get(id, id)
    return held if isinstance(held, str) else held.name


def _reason(interval: _Interval) -> str:
    """Return why a relation holds no longer, in words."""
    if interval.ended_by is None:
        return "its memory ended"
    claim = interval.ended_by.claim
    if claim.reason:
        return claim.reason
    what = "corrected" if interval.retired_at else "ended" if claim.is_ended else "replaced"
    said = triple_text(claim.source_name, claim.label, claim.destination_name).strip()
    return f"{what} by: {'no longer ' if claim.is_ended else ''}{said}"


def is_seen(relation: RelationRecord, *, validity: Validity, at: datetime, is_dated: bool) -> bool:
    """True if a relation is of a validity at a time, as for memories; what is retracted is never seen."""
    if relation.retired_at is not None:
        return False
    if is_dated and relation.valid_from is not None and relation.valid_from > at:
        return False
    is_ended = relation.valid_to is not None and relation.valid_to <= at
    return validity == "all" or is_ended == (validity == "ended")
