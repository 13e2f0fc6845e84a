"""What a filter may name: record fields and paths into metadata; and how values are told apart."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from operator import ge, gt, le, lt
from typing import Any, Literal

from perdure.errors import InputError

FieldKind = Literal["text", "number", "time", "list", "missing"]
ValueType = Literal["text", "number", "bool", "time"]

FIELDS: Mapping[str, FieldKind] = {
    "id": "text", "text": "text", "version": "number", "user": "text", "agent": "text", "run": "text", "kind": "text",
    "categories": "list", "attributed_to": "text", "origin": "text", "event_from": "time", "event_to": "time",
    "time_precision": "text", "valid_from": "time", "valid_to": "time", "recorded_at": "time", "retired_at": "time",
    "expires_at": "time", "created_at": "time", "updated_at": "time", "entities": "list", "supersedes": "list",
    "superseded_by": "text", "evidence_count": "number",
    "external_id": "text", "role": "text", "name": "text", "content": "text", "at": "time",
}  # fmt: skip
"""What may stand bare in a filter: the fields of memories, then those that only messages have."""

ORDER: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "gt": (">", gt),
    "gte": (">=", ge),
    "lt": ("<", lt),
    "lte": ("<=", le),
}
"""The ordering operators, in SQL and in Python."""

METADATA = "metadata."
MAX_KEYS = 32  # in a path; chosen, as deep as `checks.metadata` lets metadata be

_SEGMENT = re.compile(r'"(?:[^"\\]|\\.)*"|[^."][^.]*', re.DOTALL)


def keys(path: str) -> tuple[str, ...]:
    """Return the keys of a metadata path, outermost first.  Raises InputError if it is not one.

    >>> keys('metadata."a.b".c')
    ('a.b', 'c')
    """
    found: list[str] = []
    position = len(METADATA) - 1
    while position < len(path):
        segment = _SEGMENT.match(path, position + 1)
        if path[position] != "." or segment is None:
            raise InputError(
                f'{path!a} is not a metadata path; write metadata.a.b, and metadata."a.b" for a key that holds a dot'
            )
        found.append(_key(segment.group()))
        position = segment.end()
    if len(found) > MAX_KEYS:
        raise InputError(f"a metadata path has {len(found)} keys; at most {MAX_KEYS} are read")
    return tuple(found)


def _key(segment: str) -> str:
    if not segment.startswith('"'):
        return segment
    try:
        return str(json.loads(segment))
    except ValueError as err:
        raise InputError(
            f"the key {segment!a} of a metadata path is not a JSON string; escape it as JSON does"
        ) from err


def type_of(value: object) -> ValueType | None:
    """Return the type in which a scalar is compared; None for null, lists and objects, which equal nothing."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "text"
    return "time" if isinstance(value, datetime) else None
