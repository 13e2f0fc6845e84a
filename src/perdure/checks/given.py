"""The check of facts that are given as such, to be settled without extraction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import get_args

from perdure.checks.arguments import choice, known_keys, moment, text, type_name
from perdure.checks.documents import metadata
from perdure.errors import InputError
from perdure.models import Candidate, Kind, Precision

KINDS: tuple[Kind, ...] = get_args(Kind)
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
KEYS = (
    "text", "kind", "valid_from", "valid_to", "event_from", "event_to", "time_precision", "metadata", "categories",
    "attributed_to", "entities", "at",
)  # fmt: skip
MAX_LABEL_CHARS = 256  # of a category, an entity, a name; chosen, as for ids


def facts(
    value: object, *, at: datetime, timezone: tzinfo | None, max_chars: int, default_kind: Kind = "fact"
) -> list[Candidate]:
    """Return given facts as candidates of origin "manual", in order; each is its own quote.

    A fact is a text or a mapping with KEYS.  Without `valid_from` it is valid from its own time, `at`, unless
    `valid_to` lies before that: then its beginning is unknown, as it is where valid_from is None.
    Raises InputError, naming the fact, on anything else, an interval that ends before it begins included.
    """
    if isinstance(value, str | Mapping):
        value = [value]
    if not isinstance(value, list | tuple):
        raise InputError(f"facts must be a list of texts or mappings, not {type_name(value)}")
    if not value:
        raise InputError("facts is empty; give at least one fact")
    return [_fact(item, f"facts[{number}]", at, timezone, max_chars, default_kind) for number, item in enumerate(value)]


def _fact(
    item: object, name: str, at: datetime, timezone: tzinfo | None, max_chars: int, default_kind: Kind
) -> Candidate:
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, Mapping):
        raise InputError(f"{name} must be a text or a mapping, not {type_name(item)}")
    known_keys(item, name, KEYS)
    if "text" not in item:
        raise InputError(f"{name} has no text; every fact needs one")

    def time(key: str) -> datetime | None:
        return moment(item.get(key), timezone=timezone, name=f"{name}.{key}")

    said = text(item["text"], f"{name}.text", max_chars)
    told = time("at") or at
    valid_from, valid_to = time("valid_from"), time("valid_to")
    if "valid_from" not in item and (valid_to is None or told < valid_to):
        valid_from = told
    event_from, event_to = time("event_from"), time("event_to")
    _in_order(valid_from, valid_to, name, "valid")
    _in_order(event_from, event_to, name, "event")
    kind, precision, speaker = item.get("kind"), item.get("time_precision"), item.get("attributed_to")
    return Candidate(
        text=said,
        at=told,
        attributed_to=None if speaker is None else text(speaker, f"{name}.attributed_to", MAX_LABEL_CHARS),
        origin="manual",
        kind=default_kind if kind is None else choice(kind, f"{name}.kind", KINDS),
        quote=said,
        event_from=event_from,
        event_to=event_to,
        time_precision=None if precision is None else choice(precision, f"{name}.time_precision", PRECISIONS),
        valid_from=valid_from,
        valid_to=valid_to,
        entities=_labels(item.get("entities"), f"{name}.entities"),
        categories=_labels(item.get("categories"), f"{name}.categories"),
        metadata=metadata(item.get("metadata"), name=f"{name}.metadata"),
    )


def _in_order(start: datetime | None, end: datetime | None, name: str, which: str) -> None:
    if start is not None and end is not None and end <= start:
        raise InputError(f"{name}.{which}_to is not after {which}_from; swap them, or leave out the one not known")


def _labels(value: object, name: str) -> tuple[str, ...]:
    """Return labels in order, each once."""
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise InputError(f"{name} must be a list of texts, not {type_name(value)}")
    checked = [text(item, f"{name}[{number}]", MAX_LABEL_CHARS) for number, item in enumerate(value)]
    return tuple(dict.fromkeys(checked))
