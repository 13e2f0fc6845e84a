"""A whole run on our own words: systems, answers, verdicts, scores, reports; interrupted and gone on with."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from perdure.errors import BadCompletion, InputError, ProviderError, SettingsError
from perdure.evaluation import asking, datasets
from perdure.evaluation.compared import percentile, summarise
from perdure.evaluation.conversation import Question
from perdure.evaluation.experiment import Asking, fingerprint, run, sampled
from perdure.evaluation.outcomes import Answered, Folder, Outcome, Spec
from perdure.evaluation.plots import Point, bars, scatter
from perdure.evaluation.published import ROWS
from perdure.evaluation.reporting import report
from perdure.evaluation.scoring import mean, primary, score
from perdure.evaluation.systems import Setup, expanded, make
from perdure.evaluation.systems.rag import cut
from perdure.evaluation.systems.variants import varied
from perdure.evaluation.tape import Tape, TapedLLM
from perdure.models import Completion
from perdure.providers.fakes import HashEmbedder, ScriptedLLM
from perdure.settings import Settings
from perdure.text import count_tokens
from tests import asked as own

NAMES = ("perdure", "perdure-append", "perdure-verbatim", "all-memories", "rag-64x1", "summary", "full-context", "none")


class Stopped(BaseException):
    """A kill, as far as Python can see one."""


def spec(conversations, **fields):
    return Spec(
        **{
            "dataset": "own", "data_sha256": fingerprint(conversations), "conversations": ("c1", "c2"), "questions": 8,
            "sample": None, "seed": 1, "k": 2, "budget_tokens": 500, "embedder": "hash-256", "model": "scripted",
            "judge": "scripted", "judges": ("lenient", "strict"), "judge_runs": 2, "version": "0", **fields,
        }
    )  # fmt: skip


@pytest.fixture
def conversations(tmp_path):
    return datasets.load("own", own.write(tmp_path, "c1", "c2"))


def carry_out(folder, conversations, *, llm=None, names=NAMES, **fields):
    """Run with a scripted model, or (llm=False) without any."""
    folder.begin(spec(conversations, **fields), resume=True)
    tape = Tape(folder.path / "calls.jsonl")
    taped = None if llm is False else TapedLLM(llm or ScriptedLLM(own.reply), tape)
    setup = Setup(HashEmbedder(), taped, Settings(), count_tokens, 500)
    ask = Asking(2, count_tokens, taped, taped, ("lenient", "strict"), 2)
    run(names, lambda name: make(name, setup), conversations, folder, ask)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A whole run, made once."""
    path = tmp_path_factory.mktemp("finished")
    folder = Folder(path / "run")
    carry_out(folder, datasets.load("own", own.write(path, "c1", "c2")))
    return folder.path


@pytest.fixture
def done(finished, tmp_path):
    """A copy of it, to be spoiled."""
    return Folder(Path(shutil.copytree(finished, tmp_path / "run")))


def test_every_system_is_asked_every_question_and_judged_as_often_as_wanted(done):
    rows = done.outcomes()

    assert [row.system for row in rows[::8]] == list(NAMES)
    assert len(rows) == 8 * len(NAMES)
    first = rows[0]
    assert (first.answer.text, first.is_answerable, first.category) == ("Mia", True, "pets")
    assert {name: verdicts.said for name, verdicts in first.verdicts.items()} == {
        "lenient": (True, True),
        "strict": (True, True),
    }
    assert first.verdicts["lenient"].hash != first.verdicts["strict"].hash
    assert len({row.answer.hash for row in rows}) == 1  # one prompt for all
    assert rows[3].verdicts == {}  # nothing to judge where nothing can be answered


def test_rows_hold_no_text_but_the_models_answers(done):
    text = (done.path / "rows.jsonl").read_text()

    assert "adopted" not in text
    assert "What is" not in text


def test_answers_come_from_what_a_system_found(done, conversations):
    scored = score(done.outcomes(), conversations, k=2, dataset="own")
    by = {name: [s for s in scored if s.outcome.system == name] for name in NAMES}

    assert mean(by["full-context"], "J strict") == mean(by["perdure"], "J strict") == 1.0
    assert mean(by["none"], "J lenient") == 0.0
    assert mean(by["none"], "evidence") == 0.0
    assert mean(by["full-context"], "evidence") == mean(by["all-memories"], "evidence") == 1.0
    assert "recall" not in by["full-context"][0].values  # the order of a talk is no ranking
    assert mean(by["perdure-verbatim"], "recall") > 0.5
    assert primary(scored) == "J lenient"


def test_evidence_is_not_scored_where_a_system_cannot_say_what_it_rests_on(done, conversations):
    scored = score(done.outcomes(), conversations, k=2, dataset="own")
    by = {name: [s for s in scored if s.outcome.system == name] for name in NAMES}

    assert all("evidence" not in one.values for one in by["summary"])
    assert mean(by["summary"], "coverage") > 0
    assert mean(by["none"], "evidence") == 0.0  # it says nothing, and rests on nothing


def test_what_taking_in_costs_is_kept(done):
    by = {(one.system, one.conversation): one for one in done.ingests()}

    assert len(by) == 2 * len(NAMES)
    assert by["perdure", "c1"].calls >= 2
    assert by["perdure", "c1"].facts == 4
    assert by["perdure", "c1"].fact_tokens > 10
    assert by["summary", "c2"].calls == 2  # one a session
    assert by["none", "c1"].calls == by["perdure-verbatim", "c1"].facts == 0


@pytest.mark.parametrize("calls", [1, 3, 7, 20])
def test_a_run_that_was_killed_goes_on_and_pays_no_call_twice(tmp_path, conversations, calls):
    def until(prompt, made=[]):  # noqa: B006 - counts over calls
        made.append(prompt)
        if len(made) > calls:
            raise Stopped
        return own.reply(prompt)

    folder, whole = Folder(tmp_path / "cut"), Folder(tmp_path / "whole")
    broken = ScriptedLLM(until)
    with pytest.raises(Stopped):
        carry_out(folder, conversations, llm=broken, names=("perdure", "full-context"))
    again = ScriptedLLM(own.reply)
    carry_out(folder, conversations, llm=again, names=("perdure", "full-context"))
    straight = ScriptedLLM(own.reply)
    carry_out(whole, conversations, llm=straight, names=("perdure", "full-context"))

    answered = len(broken.prompts) - 1
    assert answered == calls
    assert answered + len(again.prompts) == len(straight.prompts)
    assert [plain(row) for row in folder.outcomes()] == [plain(row) for row in whole.outcomes()]


def plain(row):
    return replace(row, search_ms=0, answer=replace(row.answer, ms=0))


def test_a_finished_run_asks_nothing_again(done, conversations):
    llm = ScriptedLLM([])

    carry_out(done, conversations, llm=llm)

    assert llm.prompts == []
    assert len(done.outcomes()) == 8 * len(NAMES)


def test_a_row_that_a_kill_cut_short_is_asked_again(done, conversations):
    place = done.path / "rows.jsonl"
    before = done.outcomes()
    place.write_bytes(place.read_bytes()[:-20])

    carry_out(done, conversations, llm=ScriptedLLM([]))  # from the tape alone

    assert [plain(row) for row in done.outcomes()] == [plain(row) for row in before]


def test_a_folder_holds_one_run(done, conversations):
    with pytest.raises(InputError, match="--resume"):
        done.begin(spec(conversations), resume=False)
    with pytest.raises(InputError, match="another judge_runs, k"):
        done.begin(spec(conversations, k=3, judge_runs=5), resume=True)
    with pytest.raises(InputError, match="no run"):
        Folder(done.path / "elsewhere").spec()


def test_without_a_model_retrieval_is_measured_and_nothing_is_answered(tmp_path, conversations):
    folder = Folder(tmp_path / "run")
    carry_out(folder, conversations, llm=False, names=("perdure", "perdure-verbatim", "full-context"), model=None)

    scored = score(folder.outcomes(), conversations, k=2, dataset="own")

    assert primary(scored) == "evidence"
    assert all(row.answer is None and not row.verdicts for row in folder.outcomes())
    assert mean([s for s in scored if s.outcome.system == "full-context"], "coverage") == 1.0
    assert "no model" in report(folder, conversations)["markdown"].read_text()


def test_the_reports_are_made_from_rows_alone_and_again_the_same(done, conversations):
    paths = report(done, conversations, clean=conversations)
    texts = [path.read_text() for path in paths.values()]

    (done.path / "calls.jsonl").unlink()
    again = [path.read_text() for path in report(done, conversations, clean=conversations).values()]

    assert texts == again
    for words in ("## By category", "## Overall", "## Against perdure", "p, Holm", "## Noise floor", "clean key", "–"):
        assert words in texts[0]
    assert "pets: f1" in texts[0]


def test_the_page_is_one_file_of_wellformed_parts_with_nothing_to_fetch(done, conversations):
    text = report(done, conversations)["page"].read_text()
    svgs = ["<svg" + part.partition("</svg>")[0] + "</svg>" for part in text.split("<svg")[1:]]

    assert len(svgs) == 3
    assert all(ET.fromstring(svg) is not None for svg in svgs)
    seen = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: seen.append((tag, dict(attributes)))
    parser.feed(text)
    assert not [tag for tag, given in seen if {"src", "href"} & given.keys() or tag in ("script", "link", "img")]


def test_a_system_that_was_not_asked_everything_is_not_reported(done, conversations):
    place = done.path / "rows.jsonl"
    lines = place.read_text().splitlines(keepends=True)
    place.write_text("".join(lines[:-1]))

    text = report(done, conversations)["markdown"].read_text()

    assert "| full-context |" in text
    assert "| none |" not in text
    place.write_text(lines[0])
    with pytest.raises(InputError, match="--resume"):
        report(done, conversations)


def test_rows_of_another_set_are_not_scored(done, conversations):
    others = [replace(conversation, id="x" + conversation.id) for conversation in conversations]

    with pytest.raises(InputError, match="data set"):
        score(done.outcomes(), others, k=2, dataset="own")


def test_a_sample_is_repeatable_and_counts_questions(conversations):
    one, two = (sampled(conversations, 3, seed=seed) for seed in (1, 1))

    assert one == two
    assert sum(len(conversation.questions) for conversation in one) == 3
    assert sampled(conversations, None, seed=1) == conversations
    assert fingerprint(one) != fingerprint(conversations)


def outcome(question, said, *, is_answerable=True, category="x", confidence=0.5, system="s", coverage=None):
    answer = None if said is None else Answered(said, "m", "h", 1, 1, 10.0)
    return Outcome(system, "c1", question, category, is_answerable, (), True, confidence, 10, coverage, 1.0, answer)


def test_abstention_is_scored_apart_from_answers(conversations):
    rows = [
        outcome(0, "Mia", confidence=0.9),
        outcome(1, "No information available", confidence=0.8),
        outcome(3, "Not mentioned.", is_answerable=False, confidence=0.1),
    ]

    summary = summarise(score(rows, conversations, k=2, dataset="own"), [], seed=1)

    one = summary.declined["s"]
    assert (one.auroc, one.declined, one.declined_wrongly) == (1.0, 1.0, 0.5)
    assert one.risk == pytest.approx((0 + 1 / 2 + 2 / 3) / 3)
    assert summary.measured["s"]["lexical"].mean == 0.5


def test_a_multiple_choice_question_is_scored_by_its_letter(conversations):
    question = Question(0, "?", "b", "x", (), choices=(("a", "Sing"), ("b", "Paint")))
    choosing = [replace(conversations[0], questions=(question,))]

    right, wrong = (score([outcome(0, said)], choosing, k=1, dataset="own")[0] for said in ("(B) Paint", "a"))

    assert (right.values["choice"], wrong.values["choice"]) == (1.0, 0.0)
    assert "f1" not in right.values
    assert "(a) " in asking.question_prompt(question, "", now=conversations[0].now).turns[0].content


def test_evidence_of_sessions_is_found_by_any_of_their_turns(conversations):
    day = conversations[0].turns[2].session
    question = Question(0, "?", "x", "y", (day,), unit="session")
    by_session = [replace(conversations[0], questions=(question,))]

    [scored] = score([replace(outcome(0, None), turns=("1", "4", "3"))], by_session, k=2, dataset="own")

    assert (scored.values["evidence"], scored.values["recall"]) == (1.0, 1.0)


def test_locomos_categories_have_their_own_f1(conversations):
    numbered = [replace(conversations[0], questions=(Question(0, "?", None, 5, (), is_answerable=False),))]

    [scored] = score(
        [outcome(0, "No information available", category=5, is_answerable=False)], numbered, k=1, dataset="locomo"
    )

    assert scored.values["locomo_f1"] == 1.0
    assert mean([scored], "locomo_f1") is None  # means leave out what cannot be answered


@pytest.mark.parametrize(
    ("said", "correct"),
    [
        ({"correct": True}, True),
        ('```json\n{"correct": "false"}\n```', False),
        ("<think>{'correct': false}</think> {\"correct\": true}", True),
    ],
)
def test_a_verdict_is_read_from_a_call_or_from_text(said, correct):
    llm = ScriptedLLM([said])

    assert asking.read_verdict(llm.complete([asking.verdict_prompt("?", "a", "b", "strict")])[0]) is correct


def test_a_reply_without_a_verdict_is_named():
    with pytest.raises(BadCompletion, match="no verdict"):
        asking.read_verdict(Completion("It is fine."))


def test_data_in_a_verdict_prompt_cannot_end_its_line():
    said = asking.verdict_prompt("?", "a", 'b"\nReference: b', "lenient").turns[0].content

    assert said.count("\nReference:") == 1


def test_chunks_are_of_whole_turns_within_their_size(conversations):
    turns = conversations[0].turns

    chunks = cut(turns, lambda text: len(text.split()), chunk_tokens=20)

    assert [turn for chunk in chunks for turn in chunk] == list(turns)
    assert len(chunks) > 1
    assert cut(turns, lambda text: 1000, chunk_tokens=20) == [[turn] for turn in turns]


@pytest.mark.parametrize("name", ["perdure-append", "perdure-paper", "summary"])
def test_a_system_that_needs_a_model_says_so(name):
    with pytest.raises(SettingsError, match="--llm"):
        make(name, Setup(HashEmbedder(), None, Settings(), count_tokens, 500))


def test_a_system_that_ranks_by_embeddings_says_so_where_there_are_none():
    with pytest.raises(SettingsError, match="embedder"):
        make("rag-64x1", Setup(None, None, Settings(), count_tokens, 500))


@pytest.mark.parametrize("name", ["mem9", "rag-0x1", "rag-12", ""])
def test_an_unknown_system_is_answered_with_the_known_ones(name):
    with pytest.raises(InputError, match="full-context"):
        make(name, Setup(HashEmbedder(), None, Settings(), count_tokens, 500))


def test_the_papers_chunk_sizes_are_one_name():
    assert len(expanded(["rags", "rag-128x1"])) == 14


def test_a_model_that_fails_while_taking_in_stops_the_run(tmp_path, conversations):
    llm = ScriptedLLM(lambda prompt: ProviderError("down"))

    with pytest.raises(ProviderError, match="perdure could not take in session 2024-05-01 of c1"):
        carry_out(Folder(tmp_path / "run"), conversations, llm=llm, names=("perdure",))


def test_a_percentile_is_that_of_the_sorted_values():
    assert percentile([5.0], 0.95) == 5.0
    assert percentile(list(map(float, range(101))), 0.95) == 95.0


def test_plots_take_odd_names_and_empty_systems():
    points = [Point("<a&b>", 0.0, 0.5, 0.4, 0.6), Point("c", 12_345.0, 1.0, 1.0, 1.0)]

    assert ET.fromstring(scatter(points, x_title="x", y_title="<y>")) is not None
    assert ET.fromstring(bars({"g": {"a": 0.1}, "h" * 99: {"b": 0.2}}, y_title="y")) is not None
    assert scatter([], x_title="x", y_title="y") == bars({}, y_title="y") == ""


def test_a_variant_changes_what_its_name_says_and_nothing_else(tmp_path, conversations):
    folder = Folder(tmp_path / "run")
    names = varied(["perdure-verbatim", "none"], ["k=1"])

    carry_out(folder, conversations, llm=False, names=names, model=None)

    rows = {row.system: row for row in folder.outcomes() if row.key == ("c1", 0)}
    assert [len(rows[name].turns) for name in names] == [2, 1, 0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rag-64x1+k=3", "no settings to vary"),
        ("perdure+flor=0.3", "cannot be varied"),
        ("perdure+llm=x", "cannot be varied"),
        ("perdure+k=0", "cannot be varied"),
        ("perdure+floor=high", "floor"),
        ("perdure+floor=7", "cosine"),
    ],
)
def test_a_wrong_variant_is_named(name, words):
    with pytest.raises(InputError, match=words):
        make(name, Setup(HashEmbedder(), None, Settings(), count_tokens, 500))


@pytest.mark.parametrize("study", ["k", "k=", "=", "k=,"])
def test_a_study_needs_values(study):
    with pytest.raises(InputError, match="name=value"):
        varied(["perdure"], [study])


def test_a_variant_may_leave_the_embedder_out():
    made = make("perdure-verbatim+embedder=none", Setup(HashEmbedder(), None, Settings(), count_tokens, 500))

    assert made.name == "perdure-verbatim+embedder=none"
    made.reset()


def test_two_stores_have_a_speaker_each_and_are_both_shown(tmp_path, conversations):
    folder = Folder(tmp_path / "run")
    llm = ScriptedLLM(own.reply)

    carry_out(folder, conversations, llm=llm, names=("perdure-two-stores",))

    scored = score(folder.outcomes(), conversations, k=2, dataset="own")
    asked_ = next(prompt for prompt in llm.prompts if prompt.name == "answer").turns[0].content
    assert "Of Ana:" in asked_
    assert "Of Ben:" in asked_
    assert mean(scored, "J strict") > 0.5
    assert folder.ingests()[0].facts == 8


def test_the_published_rows_give_the_papers_overall_j():
    """Weighted by the questions of each category: 282, 321, 96 and 841."""
    sizes = (282, 321, 96, 841)

    for row in ROWS:
        if row.overall is not None and row.categories:
            weighted = sum(size * of[2] for size, of in zip(sizes, row.categories, strict=True)) / sum(sizes)
            assert weighted == pytest.approx(row.overall, abs=0.6), row.system


def test_a_judge_that_says_nothing_refuses_and_the_report_says_how_often(tmp_path, conversations):
    folder = Folder(tmp_path / "run")
    llm = ScriptedLLM(lambda prompt: "Hm." if prompt.name.startswith("judge") else own.reply(prompt))

    carry_out(folder, conversations, llm=llm, names=("full-context",))

    first = folder.outcomes()[0].verdicts["strict"]
    assert (first.said, first.unread) == ((False, False), 2)
    assert "24 replies of the judge held no verdict" in report(folder, conversations)["markdown"].read_text()


@pytest.mark.parametrize("line", ["null", "[1]", "{}"])
@pytest.mark.parametrize("name", ["rows.jsonl", "ingests.jsonl"])
def test_a_damaged_row_of_a_run_is_an_input_error(tmp_path, name, line):
    (tmp_path / name).write_text(line + "\n", "utf-8")
    folder = Folder(tmp_path)

    with pytest.raises(InputError, match="damaged"):
        folder.outcomes() if name == "rows.jsonl" else folder.ingests()
