"""What an erasure removes of the graph: what the memories, messages and versions that go said of it, and no more."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import apsw

from perdure.stores._erasure import Plan, key_of_renamed
from perdure.stores.sqlite.graph import QUERIES

_Bound = Mapping[str, object]


def of_plan(plan: Plan) -> _Bound:
    """Return what a plan takes of the graph, as parameters."""
    return {
        "memories": json.dumps(sorted(plan.memories)),
        "messages": json.dumps([message.id for message in plan.messages]),
        "tainted": json.dumps(plan.tainted),
        "trimmed": json.dumps(sorted(plan.trimmed)),
        "before": plan.before,
    }


def of_memories(ids: Sequence[str]) -> _Bound:
    """Return the parameters that take what these memories said."""
    return {"memories": json.dumps(list(ids)), "messages": "[]", "tainted": "[]", "trimmed": "[]", "before": None}


def erase(connection: apsw.Connection, partition: int, bound: _Bound) -> dict[str, int]:
    """Remove it from a partition, with the nodes that nothing names any more; return how much went.

    A node whose name is not said any more takes the first one that is.
    """
    here = {"partition": partition}
    counts = {}
    for name, counted in (("erase_claims", "relations"), ("erase_mentions", "mentions")):
        connection.execute(QUERIES[name], {**here, **bound})
        counts[counted] = connection.changes()
    if not any(counts.values()):
        return {"relations": 0, "entities": 0}
    connection.execute(QUERIES["erase_endings"], here)
    counts["relations"] += connection.changes()
    connection.execute(QUERIES["erase_entities"], here)
    entities = connection.changes()
    connection.execute(QUERIES["erase_moves"], here)
    for id, name in list(connection.execute(QUERIES["renamable"], here)):
        connection.execute(QUERIES["rename_entity"], {**here, "id": id, "name": name, "key": key_of_renamed(id)})
        connection.execute(QUERIES["drop_entity_vector"], {**here, "id": id})
    connection.execute(QUERIES["erase_vectors"], here)
    return {"relations": counts["relations"], "entities": entities}
