"""The verbs that look back: history, diff, timeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from perdure.interfaces.cli import show
from perdure.interfaces.cli.options import (
    Session,
    given,
    json_option,
    pass_session,
    scope_options,
    time_options,
    where_option,
)
from perdure.models import VersionRecord


@click.command()
@click.argument("id")
@click.option("--lineage", is_flag=True, help="What it replaced and was replaced by too, and who decided so.")
@scope_options
@json_option
@pass_session
def history(session: Session, /, *, id: str, lineage: bool, **scope: Any) -> None:
    """Show every version of a memory."""
    with session.memory() as memory:
        if lineage:
            entries = memory.history(id, lineage=True, **scope)
        else:
            versions = memory.history(id, **scope)
    if session.is_json:
        show.document(list(entries if lineage else versions))
    elif lineage:
        _lineage_table(entries)
    else:
        version_table(versions)


def _lineage_table(entries: Sequence[VersionRecord]) -> None:
    rows = [
        (
            show.minute(entry.at), entry.event + (f" ({entry.effect})" if entry.effect else ""),
            f"{entry.memory.id} {entry.memory.version}", show.interval(entry.memory), entry.memory.text, entry.reason,
            entry.model or "", entry.operation_id or "",
        )
        for entry in entries
    ]  # fmt: skip
    show.table(rows, head=("recorded", "event", "version", "holds", "text", "reason", "model", "operation"))


@click.command()
@click.argument("id")
@click.argument("version", type=int)
@click.argument("other", type=int)
@scope_options
@json_option
@pass_session
def diff(session: Session, /, *, id: str, version: int, other: int, **scope: Any) -> None:
    """Show what differs from one version of a memory to another."""
    with session.memory() as memory:
        text = memory.diff(id, version, other, **scope)
    if session.is_json:
        show.document({"diff": text})
        return
    for line in text.splitlines() or ["nothing differs"]:
        show.line(line)


@click.command()
@click.argument("about")
@click.option("--limit", type=int, default=100, show_default=True, help="How many memories at most.")
@where_option
@time_options
@scope_options
@json_option
@pass_session
def timeline(session: Session, /, *, about: str, **options: Any) -> None:
    """Show the memories about something in the order of time.

    ABOUT is a topic, a name, or the id of a memory.
    """
    with session.memory() as memory:
        found = memory.timeline(about, **given(options))
    if session.is_json:
        show.document(list(found))
        return
    if not found:
        show.line("nothing about it is held")
    show.table([(show.day(r.event_from), show.interval(r), r.id, r.text) for r in found])


def version_table(versions: Any, *, indent: str = "") -> None:
    """Print versions: when the store held each, and when it says that the statement held."""
    rows = [
        (str(v.version), show.minute(v.recorded_at), show.minute(v.retired_at), show.interval(v), v.text)
        for v in versions
    ]
    show.table(rows, head=("version", "recorded", "replaced", "holds", "text"), indent=indent)
