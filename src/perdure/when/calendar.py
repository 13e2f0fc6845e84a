"""Stretches of the calendar: the days, weeks, months, seasons and years that expressions name.

A week begins on Monday; a weekend is Saturday and Sunday; seasons are the northern ones, by whole months.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from perdure.models import Precision
from perdure.when.edge import day_name, month_name

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
DAYS_OF = {"day": 1, "night": 1, "week": 7, "weekend": 7, "fortnight": 14}
MONTHS_OF = {"month": 1, "year": 12, "decade": 120}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

Part = Literal["beginning", "early", "middle", "late", "end"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Whole days [first, last), how finely they are known, and how a sentence says them ("on 7 May 2023")."""

    first: date
    last: date
    precision: Precision
    said: str
    is_relative: bool = True  # it was read against the anchor
    is_since: bool = False  # it says since when something holds
    is_former: bool = False  # what is told of was moved away from it


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


def of_dates(first: date, last: date, *, is_relative: bool = True) -> Stretch:
    """Return the days from one to another, both among them."""
    return Stretch(first, last + DAY, "day", f"from {day_name(first)} to {day_name(last)}", is_relative)


def around(first: date, last: date, said: str) -> Stretch:
    """Return days that are only roughly known."""
    return Stretch(first, last, "approximate", said)


def off(today: date, unit: str, count: float) -> date:
    """Return the day that lies `count` days, weeks, months or years from today; half a month is fifteen days."""
    if unit in DAYS_OF:
        return today + round(count * DAYS_OF[unit]) * DAY
    months = count * MONTHS_OF[unit]
    return shift_months(today, int(months)) + round((months - int(months)) * 30) * DAY


def about(today: date, unit: str, count: float, *, most: float = 0.0) -> Stretch:
    """Return the days around the one that lies `count` units from today, or between it and the one `most` units away.

    A fifth of the way to either side (chosen): "about ten days ago" is eight to twelve.
    """
    near, far = off(today, unit, count), off(today, unit, most or count)
    margin = max(abs(near - today).days // 5, 1) * DAY if not most else timedelta()
    middle = near + (far - near) // 2
    is_whole_year = unit not in DAYS_OF and (count * MONTHS_OF[unit]) % 12 == 0
    said = day_name(middle) if unit in DAYS_OF else str(middle.year) if is_whole_year else month_name(middle)
    return around(min(near, far) - margin, max(near, far) + margin + DAY, f"around {said}")


def part_of(stretch: Stretch, part: Part, words: str) -> Stretch:
    """Return the beginning, middle or end of a stretch: a quarter of it; early, mid and late: a third (chosen)."""
    days = (stretch.last - stretch.first).days
    share = max(days // (4 if part in ("beginning", "end") else 3), 1) * DAY
    first, last = stretch.first, stretch.last
    if part in ("beginning", "early"):
        last = first + share
    elif part in ("end", "late"):
        first = last - share
    else:
        first, last = first + share, last - share
    return Stretch(first, last, "approximate", words, stretch.is_relative)


def shift_months(day: date, months: int) -> date:
    """Return the day `months` later, moved to the last of its month where that month is too short.

    >>> shift_months(date(2024, 1, 31), 1)
    datetime.date(2024, 2, 29)
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first = date(year, month + 1, 1)
    following = date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    return min(first + (day.day - 1) * DAY, following - DAY)
