"""Stretches of the calendar: the days, weeks, months, seasons and years that expressions name.

A week begins on Monday; a weekend is Saturday and Sunday; seasons are the northern ones, by whole months.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from perdure.models import Precision
from perdure.when.edge import day_name, month_name

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Whole days [first, last), how finely they are known, and how a sentence says them ("on 7 May 2023")."""

    first: date
    last: date
    precision: Precision
    said: str
    is_relative: bool = True  # it was read against the anchor


def of_day(day: date, *, lead: str = "on", is_relative: bool = True) -> Stretch:
    """Return one day; `lead` may name a part of it ("on the evening of")."""
    return Stretch(day, day + DAY, "day", f"{lead} {day_name(day)}", is_relative)


def of_week(day: date) -> Stretch:
    """Return the week that holds a day."""
    monday = day - day.weekday() * DAY
    return Stretch(monday, monday + WEEK, "week", f"in the week of {day_name(monday)}")


def of_weekend(day: date) -> Stretch:
    """Return the weekend of the week that holds a day."""
    saturday = day + (5 - day.weekday()) * DAY
    return Stretch(saturday, saturday + 2 * DAY, "week", f"on the weekend of {day_name(saturday)}")


def of_month(day: date, *, is_relative: bool = True) -> Stretch:
    """Return the month that holds a day."""
    first = day.replace(day=1)
    return Stretch(first, shift_months(first, 1), "month", f"in {month_name(first)}", is_relative)


def of_year(year: int, *, is_relative: bool = True) -> Stretch:
    """Return a whole year."""
    return Stretch(date(year, 1, 1), date(year + 1, 1, 1), "year", f"in {year}", is_relative)


def of_season(name: str, year: int, *, is_relative: bool = True) -> Stretch:
    """Return the season that begins in a year; a winter reaches into the next one."""
    first = date(year, SEASONS[name], 1)
    years = f"{year}-{year + 1}" if name == "winter" else str(year)
    return Stretch(first, shift_months(first, 3), "approximate", f"in {name} {years}", is_relative)


def around(first: date, last: date, said: str) -> Stretch:
    """Return days that are only roughly known."""
    return Stretch(first, last, "approximate", said)


def shift_months(day: date, months: int) -> date:
    """Return the day `months` later, moved to the last of its month where that month is too short.

    >>> shift_months(date(2024, 1, 31), 1)
    datetime.date(2024, 2, 29)
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first = date(year, month + 1, 1)
    following = date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    return min(first + (day.day - 1) * DAY, following - DAY)
