"""An export as a file: one JSON object a line, written whole or not at all, for its owner alone."""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from perdure.errors import InputError

FORMAT = "perdure-export"  # what the first line says
Line = dict[str, Any]  # one JSON object


def write(path: Path, lines: Iterable[Line]) -> dict[str, int]:
    """Write lines to a new file and return how many there are of each type.

    Raises InputError where the file exists or cannot be written; then there is no file.
    """
    counts: Counter[str] = Counter()
    with new_file(path) as part, part.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
            counts[line["type"]] += 1
        file.flush()
        os.fsync(file.fileno())
    return {name: number for name, number in sorted(counts.items()) if name != FORMAT}


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Yield a file beside `path`, for its owner alone, that takes its place at the end, and vanishes on an error.

    Raises InputError where `path` exists, or nothing can be written there.
    """
    if path.exists():
        raise InputError(f"{path} exists; name another file, or remove it first")
    part = path.with_name(path.name + ".part")  # one that a killed process left is removed
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield part
        part.rename(path)
    except OSError as err:
        raise InputError(f"cannot write {path}: {err.strerror}; name a file in a folder that is writable") from err
    finally:
        part.unlink(missing_ok=True)


def is_export(path: Path) -> bool:
    """True if a file's first line says that it is an export of perdure.  Raises InputError if it cannot be read."""
    with _opened(path) as file:
        return FORMAT in file.readline(200)


def read(path: Path) -> list[Line]:
    """Return the lines of a file.  Raises InputError where one is no JSON object."""
    with _opened(path) as file:
        return [_parsed(text, number) for number, text in enumerate(file, start=1) if text.strip()]


def document(path: Path) -> Any:
    """Return the JSON value of a file.  Raises InputError where it is none."""
    with _opened(path) as file:
        try:
            return json.load(file)
        except (ValueError, RecursionError) as err:
            raise InputError(f"{path} is neither an export of perdure nor JSON: {err}") from err


def rescoped(lines: Iterable[Line], scope: Mapping[str, str | None]) -> list[Line]:
    """Return the lines under other ids: every `user`, `agent` or `run` that is named in `scope` takes that value.

    Raises InputError where two owners would become one.
    """
    named = {name: id for name, id in scope.items() if id is not None}
    found = [_renamed(line, named) for line in lines]
    owners = [(line["kind"], line["owner"]) for line in found if line["type"] == "partition"]
    if len(set(owners)) < len(owners):
        raise InputError("the export holds several owners that would become one; import it without a scope")
    return found


def _renamed(line: Line, named: Mapping[str, str]) -> Line:
    if line.get("type") == "job":
        return {**line, "payload": _renamed_ids(line.get("payload") or {}, named)}
    if "owner" in line:
        return {**line, "owner": named.get(str(line.get("kind")), line["owner"])}
    return _renamed_ids(line, named)


def _renamed_ids(line: Mapping[str, Any], named: Mapping[str, str]) -> Line:
    return {key: named[key] if key in named and value is not None else value for key, value in line.items()}


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with path.open(encoding="utf-8") as file:
            yield file
    except OSError as err:
        raise InputError(f"cannot read {path}: {err.strerror}; name a file that is there") from err
    except UnicodeDecodeError as err:
        raise InputError(f"{path} is not text in UTF-8; name an export of perdure, or JSON of Mem0") from err


def _parsed(text: str, number: int) -> Line:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise InputError(f"line {number} of the export is not JSON ({err}); nothing was imported") from err
    if not isinstance(line, dict):
        raise InputError(f"line {number} of the export is no JSON object; nothing was imported")
    return line
