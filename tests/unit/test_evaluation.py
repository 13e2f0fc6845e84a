from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from perdure.errors import InputError
from perdure.evaluation import report
from perdure.evaluation.datasets import locomo
from perdure.evaluation.measures.recall import evidence_recall
from perdure.evaluation.runner import read_rows, run, write_rows
from perdure.evaluation.statistics import by_cluster, by_question, paired_differences
from perdure.evaluation.systems.protocol import Retrieved


@pytest.fixture
def sample(tmp_path):
    """A conversation in LoCoMo's form, of our own words, with the faults that the real file has."""
    talk = {
        "speaker_a": "Ana", "speaker_b": "Ben",
        "session_10_date_time": "9:05 am on 2 June, 2023",
        "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "I sold the boat."}],
        "session_2_date_time": "12:30 pm on 1 May, 2023",
        "session_2": [
            {"speaker": "Ana", "dia_id": "D2:1", "text": "I adopted a cat."},
            {"speaker": "Ben", "dia_id": "D2:2", "text": "Look!", "blip_caption": "a boat", "query": "boat photo"},
        ],
    }  # fmt: skip
    qa = [
        {"question": "What did Ana adopt?", "answer": "a cat", "evidence": ["D2:1"], "category": 4},
        {"question": "When?", "answer": 2023, "evidence": ["D2:01; D10:1", "D", "D:2:2", "D9:9"], "category": 2},
        {"question": "Why?", "adversarial_answer": "x", "evidence": ["D2:1"], "category": 5},
        {"question": "Who?", "answer": "Ben", "evidence": [], "category": 1},
    ]
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([{"sample_id": "conv-1", "conversation": talk, "qa": qa}]))
    return path


def test_sessions_are_read_in_the_order_of_their_numbers_and_dated(sample):
    [conversation] = locomo.load(sample)

    assert [turn.id for turn in conversation.turns] == ["D2:1", "D2:2", "D10:1"]
    assert conversation.turns[0].at == datetime(2023, 5, 1, 12, 30, tzinfo=UTC)


def test_evidence_ids_are_read_tolerantly_and_only_turns_that_exist_count(sample):
    [conversation] = locomo.load(sample)

    assert [q.evidence for q in conversation.questions] == [("D2:1",), ("D2:1", "D10:1", "D2:2"), ("D2:1",), ()]
    assert [q.answer for q in conversation.questions] == ["a cat", "2023", None, "Ben"]


def test_a_caption_is_part_of_the_message_on_request_and_the_image_query_never(sample):
    turn = locomo.load(sample)[0].turns[1]

    assert turn.message().content == "Look!"
    assert turn.message(with_caption=True).content == "Look! [image: a boat]"


@pytest.mark.parametrize("content", ["[]", "{}", "not json", '[{"sample_id": "x"}]', "[3]"])
def test_a_file_in_another_form_is_refused(tmp_path, content):
    path = tmp_path / "other.json"
    path.write_text(content)

    with pytest.raises(InputError):
        locomo.load(path)


def test_a_missing_file_or_conversation_is_named(sample, tmp_path):
    with pytest.raises(InputError, match="PERDURE_DATA"):
        locomo.load(tmp_path / "absent.json")
    with pytest.raises(InputError, match="conv-9"):
        locomo.load(sample, only="conv-9")


class Oracle:
    """Returns the first turn it was given, whatever is asked."""

    name = "oracle"

    def ingest(self, conversation):
        self.first = conversation.turns[0].id

    def retrieve(self, questions, *, k):
        return [Retrieved((self.first,), 0.5) for _ in questions]


def test_a_run_asks_each_question_that_has_evidence_and_keeps_a_row_without_text(sample, tmp_path):
    rows = run(Oracle(), locomo.load(sample), k=10)
    write_rows(rows, tmp_path / "rows.jsonl")

    assert [(row.question, row.category, row.recall) for row in rows] == [(0, 4, 1.0), (1, 2, pytest.approx(1 / 3))]
    assert read_rows(tmp_path / "rows.jsonl") == rows
    assert "cat" not in (tmp_path / "rows.jsonl").read_text().replace("category", "")


def test_a_file_that_holds_no_rows_is_refused(sample):
    with pytest.raises(InputError, match="no rows"):
        read_rows(sample)


def test_recall_is_the_share_of_distinct_evidence_among_the_first_k_distinct_turns():
    assert evidence_recall(["a", "a", "b"], ["b", "c"], k=2) == 0.5
    assert evidence_recall(["a", "b"], ["b"], k=1) == 0.0
    with pytest.raises(InputError):
        evidence_recall(["a"], [], k=1)


def test_intervals_by_conversation_are_wider_where_conversations_differ():
    values = [1.0] * 50 + [0.0] * 50
    clusters = ["a"] * 50 + ["b"] * 50

    one, whole = by_question(values), by_cluster(values, clusters)

    assert one.mean == whole.mean == 0.5
    assert 0.35 < one.low < 0.45 < 0.55 < one.high < 0.65
    assert (whole.low, whole.high) == (0.0, 1.0)


def test_the_bootstrap_comes_near_the_normal_interval():
    """An independent check: mean ± 1.96 · deviation / √n."""
    values = [float(n % 7) for n in range(700)]
    half = 1.96 * 2.0 / 700**0.5

    interval = by_question(values)

    assert interval.low == pytest.approx(3.0 - half, abs=0.01)
    assert interval.high == pytest.approx(3.0 + half, abs=0.01)


def test_paired_differences_need_the_same_questions():
    assert paired_differences([1.0, 0.5], [0.5, 0.5]) == [0.5, 0.0]
    with pytest.raises(InputError):
        paired_differences([1.0], [])


def test_a_report_gives_the_mean_both_intervals_and_each_category(sample):
    rows = run(Oracle(), locomo.load(sample), k=10)

    text = "\n".join(report.lines("oracle", rows))

    assert "oracle: 66.67 over 2 questions" in text
    assert "2: 33.3  4: 100.0" in text
    assert "oracle minus itself: +0.00 points" in report.comparison("oracle", rows, "itself", rows)[0]
