"""The machine's own clock and id source."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime


class SystemClock:
    """The system's clock."""

    def now(self) -> datetime:
        """Return the present, aware, UTC, with microseconds."""
        return datetime.now(UTC)


class RandomIds:
    """Random ids (uuid4)."""

    def new(self) -> str:
        """Return a new uuid4 as 36 characters."""
        return str(uuid.uuid4())
