"""Connections to one file: a pool of readers, one writer, and what a fork and an error mean to them.

A connection that is open while the process forks loses acknowledged commits: the child inherits SQLite's table of
locks and believes that it holds them (measured: 14 to 19 % of commits, silently).  So every connection is closed
before a fork, and opened again by whoever needs one.
A file that is deleted or replaced under its readers and writer stays theirs alone: what they write is gone with them.
So each transaction first looks whether the path still names the file (2 microseconds).
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import apsw

from perdure.errors import Corrupt, SettingsError, StoreBusy, StoreError
from perdure.settings import Durability
from perdure.where import CASEFOLD, casefold

OLDEST_SQLITE = (3, 51, 3)  # before it, two connections could corrupt a WAL file that both reset at one instant

_PATIENCE_MS = 1000  # that rewriting waits for others (chosen: a reader's snapshot lasts milliseconds)


def require_sqlite(version: str) -> None:
    """Raise SettingsError on an SQLite that can lose data in WAL mode.

    >>> require_sqlite("3.51.3")
    """
    if tuple(int(part) for part in re.findall(r"\d+", version)[:3]) < OLDEST_SQLITE:
        raise SettingsError(
            f"SQLite {version} can corrupt a file that two connections write; "
            f"perdure needs {'.'.join(map(str, OLDEST_SQLITE))} or newer: upgrade the package apsw, which holds it"
        )


class Connections:
    """The connections of one process to one file; threads may share it."""

    def __init__(self, path: Path, *, durability: Durability, busy_timeout_s: float) -> None:
        require_sqlite(apsw.sqlite_lib_version())
        self._path = path
        self._durability = durability
        self._busy_timeout_ms = int(busy_timeout_s * 1000)
        self._is_closed = False
        self._file: tuple[int, int] | None = None  # device and inode of what was opened first
        self._new_locks()
        _ALL.add(self)

    def _new_locks(self) -> None:
        self._gate = threading.Condition()  # guards the readers' pool
        self._idle: list[apsw.Connection] = []
        self._borrowed = 0
        self._is_forking = False
        self._writing = threading.RLock()  # one writer at a time in this process; SQLite serialises the processes
        self._writer: apsw.Connection | None = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Yield a reader inside a transaction; its snapshot begins with its first query."""
        with self.translating():
            connection = self._borrow()
            try:
                self._check_file()
                connection.execute("begin")
                yield connection
            finally:
                self._give_back(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """Yield the writer inside a transaction that commits at the end, and rolls back on any error.

        It begins as IMMEDIATE: a deferred one that reads and then writes meets SQLITE_BUSY at once, time-out or not.
        """
        with self.translating(), self._writing:
            connection = self._writing_one()
            connection.execute("begin immediate")
            try:
                yield connection
                self._check_file()
                connection.execute("commit")
            except BaseException:
                if connection is self._writer and not connection.get_autocommit():
                    connection.execute("rollback")
                raise

    @contextlib.contextmanager
    def translating(self) -> Iterator[None]:
        """Raise SQLite's errors as ours."""
        try:
            yield
        except (apsw.BusyError, apsw.LockedError) as err:
            raise StoreBusy(
                f"another writer held {self._path} longer than {self._busy_timeout_ms / 1000:g} s; "
                "nothing was written: try again, or raise the setting busy_timeout_s"
            ) from err
        except (apsw.NotADBError, apsw.CorruptError) as err:
            raise Corrupt(
                f"{self._path} is damaged or is no SQLite file; restore a backup, or name another file"
            ) from err
        except apsw.FullError as err:
            raise StoreError(f"no space left for {self._path}; nothing was written: free some and try again") from err
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError) as err:
            raise StoreError(
                f"cannot write {self._path}: the file and its folder must exist and be writable (SQLite keeps two "
                "files beside it); create the folder, change its permissions, or name another one"
            ) from err
        except apsw.IOError as err:
            raise StoreError(
                f"reading or writing {self._path} failed ({err}); nothing was written: check the disk and its quota"
            ) from err
        except UnicodeDecodeError as err:
            raise Corrupt(f"{self._path} holds text that is not UTF-8, so it is damaged; restore a backup") from err
        except apsw.Error as err:
            raise StoreError(f"SQLite refused a request on {self._path}: {err}; nothing was written") from err

    def rewrite(self) -> bool:
        """Write the file anew from its rows and empty the log, so that nothing deleted stands in either.

        False where another reader or writer holds on to what was there for more than a second.
        Chosen over secure_delete: that is silent about copies made before it was set, and slows every write.
        Cost: reading and writing the whole file once.
        """
        with self.translating(), self._writing:
            connection = self._writing_one()
            connection.set_busy_timeout(_PATIENCE_MS)
            try:
                connection.execute("vacuum")
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except (apsw.BusyError, apsw.LockedError):
                return False
            finally:
                connection.set_busy_timeout(self._busy_timeout_ms)
            return True

    def outside(self, sql: str, bound: Mapping[str, str]) -> None:
        """Run a statement that no transaction may hold, on a reader."""
        with self.translating():
            connection = self._borrow()
            try:
                self._check_file()
                connection.execute(sql, bound)
            finally:
                self._give_back(connection)

    def take_over(self, copy: apsw.Connection) -> None:
        """Replace the whole file by a copy, in one transaction."""
        with self.translating(), self._writing, self._writing_one().backup("main", copy, "main") as copying:
            copying.step()
        self.write_ahead()

    def write_ahead(self) -> None:
        """Set the file to WAL, where readers and the writer do not wait for each other.  The file keeps it."""
        with self.translating(), self._writing:
            self._writing_one().pragma("journal_mode", "wal")

    def close(self) -> None:
        """Close every connection; one in use is closed when it is given back."""
        with self.translating(), self._writing, self._gate:
            self._is_closed = True
            self._close_all()

    def _close_all(self) -> None:
        """Close what is not in use, all of it, whatever the disk says; what the log holds is durable without it."""
        connections = [*self._idle, *([] if self._writer is None else [self._writer])]
        self._idle.clear()
        self._writer = None
        with contextlib.ExitStack() as closing:  # each is closed though another one fails
            for connection in connections:
                closing.callback(connection.close)

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreError(f"the store {self._path} was closed; open it again")

    def _check_file(self) -> None:
        """Raise StoreError if the path names another file than the one that was opened, or none."""
        try:
            held = os.stat(self._path)
        except OSError as err:
            raise StoreError(
                f"{self._path} was removed while it was open ({err.strerror}); nothing was written: put the file back, "
                "or open the memory again on a restored backup"
            ) from err
        if self._file is None:
            self._file = held.st_dev, held.st_ino
        elif self._file != (held.st_dev, held.st_ino):
            raise StoreError(
                f"{self._path} was replaced by another file while it was open; nothing was written.  Before it is "
                f"opened again, close it everywhere and remove {self._path.name}-wal and {self._path.name}-shm: they "
                "belong to the old file and would damage the new one.  `restore` brings a backup into a new store"
            )

    def _writing_one(self) -> apsw.Connection:
        """Return the writer, on the file that the path still names; the caller holds `_writing`."""
        self._check_open()
        if self._writer is None:
            self._writer = self._open()
        self._check_file()
        return self._writer

    def _borrow(self) -> apsw.Connection:
        with self._gate:
            self._gate.wait_for(lambda: not self._is_forking)
            self._check_open()
            connection = self._idle.pop() if self._idle else self._open()
            self._borrowed += 1
            return connection

    def _give_back(self, connection: apsw.Connection) -> None:
        with self._gate:
            self._borrowed -= 1
            self._gate.notify_all()
            try:
                if not connection.get_autocommit():
                    connection.execute("rollback")
            except apsw.Error:
                connection.close()  # a reader that the disk failed is not used again
                raise
            if self._is_closed:
                connection.close()
            else:
                self._idle.append(connection)

    def _open(self) -> apsw.Connection:
        if self._file is not None:  # else it is noted once it is open: that alone may move a file between two layers
            self._check_file()
        connection = apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READWRITE)  # schema.create makes it
        try:
            connection.set_busy_timeout(self._busy_timeout_ms)
            connection.pragma("synchronous", self._durability)
            connection.create_scalar_function(CASEFOLD, lambda *values: casefold(values[0]), 1, deterministic=True)
        except BaseException:
            connection.close()  # nobody knows of it: left open, a fork would lose commits
            raise
        return connection

    def before_fork(self) -> None:
        """Wait for every user of a connection, close them all, and let nobody open one."""
        self._writing.acquire()
        with self._gate:
            self._gate.wait_for(lambda: not self._borrowed)
            self._is_forking = True
            self._close_all()

    def after_fork_in_parent(self) -> None:
        """Let connections be opened again."""
        with self._gate:
            self._is_forking = False
            self._gate.notify_all()
        self._writing.release()

    def after_fork_in_child(self) -> None:
        """Start with fresh locks: the old ones' waiters stayed in the parent."""
        self._new_locks()


_ALL: weakref.WeakSet[Connections] = weakref.WeakSet()  # of this process, for the fork handlers below


def _each(step: Callable[[Connections], None]) -> Callable[[], None]:
    def run() -> None:
        for connections in list(_ALL):
            step(connections)

    return run


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_each(Connections.before_fork),
        after_in_parent=_each(Connections.after_fork_in_parent),
        after_in_child=_each(Connections.after_fork_in_child),
    )
