"""Full disks, input and output errors and short writes, by a shim between SQLite and the disk, 500 seeds.

Each fault is a typed error to the caller, nothing is torn or lost, and once the disk is well again writing goes on.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

import apsw
from runs.proofs import _mixed, _whole

from perdure.errors import StoreError

COUNT = 500
BATCH = 25
STEPS = 25
KINDS = ("full", "error", "short_write", "short_read", "sync", "open")
_TOTAL: dict[str, int] = dict.fromkeys(("faults", "errors"), 0)


class Plan:
    """When a fault strikes: at the n-th call of a kind from now on, and how long it lasts."""

    def __init__(self) -> None:
        self.kind: str | None = None
        self.left = 0
        self.lasts = 0

    def arm(self, kind: str, *, after: int, lasts: int) -> None:
        self.kind, self.left, self.lasts = kind, after, lasts

    def strikes(self, *kinds: str) -> bool:
        """True if this call fails."""
        if self.kind not in kinds:
            return False
        self.left -= 1
        if self.left >= 0:
            return False
        self.lasts -= 1
        if self.lasts <= 0:
            self.kind = None
        _TOTAL["faults"] += 1
        return True


PLAN = Plan()


class Disk(apsw.VFS):
    """The disk, with faults."""

    def __init__(self) -> None:
        super().__init__("faulty", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> File:  # noqa: N802 - SQLite's name
        if PLAN.strikes("open"):
            raise apsw.CantOpenError("the shim")
        return File(name, flags)


class File(apsw.VFSFile):
    """One file of it."""

    def __init__(self, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        if PLAN.strikes("full"):
            raise apsw.FullError("the shim")
        if PLAN.strikes("error"):
            raise apsw.IOError("the shim")
        if PLAN.strikes("short_write"):
            super().xWrite(data[: len(data) // 2], offset)
            raise apsw.IOError("the shim")
        super().xWrite(data, offset)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        if PLAN.strikes("short_read"):
            raise apsw.IOError("the shim")
        return super().xRead(amount, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        if PLAN.strikes("sync"):
            raise apsw.IOError("the shim")
        super().xSync(flags)


_DISKS: list[Disk] = []  # one, made when the first seed is checked


def check(seed: int) -> str | None:
    """Return what a fault broke, or None."""
    if not _DISKS:
        _DISKS.append(Disk())
    pick = random.Random(seed)
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))  # noqa: S108 - its own folder
    path = folder / "memory.db"
    said: list[dict[str, Any]] = []
    wrong: list[str] = []
    try:
        _mixed.opened(path).close()
        for _ in range(3):
            PLAN.arm(pick.choice(KINDS), after=pick.randrange(120), lasts=pick.choice((1, 1, 3, 10_000)))
            wrong += _work(path, pick, said)
            PLAN.kind = None
            wrong += _whole.faults(path)
        with _mixed.opened(path) as memory:
            wrong += _mixed.lost(memory, said)
            _mixed.Mix(memory, seed, said.append).fact()
            memory.flush()
        wrong += _whole.faults(path)
        return f"seed {seed}: {'; '.join(wrong)}" if wrong else None
    finally:
        PLAN.kind = None
        shutil.rmtree(folder, ignore_errors=True)


def measured() -> dict[str, Any]:
    """Return how many calls of the disk failed, and how many verbs said so, in this process."""
    return dict(_TOTAL)


def _work(path: Path, pick: random.Random, said: list[dict[str, Any]]) -> list[str]:
    """Write while the fault lasts; return the errors that were none of ours."""
    wrong = []
    try:
        memory = _mixed.opened(path)
    except StoreError:
        _TOTAL["errors"] += 1
        PLAN.kind = None
        memory = _mixed.opened(path)
    mix = _mixed.Mix(memory, pick.randrange(2**30), said.append)
    for verb in [*[mix.step] * STEPS, memory.close]:
        try:
            verb()
        except StoreError:
            _TOTAL["errors"] += 1
        except Exception as err:  # noqa: BLE001 - what this proof looks for
            wrong.append(f"{type(err).__name__}: {err}")
    return wrong
