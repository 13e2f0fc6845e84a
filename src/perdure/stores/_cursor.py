"""Cursors: where a listing stopped, as an opaque text that only the same listing takes back."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from perdure.errors import InputError
from perdure.models import Selection


def listing(name: str, *of: object) -> str:
    """Return a listing's name, with a digest of what else its pages must have in common: scope, filter, times.

    >>> listing("messages", "ana") == listing("messages", "ben")
    False
    """
    return f"{name} {hashlib.blake2b(repr(of).encode(), digest_size=8).hexdigest()}"


def of_memories(selection: Selection, order: str) -> str:
    """Return the name of a listing of memories.  The present may move on between two pages: it is left out."""
    return listing("memories", order, replace(selection, now=datetime(1, 1, 1, tzinfo=UTC)))


def encode(listing: str, *position: int | str) -> str:
    """Return the cursor of a position.

    >>> decode("memories recorded", encode("memories recorded", 7, "m-1"), (int, str))
    [7, 'm-1']
    """
    return base64.urlsafe_b64encode(json.dumps([listing, *position]).encode()).decode().rstrip("=")


def decode(listing: str, cursor: str, kinds: tuple[type, ...]) -> list[Any]:
    """Return the position of a cursor.  Raises InputError if another listing made it, or nobody did."""
    wrong = (
        f"the cursor is not one of this listing ({listing.split()[0]}); pass the cursor of the last page of the same "
        "scope, order, filter and times, or None to start"
    )
    try:
        name, *position = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, TypeError) as err:
        raise InputError(wrong) from err
    if name != listing or [type(part) for part in position] != list(kinds) or not all(map(_is_storable, position)):
        raise InputError(wrong)
    return list(position)


def _is_storable(part: int | str) -> bool:
    """True for what a column can be compared with: 64 bits, or text without half of a surrogate pair."""
    return abs(part) < 2**63 if isinstance(part, int) else not any("\ud800" <= mark <= "\udfff" for mark in part)
