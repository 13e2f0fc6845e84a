"""What "last", "this" and "next" mean beside a weekday, a month, a season, a week or a year, in any language."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from perdure.when import calendar
from perdure.when.calendar import DAY, WEEK, Stretch
from perdure.when.tense import Tense


@dataclass(frozen=True, slots=True)
class Setting:
    """What a reading may look at: the speaker's day and the tense of the sentence."""

    today: date
    tense: Tense


Reading = Callable[[re.Match[str], Setting], Stretch | None]
Rules = tuple[tuple[re.Pattern[str], Reading], ...]


def units_away(unit: str, count: int, today: date) -> Stretch:
    """Return the day, week, weekend, month or year that lies `count` units from today."""
    if unit in ("day", "night"):
        return calendar.of_day(today + count * DAY, lead="on the night of" if unit == "night" else "on")
    if unit == "weekend":
        return calendar.of_weekend(today + count * WEEK)
    if unit in ("week", "fortnight"):
        return calendar.of_week(today + count * (2 if unit == "fortnight" else 1) * WEEK)
    if unit == "month":
        return calendar.of_month(calendar.shift_months(today.replace(day=1), count))
    return calendar.of_year(today.year + count)


def this_weekend(setting: Setting) -> Stretch:
    """Return the weekend of this week; told in the past tense from Monday to Thursday, the one before."""
    is_over = setting.tense == "past" and setting.today.weekday() < 4
    return calendar.of_weekend(setting.today - (WEEK if is_over else 0 * DAY))


def weekday_near(wanted: int, today: date, *, is_back: bool, may_be_today: bool = False) -> date:
    """Return the last such weekday before today, or the next one after it (from today on)."""
    ahead = (wanted - today.weekday()) % 7
    if is_back:
        return today - ((7 - ahead) % 7 or 7) * DAY
    return today + (ahead if ahead or may_be_today else 7) * DAY


def month_beside(month: int, side: int | None, setting: Setting, *, bare: int = 0) -> Stretch | None:
    """Return last, this or next May; without a side (None), the tense decides, or without one `bare`.

    `bare` 0 is the month of this year, 1 the one that is not over; None where the sentence tells of what recurs.
    """
    today, year = setting.today, setting.today.year
    if side is None and setting.tense == "recurring":
        return None
    if side == -1:
        year -= month >= today.month
    elif side == 1:
        year += month <= today.month
    elif setting.tense == "past":
        year -= month > today.month
    elif side is None and (setting.tense == "future" or bare):
        year += month < today.month
    return calendar.of_month(date(year, month, 1))


def season_beside(name: str, side: int | None, setting: Setting) -> Stretch | None:
    """Return last, this or next summer; without a side (None), only where the tense decides."""
    today, year = setting.today, setting.today.year
    season = calendar.of_season(name, year)
    if side == 0:
        return calendar.of_season(name, year - 1) if name == "winter" and today.month < 3 else season
    if side == -1 or (side is None and setting.tense == "past"):
        while season.last > today:
            year -= 1
            season = calendar.of_season(name, year)
        return season
    if side is None and setting.tense != "future":
        return None
    return season if season.first > today else calendar.of_season(name, year + 1)


def day_near(day: int, setting: Setting) -> Stretch | None:
    """Return "the 26th": the last one in the past tense, else the next one from today on."""
    if setting.tense == "recurring":
        return None
    first = setting.today.replace(day=1)
    months = [calendar.shift_months(first, shift) for shift in range(-3, 4)]
    days = [found for month in months if (found := date_of(month.year, month.month, day))]
    if setting.tense == "past":
        return calendar.of_day(max(found for found in days if found <= setting.today))
    return calendar.of_day(min(found for found in days if found >= setting.today))


def date_near(month: int, day: int, setting: Setting, *, weekday: int | None = None) -> date | None:
    """Return the nearest such day in the direction of the tense; of a known weekday, where the calendar has one."""
    today = setting.today
    near = [d for y in (-1, 0, 1) if 1 <= today.year + y <= 9999 and (d := date_of(today.year + y, month, day))]
    if setting.tense == "past":
        near = [d for d in near if d <= today]
    elif setting.tense == "future":
        near = [d for d in near if d >= today]
    near = [d for d in near if d.weekday() == weekday] or near
    return min(near, key=lambda d: (abs(d - today), d)) if near else None


def days_of_month(month: int, first: int, last: int, setting: Setting, *, year: int | None) -> Stretch | None:
    """Return the days "from 3 to 10 October", both among them; without a year, the nearest."""
    end = date_of(year, month, last) if year else date_near(month, last, setting)
    begin = end and date_of(end.year, month, first)
    if not begin or not end or begin >= end:
        return None
    return calendar.of_dates(begin, end, is_relative=not year)


def date_of(year: int, month: int, day: int) -> date | None:
    """Return a date, None where the calendar has none (30 February)."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
