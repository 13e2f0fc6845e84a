"""The reference evaluator: what a filter means, in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from perdure.models import Both, Compare, Either, MemoryRecord, MessageRecord, Negated, Where
from perdure.where.fields import METADATA, ORDER, keys, type_of


def holds(where: Where, record: MemoryRecord | MessageRecord) -> bool:
    """True if the filter matches the record: the reference that every compiled form must equal."""
    match where:
        case Compare():
            return _holds(where, _value_of(record, where.path))
        case Both():
            return all(holds(part, record) for part in where.parts)
        case Either():
            return any(holds(part, record) for part in where.parts)
        case Negated():
            return not holds(where.part, record)
        case _:
            assert_never(where)


def _value_of(record: MemoryRecord | MessageRecord, path: str) -> Any:  # any JSON value, or a datetime
    if not path.startswith(METADATA):
        return getattr(record, path, None)
    value: Any = record.metadata
    for key in keys(path):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _holds(compare: Compare, value: Any) -> bool:
    operand = compare.value
    match compare.operator:
        case "exists":
            return (value is not None) is operand
        case "eq":
            return _is_one_of(value, (operand,))
        case "ne":
            return not _is_one_of(value, (operand,))
        case "in":
            return _is_one_of(value, operand)
        case "nin":
            return not _is_one_of(value, operand)
        case "contains":
            return operand in value if _are(str, value, operand) else _is_list(value) and _is_one_of(value, (operand,))
        case "icontains":
            folded = operand.casefold()
            if isinstance(value, str):
                return folded in value.casefold()
            return _is_list(value) and any(isinstance(item, str) and item.casefold() == folded for item in value)
        case "gt" | "gte" | "lt" | "lte":
            _, compared = ORDER[compare.operator]
            return any(type_of(item) == type_of(operand) and compared(item, operand) for item in _items(value))
        case _:
            assert_never(compare.operator)


def _is_one_of(value: Any, operands: Sequence[Any]) -> bool:
    if value is None:
        return None in operands
    given = {(type_of(operand), operand) for operand in operands if operand is not None}
    return any((type_of(item), item) in given for item in _items(value) if type_of(item))


def _items(value: Any) -> Sequence[Any]:
    return value if _is_list(value) else (value,)


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _are(kind: type, *values: object) -> bool:
    return all(isinstance(value, kind) for value in values)
