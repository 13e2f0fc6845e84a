"""A date as a model writes it: "2023", "2023-05", "2023-05-07" or a moment, as an interval of that precision."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from perdure.models import Precision

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Moment:
    """What a written date covers, in UTC, half open; a time of day covers its minute."""

    start: datetime
    end: datetime
    precision: Precision


def read_moment(said: str, *, timezone: tzinfo = UTC) -> Moment | None:
    """Return the interval that a written date covers in this time zone, or None if it is none.

    >>> read_moment("2023-05").end
    datetime.datetime(2023, 6, 1, 0, 0, tzinfo=datetime.timezone.utc)
    >>> read_moment("last spring") is None
    True
    """
    match = _DATE.fullmatch(said.strip())
    try:
        if match is None:
            moment = datetime.fromisoformat(said.strip())
            aware = moment if moment.tzinfo else moment.replace(tzinfo=timezone)
            return Moment(aware.astimezone(UTC), aware.astimezone(UTC) + timedelta(minutes=1), "day")
        start = datetime(int(match[1]), int(match[2] or 1), int(match[3] or 1), tzinfo=timezone)
        end, precision = _end(start, has_month=bool(match[2]), has_day=bool(match[3]))
        return Moment(start.astimezone(UTC), end.astimezone(UTC), precision)
    except (ValueError, OverflowError):
        return None


def _end(start: datetime, *, has_month: bool, has_day: bool) -> tuple[datetime, Precision]:
    if has_day:
        return start + timedelta(days=1), "day"
    if has_month:
        return start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1), "month"
    return start.replace(year=start.year + 1), "year"
