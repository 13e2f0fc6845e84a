"""From a JSON mapping to a tree of comparisons, or an InputError that says what is known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import tzinfo
from typing import Any, cast, get_args

from perdure.errors import InputError
from perdure.models import Both, Compare, Either, Negated, Operator, Where
from perdure.when import to_utc
from perdure.where.fields import FIELDS, METADATA, ORDER, FieldKind, keys, type_of

OPERATORS: tuple[Operator, ...] = get_args(Operator)
MAX_DEPTH = 32  # groups within groups; chosen
MAX_NODES = 1_000  # comparisons and groups; chosen
MAX_VALUES = 10_000  # values listed for in and nin, together; chosen, below SQLite's 32,766 parameters
_LARGEST = 2**63 - 1  # up to here SQL integers and JSON readers agree


def parse(filter: Mapping[str, Any], *, timezone: tzinfo | None = None) -> Where:
    """Return a filter as a tree.  Times become UTC; a naive one is read in `timezone`.

    Raises InputError on an unknown field or operator, an operand of the wrong type, a naive time without a timezone,
    more than MAX_DEPTH levels, MAX_NODES comparisons and groups, or MAX_VALUES listed values.

    >>> parse({"kind": "event"})
    Compare(path='kind', operator='eq', value='event')
    """
    return _Parser(timezone).filter(filter, 1)


class _Parser:
    """One parse: the timezone, and how much of the filter was met so far."""

    def __init__(self, timezone: tzinfo | None) -> None:
        self._timezone = timezone
        self._nodes = 0
        self._values = 0

    def filter(self, filter: object, depth: int) -> Where:
        if not isinstance(filter, Mapping):
            raise InputError(f"a filter must be a mapping of fields to values, not {_name(filter)}")
        if depth > MAX_DEPTH:
            raise InputError(f"the filter is nested too deep; at most {MAX_DEPTH} levels are read")
        self._count()
        parts: list[Where] = []
        for key, value in filter.items():
            if key in ("AND", "OR", "NOT"):
                parts.append(self._group(key, value, depth))
            else:
                parts.extend(self._field(key, value))
        return parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _group(self, key: str, value: object, depth: int) -> Where:
        if key == "NOT" and isinstance(value, Mapping):
            return Negated(self.filter(value, depth + 1))
        if not isinstance(value, list | tuple):
            also = " or one filter" if key == "NOT" else ""
            raise InputError(f"{key} takes a list of filters{also}, not {_name(value)}")
        parts = tuple(self.filter(part, depth + 1) for part in value)
        if key == "AND":
            return Both(parts)
        return Either(parts) if key == "OR" else Negated(Either(parts))

    def _field(self, path: object, value: object) -> list[Where]:
        if not isinstance(path, str) or not (path in FIELDS or path.startswith(METADATA)):
            raise InputError(
                f"unknown filter field {path!a}; known are {', '.join(FIELDS)}, metadata.<key> for your own, "
                "and AND, OR, NOT"
            )
        kind = FIELDS.get(path)
        if kind is None:
            for key in keys(path):
                _text(path, key)
        if not isinstance(value, Mapping):
            return [self._compare(path, kind, "eq", value)]
        if not value:
            raise InputError(f"{path!a} is compared with an empty mapping; give a value or one of {_KNOWN}")
        return [self._compare(path, kind, name, operand) for name, operand in value.items()]

    def _compare(self, path: str, kind: FieldKind | None, operator: object, operand: object) -> Compare:
        self._count()
        if operator not in OPERATORS:
            raise InputError(f"unknown operator {operator!a} on {path!a}; known are {_KNOWN}")
        if operator == "exists":
            if not isinstance(operand, bool):
                raise InputError(f"exists on {path!a} takes true or false, not {_name(operand)}")
            return Compare(path, operator, operand)
        if operator not in ("in", "nin"):
            return Compare(path, operator, self._operand(path, kind, operator, operand))
        if not isinstance(operand, list | tuple):
            raise InputError(f"{operator} on {path!a} takes a list of values, not {_name(operand)}")
        self._values += len(operand)
        if self._values > MAX_VALUES:
            raise InputError(f"the filter lists more than {MAX_VALUES} values; ask in several requests")
        return Compare(path, operator, tuple(self._operand(path, kind, operator, value) for value in operand))

    def _operand(self, path: str, kind: FieldKind | None, operator: Operator, value: object) -> object:
        """Return an operand checked and in a plain type; `kind` is None for metadata."""
        expected = _expected(kind, operator)
        if not expected:
            raise InputError(f"{operator} does not apply to {path!a}, which holds a {kind}")
        if value is None and operator in ("eq", "ne", "in", "nin"):
            return None
        if kind == "time":
            return to_utc(value, timezone=self._timezone, name=f"the operand of {path!a}")  # type: ignore[arg-type]
        type_ = type_of(value)
        if type_ not in expected:
            hint = "; for any of several values use in, for all of them AND" if isinstance(value, list | tuple) else ""
            raise InputError(f"{operator} on {path!a} takes {' or '.join(expected)}, not {_name(value)}{hint}")
        if isinstance(value, str):
            return _text(path, value)
        return value if isinstance(value, bool) else _number(path, cast("float", value))

    def _count(self) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise InputError(f"the filter has more than {MAX_NODES} parts; use in for lists of values")


_KNOWN = ", ".join(OPERATORS)


def _expected(kind: FieldKind | None, operator: Operator) -> tuple[str, ...]:
    """Return the types of operand that an operator takes on a field; none if it does not apply."""
    if kind in ("time", "number"):
        return () if operator in ("contains", "icontains") else (kind,)
    if kind is not None or operator == "icontains":
        return ("text",)
    return ("text", "number") if operator in ORDER else ("text", "number", "bool")


def _text(path: str, value: str) -> str:
    if "\x00" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise InputError(
            f"the filter on {path!a} holds a NUL or a lone surrogate, which no stored text does; remove it"
        )
    return str.__str__(value)


def _number(path: str, value: float) -> float:
    if isinstance(value, int):
        if abs(value) > _LARGEST:
            raise InputError(f"the number compared with {path!a} is beyond 64 bits; give a smaller one or a float")
        return int(value)
    if not math.isfinite(value):
        raise InputError(f"the number compared with {path!a} is not finite; use exists to find missing values")
    return float(value)


def _name(value: object) -> str:
    return "null" if value is None else type(value).__name__
