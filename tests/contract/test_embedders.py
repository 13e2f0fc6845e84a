from __future__ import annotations

import pytest

from perdure.ports import Embedder
from perdure.providers.fakes import HashEmbedder
from perdure.testing.embedder import EmbedderContract


class TestHashEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashEmbedder(64)
