"""Expressions of time, read against Wednesday 8 May 2024."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from perdure import when
from perdure.errors import InputError

ANCHOR = datetime(2024, 5, 8, 12, tzinfo=UTC)

DATED = [
    ("I baked bread yesterday.", "2024-05-07", "2024-05-08", "day"),
    ("We saw them the day before yesterday.", "2024-05-06", "2024-05-07", "day"),
    ("Dinner is tonight.", "2024-05-08", "2024-05-09", "day"),
    ("She arrives the day after tomorrow.", "2024-05-10", "2024-05-11", "day"),
    ("I slept badly last night.", "2024-05-07", "2024-05-08", "day"),
    ("I had a cold last week.", "2024-04-29", "2024-05-06", "week"),
    ("We will paint next week.", "2024-05-13", "2024-05-20", "week"),
    ("The roof leaked the week before last.", "2024-04-22", "2024-04-29", "week"),
    ("We camped last weekend.", "2024-05-04", "2024-05-06", "week"),
    ("We camped two weekends ago.", "2024-04-27", "2024-04-29", "week"),
    ("I painted the fence this weekend.", "2024-05-04", "2024-05-06", "week"),
    ("I'll paint the fence this weekend.", "2024-05-11", "2024-05-13", "week"),
    ("I resigned last month.", "2024-04-01", "2024-05-01", "month"),
    ("The lease ends next month.", "2024-06-01", "2024-07-01", "month"),
    ("We bought it last year.", "2023-01-01", "2024-01-01", "year"),
    ("I went on Friday.", "2024-05-03", "2024-05-04", "day"),
    ("See you Friday!", "2024-05-10", "2024-05-11", "day"),
    ("The meeting is on Monday.", "2024-05-13", "2024-05-14", "day"),
    ("I met her last Wednesday.", "2024-05-01", "2024-05-02", "day"),
    ("The table is booked for Sunday.", "2024-05-12", "2024-05-13", "day"),
    ("Next Friday I fly.", "2024-05-10", "2024-05-11", "day"),
    ("I left three days ago.", "2024-05-05", "2024-05-06", "day"),
    ("We moved 2 months ago.", "2024-03-01", "2024-04-01", "month"),
    ("He died five years ago.", "2019-01-01", "2020-01-01", "year"),
    ("The parcel comes in three days.", "2024-05-11", "2024-05-12", "day"),
    ("A few years ago I sang.", "2019-05-10", "2022-05-10", "approximate"),
    ("We met the other day.", "2024-05-01", "2024-05-08", "approximate"),
    ("I started in March.", "2024-03-01", "2024-04-01", "month"),
    ("I was in Peru in August.", "2023-08-01", "2023-09-01", "month"),
    ("We will marry in August.", "2024-08-01", "2024-09-01", "month"),
    ("We marry next June.", "2024-06-01", "2024-07-01", "month"),
    ("We swam a lot last summer.", "2023-06-01", "2023-09-01", "approximate"),
    ("We skied last winter.", "2023-12-01", "2024-03-01", "approximate"),
    ("It happened on 7 May.", "2024-05-07", "2024-05-08", "day"),
    ("It happened on May 7th, 2021.", "2021-05-07", "2021-05-08", "day"),
    ("It happened on 2021-05-07.", "2021-05-07", "2021-05-08", "day"),
    ("It happened on 25/12/2021.", "2021-12-25", "2021-12-26", "day"),
    ("It happened on 7.5.2021.", "2021-05-07", "2021-05-08", "day"),
    ("I have run since 2019.", "2019-01-01", "2020-01-01", "year"),
    ("We met in 2015.", "2015-01-01", "2016-01-01", "year"),
    ("We met in summer 2015.", "2015-06-01", "2015-09-01", "approximate"),
    ("We met the weekend before 17 July 2023.", "2023-07-15", "2023-07-17", "week"),
    ("昨天我买了一辆车。", "2024-05-07", "2024-05-08", "day"),
    ("我们三周前见过面。", "2024-04-15", "2024-04-22", "week"),
    ("上周五下雨了。", "2024-05-03", "2024-05-04", "day"),
    ("我2021年5月7日毕业。", "2021-05-07", "2021-05-08", "day"),
    ("先週の金曜日に会いました。", "2024-05-03", "2024-05-04", "day"),
    ("来月引っ越します。", "2024-06-01", "2024-07-01", "month"),
    ("지난주 금요일에 만났어요.", "2024-05-03", "2024-05-04", "day"),
    ("3일 전에 샀어요.", "2024-05-05", "2024-05-06", "day"),
    ("Je l'ai vue hier.", "2024-05-07", "2024-05-08", "day"),
    ("Nous partons la semaine prochaine.", "2024-05-13", "2024-05-20", "week"),
    ("Il est né le 7 mai 1990.", "1990-05-07", "1990-05-08", "day"),
    ("L'ho visto due settimane fa.", "2024-04-22", "2024-04-29", "week"),
    ("Siamo arrivati lunedì scorso.", "2024-05-06", "2024-05-07", "day"),
    ("La compré hace tres días.", "2024-05-05", "2024-05-06", "day"),
    ("Nos casamos el 7 de mayo de 2020.", "2020-05-07", "2020-05-08", "day"),
    ("Saya membelinya dua hari yang lalu.", "2024-05-06", "2024-05-07", "day"),
    ("Kami pindah bulan depan.", "2024-06-01", "2024-07-01", "month"),
    # what a verb of moving, a state or a plan leads to lies ahead, whatever the tense
    ("The audit was pushed to Monday.", "2024-05-13", "2024-05-14", "day"),
    ("Our trip slipped to March.", "2025-03-01", "2025-04-01", "month"),
    ("The opening was put off until 2 May.", "2025-05-02", "2025-05-03", "day"),
    ("I have a driving test on Friday.", "2024-05-10", "2024-05-11", "day"),
    ("We open the shop on Monday.", "2024-05-13", "2024-05-14", "day"),
    ("The bridge will be closed 24-26 May.", "2024-05-24", "2024-05-27", "day"),
    ("The essay is due on Sunday.", "2024-05-12", "2024-05-13", "day"),
    ("The essay was due on Sunday.", "2024-05-05", "2024-05-06", "day"),
    ("They promised to call on Friday.", "2024-05-10", "2024-05-11", "day"),
    ("It may snow on Sunday.", "2024-05-12", "2024-05-13", "day"),
    ("Finish it by the end of next week.", "2024-05-17", "2024-05-20", "approximate"),
    ("She is arriving Tuesday week.", "2024-05-21", "2024-05-22", "day"),
    ("I was there on Monday, 6 May.", "2024-05-06", "2024-05-07", "day"),
    # days of the month, parts of a stretch, feasts
    ("I pick up the keys on the 3rd.", "2024-06-03", "2024-06-04", "day"),
    ("We signed on the 3rd.", "2024-05-03", "2024-05-04", "day"),
    ("Rent is due at the end of the month.", "2024-05-25", "2024-06-01", "approximate"),
    ("We met in late March.", "2024-03-22", "2024-04-01", "approximate"),
    ("She retires early next year.", "2025-01-01", "2025-05-02", "approximate"),
    ("I swam a lot earlier this year.", "2024-01-01", "2024-05-09", "approximate"),
    ("We camp on the last weekend of June.", "2024-06-29", "2024-07-01", "week"),
    ("It starts on the second Monday of June.", "2024-06-10", "2024-06-11", "day"),
    ("He left on the last Friday of April 2023.", "2023-04-28", "2023-04-29", "day"),
    ("I want it done by Christmas.", "2024-12-25", "2024-12-26", "day"),
    ("We flew home for Christmas.", "2023-12-25", "2023-12-26", "day"),
    ("I ran at Easter 2022.", "2022-04-17", "2022-04-18", "day"),
    ("We grew up in the late 1990s.", "1996-01-01", "2000-01-01", "approximate"),
    # lengths
    ("A week from tomorrow I fly.", "2024-05-16", "2024-05-17", "day"),
    ("He called two weeks ago today.", "2024-04-24", "2024-04-25", "day"),
    ("It broke three weeks ago last Tuesday.", "2024-04-16", "2024-04-17", "day"),
    ("We leave in a fortnight.", "2024-05-20", "2024-05-27", "week"),
    ("Twenty-five years ago I sang.", "1999-01-01", "2000-01-01", "year"),
    ("I quit half a year ago.", "2023-10-03", "2023-12-15", "approximate"),
    ("About ten days ago it hailed.", "2024-04-26", "2024-05-01", "approximate"),
    ("He left two or three weeks ago.", "2024-04-17", "2024-04-25", "approximate"),
    ("We are moving in the next two weeks.", "2024-05-08", "2024-05-23", "approximate"),
    # ranges
    ("The fair runs from 3 to 10 October.", "2024-10-03", "2024-10-11", "day"),
    ("It rained between June 3rd and June 5th 2021.", "2021-06-03", "2021-06-06", "day"),
    ("We stayed from 28 December to 3 January.", "2023-12-28", "2024-01-04", "day"),
    ("I was ill from Monday to Tuesday.", "2024-05-06", "2024-05-08", "day"),
    ("I studied there from 2015 to 2019.", "2015-01-01", "2020-01-01", "year"),
    # other languages
    ("La visite est repoussée à lundi.", "2024-05-13", "2024-05-14", "day"),
    ("Nous étions là du 28 avril au 2 mai.", "2024-04-28", "2024-05-03", "day"),
    ("Je pars fin juin.", "2024-06-24", "2024-07-01", "approximate"),
    ("Ho visto Marco sabato sera.", "2024-05-04", "2024-05-05", "day"),
    ("A fine mese parto.", "2024-05-25", "2024-06-01", "approximate"),
    ("Hace un año y medio que lo vi.", "2022-07-22", "2023-02-26", "approximate"),
    ("El jueves tengo cita.", "2024-05-09", "2024-05-10", "day"),
    ("Awal tahun depan kami menikah.", "2025-01-01", "2025-04-02", "approximate"),
    ("Rapat ditunda ke hari Senin.", "2024-05-13", "2024-05-14", "day"),
    ("二十三年前我们搬到这里。", "2001-01-01", "2002-01-01", "year"),
    ("下下周二考试。", "2024-05-21", "2024-05-22", "day"),
    ("会议改到周五。", "2024-05-10", "2024-05-11", "day"),
    ("去年八月二号我们结婚。", "2023-08-02", "2023-08-03", "day"),
    ("この前の日曜日に山に登った。", "2024-05-05", "2024-05-06", "day"),
    ("木曜日に歯医者に行きました。", "2024-05-02", "2024-05-03", "day"),
    ("再来週の月曜日に始まる。", "2024-05-20", "2024-05-21", "day"),
    ("열흘 전에 다쳤어요.", "2024-04-28", "2024-04-29", "day"),
    ("시험이 금요일로 미뤄졌어요.", "2024-05-10", "2024-05-11", "day"),
    ("월요일에 시작했어요.", "2024-05-06", "2024-05-07", "day"),
]


@pytest.mark.parametrize(("text", "start", "end", "precision"), DATED)
def test_an_expression_is_read_against_the_day_of_its_message(text: str, start: str, end: str, precision: str) -> None:
    spans = when.find(text, anchor=ANCHOR)

    assert [(start, end, precision)] == [(f"{s.start:%Y-%m-%d}", f"{s.end:%Y-%m-%d}", s.precision) for s in spans]


@pytest.mark.parametrize(
    "text",
    [
        "My birthday is in May.",
        "I was born on 7 May.",
        "I run on Fridays.",
        "Every Friday I run.",
        "I may march with them.",
        "I read it in three days.",
        "It rained for the last week.",
        "We can go.",
        "Room 2019 is free.",
        "34 kilometres in two days.",
        "I lived there for three years.",
        "I have lived there for two years before coming here.",
        "I've been to Japan for two weeks.",
        "You can learn it in two weeks.",
        "I haven't been home in three years.",
        "We live on the 3rd floor.",
        "I love Christmas lights.",
        "I work from Monday to Friday.",
        "He always calls at the end of the month.",
        "J'ai lu ce livre en trois jours.",
        "Le lundi je nage.",
        "Il martedì gioco a carte.",
        "Los jueves voy al cine.",
        "Setiap Rabu aku lari.",
        "每周五我去游泳。",
        "毎週月曜日に走ります。",
        "매주 월요일에 달려요.",
        "病房五号床。",
        "我看起来年轻。",
    ],
)
def test_what_the_wording_leaves_open_is_left_out(text: str) -> None:
    assert when.find(text, anchor=ANCHOR) == []


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("I have sung since 2019.", "2019-01-01"),
        ("I've lived here for three years.", "2020-10-01"),
        ("Je nage depuis 2019.", "2019-01-01"),
        ("Vivo qui da tre anni.", "2020-10-01"),
        ("Vivo aquí desde hace tres años.", "2020-10-01"),
        ("我从2019年开始唱歌。", "2019-01-01"),
        ("2019年から歌っています。", "2019-01-01"),
        ("2019년부터 노래해요.", "2019-01-01"),
    ],
)
def test_a_time_since_when_something_holds_is_told_from_an_event(text: str, start: str) -> None:
    (span,) = when.find(text, anchor=ANCHOR)

    assert (True, start) == (span.is_since, f"{span.start:%Y-%m-%d}")


def test_what_was_moved_from_one_day_to_another_is_no_range_and_no_longer_on_the_first() -> None:
    former, day = when.find("The talk was moved from Thursday to Monday.", anchor=ANCHOR)

    assert (former.is_former, day.is_former) == (True, False)
    assert date(2024, 5, 13) == day.start.date()


def test_a_date_that_can_be_read_in_two_ways_is_known_approximately() -> None:
    (span,) = when.find("It happened on 7/5/2023.", anchor=ANCHOR)

    assert (date(2023, 5, 7), date(2023, 7, 6)) == (span.start.date(), span.end.date())
    assert span.precision == "approximate"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I ran yesterday.", "I ran on 7 May 2024."),
        ("Yesterday's run was hard.", "7 May 2024's run was hard."),
        ("Last week we moved.", "In the week of 29 April 2024 we moved."),
        ("Send it by next month.", "Send it by June 2024."),
        ("We met two weekends ago.", "We met on the weekend of 27 April 2024."),
        ("It was on May 7th, 2021.", "It was on May 7th, 2021."),
        ("We met on 7 May. It rained.", "We met on 7 May 2024. It rained."),
        ("The deadline is 12 November.", "The deadline is 12 November 2024."),
        ("Finish by the end of the month.", "Finish by the end of May 2024."),
        ("We flew home for Christmas.", "We flew home for Christmas 2023."),
        ("I've lived here for three years.", "I've lived here since around 2021."),
        ("It's open from 3 to 5 June.", "It's open from 3 June 2024 to 5 June 2024."),
        ("J'ai lu Proust il y a six mois.", "J'ai lu Proust il y a six mois (2023-11)."),
        ("昨天我买了车。", "昨天 (2024-05-07)我买了车。"),
        ("Je l'ai vue la semaine dernière.", "Je l'ai vue la semaine dernière (2024-04-29/2024-05-05)."),
    ],
)
def test_relative_times_are_written_out_and_absolute_ones_stay(text: str, expected: str) -> None:
    assert expected == when.absolute(text, anchor=ANCHOR)


def test_a_day_begins_at_midnight_of_the_time_zone_that_was_given() -> None:
    tokyo = timezone(timedelta(hours=9))
    late = datetime(2024, 5, 8, 16, tzinfo=UTC)  # already 9 May in Tokyo

    (span,) = when.find("I ran yesterday.", anchor=late, timezone=tokyo)

    assert datetime(2024, 5, 7, 15, tzinfo=UTC) == span.start
    assert when.describe(span.start, "day", timezone=tokyo) == "8 May 2024"


@pytest.mark.parametrize(
    ("precision", "expected"),
    [
        ("day", "7 May 2023"),
        (None, "7 May 2023"),
        ("month", "May 2023"),
        ("year", "2023"),
        ("week", "the week of 7 May 2023"),
        ("approximate", "around 7 May 2023"),
    ],
)
def test_a_time_is_described_no_finer_than_it_is_known(precision: None, expected: str) -> None:
    assert expected == when.describe(datetime(2023, 5, 7, tzinfo=UTC), precision)


def test_times_become_utc_at_the_edge() -> None:
    plus_two = timezone(timedelta(hours=2))
    noon = datetime(2024, 5, 8, 10, tzinfo=UTC)

    assert noon == when.to_utc(datetime(2024, 5, 8, 12, tzinfo=plus_two), timezone=None)
    assert noon == when.to_utc(datetime(2024, 5, 8, 12), timezone=plus_two)
    assert noon == when.to_utc("2024-05-08T10:00:00Z", timezone=None)
    assert datetime(2024, 5, 7, 22, tzinfo=UTC) == when.to_utc(date(2024, 5, 8), timezone=plus_two)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (datetime(2024, 5, 8, 12), "timezone="),
        (date(2024, 5, 8), "timezone="),
        ("2024-05-08", "timezone="),
        ("the eighth of May", "ISO 8601"),
        ("", "ISO 8601"),
        (17, "int"),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))), "years 1 to 9999"),
        ("9999-12-31T23:59:59-05:00", "years 1 to 9999"),
    ],
)
def test_a_time_that_cannot_be_right_is_an_input_error_that_names_the_argument(value: str, says: str) -> None:
    with pytest.raises(InputError, match=f"valid_from.*{says}"):
        when.to_utc(value, timezone=None, name="valid_from")


def test_a_reading_beyond_the_calendar_is_left_out() -> None:
    assert when.find("It was 999 years ago.", anchor=datetime(500, 1, 1, tzinfo=UTC)) == []
    assert when.find("It ends next year.", anchor=datetime(9999, 6, 1, tzinfo=UTC)) == []


@pytest.mark.parametrize("year", [1, 9999])
@pytest.mark.parametrize("hours", [-12, 14])
def test_no_time_overflows_at_the_ends_of_the_calendar(year: int, hours: int) -> None:
    there = timezone(timedelta(hours=hours))
    anchor = datetime(year, 1, 1, tzinfo=UTC) if year == 1 else datetime(year, 12, 31, 23, 59, tzinfo=UTC)
    text = "Yesterday, today, next week, last year, on Friday, in May, 31 December 9999, 1 January 1000."

    assert when.absolute(text, anchor=anchor, timezone=there)
    assert when.describe(anchor, "year", timezone=there) == str(year)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("It was built on 3 June 1789.", "1789-06-03"),
        ("He was born on 12 March 1899.", "1899-03-12"),
        ("It opens May 5, 2201.", "2201-05-05"),
        ("It was signed on 5 May 1850.", "1850-05-05"),
        ("It was signed on 1850-05-05.", "1850-05-05"),
        ("Construit le 3 juin 1789.", "1789-06-03"),
        ("1789年6月3日に建てられた。", "1789-06-03"),
    ],
)
def test_a_date_keeps_its_stated_year_whatever_the_century(text: str, day: str) -> None:
    assert [day] == [span.start.date().isoformat() for span in when.find(text, anchor=ANCHOR)]
    assert text == when.absolute(text, anchor=ANCHOR)


@pytest.mark.parametrize(
    "text",
    [
        "The prophecy names 31 December 9999.",
        "It fell on 3 May 999.",
        "It fell on May 3, 999.",
        "It fell on the 3rd of May of 999.",
        "Fondé le 3 juin 999.",
        "0999年6月3日",
        "Valid until 9999-12-31.",
    ],
)
def test_a_date_of_a_year_out_of_view_is_left_as_it_stands(text: str) -> None:
    assert when.find(text, anchor=ANCHOR) == []
    assert text == when.absolute(text, anchor=ANCHOR)
