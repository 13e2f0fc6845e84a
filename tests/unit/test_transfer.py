import json
from datetime import UTC, datetime, timedelta

import pytest

from perdure import Memory
from perdure.errors import Conflict, Corrupt, Forbidden, InputError, SettingsError
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder
from perdure.transfer import files, mem0
from tests import make


def opened(path, **options):
    options = {
        "embedder": HashEmbedder(64),
        "clock": FixedClock(make.AT + timedelta(days=100)),
        "ids": CountingIds("x"),
        **options,
    }
    return Memory(path, settings={"jobs": "manual"}, **options)


@pytest.fixture
def filled(tmp_path):
    with opened(tmp_path / "m.db") as memory:
        memory.add(
            [{"role": "user", "content": "I live in Lyon.", "id": "ext-1"}], user="ana", metadata={"a": [1, "ü"]}
        )
        memory.add("I moved to Paris.", user="ana", at=make.AT + timedelta(days=9))
        memory.add("I'm allergic to nuts.", user="bo", run="r")
        memory.undo(memory.add("I like tea.", user="ana").operation_id)
        memory.delete(memory.list(user="bo").items[0].id)
        memory.delete(memory.list(user="ana").items[0].id, effect="change")
        yield memory


@pytest.mark.parametrize("store", ["file", "memory"])
def test_export_of_import_is_the_export(filled, tmp_path, store):
    counts = filled.export(tmp_path / "out.jsonl")

    with opened(tmp_path / "n.db" if store == "file" else ":memory:") as other:
        came = other.import_(tmp_path / "out.jsonl")
        other.export(tmp_path / "again.jsonl")

        assert came["memory"] == counts["memory"] > 2
        assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()
        for user in ("ana", "bo"):
            assert other.list(user=user, validity="all") == filled.list(user=user, validity="all")
            assert other.messages(user=user) == filled.messages(user=user)
        ours, theirs = (m.search("Where does Ana live?", user="ana") for m in (filled, other))
        assert [hit.text for hit in ours] == [hit.text for hit in theirs]
        assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in theirs], abs=1e-5)
        ended = filled.list(user="ana", validity="ended").items[0]
        assert other.history(ended.id) == filled.history(ended.id)
        assert other.operations(user="ana") == filled.operations(user="ana")
    assert (tmp_path / "out.jsonl").stat().st_mode & 0o077 == 0


def test_an_export_without_vectors_is_embedded_by_whoever_imports_it(filled, tmp_path):
    filled.export(tmp_path / "out.jsonl", vectors=False)
    filled.export(tmp_path / "with.jsonl")

    with opened(tmp_path / "n.db") as other:
        other.import_(tmp_path / "out.jsonl")
        other.export(tmp_path / "again.jsonl")
    with opened(tmp_path / "o.db", embedder=HashEmbedder(32)) as another:
        another.import_(tmp_path / "with.jsonl")

        assert another.search("Lyon", user="ana", explain=True)
        assert another.stats().dimensions == 32
    assert (tmp_path / "again.jsonl").read_text().replace("null", "") != ""
    assert files.read(tmp_path / "again.jsonl") == files.read(tmp_path / "with.jsonl")


def test_an_import_goes_to_another_owner_where_one_is_named(filled, tmp_path):
    filled.export(tmp_path / "ana.jsonl", user="ana")

    with opened(":memory:") as other:
        other.import_(tmp_path / "ana.jsonl", user="cy")

        assert other.list(user="cy", validity="all").total == filled.list(user="ana", validity="all").total
        assert {record.user for record in other.list(user="cy", validity="all").items} == {"cy"}
        assert other.stats(user="ana").memories == 0


def test_two_owners_never_become_one(filled, tmp_path):
    filled.export(tmp_path / "out.jsonl")

    with opened(":memory:") as other, pytest.raises(InputError, match="several owners"):
        other.import_(tmp_path / "out.jsonl", user="cy")


def test_an_import_into_the_same_tenant_under_another_owner_is_a_conflict(filled, tmp_path):
    filled.export(tmp_path / "ana.jsonl", user="ana")
    before = filled.stats()

    with pytest.raises(Conflict, match="tenant"):
        filled.import_(tmp_path / "ana.jsonl", user="cy")

    assert filled.stats() == before
    assert filled.for_tenant("t2").import_(tmp_path / "ana.jsonl", user="cy")["memory"] > 0


def test_a_file_that_exists_is_never_overwritten(filled, tmp_path):
    (tmp_path / "there").write_text("mine")

    for verb in (filled.export, filled.backup):
        with pytest.raises(InputError, match="exists"):
            verb(tmp_path / "there")

    assert (tmp_path / "there").read_text() == "mine"
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    "text",
    ["", "no json", '{"type":"perdure-export","version":1}\nno json', '{"type":"perdure-export","version":9}', "[1]"],
)
def test_a_file_that_is_no_export_is_an_input_error(filled, tmp_path, text):
    (tmp_path / "in").write_text(text)
    before = filled.stats()

    with pytest.raises(InputError):
        filled.import_(tmp_path / "in")

    assert filled.stats() == before


# ---------------------------------------------------------------- backup and restore


def test_a_backup_restored_into_a_new_file_is_the_store(filled, tmp_path):
    counts = filled.backup(tmp_path / "b.db")

    with opened(tmp_path / "n.db", ids=CountingIds("y")) as other:
        assert other.restore(tmp_path / "b.db") == counts
        for memory, name in ((filled, "a"), (other, "b")):
            memory.export(tmp_path / name)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
        other.add("I like tea.", user="ana")
        assert other.stats().memories == filled.stats().memories + 1
    with opened(tmp_path / "n.db") as again:
        assert again.stats().memories == filled.stats().memories + 1
    assert counts["bytes"] > 0
    assert (tmp_path / "b.db").stat().st_mode & 0o077 == 0


def test_a_backup_is_one_snapshot_while_others_write(filled, tmp_path):
    with opened(tmp_path / "m.db", ids=CountingIds("y")) as other:
        other.add("I like tea.", user="ana")
        filled.backup(tmp_path / "b.db")
        other.add("I like rice.", user="ana")

    with opened(tmp_path / "n.db") as restored:
        restored.restore(tmp_path / "b.db")
        assert restored.stats().messages == filled.stats().messages - 1


def test_a_restore_never_overwrites_memories(filled, tmp_path):
    filled.backup(tmp_path / "b.db")
    before = filled.stats()

    with pytest.raises(Forbidden, match="new file"):
        filled.restore(tmp_path / "b.db")

    assert filled.stats() == before


def test_a_damaged_backup_is_refused(filled, tmp_path):
    filled.backup(tmp_path / "b.db")
    data = bytearray((tmp_path / "b.db").read_bytes())
    data[8192:12288] = b"\xff" * 4096
    (tmp_path / "bad.db").write_bytes(data)
    (tmp_path / "text.db").write_text("hello" * 1000)

    with opened(tmp_path / "n.db") as other:
        for name in ("bad.db", "text.db", "absent.db"):
            with pytest.raises(Corrupt):
                other.restore(tmp_path / name)
        assert other.stats().memories == 0


def test_a_backup_of_another_embedder_is_refused(filled, tmp_path):
    filled.backup(tmp_path / "b.db")

    with opened(tmp_path / "n.db", embedder=HashEmbedder(32)) as other, pytest.raises(SettingsError, match="embedder"):
        other.restore(tmp_path / "b.db")


def test_a_store_in_memory_has_no_backup(tmp_path):
    with opened(":memory:") as memory:
        with pytest.raises(Forbidden, match="export"):
            memory.backup(tmp_path / "b.db")
        assert not (tmp_path / "b.db").exists()


# ---------------------------------------------------------------- Mem0

MEM0 = {
    "results": [
        {
            "id": "0b6a1c9e-7d1f-4a4e-9d1b-1f2f3a4b5c6d", "memory": "Likes green tea", "hash": "x", "user_id": "ana",
            "created_at": "2024-03-01T09:00:00.123456-08:00", "updated_at": None, "metadata": {"topic": "drinks"},
            "categories": ["food"], "expiration_date": "2030-01-01",
        },
        {"id": "Odd ID!", "memory": "Lives in Lyon", "user_id": "bo", "run_id": "r", "created_at": "2024-03-02T00:00:00"},
    ]
}  # fmt: skip


def test_memories_of_mem0_come_with_their_ids_times_and_metadata(tmp_path):
    (tmp_path / "mem0.json").write_text(json.dumps(MEM0))
    with opened(tmp_path / "m.db") as memory:
        assert memory.import_(tmp_path / "mem0.json") == {"memory": 2, "known": 0}

        record = memory.get("0b6a1c9e-7d1f-4a4e-9d1b-1f2f3a4b5c6d")
        assert (record.text, record.user, record.origin) == ("Likes green tea", "ana", "import")
        assert record.valid_from == datetime(2024, 3, 1, 17, 0, 0, 123456, tzinfo=UTC)
        assert record.expires_at == datetime(2030, 1, 1, tzinfo=UTC)
        assert (record.metadata, record.categories) == ({"topic": "drinks"}, ("food",))
        assert memory.search("tea", user="ana")[0].id == record.id
        assert memory.list(user="bo").items[0].run == "r"
        (operation,) = memory.operations(user="ana").items
        assert (operation.verb, [change.event for change in operation.changes]) == ("import", ["ADD"])


def test_an_import_of_mem0_can_be_undone(tmp_path):
    (tmp_path / "mem0.json").write_text(json.dumps(MEM0))
    with opened(":memory:") as memory:
        memory.import_(tmp_path / "mem0.json")

        memory.undo(memory.operations(user="ana").items[0].operation_id)

        assert memory.list(user="ana").total == 0
        assert memory.list(user="bo").total == 1


def test_importing_mem0_twice_brings_nothing_twice(tmp_path):
    (tmp_path / "mem0.json").write_text(json.dumps(MEM0["results"]))
    with opened(":memory:") as memory:
        memory.import_(tmp_path / "mem0.json")

        assert memory.import_(tmp_path / "mem0.json") == {"memory": 0, "known": 2}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"x": 1}, "expected a list"), ([{"memory": " ", "user_id": "a"}], "item 0 has no text"),
        ([{"memory": "x"}], "belongs to nobody"), ([{"memory": "x", "user_id": "a", "created_at": "soon"}], "item 0"),
    ],
)  # fmt: skip
def test_what_mem0_never_wrote_is_an_input_error(tmp_path, document, message):
    (tmp_path / "in.json").write_text(json.dumps(document))

    with opened(":memory:") as memory, pytest.raises(InputError, match=message):
        memory.import_(tmp_path / "in.json")


def test_items_without_an_owner_take_the_one_that_is_named(tmp_path):
    (tmp_path / "in.json").write_text(json.dumps([{"id": "a1", "memory": "Likes tea"}]))
    with opened(":memory:") as memory:
        memory.import_(tmp_path / "in.json", user="ana")

        assert memory.get("a1").user == "ana"


CLIENT = """
class Point:
    def __init__(self, id, payload): self.id, self.payload = id, payload
class Name:
    name = "mem0"
class Listing:
    collections = [Name]
class QdrantClient:
    def __init__(self, path): assert path
    def get_collections(self): return Listing
    def scroll(self, name, limit, offset, with_payload, with_vectors):
        points = [Point("a1", {"data": "Likes tea", "user_id": "ana", "hash": "h", "mood": "calm"}), Point("a2", {"data": "Runs", "user_id": "ana"})]
        start = offset or 0
        return points[start:start + 1], (start + 1 if start + 1 < len(points) else None)
"""


def _store(tmp_path):
    folder = tmp_path / "qdrant"
    (folder / "collection").mkdir(parents=True)
    (folder / "meta.json").write_text("{}")
    return folder


def test_an_embedded_store_is_read_by_another_process_page_by_page(tmp_path, monkeypatch):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "qdrant_client.py").write_text(CLIENT)
    _reachable(monkeypatch, tmp_path / "lib")

    with opened(":memory:") as memory:
        assert memory.import_(_store(tmp_path)) == {"memory": 2, "known": 0}
        assert (memory.get("a1").text, memory.get("a1").metadata) == ("Likes tea", {"mood": "calm"})
        with pytest.raises(InputError, match="no collection 'other'"):
            memory.import_(tmp_path / "qdrant", collection="other")


def test_without_qdrant_client_the_error_names_the_extra(tmp_path, monkeypatch):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "qdrant_client.py").write_text("raise ImportError")
    _reachable(monkeypatch, tmp_path / "lib")

    with opened(":memory:") as memory, pytest.raises(SettingsError, match="mem0-import"):
        memory.import_(_store(tmp_path))


def _reachable(monkeypatch, folder):
    import sys

    paths = [str(folder), *(path for path in sys.path if path)]
    monkeypatch.setenv("PYTHONPATH", ":".join(paths))


def test_a_folder_that_is_no_store_is_an_input_error(tmp_path):
    assert not mem0.is_store(tmp_path)
    with opened(":memory:") as memory, pytest.raises(InputError, match="no embedded store"):
        memory.import_(tmp_path)
