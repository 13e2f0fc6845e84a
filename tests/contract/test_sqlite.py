from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from perdure.ports import Store
from perdure.providers.fakes import FixedClock
from perdure.stores.sqlite.store import SQLiteStore
from perdure.testing import StoreContract


class TestSQLiteStore(StoreContract):
    @pytest.fixture
    def store(self, clock: FixedClock, tmp_path: Path) -> Iterator[Store]:
        store = SQLiteStore(tmp_path / "memory.db", clock=clock)
        yield store
        store.close()
