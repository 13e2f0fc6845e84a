"""Preference changes of a real data set, quick tier; `dev.py prove halumem` runs all twenty personas."""

from __future__ import annotations

import os

import pytest
from runs.proofs import halumem

from perdure.evaluation.datasets.locomo import data_folder


@pytest.mark.skipif(
    os.environ.get("PERDURE_REQUIRE_DATA") != "1" and not data_folder().is_dir(),
    reason="no evaluation data; set PERDURE_DATA",
)
def test_a_persona_keeps_what_it_preferred_before_and_undo_brings_it_back():
    assert halumem.check(1) is None
