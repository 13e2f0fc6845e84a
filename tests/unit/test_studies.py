"""Studies by name: what they vary, what is left out without a model, and the table of each setting."""

from __future__ import annotations

import os

import pytest

from perdure.errors import InputError, SettingsError
from perdure.evaluation import datasets
from perdure.evaluation.outcomes import Folder
from perdure.evaluation.systems import Setup, make
from perdure.evaluation.systems.studies import STUDIES, studies
from perdure.evaluation.systems.variants import parse, varied
from perdure.interfaces.cli import run
from perdure.providers.fakes import HashEmbedder, ScriptedLLM
from perdure.settings import Settings
from perdure.text import count_tokens
from tests import asked as own
from tests.wire import Answer, Request, chat, serve


@pytest.fixture
def line(tmp_path, monkeypatch):
    pytest.importorskip("bpe_openai")
    for key in [key for key in os.environ if key.startswith("PERDURE_")]:
        monkeypatch.delenv(key)
    monkeypatch.setenv("OPENAI_API_KEY", "k-test")
    own.write(tmp_path, "c1")
    return ["--file", str(tmp_path / "own.jsonl"), "--out", str(tmp_path / "run")]


def cells(report: str, title: str) -> list[list[str]]:
    """The rows of a section's table, heads first."""
    section = report.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [row.strip("| ").split(" | ") for row in section.splitlines() if row.startswith("|") and "---" not in row]


@pytest.mark.parametrize("name", list(STUDIES))
def test_every_value_of_a_study_is_a_variant_of_its_own(name):
    wanted, left_out = studies([name], has_model=True)

    names = varied(["perdure"], wanted)

    assert left_out == []
    assert len({repr(parse(one)) for one in names[1:]} | {repr(parse("perdure"))}) == len(names)
    assert not {one.partition("+")[2].partition("=")[2] for one in names} & {"10"} - {""}  # never the default again


def test_a_value_of_several_studies_is_tried_once():
    wanted, _ = studies(["ablations", "graph", "ablations"], has_model=True)

    assert len(wanted) == len(set(wanted))
    assert wanted.count("graph=off") == 1


def test_the_sweeps_are_those_of_the_paper_and_of_k_and_the_budget():
    wanted, _ = studies(["sweeps"], has_model=True)

    swept = {one.partition("=")[0] for one in wanted}
    assert swept == {"window", "top_s", "floor", "k", "summary_every", "budget_tokens"}


def test_without_a_model_what_needs_one_is_left_out_and_named():
    wanted, left_out = studies(["window", "k", "ablations", "graph"], has_model=False)

    assert {"window=0", "guard=off", "prompt_size=short", "graph=paper"} <= set(left_out)
    assert {"k=1", "graph=off", "embedder=none", "include=messages"} <= set(wanted)
    assert not set(wanted) & set(left_out)


def test_an_unknown_study_is_answered_with_the_known_ones():
    with pytest.raises(InputError, match=r"'m'.*window.*sweeps"):
        studies(["m"], has_model=True)


@pytest.mark.parametrize(
    "name", ["perdure+graph=on", "perdure+include=", "perdure+include=facts", "perdure+guard=maybe"]
)
def test_a_wrong_value_of_an_ablation_is_named(name):
    with pytest.raises(InputError, match=name.partition("+")[2].partition("=")[0]):
        parse(name)


def test_the_graph_is_left_out_where_it_is_off(tmp_path):
    [conversation] = datasets.load("own", own.write(tmp_path, "c1"))
    relations = {}

    for name in ("perdure+include=relations", "perdure+graph=off+include=relations"):
        system = make(name, Setup(HashEmbedder(), None, Settings(), count_tokens, 500))
        system.ingest(conversation)
        relations[name] = [found.context for found in system.retrieve(["Where does Ana live?"], k=5)]
        system.reset()

    with_graph, without = relations.values()
    assert "Graz" in with_graph[0]
    assert without == [""]


def test_offline_one_command_sweeps_and_tabulates(tmp_path, line, capsys):
    code = run(["--embedder", "hash", "eval", "own", *line, "--offline", "--study", "k,window,graph"])
    shown = capsys.readouterr()

    assert code == 0
    assert "are left out: window=0" in shown.err
    heads, *rows = cells(shown.out, "Study of k (perdure)")
    assert [row[0] for row in rows] == ["unchanged", "1", "5", "20", "50"]
    assert heads[:2] == ["k", "evidence"]
    assert float(rows[1][1]) < float(rows[4][1])
    assert [row[0] for row in cells(shown.out, "Study of graph (perdure)")[1:]] == ["unchanged", "off"]
    assert "Study of window" not in shown.out
    assert {row.system for row in Folder(tmp_path / "run").outcomes()} >= {"perdure", "perdure+include=relations"}


def respond(request: Request) -> Answer:
    said = request.body["messages"][-1]["content"]
    tools = [tool["function"]["name"] for tool in request.body.get("tools", [])]
    if tools:
        return chat(None, calls=[(tools[0], own.think(tools[0], said))])
    return chat(own.answer(said) if "QUESTION" in said else "Ana adopted Mia.")


def test_with_a_model_the_cost_of_each_value_stands_beside_its_quality(tmp_path, line, monkeypatch, capsys):
    with serve(respond) as wire:
        monkeypatch.setenv("PERDURE_LLM_BASE_URL", wire.base_url)
        code = run(
            ["--embedder", "hash", "--llm", "openai:tiny", "eval", "own", *line, "--judges", "none", "--study", "summary_every"]
        )  # fmt: skip

    heads, *rows = cells(capsys.readouterr().out, "Study of summary_every (perdure)")
    assert code == 0
    assert heads[:3] == ["summary_every", "lexical", "evidence"]
    costs = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    assert list(costs) == ["unchanged", "1", "5", "50"]
    assert int(costs["1"]["write calls"]) > int(costs["50"]["write calls"]) > 0
    assert int(costs["1"]["write tokens"]) > int(costs["50"]["write tokens"]) > 0


def test_a_script_of_the_decision_shows_what_the_guard_is_worth(tmp_path):
    """Written in two sessions: a merge that drops Lyon is refused, unless the guard is off."""
    [conversation] = datasets.load("own", own.write(tmp_path, "c1"))

    def reply(prompt):
        tool = prompt.tools[0].name
        if tool != "settle" or "[1] (" not in prompt.turns[0].content:
            return own.think(tool, prompt.turns[-1].content) if prompt.tools else "S."
        decided = {
            "fact": 1,
            "event": "UPDATE",
            "memory": 1,
            "effect": None,
            "text": "Ana sails.",
            "changed": [],
            "reason": ".",
        }
        return {"decisions": [decided]}

    held = {}
    for name in ("perdure+floor=-1", "perdure+floor=-1+guard=off"):
        system = make(name, Setup(HashEmbedder(), ScriptedLLM(reply), Settings(), count_tokens, 500))
        system.ingest(conversation)
        held[name] = [record.text for record in system._records()]
        system.reset()

    guarded, unguarded = held.values()
    assert "Ana sails." not in guarded
    assert "Ana sails." in unguarded


def test_a_second_model_decides_alone_and_what_it_takes_counts_with_the_first(tmp_path, line, monkeypatch, capsys):
    with serve(respond) as wire:
        monkeypatch.setenv("PERDURE_LLM_BASE_URL", wire.base_url)
        code = run(
            ["--embedder", "hash", "--llm", "openai:big", "eval", "own", *line, "--judges", "none",
             "--systems", "perdure+floor=-1", "--decision-llm", "openai:small"]
        )  # fmt: skip
        asked = {(r.body["model"], tool["function"]["name"]) for r in wire.requests for tool in r.body.get("tools", [])}

    assert code == 0
    assert {tool for model, tool in asked if model == "small"} == {"settle"}
    assert ("big", "settle") in asked  # without the second model, beside it
    of = {row.system: row for row in Folder(tmp_path / "run").ingests()}
    assert of["perdure+floor=-1+decider=small"].calls == of["perdure+floor=-1"].calls > 0


def test_a_variant_that_decides_by_another_model_needs_one():
    setup = Setup(HashEmbedder(), ScriptedLLM(lambda _: "S."), Settings(), count_tokens, 500)

    with pytest.raises(SettingsError, match="--decision-llm"):
        make("perdure+decider=small", setup)
