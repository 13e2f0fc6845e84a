"""`perdure eval` through a socket: the whole path, killed and gone on with, and offline without any."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests import asked
from tests.wire import Answer, Request, chat, serve

from perdure.evaluation.outcomes import Folder
from perdure.interfaces.cli import run

SRC = Path(__file__).parents[2] / "src"


def respond(request: Request) -> Answer:
    """A chat-completions endpoint that remembers, answers and judges."""
    said = request.body["messages"][-1]["content"]
    tools = [tool["function"]["name"] for tool in request.body.get("tools", [])]
    if tools == ["verdict"]:
        return chat(None, calls=[("verdict", {"correct": asked.verdict(said)})])
    if tools:
        return chat(None, calls=[(tools[0], asked.think(tools[0], said))])
    return chat(asked.answer(said) if "QUESTION" in said else "Ana adopted Mia.")


def arguments(folder: Path, *more: str) -> list[str]:
    return [
        "--embedder", "hash", "--llm", "openai:tiny", "eval", "own", "--file", str(folder / "own.jsonl"),
        "--out", str(folder / "run"), "--systems", "perdure,full-context,none", "--judge-runs", "10", "--k", "3", *more,
    ]  # fmt: skip


def paid(requests: list[Request]) -> Counter[str]:
    return Counter(json.dumps(request.body, sort_keys=True) for request in requests)


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    for name in [name for name in os.environ if name.startswith("PERDURE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_API_KEY", "k-test")
    monkeypatch.setenv("PERDURE_LLM_CONCURRENCY", "1")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    asked.write(tmp_path, "c1")
    return {**os.environ, "PYTHONPATH": str(SRC)}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
@pytest.mark.parametrize("at", [2, 40])
def test_a_killed_run_goes_on_and_asks_again_only_what_was_never_answered(
    tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    process: list[Any] = []

    def until(request: Request) -> Answer:
        if len(wire.requests) == at:
            process[0].send_signal(signal.SIGKILL)
            process[0].wait()
        return respond(request)

    with serve(until) as wire:
        environment["PERDURE_LLM_BASE_URL"] = wire.base_url
        process.append(subprocess.Popen([sys.executable, "-m", "perdure", *arguments(tmp_path)], env=environment))
        process[0].wait(60)
    with serve(respond) as other:
        monkeypatch.setenv("PERDURE_LLM_BASE_URL", other.base_url)
        assert run(arguments(tmp_path, "--resume")) == 0
    (tmp_path / "run").rename(tmp_path / "cut")
    with serve(respond) as straight:
        monkeypatch.setenv("PERDURE_LLM_BASE_URL", straight.base_url)
        assert run(arguments(tmp_path)) == 0

    assert process[0].returncode == -signal.SIGKILL
    assert paid([*wire.requests[: at - 1], *other.requests]) == paid(straight.requests)
    rows, whole = (Folder(tmp_path / name).outcomes() for name in ("cut", "run"))
    assert [(r.system, *r.key, r.answer.text if r.answer else None, r.verdicts) for r in rows] == [
        (r.system, *r.key, r.answer.text if r.answer else None, r.verdicts) for r in whole
    ]
    assert len(rows[0].verdicts["lenient"].said) == 10


def test_offline_needs_no_key_and_no_socket(
    tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    line = ["--embedder", "hash", "eval", "own", "--file", str(tmp_path / "own.jsonl"), "--offline"]
    where = ["--out", str(tmp_path / "run"), "--systems", "perdure,rag,full-context,none"]

    code = run([*line, *where])
    shown = capsys.readouterr()
    again = run(["--json", *line[2:5], *line[5:6], "--rescore", "--out", str(tmp_path / "run")])
    document = json.loads(capsys.readouterr().out)

    assert (code, again) == (0, 0)
    assert "| full-context | 100.0 |" in shown.out
    assert "rag-512x1 c1 (1/1)" in shown.err
    assert Path(document["page"]).read_text().startswith("<!doctype html>")
    assert not (tmp_path / "run" / "calls.jsonl").exists()


def test_a_budget_stops_the_run_and_more_of_it_lets_it_go_on(
    tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(respond) as wire:
        monkeypatch.setenv("PERDURE_LLM_BASE_URL", wire.base_url)
        stopped = run(arguments(tmp_path, "--max-tokens", "100"))
        said = capsys.readouterr().err
        calls = len(wire.requests)
        finished = run(arguments(tmp_path, "--resume", "--max-tokens", "100000"))

    assert (stopped, finished) == (1, 0)
    assert "--resume" in said
    assert calls == 6  # eighteen tokens each
    assert max(paid(wire.requests).values()) == 10  # each answer is judged ten times, and nothing else is asked twice


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--systems", "mem9"], "full-context"),
        (["--judges", "kind"], "lenient"),
        (["--only", "c9"], "'c9'"),
        (["--rescore"], "no run"),
    ],
)
def test_wrong_options_are_named_before_anything_is_asked(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str], more: list[str], words: str
) -> None:
    assert run(arguments(tmp_path, *more)) == 2
    assert words in capsys.readouterr().err


def test_without_a_model_the_way_to_go_on_is_said(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["eval", "own", "--file", str(tmp_path / "own.jsonl"), "--out", str(tmp_path / "run")]) == 2
    assert "--offline" in capsys.readouterr().err


def test_offline_needs_evidence_and_says_so_before_it_begins(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    message = {"content": "I live in Graz.", "at": "2024-05-08T12:00:00Z"}
    row = {"messages": [message], "questions": [{"question": "Where?", "answer": "Graz"}]}
    (tmp_path / "bare.jsonl").write_text(json.dumps(row))

    line = ["eval", "own", "--file", str(tmp_path / "bare.jsonl"), "--offline", "--out", str(tmp_path / "run")]

    assert run(line) == 2
    assert "no evidence" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_run_is_not_mixed_with_another(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    line = [
        "--embedder",
        "hash",
        "eval",
        "own",
        "--file",
        str(tmp_path / "own.jsonl"),
        "--offline",
        "--systems",
        "none",
    ]
    run([*line, "--out", str(tmp_path / "run")])
    capsys.readouterr()

    assert run([*line, "--out", str(tmp_path / "run")]) == 2
    assert "holds a run already" in capsys.readouterr().err
    assert run([*line, "--out", str(tmp_path / "run"), "--resume", "--k", "3"]) == 2
    assert "another k" in capsys.readouterr().err
