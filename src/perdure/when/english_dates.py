"""Dates as English writes them: "7 May 2023", "May 7th", "2023-05-07", "from 3 to 10 October", "the week of 7 May 2023".

"7/5/2023" is read as both dates, and known approximately, unless one of the numbers is above 12.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from functools import cache

from perdure.when import calendar
from perdure.when.calendar import DAY, WEEK, Stretch
from perdure.when.edge import day_name
from perdure.when.english import is_name
from perdure.when.english_lengths import shifted
from perdure.when.english_words import DAY_NAMES, MONTH_NAMES, WEEKDAYS, month_of, weekday_of
from perdure.when.relative import Reading, Rules, Setting, date_near, date_of, days_of_month

_MONTH = rf"(?P<month>{MONTH_NAMES})(?:\.(?=\s?\d))?"
_NTH = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_FIRST = r"(?P<first>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20|21)\d\d)"
_DATED_YEAR = r"(?P<year>[12]\d{3})"  # after a day or a month; a higher number is taken for no year
_ON = rf"(?:on\s+)?(?:(?P<weekday>{DAY_NAMES}),?\s+)?(?:the\s+)?"
_TO = r"(?:\s*(?:to|until|till|through|-|–|—)\s*)"


def _full_date(match: re.Match[str], setting: Setting) -> Stretch | None:
    day = date_of(int(match["year"]), month_of(match["month"]), int(match["day"]))
    return calendar.of_day(day, is_relative=False) if day else None


def _iso(match: re.Match[str], setting: Setting) -> Stretch | None:
    day = date_of(int(match["year"]), int(match["number"]), int(match["day"]))
    return calendar.of_day(day, is_relative=False) if day else None


def _iso_month(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_month(date(int(match["year"]), int(match["number"]), 1), is_relative=False)


def _slashes(match: re.Match[str], setting: Setting) -> Stretch | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    year += 2000 if year < 100 else 0
    days = sorted({d for d in (date_of(year, first, second), date_of(year, second, first)) if d})
    if match["mark"] == ".":
        days = [d for d in days if d.day == first]
    if not days:
        return None
    precision = "day" if len(days) == 1 else "approximate"
    return Stretch(days[0], days[-1] + DAY, precision, match.group(), is_relative=False)  # type: ignore[arg-type]


def _day_of_month(match: re.Match[str], setting: Setting) -> Stretch | None:
    """7 May, May 7th, Tuesday the 7th of May."""
    if not is_name(match) or setting.tense == "recurring":
        return None
    weekday = weekday_of(match["weekday"]) if match["weekday"] else None
    day = date_near(month_of(match["month"]), int(match["day"]), setting, weekday=weekday)
    if day is None:
        return None
    stretch = calendar.of_day(day)
    return stretch if match.group().lower().startswith("on") else replace(stretch, said=day_name(day))


def _days_of_month(match: re.Match[str], setting: Setting) -> Stretch | None:
    """from 3 to 10 October, May 3-10, between the 3rd and the 10th of May 2023."""
    year = match.groupdict().get("year")
    if not is_name(match):
        return None
    month, first, last = month_of(match["month"]), int(match["first"]), int(match["day"])
    return days_of_month(month, first, last, setting, year=int(year) if year else None)


def _months(match: re.Match[str], setting: Setting) -> Stretch | None:
    """from March to June 2021."""
    year, first, last = int(match["year"]), month_of(match["from"]), month_of(match["month"])
    begins = date(year - (first > last), first, 1)
    end = calendar.of_month(date(year, last, 1))
    return Stretch(begins, end.last, "month", match.group(), is_relative=False)


def _years(match: re.Match[str], setting: Setting) -> Stretch | None:
    """from 2015 to 2019, 2015-2019."""
    first, last = int(match["from"]), int(match["year"])
    if first >= last:
        return None
    return Stretch(date(first, 1, 1), date(last + 1, 1, 1), "year", match.group(), is_relative=False)


def _month_year(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_month(date(int(match["year"]), month_of(match["month"]), 1), is_relative=False)


def _season_year(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_season(match["season"].lower(), int(match["year"]), is_relative=False)


def _bare_year(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_year(int(match["year"]), is_relative=False)


def _decade(match: re.Match[str], setting: Setting) -> Stretch | None:
    """the 1990s, the late 1990s."""
    year, part = int(match["year"]), (match["part"] or "").lower()
    begins, ends = {"early": (0, 4), "mid": (3, 7), "late": (6, 10)}.get(part, (0, 10))
    first, last = date(year + begins, 1, 1), date(year + ends, 1, 1)
    return Stretch(first, last, "approximate", match.group(), is_relative=False)


def _stretch_of_date(match: re.Match[str], setting: Setting) -> Stretch | None:
    """the week of 1 May 2023, the night of 1 May 2023: what `absolute` writes is read back as it was meant."""
    day = date_of(int(match["year"]), month_of(match["month"]), int(match["day"]))
    if day is None:
        return None
    unit = match["unit"].lower()
    stretch = calendar.of_week(day) if unit == "week" else calendar.of_weekend(day) if unit == "weekend" else None
    stretch = stretch or calendar.of_day(day)
    return Stretch(stretch.first, stretch.last, stretch.precision, match.group(), is_relative=False)


def _beside_date(match: re.Match[str], setting: Setting) -> Stretch | None:
    """the week before 7 May 2023, the Friday after 7 May 2023: dates of their own, whatever the anchor."""
    day = date_of(int(match["year"]), month_of(match["month"]), int(match["day"]))
    way = -1 if match["way"].lower() == "before" else 1
    if day is None:
        return None
    unit = match["unit"].lower()
    stretch = shifted(unit, way, day)
    if unit == "weekend":
        stretch = calendar.of_weekend(day - (WEEK if way < 0 and day.weekday() < 5 else timedelta()))
        if way < 0 and stretch.last > day:
            stretch = calendar.of_weekend(day - WEEK)
    return Stretch(stretch.first, stretch.last, stretch.precision, match.group(), is_relative=False)


_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_BEFORE_YEAR = r"(?:(?<=since )|(?<=until )|(?<=till )|(?<=from )|(?<=by )|(?<=after )|(?<=before )|(?<=during )|(?<=around )|in\s+)"
_FROM = r"(?:(?:from|between|on)\s+)?"

_SOURCES: tuple[tuple[str, Reading], ...] = (
    (rf"the\s+(?P<unit>week|weekend|night|morning|afternoon|evening)\s+of\s+{_NTH}\s+{_MONTH},?\s+{_DATED_YEAR}", _stretch_of_date),
    (rf"the\s+(?P<unit>day|week|weekend|{'|'.join(WEEKDAYS)})\s+(?P<way>before|after)\s+{_NTH}\s+{_MONTH},?\s+{_DATED_YEAR}", _beside_date),
    (r"(?<!\d)(?<!-)(?P<year>\d{4})-(?P<number>0[1-9]|1[0-2])-(?P<day>[0-3]\d)(?!\d)", _iso),
    (r"(?<!\d)(?<!-)(?P<year>(?:19|20|21)\d\d)-(?P<number>0[1-9]|1[0-2])(?![-\d])", _iso_month),
    (r"(?<![\d./])(?P<first>\d\d?)(?P<mark>[/.])(?P<second>\d\d?)(?P=mark)(?P<year>\d{4}|\d\d)(?![\d./]\d)", _slashes),
    (rf"{_ON}{_NTH}\s+(?:of\s+)?{_MONTH},?\s+(?:of\s+)?{_DATED_YEAR}", _full_date),
    (rf"{_ON}{_MONTH}\s+(?:the\s+)?{_NTH},?\s+{_DATED_YEAR}", _full_date),
    (rf"(?:in\s+)?{_MONTH},?\s+(?:of\s+)?{_DATED_YEAR}", _month_year),
    (rf"(?:in\s+)?(?:the\s+)?{_SEASON},?\s+(?:of\s+)?{_YEAR}(?:-\d+)?", _season_year),
    (rf"{_ON}{_NTH}\s+(?:of\s+)?{_MONTH}(?!\s*,?\s+(?:of\s+)?\d{{3}})", _day_of_month),
    (rf"{_ON}{_MONTH}\s+(?:the\s+)?{_NTH}(?!\s*,?\s+(?:of\s+)?\d{{3}})(?![\d:])", _day_of_month),
    (rf"{_FROM}(?:the\s+)?{_FIRST}{_TO}(?:the\s+)?{_NTH}\s+(?:of\s+)?{_MONTH},?\s+(?:of\s+)?{_DATED_YEAR}", _days_of_month),
    (rf"{_FROM}(?:the\s+)?{_FIRST}{_TO}(?:the\s+)?{_NTH}\s+(?:of\s+)?{_MONTH}(?!\s*,?\s+(?:of\s+)?\d{{3}})", _days_of_month),
    (rf"between\s+(?:the\s+)?{_FIRST}\s+and\s+(?:the\s+)?{_NTH}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_DATED_YEAR})?", _days_of_month),
    (rf"{_FROM}{_MONTH}\s+{_FIRST}{_TO}{_NTH},?\s+{_DATED_YEAR}", _days_of_month),
    (rf"{_FROM}{_MONTH}\s+{_FIRST}{_TO}{_NTH}(?!\s*,?\s+(?:of\s+)?\d{{3}})(?![\d:])", _days_of_month),
    (rf"(?:from\s+)?(?P<from>{MONTH_NAMES})\.?{_TO}{_MONTH},?\s+{_YEAR}", _months),
    (rf"between\s+(?P<from>{MONTH_NAMES})\s+and\s+{_MONTH},?\s+{_YEAR}", _months),
    (rf"(?:from|between)\s+(?P<from>(?:19|20)\d\d)(?:{_TO}|\s+and\s+){_YEAR}(?![-–\w%$])", _years),
    (rf"(?:in\s+)?(?<![-\d])(?P<from>(?:19|20)\d\d)[-–]{_YEAR}(?![-–\w%$])", _years),
    (rf"{_BEFORE_YEAR}{_YEAR}(?![-–\w%$])", _bare_year),
    (r"(?:in\s+)?the\s+(?:(?P<part>early|mid|late)[ -])?(?P<year>(?:19|20)[1-9]0)['’]?s", _decade),
)  # fmt: skip


@cache
def rules() -> Rules:
    """Return the rules, compiled at first use."""
    return tuple((re.compile(rf"(?<!\w){source}(?!\w)", re.IGNORECASE), reading) for source, reading in _SOURCES)
