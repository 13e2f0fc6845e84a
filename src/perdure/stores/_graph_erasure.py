"""What is left of a graph once the words of what was erased are gone: worked out on light rows, for every backend.

A node stays while a mention or a claim leads to it, by itself or through merges and splits; a move stays while one
leads through it, withdrawn moves too, as an undo may give them back.  A node whose name nobody says any more takes the
first one that leads to it.  What ends a relation says no name by itself: it goes where nobody tells of what it ended,
and else takes over names that are still said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from perdure.text import name_of

Reach = Callable[[str, str], Iterable[str]]  # (node, name as said) → the nodes that it leads through


@dataclass(frozen=True, slots=True)
class MentionRow:
    """That a memory calls a node by a name."""

    memory: str
    entity: str
    name: str


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim: its number, memory, ends and label."""

    no: int
    memory: str
    source: str
    source_name: str
    label: str
    destination: str | None
    destination_name: str
    is_ended: bool


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A merge (no name) or a split: its number and ends."""

    no: int
    entity: str
    name: str | None
    destination: str


@dataclass(frozen=True, slots=True)
class Left:
    """What stays and how it is called."""

    entities: frozenset[str]  # that stay
    renamed: Mapping[str, str]  # node → the name that it takes
    moves: frozenset[int]  # numbers that stay
    endings: frozenset[int]  # numbers of claims that go
    retold: Mapping[int, tuple[str, str]]  # number of a claim that stays → the names that its ends take


def left(
    names: Mapping[str, str], mentions: Sequence[MentionRow], claims: Sequence[ClaimRow], moves: Sequence[MoveRow]
) -> Left:
    """Return what is left, once what was erased is out of `mentions` and `claims`; all rows in order.

    names: node → its name.  Cost: O(names said · moves).
    """
    used: set[int] = set()

    @cache
    def reach(entity: str, name: str) -> frozenset[str]:
        found, form = {entity}, name_of(name)
        for move in moves:
            if move.entity in found and move.name in (None, form):
                found.add(move.destination)
                used.add(move.no)
        return frozenset(found)

    told = [one for one in claims if not one.is_ended]
    said = [(one.entity, one.name) for one in mentions]
    said += [(one.source, one.source_name) for one in told]
    said += [(one.destination, one.destination_name) for one in told if one.destination is not None]
    called: dict[str, dict[str, None]] = defaultdict(dict)  # own names first
    for entity, name in said:
        called[entity].setdefault(name)
    for entity, name in said:
        for node in reach(entity, name):
            called[node].setdefault(name)

    edges = {(s, one.label, d) for one in told for s in reach(one.source, one.source_name) for d in _ends(one, reach)}
    own = {(one.memory, node) for one in mentions for node in reach(one.entity, one.name)}
    stays, goes = [], set()
    for one in (one for one in claims if one.is_ended):
        end = one.destination
        is_told = end is None or (one.source, one.label, end) in edges or (one.memory, end) in own
        if one.source in called and is_told:
            stays.append(one)
        else:
            goes.add(one.no)
    renamed = {id: next(iter(called[id])) for id, name in names.items() if id in called and name not in called[id]}
    return Left(
        frozenset(called), renamed, frozenset(used), frozenset(goes), _retold(stays, {**names, **renamed}, called)
    )


def _ends(one: ClaimRow, reach: Reach) -> Iterable[str]:
    return () if one.destination is None else reach(one.destination, one.destination_name)


def _retold(
    endings: Sequence[ClaimRow], names: Mapping[str, str], called: Mapping[str, Mapping[str, None]]
) -> dict[int, tuple[str, str]]:
    """Return the names of ends that took theirs from what is gone."""
    found = {}
    for one in endings:
        source, end = one.source_name, one.destination_name
        if source not in called[one.source]:
            source = names[one.source]
        if one.destination is not None and end not in called[one.destination]:
            end = names[one.destination]
        if (source, end) != (one.source_name, one.destination_name):
            found[one.no] = (source, end)
    return found
