"""Reading the files of data sets, packed or not; what is missing or in another form is a typed error."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from perdure.errors import InputError

T = TypeVar("T")


def data_folder() -> Path:
    """Return the folder of evaluation data: $PERDURE_DATA, else ../shared/data from the repository's root."""
    given = os.environ.get("PERDURE_DATA")
    return Path(given) if given else Path(__file__).parents[4].parent / "shared" / "data"


def read_json(path: Path, *, source: str) -> Any:
    """Return the JSON value of a file (.gz or not).

    Raises InputError, naming `source`, where it cannot be read, or holds something else.
    """
    return _parsed(path, json.loads, source)


def read_lines(path: Path, *, source: str) -> list[Any]:
    """Return the JSON values of a file's lines, blank ones left out; as `read_json`."""
    return _parsed(path, lambda text: [json.loads(line) for line in text.split("\n") if line.strip()], source)


def shaped(path: Path, name: str, make: Callable[[], T]) -> T:
    """Return what `make` reads out of parsed JSON.  Raises InputError where it is not in the form of the set."""
    try:
        return make()
    except KeyError as err:
        raise InputError(f"{path} is not in the form of {name}: {err} is missing") from err
    except (ValueError, TypeError, AttributeError, IndexError) as err:
        raise InputError(f"{path} is not in the form of {name}: {type(err).__name__} {err}") from err


def _parsed(path: Path, parse: Callable[[str], T], source: str) -> T:
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return parse(raw.decode("utf-8"))
    except (gzip.BadGzipFile, zlib.error) as err:
        raise InputError(f"{path} ends in .gz and is not whole as gzip packs: {err}; unpack or rename it") from err
    except (OSError, EOFError) as err:
        reason = getattr(err, "strerror", None) or err
        raise InputError(
            f"cannot read {path}: {reason}; get it from {source}, and give its path or set PERDURE_DATA"
        ) from err
    except (ValueError, RecursionError) as err:
        raise InputError(f"{path} does not hold JSON: {err}; get it anew from {source}") from err
