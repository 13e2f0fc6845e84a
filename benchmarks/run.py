"""Run the benchmarks and write one JSON file: python -m benchmarks.run [--large] [--output FILE]."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
from pathlib import Path

import apsw
import numpy as np

from benchmarks import graph, search, verbs

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also 100,000 memories, which takes minutes")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "latest.json")
    arguments = parser.parse_args()

    sizes = [1_000, 10_000] + ([100_000] if arguments.large else [])
    result = {
        "machine": machine(),
        "commit": commit(),
        "search": [verbs.search(size, queries=200) for size in sizes],
        "add_verbatim": [verbs.add_verbatim(500, durability=durability) for durability in ("normal", "full")],
        "store_search": [search.search(size, queries=200) for size in sizes],
        "graph_two_hops": [graph.two_hops(nodes, 3 * nodes, queries=200) for nodes in (10_000, 100_000)],
        "graph_write": graph.writing(200),
        "store_begin": [search.verbatim(500, durability=durability) for durability in ("normal", "full")],
    }
    text = json.dumps(result, indent=2) + "\n"
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(text, "utf-8")
    print(text, end="")


def machine() -> dict[str, object]:
    """Return what the numbers depend on."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "load_1_min": round(os.getloadavg()[0], 1),
        "blas_threads": os.environ.get("OPENBLAS_NUM_THREADS", "all"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "sqlite": apsw.sqlite_lib_version(),
    }


def commit() -> str:
    """Return the commit that was measured, marked where files had changed."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"],  # noqa: S607
        cwd=HERE, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return described.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
