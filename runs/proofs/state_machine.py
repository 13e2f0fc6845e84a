"""The state machine of tests/property in full numbers: 40 seeds of 50 runs of 50 steps."""

from __future__ import annotations

import traceback
from typing import Any

from hypothesis import seed as seeded
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from tests.property.test_state_machine import SETTINGS, MemoryMachine

COUNT = 40
BATCH = 1
RUNS, STEPS = 50, 50


def check(seed: int) -> str | None:
    """Return the first divergence that this seed leads to."""
    machine = seeded(seed)(MemoryMachine)
    try:
        run_state_machine_as_test(
            machine, settings=settings(SETTINGS, max_examples=RUNS, stateful_step_count=STEPS, database=None)
        )
    except AssertionError as err:
        broken = traceback.extract_tb(err.__traceback__)[-1]
        return f"seed {seed}: {broken.name}: {broken.line} {str(err)[:2000]}"
    return None


def measured() -> dict[str, Any]:
    """Return how many runs and calls of a verb this process made, on both stores each."""
    return {"runs": MemoryMachine.runs, "verbs": MemoryMachine.steps}
