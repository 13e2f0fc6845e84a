"""Feasts that people name instead of a date: those of a fixed day, Easter and Thanksgiving."""

from __future__ import annotations

from datetime import date
from typing import Final, Literal

from perdure.when.calendar import DAY

Direction = Literal["back", "ahead", "nearest"]

FIXED: Final = {
    "new year": (1, 1), "valentine": (2, 14), "patrick": (3, 17), "ferragosto": (8, 15), "halloween": (10, 31),
    "china": (10, 1), "christmas eve": (12, 24), "christmas": (12, 25), "boxing": (12, 26), "new year eve": (12, 31),
}  # fmt: skip


def day_of(feast: str, year: int) -> date:
    """Return the day of a feast: a name of FIXED, "easter" or "thanksgiving".

    >>> day_of("easter", 2025), day_of("thanksgiving", 2025)
    (datetime.date(2025, 4, 20), datetime.date(2025, 11, 27))
    """
    if feast == "easter":
        return _easter(year)
    if feast == "thanksgiving":
        first = date(year, 11, 1)
        return first + ((3 - first.weekday()) % 7 + 21) * DAY
    return date(year, *FIXED[feast])


def beside(feast: str, today: date, direction: Direction) -> date:
    """Return the last day of a feast up to today, the next one from today on, or the nearest."""
    days = [day_of(feast, today.year + shift) for shift in (-1, 0, 1) if 1 <= today.year + shift <= 9999]
    if direction == "back":
        days = [day for day in days if day <= today]
    elif direction == "ahead":
        days = [day for day in days if day >= today]
    return min(days, key=lambda day: (abs(day - today), day))


def _easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar, by the anonymous algorithm (Meeus, Astronomical Algorithms)."""
    century, rest = divmod(year, 100)
    leap, part = divmod(century, 4)
    shift = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * (year % 19) + century - leap - shift + 15) % 30
    week = (32 + 2 * part + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (year % 19 + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * late + 114, 31)
    return date(year, month, day + 1)
