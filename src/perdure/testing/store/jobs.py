"""What summaries and jobs promise."""

from __future__ import annotations

import pytest

from perdure.errors import NotFound
from perdure.models import NewJob, Scope, Summary
from perdure.ports import Store
from perdure.testing.store.writer import ANA, DAY, SAID, StoreFixtures


class JobContract(StoreFixtures):
    """Summaries and the queue."""

    def test_a_summary_belongs_to_the_whole_scope_tuple(self, store: Store) -> None:
        run = Scope("acme", user="ana", run="r")
        store.set_summary(ANA, Summary("Ana likes tea.", SAID, 4))

        assert store.summary(ANA) == Summary("Ana likes tea.", SAID, 4)
        assert store.summary(run) == Summary("", None, 0)
        assert store.summary(Scope("other", user="ana")) == Summary("", None, 0)

    def test_a_summary_that_read_fewer_messages_does_not_replace(self, store: Store) -> None:
        store.set_summary(ANA, Summary("late", SAID, 8))
        store.set_summary(ANA, Summary("early", SAID, 4))

        assert store.summary(ANA).text == "late"
        store.set_summary(ANA, Summary("again", SAID + DAY, 8))
        assert store.summary(ANA) == Summary("again", SAID + DAY, 8)

    def test_of_one_kind_and_key_one_job_waits(self, store: Store) -> None:
        store.add_job("acme", NewJob("summary", "ana", {"n": 1}, SAID))
        store.add_job("acme", NewJob("summary", "ana", {"n": 2}, SAID - DAY))
        store.add_job("acme", NewJob("summary", "bo", {}, SAID))
        store.add_job("other", NewJob("summary", "ana", {}, SAID))

        assert [(job.tenant, job.key, job.payload) for job in store.jobs()] == [
            ("acme", "ana", {"n": 1}),
            ("acme", "bo", {}),
            ("other", "ana", {}),
        ]
        assert [job.key for job in store.jobs("other")] == ["ana"]

    def test_the_job_longest_due_is_leased_first(self, store: Store) -> None:
        for key, due_at in (("late", SAID + DAY), ("b", SAID), ("a", SAID), ("early", SAID - DAY)):
            store.add_job("acme", NewJob("summary", key, {}, due_at))

        leased = [store.lease_job(now=SAID, lease_s=60.0) for _ in range(4)]

        assert [job and (job.key, job.status, job.attempts) for job in leased] == [
            ("early", "running", 1),
            ("b", "running", 1),
            ("a", "running", 1),
            None,
        ]

    def test_a_lease_that_ran_out_is_given_again(self, store: Store) -> None:
        store.add_job("acme", NewJob("summary", "ana", {}, SAID))
        store.lease_job(now=SAID, lease_s=60.0)

        assert store.lease_job(now=SAID + DAY / 2880, lease_s=60.0) is None  # half a minute
        again = store.lease_job(now=SAID + DAY / 1440, lease_s=60.0)

        assert again is not None
        assert again.attempts == 2

    def test_a_running_job_lets_another_of_its_key_wait(self, store: Store) -> None:
        store.add_job("acme", NewJob("summary", "ana", {"n": 1}, SAID))
        leased = store.lease_job(now=SAID, lease_s=60.0)
        store.add_job("acme", NewJob("summary", "ana", {"n": 2}, SAID))
        assert leased is not None

        store.finish_job(leased.id, error="again", retry_at=SAID + DAY)

        assert [(job.payload["n"], job.status) for job in store.jobs(open_only=False)] == [(1, "done"), (2, "waiting")]

    def test_a_finished_job_is_done_retried_or_dead(self, store: Store) -> None:
        ids = []
        for key in ("done", "retried", "dead"):
            store.add_job("acme", NewJob("summary", key, {}, SAID))
            leased = store.lease_job(now=SAID, lease_s=60.0)
            assert leased is not None
            ids.append(leased.id)

        store.finish_job(ids[0])
        store.finish_job(ids[1], error="slow", retry_at=SAID + DAY)
        store.finish_job(ids[2], error="broken")
        store.finish_job(ids[0], error="too late")

        rows = store.jobs(open_only=False)
        assert [(row.status, row.error) for row in rows] == [("done", None), ("waiting", "slow"), ("dead", "broken")]
        assert (rows[1].due_at, rows[1].leased_until, rows[1].attempts) == (SAID + DAY, None, 1)
        assert [row.key for row in store.jobs()] == ["retried"]
        stats = store.stats(ANA)
        assert (stats.jobs_waiting, stats.jobs_dead) == (1, 1)
        with pytest.raises(NotFound):
            store.finish_job(99)

    def test_closing_twice_is_allowed(self, store: Store) -> None:
        store.close()
        store.close()
