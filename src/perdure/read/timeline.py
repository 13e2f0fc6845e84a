"""What happened and what held, about something, in order: "when did that change?", "what was it before?"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from perdure.errors import NotFound
from perdure.models import Both, Compare, Hit, MemoryRecord, Selection
from perdure.ports import Ports
from perdure.read import graph, pipeline
from perdure.read.lineage import family
from perdure.read.query import Query
from perdure.settings import Settings


def timeline(query: Query, ports: Ports, settings: Settings) -> list[MemoryRecord]:
    """Return the memories that `query.text` is about, ended ones included, by event_from, else valid_from.

    The text is the id of a memory, for its family, or of an entity, for the memories that name it; else a topic or a
    name, for the memories that share a word with it or are as near as the embedder's floor, or name the entity of that
    name, and the families of these.  At most `query.k`, the most relevant.
    What the selection does not see (retracted, expired, out of scope, not known then) is left out.
    """
    tenant = query.selection.scope.tenant
    try:
        roots = [ports.store.memory(tenant, query.text)]
    except NotFound:
        asked = replace(query, explain=True, selection=replace(query.selection, where=None))
        [found] = pipeline.search([asked], ports, settings)
        roots = [hit.memory for hit in found if hit.memory is not None and _is_about(hit, ports)]
        known = {root.id for root in roots}
        naming = graph.memories_of(ports.store, query.selection, query.text)
        roots += [ports.store.memory(tenant, id) for id in naming if id not in known]
    wanted: dict[str, None] = {}
    for root in roots:
        if root.id not in wanted:
            wanted |= dict.fromkeys(family(ports.store.versions(tenant, root.id), ports.store, tenant=tenant))
    seen = _seen(list(wanted)[: query.k], query.selection, ports)
    return sorted(seen, key=lambda record: (_at(record), record.id))


def _is_about(hit: Hit, ports: Ports) -> bool:
    """True if the hit shares a word with the topic, or its meaning is as near as two statements about one thing."""
    floor = 1.0 if ports.embedder is None else ports.embedder.floor
    least = {"sparse": 0.0, "dense": floor}
    signals = () if hit.explanation is None else hit.explanation.signals
    return any(signal.channel in least and signal.raw > least[signal.channel] for signal in signals)


def _seen(ids: list[str], selection: Selection, ports: Ports) -> list[MemoryRecord]:
    """Return the versions of these memories that the selection sees."""
    if not ids:
        return []
    among = Compare("id", "in", ids)
    where = among if selection.where is None else Both((among, selection.where))
    return list(ports.store.memories(replace(selection, where=where), limit=len(ids)).items)


def _at(record: MemoryRecord) -> datetime:
    return record.event_from or record.valid_from or record.recorded_at
