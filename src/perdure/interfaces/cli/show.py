"""How records look: JSON with stable keys, and plain aligned text that cannot steer a terminal."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

import click

from perdure.interfaces.cli.options import Session
from perdure.models import Change, Hit, MemoryRecord, OperationResult, Warning
from perdure.when import local

_BREAKS = str.maketrans({"\n": " ", "\r": " ", "\t": " "})


def as_json(value: Any) -> Any:
    """Return a record as JSON values: keys are field names, times are ISO 8601 in UTC, in the records' order."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value


def document(value: Any) -> None:
    """Print one JSON document.  A lone surrogate is escaped, so that any terminal can take it."""
    text = json.dumps(as_json(value), ensure_ascii=False, indent=2)
    click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def line(text: str = "") -> None:
    """Print one line of text."""
    click.echo(clean(text))


def clean(text: str) -> str:
    r"""Return text on one line, with control, bidirectional and lone surrogate characters shown, not obeyed.

    >>> clean("a\x1b[31mb\nc")
    'a\\x1b[31mb c'
    """
    return "".join(
        repr(character)[1:-1] if unicodedata.category(character) in ("Cc", "Cs", "Cf") and not _joins(character)
        else character
        for character in text.translate(_BREAKS)
    )  # fmt: skip


def _joins(character: str) -> bool:
    """Zero-width joiners and tags belong to emoji and to several scripts."""
    return character in "\u200c\u200d" or "\U000e0020" <= character <= "\U000e007f"


def width(text: str) -> int:
    """Return how many columns a text takes: two for wide characters, none for combining ones.

    >>> width("Lyon"), width("里昂")
    (4, 4)
    """
    return sum(
        0 if unicodedata.combining(character) or _joins(character)
        else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )  # fmt: skip


def table(rows: Iterable[Sequence[str]], *, head: Sequence[str] = (), indent: str = "") -> None:
    """Print rows in aligned columns; the last column is as long as it likes."""
    cells = [[clean(cell) for cell in row] for row in ([head, *rows] if head else rows)]
    widths = [max(width(cell) for cell in column) for column in zip(*cells, strict=True)][:-1] if cells else []
    for row in cells:
        padded = [cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=False)]
        click.echo((indent + "  ".join([*padded, row[-1]])).rstrip())


def day(moment: datetime | None) -> str:
    """Return a date, or "…" for an open end."""
    return "…" if moment is None else _here(moment).date().isoformat()


def minute(moment: datetime | None) -> str:
    """Return a time to the minute."""
    return "…" if moment is None else _here(moment).strftime("%Y-%m-%d %H:%M")


def _here(moment: datetime) -> datetime:
    """Return a time by the clocks of the memory's time zone."""
    context = click.get_current_context(silent=True)
    session = context.find_object(Session) if context else None
    return local(moment, session.shown_in) if session else moment


def interval(record: MemoryRecord) -> str:
    """Return when a statement held: "2026-03-02 to 2026-04-13"."""
    return f"{day(record.valid_from)} to {day(record.valid_to)}"


def state(record: MemoryRecord) -> str:
    """Return "current", "ended" (it was true until then) or "retracted" (it is no longer held)."""
    if record.retired_at is not None:
        return "retracted"
    return "current" if record.valid_to is None else f"until {day(record.valid_to)}"


def change(one: Change) -> str:
    """Return a decision in one line, without its event: what was, what is, and why nothing was done."""
    new, old = one.memory, one.previous
    if one.event == "NOOP":
        return f"{(new or old).text if (new or old) else ''}  ({one.reason or 'known'})"  # type: ignore[union-attr]
    if new is not None and old is not None and new.text != old.text:
        return f"{old.text}  →  {new.text}"
    record = new or old
    return record.text if record else one.reason


def source(hit: Hit) -> str:
    """Return the sentence that a hit rests on, with its date; "" for a message, which is its own source."""
    if hit.memory is None or not hit.memory.sources:
        return ""
    first = hit.memory.sources[-1]
    return f"“{first.quote}” ({minute(first.at)})" if first.quote else f"message {first.message_id or '(given fact)'}"


def warnings(items: Sequence[Warning]) -> None:
    """Print warnings to stderr."""
    for item in items:
        click.echo(clean(f"warning: {item.detail} [{item.code}]"), err=True)


def operation(result: OperationResult) -> None:
    """Print what a mutating verb did: a line per decision, then the whole in one line."""
    changes = [one for one in result.changes if one.event != "NOOP"]
    table(
        [
            (one.event + (f" ({one.effect})" if one.effect else ""), (one.memory or one.previous).id, change(one))  # type: ignore[union-attr]
            for one in changes
            if one.memory or one.previous
        ]
    )
    known = len(result.changes) - len(changes)
    parts = [
        f"{result.status}: {_count(result.exchanges, 'exchange')}",
        _count(len(changes), "change"),
        *([f"{known} known already"] if known else []),
        f"{result.engine} engine",
        *([_count(result.usage.llm_calls, "model call")] if result.usage.llm_calls else []),
        f"operation {result.operation_id}",
    ]
    line(", ".join(parts))
    warnings(result.warnings)


def _count(number: int, name: str) -> str:
    """Return "1 change" or "2 changes"."""
    return f"{number} {name}" if number == 1 else f"{number} {name}s"
