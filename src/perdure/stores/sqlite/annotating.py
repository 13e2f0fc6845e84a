"""A message gets other metadata, and is found by other words: its content stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import apsw

from perdure.models import Json
from perdure.stores import _rules, _spaces
from perdure.stores._rules import SEQ_BITS, SEQ_MASK
from perdure.stores.sqlite.rows import QUERIES, first
from perdure.stores.sqlite.writing import as_blob, spaces_of

if TYPE_CHECKING:
    from perdure.models import FloatArray


def annotate(
    connection: apsw.Connection,
    tenant: str,
    id: str,
    metadata: Json,
    *,
    vector: FloatArray | None,
    terms: Mapping[str, int],
    space: str | None,
) -> None:
    """See Store.annotate."""
    row = first(connection, "message_place", {"tenant": tenant, "id": id})
    if row is None:
        raise _rules.missing("message", id)
    no, old_length = row
    partition, seq, length = no >> SEQ_BITS, no & SEQ_MASK, sum(terms.values())
    bound = {"no": no, "metadata": _rules.json_text(metadata), "length": length}
    connection.execute(QUERIES["annotate_message"], bound)
    connection.execute(QUERIES["lengthen_messages"], {"no": partition, "more": length - old_length})
    connection.execute(QUERIES["drop_message_vector"], {"no": no})
    if vector is not None:
        place = _spaces.place(spaces_of(connection), vector, space)
        stored = {"no": no, "space": place.no, "vector": as_blob(vector)}
        connection.execute(QUERIES["insert_message_vector"], stored)
    connection.execute(QUERIES["erase_message_postings"], {"partition": partition, "seq": seq})
    shared = {"partition": partition, "kind": "message", "seq": seq}
    postings = [{**shared, "term": term, "tf": tf} for term, tf in sorted(terms.items())]
    connection.executemany(QUERIES["insert_posting"], postings)
    connection.execute(QUERIES["refresh_partition"], {"no": partition})
