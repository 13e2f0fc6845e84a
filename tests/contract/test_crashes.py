"""Killed processes, failing disks and interrupted migrations: quick tiers of `dev.py prove kill` and `faults`."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import apsw
import pytest
from runs.proofs import _whole
from runs.proofs.kill import old_file
from tests import make

from perdure import Memory
from perdure.errors import StoreError
from perdure.jobs.tasks import EXTRACT
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder
from perdure.stores.sqlite import schema
from perdure.stores.sqlite.store import SQLiteStore


def prove(check: str, seeds: range) -> None:
    """Check seeds in a process of its own: it forks, or puts a shim under SQLite."""
    code = (
        f"import sys, logging; sys.path[:0] = {[os.getcwd(), *filter(None, sys.path)]!r}; logging.disable(50)\n"
        f"from runs.proofs import {check} as proof\n"
        f"print([wrong for seed in {seeds!r} if (wrong := proof.check(seed))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stdout + done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform does not fork")
def test_kill_loses_no_acknowledged_write_and_leaves_nothing_half_done():
    prove("kill", range(9))


def test_a_failing_disk_is_a_typed_error_and_tears_nothing():
    prove("faults", range(8))


def opened(path: Path, **options: object) -> Memory:
    options = {"clock": FixedClock(make.AT), "ids": CountingIds("x"), **options}
    return Memory(path, embedder=HashEmbedder(32), settings={"jobs": "manual"}, **options)  # type: ignore[arg-type]


# ---------------------------------------------------------------- migrations


class Stopped(RuntimeError):
    """Stands for a process that ends here."""


@contextlib.contextmanager
def stopped_after(statements: int) -> Iterator[None]:
    """Let every connection raise when all of them together ran so many statements."""
    left = [statements]

    def trace(cursor: object, statement: str, bindings: object) -> bool:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped
        return True

    def hook(connection: apsw.Connection) -> None:
        connection.exec_trace = trace

    apsw.connection_hooks.append(hook)
    try:
        yield
    finally:
        apsw.connection_hooks.remove(hook)


@pytest.mark.parametrize("is_old", [False, True])
def test_a_migration_stopped_between_any_two_statements_is_finished_by_the_next_opening(tmp_path, is_old):
    stops = 0
    for statements in range(1, 500, 3):
        path = tmp_path / f"{statements}.db"
        if is_old:
            old_file(path)
        try:
            with stopped_after(statements):
                SQLiteStore(path, clock=FixedClock()).close()
            break
        except Stopped:
            stops += 1

        with opened(path) as memory:
            assert memory.stats().schema_version == schema.latest()
            if is_old:
                assert memory.get("old-1").superseded_by == "old-2"
        assert _whole.faults(path) == []
    assert stops > 5


def test_a_file_of_the_first_release_keeps_what_it_held(tmp_path):
    old_file(tmp_path / "memory.db")

    with opened(tmp_path / "memory.db") as memory:
        assert [memory.get(id).superseded_by for id in ("old-1", "old-2")] == ["old-2", None]
        assert memory.get("old-1").evidence_count == 1


def test_a_backup_of_an_older_schema_is_brought_up_to_date(tmp_path):
    old_file(tmp_path / "old.db")

    with opened(tmp_path / "memory.db") as memory:
        memory.restore(tmp_path / "old.db")

        assert memory.stats().schema_version == schema.latest()
        assert memory.get("old-1").superseded_by == "old-2"
    assert _whole.faults(tmp_path / "memory.db") == []


# ---------------------------------------------------------------- jobs across processes and crashes


def test_messages_of_a_pending_add_are_searchable_at_once(tmp_path):
    with opened(tmp_path / "memory.db") as memory:
        result = memory.add("I live in Lyon.", user="ana", wait=False)

        assert (result.status, memory.list(user="ana").total) == ("pending", 0)
        assert [hit.kind for hit in memory.search("Who lives in Lyon?", user="ana")] == ["message"]


def test_recall_right_after_an_add_is_recall_after_flush_minus_what_extraction_adds(tmp_path):
    said = ["I live in Lyon.", "I like green tea.", "I work at Airbus."]
    queries = ["Where do I live?", "tea", "work at Airbus", "Lyon"]
    with opened(tmp_path / "memory.db") as memory:
        for text in said:
            memory.add(text, user="ana", wait=False)
        before = [{hit.id for hit in found} for found in memory.search(queries, user="ana", k=50)]
        memory.flush()
        after = [list(found) for found in memory.search(queries, user="ana", k=50)]
        alone = memory.search(queries, user="ana", k=50, include=["messages"])

        assert memory.list(user="ana").total == 3
        assert [{turn for hit in found for turn in turns(hit)} for found in after] == before
        assert [{hit.id for hit in found} for found in alone] == before


def turns(hit):
    """A message, or a fact in its place."""
    return [hit.id] if hit.memory is None else [source.message_id for source in hit.memory.sources]


def test_a_job_that_its_process_left_is_done_by_the_next_one(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        operation = memory.add("I live in Lyon.", user="ana", wait=False).operation_id
        assert memory._ports.store.lease_job(now=make.AT, lease_s=60.0).kind == EXTRACT

    with opened(path, clock=FixedClock(make.AT + timedelta(seconds=30)), ids=CountingIds("y")) as other:
        other.flush()
        assert other.operation(operation).status == "pending", "another process holds the lease"
    with opened(path, clock=FixedClock(make.AT + timedelta(seconds=60)), ids=CountingIds("z")) as third:
        third.flush()
        assert third.operation(operation).status == "done"
        assert third.list(user="ana").total == 1
        third.flush()
        assert third.list(user="ana").total == 1


def test_a_job_of_what_was_erased_meanwhile_ends_quietly(tmp_path):
    with opened(tmp_path / "memory.db") as memory:
        memory.add("I live in Lyon.", user="ana", wait=False)
        job = memory._ports.store.lease_job(now=make.AT, lease_s=60.0)
        memory.erase(user="ana")

        memory._worker._run(job)
        memory.flush()

        assert memory.stats(user="ana").memories == memory.stats().jobs_waiting == memory.stats().jobs_dead == 0


def test_closing_on_a_failing_disk_closes_every_connection(tmp_path):
    """What fails at the end is told, and nothing stays open that a fork could take along."""
    store = SQLiteStore(tmp_path / "memory.db", clock=FixedClock())
    closed = []

    class Failing:
        def close(self) -> None:
            closed.append(self)
            raise apsw.IOError("the disk")

    store._connections._idle.extend([Failing(), Failing()])

    with pytest.raises(StoreError):
        store.close()

    assert len(closed) == 2
    assert store._connections._writer is None
