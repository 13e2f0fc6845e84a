"""Times: the edge check, relative expressions made absolute, intervals with a precision.  Pure."""

from __future__ import annotations

from perdure.when.edge import describe, to_utc

__all__ = ["describe", "to_utc"]
