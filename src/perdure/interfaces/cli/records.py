"""The verbs that list what is held: list, get, operations, messages, summary, stats."""

from __future__ import annotations

from typing import Any

import click

from perdure.interfaces.cli import show
from perdure.interfaces.cli.options import (
    Session,
    filter_options,
    given,
    json_option,
    pass_session,
    scope_options,
    time_options,
)
from perdure.models import MemoryRecord, Page


def _paging(function: Any) -> Any:  # click's decorators are untyped in what they keep
    function = click.option("--cursor", help="Where the page before ended.")(function)
    return click.option("--limit", type=int, default=100, show_default=True, help="How many a page.")(function)


def _more(page: Page[Any]) -> None:
    if page.cursor is not None:
        click.echo(f"{len(page.items)} of {page.total}; the next page: --cursor {page.cursor}", err=True)


@click.command("list")
@click.option(
    "--order", type=click.Choice(["recorded", "-recorded", "valid", "-valid"]), default="recorded", show_default=True,
    help="By which time; - for newest first.",
)  # fmt: skip
@_paging
@filter_options
@scope_options
@json_option
@pass_session
def list_(session: Session, /, **options: Any) -> None:
    """List memories."""
    with session.memory() as memory:
        page = memory.list(**given(options))
    if session.is_json:
        show.document(page)
        return
    if not page.items:
        show.line("no memories")
    show.table([(record.id, show.day(record.valid_from), show.state(record), record.text) for record in page.items])
    _more(page)


@click.command()
@click.argument("id")
@time_options
@scope_options
@json_option
@pass_session
def get(session: Session, /, *, id: str, **options: Any) -> None:
    """Show one memory with its dates and sources."""
    with session.memory() as memory:
        record = memory.get(id, **given(options))
    if session.is_json:
        show.document(record)
    else:
        details(record)


def details(record: MemoryRecord) -> None:
    """Print all that is known about one version of a memory, without what is empty."""
    show.line(record.text)
    event = f"{show.day(record.event_from)} to {show.day(record.event_to)} ({record.time_precision or 'exact'})"
    rows = [
        ("id", f"{record.id}, version {record.version}"),
        ("state", f"{show.state(record)}, {record.kind}, told by {record.attributed_to or record.origin}"),
        ("holds", show.interval(record)),
        ("happens", event if record.event_from or record.event_to else ""),
        ("recorded", f"{show.minute(record.recorded_at)} to {show.minute(record.retired_at)}"),
        ("expires", show.minute(record.expires_at) if record.expires_at else ""),
        ("entities", ", ".join(record.entities)),
        ("metadata", ", ".join(f"{key}={value}" for key, value in record.metadata.items())),
        ("supersedes", ", ".join(record.supersedes)),
        ("superseded by", record.superseded_by or ""),
        *(("source", f"{show.minute(one.at)}  {one.message_id or '-'}  {one.quote}") for one in record.sources),
    ]
    show.table([row for row in rows if row[1]], indent="  ")


@click.command()
@click.argument("id", required=False)
@_paging
@scope_options
@json_option
@pass_session
def operations(session: Session, /, *, id: str | None, limit: int, cursor: str | None, **scope: Any) -> None:
    """List operations, newest first, or show one."""
    with session.memory() as memory:
        if id is not None:
            result = memory.operation(id)
        else:
            page = memory.operations(limit=limit, cursor=cursor, **scope)
    if session.is_json:
        show.document(result if id is not None else page)
    elif id is not None:
        show.operation(result)
    else:
        show.table(
            [
                (
                    one.operation_id,
                    show.minute(one.at),
                    one.verb,
                    one.status,
                    one.engine,
                    f"{len(one.changes)} decisions",
                )
                for one in page.items
            ]
        )
        _more(page)


@click.command()
@click.argument("id", required=False)
@click.option("--last", type=int, help="Only the newest so many.")
@_paging
@scope_options
@json_option
@pass_session
def messages(
    session: Session, /, *, id: str | None, last: int | None, limit: int, cursor: str | None, **scope: Any
) -> None:
    """List messages in order, or show one.

    ID is perdure's own, or yours together with the scope.
    """
    with session.memory() as memory:
        if id is not None:
            record = memory.message(id, **scope)
        else:
            page = memory.messages(last=last, limit=limit, cursor=cursor, **scope)
    if session.is_json:
        show.document(record if id is not None else page)
        return
    found = [record] if id is not None else page.items
    show.table([(one.public_id, show.minute(one.at), one.speaker, one.content) for one in found])
    if id is None:
        _more(page)


@click.command()
@scope_options
@json_option
@pass_session
def summary(session: Session, /, **scope: Any) -> None:
    """Show the conversation summary of exactly this scope."""
    with session.memory() as memory:
        held = memory.summary(**scope)
    if session.is_json:
        show.document(held)
    elif held.text:
        for text in held.text.splitlines():
            show.line(text)
        show.line(f"({held.messages} messages, {show.minute(held.at)})")
    else:
        show.line("no summary yet; `perdure flush` waits for one that is due")


@click.command()
@scope_options
@json_option
@pass_session
def stats(session: Session, /, **scope: Any) -> None:
    """Count what is held in a scope, or in the whole tenant."""
    with session.memory() as memory:
        counts = memory.stats(**scope)
    if session.is_json:
        show.document(counts)
    else:
        show.table(show.counts(counts))
