"""Each loader on a small file of our own words in the set's form, and the real files by their counts."""

from __future__ import annotations

import gzip
import json
import os
from datetime import UTC, datetime

import pytest

from perdure.errors import InputError
from perdure.evaluation import datasets
from perdure.evaluation.datasets import locomo
from perdure.evaluation.datasets.files import data_folder

needs_data = pytest.mark.skipif(
    not (data_folder() / "other").is_dir() and os.environ.get("PERDURE_REQUIRE_DATA") != "1",
    reason="no evaluation data",
)


def write(path, value, *, lines=False):
    text = "\n".join(json.dumps(row) for row in value) if lines else json.dumps(value)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_longmemeval_sorts_sessions_and_takes_the_marked_turns_as_evidence(tmp_path):
    said = [{"role": "user", "content": "My tea is green.", "has_answer": True}, {"role": "assistant", "content": "Ok"}]
    item = {
        "question_id": "q1", "question_type": "single-session-user", "question": "Which tea?", "answer": 3,
        "question_date": "2023/05/30 (Tue) 23:40", "answer_session_ids": ["s2"],
        "haystack_dates": ["2023/05/21 (Sun) 02:57", "2023/05/20 (Sat) 02:21"], "haystack_session_ids": ["s2", "s1"],
        "haystack_sessions": [said, [{"role": "user", "content": "Hello"}]],
    }  # fmt: skip
    unmarked = {**item, "question_id": "q2_abs", "haystack_sessions": [[{"role": "user", "content": "Hi"}]] * 2}

    one, two = datasets.load("longmemeval", write(tmp_path / "lme.json", [item, unmarked]))

    assert [turn.text for turn in one.turns] == ["Hello", "My tea is green.", "Ok"]
    assert [(q.evidence, q.unit, q.answer) for q in one.questions] == [((one.turns[1].id,), "turn", "3")]
    assert one.questions[0].at == datetime(2023, 5, 30, 23, 40, tzinfo=UTC)
    assert [(q.evidence, q.unit, q.is_answerable) for q in two.questions] == [(("s2",), "session", False)]
    assert one.turns[2].message().role == "assistant"


def test_beam_dates_turns_by_their_batch_and_drops_the_marks_of_generation(tmp_path):
    chat = {
        "id": 4,
        "chat": [
            {"batch_number": 1, "time_anchor": "March-15-2024", "turns": [
                [{"role": "user", "id": 0, "content": "I use Rust. ->-> 1,1"}, {"role": "assistant", "id": 1, "content": "Fine"}]
            ]},
            {"batch_number": 2, "time_anchor": None, "turns": [[{"role": "user", "id": 2, "content": "And Go."}]]},
        ],
        "probing_questions": {
            "knowledge_update": [{"question": "Which?", "answer": "Go", "source_chat_ids": {"old": [0], "new": [2, 99]}}],
            "abstention": [{"question": "Why?", "ideal_response": "It is not said."}],
        },
    }  # fmt: skip

    [found] = datasets.load("beam", write(tmp_path / "beam.jsonl.gz", [chat], lines=True), only="4")

    assert [turn.text for turn in found.turns] == ["I use Rust.", "Fine", "And Go."]
    assert found.turns[0].at == datetime(2024, 3, 15, tzinfo=UTC) < found.turns[2].at
    assert [(q.category, q.evidence, q.is_answerable) for q in found.questions] == [
        ("knowledge_update", ("0", "2"), True),
        ("abstention", (), False),
    ]


def test_halumem_asks_about_the_last_change_of_a_point(tmp_path):
    def point(item):
        return {"type": "like", "type_description": "Pets I like", "specific_item": item, "reason": "They are calm."}

    def event(number, before, after, direction):
        return {
            "event_id": number, "type_to_update": "Pets", "changed_index": 0, "update_direction": direction,
            "before_preference": {"memory_points": [point(before)]}, "update_reason": "It passed.",
            "after_preference": {"memory_points": [point(after)]}, "event_description": f"From {before} to {after}.",
        }  # fmt: skip

    row = {
        "uuid": "u1",
        "profile": {
            "fixed": {"basic_info": {"name": "Ida"}},
            "preferences": {"Pets": {"init": {"memory_points": [point("cats")]}}},
        },
        "event_list": [event(2, "dogs", "fish", "Delete"), event(1, "cats", "dogs", "Modify")],
    }

    [found] = datasets.load("halumem", write(tmp_path / "h.jsonl", [row], lines=True))

    assert [turn.text for turn in found.turns][1:] == ["From cats to dogs.", "From dogs to fish."]
    [question] = found.questions
    assert question.evidence == (found.turns[2].id,)
    assert question.answer == "It is no longer so: It passed."
    assert found.now > found.turns[0].at


def test_personamem_asks_over_the_sessions_that_a_question_names_and_hides_the_persona(tmp_path):
    session = "[SYSTEM] Current user persona: a secret\n\n[USER] User: I paint.\n\n[ASSISTANT] Assistant: Lovely."
    write(tmp_path / "documents.json", [{"id": "d1", "content": session}, {"id": "d2", "content": session}])
    query = {
        "id": "q", "query": "User: Any idea?\n\n(a) Sing\n(b) Paint more", "gold_answers": ["(b) Paint more", "b"],
        "gold_ids": ["d1"], "user_id": "u", "meta": {"question_type": "suggest"},
    }  # fmt: skip

    [found] = datasets.load("personamem", write(tmp_path / "queries.json", [query]))

    assert [(turn.speaker, turn.text) for turn in found.turns] == [("user", "I paint."), ("assistant", "Lovely.")]
    [question] = found.questions
    assert (question.text, question.answer) == ("User: Any idea?", "b")
    assert question.choices == (("a", "Sing"), ("b", "Paint more"))


def test_prefeval_makes_a_conversation_of_a_topic(tmp_path):
    rows = [{"topic": "t", "preference": f"I like {x}", "question": f"What {x}?"} for x in ("a", "b")]

    [found] = datasets.load("prefeval", write(tmp_path / "p.jsonl", rows, lines=True))

    assert [(q.text, q.evidence, q.answer) for q in found.questions] == [
        ("What a?", ("P1",), None),
        ("What b?", ("P2",), None),
    ]


def test_memdaily_reads_chinese_dates(tmp_path):
    row = {
        "file": "01_simple_events", "tid": 7,
        "message_list": [{"mid": 0, "message": "我喜欢茶。", "time": "2024年04月01日 周一 08:30", "place": "x"}],
        "question_list": [{
            "qid": 0, "question": "喜欢什么？", "answer": "茶", "target_step_id": [0, 5], "choices": {},
            "ground_truth": "A", "time": "2024年04月02日 周二 07:42",
        }],
    }  # fmt: skip

    [found] = datasets.load("memdaily", write(tmp_path / "m.jsonl", [row], lines=True), only="01_simple_events/7")

    assert found.turns[0].at == datetime(2024, 4, 1, 8, 30, tzinfo=UTC)
    assert [(q.category, q.evidence) for q in found.questions] == [("01_simple", ("0",))]


def test_a_users_own_file_needs_little(tmp_path):
    row = {
        "messages": [{"content": "I live in Graz.", "at": "2024-05-08T12:00:00Z", "name": "Ana"}],
        "questions": [{"question": "Where?", "answer": "Graz", "evidence": [1]}, {"question": "Why?", "answerable": False}],
    }  # fmt: skip

    [found] = datasets.load("own", write(tmp_path / "own.jsonl", [row], lines=True))

    assert found.speakers == ("Ana", "assistant")
    assert [(q.evidence, q.is_answerable) for q in found.questions] == [(("1",), True), ((), False)]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"messages": []}, "no messages"),
        ({"messages": [{"content": "x", "at": "2024-05-08T12:00:00Z", "role": "tool"}]}, "role"),
        ({"messages": [{"content": "x", "at": "2024-05-08T12:00:00Z"}], "questions": [{"question": "?", "evidence": ["9"]}]}, "'9'"),
        ({"messages": [{"content": "x", "at": "2024-05-08T12:00:00Z", "id": 1}] * 2}, "two messages"),
        ({"messages": [{"content": "x", "at": "yesterday"}]}, "at"),
        ([], "form"),
    ],
)  # fmt: skip
def test_a_wrong_own_file_is_refused(tmp_path, row, words):
    with pytest.raises(InputError, match=words):
        datasets.load("own", write(tmp_path / "own.jsonl", [row], lines=True))


@pytest.mark.parametrize("name", [name for name in datasets.DATASETS if name != "own"])
def test_a_missing_file_says_where_to_get_it(tmp_path, name):
    with pytest.raises(InputError, match=r"get it from https://github.com/"):
        datasets.load(name, tmp_path / "queries.json")


def test_a_file_that_is_not_packed_or_not_json_is_refused(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(b"{}")
    (tmp_path / "b.json").write_bytes(b"\xff")

    with pytest.raises(InputError, match="gzip"):
        datasets.load("beam", tmp_path / "a.jsonl.gz")
    with pytest.raises(InputError, match="JSON"):
        datasets.load("locomo", tmp_path / "b.json")


def test_unknown_sets_keys_and_conversations_are_named(tmp_path):
    own = write(tmp_path / "o.jsonl", [{"messages": [{"content": "x", "at": "2024-05-08T12:00:00Z"}]}], lines=True)

    with pytest.raises(InputError, match="locomo, longmemeval"):
        datasets.load("other")
    with pytest.raises(InputError, match="audited"):
        datasets.load("own", own, key="clean")
    with pytest.raises(InputError, match="'c9'"):
        datasets.load("own", own, only="c9")


def test_the_clean_key_leaves_wrong_answers_out_and_mends_citations(tmp_path):
    talk = {
        "speaker_a": "Ana", "speaker_b": "Ben", "session_1_date_time": "9:05 am on 2 June, 2023",
        "session_1": [{"speaker": "Ben", "dia_id": f"D1:{n}", "text": "So."} for n in (1, 2)],
    }  # fmt: skip
    qa = [{"question": f"{n}?", "answer": "x", "evidence": ["D1:1"], "category": 4} for n in range(3)]
    path = write(tmp_path / "locomo.json", [{"sample_id": "c", "conversation": talk, "qa": qa}])
    errors = [
        {"sample_id": "c", "qa_index": 0, "error_type": "HALLUCINATION", "correct_evidence": []},
        {"sample_id": "c", "qa_index": 2, "error_type": "WRONG_CITATION", "correct_evidence": ["D1:2"]},
    ]
    write(tmp_path / "audit_errors.dev.jsonl", errors, lines=True)

    [clean] = datasets.load("locomo", path, key="clean")

    assert [(q.index, q.evidence) for q in clean.questions] == [(1, ("D1:1",)), (2, ("D1:2",))]


def test_categories_are_shown_by_their_number_and_both_names():
    shown = datasets.DATASETS["locomo"].category

    assert [shown(number) for number in locomo.NAMES][:2] == ['1 multi-hop (Mem0 paper: "single-hop")', "2 temporal"]
    assert datasets.DATASETS["beam"].category("abstention") == "abstention"


@pytest.mark.data
@pytest.mark.slow
@needs_data
@pytest.mark.parametrize(
    ("name", "conversations", "questions", "with_evidence", "unanswerable"),
    [
        ("locomo", 6, 1157, 1155, 272),
        ("longmemeval", 97, 97, 97, 2),
        ("beam", 10, 200, 179, 20),
        ("halumem", 20, 512, 512, 0),
        ("personamem", 37, 589, 0, 0),
        ("prefeval", 20, 1000, 1000, 0),
        ("memdaily", 3000, 3000, 3000, 0),
    ],
)
def test_the_real_files_are_read_whole(name, conversations, questions, with_evidence, unanswerable):
    found = datasets.load(name)

    asked = [question for conversation in found for question in conversation.questions]
    assert len({conversation.id for conversation in found}) == conversations
    assert len(asked) == questions
    assert all(len({q.index for q in c.questions}) == len(c.questions) for c in found)
    assert sum(bool(question.evidence) for question in asked) == with_evidence
    assert sum(not question.is_answerable for question in asked) == unanswerable
    assert all(len({turn.id for turn in c.turns}) == len(c.turns) for c in found)


@pytest.mark.data
@needs_data
def test_the_clean_key_of_locomo_has_58_questions_less():
    assert sum(len(conversation.questions) for conversation in locomo.load(key="clean")) == 1157 - 58


def test_the_command_line_offers_every_set():
    from perdure.interfaces.cli.evaluate import SETS

    assert tuple(datasets.DATASETS) == SETS


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("torn.jsonl.gz", gzip.compress(b"{}" * 50)[:20] + b"\xff" * 10 + gzip.compress(b"{}" * 50)[30:], "not whole"),
        ("deep.jsonl", b"[" * 200_000 + b"]" * 200_000, "does not hold JSON"),
        ("undated.jsonl", b'{"messages": [{"content": "I snore."}]}', "message 1 of conversation '0' has no at"),
        (
            "sorted.jsonl",
            b'{"messages": [{"content": "I snore.", "at": "2024-05-08T12:00:00Z"}], "questions": [{"question": "?", "category": [1]}]}',
            "the category of question 0",
        ),
    ],
    ids=("torn", "deep", "undated", "sorted"),
)
def test_a_broken_file_of_ones_own_is_refused_with_its_fault(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)

    with pytest.raises(InputError, match=said):
        datasets.load("own", tmp_path / name)
