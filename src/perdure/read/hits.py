"""Hits: a stored record as something found, and a whole scope as hits."""

from __future__ import annotations

from datetime import datetime

from perdure.models import Explanation, Hit, MemoryRecord, MessageRecord, RelationRecord, SearchResult
from perdure.ports import Store
from perdure.read.query import Query
from perdure.text import spoken


def hit(
    record: MemoryRecord | MessageRecord | RelationRecord, *, score: float, explanation: Explanation | None = None
) -> Hit:
    """Return a record as a hit.

    A memory is dated by its event, else by when it began to hold, else by when it was recorded, and so a relation; a
    message by when it was said.
    """
    if isinstance(record, RelationRecord):
        since = record.valid_from or record.recorded_at
        return Hit("relation", record.id, record.text, score, since, relation=record, explanation=explanation)
    if isinstance(record, MemoryRecord):
        at = record.event_from or record.valid_from or record.recorded_at
        return Hit("memory", record.id, record.text, score, at, memory=record, explanation=explanation)
    text = spoken(record.speaker, record.content)
    return Hit("message", record.id, text, score, record.at, message=record, explanation=explanation)


def whole_scope(query: Query, found: SearchResult, store: Store, *, at_most: int) -> list[Hit]:
    """Return every row the query may see, the found ones first with their scores, the others with score 0.

    Empty if there are more than `at_most`, or if the query narrows its scope by more than kinds and validity: then
    "the whole" is not what was asked for.
    """
    selection = query.selection
    is_narrowed = query.threshold is not None or selection.where is not None or selection.within is not None
    if is_narrowed or selection.known_at is not None:
        return []
    records: list[MemoryRecord | MessageRecord] = []
    if "memories" in query.include:
        memories = store.memories(selection, limit=at_most)
        if memories.total > at_most:
            return []
        records.extend(memories.items)
    if "messages" in query.include:
        messages = store.messages(selection.scope, limit=at_most)
        if messages.total + len(records) > at_most:
            return []
        records.extend(messages.items)
    cut = query.cut
    if cut is not None:
        records = [one for one in records if (said := _said(one)) is None or said <= cut]
    known = {(one.kind, one.id) for one in found.hits}
    others = [hit(record, score=0.0) for record in records]
    return [*found.hits, *(other for other in others if (other.kind, other.id) not in known)]


def _said(record: MemoryRecord | MessageRecord) -> datetime | None:
    return record.valid_from if isinstance(record, MemoryRecord) else record.at
