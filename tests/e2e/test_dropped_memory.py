"""A Memory that nobody closed and nobody holds any more gives back its thread and its files."""

from __future__ import annotations

import gc
import os
import threading
from pathlib import Path

import pytest

from perdure import Memory
from perdure.providers.fakes import HashEmbedder


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "perdure-jobs"]


def files(folder):
    held = Path("/proc/self/fd")
    return [name for fd in os.listdir(held) if (name := os.path.realpath(held / fd)).startswith(str(folder))]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts file descriptors in /proc")
@pytest.mark.parametrize("store", ["m.db", ":memory:"])
def test_a_dropped_memory_leaves_no_thread_and_no_file_open(tmp_path, store):
    others = threads()

    def use():
        memory = Memory(store if store == ":memory:" else tmp_path / store, embedder=HashEmbedder())
        tenant = memory.for_tenant("other")
        tenant.add("I live in Lyon.", user="ana", wait=False)
        memory.flush()
        memory.add("I live in Nice.", user="ana")
        assert memory.search("Nice", user="ana")
        (worker,) = [thread for thread in threads() if thread not in others]
        assert bool(files(tmp_path)) == (store == "m.db")
        return worker

    worker = use()
    gc.collect()
    worker.join(10)

    assert not worker.is_alive()
    gc.collect()
    assert files(tmp_path) == []


def test_a_view_of_another_tenant_keeps_the_worker_alive(tmp_path):
    view = Memory(tmp_path / "m.db", embedder=HashEmbedder()).for_tenant("other")
    gc.collect()

    view.add("I live in Lyon.", user="ana", wait=False)
    view.flush()

    assert view.list(user="ana").total == 1
