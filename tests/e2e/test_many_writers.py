"""Several processes on one file, quick tier; `dev.py prove writers` runs eight with 2,000 adds each."""

from __future__ import annotations

import threading
from datetime import timedelta

from runs.proofs import writers

from perdure import Memory, PerdureError
from perdure.providers.fakes import FixedClock, HashEmbedder
from perdure.stores.sqlite.store import SQLiteStore


def test_a_similar_transcript_to_two_processes_at_once():
    """Equal facts and other words for the same come from several processes: each is current once, nothing is lost."""
    assert writers.check(0, processes=3, adds=20) is None
    assert writers.measured()["busy"] == 0


def test_a_duplicate_transcript(tmp_path):
    """The same messages again are skipped, with a warning each, and leave the memories as they were."""
    transcript = [
        {"role": "user", "content": "I live in Lyon.", "id": "m1", "at": "2024-01-01T09:00:00Z"},
        {"role": "user", "content": "I work at Bosch.", "id": "m2", "at": "2024-01-02T09:00:00Z"},
    ]
    with Memory(tmp_path / "m.db", embedder=HashEmbedder(), settings={"jobs": "manual"}) as memory:
        memory.add(transcript, user="ana")
        before = memory.list(user="ana").items

        again = memory.add(transcript, user="ana")

        assert [w.code for w in again.warnings] == ["duplicate_message"] * 2
        assert memory.list(user="ana").items == before
        assert memory.messages(user="ana").total == 2


def test_threads_that_undo_and_update_one_memory_leave_one_history(tmp_path):
    clock = FixedClock()
    with Memory(tmp_path / "m.db", embedder=HashEmbedder(), clock=clock, settings={"jobs": "manual"}) as memory:
        added = memory.add(facts=["Ana lives in Lyon"], user="ana")
        id = added.changes[0].memory.id
        failed: list[Exception] = []

        def toggle() -> None:
            for _ in range(5):
                try:
                    undone = memory.undo(added.operation_id)
                    memory.undo(undone.operation_id)
                except Exception as err:  # noqa: BLE001 - the test tells what came
                    failed.append(err)

        threads = [threading.Thread(target=toggle) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert [type(err).__name__ for err in failed] in ([], ["Conflict"] * len(failed))
        versions = memory.history(id)
        assert [v.version for v in versions] == list(range(1, len(versions) + 1))
        is_undone = memory.operation(added.operation_id).undone_by is not None
        assert (versions[-1].retired_at is not None) == is_undone
        clock.move(timedelta(days=1))


def outcome(verb):
    try:
        return verb().status
    except PerdureError as err:
        return type(err).__name__


def test_a_failed_vector_write_is_not_reported_as_an_add(tmp_path):
    """Memory, vector, words and log are one transaction: what fails in it is an error, and nothing of it is there."""

    class Forgetful(HashEmbedder):
        def embed(self, texts, role):
            return super().embed(texts, role)[:, : self.width]

    embedder = Forgetful()
    embedder.width = 256
    store = SQLiteStore(tmp_path / "m.db", clock=FixedClock())
    with Memory(store, embedder=embedder, settings={"jobs": "manual"}) as memory:
        memory.add(facts=["Ana lives in Lyon"], user="ana")
        embedder.width = 100

        for verb in (
            lambda: memory.add(facts=["Ana owns a red bicycle"], user="ana"),
            lambda: memory.add("I own a boat.", user="ana"),
            lambda: memory.update(memory.list(user="ana").items[0].id, "Ana lives in Nice"),
        ):
            assert outcome(verb) in ("failed", "ProviderError", "InputError")

        assert [r.text for r in memory.list(user="ana", validity="all").items] == ["Ana lives in Lyon"]
        assert [c.event for o in memory.operations(user="ana").items for c in o.changes] == ["ADD"]
    store.close()
