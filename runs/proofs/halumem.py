"""HaluMem's preference changes (Chen et al. 2025), decided from the labels: what the store holds before and after.

A seed is a persona; each change is a week after the one before.  Of a change of one point to another, the new one is
current, the old one holds as of the day before, and the history has both.  Of a deletion, the point is not current, and
held the day before.  Undone, everything is as before; redone, as after.  Only ids are reported, never the text.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.conversation import decision, decisions, fact, facts, shown_numbers

from perdure import Memory
from perdure.evaluation.datasets.locomo import data_folder
from perdure.models import MemoryRecord, Prompt
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder, ScriptedLLM
from perdure.write.undo import content

COUNT = 20
BATCH = 1
START = datetime(2025, 1, 1, 12, tzinfo=UTC)
WEEK, DAY = timedelta(days=7), timedelta(days=1)
ALIKE = {"floor": -1.0, "top_s": 1000, "jobs": "manual"}  # every memory is shown: the labels decide

_done: Counter[str] = Counter()


def check(seed: int) -> str | None:
    """Return what is wrong with a persona's changes."""
    with tempfile.TemporaryDirectory() as folder:
        return _Persona(_rows()[seed], Path(folder)).run()


def measured() -> dict[str, int]:
    """Return how many changes of each direction held, in this process."""
    return dict(_done)


@lru_cache(maxsize=1)
def _rows() -> list[dict[str, Any]]:
    path = data_folder() / "other" / "halumem_stage3_2_preference_events.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _text(about: str, point: dict[str, str]) -> str:
    return f"{about}: {point['type']}: {point['specific_item']}: {point['reason']}"


@dataclass
class _Persona:
    row: dict[str, Any]
    folder: Path
    held: dict[tuple[str, int], str] = field(default_factory=dict)  # (preference, index) → what is current there
    target: str | None = None  # what the label says the present fact retires
    said: dict[str, Any] = field(default_factory=dict)

    def run(self) -> str | None:
        self.clock = FixedClock(START)
        llm = ScriptedLLM(self._reply)
        options: dict[str, Any] = {"embedder": HashEmbedder(), "clock": self.clock, "ids": CountingIds()}
        with Memory(self.folder / "m.db", llm=llm, settings=ALIKE, **options) as memory:
            for about, preference in self.row["profile"]["preferences"].items():
                for index, point in enumerate(preference["init"]["memory_points"]):
                    self.held[about, index] = _text(about, point)
                    self._say(memory, _text(about, point), target=None)
            for event in sorted(self.row["event_list"], key=lambda event: int(event["event_id"])):
                wrong = self._event(memory, event)
                if wrong is not None:
                    return f"persona {self.row['uuid']}, event {event['event_id']}: {wrong}"
                _done[event["update_direction"]] += 1
        return None

    def _reply(self, prompt: Prompt) -> Any:
        if prompt.name == "extract":
            return facts(self.said)
        shown = shown_numbers(prompt)
        ended, same = shown.get(self.target or ""), shown.get(self.said["text"])
        listed = [] if ended is None else [decision("DELETE", ended, effect="change")]
        if same is not None and same != ended:  # one point may stand at two places of a list
            listed.append(decision("NOOP", same))
        return decisions(*listed or [decision("ADD")])

    def _say(self, memory: Memory, text: str, *, target: str | None, ends: bool = False) -> str:
        self.target, self.said = target, fact(text, quote="", ends=ends)
        self.clock.move(timedelta(minutes=1))
        return memory.add(text, user="p").operation_id

    def _event(self, memory: Memory, event: dict[str, Any]) -> str | None:
        about, index = event["type_to_update"], event["changed_index"]
        old = _text(about, event["before_preference"]["memory_points"][0])
        new = _text(about, event["after_preference"]["memory_points"][0])
        self.clock.move(WEEK)
        current = {record.text for record in memory.list(user="p", limit=1000).items}
        if self.held.get((about, index)) != old or old not in current:  # the labels are at odds: say what it changes
            _done["restated"] += 1
            self._say(memory, old, target=self.held.get((about, index)))
            self.clock.move(WEEK)
        day_before = self.clock.now() - DAY
        before = _contents(memory)
        is_delete = event["update_direction"] == "Delete"
        operation = self._say(memory, f"not any more: {old}" if is_delete else new, target=old, ends=is_delete)
        after = _contents(memory)
        wrong = self._law(memory, old, None if is_delete else new, day_before)
        undone = memory.undo(operation).operation_id
        if _contents(memory) != before:
            return "undo did not restore what was held"
        memory.undo(undone)
        if _contents(memory) != after:
            return "undoing the undo did not restore the change"
        self.held[about, index] = "" if is_delete else new
        return wrong or self._law(memory, old, None if is_delete else new, day_before)

    @staticmethod
    def _law(memory: Memory, old: str, new: str | None, day_before: datetime) -> str | None:
        current = {record.text: record for record in memory.list(user="p", limit=1000).items}
        as_of = {record.text for record in memory.list(user="p", limit=1000, as_of=day_before).items}
        if old in current:
            return "the old point is still current"
        if old not in as_of:
            return "the old point did not hold the day before"
        if new is None:
            ended = [r for r in memory.list(user="p", limit=1000, validity="ended").items if r.text == old]
            return None if ended and memory.history(ended[-1].id) else "the deleted point has no history"
        if new not in current:
            return "the new point is not current"
        lineage = [entry.memory.text for entry in memory.history(current[new].id, lineage=True)]
        return None if old in lineage and new in lineage else "the history lacks one of the two"


def _contents(memory: Memory) -> list[MemoryRecord]:
    return sorted((content(r) for r in memory.list(user="p", limit=1000, validity="all").items), key=lambda r: r.id)
