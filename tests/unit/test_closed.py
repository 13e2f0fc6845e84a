"""A memory that was closed answers nothing, wherever it kept what it held."""

from __future__ import annotations

from pathlib import Path

import pytest

from perdure import Memory, StoreError


@pytest.mark.parametrize("name", [":memory:", "memory.db"])
def test_a_closed_memory_refuses_every_call(tmp_path: Path, name: str) -> None:
    memory = Memory(name if name == ":memory:" else tmp_path / name, embedder="none")
    memory.add("I live in Lyon.", user="ana")
    memory.close()

    for call in (
        lambda: memory.search("Lyon", user="ana"),
        lambda: memory.add("I moved.", user="ana"),
        lambda: memory.list(user="ana"),
    ):
        with pytest.raises(StoreError, match="closed"):
            call()
    memory.close()  # twice is once
