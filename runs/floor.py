"""Measure the cosine above which two statements are about the same thing: the local embedder's `floor`.

python runs/floor.py [DATA] prints, per form of statement and threshold, the share of true old/new pairs that pass and
the share of unrelated pairs of the same persona that pass too.  The pairs are HaluMem's preference changes ("Modify"),
and a few of our own whose wording has little in common, because HaluMem's old and new points often share words.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from perdure.models import Role
from perdure.providers.local import MiniLM

ROOT = Path(__file__).resolve().parent.parent
FILE = "other/halumem_stage3_2_preference_events.jsonl.gz"
THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)

OWN = (
    ("Ana lives in Lyon", "Ana moved to Porto in March"),
    ("Ana works as a nurse at the city hospital", "Ana starts a new job as a teacher"),
    ("Ben is vegetarian", "Ben eats meat again"),
    ("Ben is allergic to peanuts", "Ben's doctor says he can eat nuts"),
    ("Carla is married to Dan", "Carla got divorced last year"),
    ("Carla has a dog named Rex", "Rex died, so Carla has no pet now"),
    ("Dan drives a red Toyota", "Dan sold his car and rides a bicycle"),
    ("Dan studies physics in Berlin", "Dan dropped out of university"),
    ("Eva is learning French", "Eva gave up on her French lessons"),
    ("Eva's favourite colour is blue", "Eva now prefers green"),
    ("Finn plans to visit Japan in May", "Finn cancelled the trip to Tokyo"),
    ("Finn smokes", "Finn quit cigarettes two months ago"),
    ("Gita plays tennis every Sunday", "Gita stopped playing because of her knee"),
    ("Gita earns 50,000 a year", "Gita got a raise to 60,000"),
    ("Hugo's phone is an old Nokia", "Hugo bought an iPhone"),
    ("Hugo is 34 years old", "Hugo turned 35 yesterday"),
    ("Ida's sister lives with her", "Ida's sister moved out"),
    ("Ida drinks coffee in the morning", "Ida switched to tea"),
    ("Jon is training for a marathon", "Jon finished the marathon in four hours"),
    ("Jon rents a flat downtown", "Jon bought a house in the suburbs"),
)


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PERDURE_DATA", ROOT.parent / "shared/data"))
    with gzip.open(data / FILE, "rt", encoding="utf-8") as file:
        personas = [list(changes(json.loads(line))) for line in file]
    print(f"{sum(map(len, personas))} changes of {len(personas)} personas")
    for form in (short, long):
        same, other = cosines(personas, form)
        print(
            f"\n{form.__name__}: same p1 {np.quantile(same, 0.01):.3f} p3 {np.quantile(same, 0.03):.3f} "
            f"p5 {np.quantile(same, 0.05):.3f} median {np.median(same):.3f}; "
            f"other median {np.median(other):.3f} p90 {np.quantile(other, 0.9):.3f}"
        )
        print("floor  same passes  other passes")
        for floor in THRESHOLDS:
            print(f"{floor:5.2f}  {np.mean(same >= floor):10.1%}  {np.mean(other >= floor):11.1%}")
    left, right = (MiniLM().embed(side, Role.DOCUMENT) for side in zip(*OWN, strict=True))
    print("\nown pairs, ascending: " + " ".join(f"{cosine:.2f}" for cosine in sorted(np.sum(left * right, axis=1))))


def changes(persona: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield (kind of preference, old point, new point) of each change that replaces one point by another."""
    for event in persona["event_list"]:
        if event["update_direction"] == "Modify":
            olds, news = event["before_preference"]["memory_points"], event["after_preference"]["memory_points"]
            if len(olds) == len(news) == 1:
                yield event["preference_type"], olds[0], news[0]


def short(point: dict[str, Any]) -> str:
    return f"User {point['type']}s {point['specific_item']}"


def long(point: dict[str, Any]) -> str:
    return f"{short(point)}. {point['reason']}"


def cosines(personas: list[list[Any]], form: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the cosines of old/new pairs, and of old and new of different kinds within a persona."""
    embedder = MiniLM()
    same: list[float] = []
    other: list[float] = []
    for rows in personas:
        old = embedder.embed([form(o) for _, o, _ in rows], Role.DOCUMENT)
        new = embedder.embed([form(n) for _, _, n in rows], Role.DOCUMENT)
        matrix = old @ new.T
        same.extend(np.diag(matrix))
        other.extend(matrix[i, j] for i, j in product(range(len(rows)), repeat=2) if rows[i][0] != rows[j][0])
    return np.array(same), np.array(other)


if __name__ == "__main__":
    main()
