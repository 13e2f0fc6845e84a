"""The edge check of times, and how a time is written for a reader."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from perdure.errors import InputError, SettingsError
from perdure.models import Precision

MONTHS = (
    "January February March April May June July August September October November December"
).split()  # fmt: skip


def zone(value: str | tzinfo | None) -> tzinfo | None:
    """Return a time zone by its IANA name; None and a tzinfo as they are.  Raises SettingsError on an unknown name."""
    if value is None or isinstance(value, tzinfo):
        return value
    try:
        return ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError) as err:
        said = ascii(value[:60]) if isinstance(value, str) else type(value).__name__
        raise SettingsError(
            f"unknown time zone {said}; give an IANA name such as Europe/Paris, or a tzinfo "
            "(on a system without a time zone database, install tzdata)"
        ) from err


def to_utc(value: datetime | date | str, *, timezone: tzinfo | None, name: str = "at") -> datetime:
    """Return a time as aware UTC; a date is the start of its day, text is ISO 8601.

    Raises InputError, naming the argument and the remedy, on a naive time without a `timezone`, on text that is not
    ISO 8601, on another type, and on a time that UTC cannot write (years 1 to 9999).

    >>> to_utc("2023-05-07T09:30+02:00", timezone=None)
    datetime.datetime(2023, 5, 7, 7, 30, tzinfo=datetime.timezone.utc)
    """
    moment = _moment(value, name)
    if moment.utcoffset() is None:
        if timezone is None:
            raise InputError(
                f"{name} is a time without a time zone; give an aware datetime or an offset such as +00:00, "
                "or open the memory with timezone=... (--timezone, PERDURE_TIMEZONE)"
            )
        moment = moment.replace(tzinfo=timezone)
    try:
        return moment.astimezone(UTC)
    except OverflowError as err:
        raise InputError(f"{name} falls outside the years 1 to 9999 in UTC; give a time within them") from err


def _moment(value: object, name: str) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    if not isinstance(value, str):
        raise InputError(
            f"{name} is {type(value).__name__}; give a datetime, a date or ISO 8601 text such as 2023-05-07T09:30:00Z"
        )
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError as err:
        raise InputError(f"{name} is not a time in ISO 8601; write it as 2023-05-07T09:30:00+02:00") from err


def local(moment: datetime, timezone: tzinfo) -> datetime:
    """Return a time as the clocks of `timezone` show it; at the ends of the calendar, with its digits as they are."""
    try:
        return moment.astimezone(timezone)
    except OverflowError:
        return moment.replace(tzinfo=timezone)


def describe(moment: datetime, precision: Precision | None, *, timezone: tzinfo = UTC) -> str:
    """Return a time as a reader would write it, no finer than it is known.

    >>> describe(datetime(2023, 5, 7, tzinfo=UTC), "day"), describe(datetime(2023, 5, 7, tzinfo=UTC), "month")
    ('7 May 2023', 'May 2023')
    """
    day = local(moment, timezone).date()
    match precision:
        case "year":
            return str(day.year)
        case "month":
            return month_name(day)
        case "week":
            return f"the week of {day_name(day)}"
        case "approximate":
            return f"around {day_name(day)}"
        case _:
            return day_name(day)


def day_name(day: date) -> str:
    """Return "7 May 2023"."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def month_name(day: date) -> str:
    """Return "May 2023"."""
    return f"{MONTHS[day.month - 1]} {day.year}"
