"""English lengths of time: "three days ago", "in a week", "for three years", "a week from Monday", "a few days ago"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache

from perdure.when import calendar
from perdure.when.calendar import DAY, WEEK, Stretch
from perdure.when.edge import day_name
from perdure.when.english_words import (
    DAY_NAMES,
    DISTANCE,
    FEW,
    IRREGULAR,
    NUMBER,
    UNIT,
    WEEKDAYS,
    distance_of,
    number_of,
    weekday_of,
)
from perdure.when.relative import Reading, Rules, Setting, units_away, weekday_near


def shifted(unit: str, count: int, today: date) -> Stretch:
    """Return the unit, or the weekday, that lies `count` of them from today."""
    if unit in WEEKDAYS:
        ahead = (WEEKDAYS.index(unit) - today.weekday()) % 7
        return calendar.of_day(today + (ahead + 7 * (count if count < 0 or not ahead else count - 1)) * DAY)
    return units_away(unit, count, today)


def _at_distance(match: re.Match[str], setting: Setting, way: int) -> Stretch | None:
    """Three weeks: the week that lies so far; about, or half of one: the days around."""
    distance = distance_of(match)
    if distance.unit in WEEKDAYS:
        return shifted(distance.unit, way * int(distance.count), setting.today) if distance.is_exact else None
    if distance.is_exact and not match["about"]:
        return shifted(distance.unit, way * int(distance.count), setting.today)
    return calendar.about(setting.today, distance.unit, way * distance.count, most=way * distance.most)


def _ago(match: re.Match[str], setting: Setting) -> Stretch | None:
    return _at_distance(match, setting, -1)


_MEASURED = re.compile(
    r"\d[\d.,]*\s*(?:k|km|kms|kilomet\w+|m|met\w+|miles?|mi|laps?|steps?|pages?|words|books|chapters|kg|kilos?|lbs?|pounds?|"
    r"hours?|minutes?|times|episodes?|countries|cities|states|games|points|followers|dollars|euros|%)(?:\s+[\w']+){0,3}\s+$",
    re.IGNORECASE,
)
_NEAR = 60  # characters before a time in which a measure may stand (chosen)


def _ahead(match: re.Match[str], setting: Setting) -> Stretch | None:
    """in three days: in the past tense, or after a measure, that is how long it took, not when."""
    is_time = match["time"] is not None
    if not is_time and _MEASURED.search(match.string, max(0, match.start() - _NEAR), match.start()):
        return None
    return None if setting.tense == "past" and not is_time else _at_distance(match, setting, 1)


def _from_now(match: re.Match[str], setting: Setting) -> Stretch | None:
    return _at_distance(match, setting, 1)


def _from_day(match: re.Match[str], setting: Setting) -> Stretch | None:
    """a week from today, two years ago today, a week from Monday, three weeks ago last Tuesday: that very day."""
    distance = distance_of(match)
    if not distance.is_exact or distance.unit in WEEKDAYS:
        return None
    way = -1 if match["way"].lower() == "ago" else 1
    word, today = match["from"].lower().split()[-1], setting.today
    near = {"yesterday": -1, "today": 0, "tomorrow": 1}
    base = today + near[word] * DAY if word in near else weekday_near(weekday_of(word), today, is_back=way < 0)
    return calendar.of_day(calendar.off(base, distance.unit, way * int(distance.count)))


def _for_so_long(match: re.Match[str], setting: Setting) -> Stretch | None:
    """has lived here for three years: since about then.  Without "have" it is only how long something took."""
    if not _PERFECT.search(match.string, max(0, match.start() - _NEAR), match.start()):
        return None
    distance = distance_of(match)
    if distance.unit in WEEKDAYS:
        return None
    stretch = calendar.about(setting.today, distance.unit, -distance.count, most=-distance.most)
    return replace(stretch, said=f"since {stretch.said}", is_since=True)


_PERFECT = re.compile(
    r"(?:\b(?:have|has|haven't|hasn't)|['’](?:ve|s))\s+(?:(?:not|never|now|also|only|just|both|all|always|\w+ly)\s+)?"
    rf"(?:\w+ed|{'|'.join(IRREGULAR)})\b[^.!?;,]*$",
    re.IGNORECASE,
)
_LENGTH = {"day": 1, "night": 1, "weekend": 7, "week": 7, "fortnight": 14, "month": 30, "year": 365, "decade": 3650}
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


def _these_units(match: re.Match[str], setting: Setting) -> Stretch | None:
    """in the next two weeks, over the last few months: the days from today on, or up to today."""
    unit, word = match["unit"].lower(), match["count"].lower()
    count = _MOST["a few"] if word == "few" else 2 if word.startswith("couple") else number_of(word)
    is_back = match["way"].lower() in ("last", "past")
    day = calendar.off(setting.today, unit, -count if is_back else count)
    first, last = sorted((day, setting.today))
    said = f"in the {word} {unit}s {'before' if is_back else 'after'} {day_name(setting.today)}"
    return calendar.around(first, last + DAY, said)


_ABOUT = r"(?:(?P<about>about|around|roughly|approximately|nearly|almost|maybe|over|more\s+than|some)\s+)?"

_SOURCES: tuple[tuple[str, Reading], ...] = (
    (rf"{_ABOUT}{DISTANCE}\s+(?:ago|back)", _ago),
    (rf"{DISTANCE}\s+(?P<way>ago)\s+(?P<from>today|yesterday|(?:on\s+|last\s+)?(?:{DAY_NAMES}))", _from_day),
    (rf"{DISTANCE}\s+(?P<way>from|after)\s+(?P<from>today|yesterday|tomorrow|(?:next\s+|this\s+)?(?:{DAY_NAMES}))", _from_day),
    (rf"{_ABOUT}{DISTANCE}\s+from\s+now", _from_now),
    (rf"in\s+{_ABOUT}{DISTANCE}(?P<time>['’]?s?['’]?\s+time)?", _ahead),
    (rf"for\s+(?:the\s+(?:past|last)\s+)?{_ABOUT}{DISTANCE}(?:\s+now)?", _for_so_long),
    (rf"(?:in|within|over|during)\s+the\s+(?P<way>next|coming|last|past)\s+(?P<count>few|couple\s+of|{NUMBER})\s+(?P<unit>day|week|month|year)s", _these_units),
    (rf"{FEW}\s+{UNIT}\s+(?:ago|back)", _few_ago),
    (rf"in\s+(?:just\s+)?{FEW}\s+{UNIT}(?:'s?)?(?:\s+time)?", _few_ahead),
    (rf"{FEW}\s+{UNIT}\s+from\s+(?:now|today)", _few_ahead),
    (r"the\s+other\s+(?:day|night|week)", _other_day),
)  # fmt: skip


@cache
def rules() -> Rules:
    """Return the rules, compiled at first use."""
    return tuple((re.compile(rf"(?<!\w){source}(?!\w)", re.IGNORECASE), reading) for source, reading in _SOURCES)
