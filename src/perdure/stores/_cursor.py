"""Cursors: where a listing stopped, as an opaque text that only the same listing takes back."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from perdure.errors import InputError


def encode(listing: str, *position: int | str) -> str:
    """Return the cursor of a position.

    >>> decode("memories recorded", encode("memories recorded", 7, "m-1"), (int, str))
    [7, 'm-1']
    """
    return base64.urlsafe_b64encode(json.dumps([listing, *position]).encode()).decode().rstrip("=")


def decode(listing: str, cursor: str, kinds: tuple[type, ...]) -> list[Any]:
    """Return the position of a cursor.  Raises InputError if another listing made it, or nobody did."""
    wrong = f"the cursor is not one of this listing ({listing}); pass the cursor of its last page, or None to start"
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
