"""What calls of a language model cost, by a table of public prices."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perdure.errors import SettingsError
from perdure.models import Usage

_DATED = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|\d{3}|latest)$")  # gpt-4o-2024-08-06 costs what gpt-4o does


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    prompt: float
    completion: float


def prices(file: str | None = None) -> dict[str, Price]:
    """Return the packaged prices by model, and over them those of a file of the same form.

    Raises SettingsError where the file cannot be read or is of another form.
    """
    packaged = Path(__file__).with_name("prices.toml").read_text("utf-8")
    found = _parse(packaged, "prices.toml")
    if file is None:
        return found
    try:
        own = Path(file).expanduser().read_text("utf-8")
    except (OSError, UnicodeDecodeError) as err:
        raise SettingsError(f"cannot read the prices {file}: {err}; check the setting 'prices'") from err
    return {**found, **_parse(own, file)}


def usage_cost(usage: Usage, model: str, table: Mapping[str, Price]) -> float | None:
    """Return what a model's tokens cost in US dollars; None where its price is not known.

    A vendor before the name ("openai/gpt-4o") and a date after it make no difference.

    >>> usage_cost(Usage(1, 2_000_000, 500_000), "x/m-2024-07-18", {"m": Price(0.15, 0.6)})
    0.6
    """
    name = model.rpartition("/")[2]
    price = table.get(model) or table.get(name) or table.get(_DATED.sub("", name))
    if price is None:
        return None
    return (usage.prompt_tokens * price.prompt + usage.completion_tokens * price.completion) / 1e6


def total_cost(spent: Mapping[str, Usage], table: Mapping[str, Price]) -> float | None:
    """Return what several models' tokens cost together; None if the price of any is not known."""
    costs = [usage_cost(usage, model, table) for model, usage in sorted(spent.items())]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _parse(text: str, name: str) -> dict[str, Price]:
    try:
        rows: dict[str, Any] = tomllib.loads(text)
        return {model: Price(_amount(row["prompt"]), _amount(row["completion"])) for model, row in rows.items()}
    except (ValueError, TypeError, KeyError) as err:
        raise SettingsError(
            f"the prices {name} must be TOML with a table per model that holds `prompt` and `completion`, US "
            f"dollars per million tokens: {err}"
        ) from err


def _amount(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e6:
        raise ValueError(f"{value!r} is no price")
    return float(value)
