"""The verbs of the graph: entities, relations, path, graph, merge, split."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from perdure.errors import InputError
from perdure.interfaces.cli import drawing, show
from perdure.interfaces.cli.options import (
    Session,
    filter_options,
    given,
    json_option,
    pass_session,
    scope_options,
    time_options,
    where_option,
)
from perdure.models import RelationRecord

_HOPS = click.option("--hops", type=int, default=1, show_default=True, help="How far to look, 1 to 3.")
_VALIDITY = click.option(
    "--validity", type=click.Choice(["current", "ended", "all"]), help="What holds now [default], what ended, or both."
)


@click.command()
@where_option
@time_options
@scope_options
@json_option
@pass_session
def entities(session: Session, /, **options: Any) -> None:
    """List the people, places and things that memories name."""
    with session.memory() as memory:
        found = memory.entities(**given(options))
    if session.is_json:
        show.document(list(found))
        return
    if not found:
        show.line("no entities")
    show.table(
        [(e.id, e.type or "", str(e.mention_count), ", ".join((e.name, *e.aliases))) for e in found],
        head=("id", "type", "memories", "name") if found else (),
    )


@click.command()
@click.argument("entity", required=False)
@_HOPS
@filter_options
@scope_options
@json_option
@pass_session
def relations(session: Session, /, *, entity: str | None, **options: Any) -> None:
    """List relations, all or those around ENTITY (its id or name)."""
    with session.memory() as memory:
        found = memory.relations(entity, **given(options))
    _listed(session, found)


@click.command()
@click.argument("entity")
@click.argument("other")
@_VALIDITY
@time_options
@scope_options
@json_option
@pass_session
def path(session: Session, /, *, entity: str, other: str, **options: Any) -> None:
    """Show a shortest way from one entity to another."""
    with session.memory() as memory:
        found = memory.path(entity, other, **given(options))
    _listed(session, found, none=f"no way leads from {entity} to {other}")


def _listed(session: Session, found: Sequence[RelationRecord], *, none: str = "no relations") -> None:
    if session.is_json:
        show.document(list(found))
        return
    if not found:
        show.line(none)
    rows = [(drawing.interval(r), r.text, r.reason, ", ".join(s.memory_id for s in r.sources)) for r in found]
    show.table(rows, head=("holds", "relation", "why it ended", "memories") if rows else ())


@click.command()
@click.option("--about", required=True, metavar="ENTITY", help="Its id or name.")
@_HOPS
@click.option("--format", "form", type=click.Choice(["mermaid", "svg"]), default="mermaid", show_default=True)
@click.option("--out", metavar="FILE", help="A new file for the drawing; its ending (.svg) may name the format.")
@_VALIDITY
@time_options
@scope_options
@json_option
@pass_session
def graph(session: Session, /, *, about: str, form: str, out: str | None, **options: Any) -> None:
    """Draw the neighbourhood of an entity, with intervals."""
    with session.memory() as memory:
        found = memory.graph(about, **given(options))
    if session.is_json:
        show.document(found)
        return
    is_svg = form == "svg" or (out is not None and out.endswith(".svg"))
    middle = [e.id for e in found.entities if about == e.id or about.casefold() in _names(e.name, e.aliases)]
    text = drawing.svg(found, middle or [e.id for e in found.entities[:1]]) if is_svg else drawing.mermaid(found)
    if out is None:
        for part in text.splitlines():
            show.line(part)
        return
    try:
        with Path(out).open("x", encoding="utf-8") as file:
            file.write(text + "\n")
    except OSError as err:
        raise InputError(f"cannot write {out}: {err.strerror}; name a new file in a folder that is there") from err
    show.line(f"{len(found.entities)} entities, {len(found.relations)} relations: {out}")


def _names(name: str, aliases: Sequence[str]) -> set[str]:
    return {one.casefold() for one in (name, *aliases)}


@click.command()
@click.argument("entity")
@click.argument("other")
@scope_options
@json_option
@pass_session
def merge(session: Session, /, *, entity: str, other: str, **scope: Any) -> None:
    """Make one entity of two: OTHER becomes ENTITY (ids or names).  `perdure undo` takes it back."""
    with session.memory() as memory:
        result = memory.merge(entity, other, **scope)
    _done(session, result, f"{other} is {entity} now")


@click.command()
@click.argument("entity")
@click.argument("aliases", nargs=-1, required=True)
@scope_options
@json_option
@pass_session
def split(session: Session, /, *, entity: str, aliases: tuple[str, ...], **scope: Any) -> None:
    """Make an entity of its own of some names of ENTITY.  `perdure undo` takes it back."""
    with session.memory() as memory:
        result = memory.split(entity, list(aliases), **scope)
    _done(session, result, f"{', '.join(aliases)}: an entity apart from {entity} now")


def _done(session: Session, result: Any, what: str) -> None:
    if session.is_json:
        show.document(result)
    else:
        show.line(what)
        show.operation(result)
