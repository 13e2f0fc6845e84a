"""From a tree of comparisons to SQL that matches exactly what the reference evaluator matches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, assert_never

from perdure.models import Both, Compare, Either, Negated, Operator, Where
from perdure.where.fields import METADATA, ORDER, FieldKind, keys, type_of

CASEFOLD = "perdure_casefold"
"""The SQL function that icontains needs; a store registers `casefold` under this name, as deterministic."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Column:
    """What a record field is in SQL: an expression, NULL where the field is missing.

    text: TEXT in BINARY collation; number: INTEGER or REAL; time: INTEGER microseconds since 1970 UTC;
    list: TEXT, a JSON array; missing: a field that these rows do not have.
    """

    expression: str
    kind: FieldKind


def casefold(value: object) -> str | None:
    """Return a text case folded as Python does, None for anything else: the SQL function CASEFOLD."""
    return value.casefold() if isinstance(value, str) else None


def compile_sql(where: Where, columns: Mapping[str, Column], *, metadata: str) -> tuple[str, dict[str, object]]:
    """Return a filter as an SQLite expression, 1 or 0 and never NULL, and its parameters by name.

    It matches exactly the rows whose records `holds` matches.  A field that is not in `columns` is missing.
    metadata: the expression of a TEXT column that holds a JSON object; paths into it are bound, not spliced.
    Parameters are named where_0, where_1, ...; the fragment is in parentheses.
    The store must have registered `casefold` as CASEFOLD (SQLite's own lower() folds ASCII only).
    Integers of metadata beyond 64 bits, which SQLite reads as floats, compare inexactly; `checks` refuses them.
    """
    compiler = _Compiler(columns, metadata)
    return compiler.expression(where), compiler.bound


_Test = tuple[tuple[str, ...], str]  # the JSON types it applies to, and SQL with {} for the value
_NUMBERS = ("integer", "real")


class _Compiler:
    def __init__(self, columns: Mapping[str, Column], metadata: str) -> None:
        self.bound: dict[str, object] = {}
        self._columns = columns
        self._metadata = metadata

    def expression(self, where: Where) -> str:
        match where:
            case Compare():
                return self._compare(where)
            case Both():
                return _joined([self.expression(part) for part in where.parts], "AND", empty="1")
            case Either():
                return _joined([self.expression(part) for part in where.parts], "OR", empty="0")
            case Negated():
                return f"(NOT {self.expression(where.part)})"
            case _:
                assert_never(where)

    def _compare(self, compare: Compare) -> str:
        column = None if compare.path.startswith(METADATA) else self._column(compare.path)
        source = self._json_path(compare.path) if column is None else column.expression
        absent = f"(coalesce(json_type({source}), 'null') = 'null')" if column is None else f"({source} IS NULL)"
        if compare.operator == "exists":
            return f"(NOT {absent})" if compare.value else absent
        operands = compare.value if compare.operator in ("in", "nin") else (compare.value,)
        found = self._found(compare.operator, [value for value in operands if value is not None], column, source)
        if None in operands:
            found = f"({found} OR {absent})"
        return f"(NOT {found})" if compare.operator in ("ne", "nin") else found

    def _found(self, name: Operator, operands: Sequence[Any], column: Column | None, source: str) -> str:
        if column is not None and column.kind == "missing":
            return "0"
        if column is None:
            each = self._any_item(name, operands, source)
            one = _typed(self._tests(name, operands, is_item=False), f"json_type({source})", f"json_extract({source})")
            return f"(CASE json_type({source}) WHEN 'array' THEN {each} ELSE coalesce({one}, 0) END)"
        if column.kind == "list":
            return self._any_item(name, operands, column.expression)
        wanted = "text" if column.kind == "text" else "integer"
        tests = [test for types, test in self._tests(name, operands, is_item=False) if wanted in types]
        return f"coalesce({_joined([test.format(column.expression) for test in tests], 'OR', empty='0')}, 0)"

    def _any_item(self, name: Operator, operands: Sequence[Any], source: str) -> str:
        one = _typed(self._tests(name, operands, is_item=True), "where_item.type", "where_item.atom")
        return f"EXISTS (SELECT 1 FROM json_each({source}) AS where_item WHERE {one})"  # noqa: S608  # values are bound

    def _tests(self, name: Operator, operands: Sequence[Any], *, is_item: bool) -> list[_Test]:
        """Return what a value must pass, by its JSON type; one test is enough."""
        if name == "icontains":
            folded = self._bind(operands[0].casefold())
            test = f"{CASEFOLD}({{}}) = {folded}" if is_item else f"instr({CASEFOLD}({{}}), {folded}) > 0"
            return [(("text",), test)]
        if name == "contains" and not is_item:
            if not isinstance(operands[0], str):
                return []
            return [(("text",), f"instr({{}}, {self._bind(operands[0])}) > 0")]
        if name in ORDER:
            types = ("text",) if isinstance(operands[0], str) else _NUMBERS
            return [(types, f"{{}} {ORDER[name][0]} {self._bind(operands[0])}")]
        texts = [self._bind(value) for value in operands if isinstance(value, str)]
        numbers = [self._bind(value) for value in operands if type_of(value) in ("number", "time")]
        tests: list[_Test] = [(("text",), f"{{}} IN ({', '.join(texts)})")] if texts else []
        if numbers:
            tests.append((_NUMBERS, f"{{}} IN ({', '.join(numbers)})"))
        return tests + [(("true" if truth else "false",), "1") for truth in (True, False) if _has(operands, truth)]

    def _column(self, path: str) -> Column:
        return self._columns.get(path, Column("NULL", "missing"))

    def _json_path(self, path: str) -> str:
        """Return the two arguments that SQLite's JSON functions take: the document and the path."""
        steps = "".join(f".{json.dumps(key, ensure_ascii=False)}" for key in keys(path))
        return f"{self._metadata}, {self._bind(f'${steps}')}"

    def _bind(self, value: object) -> str:
        name = f"where_{len(self.bound)}"
        self.bound[name] = micros(value) if isinstance(value, datetime) else value
        return f":{name}"


def micros(moment: datetime) -> int:
    """Return a time as whole microseconds since 1970 UTC, exactly."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _has(operands: Sequence[Any], truth: bool) -> bool:
    return any(value is truth for value in operands)


def _typed(tests: Sequence[_Test], type_: str, value: str) -> str:
    parts = []
    for types, test in tests:
        names = ", ".join(f"'{name}'" for name in types)
        parts.append(f"({type_} IN ({names}) AND {test.format(value)})")
    return _joined(parts, "OR", empty="0")


def _joined(parts: Sequence[str], word: str, *, empty: str) -> str:
    """Join as a balanced tree: SQLite refuses expressions deeper than 1,000, and a plain chain counts as that deep."""
    if not parts:
        return empty
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return f"({_joined(parts[:half], word, empty=empty)} {word} {_joined(parts[half:], word, empty=empty)})"
