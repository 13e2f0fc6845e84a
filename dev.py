"""Every command of the repository: python3 dev.py demo | test | check | prove | bench | docs | lock.

Uses the standard library only; it keeps its environment in .venv and sets it up from dev.lock when that changed.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "dev.lock.sha256"


def main(arguments: Sequence[str]) -> int:
    if sys.version_info < (3, 11):
        print(f"perdure needs Python 3.11 or newer; this is {sys.version.split()[0]}", file=sys.stderr)
        return 2
    name, rest = (arguments[0], list(arguments[1:])) if arguments else ("help", [])
    command = COMMANDS.get(name)
    if command is None:
        print(f"{__doc__}\n" + "\n".join(f"  {key:6} {value.__doc__}" for key, value in COMMANDS.items()))
        return 0 if name in ("help", "--help", "-h") else 2
    set_up()
    return command(rest)


def set_up() -> None:
    """Make .venv hold exactly what dev.lock says, and this checkout."""
    wanted = hashlib.sha256((ROOT / "dev.lock").read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return
    print("setting up .venv from dev.lock (a minute or two, once)", file=sys.stderr)
    venv.create(VENV, with_pip=True, clear=True)
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--require-hashes", "--requirement", str(ROOT / "dev.lock")], check=True, cwd=ROOT)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], check=True, cwd=ROOT)
    STAMP.write_text(wanted)


def run(*command: str) -> int:
    """Run a Python module or script of the environment, from the root."""
    return subprocess.run([str(PYTHON), *command], cwd=ROOT, check=False).returncode


def demo(arguments: list[str]) -> int:
    """Run the main job on a real conversation (--conversation FILE[:ID] for another one)."""
    return run("-m", "perdure", "demo", *arguments)


def test(arguments: list[str]) -> int:
    """Run all tests on all cores, then the checks."""
    status = run("-m", "pytest", "-n", "auto", "--doctest-modules", *arguments)
    return status or (check([]) if not arguments else 0)


def check(arguments: list[str]) -> int:
    """Check format, lint, types and the import contract."""
    steps = (
        ("-m", "ruff", "format", "--check", "."),
        ("-m", "ruff", "check", "."),
        ("-m", "mypy"),
        ("-c", "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())"),
    )
    return max([run(*step) for step in steps])


def prove(arguments: list[str]) -> int:
    """Run the long proofs in full numbers, resumable, into runs/prove/."""
    return run("runs/prove.py", *arguments)


def bench(arguments: list[str]) -> int:
    """Run the benchmarks and write benchmarks/results/."""
    return run("-m", "benchmarks.run", *arguments)


def docs(arguments: list[str]) -> int:
    """Run every code block of README.md and docs/."""
    return run("-m", "pytest", "tests/docs", *arguments)


def lock(arguments: list[str]) -> int:
    """Write dev.lock anew from pyproject.toml: pinned, with hashes, naming no index."""
    return run("-m", "piptools", "compile", "--quiet", "--extra", "dev", "--output-file", "dev.lock", "pyproject.toml")


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "demo": demo,
    "test": test,
    "check": check,
    "prove": prove,
    "bench": bench,
    "docs": docs,
    "lock": lock,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
