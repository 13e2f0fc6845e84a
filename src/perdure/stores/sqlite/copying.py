"""Whole copies of the file: an online backup, and a restore into a store that holds nothing yet."""

from __future__ import annotations

from pathlib import Path

import apsw

from perdure.errors import Corrupt, Forbidden, SchemaMismatch
from perdure.stores import _rules
from perdure.stores.sqlite import schema, writing
from perdure.stores.sqlite.connections import Connections
from perdure.stores.sqlite.rows import first


def backup(connections: Connections, path: Path) -> dict[str, int]:
    """Write one snapshot to `path`, an empty file, and return what it holds.

    By VACUUM INTO, while others read and write: the copy is one file without a log, and holds no byte of what was
    deleted.
    """
    with connections.translating():
        connections.outside("vacuum into :path", {"path": str(path)})
        with _opened(path) as copy:
            return {**_counts(copy), "bytes": path.stat().st_size}


def restore(connections: Connections, path: Path) -> dict[str, int]:
    """Take over a backup and return what came.

    Raises Forbidden where anything was ever written to the store, Corrupt on a file that is damaged or none of ours,
    SchemaMismatch on one of a later release, SettingsError where its vectors are another embedder's.
    """
    with connections.translating(), _opened(path) as copy:
        _check(copy, path)
        with connections.writing() as connection:
            _check_empty(connection, copy)
        connections.take_over(copy)
        return {**_counts(copy), "bytes": path.stat().st_size}


class _opened:  # noqa: N801 - read as a verb
    """A copy, opened for reading and closed at the end: as a context manager apsw's own is a transaction."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise Corrupt(f"there is no backup {path}; name a file that `backup` wrote")
        self._connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)

    def __enter__(self) -> apsw.Connection:
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def _check(copy: apsw.Connection, path: Path) -> None:
    try:
        is_ours = int(copy.pragma("application_id")) == schema.APPLICATION_ID
    except (apsw.NotADBError, apsw.CorruptError) as err:
        raise Corrupt(f"{path} is damaged or is no SQLite file; name a file that `backup` wrote") from err
    if not is_ours:
        raise Corrupt(f"{path} is no backup of perdure; name a file that `backup` wrote")
    held = int(copy.pragma("user_version"))
    if held > schema.latest():
        raise SchemaMismatch(f"{path} has schema {held}, this release knows up to {schema.latest()}; upgrade perdure")
    if copy.execute("pragma integrity_check").fetchall() != [("ok",)]:
        raise Corrupt(f"the backup {path} is damaged; take an older one")


def _check_empty(connection: apsw.Connection, copy: apsw.Connection) -> None:
    if first(connection, "any_partition") is not None:
        raise Forbidden("the store holds memories and a restore would replace them; restore into a new file")
    current = zip(writing.spaces_of(connection), writing.spaces_of(copy), strict=False)  # the first is the current one
    for held, come in list(current)[:1]:
        if (held.model, held.dimensions) != (come.model, come.dimensions):
            raise _rules.other_embedder((come.model, come.dimensions), (held.model, held.dimensions))


def _counts(copy: apsw.Connection) -> dict[str, int]:
    row = first(copy, "counts_of_all")
    names = ("partitions", "operations", "messages", "memories")
    return dict(zip(names, row or (), strict=True))
