"""The file's schema: numbered migrations, each in one transaction, recorded in the file itself."""

from __future__ import annotations

import contextlib
import os
from importlib import resources
from pathlib import Path

from perdure.errors import Corrupt, SchemaMismatch, StoreError
from perdure.stores.sqlite.connections import Connections

APPLICATION_ID = 0x70657264  # "perd": tells a perdure file from any other SQLite file


def migrations() -> list[tuple[int, str]]:
    """Return the migrations in order: number and SQL."""
    folder = resources.files(__package__).joinpath("migrations")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return [(int(file.name[:4]), file.read_text("utf-8")) for file in files]


def latest() -> int:
    """Return the schema version that this release writes."""
    return migrations()[-1][0]


def create(path: Path) -> None:
    """Create an empty file that only its owner may read, if there is none."""
    with contextlib.suppress(FileExistsError):
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            raise
        except OSError as err:
            raise StoreError(
                f"cannot create {path}: {err.strerror}; the folder must exist and be writable: create it, change its "
                "permissions, or name another one"
            ) from err


def migrate(connections: Connections, path: Path) -> None:
    """Bring the file to the latest schema.

    Whoever is interrupted leaves the file at the last whole migration; whoever comes second finds it done.
    Raises Corrupt on a file that is not perdure's, SchemaMismatch on one of a later release.
    """
    with connections.writing() as connection:
        held = int(connection.pragma("user_version"))
        application = int(connection.pragma("application_id"))
        is_new = held == 0 and application == 0 and not connection.execute("select 1 from sqlite_schema").fetchall()
    if not is_new and application != APPLICATION_ID:
        raise Corrupt(f"{path} is an SQLite file of another application; name another file")
    if held > latest():
        raise SchemaMismatch(
            f"{path} has schema {held}, this release knows up to {latest()}; upgrade perdure to open it"
        )
    connections.write_ahead()
    for number, sql in migrations():
        with connections.writing() as connection:
            if int(connection.pragma("user_version")) < number:
                connection.pragma("application_id", APPLICATION_ID)
                connection.execute(sql)
                connection.pragma("user_version", number)
