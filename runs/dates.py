"""Dates in words: the share read right, by language, beside two well-known libraries.

    python runs/dates.py [written|held_out]

Each line of `runs/dates/*.jsonl` is a sentence, the time of its message, and the days [from, to) that it names with
the precision (all null: it names none).  Two counts:

* exact: one reading, with that precision and that interval; of an approximate one, each interval holds the other's
  middle.  A library's interval is the calendar unit of the precision that it gives, around its point.
* within: the first reading begins within the expected interval, whatever its precision.

`dateparser` and `parsedatetime` are measured where they are installed; neither is a dependency.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from perdure import when

FILES = Path(__file__).resolve().parent / "dates"
LANGUAGES = ("en", "zh", "ja", "ko", "fr", "it", "id", "es")
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Reading:
    """Days [first, last) and how finely they are known."""

    first: date
    last: date
    precision: str


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence, and what it names."""

    language: str
    text: str
    at: datetime
    expected: Reading | None


Reader = Callable[[Row], Sequence[Reading]]


def rows(name: str) -> list[Row]:
    """Return the sentences of a file."""
    return [_row(json.loads(line)) for line in (FILES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def _row(line: dict[str, str]) -> Row:
    expected = None
    if line["from"]:
        expected = Reading(date.fromisoformat(line["from"]), date.fromisoformat(line["to"]), line["precision"])
    return Row(line["language"], line["text"], datetime.fromisoformat(line["at"]), expected)


def is_exact(expected: Reading | None, readings: Sequence[Reading]) -> bool:
    """True if what was read is what is meant, and nothing else was read."""
    if expected is None or len(readings) != 1:
        return expected is None and not readings
    (got,) = readings
    if got.precision != expected.precision:
        return False
    if expected.precision == "approximate":
        return _holds(expected, _middle(got)) and _holds(got, _middle(expected))
    return (got.first, got.last) == (expected.first, expected.last)


def is_within(expected: Reading | None, readings: Sequence[Reading]) -> bool:
    """True if the first reading begins within what is meant."""
    if expected is None or not readings:
        return expected is None and not readings
    return _holds(expected, readings[0].first)


def _middle(reading: Reading) -> date:
    return reading.first + (reading.last - reading.first) // 2


def _holds(reading: Reading, day: date) -> bool:
    return reading.first <= day < reading.last


def perdure(row: Row) -> list[Reading]:
    """Read with perdure."""
    spans = when.find(row.text, anchor=row.at, timezone=UTC)
    return [Reading(s.start.date(), s.end.date(), s.precision or "") for s in spans]


def _unit(point: date, precision: str) -> Reading:
    """Return the calendar unit that holds a library's point."""
    first, last = point, point + DAY
    if precision == "week":
        first = point - point.weekday() * DAY
        last = first + 7 * DAY
    elif precision == "month":
        first = point.replace(day=1)
        last = (first + 32 * DAY).replace(day=1)
    elif precision == "year":
        first, last = date(point.year, 1, 1), date(point.year + 1, 1, 1)
    return Reading(first, last, precision)


def dateparser_reader() -> Reader:
    """Return a reader with `dateparser`, told the language; its precision is that of the words that it found."""
    from dateparser.date import DateDataParser
    from dateparser.search import search_dates

    def read(row: Row) -> list[Reading]:
        base = row.at.replace(tzinfo=None)
        settings = {"RELATIVE_BASE": base}
        found = search_dates(row.text, languages=[row.language], settings=settings) or []
        readings = []
        for words, point in found:
            period = DateDataParser(languages=[row.language], settings=settings).get_date_data(words).period
            readings.append(_unit(point.date(), "day" if period == "time" else period))
        return readings

    return read


def parsedatetime_reader() -> Reader:
    """Return a reader with `parsedatetime`, which has words for English, French and Spanish among these languages."""
    import parsedatetime

    locales = {"en": "en_US", "fr": "fr_FR", "es": "es"}

    def read(row: Row) -> list[Reading]:
        constants = parsedatetime.Constants(locales.get(row.language, "en_US"), usePyICU=False)
        calendar = parsedatetime.Calendar(constants, version=parsedatetime.VERSION_CONTEXT_STYLE)
        readings = []
        for point, context, *_ in calendar.nlp(row.text, sourceTime=row.at.replace(tzinfo=None)) or ():
            readings.append(_unit(point.date(), _finest(context)))
        return readings

    def _finest(context: parsedatetime.pdtContext) -> str:
        for unit in ("day", "week", "month", "year"):
            if getattr(context, f"ACU_{unit.upper()}") & context.accuracy:
                return unit
        return "day"

    return read


def report(name: str, read: Reader, sentences: Sequence[Row]) -> None:
    """Print one line of a Markdown table: exact / within, in per cent, overall and by language."""
    cells = []
    for language in ("", *LANGUAGES):
        part = [row for row in sentences if row.language == language or not language]
        exact = sum(is_exact(row.expected, read(row)) for row in part)
        within = sum(is_within(row.expected, read(row)) for row in part)
        cells.append(f"{100 * exact / len(part):.0f} / {100 * within / len(part):.0f}")
    print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    """Report on the file that is named, the 120 written ones by default; with --wrong, list what perdure misreads."""
    names = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    sentences = rows(names[0] if names else "written")
    print(f"| exact / within, % of {len(sentences)} | all | {' | '.join(LANGUAGES)} |")
    print(f"|{' --- |' * (len(LANGUAGES) + 2)}")
    report("perdure", perdure, sentences)
    for library, reader in (("dateparser", dateparser_reader), ("parsedatetime", parsedatetime_reader)):
        if importlib.util.find_spec(library) is None:
            print(f"{library} is not installed: skipped")
        else:
            report(library, reader(), sentences)
    if "--wrong" in sys.argv:
        for row in sentences:
            if not is_exact(row.expected, perdure(row)):
                print(row.text, row.at.date(), row.expected, perdure(row))


if __name__ == "__main__":
    main()
