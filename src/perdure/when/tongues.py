"""Expressions of time in Chinese, Japanese, Korean, French, Italian, Spanish and Indonesian.

The commonest words and the written dates; what is not listed is left out, never guessed.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from perdure.when import calendar
from perdure.when.calendar import DAY, WEEK, Stretch
from perdure.when.english import Reading, Setting

# word → (unit, count of units from today)
_CJK = {
    "day": {
        -2: "前天 一昨日 おととい 그저께 그제", -1: "昨天 昨日 昨晚 昨夜 きのう 어제 어젯밤", 0: "今天 今日 今晚 きょう 오늘",
        1: "明天 明日 明晚 あした 내일", 2: "后天 後天 明後日 あさって 모레",
    },
    "week": {-1: "上周 上週 上星期 上个星期 先週 지난주 지난 주", 0: "这周 這週 本周 这个星期 今週 이번 주 이번주", 1: "下周 下週 下星期 下个星期 来週 다음 주 다음주"},
    "weekend": {-1: "上周末 上週末 上个周末 先週末 지난 주말 지난주말", 0: "这周末 这个周末 今週末 이번 주말", 1: "下周末 下个周末 来週末 다음 주말"},
    "month": {-1: "上个月 上個月 上月 先月 지난달 지난 달", 0: "这个月 這個月 本月 今月 이번 달 이번달", 1: "下个月 下個月 下月 来月 다음 달 다음달"},
    "year": {-2: "前年 おととし 재작년", -1: "去年 작년 지난해", 0: "今年 올해", 1: "明年 来年 내년", 2: "后年 再来年 내후년"},
}  # fmt: skip
_LATIN = {
    "day": {
        -2: "avant-hier|l'altro ieri|l'altroieri|anteayer|antier|kemarin lusa",
        -1: "hier soir|hier|ieri sera|ieri|ayer|anoche|kemarin|tadi malam|semalam",
        0: "aujourd'hui|ce soir|oggi|stasera|hoy|esta noche|hari ini|malam ini|stamattina|ce matin|esta mañana|pagi ini",
        1: "demain|domani|mañana|besok", 2: "après-demain|dopodomani|pasado mañana|lusa",
    },
    "week": {
        -1: "la semaine dernière|la semaine passée|la settimana scorsa|la scorsa settimana|la semana pasada|minggu lalu|minggu kemarin",
        0: "cette semaine|questa settimana|esta semana|minggu ini",
        1: "la semaine prochaine|la settimana prossima|la prossima settimana|la semana que viene|la próxima semana|minggu depan",
    },
    "weekend": {
        -1: "le week-end dernier|le weekend dernier|lo scorso weekend|lo scorso fine settimana|il weekend scorso|el fin de semana pasado|akhir pekan lalu|akhir minggu lalu",
        0: "ce week-end|ce weekend|questo weekend|questo fine settimana|este fin de semana|akhir pekan ini",
        1: "le week-end prochain|il prossimo weekend|el próximo fin de semana|akhir pekan depan",
    },
    "month": {
        -1: "le mois dernier|il mese scorso|lo scorso mese|el mes pasado|bulan lalu", 0: "ce mois-ci|questo mese|este mes|bulan ini",
        1: "le mois prochain|il mese prossimo|il prossimo mese|el mes que viene|el próximo mes|bulan depan",
    },
    "year": {
        -1: "l'année dernière|l'an dernier|l'anno scorso|lo scorso anno|el año pasado|tahun lalu", 0: "cette année|quest'anno|este año|tahun ini",
        1: "l'année prochaine|l'an prochain|l'anno prossimo|il prossimo anno|el año que viene|el próximo año|tahun depan",
    },
}  # fmt: skip

_WEEKDAYS = (
    "lundi|lunedì|lunes|senin", "mardi|martedì|martes|selasa", "mercredi|mercoledì|miércoles|rabu", "jeudi|giovedì|jueves|kamis",
    "vendredi|venerdì|viernes|jumat", "samedi|sabato|sábado|sabtu", "dimanche|domenica|domingo|hari minggu",
)  # fmt: skip
_MONTHS = (
    "janvier|gennaio|enero|januari", "février|febbraio|febrero|februari", "mars|marzo|maret", "avril|aprile|abril|april",
    "mai|maggio|mayo|mei", "juin|giugno|junio|juni", "juillet|luglio|julio|juli", "août|agosto|agustus",
    "septembre|settembre|septiembre|september", "octobre|ottobre|octubre|oktober", "novembre|noviembre|november",
    "décembre|dicembre|diciembre|desember",
)  # fmt: skip
_CJK_DAYS = ("一", "二", "三", "四", "五", "六", "日天"), "月火水木金土日", "월화수목금토일"
_CJK_COUNTS = {
    "一": 1,
    "二": 2,
    "两": 2,
    "兩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
}
_COUNTS = (
    "un|une|uno|una|se|satu", "deux|due|dos|dua", "trois|tre|tres|tiga", "quatre|quattro|cuatro|empat", "cinq|cinque|cinco|lima",
    "six|sei|seis|enam", "sept|sette|siete|tujuh", "huit|otto|ocho|delapan", "neuf|nove|nueve|sembilan", "dix|dieci|diez|sepuluh",
)  # fmt: skip


def _shifted(unit: str, count: int, today: date) -> Stretch:
    if unit == "day":
        return calendar.of_day(today + count * DAY)
    if unit == "week":
        return calendar.of_week(today + count * WEEK)
    if unit == "weekend":
        return calendar.of_weekend(today + count * WEEK)
    if unit == "month":
        return calendar.of_month(calendar.shift_months(today.replace(day=1), count))
    return calendar.of_year(today.year + count)


def _fixed(unit: str, count: int) -> Reading:
    return lambda match, setting: _shifted(unit, count, setting.today)


def _index(word: str, groups: tuple[str, ...]) -> int:
    return next(i for i, group in enumerate(groups) if word.lower() in group.split("|"))


def _count(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return _CJK_COUNTS.get(word) or _index(word, _COUNTS) + 1


_UNITS = {
    "day": "天|日|일|jours?|giorni|giorno|días?|hari", "week": "周|週|星期|个星期|週間|주일?|semaines?|settiman[ae]|semanas?|minggu|pekan",
    "month": "个月|個月|か月|ヶ月|カ月|개월|달|mois|mes[ei]|mes(?:es)?|bulan", "year": "年|년|ans?|années?|ann[oi]|años?|tahun",
}  # fmt: skip


def _ago(unit: str) -> Reading:
    return lambda match, setting: _shifted(unit, -_count(match["count"]), setting.today)


def _ahead(unit: str) -> Reading:
    return lambda match, setting: _shifted(unit, _count(match["count"]), setting.today)


def _weekday(match: re.Match[str], setting: Setting) -> Stretch:
    ahead = (_index(match["weekday"], _WEEKDAYS) - setting.today.weekday()) % 7
    is_back = bool(match["back"])
    return calendar.of_day(setting.today + (ahead - 7 if is_back else ahead or 7) * DAY)


def _cjk_weekday(match: re.Match[str], setting: Setting) -> Stretch:
    """上周五 names the Friday of last week; 先週の金曜日 and 지난주 금요일 too."""
    week = {"上": -1, "先": -1, "지": -1, "下": 1, "来": 1, "다": 1}.get(match["side"][0], 0)
    wanted = next(i for days in _CJK_DAYS for i, names in enumerate(days) if match["weekday"] in names)
    monday = setting.today - setting.today.weekday() * DAY
    return calendar.of_day(monday + (week * 7 + wanted) * DAY)


def _dated(match: re.Match[str], setting: Setting) -> Stretch | None:
    """A written date; without its year, the nearest one."""
    groups = match.groupdict()
    month = _month(groups["month"])
    if groups.get("year") and not groups.get("day"):
        return calendar.of_month(date(int(groups["year"]), month, 1), is_relative=False)
    if groups.get("year"):
        return calendar.of_day(date(int(groups["year"]), month, int(groups["day"])), is_relative=False)
    if setting.tense == "recurring":
        return None
    today = setting.today
    near = [date(today.year + y, month, int(groups["day"])) for y in (-1, 0, 1)]
    return calendar.of_day(min(near, key=lambda d: (abs(d - today), d)))


def _month(word: str) -> int:
    return int(word) if word.isdecimal() else _index(word, _MONTHS) + 1


def _year(match: re.Match[str], setting: Setting) -> Stretch:
    return calendar.of_year(int(match["year"]), is_relative=False)


def _rules() -> list[tuple[str, Reading]]:
    rules: list[tuple[str, Reading]] = []
    for unit, by_count in _CJK.items():
        for count, cjk_words in by_count.items():
            names = "|".join(sorted(re.findall(r"이번 \S+|지난 \S+|다음 \S+|\S+", cjk_words), key=len, reverse=True))
            rules.append((names, _fixed(unit, count)))
    for unit, by_count in _LATIN.items():
        for count, latin_words in by_count.items():
            rules.append((rf"(?<!\w)(?:{latin_words})(?!\w)", _fixed(unit, count)))
    number, cjk_number = (
        rf"(?P<count>(?<!\d)\d{{1,4}}|{'|'.join(_COUNTS)})",
        rf"(?P<count>(?<!\d)\d{{1,4}}|[{''.join(_CJK_COUNTS)}])",
    )
    for unit, names in _UNITS.items():
        rules += [
            (rf"{cjk_number}\s?(?:{names})\s?(?:之?前|以前|전)", _ago(unit)),
            (rf"{cjk_number}\s?(?:{names})\s?(?:之?后|之?後|以后|뒤|후)", _ahead(unit)),
            (rf"(?<!\w)(?:il y a|hace)\s+{number}\s+(?:{names})(?!\w)", _ago(unit)),
            (rf"(?<!\w){number}\s?(?:{names})\s+(?:fa|yang lalu|lalu)(?!\w)", _ago(unit)),
            (rf"(?<!\w)(?:dans|tra|fra|dentro de)\s+{number}\s+(?:{names})(?!\w)", _ahead(unit)),
            (rf"(?<!\w){number}\s?(?:{names})\s+lagi(?!\w)", _ahead(unit)),
        ]
    weekday, month = "|".join(_WEEKDAYS), "|".join(_MONTHS)
    back, forth = "dernier|passé|scors[oa]|pasado|lalu|kemarin", "prochain|prossim[oa]|próximo|que viene|depan"
    rules += [
        (rf"(?<!\w)(?:hari\s+)?(?P<weekday>{weekday})\s+(?:(?P<back>{back})|(?:{forth}))(?!\w)", _weekday),
        (rf"(?<!\w)(?:(?P<back>scors[oa])|prossim[oa]|próximo)\s+(?P<weekday>{weekday})(?!\w)", _weekday),
        (r"(?P<side>上|下|这|這|本)(?:周|週|个?星期|禮拜|礼拜)(?P<weekday>[一二三四五六日天])", _cjk_weekday),
        (r"(?P<side>先|来|今)週の?(?P<weekday>[月火水木金土日])曜日?", _cjk_weekday),
        (r"(?P<side>지난|이번|다음)\s?주?\s?(?P<weekday>[월화수목금토일])요일", _cjk_weekday),
        (r"(?<!\d)(?P<year>[12]\d{3})\s?[年년]\s?(?P<month>1[0-2]|0?[1-9])\s?[月월]\s?(?P<day>\d\d?)\s?[日号號일]", _dated),
        (r"(?<!\d)(?P<year>[12]\d{3})\s?[年년]\s?(?P<month>1[0-2]|0?[1-9])\s?[月월]", _dated),
        (r"(?P<year>(?:19|20)\d\d)\s?[年년](?!\s?\d)", _year),
        (r"(?<![\d年년])(?<![年년]\s)(?P<month>1[0-2]|0?[1-9])\s?[月월]\s?(?P<day>\d\d?)\s?[日号號일]", _dated),
        (rf"(?<!\w)(?:le |il |el |tanggal )?(?P<day>\d\d?)(?:er|º|°)?\s+(?:de )?(?P<month>{month})\s+(?:de |del )?(?P<year>[12]\d{{3}})(?!\w)", _dated),
        (rf"(?<!\w)(?:en |nel |a |di |pada )?(?P<month>{month})\s+(?:de |del )?(?P<year>(?:19|20)\d\d)(?!\w)", _dated),
        (rf"(?<!\w)(?:le |il |el |tanggal )?(?P<day>\d\d?)(?:er|º|°)?\s+(?:de )?(?P<month>{month})(?!\w)(?!,?\s+(?:de |del )?\d{{3}})", _dated),
        (r"(?<!\w)(?:en|nel|pada tahun|tahun|depuis|dal|desde|sejak)\s+(?P<year>(?:19|20)\d\d)(?!\w)", _year),
    ]  # fmt: skip
    return rules


@cache
def rules() -> tuple[tuple[re.Pattern[str], Reading], ...]:
    """Return the rules, compiled at first use: at import they would cost 40 ms."""
    return tuple((re.compile(source, re.IGNORECASE), reading) for source, reading in _rules())
