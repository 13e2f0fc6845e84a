"""The graph to lines and from them, inside one transaction; see stores/_graph_lines.py for the format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import apsw

from perdure.models import Claim, Mention, Move, NewEntity, Owner
from perdure.stores import _graph_lines, _lines
from perdure.stores._lines import Line
from perdure.stores._times import instant, microseconds
from perdure.stores.sqlite.graph import QUERIES, claim_bound, mention_bound
from perdure.stores.sqlite.rows import run


def export(connection: apsw.Connection, number: int, owner: Owner, bound: Mapping[str, Any]) -> Iterator[Line]:
    """Yield the lines of a partition's graph, as far as a scope's memories tell of it."""
    scope = {**bound, "partition": number}
    admitted = {name: scope[name] for name in ("tenant", "user", "agent", "run", "partition")}
    for id, key, name, type_, at, vector in run(connection, QUERIES["exported_entities"], scope):
        yield _graph_lines.entity(owner, NewEntity(id, key, name, type_), instant(at), vector)
    for memory, entity, name, message, at, dropped, *stamp in run(connection, QUERIES["exported_mentions"], admitted):
        mention = Mention(memory, entity, name, message, instant(at), bool(dropped))
        yield _graph_lines.mention(owner, mention, *_stamp(stamp))
    for row in run(connection, QUERIES["exported_claims"], scope):
        (id, memory, message, quote, at, source, source_name, label, end, end_name, is_ended, effect, start, until,
         reason, *stamp, vector) = row  # fmt: skip
        claim = Claim(
            id, memory, source, source_name, label, end, end_name, instant(at), message, quote, bool(is_ended),
            effect, instant(start), instant(until), reason,
        )  # fmt: skip
        yield _graph_lines.claim(owner, claim, *_stamp(stamp), vector)
    for entity, name, to, *stamp in run(connection, QUERIES["exported_moves"], {"partition": number}):
        yield _graph_lines.move(owner, Move(entity, name, to), *_stamp(stamp))


def _stamp(values: list[Any]) -> tuple[str | None, Any, Any]:
    operation, recorded_at, retired_at = values
    return operation, instant(recorded_at), instant(retired_at)


def import_(connection: apsw.Connection, line: Line, partition: int, space: int | None) -> bool:
    """Insert the row of a line if it is not there; True if it came.  `space` is that of the lines' vectors."""
    here = {"partition": partition}
    recorded_at, kind = microseconds(_lines.time(line, "recorded_at")), line["type"]
    if kind == "entity":
        return _entity(connection, line, partition, space, recorded_at)
    stamp = {
        "operation": line["operation"], "recorded_at": recorded_at,
        "retired_at": microseconds(_lines.time_or_none(line, "retired_at")),
    }  # fmt: skip
    row: dict[str, Any]
    if kind == "mention":
        mention = _graph_lines.to_mention(line)
        row = mention_bound(mention, mention.entity_id)
        known = {name: row[name] for name in ("memory", "entity", "name")}
    elif kind == "claim":
        claim = _graph_lines.to_claim(line)
        row = claim_bound(claim, claim.source_id, claim.destination_id)
        known = {"id": claim.id}
    else:
        move = _graph_lines.to_move(line)
        row = known = {"entity": move.entity_id, "name": move.name, "destination": move.to_id}
    bound = {**here, **known, "recorded_at": recorded_at}
    if connection.execute(QUERIES[f"is_known_{kind}"], bound).fetchone() is not None:
        return False
    connection.execute(QUERIES[f"insert_{kind}"], {**here, **row, **stamp})
    if kind == "claim":
        _index(connection, line, partition, "relation", space)
    return True


def _entity(connection: apsw.Connection, line: Line, partition: int, space: int | None, recorded_at: int) -> bool:
    new, here = _graph_lines.to_entity(line), {"partition": partition}
    if connection.execute(QUERIES["has_entity"], {**here, "id": new.id}).fetchone() is not None:
        return False
    if connection.execute(QUERIES["entity_of_key"], {**here, "key": new.key}).fetchone() is not None:
        new = replace(new, key=_graph_lines.apart(new))
    row = {"id": new.id, "key": new.key, "name": new.name, "type": new.type, "recorded_at": recorded_at}
    connection.execute(QUERIES["insert_entity"], {**here, **row})
    _index(connection, line, partition, "entity", space)
    return True


def _index(connection: apsw.Connection, line: Line, partition: int, kind: str, space: int | None) -> None:
    blob = _lines.vector_of(line)
    if blob is not None and space is not None:
        bound = {"partition": partition, "kind": kind, "id": line["id"], "space": space, "vector": blob}
        connection.execute(QUERIES["insert_vector"], bound)
