"""The traps that lose data, each with a test of its name."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from perdure.errors import Conflict, Corrupt, PerdureError, SchemaMismatch, SettingsError, StoreBusy, StoreError
from perdure.models import ChangeSet, Closing, Probe
from perdure.providers.fakes import FixedClock
from perdure.stores.sqlite import schema
from perdure.stores.sqlite.connections import require_sqlite
from perdure.stores.sqlite.store import SQLiteStore
from perdure.testing.store.writer import (
    ANA,
    DIMENSIONS,
    MODEL,
    Writer,
    found,
    partition_version,
    select,
    texts,
    vector,
    version,
)

Open = Callable[..., SQLiteStore]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def open_store(path: Path) -> Iterator[Open]:
    opened: list[SQLiteStore] = []

    def build(at: Path = path, **options: object) -> SQLiteStore:
        store = SQLiteStore(at, clock=FixedClock(), **options)  # type: ignore[arg-type]
        opened.append(store)
        return store

    yield build
    for store in opened:
        store.close()


def run(code: str, *arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run Python with the writer's names at hand."""
    return subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(code), *map(str, arguments)],
        capture_output=True, text=True, timeout=60, check=False, **options,
    )  # fmt: skip


PRELUDE = f"""
import os, sys
sys.path[:0] = {[entry for entry in sys.path if entry]!r}
from perdure.providers.fakes import FixedClock
from perdure.stores.sqlite.store import SQLiteStore
from perdure.models import ChangeSet
from perdure.testing.store.writer import *
"""


# ---------------------------------------------------------------- fork


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform does not fork")
def test_fork_with_an_open_connection_loses_no_acknowledged_commit(path: Path) -> None:
    """The children have written already when the parent, which had the file open when it forked, closes it."""
    done = run(
        """
        store = SQLiteStore(sys.argv[1], clock=FixedClock())
        Writer(store, FixedClock()).add(version("parent", "parent"))
        store.memories(select())
        read, write = os.pipe()
        pids = []
        for child in range(2):
            pid = os.fork()
            if pid == 0:
                mine = SQLiteStore(sys.argv[1], clock=FixedClock())
                for n in range(80):
                    name = f"c{child}-{n}"
                    operation = Writer(mine, FixedClock()).operation(id=name)
                    mine.commit(ChangeSet(ANA, name, operation=operation, opened=(version(name, name),)))
                    if n == 20:
                        os.write(write, b"x")
                os._exit(0)
            pids.append(pid)
        for _ in pids:
            os.read(read, 1)
        store.close()
        failed = [pid for pid in pids if os.waitpid(pid, 0)[1] != 0]
        assert not failed, failed
        """,
        path,
    )

    assert done.returncode == 0, done.stderr
    store = SQLiteStore(path, clock=FixedClock())
    assert store.stats(ANA).memories == 1 + 2 * 80
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform does not fork")
def test_fork_waits_for_the_threads_that_use_a_connection(path: Path) -> None:
    done = run(
        """
        import threading
        store = SQLiteStore(sys.argv[1], clock=FixedClock())
        stop = threading.Event()
        failures = []
        def work(worker):
            n = 0
            while not stop.is_set():
                n += 1
                name = f"w{worker}-{n}"
                try:
                    operation = Writer(store, FixedClock()).operation(id=name)
                    store.commit(ChangeSet(ANA, name, operation=operation, opened=(version(name, name),)))
                    assert store.memory("acme", name).text == name
                except BaseException as err:
                    failures.append(err)
                    return
        threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
        [thread.start() for thread in threads]
        for _ in range(10):
            pid = os.fork()
            if pid == 0:
                total = store.memories(select()).total
                os._exit(0 if total >= 0 else 1)
            assert os.waitpid(pid, 0)[1] == 0
        stop.set()
        [thread.join() for thread in threads]
        assert not failures, failures
        """,
        path,
    )

    assert done.returncode == 0, done.stderr


# ---------------------------------------------------------------- transactions and connections


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform does not fork")
def test_a_verb_imports_nothing_after_a_fork(path: Path) -> None:
    """A child that is forked while another thread imports waits for the import's lock for ever: a fork imports first."""
    done = run(
        """
        from perdure import Memory
        from perdure.providers.fakes import HashEmbedder
        memory = Memory(sys.argv[1], embedder=HashEmbedder(32))
        child = os.fork()
        if child == 0:
            before = set(sys.modules)
            memory.add("I live in Lyon.", user="ana")
            memory.add(facts=["Ana likes tea"], user="ana")
            memory.undo(memory.operations(user="ana").items[0].operation_id)
            memory.search("tea", user="ana", where={"kind": "fact"})
            memory.answer("Where does Ana live?", user="ana")
            memory.timeline("tea", user="ana")
            print(sorted(set(sys.modules) - before), flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        """,
        path,
    )

    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_every_write_begins_immediate_so_that_writers_wait_for_each_other(open_store: Open) -> None:
    """A deferred transaction that reads and then writes fails at once when another one wrote between."""
    stores = [open_store(), open_store()]
    stores[0].claim_embedder(MODEL, DIMENSIONS)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for n in range(40):
                name = f"w{number}-{n}"
                operation = Writer(stores[number], FixedClock()).operation(id=name)
                stores[number].commit(ChangeSet(ANA, name, operation=operation, opened=(version(name, name),)))
        except PerdureError as err:
            failures.append(err)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert stores[0].stats(ANA).memories == 80
    assert partition_version(stores[1]) == 80


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts file descriptors in /proc")
def test_close_leaves_no_connection_open(path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    store = SQLiteStore(path, clock=FixedClock())
    Writer(store, FixedClock()).add(version("one", "a"))
    threads = [threading.Thread(target=lambda: store.memories(select())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(os.listdir("/proc/self/fd")) > before
    store.close()

    assert len(os.listdir("/proc/self/fd")) == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["memory.db"]
    with pytest.raises(StoreError, match="closed"):
        store.memories(select())
    with pytest.raises(StoreError, match="closed"):
        Writer(store, FixedClock()).add(version("two", "b"))


@pytest.mark.parametrize("old", ["3.7.0", "3.40.1", "3.51.2"])
def test_an_sqlite_that_can_lose_data_is_refused(old: str) -> None:
    with pytest.raises(SettingsError, match="apsw"):
        require_sqlite(old)
    require_sqlite("3.51.3")
    require_sqlite("3.100.0")


def test_a_busy_file_is_store_busy(open_store: Open, path: Path) -> None:
    store = open_store(busy_timeout_s=0.05)
    other = apsw.Connection(str(path))
    other.execute("begin immediate")

    with pytest.raises(StoreBusy, match="busy_timeout_s"):
        Writer(store, FixedClock()).add(version("one", "a"))
    assert store.memories(select()).total == 0
    other.execute("rollback")
    other.close()
    Writer(store, FixedClock()).add(version("one", "a"))

    assert texts(store, select()) == ["one"]


# ---------------------------------------------------------------- two processes


def test_what_another_process_writes_is_seen_by_a_cache(open_store: Open) -> None:
    first, second = open_store(), open_store()
    first.claim_embedder(MODEL, DIMENSIONS)
    here, there = Writer(first, FixedClock()), Writer(second, FixedClock())
    probe = Probe(vector(1), {"tea": 1})
    here.add(version("tea", "a", embedding=vector(1)))
    assert found(first, select(), probe, channel="sparse")[0][0] == "tea"

    there._count = 100
    there.replace(version("tea with milk", "a", 2, embedding=vector(0, 1)))
    there.add(version("more tea", "b", embedding=vector(1, 1)))

    assert {name for name, _ in found(first, select(), probe, channel="sparse")} == {"tea with milk", "more tea"}
    assert {name: round(score, 2) for name, score in found(first, select(), probe, channel="dense")} == {
        "tea with milk": 0.0,
        "more tea": 0.71,
    }
    there.add(erased=("a",))
    assert [name for name, _ in found(first, select(), probe, channel="sparse")] == ["more tea"]


def test_two_processes_that_decided_on_the_same_version_collide(open_store: Open) -> None:
    first, second = open_store(), open_store()
    read = partition_version(first)
    Writer(second, FixedClock()).add(version("Ana likes tea", "a"))

    changes = ChangeSet(
        ANA, "op-x", operation=Writer(first, FixedClock()).operation(id="op-x"), read_version=read,
        opened=(version("Ana likes tea", "b"),),
    )  # fmt: skip
    with pytest.raises(Conflict):
        first.commit(changes, collides=lambda rows: any(record.text == "Ana likes tea" for record, _ in rows))

    assert texts(second, select()) == ["Ana likes tea"]


def test_kill_during_writes_loses_nothing_acknowledged(path: Path, open_store: Open) -> None:
    """The child says each name after its commit; whatever it said must be there, whole."""
    for round_ in range(3):
        child = subprocess.Popen(
            [
                sys.executable,
                "-c",
                PRELUDE
                + textwrap.dedent(
                    """
                    store = SQLiteStore(sys.argv[1], clock=FixedClock())
                    store.claim_embedder(MODEL, DIMENSIONS)
                    n = 0
                    while True:
                        n += 1
                        name = f"r{sys.argv[2]}-{n}"
                        operation = Writer(store, FixedClock()).operation(id=name)
                        opened = (version("tea " + name, name, embedding=vector(1)), version("rice " + name, name + "b"))
                        store.commit(ChangeSet(ANA, name, operation=operation, opened=opened))
                        print(name, flush=True)
                    """
                ),
                str(path),
                str(round_),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        said = [child.stdout.readline().strip() for _ in range(20 + 13 * round_)]
        child.send_signal(signal.SIGKILL)
        said += child.stdout.read().split("\n")[:-1]
        child.stdout.close()
        child.wait()

        store = open_store()
        for name in said:
            assert store.memory("acme", name).text == f"tea {name}"
        held = store.memories(select(), limit=10_000)
        assert held.total % 2 == 0, "half a change set"
        assert held.total >= 2 * len(said)
    check = sqlite3.connect(path)
    assert check.execute("pragma integrity_check").fetchall() == [("ok",)]
    check.close()


# ---------------------------------------------------------------- the disk


@pytest.mark.parametrize("is_replaced", [False, True], ids=["removed", "replaced"])
def test_a_file_removed_or_replaced_while_open_is_a_store_error_and_nothing_is_lost(
    path: Path, open_store: Open, is_replaced: bool
) -> None:
    """What is written to a file without a name is gone with the process: acknowledged, and lost."""
    store, writer = open_store(), Writer(open_store(), FixedClock())
    writer.add(version("one", "a"))
    moved = [(file, file.with_name(f"away{file.name.removeprefix(path.name)}")) for file in path.parent.iterdir()]
    for file, away in moved:
        file.rename(away)
    if is_replaced:
        open_store()

    for verb in (
        lambda: writer.add(version("two", "b")),
        writer.begin,
        lambda: store.memories(select()),
        lambda: store.backup(path.with_name("backup")),
        store.scrub,
    ):
        with pytest.raises(StoreError, match="while it was open") as caught:
            verb()
        assert not isinstance(caught.value, StoreBusy | Corrupt)
    if is_replaced:
        assert open_store().memories(select()).total == 0
    else:
        assert not path.exists()  # an error makes no new file
        for file, away in moved:
            away.rename(file)
        writer.add(version("two", "b"))
        assert texts(store, select()) == ["one", "two"]


def test_a_file_removed_within_a_write_is_not_acknowledged(path: Path, open_store: Open) -> None:
    writer = Writer(open_store(), FixedClock())
    writer.add(version("one", "a"))

    def remove(_: object) -> bool:
        path.unlink()
        return False

    changes = ChangeSet(ANA, "op", operation=replace(writer.operation(), id="op"), read_version=0)
    with pytest.raises(StoreError, match="removed while it was open"):
        writer.store.commit(changes, collides=remove)


def test_a_link_is_followed_to_a_file_that_is_made_where_it_points(path: Path, open_store: Open) -> None:
    """The log stands beside the file itself, whichever name it was opened by: two logs would be two stores."""
    there = path.with_name("there")
    there.mkdir()
    path.symlink_to(there / "real.db")
    writer = Writer(open_store(), FixedClock())
    writer.add(version("one", "a"))

    assert texts(open_store(there / "real.db"), select()) == ["one"]
    assert sorted(file.name for file in there.iterdir()) == ["real.db", "real.db-shm", "real.db-wal"]
    assert (there / "real.db").stat().st_mode & 0o777 == 0o600
    loop = path.with_name("loop.db")
    loop.symlink_to(loop)
    with pytest.raises(StoreError, match="cannot open"):
        open_store(loop)


def test_a_folder_that_cannot_be_written_is_a_store_error(tmp_path: Path, open_store: Open) -> None:
    folder = tmp_path / "sealed"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):  # the superuser may write anywhere but here
        folder = Path("/proc")

    with pytest.raises(StoreError, match="writable"):
        open_store(folder / "memory.db")
    with pytest.raises(StoreError, match="folder must exist"):
        open_store(tmp_path / "absent" / "memory.db")


def test_a_full_disk_writes_nothing_half_and_says_so(path: Path, open_store: Open) -> None:
    done = run(
        """
        import resource
        from perdure.errors import StoreError
        store = SQLiteStore(sys.argv[1], clock=FixedClock())
        writer = Writer(store, FixedClock())
        writer.add(version("before", "before"))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))
        words = {f"word{n}": 1 for n in range(400)}
        kept = 0
        try:
            for n in range(500):
                writer.add(version("x" * 20_000, f"m-{n}", words=words), version("y", f"n-{n}"))
                kept += 1
        except StoreError as err:
            print(kept, type(err).__name__, err)
        assert store.memory("acme", "before").text == "before"
        """,
        path,
    )

    assert done.returncode == 0, done.stderr
    kept, kind, *_ = done.stdout.split()
    assert kind == "StoreError"
    assert "nothing was written" in done.stdout
    store = open_store()
    assert store.memories(select(), limit=10_000).total == 1 + 2 * int(kept)
    Writer(store, FixedClock()).operation()


@pytest.mark.parametrize("content", [b"this is a text file, not a database" * 100, b"\x00" * 5000])
def test_a_file_that_is_no_sqlite_file_is_corrupt_and_stays_as_it_is(
    path: Path, open_store: Open, content: bytes
) -> None:
    path.write_bytes(content)

    with pytest.raises(Corrupt):
        open_store()

    assert path.read_bytes() == content


def test_another_applications_file_is_corrupt_and_stays_as_it_is(path: Path, open_store: Open) -> None:
    other = sqlite3.connect(path)
    other.execute("create table note(text)")
    other.commit()
    other.close()
    before = path.read_bytes()

    with pytest.raises(Corrupt, match="another application"):
        open_store()

    assert path.read_bytes() == before


def test_a_later_schema_is_refused(path: Path, open_store: Open) -> None:
    open_store().close()
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", schema.latest() + 1)
    connection.close()

    with pytest.raises(SchemaMismatch, match="upgrade perdure"):
        open_store()


def test_a_damaged_file_is_corrupt(path: Path, open_store: Open) -> None:
    store = open_store()
    writer = Writer(store, FixedClock())
    for n in range(50):
        writer.add(version("text " * 50, f"m-{n}"))
    store.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)

    with pytest.raises(Corrupt, match="backup"):
        open_store().memories(select())


def test_migrations_survive_an_interruption(path: Path, open_store: Open) -> None:
    """Killed inside the first migration, the file is as empty as before it, and the next opening finishes."""
    connection = apsw.Connection(str(path))
    connection.execute("begin immediate")
    connection.execute(schema.migrations()[0][1])
    connection.close()

    store = open_store()

    assert store.stats(ANA).schema_version == schema.latest()


def test_many_openings_at_once_migrate_once(path: Path) -> None:
    code = PRELUDE + "SQLiteStore(sys.argv[1], clock=FixedClock()).close()"
    children = [subprocess.Popen([sys.executable, "-c", code, str(path)], stderr=subprocess.PIPE) for _ in range(4)]

    errors = [child.communicate(timeout=60)[1] for child in children]

    assert [child.returncode for child in children] == [0] * 4, errors


def test_a_new_file_is_its_owners_alone(open_store: Open, path: Path) -> None:
    open_store()

    assert path.stat().st_mode & 0o077 == 0


def test_an_in_memory_path_is_refused(open_store: Open) -> None:
    with pytest.raises(SettingsError, match="InMemoryStore"):
        open_store(":memory:")


@pytest.mark.parametrize(("durability", "level"), [("normal", 1), ("full", 2)])
def test_durability_sets_how_a_commit_waits(open_store: Open, durability: str, level: int) -> None:
    store = open_store(durability=durability)

    with store._connections.writing() as connection:
        assert connection.pragma("synchronous") == level
        assert connection.pragma("journal_mode") == "wal"


def test_the_cache_stays_within_its_bytes_and_forgets_nothing(open_store: Open) -> None:
    store = open_store(cache_bytes=1)
    store.claim_embedder(MODEL, DIMENSIONS)
    writer = Writer(store, FixedClock())
    for n in range(3):
        writer.add(version(f"tea {n}", f"m-{n}", embedding=vector(1, n)))
        assert len(found(store, select(), Probe(vector(1), {"tea": 1}), channel="sparse")) == n + 1

    assert store._cache.nbytes <= 1


def test_searching_threads_never_see_half_a_change_set(open_store: Open) -> None:
    """Each commit replaces one memory and adds two, so that an even number is current between any two commits."""
    store = open_store()
    store.claim_embedder(MODEL, DIMENSIONS)
    writer = Writer(store, FixedClock())
    writer.add(version("tea", "a", embedding=vector(1)), version("tea", "b", embedding=vector(1)))
    is_over = threading.Event()
    seen: list[tuple[int, int]] = []
    failures: list[BaseException] = []

    def search() -> None:
        try:
            while not is_over.is_set():
                ranked = store.rank("memory", select(), [Probe(vector(1), {"tea": 1})], limit=500)[0]
                seen.extend((ranking.count, len(ranking.scores)) for ranking in ranked.rankings)
        except BaseException as err:
            failures.append(err)
            raise

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(2, 60):
        writer.add(
            version("tea", "a", n, embedding=vector(1)),
            version("tea", f"x{n}", embedding=vector(1)),
            version("tea", f"y{n}", embedding=vector(1)),
            closed=(Closing("a", n - 1),),
        )
    is_over.set()
    for thread in threads:
        thread.join()

    assert failures == []
    assert seen
    assert all(count % 2 == 0 and count == pool for count, pool in seen)
