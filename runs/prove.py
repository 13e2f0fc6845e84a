"""The long proofs, in full numbers.

python runs/prove.py [CHECK ...]

A check is a module of runs/proofs with COUNT and check(seed), which returns None or what is wrong with that seed;
it may have a BATCH of its own, and measured(), whose numbers of this process are kept with the result.
What is done is kept in runs/prove/CHECK.json, and the next run of the same commit goes on from there.
A seed that fails fails every time: python -c "from runs.proofs import CHECK; print(CHECK.check(SEED))".
"""

from __future__ import annotations

import importlib
import json
import logging
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "runs" / "prove"
BATCH = 500  # seeds between two writes of the result
KEPT = 20  # failures that a result shows


def main(names: Sequence[str]) -> int:
    known = sorted(path.stem for path in (ROOT / "runs" / "proofs").glob("[!_]*.py"))
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"there is no check {unknown[0]!r}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    RESULTS.mkdir(exist_ok=True)
    return max([prove(name) for name in names or known], default=0)


def prove(name: str) -> int:
    """Run one check to its end; 1 if a seed failed."""
    module = importlib.import_module(f"runs.proofs.{name}")
    file = RESULTS / f"{name}.json"
    state = resumed(file, module.COUNT)
    while state["done"] < state["count"]:
        began = time.perf_counter()
        seeds = range(state["done"], min(state["done"] + getattr(module, "BATCH", BATCH), state["count"]))
        failed = [wrong for seed in seeds if (wrong := module.check(seed)) is not None]
        state["failed"] += len(failed)
        state["failures"] = [*state["failures"], *failed][:KEPT]
        state["done"] = seeds.stop
        if hasattr(module, "measured"):
            state["measured"] = module.measured()
        state["seconds"] = round(state["seconds"] + time.perf_counter() - began, 1)
        file.write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
    print(f"{name}: {state['done']} seeds, {state['failed']} failed, {state['seconds']} s, commit {state['commit']}")
    for failure in state["failures"]:
        print(f"  {failure}")
    return 1 if state["failed"] else 0


def resumed(file: Path, count: int) -> dict[str, Any]:
    """Return the state of an unfinished run of this commit, else that of a new one."""
    new: dict[str, Any] = {
        "commit": commit(), "count": count, "first_seed": 0, "done": 0, "failed": 0, "failures": [], "seconds": 0.0,
    }  # fmt: skip
    if not file.is_file():
        return new
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    is_same = found["commit"] == new["commit"] and found["count"] == count and "+" not in new["commit"]
    return found if is_same and found["done"] < count else new


def commit() -> str:
    """Return the commit that is proved, with a + if src or the proofs differ from it."""
    changed = _git("status", "--porcelain", "src", "runs/proofs")
    return (_git("rev-parse", "--short=12", "HEAD") or "unknown") + ("+" if changed else "")


def _git(*arguments: str) -> str:
    found = shutil.which("git")
    if found is None:
        return ""
    done = subprocess.run([found, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    logging.disable()  # jobs that meet a fault say so, with a traceback each
    sys.exit(main(sys.argv[1:]))
