"""The command line: exit codes, JSON, files, and output that cannot steer a terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

from perdure.errors import InputError
from perdure.interfaces.cli import run, show
from perdure.interfaces.cli.app import perdure
from perdure.interfaces.cli.conversation import dialogue, read
from perdure.interfaces.cli.demo import dialogues
from perdure.interfaces.cli.progress import Progress
from perdure.models import MemoryRecord, SearchResult
from perdure.providers.system import SystemClock
from perdure.stores.sqlite.store import SQLiteStore
from tests import make

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command on a store of this test, by words alone, and return (exit code, stdout, stderr)."""
    for name in ("PERDURE_USER", "PERDURE_AGENT", "PERDURE_RUN", "PERDURE_TENANT", "PERDURE_CONFIG", "PERDURE_LLM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    SQLiteStore(tmp_path / "memory.db", clock=SystemClock()).close()

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["--store", str(tmp_path / "memory.db"), "--embedder", "none", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def document(cli: Cli, *arguments: str) -> Any:
    code, out, err = cli(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)


# ---------------------------------------------------------------- usage


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys; from perdure.interfaces.cli import run; run(['--help']); run(['search', '--help']);"
        "sys.exit(any(name in sys.modules for name in ('numpy', 'apsw', 'onnxruntime', 'httpx2', 'tokenizers')))"
    )
    source = Path(show.__file__).parents[3]

    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(source)}, capture_output=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, b"")


def test_every_verb_but_the_command_itself_prints_json() -> None:
    without = [name for name, verb in perdure.commands.items() if "json" not in {p.name for p in verb.params}]

    assert without == []


def test_every_verb_that_is_not_by_operation_takes_the_whole_scope() -> None:
    free = {"flush", "retry", "reembed", "doctor", "eval", "demo", "backup", "restore"}

    for name, verb in perdure.commands.items():
        scope = {parameter.name for parameter in verb.params} & {"user", "agent", "run"}
        assert scope == (set() if name in free else {"user", "agent", "run"}), name


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["serch"], 2),
        (["search"], 2),
        (["search", "food"], 2),  # no scope
        (["search", "food", "--user", "nora", "--k", "0"], 2),
        (["search", "food", "--user", "nora", "--k", "many"], 2),
        (["search", "food", "--user", "nora", "--where", "{"], 2),
        (["search", "food", "--user", "nora", "--where", "[]"], 2),
        (["search", "food", "--user", "nora", "--where", '{"colour": 1}'], 2),
        (["search", "food", "--user", "nora", "--include", "dreams"], 2),
        (["add", "--user", "nora"], 2),
        (["add", "a", "--fact", "b", "--user", "nora"], 2),
        (["add", " ", "--user", "nora"], 2),
        (["add", "I live here.", "--user", "nora", "--at", "2026-01-01T10:00:00"], 2),  # naive
        (["add", "--file", "/nowhere/at/all.json", "--user", "nora"], 2),
        (["delete", "--user", "nora"], 2),
        (["update", "some-id"], 2),
        (["--timezone", "Mars/Olympus", "list", "--user", "nora"], 2),
        (["--config", "/nowhere/perdure.toml", "list", "--user", "nora"], 2),
        (["get", "unknown"], 3),
        (["history", "unknown"], 3),
        (["delete", "unknown"], 3),
        (["messages", "unknown"], 3),
        (["operations", "unknown"], 3),
        (["retry", "unknown"], 3),
        (["undo", "unknown"], 3),
        (["diff", "unknown", "1", "2"], 3),
    ],
)
def test_exit_code_and_one_error_on_stderr(cli: Cli, arguments: list[str], code: int) -> None:
    found, out, err = cli(*arguments, "--json")

    assert (code, "") == (found, out)
    error = json.loads(err)["error"]
    assert set(error) == {"type", "message"}
    assert "unexpected" not in error["message"]


def test_an_error_is_one_plain_line_without_json(cli: Cli) -> None:
    code, out, err = cli("get", "unknown")

    assert (code, out) == (3, "")
    assert err.startswith("perdure: ")
    assert err.count("\n") == 1


def test_a_verb_that_only_looks_makes_no_store_and_says_that_there_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "misspelt.db"

    code = run(["--store", str(path), "--embedder", "none", "search", "food", "--user", "nora", "--json"])

    captured = capsys.readouterr()
    assert (code, json.loads(captured.out)["hits"], path.exists()) == (0, [], False)
    assert f"there is no store {path} yet" in captured.err


def test_an_export_to_standard_output_is_what_a_file_would_hold(cli: Cli, tmp_path: Path) -> None:
    cli("add", "I live in Lyon.", "--user", "ana")

    code, out, _ = cli("export", "-", "--user", "ana")

    assert code == 0
    assert not Path("-").exists()
    assert cli("export", str(tmp_path / "e.jsonl"), "--user", "ana")[0] == 0
    assert out.splitlines()[1:] == (tmp_path / "e.jsonl").read_text().splitlines()[1:]


def test_a_store_in_a_folder_that_does_not_exist_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["--store", str(tmp_path / "no" / "memory.db"), "stats"])

    assert code == 2
    assert "no folder" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


def test_a_key_with_another_payload_is_a_conflict(cli: Cli) -> None:
    assert cli("add", "I live in Ghent.", "--user", "nora", "--key", "one")[0] == 0

    code, _, err = cli("add", "I live in Lyon.", "--user", "nora", "--key", "one")

    assert code == 4
    assert "key" in err


def test_an_interrupt_says_what_to_do(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting:
        def read(self) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupting())

    code, out, err = cli("add", "-", "--user", "nora")

    assert (code, out) == (130, "")
    assert "interrupted" in err


# ---------------------------------------------------------------- the verbs


def test_what_was_added_is_found_answered_listed_and_counted(cli: Cli) -> None:
    added = document(cli, "add", "I live in Ghent.", "--user", "nora", "--name", "Nora", "--at", "2026-03-02T00:00:00Z")

    found = document(cli, "search", "Where does Nora live? Ghent", "--user", "nora")
    answered = document(cli, "answer", "Does Nora live in Ghent?", "--user", "nora")
    listed = document(cli, "list", "--user", "nora")
    counted = document(cli, "stats", "--user", "nora")

    assert (added["status"], added["engine"], added["exchanges"]) == ("done", "offline", 1)
    assert "Ghent" in found["hits"][0]["text"]
    assert {field.name for field in fields(SearchResult)} == set(found)
    assert any("Ghent" in hit["text"] for hit in answered["citations"])
    assert listed["total"] == counted["memories"] == len(listed["items"]) >= 1
    assert {field.name for field in fields(MemoryRecord)} == set(listed["items"][0])
    assert listed["items"][0]["valid_from"] == "2026-03-02T00:00:00+00:00"
    assert counted["messages"] == 1


def test_two_scopes_do_not_see_each_other(cli: Cli) -> None:
    document(cli, "add", "I live in Ghent.", "--user", "nora", "--name", "Nora")

    assert document(cli, "list", "--user", "tom")["items"] == []
    assert document(cli, "--tenant", "other", "list", "--user", "nora")["items"] == []
    assert document(cli, "search", "Ghent", "--user", "tom")["hits"] == []


def test_a_memory_is_revised_retired_and_its_history_kept(cli: Cli) -> None:
    added = document(cli, "add", "--fact", "Nora lives in Ghent", "--user", "nora")
    id = added["changes"][0]["memory"]["id"]

    document(
        cli,
        "update",
        id,
        "Nora lives in Antwerp",
        "--metadata",
        '{"checked": true}',
        "--expires",
        "2099-01-01T00:00:00Z",
    )
    document(cli, "update", id, "--clear", "expires")
    revised = document(cli, "get", id)
    document(cli, "delete", id, "--user", "nora")
    versions = document(cli, "history", id)

    assert (
        revised["text"], revised["metadata"], revised["expires_at"],
    ) == ("Nora lives in Antwerp", {"checked": True}, None)  # fmt: skip
    assert [v["text"] for v in versions] == ["Nora lives in Ghent", "Nora lives in Antwerp", "Nora lives in Antwerp"]
    assert document(cli, "list", "--user", "nora")["items"] == []
    assert cli("delete", id)[0] == 3


def test_an_operation_is_undone_and_the_past_is_shown(cli: Cli) -> None:
    added = document(cli, "add", "--fact", "Nora lives in Ghent", "--user", "nora")
    id = added["changes"][0]["memory"]["id"]
    updated = document(cli, "update", id, "Nora lives in Antwerp")

    code, _, err = cli("undo", added["operation_id"])
    assert (code, updated["operation_id"] in err) == (4, True)
    undone = document(cli, "undo", updated["operation_id"], "--user", "nora")

    assert undone["verb"] == "undo"
    assert document(cli, "get", id)["text"] == "Nora lives in Ghent"
    assert [e["event"] for e in document(cli, "history", id, "--lineage")] == ["ADD", "UPDATE", "UPDATE"]
    assert "+Nora lives in Antwerp" in document(cli, "diff", id, "1", "2")["diff"]
    assert [r["id"] for r in document(cli, "timeline", "Ghent", "--user", "nora")] == [id]
    assert undone["operation_id"] in cli("history", id, "--lineage")[1]
    assert "-Nora lives in Ghent" in cli("diff", id, "1", "2")[1]
    assert "nothing differs" in cli("diff", id, "1", "3")[1]
    assert id in cli("timeline", "Ghent", "--user", "nora")[1]
    assert "nothing about it" in cli("timeline", "zebra", "--user", "nora")[1]
    assert cli("undo", added["operation_id"], "--cascade")[0] == 0


def test_human_output_shows_texts_dates_and_ids(cli: Cli) -> None:
    document(cli, "add", "--fact", "Nora lives in Ghent", "--user", "nora", "--at", "2026-03-02T00:00:00Z")
    id = document(cli, "list", "--user", "nora")["items"][0]["id"]

    for verb in (["list"], ["search", "Ghent"], ["get", id], ["history", id]):
        code, out, _ = cli(*verb, "--user", "nora")
        assert code == 0
        assert "Nora lives in Ghent" in out, verb
        assert "2026-03-02" in out, verb
        assert "\x1b" not in out, verb
    assert id in cli("list", "--user", "nora")[1]
    assert "operation" in cli("delete", id)[1]
    assert cli("operations", "--user", "nora")[1].count("\n") == 2
    assert "no memories" in cli("list", "--user", "nora")[1]
    assert cli("summary", "--user", "nora")[0] == 0


def test_explain_prints_a_row_per_channel_and_hit(cli: Cli) -> None:
    cli("add", "I live in Ghent.", "--user", "nora", "--no-infer")

    code, out, _ = cli("search", "Ghent", "--user", "nora", "--explain")

    assert code == 0
    assert "sparse" in out
    assert "calibration" in out


def test_stdin_is_one_message(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = tmp_path / "in.txt"
    text.write_text("I live in Ghent.\nI like it.", encoding="utf-8")

    with text.open(encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        document(cli, "add", "-", "--user", "nora", "--no-infer")

    assert [m["content"] for m in document(cli, "messages", "--user", "nora")["items"]] == [
        "I live in Ghent.\nI like it."
    ]


def test_deferred_extraction_is_done_by_flush(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_JOBS", "manual")
    pending = document(cli, "add", "I live in Ghent.", "--user", "nora", "--name", "Nora", "--no-wait")

    left = document(cli, "flush")

    assert pending["status"] == "pending"
    assert left["jobs_dead"] == 0
    assert document(cli, "operations", pending["operation_id"])["status"] == "done"


# ---------------------------------------------------------------- doctor


def test_doctor_reads_and_says_what_is_degraded_and_where_settings_come_from(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PERDURE_POOL", "50")
    (tmp_path / "memory.db").unlink()

    found = document(cli, "doctor")

    states = {finding["name"]: finding["state"] for finding in found["findings"]}
    assert (states["llm"], states["embedder"], states["sqlite"]) == ("degraded", "degraded", "ok")
    assert found["settings"]["pool"] == {"value": 50, "origin": "environment"}
    assert found["settings"]["store"]["origin"] == "argument"
    assert not (tmp_path / "memory.db").exists()
    cli("add", "I live in Ghent.", "--user", "nora", "--no-infer")
    assert document(cli, "doctor")["stats"]["messages"] == 1


def test_doctor_fails_on_a_file_that_is_no_store(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_text("a shopping list, not a store" * 100, encoding="utf-8")

    code, out, _ = cli("doctor", "--json")

    assert code == 1
    assert "broken" in {finding["state"] for finding in json.loads(out)["findings"]}


def test_doctor_names_a_variable_that_sets_nothing(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_EMBEDER", "none")
    monkeypatch.setenv("PERDURE_TOP_S", "10")

    named = [one for one in document(cli, "doctor")["findings"] if one["name"] == "environment"]

    assert [one["detail"] for one in named] == [
        "PERDURE_EMBEDER is set, and is no setting; did you mean PERDURE_EMBEDDER?"
    ]


def test_doctor_hides_the_password_of_an_address(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_LLM_BASE_URL", "https://nora:secret@host/v1")

    _, out, _ = cli("doctor", "--json")

    assert "secret" not in out
    assert "host/v1" in out


# ---------------------------------------------------------------- files


def test_json_jsonl_and_text_give_the_same_messages(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "I moved.", "name": "Ana"}, {"role": "assistant", "content": "When?"}]
    (tmp_path / "a.json").write_text(json.dumps(turns))
    (tmp_path / "b.json").write_text(json.dumps({"messages": turns}))
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(turn) for turn in turns) + "\n")
    (tmp_path / "a.txt").write_text("Ana: I moved.\nassistant: When?\n")

    for name in ("a.json", "b.json", "a.jsonl", "a.txt"):
        assert turns == read(str(tmp_path / name)), name


def test_plain_text_without_speakers_is_one_message() -> None:
    assert dialogue("Dear diary\nNote: it rained\n") == [{"role": "user", "content": "Dear diary\nNote: it rained"}]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "{"),
        ("a.json", "3"),
        ("a.json", '[{"conversation": {}}]'),
        ("a.jsonl", '{"role": "user"}\n{'),
        ("a.json", "{}"),
    ],
)
def test_a_broken_file_is_an_input_error_that_names_it(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)

    with pytest.raises(InputError):
        read(str(tmp_path / name))


def test_a_file_that_is_not_utf8_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9")

    with pytest.raises(InputError, match="UTF-8"):
        read(str(tmp_path / "a.txt"))


LOCOMO = {
    "sample_id": "pair-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_2_date_time": "9:05 am on 2 April, 2024",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "I bought a kayak."}],
        "session_1_date_time": "1:56 pm on 1 April, 2024",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I paint."},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "", "blip_caption": "a boat"},
        ],
        "session_3_date_time": "9:05 am on 3 April, 2024",
    },
    "qa": [
        {"question": "What did Ben buy?", "answer": "a kayak", "evidence": ["D2:1"], "category": 4},
        {"question": "Who flew?", "adversarial_answer": "Ben", "evidence": ["D2:1"], "category": 5},
    ],
}


def test_a_locomo_file_is_read_in_order_with_its_ids_and_names(tmp_path: Path) -> None:
    (tmp_path / "l.json").write_text(json.dumps([{**LOCOMO, "sample_id": "other"}, LOCOMO]))

    messages = read(f"{tmp_path / 'l.json'}:pair-1")

    assert [message["id"] for message in messages] == ["D1:1", "D1:2", "D2:1"]
    assert [message["name"] for message in messages] == ["Ana", "Ben", "Ben"]
    assert messages[0]["at"].isoformat() == "2024-04-01T13:56:00+00:00"


def test_an_unknown_conversation_is_named(tmp_path: Path) -> None:
    (tmp_path / "l.json").write_text(json.dumps([LOCOMO]))

    with pytest.raises(InputError, match="pair-9"):
        dialogues.locomo(tmp_path / "l.json", "pair-9")


# ---------------------------------------------------------------- output


def test_stored_text_cannot_steer_the_terminal() -> None:
    assert show.clean("a\x1b[31mred\u202e\nb") == r"a\x1b[31mred\u202e b"


def test_wide_and_joined_characters_keep_columns_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    show.table([("里昂", "x"), ("Lyon", "y"), ("e\u0301", "z")])

    assert capsys.readouterr().out == "里昂  x\nLyon  y\ne\u0301     z\n"


def test_a_lone_surrogate_does_not_break_json(capsys: pytest.CaptureFixture[str]) -> None:
    show.document({"text": "a\udcffb"})

    assert capsys.readouterr().out.isascii()


def test_every_state_of_a_memory_has_its_word() -> None:
    later = make.AT.replace(year=2025)

    words = [show.state(make.memory(**dates)) for dates in ({}, {"valid_to": later}, {"retired_at": later})]

    assert words == ["current", "until 2025-05-08", "retracted"]


def test_progress_is_on_stderr_and_silent_for_short_work(capsys: pytest.CaptureFixture[str]) -> None:
    for done in range(1, 6):
        Progress("exchanges")(done, 5)
    progress = Progress("exchanges")
    for done in range(1, 101):
        progress(done, 100)

    captured = capsys.readouterr()
    assert captured.out == ""
    assert [f"exchanges: {n}/100" for n in range(10, 101, 10)] == captured.err.splitlines()


def test_click_errors_carry_a_way_to_help() -> None:
    assert issubclass(click.UsageError, click.ClickException)
    assert run([]) in (0, 2)


# ---------------------------------------------------------------- the demo


def test_the_shipped_conversation_is_long_enough_and_in_order() -> None:
    nora = dialogues.shipped()

    times = [message["at"] for message in nora.messages]
    assert len(times) >= 70
    assert len(nora.sessions) >= 5
    assert (times[-1] - times[0]).days >= 21
    assert times == sorted(times)
    assert len(nora.questions) >= 8
    assert len({message["id"] for message in nora.messages}) == len(times)


@pytest.mark.slow
def test_the_demo_ends_the_job_on_its_last_day_and_cites_the_diet(cli: Cli) -> None:
    report = document(cli, "demo")

    assert report["measured"]["stats"]["messages"] == len(dialogues.shipped().messages)
    ended, retracted = (
        next(one for one in report["superseded"] if one["effect"] == effect) for effect in ("change", "correction")
    )
    assert "Hallberg" in ended["memory"]["text"]
    assert ended["memory"]["valid_to"].startswith("2026-04-11")
    assert "last day at Hallberg" in ended["successor"]["text"]
    assert retracted["memory"]["retired_at"] is not None
    assert any("vegetarian" in memory["text"].lower() for memory in report["memories"])
    cited = {one["question"]["text"]: [h["text"] for h in one["answer"]["citations"]] for one in report["questions"]}
    assert any("hazelnut" in text for text in cited["What am I allergic to?"])
    assert any("Tidewater" in text for text in cited["Where do I work now?"])
    assert any("vegetarian" in text for text in cited["What food should I cook for dinner tonight?"])


@pytest.mark.slow
def test_the_demo_tells_its_story_and_ends_with_what_to_do_next(cli: Cli) -> None:
    code, out, _ = cli("demo")

    assert code == 0
    for part in (
        "session 8",
        "What is held now",
        "superseded",
        "? What food should I cook",
        "What it took",
        "perdure add",
    ):
        assert part in out, part


def test_the_demo_of_a_locomo_file_looks_for_its_evidence(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "l.json").write_text(json.dumps([LOCOMO]))

    code, out, _ = cli("demo", "--conversation", f"{tmp_path / 'l.json'}:pair-1")

    assert code == 0
    assert "1 of 1 evidence turns" in out


# ---------------------------------------------------------------- on the whole


def test_erasing_a_scope_needs_a_yes_and_an_id_does_not(cli: Cli) -> None:
    added = document(cli, "add", "--fact", "Ana likes tea", "--fact", "Ana likes rice", "--user", "ana")
    id = added["changes"][0]["memory"]["id"]

    code, _, err = cli("erase", "--user", "ana")
    assert (code, "--yes" in err) == (2, True)
    assert document(cli, "list", "--user", "ana")["total"] == 2

    assert document(cli, "erase", id)["counts"]["memories"] == 1
    code, out, _ = cli("erase", "--user", "ana", "--yes")
    assert (code, out.startswith("erased: 1 memories")) == (0, True)
    assert document(cli, "stats")["memories"] == 0
    assert cli("erase", id)[0] == 3


def test_erase_says_what_it_lacks(cli: Cli) -> None:
    assert cli("erase", "--yes")[0] == 2
    assert cli("erase", "x", "--before", "2024-01-01")[0] == 2


def test_a_store_moves_through_the_command_line(cli: Cli, tmp_path: Path) -> None:
    cli("add", "--fact", "Ana likes tea", "--user", "ana")
    counts = document(cli, "export", str(tmp_path / "out.jsonl"))
    assert counts["memory"] == 1
    assert cli("export", str(tmp_path / "out.jsonl"))[0] == 2
    assert document(cli, "backup", str(tmp_path / "b.db"))["memories"] == 1

    code, out, _ = cli("--tenant", "t2", "import", str(tmp_path / "out.jsonl"), "--user", "bo")
    assert (code, "1 memory" in out) == (0, True)
    assert document(cli, "--tenant", "t2", "list", "--user", "bo")["total"] == 1
    code, _, err = cli("restore", str(tmp_path / "b.db"))
    assert (code, "new file" in err) == (1, True)
    assert document(cli, "--store", str(tmp_path / "n.db"), "restore", str(tmp_path / "b.db"))["memories"] == 1


def test_dates_are_printed_in_the_zone_of_the_memory_and_json_stays_in_utc(cli: Cli) -> None:
    zone = ("--timezone", "Europe/Paris")
    cli(*zone, "add", "I met Paul.", "--user", "nora", "--at", "2026-09-16T23:00:00Z")

    assert "2026-09-17" in cli(*zone, "search", "Paul", "--user", "nora")[1]
    assert "2026-09-16" in cli("search", "Paul", "--user", "nora")[1]
    assert "2026-09-16T23:00:00" in cli(*zone, "search", "Paul", "--user", "nora", "--json")[1]
