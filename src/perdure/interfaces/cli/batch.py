"""Several conversations in one `add`: side by side where their scopes are apart, each resumed by its key."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from perdure.errors import InputError, PerdureError
from perdure.interfaces.cli import conversation
from perdure.interfaces.cli.progress import Progress
from perdure.memory import Memory
from perdure.models import OperationResult


@dataclass(frozen=True, slots=True)
class Batch:
    """What came of several adds, in their order: results, and the errors of those that raised, by file."""

    results: tuple[OperationResult, ...]
    errors: Mapping[str, PerdureError]


def add_all(memory: Memory, places: Sequence[str], options: Mapping[str, Any]) -> Batch:
    """Add each file as an operation of its own; a file's name is its run where no run is given.

    Where neither user nor agent is named, each run is an owner of its own, and `settings.llm_concurrency` files are
    added side by side.  Files of one owner go one after the other, in their order: what was said later decides.
    The key of each is its content's, so that the same command goes on where it stopped.
    """
    read = {place: conversation.read(place) for place in places}
    runs = {place: options.get("run") or _name(place) for place in places}
    if len(read) < len(places) or ("run" not in options and len(set(runs.values())) < len(places)):
        raise InputError("two files have one name, which is to be their run; rename one, or give --run for all")
    total = _Total(Progress("exchanges"))
    errors: dict[str, PerdureError] = {}

    def add(place: str) -> OperationResult | None:
        key = options.get("key", "file") + ":" + _digest(read[place])
        try:
            return memory.add(
                read[place],
                progress=lambda done, of: total.tell(place, done, of),
                **{**options, "run": runs[place], "key": key},
            )
        except PerdureError as err:
            errors[place] = err
            return None

    workers = 1 if {"user", "agent", "run"} & set(options) else memory.settings.llm_concurrency
    pool = ThreadPoolExecutor(min(workers, len(places)), thread_name_prefix="perdure-add")
    try:
        found = list(pool.map(add, places))
    finally:  # interrupted: what has begun ends with its exchange's commit, the rest does not begin
        pool.shutdown(cancel_futures=True)
    return Batch(tuple(one for one in found if one is not None), {p: errors[p] for p in places if p in errors})


@dataclass(slots=True)
class _Total:
    """The progress of all files together, as far as their lengths are known."""

    shown: Progress
    parts: dict[str, tuple[int, int]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)  # guards parts and the line on the terminal

    def tell(self, place: str, done: int, of: int) -> None:
        with self.lock:
            self.parts[place] = (done, of)
            self.shown(sum(part[0] for part in self.parts.values()), sum(part[1] for part in self.parts.values()))


def _name(place: str) -> str:
    path, id = conversation.split(place)
    return id or path.stem


def _digest(messages: Sequence[Mapping[str, Any]]) -> str:
    return hashlib.sha256(json.dumps(messages, sort_keys=True, default=str).encode()).hexdigest()[:32]
