"""Times: the edge check, relative expressions made absolute, intervals with a precision.  Pure."""

from __future__ import annotations

from perdure.when.edge import describe, local, to_utc, zone
from perdure.when.resolve import Span, absolute, find
from perdure.when.tense import LONGEST

__all__ = ["LONGEST", "Span", "absolute", "describe", "find", "local", "to_utc", "zone"]
