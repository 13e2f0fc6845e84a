"""Expressions of time in French, Italian, Spanish and Indonesian.

The commonest words and the written dates; what is not listed is left out, never guessed.
Choices: "vendredi prochain" is the first Friday after the message's day; a bare weekday needs a tense; a bare month
without a tense is that of this year; "quinze jours" in words are two weeks.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache

from perdure.when import calendar, holidays
from perdure.when.calendar import DAY, Stretch
from perdure.when.latin_words import (
    COUNTS,
    DAYS,
    FEASTS,
    FEW,
    MONTHS,
    PART_OF_DAY,
    PORTIONS,
    SEASONS,
    SIDES,
    SIDES_BEFORE,
    UNITS,
    WEEKDAYS,
    cues,
    either,
    key_of,
    loose,
)
from perdure.when.relative import (
    Reading,
    Rules,
    Setting,
    date_near,
    day_near,
    days_of_month,
    month_beside,
    season_beside,
    this_weekend,
    units_away,
    weekday_near,
)

__all__ = ["cues", "rules"]


def _day_away(count: int) -> Reading:
    return lambda match, setting: calendar.of_day(setting.today + count * DAY)


def _beside(match: re.Match[str], setting: Setting) -> Stretch | None:
    """la semaine dernière, lunedì scorso, el mes que viene, Mei lalu, cet été."""
    groups = match.groupdict()
    side = key_of(groups["after"], SIDES) if groups.get("after") else key_of(groups["before"], SIDES_BEFORE)
    if match["weekday"]:
        is_back = side == -1 or (side == 0 and setting.tense == "past")
        day = weekday_near(key_of(match["weekday"], WEEKDAYS), setting.today, is_back=is_back, may_be_today=side == 0)
        return calendar.of_day(day)
    if match["month"]:
        return month_beside(key_of(match["month"], MONTHS), side, setting)
    if match["season"]:
        return season_beside(key_of(match["season"], SEASONS), side, setting)
    unit = key_of(match["unit"], UNITS)
    if unit in ("day", "decade"):
        return None
    return this_weekend(setting) if unit == "weekend" and side == 0 else units_away(unit, side, setting.today)


def _weekday(match: re.Match[str], setting: Setting) -> Stretch | None:
    """jeudi, el martes: where the tense decides."""
    if setting.tense not in ("past", "future"):
        return None
    wanted = key_of(match["weekday"], WEEKDAYS)
    return calendar.of_day(weekday_near(wanted, setting.today, is_back=setting.tense == "past"))


def _distance(match: re.Match[str], setting: Setting, way: int) -> Stretch | None:
    groups, unit = match.groupdict(), key_of(match["unit"], UNITS)
    if groups["few"]:
        most = key_of(groups["few"], FEW)
        near, far = (1, 3) if most == 3 else (2, most)
        days = sorted(calendar.off(setting.today, unit, way * count) for count in (near, far))
        return calendar.around(days[0], days[1] + DAY, match.group())
    if groups["half"]:
        return calendar.about(setting.today, unit, way * 0.5)
    word = groups["count"]
    count = int(word) if word.isdecimal() else key_of(word, COUNTS)
    if groups["plus"]:
        return calendar.about(setting.today, unit, way * (count + 0.5))
    if groups["about"] or unit == "decade":
        return calendar.about(setting.today, unit, way * count)
    if unit == "day" and count in (8, 15) and not word.isdecimal():
        unit, count = "week", count // 7
    return units_away(unit, way * count, setting.today)


def _ago(match: re.Match[str], setting: Setting) -> Stretch | None:
    return _distance(match, setting, -1)


def _ahead(match: re.Match[str], setting: Setting) -> Stretch | None:
    return _distance(match, setting, 1)


def _planned(match: re.Match[str], setting: Setting) -> Stretch | None:
    """en dos semanas: only of what is to come; else it is how long something takes."""
    return _distance(match, setting, 1) if setting.tense == "future" else None


def _for_so_long(match: re.Match[str], setting: Setting) -> Stretch | None:
    """depuis trois ans, da tre anni, desde hace tres años."""
    stretch = _distance(match, setting, -1)
    if stretch is None or match["few"]:
        return stretch and replace(stretch, is_since=True)
    word = match["count"]
    count = 0.5 if match["half"] else int(word) if word.isdecimal() else key_of(word, COUNTS)
    return replace(calendar.about(setting.today, key_of(match["unit"], UNITS), -count), is_since=True)


def _dated(match: re.Match[str], setting: Setting) -> Stretch | None:
    """le 7 mai 1990, venerdì 3 maggio; without its year, the nearest one."""
    month, day, year = key_of(match["month"], MONTHS), int(match["day"]), match.groupdict().get("year")
    if year:
        return calendar.of_day(date(int(year), month, day), is_relative=False)
    if setting.tense == "recurring":
        return None
    weekday = key_of(match["weekday"], WEEKDAYS) if match["weekday"] else None
    found = date_near(month, day, setting, weekday=weekday)
    return calendar.of_day(found) if found else None


def _days(match: re.Match[str], setting: Setting) -> Stretch | None:
    year = match.groupdict().get("year")
    month, first, last = key_of(match["month"], MONTHS), int(match["first"]), int(match["day"])
    return days_of_month(month, first, last, setting, year=int(year) if year else None)


def _nth(match: re.Match[str], setting: Setting) -> Stretch | None:
    return day_near(int(match["day"]), setting)


def _month(match: re.Match[str], setting: Setting) -> Stretch | None:
    """en mars, a marzo, pada bulan Maret, depuis mars."""
    if re.match(loose("(?:depuis|da|dal|desde|sejak)\\b"), match.group(), re.IGNORECASE):
        setting = replace(setting, tense="past")
    return month_beside(key_of(match["month"], MONTHS), None, setting)


def _month_year(match: re.Match[str], setting: Setting) -> Stretch | None:
    """mars 2020, marzo dell'anno scorso, Maret tahun depan."""
    month, groups = key_of(match["month"], MONTHS), match.groupdict()
    if groups.get("year"):
        return calendar.of_month(date(int(groups["year"]), month, 1), is_relative=False)
    return calendar.of_month(date(setting.today.year + key_of(groups["after"], SIDES), month, 1))


def _season_year(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_season(key_of(match["season"], SEASONS), int(match["year"]), is_relative=False)


def _year(match: re.Match[str], setting: Setting) -> Stretch | None:
    return calendar.of_year(int(match["year"]), is_relative=False)


def _portion(match: re.Match[str], setting: Setting) -> Stretch | None:
    """fin mai, alla fine del mese, a principios de 2020, awal tahun depan."""
    groups, year = match.groupdict(), match.groupdict().get("year")
    if groups.get("month"):
        month = key_of(groups["month"], MONTHS)
        whole = month_beside(month, None, setting)
        if year:
            whole = calendar.of_month(date(int(year), month, 1), is_relative=False)
    elif year:
        whole = calendar.of_year(int(year), is_relative=False)
    else:
        side = key_of(groups["after"], SIDES) if groups["after"] else 0
        whole = units_away(key_of(groups["unit"], UNITS), side, setting.today)
    return whole and calendar.part_of(whole, key_of(groups["portion"], PORTIONS), match.group())


def _feast(match: re.Match[str], setting: Setting) -> Stretch | None:
    """entro Natale, à Noël: where the tense, or a word for "by", decides."""
    feast = key_of(match["feast"], FEASTS)
    if match["year"]:
        return calendar.of_day(holidays.day_of(feast, int(match["year"])), is_relative=False)
    if match["after"]:
        direction: holidays.Direction = "back" if key_of(match["after"], SIDES) < 0 else "ahead"
        return calendar.of_day(holidays.beside(feast, setting.today, direction))
    if setting.tense not in ("past", "future"):
        return None
    return calendar.of_day(holidays.beside(feast, setting.today, "back" if setting.tense == "past" else "ahead"))


_NUMBER = rf"(?P<count>\d{{1,3}}|{either(COUNTS)})"
_UNIT = rf"(?P<unit>{either(UNITS)})"
_WEEKDAY, _MONTH, _SEASON = (
    rf"(?P<weekday>{either(WEEKDAYS)})", rf"(?P<month>{either(MONTHS)})", rf"(?P<season>{either(SEASONS)})"
)  # fmt: skip
_NOUN = rf"(?:{_WEEKDAY}|{_MONTH}|{_SEASON}|{_UNIT})"
_AFTER = rf"(?P<after>{either(SIDES)})"
_ABOUT = (
    r"(?P<about>environ |à peu près |presque |circa |quasi |più o meno |unos |unas |como |casi |más o menos |aproximadamente |"
    r"alrededor de |sekitar |kira-kira |hampir )?"
)
_SO_MANY = rf"{_ABOUT}(?:(?P<half>medi[oa]|mezz[oa']|setengah|une demi-) ?|(?P<few>{either(FEW)}) |{_NUMBER} ?){_UNIT}(?P<plus> et demie?| e mezzo| y medi[oa]| setengah)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATED_YEAR = r"(?P<year>[12]\d{3})"
_DAY_NUMBER = r"(?P<day>\d\d?)(?:er|º|°)?"
_OF = r"(?:d[eu] |de la |de l'|del |della |dell'|di |dei )"
_ON = rf"(?:(?:{_WEEKDAY},? )?(?:le |il |el |l'|tanggal |día |el día )?)"
_TO = r"(?: ?[-–—] ?| au | jusqu'au | al | fino al | hasta el | a | sampai | hingga | s/d )"
_ENDS = (
    r"(?=\s*(?:$|[.,;:!?)\"\n–—-])|\s+(?:à|a|al|au|pour|per|para|avec|con|et|e|y|dan|dans|in|en|chez|da|de|di|pada|untuk|dengan|que|"
    r"je|nous|on|il|elle|ho|ha|abbiamo|tengo|tenemos|hay|viene|vamos|saya|aku|kami|kita)\b)"
)

_SOURCES: tuple[tuple[str, Reading], ...] = (
    *((rf"(?:{words}){PART_OF_DAY}?", _day_away(count)) for count, words in DAYS.items()),
    (rf"{_NOUN}(?:-| ){_AFTER}{PART_OF_DAY}?", _beside),
    (rf"(?P<before>{either(SIDES_BEFORE)}) ?{_NOUN}(?:-ci)?{PART_OF_DAY}?", _beside),
    (rf"(?<!le )(?<!il )(?<!los )(?<!les )(?<!du )(?<!au )(?<!dal )(?<!al )(?:hari )?{_WEEKDAY}{PART_OF_DAY}?", _weekday),
    (rf"(?:il y a|hace) {_SO_MANY}", _ago),
    (rf"{_SO_MANY} (?:fa|(?:yang )?lalu)", _ago),
    (rf"(?:dans|tra|fra|dentro de) {_SO_MANY}", _ahead),
    (rf"{_SO_MANY} lagi", _ahead),
    (rf"(?:en|dalam) (?=\S+ (?:días|semanas?|mes|meses|años?|hari|minggu|bulan|tahun)\b){_SO_MANY}", _planned),
    (rf"(?:depuis|da|desde hace) {_SO_MANY}", _for_so_long),
    (rf"{_ON}{_DAY_NUMBER} (?:de )?{_MONTH},? (?:de |del )?{_DATED_YEAR}", _dated),
    (rf"{_ON}{_DAY_NUMBER} (?:de )?{_MONTH}(?!,? (?:de |del )?\d{{3}})", _dated),
    (rf"(?:(?:du|dal|del|dari|le|il|el|tanggal) )?(?:tanggal )?(?P<first>\d\d?)(?:er)?{_TO}(?:tanggal )?{_DAY_NUMBER} (?:de )?{_MONTH},? (?:de |del )?{_DATED_YEAR}", _days),
    (rf"(?:(?:du|dal|del|dari|le|il|el|tanggal) )?(?:tanggal )?(?P<first>\d\d?)(?:er)?{_TO}(?:tanggal )?{_DAY_NUMBER} (?:de )?{_MONTH}(?!,? (?:de |del )?\d{{3}})", _days),
    (rf"(?:entre|tra|fra|antara) (?:le |il |el |tanggal )?(?P<first>\d\d?)(?:er)? (?:et|e|y|dan) (?:le |il |el )?{_DAY_NUMBER} (?:de )?{_MONTH}(?!,? (?:de |del )?\d{{3}})", _days),
    (rf"(?:le|il|el|el día|tanggal) {_DAY_NUMBER}{_ENDS}", _nth),
    (rf"(?:en |au mois de |nel |nel mese di |a |di |pada |pada bulan |bulan )?{_MONTH} (?:de |del )?{_YEAR}", _month_year),
    (rf"{_MONTH} (?:{_OF})?(?:année|an|anno|año|tahun) {_AFTER}", _month_year),
    (rf"(?:en|au mois de|a|ad|in|nel mese di|en el mes de|(?:pada |di )?bulan|depuis|da|desde|sejak|sejak bulan) {_MONTH}(?! ?(?:de |del )?\d)", _month),
    (rf"{_SEASON} (?:{_OF})?{_YEAR}", _season_year),
    (rf"(?:en|nel|pada tahun|tahun|depuis|dal|desde|sejak|dall'|nell'|vers|verso il|hacia) {_YEAR}(?![-–\d%])", _year),
    (rf"(?P<portion>{either(PORTIONS)})(?:-| )(?:{_OF})?(?P<unit>mois|mese|mes|bulan|année|anno|año|tahun)(?:[- ]{_AFTER})?", _portion),
    (rf"(?P<portion>{either(PORTIONS)}) (?:de la|della) (?P<unit>semaine|settimana|semana)(?: {_AFTER})?", _portion),
    (rf"(?P<portion>{either(PORTIONS)})(?:-| )(?:{_OF})?{_MONTH}(?: (?:de |del )?{_YEAR})?", _portion),
    (rf"(?P<portion>{either(PORTIONS)})(?:-| )(?:{_OF}|tahun )?{_YEAR}", _portion),
    (rf"(?:à|a|en|avant|d'ici|d'ici à|pour|entro|prima di|per|antes de|para|por|hasta|sebelum|saat|pada|untuk|depuis|da|desde|sejak) (?:le |il |la |el )?(?P<feast>{either(FEASTS)})(?: {_AFTER})?(?: {_YEAR})?{_ENDS}", _feast),
)  # fmt: skip


@cache
def rules() -> Rules:
    """Return the rules, compiled at first use."""
    found = []
    for source, reading in _SOURCES:
        spaced = loose(source).replace(" ", r"\s")
        found.append((re.compile(rf"(?<!\w){spaced}(?!\w)", re.IGNORECASE), reading))
    return tuple(found)
