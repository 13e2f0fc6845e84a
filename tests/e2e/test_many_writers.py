"""Several processes on one file, quick tier; `dev.py prove writers` runs eight with 2,000 adds each."""

from __future__ import annotations

import threading
from datetime import timedelta

from perdure import Memory
from perdure.providers.fakes import FixedClock, HashEmbedder


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
