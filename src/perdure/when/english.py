"""English expressions of time, as (pattern, reading) rules: those read against the speaker's day.

Choices: "next Friday" is the first Friday after the message's day; "last Friday" the one before it; "a few" and
"about ten" are approximate; "a week from today" is a day, "in a week" a week.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache

from perdure.when import calendar, holidays
from perdure.when.calendar import DAY, WEEK, Part, Stretch
from perdure.when.english_lengths import shifted
from perdure.when.english_words import (
    DAY_NAMES,
    MONTH_NAMES,
    MONTHS,
    MOVED_TO,
    WEEKDAYS,
    month_of,
    weekday_of,
)
from perdure.when.relative import (
    Reading,
    Rules,
    Setting,
    day_near,
    month_beside,
    season_beside,
    this_weekend,
    units_away,
    weekday_near,
)

__all__ = ["MONTHS", "WEEKDAYS", "is_name", "rules"]

_DAY = rf"(?P<weekday>{DAY_NAMES})"
_MONTH = rf"(?P<month>{MONTH_NAMES})"
_PART = r"(?:\s+(?P<part>morning|afternoon|evening|night))?"


def _near_day(match: re.Match[str], setting: Setting) -> Stretch | None:
    word = re.sub(r"\s+", " ", match["word"].lower())
    offset = {"day before yesterday": -2, "yesterday": -1, "last": -1, "today": 0, "tonight": 0, "this": 0}
    day = setting.today + offset.get(word, 2 if word == "day after tomorrow" else 1) * DAY
    return calendar.of_day(day, lead=_lead(match, "evening" if word == "tonight" else ""))


def _lead(match: re.Match[str], part: str = "") -> str:
    part = part or (match["part"] or "").lower()
    return f"on the {part} of" if part else "on"


def _side(match: re.Match[str]) -> int:
    """Return -1 for last, 0 for this, 1 for next."""
    word = match["side"].lower().split()[-1]
    return {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "following": 1}.get(word, 0)


def _unit_beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """last week, this month, next year, this weekend, last weekend."""
    side, unit = _side(match), match["unit"].lower()
    if unit == "weekend" and match["side"].lower() == "this":
        return this_weekend(setting)
    if unit == "weekend" and side == -1 and "this" in match["side"].lower() and setting.today.weekday() == 6:
        side = 0  # this past weekend, said on Sunday
    return units_away(unit, side, setting.today)


def _before_last(match: re.Match[str], setting: Setting) -> Stretch | None:
    """the week before last, the year after next."""
    double = -2 if match["way"].lower().startswith("before") else 2
    return shifted(match["unit"].lower(), double, setting.today)


_WORD_BEFORE = re.compile(r"(\w+)\s+$")
_NEAR = 40  # characters before a time in which that word may stand (chosen)


def _word_before(match: re.Match[str]) -> str:
    found = _WORD_BEFORE.search(match.string, max(0, match.start() - _NEAR), match.start())
    return found[1].lower() if found else ""


def _weekday_beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """last Friday, next Friday, this Friday, on Friday, until Friday."""
    side = (match["side"] or _word_before(match)).lower().split()[-1:]
    word = side[0] if side else ""
    if word in ("last", "past", "previous", "since"):
        is_back = True
    elif word in ("next", "coming", "following"):
        is_back = False
    elif len(match["weekday"]) < 6 and match["weekday"].islower():
        return None  # "mon" and "fri" in small letters are words of other languages
    elif setting.tense == "recurring" or (not setting.tense and word not in ("this", "until", "till", "before")):
        return None
    else:
        is_back = setting.tense == "past"
    day = weekday_near(weekday_of(match["weekday"]), setting.today, is_back=is_back, may_be_today=word == "this")
    return calendar.of_day(day, lead=_lead(match))


def _in_year(match: re.Match[str], setting: Setting) -> Stretch | None:
    """May of last year, summer next year."""
    year, groups = setting.today.year + _side(match), match.groupdict()
    if groups.get("season"):
        return calendar.of_season(match["season"].lower(), year)
    return calendar.of_month(date(year, month_of(match["month"]), 1)) if is_name(match) else None


def _in_week(match: re.Match[str], setting: Setting) -> Stretch | None:
    """Friday of next week, last week on Monday."""
    monday = calendar.of_week(setting.today).first + _side(match) * WEEK
    return calendar.of_day(monday + weekday_of(match["weekday"]) * DAY, lead=_lead(match))


def _weekday_week(match: re.Match[str], setting: Setting) -> Stretch | None:
    """Tuesday week: a week after the next one."""
    return calendar.of_day(weekday_near(weekday_of(match["weekday"]), setting.today, is_back=False) + WEEK)


def _nth_beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """on the 26th."""
    return day_near(int(match["day"]), setting)


def is_name(match: re.Match[str]) -> bool:
    """True unless the month is may or march in small letters, which are verbs."""
    return match["month"][0].isupper() or match["month"].lower()[:3] not in ("may", "mar")


def _month_beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """last May, next June, this March, in May, since May."""
    if not is_name(match):
        return None
    word = (match["side"] or _word_before(match) or "in").lower().split()[-1]
    side = {"last": -1, "past": -1, "this": 0, "next": 1, "coming": 1}.get(word)
    if word == "since":
        setting = replace(setting, tense="past")
    return month_beside(month_of(match["month"]), side, setting, bare=1)


def _month_to(match: re.Match[str], setting: Setting) -> Stretch | None:
    """was moved to May."""
    moved = MOVED_TO.search(match.string, max(0, match.start() - 2 * _NEAR), match.start())
    return _month_beside(match, setting) if moved else None


def _season_beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """last summer, next winter, this spring; "in the summer" only where the tense decides."""
    word, name = match["side"].lower().split()[-1], match["season"].lower()
    return season_beside(name, {"last": -1, "past": -1, "this": 0, "next": 1, "coming": 1}.get(word), setting)


_PORTIONS: dict[str, Part] = {
    "end": "end", "late": "late", "beginning": "beginning", "start": "beginning", "early": "early",
    "middle": "middle", "mid": "middle",
}  # fmt: skip


def _portion(match: re.Match[str], setting: Setting) -> Stretch | None:
    """the end of the month, early next year, mid-May, the start of 2019."""
    whole = _whole(match, setting)
    if whole is None:
        return None
    word = match["portion"].lower()
    of = "" if word in ("early", "late", "mid") else " of"
    lead = "in" if not of else "in the" if word == "middle" else "at the"
    said = f"{lead} {word}{of} {whole.said.removeprefix('in ')}"
    return calendar.part_of(whole, _PORTIONS[word], said)


def _whole(match: re.Match[str], setting: Setting) -> Stretch | None:
    groups = match.groupdict()
    if groups.get("year") and groups.get("month"):
        return calendar.of_month(date(int(groups["year"]), month_of(groups["month"]), 1), is_relative=False)
    if groups.get("year"):
        return calendar.of_year(int(groups["year"]), is_relative=False)
    if groups.get("month"):
        return _month_beside(match, setting)
    unit = groups["within"].lower()
    if groups["side"].lower() == "the" and setting.tense == "recurring":
        return None
    return shifted(unit, 0 if groups["side"].lower() == "the" else _side(match), setting.today)


def _earlier(match: re.Match[str], setting: Setting) -> Stretch | None:
    """earlier this year, later this week: its days up to today, or from today on."""
    whole = shifted(match["within"].lower(), 0, setting.today)
    is_back = match["way"].lower() == "earlier"
    first, last = (whole.first, setting.today + DAY) if is_back else (setting.today, whole.last)
    return calendar.around(first, last, whole.said)


_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}


def _weekday_of_month(match: re.Match[str], setting: Setting) -> Stretch | None:
    """the first Monday of June, the last weekend of next month, the second week of May 2023."""
    month = _whole(match, setting)
    if month is None:
        return None
    name, number = match["unit"].lower(), match["number"].lower()
    if name == "week":
        last = month.last if number == "last" else month.first + _NTH[number] * WEEK
        said = f"in the {number} week of {month.said.removeprefix('in ')}"
        return Stretch(last - WEEK, last, "week", said, month.is_relative)
    wanted = 5 if name == "weekend" else WEEKDAYS.index(name)
    day = month.first + (wanted - month.first.weekday()) % 7 * DAY
    day += (_NTH.get(number, 4) - 1) * WEEK
    if number == "last" and day + WEEK < month.last:
        day += WEEK
    found = calendar.of_weekend(day) if name == "weekend" else calendar.of_day(day)
    return Stretch(found.first, found.last, found.precision, found.said, month.is_relative)


_FEASTS = {
    "christmas": "christmas", "xmas": "christmas", "christmas day": "christmas", "christmas eve": "christmas eve",
    "boxing day": "boxing", "new year": "new year", "new years": "new year", "new year's": "new year",
    "new year's day": "new year", "new year's eve": "new year eve", "halloween": "halloween", "valentine's day": "valentine",
    "st patrick's day": "patrick", "st. patrick's day": "patrick", "easter": "easter", "easter sunday": "easter",
    "thanksgiving": "thanksgiving",
}  # fmt: skip


def _feast(match: re.Match[str], setting: Setting) -> Stretch | None:
    """by Christmas, last Easter, on New Year's Eve; after "at" or "on" only where the tense decides."""
    feast = _FEASTS[re.sub(r"\s+", " ", match["feast"].lower().replace("’", "'"))]
    if match["year"]:
        return calendar.of_day(holidays.day_of(feast, int(match["year"])), is_relative=False)
    word = (match["side"] or _word_before(match)).lower().split()[-1]
    if word in ("last", "past", "since"):
        day = holidays.beside(feast, setting.today - DAY, "back")
    elif word not in ("by", "next") and setting.tense == "past":
        day = holidays.beside(feast, setting.today, "back")  # told in the evening of that very day
    elif word in ("by", "before", "until", "till", "next", "this") or setting.tense == "future":
        day = holidays.beside(feast, setting.today, "ahead")
    else:
        return None
    lead = {"": "", "last": "at ", "this": "at ", "next": "at "}.get(match["side"].lower(), f"{match['side'].lower()} ")
    return replace(calendar.of_day(day), said=f"{lead}{match['feast']} {day.year}")


_SIDE = r"(?P<side>this\s+(?:past|last|coming)|last|this|next|the\s+following)"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_NOT_AFTER = r"(?<!the )(?<!the past )"
_YEAR = r"(?P<year>(?:19|20|21)\d\d)"
_PORTION = r"(?:(?:in|at)\s+)?(?:the\s+)?(?P<portion>(?:end|beginning|start|middle)(?=\s+of\s)|early|late|mid)(?:\s+(?:of|in)\s+|\s+|-)"
_WITHIN = r"(?P<within>week|month|year)"
_AFTER = r"(?:(?<=since )|(?<=by )|(?<=until )|(?<=till )|(?<=before )|(?<=after )|(?<=from ))"
_ORDINAL = r"(?P<day>[12]?[1-9]|[123]0|31)(?:st|nd|rd|th)"
_NTH_DAY = (
    rf"(?:on\s+)?(?:the\s+)?(?P<number>first|second|third|fourth|last)\s+(?P<unit>weekend|week|{'|'.join(WEEKDAYS)})\s+"
)
_FEAST = (
    "(?P<feast>" + "|".join(sorted((re.escape(f) for f in _FEASTS), key=len, reverse=True)).replace("'", "['’]") + ")"
)
# after "the 26th" or "Christmas" the sentence ends or goes on: "the 26th floor" and "Christmas lights" are no times
_ENDS = (
    r"(?=\s*(?:$|[.,;:!?)\"\n–—-])|\s+(?:and|but|or|at|in|with|for|to|so|because|when|where|we|i|he|she|they|it|you|my|our|this|"
    r"last|next|as|by|from|after|before|if|since|until|is|was|will|then|there|again|too|together|due|instead|morning|evening)\b)"
)

_SOURCES: tuple[tuple[str, Reading], ...] = (
    (r"(?:the\s+)?(?P<word>day\s+before\s+yesterday|day\s+after\s+tomorrow|yesterday|today|tomorrow|tonight)" + _PART, _near_day),
    (r"(?P<word>last)\s+(?P<part>night|evening)", _near_day),
    (r"(?P<word>this)\s+(?P<part>morning|afternoon|evening)", _near_day),
    (r"the\s+(?P<unit>night|weekend|week|month|year)\s+(?P<way>before\s+last|after\s+next)", _before_last),
    (rf"{_NOT_AFTER}{_SIDE}\s+(?P<unit>weekend|week|month|year)(?!\s+(?:of\s+\d|before|after))", _unit_beside),
    (rf"{_PORTION}{_SIDE}\s+{_WITHIN}", _portion),
    (rf"{_PORTION}(?P<side>the)\s+{_WITHIN}(?!\s+(?:of|before|after|\d))", _portion),
    (rf"{_PORTION}(?:(?P<side>last|this|next)\s+)?{_MONTH}(?!\s*,?\s*(?:of\s+)?\d)", _portion),
    (rf"{_PORTION}{_MONTH},?\s+(?:of\s+)?{_YEAR}", _portion),
    (rf"{_PORTION}{_YEAR}(?![-–\w%$])", _portion),
    (rf"(?P<way>earlier|later)\s+this\s+{_WITHIN}", _earlier),
    (rf"{_NTH_DAY}(?:of|in)\s+{_MONTH},?\s+{_YEAR}", _weekday_of_month),
    (rf"{_NTH_DAY}(?:of|in)\s+(?:(?P<side>last|this|next)\s+)?{_MONTH}(?!\s*,?\s*\d)", _weekday_of_month),
    (rf"{_NTH_DAY}of\s+(?P<side>the|this|next|last)\s+(?P<within>month)", _weekday_of_month),
    (rf"(?:on\s+)?{_NOT_AFTER}(?P<side>this\s+(?:past|last|coming)|last|this|next|past)\s+{_DAY}{_PART}", _weekday_beside),
    (rf"(?<!every )(?<!each )(?<!Black )(?<!Good )(?P<side>on\s+)?{_DAY}{_PART}", _weekday_beside),
    (rf"on\s+the\s+{_ORDINAL}{_ENDS}", _nth_beside),
    (rf"(?:(?<=by )|(?<=until )|(?<=since )|(?<=for ))the\s+{_ORDINAL}{_ENDS}", _nth_beside),
    (rf"(?:in\s+)?(?P<side>last|this\s+past|this|next|this\s+coming)\s+{_MONTH}(?!\s+\d)", _month_beside),
    (rf"(?:back\s+)?(?P<side>in)\s+{_MONTH}(?!\s*,?\s*\d)", _month_beside),
    (rf"{_AFTER}(?P<side>){_MONTH}(?!\s*,?\s*\d)", _month_beside),
    (rf"(?:in\s+)?{_MONTH}\s+(?:of\s+)?(?P<side>last|this|next)\s+year", _in_year),
    (rf"(?:in\s+)?(?:the\s+)?{_SEASON}\s+(?:of\s+)?(?P<side>last|this|next)\s+year", _in_year),
    (rf"(?:on\s+)?{_DAY}(?:\s+of)?\s+(?P<side>last|this|next)\s+week{_PART}", _in_week),
    (rf"(?P<side>last|this|next)\s+week(?:'s)?(?:\s+on)?\s+{_DAY}{_PART}", _in_week),
    (rf"(?<=to )(?P<side>){_MONTH}(?!\s*,?\s*\d)(?!\s+(?:street|st|road|lane|avenue)\b)", _month_to),
    (rf"(?:on\s+)?(?P<side>){_DAY}\s+week", _weekday_week),
    (rf"(?:in\s+)?(?P<side>last|this\s+past|this|next|this\s+coming)\s+{_SEASON}(?!\s+\d)", _season_beside),
    (rf"(?:in|over|during)\s+(?P<side>the)\s+{_SEASON}(?!\s+(?:(?:of\s+)?\d|months?|season|and|or))", _season_beside),
    (rf"(?P<side>at|on|for|over|around|this|last|next)\s+{_FEAST}(?:\s+(?:of\s+)?{_YEAR})?{_ENDS}", _feast),
    (rf"(?:(?<=by )|(?<=until )|(?<=till )|(?<=before )|(?<=since )|(?<=after ))(?P<side>){_FEAST}(?:\s+(?:of\s+)?{_YEAR})?{_ENDS}", _feast),
)  # fmt: skip


@cache
def rules() -> Rules:
    """Return the rules, compiled at first use."""
    return tuple((re.compile(rf"(?<!\w){source}(?!\w)", re.IGNORECASE), reading) for source, reading in _SOURCES)
