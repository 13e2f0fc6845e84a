"""The graph in SQLite: what a commit writes of it and what is read; see Store.entities and Store.claims."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import apsw

from perdure.models import ChangeSet, Claim, GraphKind, HeldClaim, HeldEntity, Mention, Move, Selection
from perdure.stores import _rules, _spaces, _sql
from perdure.stores._spaces import NOWHERE, Space
from perdure.stores._times import instant, microseconds
from perdure.stores._visible import OPEN_RIGHT, PRESENT, view
from perdure.stores.sqlite.rows import MEMORY_COLUMNS, ids, partitions, run
from perdure.text import name_of, triple_text
from perdure.where import compile_sql

if TYPE_CHECKING:
    from perdure.models import FloatArray

QUERIES: Final = _sql.load("perdure.stores.sqlite", "graph.sql")
ATTACHED: Final = ("mention", "claim", "move")
_MANY = "(select value from json_each({}))"


def write(connection: apsw.Connection, changes: ChangeSet, partition: int, spaces: Sequence[Space], *, at: int) -> None:
    """Insert the nodes, mentions, claims and moves of a change set whose memories are written already."""
    here = {"partition": partition}
    stamp = {"operation": changes.operation_id, "recorded_at": at, "retired_at": None}
    known: dict[str, str] = {}  # id as given → id of the node of its key
    for entity in changes.entities:
        row = {"id": entity.id, "key": entity.key, "name": entity.name, "type": entity.type, "recorded_at": at}
        connection.execute(QUERIES["insert_entity"], {**here, **row})
        if connection.changes():
            _index(connection, partition, "entity", entity.id, entity.vector, changes.space, spaces)
        else:
            held = connection.execute(QUERIES["entity_of_key"], {**here, "key": entity.key}).fetchone()
            if held is None:
                raise _rules.overtaken(f"entity {entity.id!r} exists already")
            known[entity.id] = held[0]
    for mention in changes.mentions:
        bound = mention_bound(mention, known.get(mention.entity_id, mention.entity_id))
        _check(connection, partition, [bound["entity"]])
        connection.execute(QUERIES["insert_mention"], {**here, **bound, **stamp})
    for new in changes.claims:
        claim = new.claim
        source = known.get(claim.source_id, claim.source_id)
        end = claim.destination_id and known.get(claim.destination_id, claim.destination_id)
        _check(connection, partition, [source, *([end] if end else [])])
        connection.execute(QUERIES["insert_claim"], {**here, **claim_bound(claim, source, end), **stamp})
        _index(connection, partition, "relation", claim.id, new.vector, changes.space, spaces)
    for move in changes.moves:
        ends = {"entity": known.get(move.entity_id, move.entity_id), "destination": known.get(move.to_id, move.to_id)}
        _check(connection, partition, list(ends.values()))
        connection.execute(QUERIES["insert_move"], {**here, **ends, "name": move.name, **stamp})


def mark_undone(connection: apsw.Connection, partition: int, operation: str, by: str | None, *, at: int) -> None:
    """Withdraw what an undone operation said of the graph; record it anew where it is in force again."""
    bound = {"partition": partition, "operation": operation, "at": at}
    for table in ATTACHED:
        connection.execute(QUERIES[f"{'restore' if by is None else 'withdraw'}_{table}"], bound)


def mention_bound(mention: Mention, entity: str) -> dict[str, Any]:
    """Return a mention's own columns as parameters."""
    return {
        "memory": mention.memory_id, "entity": entity, "name": mention.name, "normal": name_of(mention.name),
        "message": mention.message_id, "at": microseconds(mention.at), "is_dropped": mention.is_dropped,
    }  # fmt: skip


def claim_bound(claim: Claim, source: str, destination: str | None) -> dict[str, Any]:
    """Return a claim's own columns as parameters."""
    names = ("id", "quote", "source_name", "label", "destination_name", "is_ended", "effect", "reason")
    return {
        **{name: getattr(claim, name) for name in names},
        **{name: microseconds(getattr(claim, name)) for name in ("at", "valid_from", "valid_to")},
        "memory": claim.memory_id, "message": claim.message_id, "source": source, "destination": destination,
    }  # fmt: skip


def _check(connection: apsw.Connection, partition: int, entities: Sequence[str]) -> None:
    for id in entities:
        if connection.execute(QUERIES["has_entity"], {"partition": partition, "id": id}).fetchone() is None:
            raise _rules.overtaken(f"entity {id!r} is gone")


def _index(
    connection: apsw.Connection,
    partition: int,
    kind: str,
    id: str,
    vector: Any,  # FloatArray of shape (d,), or None
    model: str | None,
    spaces: Sequence[Space],
) -> None:
    if vector is not None:
        space = _spaces.place(spaces, vector, model).no
        blob = vector.astype("<f2").tobytes()
        bound = {"partition": partition, "kind": kind, "id": id, "space": space, "vector": blob}
        connection.execute(QUERIES["insert_vector"], bound)


def stale(
    connection: apsw.Connection, kind: GraphKind, spaces: Sequence[Space], *, after: int, limit: int
) -> list[tuple[int, str]]:
    """See Store.stale_graph."""
    bound = {"after": after, "limit": limit, "space": spaces[0].no if spaces else NOWHERE}
    rows = run(connection, QUERIES[f"stale_{kind}"], bound)
    return [(no, parts[0] if kind == "entity" else triple_text(*parts)) for no, *parts in rows]


def set_vectors(
    connection: apsw.Connection,
    kind: GraphKind,
    vectors: Mapping[int, FloatArray | None],
    spaces: Sequence[Space],
    *,
    model: str,
) -> None:
    """See Store.set_graph_vectors."""
    for no, vector in vectors.items():
        row = connection.execute(QUERIES[f"place_of_{kind}"], {"no": no}).fetchone()
        if row is not None and vector is None:
            connection.execute(QUERIES["drop_vector"], {"partition": row[0], "kind": kind, "id": row[1]})
        elif row is not None:
            _index(connection, row[0], kind, row[1], vector, model, spaces)


# ---------------------------------------------------------------- reading


def entities(
    connection: apsw.Connection,
    selection: Selection,
    *,
    asked: Sequence[str] | None,
    names: Sequence[str] | None,
) -> list[HeldEntity]:
    """See Store.entities."""
    reached, bound, where = _seen(connection, selection)
    which = mentioned = "{0}.partition in " + _MANY.format(":partitions")
    if asked is not None:
        bound["ids"] = json.dumps(list(asked))
        which += " and e.id in " + _MANY.format(":ids")
        mentioned += " and t.entity in " + _MANY.format(":ids")
    if names is not None:
        called = _called(connection, reached, names)
        bound["called"] = json.dumps(called)
        which += " and e.id in " + _MANY.format(":called")
        mentioned += " and t.entity in " + _MANY.format(":called")
    query = QUERIES["entities"].replace("{which}", which.format("e")).replace("{mentioned}", mentioned.format("t"))
    rows = run(connection, query.replace("{where}", where), {**bound, "is_named": asked is not None})
    found: dict[str, tuple[tuple[Any, ...], list[Mention]]] = {}
    for id, key, name, type_, recorded_at, memory, said, message, at, is_dropped in rows:
        _, mentions = found.setdefault(id, ((id, key, name, type_, instant(recorded_at)), []))
        if memory is not None:
            mentions.append(Mention(memory, id, said, message, instant(at), bool(is_dropped)))
    return [
        HeldEntity(id, key, name, type_, at, tuple(mentions)) for (id, key, name, type_, at), mentions in found.values()
    ]


def _called(connection: apsw.Connection, reached: Sequence[int], names: Sequence[str]) -> list[str]:
    """Return the ids of the nodes that are called one of the names, by anybody."""
    here = {"partitions": json.dumps(list(reached))}
    plain = [name for name in names if not name.endswith("*")]
    found = {id for (id,) in run(connection, QUERIES["called"], {**here, "names": json.dumps(plain)})}
    for prefix in (name[:-1] for name in names if name.endswith("*")):
        bound = {**here, "low": prefix, "high": prefix + "\U0010ffff"}
        found |= {id for (id,) in run(connection, QUERIES["called_from"], bound)}
    return sorted(found)


def claims(
    connection: apsw.Connection, selection: Selection, narrowed: Mapping[str, Sequence[str] | None]
) -> list[HeldClaim]:
    """See Store.claims.  `narrowed`: "touching", "leaving" or a column → the values asked for, None for any."""
    _, bound, where = _seen(connection, selection)
    which = ["c.partition in " + _MANY.format(":partitions")]
    for name, values in narrowed.items():
        if values is not None:
            bound[name] = json.dumps(list(values))
            column = "source" if name == "leaving" else name
            is_both = name == "touching"
            which.append(f"c.no in ({QUERIES[name]})" if is_both else f"c.{column} in {_MANY.format(':' + name)}")
    query = QUERIES["claims"].replace("{which}", " and ".join(which)).replace("{where}", where)
    return [_held(row) for row in run(connection, query, bound)]


def moves(connection: apsw.Connection, selection: Selection) -> list[Move]:
    """See Store.moves."""
    _, bound, _ = _seen(connection, selection)
    used = {name: bound[name] for name in ("partitions", "known_at", "open")}
    return [Move(*row) for row in run(connection, QUERIES["moves"], used)]


def _seen(connection: apsw.Connection, selection: Selection) -> tuple[list[int], dict[str, Any], str]:
    """Return the partitions, the parameters and the compiled filter of a selection."""
    _rules.check_selection(selection)
    seen = view(selection)
    fragment, bound = (
        ("1", {}) if selection.where is None else compile_sql(selection.where, MEMORY_COLUMNS, metadata="m.metadata")
    )
    reached = partitions(connection, selection.scope, selection.within)
    known_at = PRESENT if seen.known_at is None else seen.known_at
    return (
        reached,
        {
            **bound, **ids(selection.scope), "tenant": selection.scope.tenant, "partitions": json.dumps(reached),
            "known_at": known_at, "open": OPEN_RIGHT, "at": seen.at,
        },
        fragment,
    )  # fmt: skip


def _held(row: tuple[Any, ...]) -> HeldClaim:
    (no, id, memory, message, quote, at, source, source_name, label, destination, destination_name, is_ended, effect,
     valid_from, valid_to, reason, operation, recorded_at, public, memory_from, memory_to, user, agent,
     run_id, origin) = row  # fmt: skip
    claim = Claim(
        id, memory, source, source_name, label, destination, destination_name, instant(at), message, quote,
        bool(is_ended), effect, instant(valid_from), instant(valid_to), reason,
    )  # fmt: skip
    return HeldClaim(
        claim, no, operation, instant(recorded_at), public, instant(memory_from), instant(memory_to), user, agent,
        run_id, origin,
    )  # fmt: skip
