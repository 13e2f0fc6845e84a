"""What a caller asks for, checked: which rows, and which question to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, TypedDict, Unpack

from perdure import checks
from perdure.models import Include, Scope, Selection, Validity
from perdure.read.query import Query
from perdure.settings import Settings
from perdure.when import to_utc
from perdure.where import parse


class Wanted(TypedDict, total=False):
    """Which rows of a scope are wanted: by filter, validity and the two times; as the verbs take them."""

    where: Mapping[str, Any] | None
    validity: Validity
    as_of: datetime | str | None
    known_at: datetime | str | None


def selection(scope: Scope, now: datetime, timezone: tzinfo | None, **wanted: Unpack[Wanted]) -> Selection:
    """Return the checked selection; `known_at` alone implies the same `as_of` (design section 2).

    Raises InputError.
    """
    known, held = (_time(wanted.get(name), name, timezone) for name in ("known_at", "as_of"))
    where = wanted.get("where")
    return Selection(
        scope,
        now,
        where=None if where is None else parse(where, timezone=timezone),
        validity=checks.choice(wanted.get("validity", "current"), "validity", ("current", "ended", "all")),
        as_of=held or known,
        known_at=known,
    )


def query(
    text: str,
    selection: Selection,
    settings: Settings,
    *,
    k: int,
    include: Sequence[Include],
    threshold: float | None,
    diversity: float = 0.0,
    explain: bool = False,
) -> Query:
    """Return the checked question to these rows.  Raises InputError."""
    return Query(
        text=checks.text(text, "query", settings.max_message_chars),
        k=checks.k(k),
        include=checks.include(include),
        selection=selection,
        threshold=checks.probability(threshold, "threshold"),
        diversity=checks.probability(diversity, "diversity") or 0.0,
        explain=explain,
    )


def _time(value: Any, name: str, timezone: tzinfo | None) -> datetime | None:
    return None if value is None else to_utc(value, timezone=timezone, name=name)
