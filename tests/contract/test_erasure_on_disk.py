"""Erasure, down to the bytes of every file in the folder."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
from datetime import timedelta
from pathlib import Path

import apsw
import numpy as np
import pytest
from tests import make

from perdure import Memory
from perdure.errors import Forbidden, NotFound
from perdure.models import Role
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder
from perdure.stores.sqlite.store import SQLiteStore

SETTINGS = {"jobs": "manual"}


def opened(path: Path, **options: object) -> Memory:
    settings = {**SETTINGS, **options.pop("settings", {})}  # type: ignore[dict-item]
    return Memory(
        path, embedder=HashEmbedder(64), clock=FixedClock(make.AT), ids=CountingIds("x"), settings=settings, **options
    )  # type: ignore[arg-type]


def words(secret: int) -> str:
    """Text of twenty words that nothing else holds; letters only, so that stems stay findable."""
    pick = random.Random(secret)
    return " ".join("".join(pick.choice("bcdfghjklmnpqrstvwxz") for _ in range(9)) for _ in range(20))


def hits(folder: Path, text: str) -> list[str]:
    """Where any word, stem or vector of a text stands: file and what was found."""
    matrix = HashEmbedder(64).embed([text, f"user: {text}"], Role.DOCUMENT).astype("<f2")
    needles = {word[:7]: word[:7].encode() for word in text.split()}
    needles |= {f"vector {n}": row.tobytes() for n, row in enumerate(matrix)}
    return [
        f"{file.name}: {name}"
        for file in sorted(folder.iterdir())
        for name, needle in needles.items()
        if needle in file.read_bytes()
    ]


def fill(memory: Memory, user: str, secrets: range) -> None:
    for n in secrets:
        memory.add(words(n), user=user, infer=False, metadata={"word": words(n)[:9]})
        memory.add(facts=[words(n)], user=user, instructions=words(n))


def test_after_an_erasure_no_byte_of_the_scope_stands_in_any_file(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        fill(memory, "bo", range(40, 60))
        fill(memory, "ana", range(40))
        memory.add("I live in Lyon.", user="ana")
        memory.delete(memory.list(user="ana").items[0].id, user="ana")
        memory.search(words(3), user="ana")
        assert hits(tmp_path, words(3))

        receipt = memory.erase(user="ana")

        assert not receipt.pending
        assert receipt.counts["messages"] == 41
        assert [hit for n in range(40) for hit in hits(tmp_path, words(n))] == []
        assert hits(tmp_path, "Lyon Lyon") == []
        assert len(memory.search(words(3), user="ana", k=5)) == 0
        assert all(memory.search(words(n), user="bo")[0].text for n in range(40, 60))
    assert [hit for n in range(40) for hit in hits(tmp_path, words(n))] == []


def test_after_an_erasure_by_id_no_byte_of_the_memory_stands_in_any_file(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        for n in range(30):
            memory.add(facts=[words(n)], user="ana")
        ids = [record.id for record in memory.list(user="ana").items]
        memory.update(ids[7], words(100))

        receipt = memory.erase(ids[7])

        assert receipt.counts["versions"] == 2
        assert hits(tmp_path, words(7)) == hits(tmp_path, words(100)) == []
        assert hits(tmp_path, words(8))
        assert memory.list(user="ana").total == 29


@pytest.mark.parametrize("path", ["m.db", ":memory:"])
def test_a_merge_and_a_split_keep_no_byte_of_an_erased_name(tmp_path: Path, path: str) -> None:
    with opened(path if path == ":memory:" else tmp_path / path) as memory:  # type: ignore[arg-type]
        memory.add(facts=["Ninaq lives in Rome."], user="ana", at=make.AT)
        memory.add(facts=["Oscarq lives in Lyon."], user="ana", at=make.AT + timedelta(days=30))
        merged = memory.merge("Ninaq", "Oscarq", user="ana")
        memory.split("Ninaq", ["Ninaq"], user="ana")

        memory.erase(user="ana", before=make.AT + timedelta(days=1))

        assert [one.name for one in memory.entities(user="ana")] == ["Lyon", "Oscarq"]
        assert [one.text for one in memory.relations(user="ana")] == ["Oscarq lives in Lyon"]
        needles = [b"inaq", *(row.tobytes() for row in HashEmbedder(64).embed(["Ninaq"], Role.DOCUMENT).astype("<f2"))]
        assert not any(needle in file.read_bytes() for file in tmp_path.iterdir() for needle in needles)
        memory.undo(merged.operation_id)
        assert [one.text for one in memory.relations("Oscarq", user="ana")] == ["Oscarq lives in Lyon"]


def test_history_shows_nothing_deleted_as_live_after_an_erasure(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        (change,) = memory.add(facts=["Ana likes tea"], user="ana").changes
        assert change.memory
        memory.delete(change.memory.id)
        (held,) = memory.history(change.memory.id)
        assert held.retired_at is not None

        memory.erase(change.memory.id)

        for call in (memory.history, memory.get):
            with pytest.raises(NotFound):
                call(change.memory.id)
        assert all(not result.changes for result in memory.operations(user="ana").items)


def test_a_reader_of_the_old_file_makes_an_erasure_pending_and_a_job_finishes_it(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(path) as memory:
        memory.add(facts=[words(1)], user="ana")
        other = apsw.Connection(str(path))
        other.execute("begin")
        other.execute("select count(*) from memory").get  # noqa: B018

        receipt = memory.erase(user="ana")
        assert receipt.pending
        assert memory.operation(receipt.operation_id).status == "pending"
        assert memory.list(user="ana").total == 0
        memory.flush()
        assert memory.operation(receipt.operation_id).status == "pending"

        other.close()
        memory._ports.clock.move(timedelta(seconds=60))  # type: ignore[attr-defined]
        memory.flush()

        assert memory.operation(receipt.operation_id).status == "done"
        assert hits(tmp_path, words(1)) == []
        assert memory.stats().jobs_waiting == 0


def test_another_process_forgets_what_was_erased(tmp_path: Path) -> None:
    code = f"""
        import sys
        sys.path[:0] = {[entry for entry in sys.path if entry]!r}
        from pathlib import Path
        from tests.contract.test_erasure_on_disk import opened, words
        with opened(Path(sys.argv[1])) as memory:
            print(len(memory.search(words(1), user="ana")), flush=True)
            sys.stdin.readline()
            print(len(memory.search(words(1), user="ana")), flush=True)
    """
    with opened(tmp_path / "m.db") as memory:
        memory.add(facts=[words(1)], user="ana")
        child = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), str(tmp_path / "m.db")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert child.stdout
        assert child.stdin
        assert child.stdout.readline() == "1\n"

        assert not memory.erase(user="ana").pending

        child.stdin.write("\n")
        child.stdin.flush()
        assert child.stdout.readline() == "0\n"
        child.communicate()


def test_an_erasure_cannot_be_undone_or_retried(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        memory.add(facts=["Ana likes tea"], user="ana")
        other = apsw.Connection(str(tmp_path / "m.db"))
        other.execute("begin")
        other.execute("select count(*) from memory").get  # noqa: B018
        receipt = memory.erase(user="ana")
        other.close()

        for verb in (memory.retry, memory.undo):
            with pytest.raises(Forbidden):
                verb(receipt.operation_id)


def test_an_erasure_before_a_time_leaves_what_was_said_later(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        memory.add("I live in Lyon.", user="ana", at=make.AT)
        memory.add("My sister's name is Bea.", user="ana", at=make.AT + timedelta(days=30))

        receipt = memory.erase(user="ana", before=make.AT + timedelta(days=1))

        assert receipt.counts["messages"] == 1
        assert [message.content for message in memory.messages(user="ana").items] == ["My sister's name is Bea."]
        assert hits(tmp_path, "Lyon Lyon") == []
        assert all("Bea" in record.text for record in memory.list(user="ana").items)


def test_what_another_message_attests_is_extracted_again_from_it(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        memory.add("I live in Lyon.", user="ana", at=make.AT)
        memory.add("I live in Lyon.", user="ana", at=make.AT + timedelta(days=30))
        (before,) = memory.list(user="ana").items
        assert before.evidence_count == 2

        memory.erase(user="ana", before=make.AT + timedelta(days=1))
        memory.flush()

        (after,) = memory.list(user="ana").items
        assert after.id != before.id
        assert after.evidence_count == 1
        assert "Lyon" in after.text
        assert after.valid_from == make.AT + timedelta(days=30)


def test_what_has_long_expired_is_purged_where_the_setting_says_so(tmp_path: Path) -> None:
    for days, left in ((None, 2), (7.0, 1)):
        path = tmp_path / f"{days}.db"
        with opened(path, settings={"purge_expired_after_days": days}) as memory:
            memory.add(facts=[words(1)], user="ana", expires=make.AT + timedelta(days=1))
            memory.add(facts=[words(2)], user="ana", expires=make.AT + timedelta(days=30))
            memory.flush()
            assert memory.stats().memories == 2
            memory._ports.clock.move(timedelta(days=9))  # type: ignore[attr-defined]

            memory.flush()

            records = [
                memory.get(r.id) for o in memory.operations(user="ana").items for c in o.changes if (r := c.memory)
            ]
            assert len(records) == left
            assert bool([hit for hit in hits(tmp_path, words(1)) if hit.startswith(path.name)]) == (left == 2)
            assert memory.list(user="ana").total == 1


def test_expired_memories_never_take_the_place_of_live_ones(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        for n in range(70):
            memory.add(
                facts=[f"Ana likes tea number {n}"], user="ana", expires=make.AT + timedelta(days=1), kind="event"
            )
        memory._ports.clock.move(timedelta(days=9))  # type: ignore[attr-defined]
        live = {f"tea {name}" for name in "bcdfghjklm"}
        for text in sorted(live):
            memory.add(facts=[text], user="ana")

        assert {hit.text for hit in memory.search("tea", user="ana", k=10)} == live


def test_a_store_that_is_not_scrubbed_holds_the_bytes(tmp_path: Path) -> None:
    """The canary can fail: rows that are deleted without a rewrite leave their bytes behind."""
    with opened(tmp_path / "m.db") as memory:
        memory.add(facts=[words(1)], user="ana")
        store = memory._ports.store
        assert isinstance(store, SQLiteStore)
        with store._connections.writing() as connection:
            connection.execute("delete from memory")

        assert any("m.db" in hit for hit in hits(tmp_path, words(1)))
        assert np.float16(1).nbytes == 2
