from __future__ import annotations

import pytest

from perdure.ports import Store
from perdure.providers.fakes import FixedClock
from perdure.stores.in_memory import InMemoryStore
from perdure.testing import StoreContract


class TestInMemoryStore(StoreContract):
    @pytest.fixture
    def store(self, clock: FixedClock) -> Store:
        return InMemoryStore(clock=clock)
