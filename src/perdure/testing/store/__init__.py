"""The contract of `perdure.ports.Store`, as a pytest class.

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self, clock, tmp_path):
            store = MyStore(tmp_path, clock=clock)
            yield store
            store.close()

The fixture `clock` is a FixedClock; the store must take its time from it.
"""

from __future__ import annotations

from perdure.testing.store.begin import BeginContract
from perdure.testing.store.commit import CommitContract
from perdure.testing.store.erase import EraseContract
from perdure.testing.store.graph import GraphContract
from perdure.testing.store.jobs import JobContract
from perdure.testing.store.rank import RankContract
from perdure.testing.store.read import ReadContract
from perdure.testing.store.spaces import SpaceContract
from perdure.testing.store.spending import SpendingContract
from perdure.testing.store.transfer import TransferContract
from perdure.testing.store.undo import UndoContract

__all__ = ["StoreContract"]


class StoreContract(
    BeginContract,
    CommitContract,
    ReadContract,
    RankContract,
    SpaceContract,
    SpendingContract,
    JobContract,
    EraseContract,
    UndoContract,
    TransferContract,
    GraphContract,
):
    """Every rule of the port; override the fixture `store`."""
