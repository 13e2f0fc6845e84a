"""Labels of a real data set through the store, quick tier; `python runs/dialogre.py` runs all and measures."""

from __future__ import annotations

import os

import pytest
from runs import dialogre

from perdure.evaluation.datasets.locomo import data_folder

needs_data = pytest.mark.skipif(
    os.environ.get("PERDURE_REQUIRE_DATA") != "1" and not data_folder().is_dir(),
    reason="no evaluation data; set PERDURE_DATA",
)


@needs_data
def test_each_labelled_node_and_edge_is_there_exactly_once_with_its_aliases_merged(tmp_path):
    for number, dialogue in enumerate(dialogre.load("dev")[:12]):
        place = str(tmp_path / f"{number}.db") if number % 4 == 0 else ":memory:"
        counts = dialogre.prove(dialogue, place)
        assert counts["nodes"] >= 1 or not counts["edges"]
