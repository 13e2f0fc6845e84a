"""A store goes from one embedder to another while it is read and written, and after a kill it goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from perdure import Memory
from perdure.errors import InputError, ProviderError, SettingsError
from perdure.interfaces.cli import run as perdure
from perdure.models import Role
from perdure.providers.fakes import FixedClock, HashEmbedder

OLD, NEW = HashEmbedder(64), HashEmbedder(128)
HASH_128_CHARS = 344  # of a vector of 128 float16 in base64
NEAR = 0.35  # of a hash embedder's cosines: a third of the terms shared
MANY = [("user", f"I bought {number} green apples.") for number in range(90)]


class Watched(HashEmbedder):
    """Runs something before each batch, and counts what it embeds."""

    def __init__(self, before=lambda: None):
        super().__init__(128)
        self.before = before
        self.documents = 0

    def embed(self, texts, role):
        if role is Role.DOCUMENT and len(texts) > 1:
            self.before()
            self.documents += len(texts)
        return super().embed(texts, role)


class Gone(HashEmbedder):
    def embed(self, texts, role):
        raise ProviderError("no such endpoint")


@pytest.fixture(params=[":memory:", "memory.db"])
def memory(request, tmp_path):
    store = request.param if request.param == ":memory:" else tmp_path / request.param
    with Memory(store, embedder=OLD, clock=FixedClock(), settings={"jobs": "manual"}) as memory:
        yield memory


def test_everything_is_found_by_the_new_embedder_and_the_old_space_is_gone(memory):
    memory.add(MANY, user="ana", infer=False)
    memory.add("I live in Lyon.", user="ben")

    done = memory.reembed(NEW)

    assert (done.model, done.dimensions, done.left_out) == ("hash-128", 128, 0)
    assert done.embedded == memory.stats().messages + memory.stats().memories
    assert [space.model for space in memory._ports.store.spaces()] == ["hash-128"]
    assert (memory.stats().embedder, memory.warnings) == ("hash-128", [])
    assert _dense(memory.search("Lyon", user="ben", explain=True)[0]) > NEAR


def test_while_it_runs_both_spaces_are_searched_and_writes_go_to_the_new_one(memory):
    memory.add(MANY, user="ana", infer=False)
    seen = []

    def look():
        memory.add("I sold a yellow bicycle.", user="ana", infer=False)
        other = memory.for_tenant("t2")
        other.add("I keep bees.", user="bo")
        found = memory.search(["yellow bicycle", "7 green apples"], user="ana", explain=True)
        seen.append([_dense(result[0]) for result in found])
        assert "bees" in other.search("bees", user="bo")[0].text
        assert memory.warnings[0].code == "reembedding"

    done = memory.reembed(Watched(look))

    assert len(seen) == 2
    assert all(score > NEAR for scores in seen for score in scores)
    assert done.embedded == 90
    assert memory.warnings == []


def test_what_was_interrupted_goes_on_where_it_stopped(memory):
    memory.add(MANY, user="ana", infer=False)

    def stop(done, total):
        assert total == 90
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.reembed(NEW, progress=stop)
    second = Watched()
    done = memory.reembed(second)

    assert done.embedded == second.documents == 90 - 64
    assert _dense(memory.search("7 green apples", user="ana", explain=True)[0]) > NEAR


def test_a_half_done_store_belongs_to_the_new_embedder_and_can_go_back(tmp_path):
    with Memory(tmp_path / "m.db", embedder=OLD) as memory:
        memory.add(MANY, user="ana", infer=False)
        _stop_halfway(memory)

    with pytest.raises(SettingsError, match="hash-128"):
        Memory(tmp_path / "m.db", embedder=OLD)
    with Memory(tmp_path / "m.db", embedder=NEW) as memory:
        found = memory.search("89 green apples", user="ana", explain=True)
        assert [warning.code for warning in found.warnings] == ["reembedding"]
        assert _dense(found[0]) > NEAR  # the hash embedder of the old space is at hand
        assert memory.reembed(OLD).embedded == 64


def test_a_reembedded_store_is_undone_erased_and_exported_like_any_other(memory, tmp_path):
    memory.add("I live in Lyon.", user="ana")
    moved = memory.add("I moved to Paris.", user="ana")
    memory.add("I drink tea.", user="ben")
    memory.reembed(NEW)

    memory.undo(moved.operation_id)
    memory.erase(user="ben")
    memory.flush()
    counts = memory.export(tmp_path / "out.jsonl")

    assert "Lyon" in memory.search("Lyon", user="ana", include=["memories"])[0].text
    assert memory.search("tea", user="ben").hits == ()
    lines = _lines(tmp_path / "out.jsonl")
    assert (lines[0]["embedder"], lines[0]["dimensions"]) == ("hash-128", 128)
    assert {len(line["vector"]) for line in lines if "vector" in line} == {HASH_128_CHARS}
    with Memory(":memory:", embedder=NEW) as other:
        assert other.import_(tmp_path / "out.jsonl")["memory"] == counts["memory"]
        other.export(tmp_path / "again.jsonl")
        assert _lines(tmp_path / "again.jsonl") == lines


def test_a_half_done_store_is_undone_erased_and_exported_too(memory, tmp_path):
    memory.add(MANY, user="ana", infer=False)
    first = memory.add("I live in Lyon.", user="ben")
    memory.add("I drink tea.", user="cy")
    _stop_halfway(memory)

    memory.undo(first.operation_id)
    receipt = memory.erase(user="cy")
    memory.export(tmp_path / "out.jsonl")

    assert receipt.counts["vectors"] == 2
    assert memory.list(user="ben").items == ()
    lines = _lines(tmp_path / "out.jsonl")
    vectors = [line["vector"] for line in lines if "vector" in line]
    assert {len(vector) for vector in vectors if vector} == {HASH_128_CHARS}
    assert None in vectors  # the rows of the old space: whoever imports embeds them
    with Memory(tmp_path / "n.db", embedder=NEW) as other:
        other.import_(tmp_path / "out.jsonl")
        assert _dense(other.search("89 green apples", user="ana", explain=True)[0]) > NEAR
    memory.reembed(NEW)
    assert [space.model for space in memory._ports.store.spaces()] == ["hash-128"]


def test_a_backup_of_a_half_done_store_is_searched_in_both_spaces(tmp_path):
    with Memory(tmp_path / "m.db", embedder=OLD) as memory:
        memory.add(MANY, user="ana", infer=False)
        _stop_halfway(memory)
        memory.backup(tmp_path / "copy.db")

    with Memory(tmp_path / "n.db", embedder=NEW) as other:
        other.restore(tmp_path / "copy.db")

        assert [warning.code for warning in other.warnings] == ["reembedding"]
        assert _dense(other.search("89 green apples", user="ana", explain=True)[0]) > NEAR
        assert other.reembed(NEW).embedded == 90 - 64


def test_every_verb_of_a_process_that_was_open_before_writes_into_the_old_space(tmp_path):
    with Memory(tmp_path / "m.db", embedder=OLD) as late, Memory(tmp_path / "m.db", embedder=OLD) as memory:
        late.add("Rice is cheap.", user="ana", infer=False)
        late.add(facts=["Ana lives in Lyon", "Ana drinks tea", "Ana keeps bees"], user="ana")
        late.export(tmp_path / "out.jsonl", vectors=False)
        memory.add(MANY, user="ben", infer=False)
        _stop_halfway(memory)
        lyon, bees, tea = sorted(late.list(user="ana").items, key=lambda record: record.text.split()[-1])

        updated = late.update(lyon.id, "Ana lives in Nice")
        late.delete(tea.id, effect="change")
        late.undo(updated.operation_id)
        late.delete(bees.id)
        late.for_tenant("copy").import_(tmp_path / "out.jsonl")
        memory.reembed(NEW)

        assert [space.model for space in memory._ports.store.spaces()] == ["hash-128"]
        for tenant in ("default", "copy"):
            found = memory.for_tenant(tenant).search("lives in Lyon", user="ana", include=["memories"], explain=True)
            assert _dense(found[0]) > NEAR


def test_an_older_embedder_that_is_not_at_hand_is_said(tmp_path):
    class Own(HashEmbedder):
        def __init__(self):
            super().__init__(64)
            self.model = "own"

    with Memory(tmp_path / "m.db", embedder=Own()) as memory:
        memory.add(MANY, user="ana", infer=False)
        _stop_halfway(memory)

    with Memory(tmp_path / "m.db", embedder=NEW) as memory:
        assert "by their words alone" in memory.warnings[0].detail
        assert any("89 green" in hit.text for hit in memory.search("89 green apples", user="ana"))


def test_an_embedder_that_does_not_answer_does_not_get_the_store(memory):
    memory.add("I live in Lyon.", user="ana", infer=False)

    with pytest.raises(ProviderError):
        memory.reembed(Gone(32))
    with pytest.raises(InputError, match="none"):
        memory.reembed("none")

    assert memory.stats().embedder == "hash-64"
    assert memory.search("Lyon", user="ana").warnings == ()


def test_a_store_without_vectors_gets_them(tmp_path):
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        memory.add("I live in Lyon.", user="ana", infer=False)

        assert memory.reembed(NEW).embedded == 1
        assert _dense(memory.search("Lyon", user="ana", explain=True)[0]) > NEAR


def test_a_process_that_keeps_to_the_old_embedder_is_refused_once_its_space_is_gone(tmp_path):
    with Memory(tmp_path / "m.db", embedder=OLD) as late, Memory(tmp_path / "m.db", embedder=OLD) as memory:
        memory.add("I live in Lyon.", user="ana", infer=False)
        memory.reembed(NEW)

        with pytest.raises(SettingsError, match="open it again"):
            late.add("I drink tea.", user="ana", infer=False)
        with pytest.raises(SettingsError, match="open it again"):
            late.search("Lyon", user="ana")

        assert memory.stats().messages == 1


KILLED = """
import os, sys
from perdure import Memory
from perdure.providers.fakes import HashEmbedder

memory = Memory(sys.argv[1], embedder=HashEmbedder(64))
memory.reembed(HashEmbedder(128), progress=lambda done, total: os._exit(9))
"""


def test_a_killed_process_loses_no_row(tmp_path):
    with Memory(tmp_path / "m.db", embedder=OLD) as memory:
        memory.add(MANY, user="ana", infer=False)

    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "m.db")], check=False, env=_environment())
    second = Watched()
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        done = memory.reembed(second)

    assert killed.returncode == 9
    assert done.embedded == second.documents == 90 - 64


def test_the_command_line_gives_a_store_to_another_embedder(tmp_path, capsys):
    store = str(tmp_path / "m.db")
    assert perdure(["--store", store, "--embedder", "hash:64", "add", "I live in Lyon.", "--user", "ana"]) == 0
    assert perdure(["--store", store, "--embedder", "hash:128", "stats"]) == 2
    assert "perdure reembed" in capsys.readouterr().err

    assert perdure(["--store", store, "reembed", "--embedder", "hash:128", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["model"] == "hash-128"
    assert perdure(["--store", store, "--embedder", "hash:128", "search", "Lyon", "--user", "ana"]) == 0
    assert "Lyon" in capsys.readouterr().out


def _stop_halfway(memory):
    with pytest.raises(ZeroDivisionError):
        memory.reembed(NEW, progress=lambda done, total: 1 / 0)


def _lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def _dense(hit):
    return next(signal.raw for signal in hit.explanation.signals if signal.channel == "dense")


def _environment():
    import os

    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
