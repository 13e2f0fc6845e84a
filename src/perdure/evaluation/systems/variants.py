"""Variants of perdure by name: `perdure+floor=0.3+k=20` is perdure with two numbers changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, get_args

from perdure.errors import InputError, SettingsError
from perdure.models import GraphMode, Include
from perdure.settings import Settings

OWN = ("perdure", "all-memories")  # how the names begin of systems that have settings
BESIDE = (
    "k",
    "budget_tokens",
    "embedder",
    "graph",
    "include",
    "decider",
)  # what is no setting of a memory, and can be varied too
_FIXED = ("llm", "store", "jobs", "origin", "remembered_completions")  # what a run needs to stay as it is


@dataclass(frozen=True, slots=True)
class Variant:
    """A system's own name, and what is changed: settings, and what stands in `BESIDE`."""

    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    k: int | None = None
    budget_tokens: int | None = None
    has_embedder: bool = True
    graph: GraphMode | None = None
    include: tuple[Include, ...] = ()
    decider: str | None = None  # the model that decides


def parse(name: str) -> Variant:
    """Return the parts of a name.  Raises InputError where it changes what cannot be changed.

    >>> found = parse("perdure+floor=0.3+k=20+include=memories/relations")
    >>> found.name, found.settings, found.k, found.include
    ('perdure', {'floor': 0.3}, 20, ('memories', 'relations'))
    """
    system, *changes = name.split("+")
    if changes and not system.startswith(OWN):
        raise InputError(f"{system} has no settings to vary; only perdure's own systems have, not {name!r}")
    settings: dict[str, Any] = {}
    beside: dict[str, Any] = {}
    for change in changes:
        key, _, text = change.partition("=")
        value = _value(text)
        if key in ("k", "budget_tokens") and isinstance(value, int) and value > 0:
            beside[key] = value
        elif key == "embedder" and text == "none":
            beside["has_embedder"] = False
        elif key == "graph" and text in get_args(GraphMode):
            beside["graph"] = text
        elif key == "include" and text and set(text.split("/")) <= set(get_args(Include)):
            beside["include"] = tuple(one for one in get_args(Include) if one in text.split("/"))
        elif key == "decider" and text:
            beside["decider"] = text
        elif key in {one.name for one in fields(Settings)}.difference(_FIXED, BESIDE):
            settings[key] = value
        else:
            raise InputError(
                f"{change!r} in {name!r} cannot be varied; expected a setting and its value, such as floor=0.3, "
                "or k=20, budget_tokens=1000, embedder=none, graph=off, include=memories/relations"
            )
    try:
        Settings(**settings)
    except SettingsError as err:
        raise InputError(f"{name!r}: {err}") from err
    return Variant(system, settings, **beside)


def varied(names: Sequence[str], studies: Sequence[str]) -> list[str]:
    """Return the names, and behind each of perdure's own its variants, one number changed at a time.

    A study is "name=value,value,..."; several are not crossed.  Raises InputError on another form.

    >>> varied(["perdure", "none"], ["k=5,20"])
    ['perdure', 'perdure+k=5', 'perdure+k=20', 'none']
    """
    found: list[str] = []
    for name in names:
        found.append(name)
        for study in studies:
            key, sign, values = study.partition("=")
            if not sign or not values.strip(","):
                raise InputError(f"{study!r} is not of the form name=value,value,...")
            if name.startswith(OWN):
                found.extend(f"{name}+{key}={value.strip()}" for value in values.split(",") if value.strip())
    return list(dict.fromkeys(found))


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
