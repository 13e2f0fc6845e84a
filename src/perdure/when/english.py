"""English expressions of time, as (pattern, reading) rules.

Choices: "next Friday" is the first Friday after the message's day; "last Friday" the one before it; "7/5/2023" is read
as both dates, and known approximately, unless one of the numbers is above 12; "a few" and "a couple of" are approximate.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from perdure.when import calendar
from perdure.when.calendar import DAY, WEEK, Stretch
from perdure.when.edge import day_name
from perdure.when.tense import Tense

WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTHS = "january february march april may june july august september october november december".split()
COUNTS = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True))
COUNTS |= {"a": 1, "an": 1}

_DAY = r"(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thu(?:rs)?|fri)"
_MONTH = r"(?P<month>" + "|".join(f"{m[:3]}(?:{m[3:]})?" if len(m) > 3 else m for m in MONTHS) + r"|sept)\.?"
_NUMBER = r"(?P<count>\d{1,3}|" + "|".join(COUNTS) + ")"
_FEW = r"(?P<few>a\s+few|several|some|a\s+couple(?:\s+of)?|couple\s+of|many)"
_UNIT = r"(?P<unit>day|night|weekend|week|month|year|" + "|".join(WEEKDAYS) + ")s?"
_NTH = r"(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20|21)\d\d)"
_DATED_YEAR = r"(?P<year>[12]\d{3})"  # after a day or a month; a higher number is taken for no year
_PART = r"(?:\s+(?P<part>morning|afternoon|evening|night))?"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a reading may look at: the speaker's day and the tense of the sentence."""

    today: date
    tense: Tense


Reading = Callable[[re.Match[str], Setting], Stretch | None]


def _near_day(match: re.Match[str], setting: Setting) -> Stretch | None:
    word = re.sub(r"\s+", " ", match["word"].lower())
    offset = {"the day before yesterday": -2, "yesterday": -1, "last": -1, "today": 0, "tonight": 0, "this": 0}
    day = setting.today + offset.get(word, 2 if word == "the day after tomorrow" else 1) * DAY
    part = "evening" if word == "tonight" else (match["part"] or "").lower()
    return calendar.of_day(day, lead=f"on the {part} of" if part else "on")


def _side(match: re.Match[str]) -> int:
    """Return -1 for last, 0 for this, 1 for next."""
    word = match["side"].lower().split()[-1]
    return {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "following": 1}.get(word, 0)


def _unit_beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """last week, this month, next year, this weekend, last weekend."""
    side, unit, today = _side(match), match["unit"].lower(), setting.today
    if unit == "weekend":
        if match["side"].lower() == "this" and setting.tense == "past" and today.weekday() < 4:
            side = -1
        if side == -1 and today.weekday() == 6 and setting.tense == "past" and "this" in match["side"].lower():
            side = 0
        return calendar.of_weekend(today + side * WEEK)
    if unit == "week":
        return calendar.of_week(today + side * WEEK)
    if unit == "month":
        return calendar.of_month(calendar.shift_months(today.replace(day=1), side))
    return calendar.of_year(today.year + side)


def _before_last(match: re.Match[str], setting: Setting) -> Stretch | None:
    """the week before last, the year after next."""
    double = -2 if match["way"].lower().startswith("before") else 2
    return _shifted(match["unit"].lower(), double, setting.today)


def _weekday(name: str) -> int:
    return next(i for i, full in enumerate(WEEKDAYS) if full.startswith(name.lower()[:3]))


_AHEAD = re.compile(r"\b(?:for|by|until|till|due)\s+$", re.IGNORECASE)


def _weekday_beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """last Friday, next Friday, this Friday, on Friday."""
    side = (match["side"] or "on").lower()
    wanted, today = _weekday(match["weekday"]), setting.today
    if side in ("last", "this past", "this last", "past", "previous"):
        is_back = True
    elif side in ("next", "this coming", "coming", "following") or _AHEAD.search(
        match.string, max(0, match.start() - 40), match.start()
    ):
        is_back = False
    elif setting.tense == "recurring" or (not setting.tense and not match["side"]):
        return None
    else:
        is_back = setting.tense == "past"
    ahead = (wanted - today.weekday()) % 7
    day = today - ((7 - ahead) % 7 or 7) * DAY if is_back else today + (ahead if ahead or side == "this" else 7) * DAY
    part = (match["part"] or "").lower()
    return calendar.of_day(day, lead=f"on the {part} of" if part else "on")


def _month_of(name: str) -> int:
    return next(i for i, full in enumerate(MONTHS, 1) if full.startswith(name.lower()[:3]))


def _is_name(match: re.Match[str]) -> bool:
    """May and march are verbs, sun and sat are words: these need a capital."""
    return match["month"][0].isupper() or match["month"].lower()[:3] not in ("may", "mar")


def _month_beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """last May, next June, this March, in May."""
    if not _is_name(match):
        return None
    month, today, side = _month_of(match["month"]), setting.today, match["side"].lower().split()[-1]
    year = today.year
    if side in ("last", "past") or (side in ("in", "this", "during", "of") and setting.tense == "past"):
        year -= month > today.month or (side in ("last", "past") and month == today.month)
    elif setting.tense == "recurring" and side != "next":
        return None
    elif side in ("next", "coming") or side != "this":
        year += month < today.month or (side == "next" and month == today.month)
    return calendar.of_month(date(year, month, 1))


def _season_beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """last summer, next winter, this spring; "in the summer" only where the tense decides."""
    side, name, today = match["side"].lower().split()[-1], match["season"].lower(), setting.today
    is_back = side in ("last", "past") or (side == "the" and setting.tense == "past")
    if side == "the" and setting.tense not in ("past", "future"):
        return None
    year = today.year
    season = calendar.of_season(name, year)
    if side == "this":
        return calendar.of_season(name, year - 1) if name == "winter" and today.month < 3 else season
    if is_back:
        while season.last > today:
            year -= 1
            season = calendar.of_season(name, year)
    elif season.first <= today:
        season = calendar.of_season(name, year + 1)
    return season


def _shifted(unit: str, count: int, today: date) -> Stretch | None:
    """Return the day, week, month or year that lies `count` units from today."""
    if unit in WEEKDAYS:
        ahead = (WEEKDAYS.index(unit) - today.weekday()) % 7
        return calendar.of_day(today + (ahead + 7 * (count if count < 0 or not ahead else count - 1)) * DAY)
    if unit in ("day", "night"):
        return calendar.of_day(today + count * DAY, lead="on the night of" if unit == "night" else "on")
    if unit == "weekend":
        return calendar.of_weekend(today + count * WEEK)
    if unit == "week":
        return calendar.of_week(today + count * WEEK)
    if unit == "month":
        return calendar.of_month(calendar.shift_months(today.replace(day=1), count))
    return calendar.of_year(today.year + count)


def _count(match: re.Match[str]) -> int:
    word = match["count"].lower()
    return COUNTS.get(word) or int(word)


def _ago(match: re.Match[str], setting: Setting) -> Stretch | None:
    return _shifted(match["unit"].lower(), -_count(match), setting.today)


def _ahead(match: re.Match[str], setting: Setting) -> Stretch | None:
    """in three days: in the past tense that is how long it took, not when."""
    return None if setting.tense == "past" else _shifted(match["unit"].lower(), _count(match), setting.today)


_LENGTH = {"day": 1, "night": 1, "weekend": 7, "week": 7, "month": 30, "year": 365}
_MOST = {"a few": 5, "several": 8, "some": 8, "many": 20}  # chosen: the widest reading that still says something


def _few(match: re.Match[str], setting: Setting, way: int) -> Stretch | None:
    unit, few = match["unit"].lower(), re.sub(r"\s+", " ", match["few"].lower())
    length = _LENGTH.get(unit, 7)
    near, far = (1, 3) if "couple" in few else (2, _MOST[few])
    days = sorted((setting.today + way * near * length * DAY, setting.today + way * far * length * DAY))
    side = "before" if way < 0 else "after"
    base = str(setting.today.year) if unit == "year" else day_name(setting.today)
    return calendar.around(days[0], days[1] + DAY, f"{match['few'].lower()} {unit}s {side} {base}")


def _few_ago(match: re.Match[str], setting: Setting) -> Stretch | None:
    return _few(match, setting, -1)


def _few_ahead(match: re.Match[str], setting: Setting) -> Stretch | None:
    return None if setting.tense == "past" else _few(match, setting, 1)


def _other_day(match: re.Match[str], setting: Setting) -> Stretch | None:
    today = setting.today
    return calendar.around(today - WEEK, today, f"shortly before {day_name(today)}")


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _full_date(match: re.Match[str], setting: Setting) -> Stretch | None:
    day = _date(int(match["year"]), _month_of(match["month"]), int(match["day"]))
    return calendar.of_day(day, is_relative=False) if day else None


def _iso(match: re.Match[str], setting: Setting) -> Stretch | None:
    day = _date(int(match["year"]), int(match["number"]), int(match["day"]))
    return calendar.of_day(day, is_relative=False) if day else None


def _iso_month(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_month(date(int(match["year"]), int(match["number"]), 1), is_relative=False)


def _slashes(match: re.Match[str], setting: Setting) -> Stretch | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    year += 2000 if year < 100 else 0
    days = sorted({d for d in (_date(year, first, second), _date(year, second, first)) if d})
    if match["mark"] == ".":
        days = [d for d in days if d.day == first]
    if not days:
        return None
    precision = "day" if len(days) == 1 else "approximate"
    return Stretch(days[0], days[-1] + DAY, precision, match.group(), is_relative=False)  # type: ignore[arg-type]


def _day_of_month(match: re.Match[str], setting: Setting) -> Stretch | None:
    """7 May, May 7th: the nearest in the direction of the tense."""
    if not _is_name(match) or setting.tense == "recurring":
        return None
    today, month, day = setting.today, _month_of(match["month"]), int(match["day"])
    near = [d for y in (-1, 0, 1) if (d := _date(today.year + y, month, day))]
    if setting.tense == "past":
        near = [d for d in near if d <= today]
    elif setting.tense == "future":
        near = [d for d in near if d >= today]
    return calendar.of_day(min(near, key=lambda d: (abs(d - today), d))) if near else None


def _month_year(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_month(date(int(match["year"]), _month_of(match["month"]), 1), is_relative=False)


def _season_year(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_season(match["season"].lower(), int(match["year"]), is_relative=False)


def _bare_year(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_year(int(match["year"]), is_relative=False)


def _stretch_of_date(match: re.Match[str], setting: Setting) -> Stretch | None:
    """the week of 1 May 2023, the night of 1 May 2023: what `absolute` writes is read back as it was meant."""
    day = _date(int(match["year"]), _month_of(match["month"]), int(match["day"]))
    if day is None:
        return None
    unit = match["unit"].lower()
    stretch = calendar.of_week(day) if unit == "week" else calendar.of_weekend(day) if unit == "weekend" else None
    stretch = stretch or calendar.of_day(day)
    return Stretch(stretch.first, stretch.last, stretch.precision, match.group(), is_relative=False)


def _beside_date(match: re.Match[str], setting: Setting) -> Stretch | None:
    """the week before 7 May 2023, the Friday after 7 May 2023: dates of their own, whatever the anchor."""
    day = _date(int(match["year"]), _month_of(match["month"]), int(match["day"]))
    way = -1 if match["way"].lower() == "before" else 1
    if day is None:
        return None
    unit = match["unit"].lower()
    stretch = _shifted(unit, way, day)
    if stretch and unit == "weekend":
        stretch = calendar.of_weekend(day - (WEEK if way < 0 and day.weekday() < 5 else timedelta()))
        if way < 0 and stretch.last > day:
            stretch = calendar.of_weekend(day - WEEK)
    return stretch and Stretch(stretch.first, stretch.last, stretch.precision, match.group(), is_relative=False)


_SIDE = r"(?P<side>this\s+(?:past|last|coming)|last|this|next|(?:earlier|later)\s+this|early\s+this|the\s+following)"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_NOT_AFTER = r"(?<!the )(?<!the past )"

_SOURCES: tuple[tuple[str, Reading], ...] = (
    (rf"the\s+(?P<unit>week|weekend|night|morning|afternoon|evening)\s+of\s+{_NTH}\s+{_MONTH},?\s+{_DATED_YEAR}", _stretch_of_date),
    (rf"the\s+(?P<unit>day|week|weekend|{'|'.join(WEEKDAYS)})\s+(?P<way>before|after)\s+{_NTH}\s+{_MONTH},?\s+{_DATED_YEAR}", _beside_date),
    (r"(?<!\d)(?<!-)(?P<year>\d{4})-(?P<number>0[1-9]|1[0-2])-(?P<day>[0-3]\d)(?!\d)", _iso),
    (r"(?<!\d)(?<!-)(?P<year>(?:19|20|21)\d\d)-(?P<number>0[1-9]|1[0-2])(?![-\d])", _iso_month),
    (r"(?<![\d./])(?P<first>\d\d?)(?P<mark>[/.])(?P<second>\d\d?)(?P=mark)(?P<year>\d{4}|\d\d)(?![\d./]\d)", _slashes),
    (rf"(?:on\s+)?(?:the\s+)?{_NTH}\s+(?:of\s+)?{_MONTH},?\s+(?:of\s+)?{_DATED_YEAR}", _full_date),
    (rf"(?:on\s+)?{_MONTH}\s+(?:the\s+)?{_NTH},?\s+{_DATED_YEAR}", _full_date),
    (rf"(?:in\s+)?{_MONTH},?\s+(?:of\s+)?{_DATED_YEAR}", _month_year),
    (rf"(?:in\s+)?(?:the\s+)?{_SEASON},?\s+(?:of\s+)?{_YEAR}(?:-\d+)?", _season_year),
    (rf"(?:on\s+)?(?:the\s+)?{_NTH}\s+(?:of\s+)?{_MONTH}(?!\s*,?\s+(?:of\s+)?\d{{3}})", _day_of_month),
    (rf"(?:on\s+)?{_MONTH}\s+(?:the\s+)?{_NTH}(?!\s*,?\s+(?:of\s+)?\d{{3}})(?![\d:])", _day_of_month),
    (rf"(?:(?<=since )|(?<=until )|(?<=till )|(?<=from )|(?<=by )|(?<=after )|(?<=before )|(?<=during )|(?<=around )|in\s+)(?:(?:early|mid|late)[ -])?{_YEAR}(?![-–\w%$])", _bare_year),
    (r"(?P<word>the\s+day\s+before\s+yesterday|the\s+day\s+after\s+tomorrow|yesterday|today|tomorrow|tonight)" + _PART, _near_day),
    (r"(?P<word>last)\s+(?P<part>night|evening)", _near_day),
    (r"(?P<word>this)\s+(?P<part>morning|afternoon|evening)", _near_day),
    (r"the\s+(?P<unit>weekend|week|month|year)\s+(?P<way>before\s+last|after\s+next)", _before_last),
    (rf"{_NOT_AFTER}{_SIDE}\s+(?P<unit>weekend|week|month|year)(?!\s+(?:of\s+\d|before|after))", _unit_beside),
    (rf"(?:on\s+)?{_NOT_AFTER}(?P<side>this\s+(?:past|last|coming)|last|this|next|past)\s+{_DAY}{_PART}", _weekday_beside),
    (rf"(?:on\s+)(?P<side>)?{_DAY}{_PART}", _weekday_beside),
    (rf"(?<!every )(?<!each )(?<!Black )(?<!Good )(?P<side>)?{_DAY}{_PART}", _weekday_beside),
    (rf"(?:in\s+)?(?P<side>last|this\s+past|this|next|this\s+coming)\s+{_MONTH}(?!\s+\d)", _month_beside),
    (rf"(?:back\s+)?(?P<side>in)\s+(?:(?:early|mid|late)[ -])?{_MONTH}(?!\s*,?\s*\d)", _month_beside),
    (rf"(?:in\s+)?(?P<side>last|this\s+past|this|next|this\s+coming)\s+{_SEASON}(?!\s+\d)", _season_beside),
    (rf"(?:in|over|during)\s+(?P<side>the)\s+{_SEASON}(?!\s+(?:of\s+)?\d)", _season_beside),
    (rf"(?:about\s+|around\s+)?{_NUMBER}\s+{_UNIT}\s+(?:ago|back)", _ago),
    (rf"{_FEW}\s+{_UNIT}\s+(?:ago|back)", _few_ago),
    (rf"in\s+{_NUMBER}\s+{_UNIT}(?:'s?)?(?:\s+time)?", _ahead),
    (rf"{_NUMBER}\s+{_UNIT}\s+from\s+(?:now|today)", _ahead),
    (rf"in\s+(?:just\s+)?{_FEW}\s+{_UNIT}(?:'s?)?(?:\s+time)?", _few_ahead),
    (r"the\s+other\s+(?:day|night|week)", _other_day),
)  # fmt: skip


@cache
def rules() -> tuple[tuple[re.Pattern[str], Reading], ...]:
    """Return the rules, compiled at first use: at import they would cost 20 ms."""
    return tuple((re.compile(rf"(?<!\w){source}(?!\w)", re.IGNORECASE), reading) for source, reading in _SOURCES)
