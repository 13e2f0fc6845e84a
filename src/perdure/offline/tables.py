"""Tables of words as alternatives of a pattern."""

from __future__ import annotations

import re
from functools import cache


@cache
def alternatives(table: str) -> str:
    """Return the comma-separated entries of a table as alternatives, the longest first; "·" stands for any word.

    >>> alternatives("fan of, fan, · free")
    'fan of|[\\\\w-]+ free|fan'
    """
    entries = {" ".join(entry.split()) for entry in table.split(",")} - {""}
    ordered = sorted(entries, key=lambda entry: (-len(entry), entry))
    return "|".join(re.escape(entry).replace("·", r"[\w-]+").replace(r"\ ", " ") for entry in ordered)
