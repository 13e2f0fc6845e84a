"""Every public verb refuses every wrong value with an error of perdure's own, and leaves the store as it was."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from perdure import InputError, Memory, PerdureError, SettingsError
from perdure.providers.fakes import FixedClock, HashEmbedder

NOW = datetime(2024, 5, 8, 12, tzinfo=UTC)
WRONG = {
    "none": None, "a number": 5, "bytes": b"x", "nothing": "", "an object": object(), "a list": [], "a mapping": {},
    "no number": float("nan"), "a NUL": "\0", "half a pair": "\ud800", "a long text": "x" * 100_000, "true": True,
    "below zero": -1, "beyond any float": 10**400, "deep": json.loads('{"and":[' * 400 + "{}" + "]}" * 400),
}  # fmt: skip
VERBS = [
    name
    for name, verb in inspect.getmembers(Memory, inspect.isfunction)
    if not name.startswith("_") and name != "close"
]


def arguments(verb: str) -> list[str]:
    return [name for name in inspect.signature(getattr(Memory, verb)).parameters if name != "self"]


def snapshot(memory: Memory) -> tuple[object, ...]:
    stats = memory.stats()
    return stats.memories, stats.messages, stats.ended, stats.retracted, stats.jobs_waiting


def refused(memory: Memory, verb: str, given: dict[str, object]) -> PerdureError | None:
    """Call a verb; its error of perdure's own, if it refuses."""
    try:
        getattr(memory, verb)(**given)
    except PerdureError as err:
        return err
    return None


@pytest.mark.parametrize("verb", VERBS)
def test_no_wrong_value_escapes_as_an_error_of_another_kind(verb: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # a value may well be the name of a file
    settings = {"jobs": "manual"}
    with Memory(tmp_path / "m.db", embedder=HashEmbedder(), clock=FixedClock(NOW), settings=settings) as memory:
        first = memory.add("I live in Ghent and like tea.", user="u")
        good = {
            "messages": "I like gin.", "query": "tea", "question": "What is liked?", "id": first.changes[0].memory.id,
            "operation_id": first.operation_id, "text": "The user likes rum.", "entity": "Ghent", "other": "tea",
            "one": "Ghent", "aliases": ["Ghent"], "about": "Ghent", "path": str(tmp_path / "file"), "tenant": "other",
            "embedder": "hash:8", "version": 1, "user": "u", "item": "x",
        }  # fmt: skip
        for name in arguments(verb):
            for value in WRONG.values():
                needed = [
                    one
                    for one, parameter in inspect.signature(getattr(Memory, verb)).parameters.items()
                    if one != "self" and parameter.default is inspect.Parameter.empty
                ]
                given = {one: good[one] for one in needed if one in good} | {name: value}
                if "user" in arguments(verb) and "user" not in given and "id" not in given:
                    given["user"] = "u"
                before = snapshot(memory)
                refusal = refused(memory, verb, given)
                if refusal is not None:
                    assert len(str(refusal)) < 2_000, "an error does not repeat what was put in"
                    assert snapshot(memory) == before


@pytest.mark.parametrize("name", ["settings", "clock", "ids", "reranker", "llm", "embedder", "timezone", "policy"])
def test_an_object_that_is_none_of_its_kind_is_refused_when_the_memory_is_opened(name: str) -> None:
    with pytest.raises((SettingsError, InputError)) as refused:
        Memory(":memory:", **{name: b"x"})
    assert len(str(refused.value)) < 1_000


@pytest.mark.parametrize("verb", ["backup", "restore", "export", "import_"])
@pytest.mark.parametrize("path", [None, 5, b"x", "", "\0", "\ud800", "x" * 5_000])
def test_what_no_file_can_be_called_is_refused(verb: str, path: object, tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder="none") as memory, pytest.raises(InputError, match="path"):
        getattr(memory, verb)(path)


def test_json_nested_beyond_reason_is_refused(tmp_path: Path) -> None:
    deep = tmp_path / "deep.jsonl"
    deep.write_text('{"a":' * 100_000 + "1" + "}" * 100_000)
    with Memory(tmp_path / "m.db", embedder="none") as memory, pytest.raises(InputError, match="JSON"):
        memory.import_(deep)


def test_a_restore_from_what_is_no_backup_names_that_file(tmp_path: Path) -> None:
    junk = tmp_path / "junk.txt"
    junk.write_text("hello, this is no database at all\n" * 40)
    with Memory(tmp_path / "m.db", embedder="none") as memory, pytest.raises(PerdureError, match=r"junk\.txt"):
        memory.restore(junk)


# ---------------------------------------------------------------- the command line's streams


def perdure(folder: Path, *command: str, shell: str) -> subprocess.CompletedProcess[str]:
    """Run a command with its streams closed or turned elsewhere by a shell."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    line = '"$0" -m perdure --embedder none --store m.db "$@" ' + shell
    return subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, *command],
        check=False, cwd=folder, env=environment, text=True, capture_output=True,
    )  # fmt: skip


def test_with_its_streams_closed_a_command_does_its_work_and_harms_no_store(tmp_path: Path) -> None:
    assert perdure(tmp_path, "add", "I like tea.", "--user", "u", shell="<&- >&- 2>&-").returncode == 0
    listed = perdure(tmp_path, "list", "--user", "u", shell="")
    assert "The user likes tea." in listed.stdout


def test_without_standard_input_a_command_that_reads_it_says_so(tmp_path: Path) -> None:
    done = perdure(tmp_path, "add", "-", "--user", "u", shell="<&-")
    assert (done.returncode, "blank" in done.stderr) == (2, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_output_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    perdure(tmp_path, "add", "I like tea.", "--user", "u", shell="")
    done = perdure(tmp_path, "list", "--user", "u", "--json", shell=">/dev/full")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "cannot write the output" in done.stderr
