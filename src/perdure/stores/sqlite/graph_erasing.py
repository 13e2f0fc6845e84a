"""What an erasure removes of the graph: what the memories, messages and versions that go said of it, and no more."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import apsw

from perdure.stores import _graph_erasure
from perdure.stores._erasure import Plan, key_of_renamed
from perdure.stores._graph_erasure import ClaimRow, Left, MentionRow, MoveRow
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
    """Remove it from a partition, with what nothing leads to any more; return how much went."""
    here = {"partition": partition}
    counts = {}
    for name, counted in (("erase_claims", "relations"), ("erase_mentions", "mentions")):
        connection.execute(QUERIES[name], {**here, **bound})
        counts[counted] = connection.changes()
    if not any(counts.values()):
        return {"relations": 0, "entities": 0}
    left = _left(connection, partition)
    connection.execute(QUERIES["erase_endings"], {**here, "endings": json.dumps(sorted(left.endings))})
    relations = counts["relations"] + connection.changes()
    connection.execute(QUERIES["erase_moves"], {**here, "moves": json.dumps(sorted(left.moves))})
    connection.execute(QUERIES["erase_entities"], {**here, "entities": json.dumps(sorted(left.entities))})
    entities = connection.changes()
    for id, name in left.renamed.items():
        connection.execute(QUERIES["rename_entity"], {**here, "id": id, "name": name, "key": key_of_renamed(id)})
        connection.execute(QUERIES["drop_entity_vector"], {**here, "id": id})
    for no, (source, destination) in left.retold.items():
        names = {"source": source, "destination": destination}
        connection.execute(QUERIES["retell_claim"], {**here, "no": no, **names})
        connection.execute(QUERIES["drop_claim_vector"], {**here, "no": no})
    connection.execute(QUERIES["erase_vectors"], here)
    return {"relations": relations, "entities": entities}


def _left(connection: apsw.Connection, partition: int) -> Left:
    names, mentions, claims, moves = (
        list(connection.execute(QUERIES[f"left_{kind}"], {"partition": partition}))
        for kind in ("names", "mentions", "claims", "moves")
    )
    return _graph_erasure.left(
        dict(names),
        [MentionRow(*row) for row in mentions],
        [ClaimRow(*row) for row in claims],
        [MoveRow(*row) for row in moves],
    )
