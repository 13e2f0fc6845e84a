"""Queries kept in files: a name line, one comment line, the query."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def load(package: str, file: str) -> Mapping[str, str]:
    """Return a package's queries by name."""
    return parse(resources.files(package).joinpath(file).read_text("utf-8"))


def parse(text: str) -> Mapping[str, str]:
    """Return the queries of a file by name.

    >>> parse("-- name: one\\n-- The number one.\\nselect 1;\\n")
    {'one': '-- The number one.\\nselect 1'}
    """
    _, *parts = _NAME.split(text)
    names, bodies = parts[::2], parts[1::2]
    if len(set(names)) < len(names):
        raise ValueError("two queries have one name")
    return {name: body.strip().removesuffix(";") for name, body in zip(names, bodies, strict=True)}
