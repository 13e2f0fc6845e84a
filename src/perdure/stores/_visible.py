"""Which versions a selection sees: the rule of the three pairs of times, once for every backend.

`Times` holds integers for one row, or int64 arrays of equal length for many: the comparisons read the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from perdure.models import Selection, Validity
from perdure.stores._times import microseconds

OPEN_LEFT: Final = -(2**62)  # stands for None in valid_from: before every time
OPEN_RIGHT: Final = 2**62  # stands for None in every other column: after every time
PRESENT: Final = OPEN_RIGHT - 1  # stands for None in known_at: what is held now is held until OPEN_RIGHT


@dataclass(frozen=True, slots=True)
class Times:
    """The columns that decide visibility, open ends filled in."""

    recorded: Any  # int or int64 array: numpy is not imported for an annotation
    retired: Any
    valid_from: Any
    valid_to: Any
    expires: Any


@dataclass(frozen=True, slots=True)
class View:
    """A selection's times resolved: known_at alone implies the same as_of; without either, `now` is asked."""

    validity: Validity
    at: int
    is_dated: bool  # as_of or known_at was given: what had not begun by then is not seen
    known_at: int | None


def view(selection: Selection) -> View:
    """Return what a selection's times mean."""
    known_at = microseconds(selection.known_at)
    as_of = microseconds(selection.as_of)
    at = as_of if as_of is not None else known_at
    return View(
        selection.validity,
        at if at is not None else microseconds(selection.now),
        at is not None,
        known_at,
    )


def is_held(times: Times, known_at: int | None) -> Any:
    """True where the store holds the version: at `known_at`, else at present."""
    if known_at is None:
        return times.retired == OPEN_RIGHT
    return (times.recorded <= known_at) & (times.retired > known_at)


def is_visible(times: Times, seen: View) -> Any:
    """True where a version is held, not expired, and of the validity that is asked for.

    Without a date, "current" is what has not ended, so that what is planned is seen; with one, an interval that
    contains it, an open left end containing every time.  An empty interval, of a plan that was given up, has ended.
    """
    held = is_held(times, seen.known_at) & (times.expires > seen.at)
    if seen.is_dated:
        held = held & (times.valid_from <= seen.at)
    if seen.validity == "current":
        held = held & (times.valid_to > seen.at) & (times.valid_to > times.valid_from)
    elif seen.validity == "ended":
        held = held & ((times.valid_to <= seen.at) | (times.valid_to <= times.valid_from))
    return held
