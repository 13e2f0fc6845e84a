"""What a store promises about the calls of language models: counted per day, held to limits."""

from __future__ import annotations

from perdure.models import Usage
from perdure.ports import Store
from perdure.testing.store.writer import StoreFixtures


class SpendingContract(StoreFixtures):
    """Daily counts."""

    def test_calls_and_tokens_add_up_by_day_and_model(self, store: Store) -> None:
        store.spend("2024-05-08", "small", Usage(1, 100, 10))
        store.spend("2024-05-08", "small", Usage(2, -50, 5))
        store.spend("2024-05-08", "large", Usage(1, 7, 7))
        store.spend("2024-05-09", "small", Usage(9, 9, 9))

        assert store.spent("2024-05-08") == {"large": Usage(1, 7, 7), "small": Usage(3, 50, 15)}
        assert store.spent("2024-05-10") == {}

    def test_what_would_pass_a_limit_is_not_added(self, store: Store) -> None:
        assert store.spend("2024-05-08", "small", Usage(1, 60, 30), calls_at_most=2, tokens_at_most=100)
        assert not store.spend("2024-05-08", "large", Usage(1, 11, 0), tokens_at_most=100)
        assert not store.spend("2024-05-08", "large", Usage(2, 0, 0), calls_at_most=2)
        assert store.spend("2024-05-08", "large", Usage(1, 10, 0), calls_at_most=2, tokens_at_most=100)

        assert store.spent("2024-05-08") == {"large": Usage(1, 10, 0), "small": Usage(1, 60, 30)}
