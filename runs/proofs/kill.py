"""SIGKILL at a random instant of mixed writes, jobs, erasures and migrations, 500 times.

After each: no acknowledged write is lost, no change set is half there, the file is whole and the next process goes on.
A third of the seeds kills an opening that migrates an old file, a third one that creates a file.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import apsw
from runs.proofs import _mixed, _whole

from perdure.stores.sqlite import schema

COUNT = 500
BATCH = 10
OPENING_S = 0.06  # about as long as an opening with its migrations takes
WRITES = 40
_TOTAL = {"acknowledged": 0, "killed_before_the_first": 0}


def check(seed: int) -> str | None:
    """Return what a kill broke, or None."""
    pick = random.Random(seed)
    folder = Path(tempfile.mkdtemp(dir=_fast()))
    path = folder / "memory.db"
    try:
        if seed % 3 == 1:
            old_file(path)
        is_opening = seed % 3 != 2
        said = _killed(path, seed, pick, writes=0 if is_opening else pick.randrange(1, WRITES))
        said += _killed(path, seed + COUNT, pick, writes=pick.randrange(1, WRITES))
        wrong = _examined(path, said)
        if seed % 3 == 1:
            wrong += _old_rows(path)
        return f"seed {seed}: {'; '.join(wrong)}" if wrong else None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measured() -> dict[str, Any]:
    """Return how much was acknowledged before the kills of this process."""
    return dict(_TOTAL)


def _killed(path: Path, seed: int, pick: random.Random, *, writes: int) -> list[dict[str, Any]]:
    """Let a child write so much, or for an opening's time, kill it, and return what it had acknowledged."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _write(path, seed, reader, writer)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as lines:
        said = [line for _ in range(writes) if (line := lines.readline())]
        time.sleep(pick.uniform(0, 0.004 if writes else OPENING_S))
        os.kill(child, signal.SIGKILL)
        said += lines.readlines()
    os.waitpid(child, 0)
    whole = [json.loads(line) for line in said if line.endswith("\n")]
    failed = [one for one in whole if "error" in one]
    assert not failed, failed
    _TOTAL["acknowledged"] += len(whole)
    _TOTAL["killed_before_the_first"] += not whole
    return whole


def _write(path: Path, seed: int, reader: int, writer: int) -> None:
    """Write in the child until killed."""
    os.close(reader)

    def say(one: dict[str, Any]) -> None:
        os.write(writer, (json.dumps(one) + "\n").encode())

    try:
        mix = _mixed.Mix(_mixed.opened(path), seed, say)
        while True:
            mix.step()
    except BaseException as err:  # noqa: BLE001 - the parent tells
        say({"error": f"{type(err).__name__}: {err}"})
    os._exit(1)


def _examined(path: Path, said: list[dict[str, Any]]) -> list[str]:
    with _mixed.opened(path) as memory:
        wrong = _mixed.lost(memory, said)
        wrong += _whole.faults(path)
        _mixed.Mix(memory, 0, lambda _: None).fact()  # the next process goes on
        memory.flush()
        wrong += ["a dead job"] * memory.stats().jobs_dead
    return wrong + _whole.faults(path)


def old_file(path: Path) -> None:
    """Write a file as the first release did, with a memory that supersedes another."""
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.execute("begin immediate")
    connection.execute(schema.migrations()[0][1])
    connection.pragma("application_id", schema.APPLICATION_ID)
    connection.pragma("user_version", 1)
    connection.execute(
        """
        insert into partition (no, tenant, owner_kind, owner, next_seq, version, recorded_at, memories)
          values (1, 'default', 'user', 'old', 3, 1, 1000, 2);
        insert into operation (tenant, partition, id, verb, user_id, engine, payload_hash, arguments, status, at,
          warnings, usage)
          values ('default', 1, 'op-old', 'add', 'old', 'llm', '', '{}', 'done', 1000, '[]', '[0,0,0,0,0.0]');
        insert into memory (no, tenant, partition, id, version, partition_version, operation, user_id, text, kind,
          metadata, categories, entities, origin, recorded_at, created_at, length)
          select 16777216 + n, 'default', 1, 'old-' || n, 1, 1, 'op-old', 'old', 'old', 'fact', '{}', '[]', '[]',
            'user', 1000, 1000, 0 from (select 1 as n union select 2);
        insert into change (tenant, operation, ordinal, event, memory, memory_version, reason, candidate)
          select 'default', 'op-old', n, 'ADD', 'old-' || n, 1, '', 'old' from (select 1 as n union select 2);
        insert into source (partition, memory, quote, at, recorded_at) values (1, 'old-1', 'old', 1000, 1000);
        insert into link (partition, successor, predecessor, recorded_at) values (1, 'old-2', 'old-1', 1000);
        """
    )
    connection.execute("commit")
    connection.close()


def _old_rows(path: Path) -> list[str]:
    with _mixed.opened(path) as memory:
        held = [memory.get(id) for id in ("old-1", "old-2")]
    is_whole = [held[0].superseded_by, held[0].evidence_count, held[1].supersedes] == ["old-2", 1, ("old-1",)]
    return [] if is_whole else ["the old file's rows"]


def _fast() -> str | None:
    """Return a folder in memory where there is one: what is killed is a process, not the machine."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a folder of its own is made in it
