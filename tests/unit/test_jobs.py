import logging
import os
import threading
from datetime import timedelta

import pytest

from perdure.errors import ProviderError, StoreBusy
from perdure.jobs.queue import Worker
from perdure.jobs.tasks import TASKS
from perdure.models import NewJob, Summary
from perdure.prompts import recalled
from tests import make
from tests.conversation import SETTINGS, Conversation


def worker(talk, tasks, mode="manual"):
    return Worker(talk.ports, talk.settings, tasks, mode=mode)


def enqueue(talk, kind="note", key="k", **payload):
    talk.store.add_job("default", NewJob(kind, key, payload, talk.clock.now()))


def states(talk):
    return [(job.status, job.attempts) for job in talk.store.jobs(open_only=False)]


def test_drain_runs_every_due_job_once_oldest_first():
    talk, done = Conversation(), []
    for key in "ab":
        enqueue(talk, key=key)

    worker(talk, {"note": lambda job, ports, settings: done.append(job.key)}).drain()

    assert done == ["a", "b"]
    assert states(talk) == [("done", 1), ("done", 1)]


def test_a_manual_worker_runs_nothing_until_it_is_drained():
    talk = Conversation()
    enqueue(talk)

    worker(talk, TASKS).wake()

    assert states(talk) == [("waiting", 0)]


def test_a_failed_job_waits_longer_with_each_try_and_is_dead_after_the_last(caplog):
    talk = Conversation()
    enqueue(talk)

    def fail(job, ports, settings):
        raise ProviderError("down")

    failing = worker(talk, {"note": fail})
    waits = []
    with caplog.at_level(logging.ERROR):
        for _ in range(SETTINGS.job_attempts):
            failing.drain()
            (job,) = talk.store.jobs(open_only=False)
            waits.append((job.due_at - talk.clock.now()).total_seconds())
            talk.clock.move(timedelta(hours=2))

    assert waits[:4] == [10.0, 20.0, 40.0, 80.0]
    assert states(talk) == [("dead", 5)]
    assert job.error == "ProviderError: down"
    assert all(record.exc_info for record in caplog.records)


def test_a_job_of_an_unknown_kind_is_dead_and_says_so():
    talk = Conversation()
    enqueue(talk, kind="poetry")

    worker(talk, TASKS).drain()

    (job,) = talk.store.jobs(open_only=False)
    assert job.status == "dead"
    assert "poetry" in job.error


def test_a_job_left_by_a_dead_process_is_taken_up_when_its_lease_has_run_out():
    talk, done = Conversation(), []
    enqueue(talk)
    talk.store.lease_job(now=talk.clock.now(), lease_s=SETTINGS.job_lease_s)
    mine = worker(talk, {"note": lambda job, ports, settings: done.append(job.attempts)})

    mine.drain()
    assert done == []
    talk.clock.move(timedelta(seconds=SETTINGS.job_lease_s))
    mine.drain()

    assert done == [2]


def test_wake_runs_jobs_in_a_thread_and_drain_waits_for_it():
    talk, names, begun, go = Conversation(), [], threading.Event(), threading.Event()
    others = set(threading.enumerate())

    def slow(job, ports, settings):
        begun.set()
        go.wait(10)
        names.append(threading.current_thread().name)

    enqueue(talk)
    mine = worker(talk, {"note": slow}, mode="thread")
    mine.wake()
    assert begun.wait(10)
    with pytest.raises(StoreBusy):
        mine.drain(0.01)
    go.set()
    mine.drain(10)

    assert names == ["perdure-jobs"]
    mine.stop()
    assert not [t for t in threading.enumerate() if t.name == "perdure-jobs" and t not in others]


def test_a_stopped_worker_starts_nothing():
    talk = Conversation()
    mine = worker(talk, TASKS, mode="thread")
    mine.stop()
    enqueue(talk)

    mine.wake()

    assert states(talk) == [("waiting", 0)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # forking beside a thread is the point
def test_a_forked_child_has_a_worker_of_its_own():
    talk = Conversation()
    mine = worker(talk, {"note": lambda job, ports, settings: None}, mode="thread")
    mine.wake()
    mine.drain(10)

    child = os.fork()
    if child == 0:
        enqueue(talk)
        mine.wake()
        mine.drain(10)
        os._exit(0 if states(talk) == [("done", 1)] else 1)

    assert os.waitpid(child, 0)[1] == 0
    mine.stop()


# ---------------------------------------------------------------- the summary


def ask_for_summary(talk):
    enqueue(talk, kind="summary", user="ana", agent=None, run=None)
    worker(talk, TASKS).drain()


def test_the_summary_is_made_of_the_old_one_and_the_messages_since():
    talk = Conversation(["Ana lives in Lyon.", "Ana lives in Lyon and has a cat."])
    talk.begin(make.message("I live in Lyon."))
    ask_for_summary(talk)
    talk.begin(make.message("I have a cat."), make.message("Nice.", role="assistant", origin="assistant"))

    ask_for_summary(talk)

    asked = talk.llm.prompts[1].turns[0].content
    assert talk.store.summary(talk.scope).text == "Ana lives in Lyon and has a cat."
    assert '"Ana lives in Lyon."' in asked
    assert '"I have a cat."' in asked
    assert "I live in Lyon" not in asked


def test_a_summary_with_nothing_new_asks_nothing():
    talk = Conversation(["Ana lives in Lyon."])
    talk.begin(make.message("I live in Lyon."))
    ask_for_summary(talk)

    ask_for_summary(talk)

    assert len(talk.llm.prompts) == 1


def test_a_long_backlog_is_read_in_prompts_of_bounded_length_and_kept_after_each():
    talk = Conversation([f"so far {i}" for i in range(20)])
    for i in range(9):
        talk.begin(make.message(f"{i} " + "x" * 3_000))
    talk.settings = Conversation().settings.__class__(exchange_chars=6_000, jobs="manual")

    ask_for_summary(talk)

    assert len(talk.llm.prompts) == 3
    assert all(len(p.turns[0].content) < 7_000 for p in talk.llm.prompts)
    assert talk.store.summary(talk.scope).text == "so far 2"


def test_recalled_memories_and_system_prompts_are_not_summarised():
    talk = Conversation(["s"])
    talk.begin(
        make.message("You are a pirate.", role="system"),
        make.message(f"{recalled.OPEN}\nAna has a horse.\n{recalled.CLOSE}\nHello."),
    )

    ask_for_summary(talk)

    asked = talk.llm.prompts[0].turns[0].content
    assert "Hello." in asked
    assert "horse" not in asked
    assert "pirate" not in asked


def test_a_summary_that_was_cut_off_is_tried_again_and_the_old_one_stays():
    from perdure.models import Completion

    talk = Conversation([Completion("Ana li", is_truncated=True)])
    talk.begin(make.message("I live in Lyon."))

    ask_for_summary(talk)

    assert talk.store.summary(talk.scope) == Summary("", None, 0)
    assert states(talk) == [("waiting", 1)]


def test_without_a_model_a_summary_job_is_done_with_nothing():
    talk = Conversation()
    talk.begin(make.message("I live in Lyon."))

    ask_for_summary(talk)

    assert states(talk) == [("done", 1)]
    assert talk.store.summary(talk.scope).text == ""


def test_extraction_reads_the_summary():
    talk = Conversation([{"facts": []}])
    talk.store.set_summary(talk.scope, Summary("Ana looks for a flat.", make.AT, 1))

    talk.say("Found one.")

    assert '"Ana looks for a flat."' in talk.llm.prompts[0].turns[0].content
