"""HaluMem's preference changes: is the old memory among those that a new one is settled against?

    python runs/halumem_floor.py

A persona's memory holds its initial preference points, kept up to date change by change.  Of each change of one point
to another, the new point is the candidate: the share of changes whose old point is among the top s = 10 of the whole
persona (by the order of `write.similar`), and whose old point passes the floor.  Ids and numbers only.
"""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime

import numpy as np

from perdure.evaluation.datasets.locomo import data_folder
from perdure.models import Candidate, MemoryRecord, Role
from perdure.ports import Ports
from perdure.providers.fakes import CountingIds, FixedClock
from perdure.providers.local import MiniLM
from perdure.settings import Settings
from perdure.stores.in_memory import InMemoryStore
from perdure.write.similar import compare, top

AT = datetime(2025, 1, 1, tzinfo=UTC)
SETTINGS = Settings()


def short(point):
    return f"The user {point['type']}s {point['specific_item']}."


def long(point):
    return f"{short(point)} {point['reason']}"


def record(id, text):
    return MemoryRecord(
        id, text, 1, "u", None, None, "preference", {}, (), "user", "user", None, None, None, AT, None, AT, None, None,
        AT, AT, (), (), (), None, 0,
    )  # fmt: skip


def changes(persona, form):
    """Yield (current texts, old text, new text) of each change that replaces a point; the memory moves along."""
    held = {
        (about, number): form(point)
        for about, preference in persona["profile"]["preferences"].items()
        for number, point in enumerate(preference["init"]["memory_points"])
    }
    for event in sorted(persona["event_list"], key=lambda event: int(event["event_id"])):
        place = (event["type_to_update"], event["changed_index"])
        old, new = (form(event[name]["memory_points"][0]) for name in ("before_preference", "after_preference"))
        held[place] = old
        if event["update_direction"] == "Modify":
            yield list(dict.fromkeys(held.values())), old, new
            held[place] = new
        else:
            held.pop(place)


def main() -> None:
    with gzip.open(data_folder() / "other" / "halumem_stage3_2_preference_events.jsonl.gz", "rt") as lines:
        personas = [json.loads(line) for line in lines]
    clock = FixedClock(AT)
    ports = Ports(InMemoryStore(clock=clock), clock, CountingIds(), embedder=MiniLM())
    known: dict[str, np.ndarray] = {}

    def vectors(texts):
        for text in texts:
            if text not in known:
                known[text] = ports.embedder.embed([text], Role.DOCUMENT)[0]
        return np.stack([known[text] for text in texts])

    for form in (short, long):
        found = passed = total = held = 0
        ranks: list[int] = []
        for persona in personas:
            for current, old, new in changes(persona, form):
                candidate = Candidate(new, AT, attributed_to="user", kind="preference")
                cosines = vectors(current) @ vectors([new])[0]
                near = [
                    compare(candidate, record(text, text), float(cosine))
                    for text, cosine in zip(current, cosines, strict=True)
                ]
                total += 1
                held += len(current)
                shown = [one.memory.text for one in top(candidate, near, ports, SETTINGS).similar]
                own = [one for one in near if one.memory.text == old]
                found += old in shown
                passed += bool(top(candidate, own, ports, SETTINGS).similar)
                order = sorted(near, key=lambda one: -max(one.similarity, one.overlap))
                ranks.append(1 + [one.memory.text for one in order].index(old))
        print(
            f"{form.__name__}: {total} changes, {held / total:.0f} points held; among the top 10 {found / total:.1%}, "
            f"passes the floor {passed / total:.1%}, first {np.mean(np.array(ranks) == 1):.1%}, worst {max(ranks)}"
        )


if __name__ == "__main__":
    main()
