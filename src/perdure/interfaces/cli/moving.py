"""The verbs on the whole: erase, export, import, backup, restore."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from perdure.errors import InputError
from perdure.interfaces.cli import show
from perdure.interfaces.cli.options import Session, given, json_option, pass_session, scope_options
from perdure.models import ErasureReceipt


@click.command()
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--before", metavar="TIME", help="Only what was said in the scope before then.")
@click.option("--yes", is_flag=True, help="Do not ask before a scope is erased.")
@scope_options
@json_option
@pass_session
def erase(session: Session, /, *, ids: tuple[str, ...], before: str | None, yes: bool, **scope: str | None) -> None:
    """Remove memories physically: by ID, or everything of a scope.

    By ID the messages stay that a memory came from; a scope goes with its messages.  This cannot be undone.
    """
    if ids and before:
        raise InputError("--before is for a scope; erase memories by their ids alone")
    named = [f"{name} {id}" for name, id in scope.items() if id is not None]
    if not ids and not named:
        raise InputError("give the ids of memories, or a scope: --user, --agent or --run")
    if not ids and not yes:
        _confirm(session, f"erase everything of {' and '.join(named)}" + (f" before {before}" if before else ""))
    with session.memory() as memory:
        receipts = [memory.erase(id, **scope) for id in ids] if ids else [memory.erase(before=before, **scope)]
    if session.is_json:
        show.document(receipts[0] if len(receipts) == 1 else receipts)
    else:
        for receipt in receipts:
            _receipt(receipt)


def _confirm(session: Session, what: str) -> None:
    """Ask; where nobody can answer, say how to go on."""
    if session.is_json or not sys.stdin.isatty():
        raise InputError(f"this would {what}, and it cannot be undone; add --yes to do it")
    click.confirm(f"This will {what}. It cannot be undone. Go on?", abort=True, err=True)


def _receipt(receipt: ErasureReceipt) -> None:
    _counts("erased", receipt.counts)
    if receipt.pending:
        show.line(
            "pending: another reader holds the old file; a job finishes it, or `perdure flush` once the reader is gone"
        )
    show.line(f"operation {receipt.operation_id}")


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--vectors/--no-vectors", default=True, help="With vectors, or leave them to whoever imports.")
@scope_options
@json_option
@pass_session
def export(session: Session, /, *, path: Path, vectors: bool, **scope: str | None) -> None:
    """Write everything of a scope, or of the whole tenant, to a new JSONL file; PATH "-" prints it."""
    if str(path) != "-":
        with session.memory() as memory:
            _report(session, "exported", memory.export(path, vectors=vectors, **scope))
        return
    with session.memory() as memory, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export.jsonl"
        memory.export(file, vectors=vectors, **scope)
        with file.open(encoding="utf-8") as lines:
            for text in lines:
                show.line(text.rstrip("\n"))


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--collection", metavar="NAME", help="Of Mem0's embedded store [default: mem0].")
@scope_options
@json_option
@pass_session
def import_(session: Session, /, *, path: Path, collection: str | None, **scope: str | None) -> None:
    """Take in an export of perdure, JSON of Mem0, or the folder of Mem0's embedded store.

    What is there already is left as it is.  A --user, --agent or --run stands in place of the file's.
    """
    with session.memory(makes_store=True) as memory:
        counts = memory.import_(path, **given({"collection": collection, **scope}))
    _report(session, "imported", counts)


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@json_option
@pass_session
def backup(session: Session, /, *, path: Path) -> None:
    """Copy the whole store, all tenants, to a new file while others read and write."""
    with session.memory() as memory:
        counts = memory.backup(path)
    _report(session, "backed up", counts)


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@json_option
@pass_session
def restore(session: Session, /, *, path: Path) -> None:
    """Take over a backup, all tenants, into a --store that holds nothing yet."""
    with session.memory(makes_store=True) as memory:
        counts = memory.restore(path)
    _report(session, "restored", counts)


def _report(session: Session, done: str, counts: Mapping[str, Any]) -> None:
    if session.is_json:
        show.document(counts)
    else:
        _counts(done, counts)


def _counts(done: str, counts: Mapping[str, int]) -> None:
    show.line(f"{done}: " + (", ".join(f"{number} {name}" for name, number in counts.items() if number) or "nothing"))
