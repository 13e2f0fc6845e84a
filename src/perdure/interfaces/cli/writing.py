"""The verbs that change memory: add, update, delete, undo, flush, retry."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import click

from perdure.errors import InputError
from perdure.interfaces.cli import conversation, show
from perdure.interfaces.cli.options import (
    Session,
    given,
    json_option,
    metadata_option,
    pass_session,
    scope_options,
)
from perdure.interfaces.cli.progress import Progress
from perdure.models import OperationResult

DATES = ("valid_from", "valid_to", "event_from", "event_to", "expires")


@click.command()
@click.argument("texts", metavar="[TEXT]...", nargs=-1)
@click.option(
    "--file",
    "files",
    metavar="FILE[:ID]",
    multiple=True,
    help="A conversation: .json, .jsonl, .txt, or a LoCoMo file; - for stdin.  May be repeated.",
)
@click.option("--fact", "facts", multiple=True, help="Remember this fact as it is; may be repeated.")
@click.option("--role", default="user", show_default=True, help="The role of TEXT.")
@click.option("--name", help="The speaker's name of TEXT.")
@click.option("--at", metavar="TIME", help="When it was said [default: now].")
@click.option("--expires", metavar="TIME", help="Forget it then.")
@click.option("--instructions", help="What to look for, in your own words; read by the model.")
@click.option("--key", help="The same add again resumes, or returns the first result.")
@click.option("--infer/--no-infer", default=True, help="Extract facts, or keep the messages alone.")
@click.option("--wait/--no-wait", default=True, help="Extract now, or in a job (see flush).")
@metadata_option
@scope_options
@json_option
@pass_session
def add(
    session: Session,
    /,
    *,
    texts: tuple[str, ...],
    files: tuple[str, ...],
    facts: tuple[str, ...],
    role: str,
    name: str | None,
    **options: Any,
) -> None:
    """Remember TEXT, a conversation file, or facts.

    Each TEXT is one message; - reads one from stdin.
    Several files are each a run by their name: side by side without --user and --agent, else in their order.
    The same command again goes on where it stopped.
    """
    if sum((bool(texts), bool(files), bool(facts))) != 1:
        raise InputError("give exactly one of TEXT, --file and --fact")
    if facts:
        what: dict[str, Any] = {"facts": [*facts]}
    elif len(files) > 1:
        _add_all(session, files, given(options))
        return
    elif files:
        what = {"messages": conversation.read(files[0])}
    else:
        speaker = {"role": role, **({"name": name} if name else {})}
        what = {"messages": [{**speaker, "content": sys.stdin.read() if text == "-" else text} for text in texts]}
    session.on_interrupt = (
        "what was stored is kept: find the operation with `perdure operations`, finish it with `perdure retry ID`"
    )
    with session.memory(makes_store=True) as memory:
        result = memory.add(**what, progress=Progress("exchanges"), **given(options))
    _report(session, result)


def _add_all(session: Session, files: tuple[str, ...], options: Mapping[str, Any]) -> None:
    from perdure.interfaces.cli import batch  # here: `--help` stays quick

    session.on_interrupt = "what was done is kept; run the same command again to go on"
    with session.memory(makes_store=True) as memory:
        done = batch.add_all(memory, files, options)
    _report(session, *done.results)
    for file, error in done.errors.items():
        click.echo(f"{file}: {show.clean(str(error))}", err=True)
    if done.errors:
        raise next(iter(done.errors.values()))


@click.command()
@click.argument("id")
@click.argument("text", required=False)
@click.option("--valid-from", metavar="TIME", help="Since when it holds.")
@click.option("--valid-to", metavar="TIME", help="Until when it held.")
@click.option("--event-from", metavar="TIME", help="When what it tells of begins.")
@click.option("--event-to", metavar="TIME", help="When what it tells of ends.")
@click.option("--expires", metavar="TIME", help="Forget it then.")
@click.option("--clear", "cleared", multiple=True, type=click.Choice(DATES), help="Clear this date; may be repeated.")
@metadata_option
@scope_options
@json_option
@pass_session
def update(session: Session, /, *, id: str, text: str | None, cleared: tuple[str, ...], **options: Any) -> None:
    """Make a new version of a memory.

    What is not given stays as it is; --metadata replaces the metadata whole.
    """
    changes: dict[str, Any] = given({"text": text, **options})
    twice = sorted(set(cleared) & set(changes))
    if twice:
        raise InputError(f"--{twice[0].replace('_', '-')} is both set and cleared; give one of the two")
    with session.memory() as memory:
        result = memory.update(id, **{**changes, **dict.fromkeys(cleared)})
    _report(session, result)


@click.command()
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option(
    "--effect", type=click.Choice(["correction", "change"]), default="correction", show_default=True,
    help="It was never so, or it was so until now.",
)  # fmt: skip
@click.option("--all", "is_all", is_flag=True, help="Every memory of the scope.")
@scope_options
@json_option
@pass_session
def delete(session: Session, /, *, ids: tuple[str, ...], is_all: bool, effect: Any, **scope: Any) -> None:
    """Retire memories; their history stays.

    Give their ids, or --all with a scope.
    """
    if bool(ids) == is_all:
        raise InputError("give the ids of memories, or --all with a scope")
    with session.memory() as memory:
        if is_all:
            results = [memory.delete_all(effect=effect, **scope)]
        else:
            results = [memory.delete(id, effect=effect, **scope) for id in ids]
    _report(session, *results)


@click.command()
@click.argument("operation_id", metavar="OPERATION")
@click.option("--cascade", is_flag=True, help="Take along what later operations built on it.")
@scope_options
@json_option
@pass_session
def undo(session: Session, /, *, operation_id: str, cascade: bool, **scope: Any) -> None:
    """Take back a whole operation; an undo can be undone too.

    `perdure operations` lists them.
    """
    with session.memory() as memory:
        result = memory.undo(operation_id, cascade=cascade, **scope)
    _report(session, result)


@click.command()
@click.option("--timeout", "timeout_s", type=float, metavar="SECONDS", help="Give up after this long.")
@json_option
@pass_session
def flush(session: Session, /, *, timeout_s: float | None) -> None:
    """Wait until no job is due.

    Then summaries are fresh and deferred extraction is done.
    """
    session.on_interrupt = "the jobs that are left stay and are done later"
    with session.memory() as memory:
        memory.flush(timeout_s)
        stats = memory.stats()
    left: Mapping[str, int] = {"jobs_waiting": stats.jobs_waiting, "jobs_dead": stats.jobs_dead}
    if session.is_json:
        show.document(left)
    else:
        show.line(f"done: {left['jobs_waiting']} jobs waiting for their time, {left['jobs_dead']} given up")


@click.command()
@click.option("--embedder", metavar="NAME", help="The new embedder [default: that of the settings].")
@json_option
@pass_session
def reembed(session: Session, /, *, embedder: str | None) -> None:
    """Give the whole store to another embedder.

    It can be read and written meanwhile; interrupted, the same command goes on.
    """
    session.on_interrupt = "what was done is kept; run the same command again to go on"
    name = embedder or session.settings().embedder or "minilm"
    with session.memory(embedder="none") as memory:  # whichever it was bound to
        done = memory.reembed(name, progress=Progress("rows"))
    if session.is_json:
        show.document(done)
        return
    left_out = f", {done.left_out} left without a vector, in scripts that it does not cover" if done.left_out else ""
    show.line(f"done: {done.embedded} rows now belong to {done.model}, {done.dimensions} dimensions{left_out}")
    show.line("open the store with this embedder from now on: --embedder, PERDURE_EMBEDDER, or the settings file")


@click.command()
@click.argument("id")
@json_option
@pass_session
def retry(session: Session, /, *, id: str) -> None:
    """Run what failed in an operation again."""
    session.on_interrupt = f"what was done is kept; run `perdure retry {id}` again"
    with session.memory() as memory:
        result = memory.retry(id, progress=Progress("exchanges"))
    _report(session, result)


def _report(session: Session, *results: OperationResult) -> None:
    """Print results; one that failed, even in part, fails the command."""
    if session.is_json:
        show.document(results[0] if len(results) == 1 else results)
    else:
        for result in results:
            show.operation(result)
    if any(result.status in ("failed", "partial") for result in results):
        session.exit_code = 1
        if not session.is_json:
            click.echo(f"not all of it was done; `perdure retry {results[0].operation_id}` tries again", err=True)
