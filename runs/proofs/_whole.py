"""What must hold of a store's file after any crash: each rule as a query for the rows that break it."""

from __future__ import annotations

from pathlib import Path

import apsw

from perdure.stores.sqlite import schema

RULES = {
    "a version without its operation": """
        select id from memory m where not exists (select 1 from operation o where o.tenant = m.tenant
          and o.id = m.operation)""",
    "a version that no decision tells of": """
        select id from memory m where not exists (select 1 from change c where c.tenant = m.tenant
          and c.operation = m.operation and c.memory = m.id and c.memory_version = m.version)""",
    "a decision about a version that is not there": """
        select c.memory from change c join operation o on o.tenant = c.tenant and o.id = c.operation
        where c.memory is not null and not exists (select 1 from memory m where m.tenant = c.tenant and m.id = c.memory
          and m.version = c.memory_version) and (c.candidate <> '' or c.reason <> '')""",
    "a version that was followed but not closed": """
        select m.id from memory m join memory n on n.tenant = m.tenant and n.id = m.id and n.version = m.version + 1
        where m.retired_at is null or m.retired_at > n.recorded_at""",
    "a version without the one before": """
        select id from memory m where version > 1 and not exists (select 1 from memory n where n.tenant = m.tenant
          and n.id = m.id and n.version = m.version - 1)""",
    "a version whose terms are not all there": """
        select id from memory m where length <> coalesce((select sum(tf) from posting p where p.partition = m.partition
          and p.kind = 'memory' and p.seq = m.no & 16777215), 0)""",
    "a message whose terms are not all there": """
        select id from message m where length <> coalesce((select sum(tf) from posting p where p.partition = m.partition
          and p.kind = 'message' and p.seq = m.no & 16777215), 0)""",
    "a version without its vector": """
        select id from memory m where text <> 'old' and not exists (select 1 from memory_vector v where v.no = m.no)""",
    "a message without its vector": """
        select id from message m where not exists (select 1 from message_vector v where v.no = m.no)""",
    "a term or vector of no row": """
        select seq from posting p where not exists (select 1 from memory m where m.no = p.partition << 24 | p.seq)
          and not exists (select 1 from message m where m.no = p.partition << 24 | p.seq)
        union all select no from memory_vector v where not exists (select 1 from memory m where m.no = v.no)
        union all select no from message_vector v where not exists (select 1 from message m where m.no = v.no)""",
    "a source or link of no memory": """
        select memory from source s where not exists (
          select 1 from memory m where m.partition = s.partition and m.id = s.memory)
        union all select successor from link l where not exists (
          select 1 from memory m where m.partition = l.partition and m.id = l.successor)
        union all select predecessor from link l where not exists (
          select 1 from memory m where m.partition = l.partition and m.id = l.predecessor)""",
    "a partition that miscounts": """
        select no from partition p
        where memories <> (select count(*) from memory m where m.partition = p.no and retired_at is null)
          or messages <> (select count(*) from message m where m.partition = p.no)
          or memory_length <> (select coalesce(sum(length), 0) from memory m where m.partition = p.no
            and retired_at is null)
          or message_length <> (select coalesce(sum(length), 0) from message m where m.partition = p.no)
          or next_seq <= coalesce((select max(no & 16777215) from memory m where m.partition = p.no), 0)
          or next_seq <= coalesce((select max(no & 16777215) from message m where m.partition = p.no), 0)""",
    "a message of no exchange": """
        select id from message m where not exists (select 1 from exchange e where e.tenant = m.tenant
          and e.operation = m.operation and e.number = m.exchange)""",
    "a finished operation with an exchange that is not done": """
        select o.id from operation o join exchange e on e.tenant = o.tenant and e.operation = o.id
        where o.status = 'done' and not e.is_done""",
}  # fmt: skip


def faults(path: Path) -> list[str]:
    """Return what is wrong with a file; nothing if it is whole."""
    connection = apsw.Connection(str(path), vfs="unix")
    try:
        check = [row for (row,) in connection.execute("pragma integrity_check")]
        found = [] if check == ["ok"] else [f"integrity_check: {check[0]}"]
        held = int(connection.pragma("user_version"))
        if held != schema.latest():
            found.append(f"schema {held}")
        for rule, query in RULES.items():
            rows = connection.execute(query).fetchall()
            if rows:
                found.append(f"{len(rows)} times {rule}: {rows[0][0]}")
        return found
    finally:
        connection.close()
