"""The filter language `where`: parse it, evaluate it on a record, compile it to SQL.

A filter is a JSON mapping: a record field (`kind`) or a metadata path (`metadata.team.lead`) to a value or to
operators; AND, OR and NOT group filters.  All keys of one mapping must hold.
A key of metadata that holds a dot, or begins with a quotation mark, is written as a JSON string: `metadata."a.b".c`.

    {"kind": "preference", "metadata.year": {"gte": 2020, "ne": 2023}, "NOT": {"entities": "Lyon"}}

Meaning, the same in `holds` and in `compile_sql`:
    eq, in        an equal value; values of different types are never equal: True is not 1, but 1 is 1.0
    ne, nin, NOT  exactly what eq, in and the filter do not match, records without the field included
    gt gte lt lte between two numbers, two strings (by code point) or two times; anything else does not match
    contains      a substring of a string, or an element of a list
    icontains     the same, case folded
    exists        the field is there and is not null
A list matches if one of its elements does.  An object has no value of its own; name a key in it.
A null in metadata and None in a record are the same as a missing field, and `{"x": null}` finds them.
A field that the other kind of record has is missing: `role` on a memory, `kind` on a message.
There is no wildcard: "*" is a string of one character.
"""

from perdure.where.evaluate import holds
from perdure.where.fields import FIELDS, FieldKind, keys
from perdure.where.parse import parse
from perdure.where.sql import CASEFOLD, Column, casefold, compile_sql

__all__ = ["CASEFOLD", "FIELDS", "Column", "FieldKind", "casefold", "compile_sql", "holds", "keys", "parse"]
