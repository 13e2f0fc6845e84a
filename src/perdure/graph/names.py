"""Names and types of entities: their normal forms, and which two may be one and the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from perdure.text import name_of, normal, stem

_TYPES: Final = {
    **dict.fromkeys(("person", "people", "human", "user", "speaker", "individual", "per"), "person"),
    **dict.fromkeys(
        ("place", "location", "city", "country", "region", "town", "village", "state", "gpe", "loc", "address"), "place"
    ),
    **dict.fromkeys(
        ("organisation", "organization", "company", "org", "employer", "institution", "business", "team", "school"),
        "organisation",
    ),
    **dict.fromkeys(("object", "thing", "product", "item", "possession"), "object"),
    **dict.fromkeys(("concept", "topic", "idea", "interest", "activity", "hobby"), "concept"),
    **dict.fromkeys(("attribute", "value", "date", "number", "string", "property", "time"), "attribute"),
    "event": "event",
}


def type_of(said: str | None) -> str | None:
    """Return a type in its normal form; one that is not listed stays as it is, in lower case.

    >>> type_of("City"), type_of("band"), type_of("")
    ('place', 'band', None)
    """
    form = normal(said or "").replace("_", " ")
    return _TYPES.get(form, form) or None


def key_of(said: str, type: str | None) -> str:
    """Return what names a node: of one key there is one."""
    return f"{name_of(said)}|{type or ''}"


def is_agreed(one: str | None, other: str | None) -> bool:
    """True unless two types are known and differ."""
    return one is None or other is None or one == other


@dataclass(frozen=True, slots=True)
class Node:
    """A known node with the normal names it goes by."""

    id: str
    names: frozenset[str]
    type: str | None


def choose(
    said: str, type: str | None, nodes: Sequence[Node], *, near: Iterable[tuple[str, float]], least: float
) -> str | None:
    """Return the node that a name means among `nodes` (oldest first), or None if it is a new one.

    First one of that name; then, for a bare first name, the only person known by a full name that begins so; then the
    nearest one of `near` (id, cosine) from `least` on whose name says more or less of the same words.  Types must
    agree.  People are never one by likeness: two who share a first name are two.

    >>> ana = Node("1", frozenset({"ana silva"}), "person")
    >>> choose("Ana", "person", [ana], near=[], least=0.9)
    '1'
    >>> choose("Ana Costa", "person", [ana], near=[("1", 1.0)], least=0.9) is None
    True
    """
    name = name_of(said)
    agreed = [node for node in nodes if is_agreed(node.type, type)]
    same = [node for node in agreed if name in node.names]
    if same:
        return min(same, key=lambda node: node.type != type).id  # one of the very type, else the oldest
    is_person = type == "person"
    if " " not in name and type in ("person", None):
        fuller = {n.id for n in agreed if n.type == "person" and any(x.startswith(f"{name} ") for x in n.names)}
        if len(fuller) == 1:
            return fuller.pop()
    for id, cosine in near:
        node = next((node for node in agreed if node.id == id), None)
        if node is None or cosine < least or is_person or node.type == "person":
            continue
        if any(_is_wording(name, other) for other in node.names):
            return node.id
    return None


def _is_wording(one: str, other: str) -> bool:
    """True if two names hold the same words, up to endings, or one of them more than the other."""
    mine, theirs = ({stem(word) for word in name.split()} for name in (one, other))
    return bool(mine) and bool(theirs) and (mine <= theirs or theirs <= mine)
