"""The embedders whose vectors the file holds, and how rows move from one space to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import apsw

from perdure.models import VectorSpace
from perdure.ports import RowKind
from perdure.stores import _rules, _spaces
from perdure.stores._rules import SEQ_BITS
from perdure.stores._spaces import NOWHERE
from perdure.stores.sqlite import graph
from perdure.stores.sqlite.rows import QUERIES, select
from perdure.stores.sqlite.writing import as_blob, spaces_of

if TYPE_CHECKING:
    from perdure.models import FloatArray


def claim(connection: apsw.Connection, model: str, dimensions: int) -> None:
    """See Store.claim_embedder."""
    spaces = spaces_of(connection)
    if not spaces:
        connection.execute(QUERIES["insert_space"], {"model": model, "dimensions": dimensions})
    elif (spaces[0].model, spaces[0].dimensions) != (model, dimensions):
        raise _rules.other_embedder((spaces[0].model, spaces[0].dimensions), (model, dimensions))


def rebind(connection: apsw.Connection, model: str, dimensions: int) -> None:
    """See Store.rebind."""
    spaces = spaces_of(connection)
    known = next((space for space in spaces if (space.model, space.dimensions) == (model, dimensions)), None)
    if known is not None and known.is_current:
        return
    _rules.check_name(model, [space.model for space in spaces if space is not known])
    connection.execute(QUERIES["retire_spaces"])
    if known is None:
        connection.execute(QUERIES["insert_space"], {"model": model, "dimensions": dimensions})
    else:
        connection.execute(QUERIES["return_space"], {"no": known.no})


def sizes(connection: apsw.Connection) -> list[VectorSpace]:
    """See Store.spaces."""
    return [
        VectorSpace(
            space.model, space.dimensions, space.is_current, 0 if space.is_current else size(connection, space.no)
        )
        for space in spaces_of(connection)
    ]


def size(connection: apsw.Connection, no: int) -> int:
    """Return how many vectors are in a space."""
    return int(next(select(connection, "space_size", {"no": no}))[0])


def stale(connection: apsw.Connection, kind: RowKind, *, after: int, limit: int) -> list[int]:
    """See Store.stale."""
    current = next((space.no for space in spaces_of(connection)), NOWHERE)
    bound = {"after": after, "limit": limit, "space": current}
    return [no for (no,) in select(connection, f"stale_{kind}", bound)]


def set_vectors(
    connection: apsw.Connection, kind: RowKind, vectors: Mapping[int, FloatArray | None], *, space: str
) -> None:
    """See Store.set_vectors."""
    spaces = spaces_of(connection)
    for no, vector in vectors.items():
        if vector is None:
            connection.execute(QUERIES[f"drop_{kind}_vector"], {"no": no})
        else:
            bound = {"no": no, "space": _spaces.place(spaces, vector, space).no, "vector": as_blob(vector)}
            connection.execute(QUERIES[f"set_{kind}_vector"], bound)
    for partition in sorted({no >> SEQ_BITS for no in vectors}):
        connection.execute(QUERIES["refresh_partition"], {"no": partition})


def drop(connection: apsw.Connection) -> int:
    """See Store.drop_spaces."""
    left = sum(size(connection, space.no) for space in spaces_of(connection) if not space.is_current)
    if not left:
        connection.execute(QUERIES["drop_spaces"])
        connection.execute(graph.QUERIES["drop_old_vectors"])
    return left
