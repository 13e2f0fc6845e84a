"""`perdure add --file A --file B`: several conversations, each in its own run, resumable."""

import json

import pytest

from perdure import Memory
from perdure.interfaces.cli import run as perdure


@pytest.fixture(autouse=True)
def _environment(monkeypatch, tmp_path):
    for name, value in (("STORE", str(tmp_path / "m.db")), ("EMBEDDER", "none"), ("JOBS", "manual")):
        monkeypatch.setenv(f"PERDURE_{name}", value)


@pytest.fixture
def files(tmp_path):
    for name, place in (("one", "Lyon"), ("two", "Porto"), ("three", "Ghent")):
        (tmp_path / f"{name}.txt").write_text("\n".join([f"user: I live in {place}.", "assistant: Noted."] * 12))
    return [option for name in ("one", "two", "three") for option in ("--file", str(tmp_path / f"{name}.txt"))]


def test_several_files_are_added_each_in_a_run_of_its_own_with_progress(files, tmp_path, capsys):
    assert perdure(["add", *files, "--json"]) == 0

    said = capsys.readouterr()
    assert [result["status"] for result in json.loads(said.out)] == ["done"] * 3
    assert "exchanges: " in said.err
    with Memory() as memory:
        assert [memory.stats(run=run).messages for run in ("one", "two", "three")] == [24, 24, 24]
        assert "Porto" in memory.list(run="two").items[0].text


def test_the_same_command_again_goes_on_instead_of_adding_twice(files, capsys):
    assert perdure(["add", *files, "--user", "ana"]) == 0
    assert perdure(["add", *files, "--user", "ana"]) == 0

    with Memory() as memory:
        assert memory.operations(user="ana").total == 3


def test_files_of_one_user_are_added_in_their_order_so_that_the_last_word_holds(files, capsys):
    assert perdure(["add", *files, "--user", "ana"]) == 0

    with Memory() as memory:
        assert [one.text for one in memory.list(user="ana").items] == ["The user lives in Ghent."]


def test_one_run_for_all_keeps_the_order_of_the_files(files, tmp_path, capsys):
    assert perdure(["add", *files, "--user", "ana", "--run", "r"]) == 0

    with Memory() as memory:
        said = [one.content for one in memory.messages(run="r").items if one.role == "user"]
    assert list(dict.fromkeys(said)) == ["I live in Lyon.", "I live in Porto.", "I live in Ghent."]


def test_a_file_that_fails_does_not_keep_the_others_from_being_added(files, tmp_path, capsys):
    (tmp_path / "bad.json").write_text('[{"role": "user"}]')

    assert perdure(["add", *files, "--file", str(tmp_path / "bad.json"), "--user", "ana"]) == 2

    assert "bad.json" in capsys.readouterr().err
    with Memory() as memory:
        assert memory.operations(user="ana").total == 3


def test_two_files_of_one_name_are_refused_before_anything_is_added(files, tmp_path, capsys):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "one.txt").write_text("user: hello there")

    assert perdure(["add", *files, "--file", str(tmp_path / "other" / "one.txt"), "--user", "ana"]) == 2

    assert "--run" in capsys.readouterr().err
    with Memory() as memory:
        assert memory.stats().messages == 0
