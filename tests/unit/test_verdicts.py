"""Judges against recorded verdicts: made-up ones, and the real ones by their published shares."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from perdure.errors import InputError
from perdure.evaluation import verdicts
from perdure.evaluation.datasets import locomo
from perdure.evaluation.verdicts import Judged

RECORDED = locomo.data_folder() / "recorded_locomo"
needs_data = pytest.mark.skipif(
    not RECORDED.is_dir() and os.environ.get("PERDURE_REQUIRE_DATA") != "1", reason="no evaluation data"
)


def judged(answer, gold, *said, question=0):
    return Judged("c", question, 4, answer, gold, tuple(map(bool, said)))


def test_agreement_beyond_chance_is_none_where_both_always_say_the_same():
    found = verdicts.agreement([(True, True)] * 3)

    assert (found.agreement, found.kappa, found.precision, found.recall) == (1.0, None, 1.0, 1.0)
    with pytest.raises(InputError):
        verdicts.agreement([])


def test_a_judge_is_held_against_the_majority_of_the_recorded_verdicts():
    rows = [judged("Lyon", "Lyon", 1, 1, 0), judged("Paris", "Lyon", 0, 0, 1), judged("in Lyon", "Lyon", 0, 0, 0)]

    found = verdicts.against(rows)

    assert (found.count, found.precision, found.recall) == (3, 0.5, 1.0)


def test_acceptance_of_wrong_answers_counts_every_verdict():
    found = verdicts.acceptance([judged("a Lyon trip", "Lyon", 1, 0), judged("Paris", "Lyon", 0, 0)])

    assert (found.count, found.by_recorded, found.by_judge) == (2, 0.25, 0.5)


def test_noise_needs_answers_that_were_judged_again():
    assert verdicts.noise([judged("x", "y", 1)]) is None

    found = verdicts.noise([judged("x", "y", 1, 0), judged("x", "y", 1, 1), judged("x", "y", 1)])

    assert found is not None
    assert (found.means, found.disputed, found.deviation) == ((1.0, 0.5), 0.5, 0.25)


def test_the_clean_key_leaves_out_wrong_golds_alone():
    rows = [judged("x", "y", 1, question=number) for number in range(3)]

    assert [row.question for row in verdicts.without(rows, {("c", 0): None, ("c", 1): ("D1:1",)})] == [1, 2]


def test_rows_without_a_verdict_and_of_category_5_are_left_out(tmp_path):
    row = {"sample_id": "c", "qa_index": 0, "category": 4, "answer": 7, "gold": "y", "judge": [1, None]}
    rows = [row, {**row, "category": 5}, {**row, "judge": []}, {**row, "judge": [None]}]
    (tmp_path / "a.dev.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))

    assert verdicts.load(tmp_path) == {"a": [judged("7", "y", 1)]}
    with pytest.raises(InputError, match="recorded_locomo"):
        verdicts.load(tmp_path / "none")


@pytest.mark.data
@needs_data
def test_the_recorded_systems_have_their_published_shares_and_wrong_answers_are_refused():
    recorded = verdicts.load()

    assert 100 * sum(row.share for row in recorded["mem0_platform_top50"]) / 885 == pytest.approx(82.7, abs=0.1)
    assert len(verdicts.without(recorded["zep_2025"], locomo.audited())) == 885 - 58
    for name in verdicts.WRONG:
        assert verdicts.acceptance(recorded[name]).by_judge < 0.03
    assert all(verdicts.against(recorded[name]).precision > 0.94 for name in ("memobase_0710", "zep_2025", "backboard"))


def test_the_committed_table_holds_the_published_share():
    table = (Path(__file__).parents[2] / "runs" / "judges.md").read_text(encoding="utf-8")

    assert "| mem0_platform_top50 | raw | 885 | 82.7 |" in table
