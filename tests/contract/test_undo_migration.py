"""A file of the first schema: what undo and lineage need is filled in from what is there."""

from __future__ import annotations

import apsw
from tests import make

from perdure import Memory
from perdure.providers.fakes import FixedClock, HashEmbedder
from perdure.stores.sqlite import schema

US = 1_700_000_000_000_000


def first_schema(path):
    """Write a file as the first release's schema had it: one memory, updated once, with a source each time."""
    connection = apsw.Connection(str(path))
    connection.pragma("application_id", schema.APPLICATION_ID)
    connection.pragma("user_version", 1)
    connection.execute(schema.migrations()[0][1])
    connection.execute(
        "insert into partition (no, tenant, owner_kind, owner, next_seq, version, recorded_at, memories, memory_length) "
        "values (1, 'default', 'user', 'ana', 3, 2, ?, 1, 4)",
        (US + 5,),
    )
    for number, (operation, verb) in enumerate([("op-1", "add"), ("op-2", "add")], start=1):
        at = US + 5 * (number - 1)
        connection.execute(
            "insert into operation (tenant, partition, id, verb, user_id, engine, payload_hash, arguments, status, at, "
            "warnings, usage) values ('default', 1, ?, ?, 'ana', 'llm', '', '{}', 'done', ?, '[]', '[0,0,0,0,0]')",
            (operation, verb, at),
        )
        connection.execute(
            "insert into memory (no, tenant, partition, id, version, partition_version, operation, user_id, text, kind, "
            "metadata, categories, entities, origin, recorded_at, retired_at, created_at, length) values "
            "(?, 'default', 1, 'm', ?, ?, ?, 'ana', ?, 'fact', '{}', '[]', '[]', 'user', ?, ?, ?, 4)",
            (1 << 24 | number, number, number, operation, f"text {number}", at, US + 5 if number == 1 else None, US),
        )
        connection.execute(
            "insert into source (partition, memory, quote, at, recorded_at) values (1, 'm', ?, ?, ?)",
            (f"quote {number}", at, at),
        )
        connection.execute(
            "insert into change (tenant, operation, ordinal, event, memory, memory_version, previous, previous_version, "
            "reason, candidate) values ('default', ?, 0, ?, 'm', ?, ?, ?, '', '')",
            (operation, "ADD" if number == 1 else "UPDATE", number, None if number == 1 else "m", number - 1 or None),
        )
    connection.close()


def test_an_operation_of_the_first_schema_is_told_in_the_lineage_and_undone_with_its_source(tmp_path):
    first_schema(tmp_path / "m.db")
    with Memory(tmp_path / "m.db", embedder=HashEmbedder(), clock=FixedClock(make.AT)) as memory:
        entries = memory.history("m", lineage=True)
        assert [(entry.event, entry.operation_id) for entry in entries] == [("ADD", "op-1"), ("UPDATE", "op-2")]

        memory.undo("op-2")

        record = memory.get("m")
        assert (record.text, record.version, [s.quote for s in record.sources]) == ("text 1", 3, ["quote 1"])


def test_migrations_are_numbered_one_by_one():
    numbers = [number for number, _ in schema.migrations()]

    assert numbers == list(range(1, len(numbers) + 1))
