"""Laws of the readings of time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from perdure import when

anchors = st.datetimes(datetime(1971, 1, 1), datetime(2190, 1, 1), timezones=st.just(UTC))
zones = st.integers(-12, 14).map(lambda hours: timezone(timedelta(hours=hours)))
phrases = st.sampled_from(
    [
        "yesterday", "tonight", "last night", "next week", "last weekend", "this weekend", "the week before last", "in May",
        "last Friday", "next Tuesday", "on Monday", "two weeks ago", "three Fridays ago", "a few days ago", "in ten days", "the other day",
        "last summer", "next winter", "this year", "7 May", "May 7th", "since 2019", "in 2022", "on 7 May 2023", "5/6/2023", "2023-05-07",
        "the weekend before 17 July 2023", "half a year ago", "for three years", "by Christmas", "on the 26th", "Tuesday week",
        "at the end of the month", "early next year", "later this week", "from 3 to 10 October", "between 3 and 5 May 2023", "in mid-May",
        "a week from Friday", "about ten days ago", "over the last few months", "the second week of June", "in the late 1990s",
        "from Monday to Friday", "fin mai", "depuis trois ans", "a fine mese", "del 3 al 10 de octubre", "awal tahun depan",
        "下个月底", "10月3日から10日", "半年前", "다음 달 말", "열흘 전", "昨天", "上周五", "3日前", "지난주 금요일", "hier", "il y a deux ans", "dua hari yang lalu", "el lunes pasado",
    ]
)  # fmt: skip
frames = st.sampled_from(
    ["I went {}.", "We'll go {}.", "{}, I think", "It is {} and it was {}", "since {} until {}", "{}'s plan"]
)


@given(frames, phrases, anchors, zones)
def test_spans_lie_in_the_text_in_order_and_start_before_they_end(
    frame: str, phrase: str, anchor: datetime, zone: timezone
) -> None:
    text = frame.replace("{}", phrase)

    spans = when.find(text, anchor=anchor, timezone=zone)

    assert all(span.start < span.end for span in spans)
    assert all(text[span.begin : span.stop] == span.text for span in spans)
    assert all(one.stop <= two.begin for one, two in pairwise(spans))


@given(frames, phrases, anchors, zones)
def test_writing_out_twice_changes_nothing(frame: str, phrase: str, anchor: datetime, zone: timezone) -> None:
    once = when.absolute(frame.replace("{}", phrase), anchor=anchor, timezone=zone)

    assert once == when.absolute(once, anchor=anchor, timezone=zone)


@given(st.dates(datetime(1900, 1, 1).date(), datetime(2099, 12, 31).date()), anchors, anchors)
def test_absolute_dates_do_not_depend_on_the_anchor(day: datetime, one: datetime, other: datetime) -> None:
    for text in (f"on {day:%d %B %Y}", f"{day:%B} {day.day}, {day.year}", day.isoformat(), f"in {day:%B %Y}"):
        assert when.find(text, anchor=one) == when.find(text, anchor=other) != []


@given(st.text(max_size=60), anchors)
def test_any_text_is_read_without_an_error(text: str, anchor: datetime) -> None:
    when.absolute(text, anchor=anchor)


pieces = st.sampled_from(
    (
        "the of in on at by for since from to between and last this next ago week weeks month day year Friday May June 3 12 2019 3rd 26th "
        "half a two or so few end early mid first Christmas today week's now every was will moved le la du au il y a depuis dans fin début "
        "mois semaine an jour vendredi mai dernier prochain et demi da tra fa fine mese del dal al scorso questo el hace medio año que viene "
        "martes pasado hasta yang lalu minggu bulan depan akhir se tiga hari Senin sampai natal navidad noël 半 个 月 年 前 后 三 十 两 几 "
        "上 下 周 末 底 初 日 号 星期 五 的 の 先 来 曜 から まで 今 去 去年 夏天 圣诞节 지난 다음 주 달 말 한 두 일 전 후 금요일 에 부터 년 며칠 쯤 了"
    ).split()
)  # fmt: skip


@given(st.lists(st.tuples(pieces, st.sampled_from(["", " "])), max_size=9), anchors)
def test_any_jumble_of_words_of_time_is_read_without_an_error(words: list[tuple[str, str]], anchor: datetime) -> None:
    text = "".join(word + gap for word, gap in words)

    when.absolute(text, anchor=anchor)

    assert all(span.start < span.end for span in when.find(text, anchor=anchor))


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)), zones)
def test_the_edge_keeps_the_instant(moment: datetime, zone: timezone) -> None:
    aware = moment.replace(tzinfo=zone)

    assert aware == when.to_utc(aware, timezone=None) == when.to_utc(moment, timezone=zone)
    assert aware == when.to_utc(aware.isoformat(), timezone=None)
