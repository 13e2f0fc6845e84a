"""The check of metadata: any JSON object within limits, copied."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from perdure.checks.arguments import storable, type_name
from perdure.errors import InputError

MAX_DEPTH = 32  # chosen: as deep as a filter's path can read
MAX_VALUES = 10_000  # chosen
MAX_CHARS = 1_000_000  # of keys and texts; chosen: a small picture fits, a film is a link
_LARGEST = 2**63 - 1  # integers that every store keeps exactly


def metadata(value: object, *, name: str = "metadata") -> dict[str, Any]:
    """Return a deep copy of a JSON object, so that a later change of the caller's changes nothing here.

    None is an empty one; tuples become lists.  Raises InputError on anything that JSON or a store cannot hold: other
    types, keys that are no str, NaN and infinities, integers beyond 64 bits, NUL, lone surrogates; and beyond the
    limits of depth and size, a value that holds itself included.

    >>> metadata({"team": ("a", "b")})
    {'team': ['a', 'b']}
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{name} must be a mapping, not {type_name(value)}")
    return _Copy(name).mapping(value, 1)


class _Copy:
    """One copy: the argument's name, and how much of it was met so far."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._values = 0
        self._chars = 0

    def mapping(self, value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        self._deeper(depth)
        copied = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise InputError(f"{self._name} has a key of type {type_name(key)}; JSON keys are str: write str(key)")
            copied[self._text(key)] = self._any(item, depth + 1)
        return copied

    def _any(self, value: object, depth: int) -> Any:
        self._values += 1
        if self._values > MAX_VALUES:
            raise InputError(
                f"{self._name} holds more than {MAX_VALUES} values; keep large data elsewhere and its id here"
            )
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int | float):
            return self._number(value)
        if isinstance(value, Mapping):
            return self.mapping(value, depth)
        if isinstance(value, list | tuple):
            self._deeper(depth)
            return [self._any(item, depth + 1) for item in value]
        raise InputError(
            f"{self._name} holds a {type_name(value)}, which JSON cannot; write times with isoformat(), sets as lists"
        )

    def _text(self, value: str) -> str:
        self._chars += len(value)
        if self._chars > MAX_CHARS:
            raise InputError(
                f"{self._name} holds more than {MAX_CHARS} characters; keep large data elsewhere and its id here"
            )
        return str.__str__(storable(value, self._name))

    def _number(self, value: float) -> float:
        if isinstance(value, int):
            if abs(value) > _LARGEST:
                raise InputError(f"{self._name} holds an integer beyond 64 bits; write it as text")
            return int(value)
        if not math.isfinite(value):
            raise InputError(f"{self._name} holds a number that is not finite, which JSON cannot; write null")
        return float(value)

    def _deeper(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise InputError(f"{self._name} is nested deeper than {MAX_DEPTH} levels, or holds itself; flatten it")
