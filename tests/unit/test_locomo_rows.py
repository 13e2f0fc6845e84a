"""The published number on LoCoMo dev, held to its rows and to the file it was measured on."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import fmean

import pytest

from perdure.evaluation.datasets import locomo
from perdure.evaluation.runner import read_rows, run
from perdure.evaluation.systems.verbatim import Verbatim
from perdure.ports import Ports
from perdure.providers.fakes import CountingIds, FixedClock
from perdure.settings import Settings
from perdure.stores.in_memory import InMemoryStore

ROWS = Path(__file__).parents[2] / "runs" / "locomo_recall"
DEV = locomo.data_folder() / "locomo" / "dev.json"

needs_data = pytest.mark.skipif(
    not DEV.is_file() and os.environ.get("PERDURE_REQUIRE_DATA") != "1",
    reason="no evaluation data; set PERDURE_DATA",
)


def rows_of(name):
    return read_rows(ROWS / f"{name}.jsonl")


@pytest.mark.parametrize(("name", "least"), [("bm25", 0.60), ("fused", 0.645), ("fused_captions", 0.645)])
def test_the_rows_hold_the_published_recall(name, least):
    rows = rows_of(name)

    again = [sum(id in row.turns[:10] for id in row.evidence) / len(row.evidence) for row in rows]

    assert [row.recall for row in rows] == pytest.approx(again)
    assert all(len(row.turns) <= 10 for row in rows)
    assert fmean(again) >= least


@pytest.mark.data
@needs_data
def test_the_dev_file_is_read_whole():
    conversations = locomo.load(DEV)

    assert [c.id for c in conversations] == ["conv-26", "conv-30", "conv-41", "conv-42", "conv-43", "conv-44"]
    assert sum(len(c.turns) for c in conversations) == 3435
    assert sum(len(c.questions) for c in conversations) == 1157
    asked = [(c.id, q.index) for c in conversations for q in c.questions if q.category < 5 and q.evidence]
    assert asked == [(row.conversation, row.question) for row in rows_of("fused")]


@pytest.mark.data
@pytest.mark.slow
@needs_data
def test_words_alone_give_the_rows_again():
    clock = FixedClock()
    ports = Ports(InMemoryStore(clock=clock), clock, CountingIds())

    rows = run(Verbatim("bm25", ports, Settings()), locomo.load(DEV, only="conv-30"), k=10)

    assert rows == [row for row in rows_of("bm25") if row.conversation == "conv-30"]
