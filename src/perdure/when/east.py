"""Expressions of time in Chinese, Japanese and Korean: year, month and day, each written or relative.

Choices: 上周五 and 지난주 금요일 are the Friday of last week, 今度の金曜日 the first one after the message's day; a bare
weekday or day needs a tense; a bare month without a tense is that of this year.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TypeVar

from perdure.when import calendar, holidays
from perdure.when.calendar import DAY, WEEK, Stretch
from perdure.when.east_words import (
    DAYS,
    FEASTS,
    MONTHS,
    NUMBER,
    PORTIONS,
    SEASONS,
    SO_MANY_DAYS,
    UNITS,
    WEEKDAYS,
    WEEKS,
    YEARS,
    cues,
    either,
    number_of,
)
from perdure.when.relative import (
    Reading,
    Rules,
    Setting,
    date_near,
    date_of,
    day_near,
    days_of_month,
    month_beside,
    season_beside,
    this_weekend,
    units_away,
    weekday_near,
)

__all__ = ["cues", "is_eastern", "rules"]

K = TypeVar("K", bound=object)
_LETTER = re.compile("[\u3041-\u30ff\u3400-\u9fff가-힣]")


def is_eastern(text: str) -> bool:
    """True if a text has a letter of these scripts."""
    return _LETTER.search(text) is not None


def _key(word: str, rows: dict[K, str]) -> K:
    return next(key for key, row in rows.items() if any(re.fullmatch(one, word) for one in row.split()))


def _unit_away(unit: str, count: int) -> Reading:
    if unit == "weekend" and count == 0:
        return lambda match, setting: this_weekend(setting)
    return lambda match, setting: units_away(unit, count, setting.today)


def _weekday_of_week(match: re.Match[str], setting: Setting) -> Stretch | None:
    monday = setting.today - setting.today.weekday() * DAY
    return calendar.of_day(monday + (_key(match["week"], WEEKS) * 7 + _key(match["weekday"], WEEKDAYS)) * DAY)


def _weekday(match: re.Match[str], setting: Setting) -> Stretch | None:
    """今度の土曜日, 지난 금요일, 周五: without a side, where the tense decides."""
    side = match.groupdict().get("side")
    if not side and setting.tense not in ("past", "future"):
        return None
    is_back = side[0] in "지저前こ" and not side.startswith("今") if side else setting.tense == "past"
    day = weekday_near(_key(match["weekday"], WEEKDAYS), setting.today, is_back=is_back, may_be_today=side == "이번")
    return calendar.of_day(day)


def _distance(match: re.Match[str], setting: Setting, way: int) -> Stretch | None:
    groups, today = match.groupdict(), setting.today
    if groups.get("days"):
        return calendar.of_day(today + way * _key(groups["days"], SO_MANY_DAYS) * DAY)
    unit = _key(groups["unit"], UNITS)
    if groups["few"]:
        days = sorted(calendar.off(today, unit, way * count) for count in (2, 5))
        return calendar.around(days[0], days[1] + DAY, match.group())
    if groups["half"]:
        return calendar.about(today, unit, way * 0.5)
    count = number_of(groups["count"])
    if groups["plus"]:
        return calendar.about(today, unit, way * (count + 0.5))
    if groups["about"] or groups["or"]:
        return calendar.about(today, unit, way * count)
    return units_away(unit, way * count, today)


def _ago(match: re.Match[str], setting: Setting) -> Stretch | None:
    return _distance(match, setting, -1)


def _ahead(match: re.Match[str], setting: Setting) -> Stretch | None:
    """三天后: told in the past, that is after something else."""
    return None if setting.tense in ("past", "recurring") else _distance(match, setting, 1)


def _few_days(way: int) -> Reading:
    def read(match: re.Match[str], setting: Setting) -> Stretch:
        days = sorted((setting.today + way * 2 * DAY, setting.today + way * 5 * DAY))
        return calendar.around(days[0], days[1] + DAY, match.group())

    return read


def _other_day(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.around(setting.today - WEEK, setting.today, match.group())


def _year_of(match: re.Match[str], setting: Setting) -> int | None:
    """Return the year that is written, or the one that 去年 names; None without either."""
    groups = match.groupdict()
    if groups.get("year"):
        return number_of(groups["year"])
    return setting.today.year + _key(groups["yearword"], YEARS) if groups.get("yearword") else None


def _month(match: re.Match[str], setting: Setting) -> Stretch | None:
    """去年五月, 2020年4月, 5月 (in the direction of the tense), 来月, and with a part of it: 五月底, 다음 달 초."""
    groups, year = match.groupdict(), _year_of(match, setting)
    if groups.get("monthword"):
        whole: Stretch | None = units_away("month", _key(groups["monthword"], MONTHS), setting.today)
    elif year is not None:
        whole = calendar.of_month(date(year, number_of(match["month"]), 1), is_relative=not groups.get("year"))
    else:
        whole = month_beside(number_of(match["month"]), None, setting)
    return _part(whole, match)


def _part(whole: Stretch | None, match: re.Match[str]) -> Stretch | None:
    portion = match.groupdict().get("portion")
    return calendar.part_of(whole, _key(portion, PORTIONS), match.group()) if whole and portion else whole


def _year(match: re.Match[str], setting: Setting) -> Stretch | None:
    """2019年, 去年; with a part of it: 年底, 내년 초."""
    year = _year_of(match, setting)
    whole = calendar.of_year(
        setting.today.year if year is None else year, is_relative=not match.groupdict().get("year")
    )
    return _part(whole, match)


def _this_month(match: re.Match[str], setting: Setting) -> Stretch | None:
    return _part(units_away("month", 0, setting.today), match)


def _season(match: re.Match[str], setting: Setting) -> Stretch | None:
    """去年夏天, 2016年の夏."""
    year = _year_of(match, setting)
    name = _key(match["season"], SEASONS)
    if year is None:
        return season_beside(name, -1 if match["side"][0] in "지저" else 1 if match["side"] == "다음" else 0, setting)
    return calendar.of_season(name, year, is_relative=not match["year"])


def _day(match: re.Match[str], setting: Setting) -> Stretch | None:
    """2021年5月7日, 明年5月3日, 5月7日 (the nearest), 来月の3日, 26号 (in the direction of the tense)."""
    groups, day, year = match.groupdict(), number_of(match["day"]), _year_of(match, setting)
    if groups.get("monthword"):
        month = units_away("month", _key(groups["monthword"], MONTHS), setting.today).first
        found = date_of(month.year, month.month, day)
    elif not groups.get("month"):
        return day_near(day, setting) if day else None
    elif year is not None:
        found = date_of(year, number_of(groups["month"]), day)
        return calendar.of_day(found, is_relative=not groups.get("year")) if found else None
    else:
        found = None if setting.tense == "recurring" else date_near(number_of(groups["month"]), day, setting)
    return calendar.of_day(found) if found else None


def _days(match: re.Match[str], setting: Setting) -> Stretch | None:
    """10月3日から10日まで, 八月五号到九号."""
    month, year = number_of(match["month"]), _year_of(match, setting)
    found = days_of_month(month, number_of(match["first"]), number_of(match["day"]), setting, year=year)
    return replace(found, is_relative=True) if found and match["yearword"] else found


def _feast(match: re.Match[str], setting: Setting) -> Stretch | None:
    feast, year = _key(match["feast"], FEASTS), _year_of(match, setting)
    if year is not None:
        return calendar.of_day(holidays.day_of(feast, year), is_relative=not match["year"])
    if setting.tense not in ("past", "future"):
        return None
    return calendar.of_day(holidays.beside(feast, setting.today, "back" if setting.tense == "past" else "ahead"))


_OF = r"\s?(?:的|の|의)?\s?"
_YEAR_ALONE = (
    rf"(?:(?P<year>(?<!\d)[12]\d{{3}}|[一二][〇零一二三四五六七八九]{{3}})\s?[年년]|(?P<yearword>{either(YEARS)}))"
)
_YEAR = _YEAR_ALONE + _OF
_MONTH = r"(?P<month>(?<!\d)(?:1[0-2]|0?[1-9])|十[一二]?|[一二三四五六七八九])\s?[月월](?:份)?"
_MONTH_WORD = rf"(?P<monthword>{either(MONTHS)})"
_DAY_NUMBER = r"(?:[12]\d|3[01]|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_DAY = rf"(?P<day>{_DAY_NUMBER})\s?[日号號일](?!\s?(?:間|동안))"
_PORTION = rf"(?P<portion>{either(PORTIONS)})"
_SEASON = rf"(?P<season>{either(SEASONS)})"
_WEEKDAY = r"(?P<weekday>一(?![起緒样直定个個次般]|下(?!午))|[二三四五六日天]|[月火水木金土日](?=曜)|[월화수목금토일](?=요))(?:曜日?|요일)?"
_ABOUT = r"(?P<about>大约|大約|大概|差不多|将近|約|约|およそ|약\s?|대략\s?)?"
_OR = r"(?P<or>\s?(?:ほど|くらい|ぐらい|左右|多|쯤|정도))?"
_SO_MANY = (
    rf"{_ABOUT}(?:(?P<half>半[个個]?|반)|(?P<few>好?几|好?幾|数|몇)|(?P<count>{NUMBER}))\s?(?P<unit>月(?=前|后)|{either(UNITS)})"
    rf"(?P<plus>半|\s?반)?{_OR}"
)
_BACK = r"\s?(?:之前|以前|前(?![面天年日期後])|전(?=에|부터|까지|쯤|의|만|이|인|[\s.,!?]|$))"
_FORTH = r"\s?(?:之后|之後|以后|以後|后(?![面天年])|後(?![日])|후(?=에|[\s.,!?]|$)|뒤(?=에|[\s.,!?]|$))"
_TO = r"\s?(?:から|到|至|[-~〜～]|부터|에서)\s?"

_SOURCES: tuple[tuple[str, Reading], ...] = (
    *((either({0: words}), _unit_away("day", count)) for count, words in DAYS.items()),
    *((f"(?:{either({0: words})})", _unit_away("week", count)) for count, words in WEEKS.items()),
    *((rf"(?:{either({0: words})}){_OF}(?:[周週]?末|주?\s?말)", _unit_away("weekend", count)) for count, words in WEEKS.items()),
    *((f"(?:{either({0: words})})", _unit_away("month", count)) for count, words in MONTHS.items()),
    *((f"(?:{either({0: words})})", _unit_away("year", count)) for count, words in YEARS.items()),
    (rf"(?P<week>{either(WEEKS)}){_OF}(?:周|星期)?{_WEEKDAY}", _weekday_of_week),
    (rf"(?P<side>今度の|次の|この前の|前の|지난|저번|이번|다음)\s?{_WEEKDAY}(?<=[日曜일])", _weekday),
    (r"(?<![上下这這本个個每毎])(?:周|星期|礼拜|週|禮拜)(?P<weekday>一(?![起样直定个次般]|下(?!午))|[二三四五六日天])(?![年月天])", _weekday),
    (r"(?<![週の毎])(?P<weekday>[月火水木金土日])曜日?(?=に|、|の[朝昼夜晩午夕]|まで|へ)", _weekday),
    (r"(?<!주 )(?P<weekday>[월화수목금토일])요일(?=에|날|까지|부터|로|으로|,|\s?(?:밤|아침|저녁|오후|오전|낮))", _weekday),
    (rf"{_SO_MANY}{_BACK}", _ago),
    (rf"{_SO_MANY}{_FORTH}", _ahead),
    (rf"(?P<days>{either(SO_MANY_DAYS)}){_BACK}", _ago),
    (rf"(?P<days>{either(SO_MANY_DAYS)}){_FORTH}", _ahead),
    (rf"며칠{_BACK}", _few_days(-1)),
    (rf"며칠{_FORTH}", _few_days(1)),
    (r"前几天|前幾天|前两天|前些天|先日|この間|このあいだ|얼마\s?전|요\s?전에", _other_day),
    (rf"{_YEAR}{_MONTH}{_OF}{_DAY}", _day),
    (rf"{_YEAR}{_MONTH}(?:{_OF}{_PORTION})?", _month),
    (rf"{_YEAR}{_SEASON}", _season),
    (rf"(?P<side>今年|지난|저번|이번|다음|この|今)\s?{_SEASON}", _season),
    (rf"{_YEAR}{_PORTION}", _year),
    (_YEAR_ALONE, _year),
    (rf"(?<![年년]){_MONTH}{_OF}{_DAY}", _day),
    (rf"(?:{_YEAR})?{_MONTH}\s?(?P<first>{_DAY_NUMBER})\s?[日号號일]?{_TO}{_DAY}", _days),
    (rf"(?<![年년个個か]){_MONTH}{_OF}{_PORTION}", _month),
    (rf"(?<![年년个個かヶカ]){_MONTH}(?=[に的我他她,，、は]|에|부터|까지|から)", _month),
    (rf"{_MONTH_WORD}{_OF}{_DAY}", _day),
    (rf"{_MONTH_WORD}{_OF}{_PORTION}", _month),
    (r"(?<![年月个個])月(?P<portion>底|初|末|中旬)|월말(?P<dummy>)|(?<=이달 )(?P<dummy2>말)", _this_month),
    (r"(?<![去今明前后後年0-9〇一二三四五六七八九])年(?P<portion>底|初|末)|(?<![가-힣])연(?P<korean>말|초)", _year),
    (rf"(?<![月월\d一二三四五六七八九十第上下个個])(?P<day>{_DAY_NUMBER})[号號](?=[去来來到我要会會有前之早晚的左上下开回就出见見])", _day),
    (r"(?<![月월\d]\s)(?<![月월\d])(?P<day>[12]\d|3[01]|[1-9])(?:日(?=に|まで)|일(?=에|까지|부터))", _day),
    (rf"(?:{_YEAR})?(?P<feast>{either(FEASTS)})(?=[，。、,.!！?？我你那去来來要会會时時前之期快到和に]|\s*$|は|の|まで|\s?(?:까지|에|때))", _feast),
)  # fmt: skip


@cache
def rules() -> Rules:
    """Return the rules, compiled at first use."""
    return tuple((re.compile(source), reading) for source, reading in _SOURCES)
