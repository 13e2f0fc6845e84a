"""Conversations with questions, read from files that are not part of perdure: one loader each, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perdure.errors import InputError
from perdure.evaluation.conversation import Category, Conversation
from perdure.evaluation.datasets import beam, halumem, locomo, longmemeval, memdaily, own, personamem, prefeval


@dataclass(frozen=True, slots=True)
class DataSet:
    """A set: how it is loaded, and how its categories are called in print."""

    load: Callable[..., list[Conversation]]
    source: str
    names: Mapping[int, tuple[str, str]] | None = None  # of integer categories: the authors', the Mem0 paper's

    def category(self, category: Category) -> str:
        """Return a category for readers: an integer with both its names, else the name itself."""
        if self.names is None or not isinstance(category, int):
            return str(category)
        own_name, paper = self.names[category]
        return f"{category} {own_name}" + ("" if own_name == paper else f' (Mem0 paper: "{paper}")')


DATASETS: Mapping[str, DataSet] = {
    "locomo": DataSet(locomo.load, locomo.SOURCE, locomo.NAMES),
    "longmemeval": DataSet(longmemeval.load, longmemeval.SOURCE),
    "beam": DataSet(beam.load, beam.SOURCE),
    "halumem": DataSet(halumem.load, halumem.SOURCE),
    "personamem": DataSet(personamem.load, personamem.SOURCE),
    "prefeval": DataSet(prefeval.load, prefeval.SOURCE),
    "memdaily": DataSet(memdaily.load, memdaily.SOURCE),
    "own": DataSet(own.load, own.SOURCE),
}


def load(
    name: str, path: str | Path | None = None, *, only: str | None = None, key: locomo.Key = "raw"
) -> list[Conversation]:
    """Return the conversations of a set by its name; see the loaders.  `key` is LoCoMo's.

    Raises InputError on an unknown name, a key that the set does not have, an unknown conversation, a missing file.
    """
    if name not in DATASETS:
        raise InputError(f"unknown data set {name!r}; expected one of {', '.join(DATASETS)}")
    options: dict[str, Any] = {"only": only}
    if name == "locomo":
        options["key"] = key
    elif key != "raw":
        raise InputError(f"{name} has no {key} key; only locomo's answers were audited")
    found = DATASETS[name].load(path, **options)
    if not found:
        raise InputError(f"{name} has no conversation {only!r}" if only else f"{name} has no conversations")
    return found
