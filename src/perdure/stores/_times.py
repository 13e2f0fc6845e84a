"""Times as the stores keep them: whole microseconds since 1970, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final, overload

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)


@overload
def microseconds(at: datetime) -> int: ...
@overload
def microseconds(at: datetime | None) -> int | None: ...
def microseconds(at: datetime | None) -> int | None:
    """Return a time as an integer, exact; None stays None.

    >>> microseconds(datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC))
    1000005
    """
    return None if at is None else (at - EPOCH) // MICROSECOND


@overload
def instant(us: int) -> datetime: ...
@overload
def instant(us: int | None) -> datetime | None: ...
def instant(us: int | None) -> datetime | None:
    """Return the time of an integer; None stays None."""
    return None if us is None else EPOCH + timedelta(microseconds=us)


def tick(now: datetime, last: datetime | None) -> datetime:
    """Return the partition's next recorded_at: now, or just after the last one where the clock has not moved on."""
    return now if last is None or now > last else last + MICROSECOND
