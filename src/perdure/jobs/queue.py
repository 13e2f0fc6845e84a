"""The worker: takes leased jobs from the store and runs them, one at a time, beside the caller's path.

Jobs are durable: what a process leaves behind when it dies, the next one finds when the lease has run out.
The thread holds its worker, and with it the store, only while it runs jobs: a worker that nobody holds any more ends.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from perdure.errors import Forbidden, NotFound, StoreBusy, StoreError
from perdure.jobs.tasks import Task
from perdure.models import JobRow
from perdure.ports import Ports
from perdure.settings import JobMode, Settings

logger = logging.getLogger(__name__)

_LONGEST_WAIT_S = 60.0  # between two looks at the store when nothing is due: other processes enqueue too (chosen)
_LONGEST_BACKOFF_S = 3_600.0  # (chosen)


@dataclass(slots=True)
class _State:
    """What belongs to one process: a thread and its lock do not survive a fork."""

    pid: int
    changed: threading.Condition = field(default_factory=threading.Condition)  # guards the fields below
    thread: threading.Thread | None = None
    is_woken: bool = False
    is_stopped: bool = False
    running: int = 0


class Worker:
    """Runs the store's jobs: in a daemon thread that the first `wake` starts, or, mode "manual", only in `drain`."""

    def __init__(self, ports: Ports, settings: Settings, tasks: Mapping[str, Task], *, mode: JobMode) -> None:
        self._ports = ports
        self._settings = settings
        self._tasks = tasks
        self._mode = mode
        self._state = self._new_state()

    def use(self, ports: Ports) -> None:
        """Run later jobs with these ports."""
        self._ports = ports

    def wake(self) -> None:
        """Look for due jobs now, in the worker's thread; without effect in mode "manual" or when stopped."""
        state = self._here()
        with state.changed:
            if self._mode == "manual" or state.is_stopped:
                return
            state.is_woken = True
            if state.thread is None or not state.thread.is_alive():
                state.thread = threading.Thread(
                    target=_work, args=(weakref.ref(self), state), name="perdure-jobs", daemon=True
                )
                state.thread.start()
            state.changed.notify_all()

    def drain(self, timeout_s: float | None = None) -> None:
        """Return when no job is due and none runs in this process; due jobs are run by the calling thread too.

        What waits for its next try, or runs in another process, is not waited for.
        Raises StoreBusy if it takes longer than `timeout_s`.
        """
        state = self._here()
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            while self._run_next(state):
                _check(deadline, timeout_s)
            with state.changed:
                if not state.running:
                    return
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                if not state.changed.wait_for(lambda: not state.running, left):
                    _check(deadline, timeout_s)

    def stop(self) -> None:
        """End the thread after its present job; jobs that wait stay in the store."""
        state = self._here()
        with state.changed:
            state.is_stopped = True
            state.changed.notify_all()
            thread = state.thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _here(self) -> _State:
        """Return the state of this process: a new one after a fork."""
        if self._state.pid != os.getpid():
            self._state = self._new_state()
        return self._state

    def _new_state(self) -> _State:
        state = _State(os.getpid())
        weakref.finalize(self, _end, state).atexit = False
        return state

    def _work_through(self, state: _State) -> float:
        """Run what is due until stopped, and return the seconds until the next look."""
        try:
            while not state.is_stopped:
                if not self._run_next(state):
                    return self._until_due()
        except StoreError:
            logger.exception("jobs.store_failed")
        return _LONGEST_WAIT_S

    def _until_due(self) -> float:
        now = self._ports.clock.now()
        due = [job.leased_until or job.due_at for job in self._ports.store.jobs()]
        return max(0.1, min([_LONGEST_WAIT_S, *((at - now).total_seconds() for at in due)]))

    def _run_next(self, state: _State) -> bool:
        """Run the job that is longest due; False if there is none."""
        with state.changed:
            state.running += 1
        try:
            job = self._ports.store.lease_job(now=self._ports.clock.now(), lease_s=self._settings.job_lease_s)
            if job is None:
                return False
            self._run(job)
            return True
        finally:
            with state.changed:
                state.running -= 1
                state.changed.notify_all()

    def _run(self, job: JobRow) -> None:
        task = self._tasks.get(job.kind)
        if task is None:
            logger.error("jobs.unknown_kind", extra={"kind": job.kind, "job": job.id})
            self._finish(job, error=f"this version knows no job of kind {job.kind!r}")
            return
        try:
            task(job, self._ports, self._settings)
        except Exception as err:  # noqa: BLE001 - the job loop outlives any task; the traceback is logged
            self._fail(job, err)
        else:
            self._finish(job)
            logger.info("jobs.done", extra={"kind": job.kind, "job": job.id, "attempts": job.attempts})

    def _fail(self, job: JobRow, err: Exception) -> None:
        """Let a job wait for its next try, or give it up after the last."""
        until = err.until if isinstance(err, Forbidden) else None  # a budget that begins anew: no try is wasted
        is_last = until is None and job.attempts >= self._settings.job_attempts
        wait_s = min(self._settings.job_backoff_s * 2.0 ** (job.attempts - 1), _LONGEST_BACKOFF_S)
        logger.error(
            "jobs.dead" if is_last else "jobs.failed",
            extra={"kind": job.kind, "job": job.id, "attempts": job.attempts},
            exc_info=err,
        )
        retry_at = None if is_last else until or self._ports.clock.now() + timedelta(seconds=wait_s)
        self._finish(job, error=f"{type(err).__name__}: {err}", retry_at=retry_at)

    def _finish(self, job: JobRow, *, error: str | None = None, retry_at: datetime | None = None) -> None:
        """Set what became of a job; one whose scope was erased meanwhile is gone."""
        with contextlib.suppress(NotFound):
            self._ports.store.finish_job(job.id, error=error, retry_at=retry_at)


def _work(worker: weakref.ref[Worker], state: _State) -> None:
    """Run what is due, then wait to be woken or for the next try; until stopped, or nobody holds the worker."""
    while True:
        with state.changed:
            state.is_woken = False
        held = worker()
        if state.is_stopped or held is None:
            return
        wait_s = held._work_through(state)  # noqa: SLF001 - the thread is the worker's own
        del held
        with state.changed:
            state.changed.wait_for(lambda: state.is_woken or state.is_stopped, wait_s)


def _end(state: _State) -> None:
    """End the thread of a worker that is gone."""
    with state.changed:
        state.is_stopped = True
        state.changed.notify_all()


def _check(deadline: float | None, timeout_s: float | None) -> None:
    if deadline is not None and time.monotonic() >= deadline:
        raise StoreBusy(f"jobs were still due after {timeout_s} s; wait longer, or look at stats for failing jobs")
