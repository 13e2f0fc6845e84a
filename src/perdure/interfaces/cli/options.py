"""What every verb shares: the session, the scope options, the filters of reading."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from perdure.errors import InputError
from perdure.settings import Settings, data_home

if TYPE_CHECKING:
    from perdure.memory import Memory

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(slots=True)
class Session:
    """One run of the command line: what was asked for globally, and the memory once it is needed."""

    is_json: bool = False
    is_debug: bool = False
    config: str | None = None
    tenant: str = "default"
    timezone: str | None = None
    shown_in: tzinfo = UTC  # whose dates people read; JSON keeps UTC
    given: dict[str, Any] = field(default_factory=dict)  # settings named on the command line
    exit_code: int = 0
    on_interrupt: str = "nothing was changed"

    def settings(self, **more: Any) -> Settings:
        """Return the settings of this run: command line > environment > file > defaults."""
        zone = {} if self.timezone is None else {"timezone": self.timezone}
        return Settings.load(file=self.config, **{**zone, **self.given, **more})

    def memory(self, *, makes_store: bool = False, **more: Any) -> Memory:
        """Open the memory; the caller closes it.  `more` are settings that win over the command line's.

        A verb that only looks makes no file: where there is no store, an empty one stands for it, and stderr says so.
        """
        from perdure.memory import Memory  # here: `--help` stays quick

        settings = self.settings(**more)
        file = store_path(settings)
        if file is not None and settings.store and not file.parent.is_dir():
            raise InputError(f"there is no folder {file.parent} for the store; create it or give another --store")
        if file is not None and not makes_store and not file.exists():
            click.echo(f"there is no store {file} yet; `perdure add` makes one, or name another with --store", err=True)
            settings = replace(settings, store=":memory:")
        memory = Memory(tenant=self.tenant, settings=settings)
        self.shown_in = memory.timezone or UTC
        return memory


def store_path(settings: Settings) -> Path | None:
    """Return the store's file; None where it is not a file."""
    if settings.store is None:
        return data_home() / "memory.db"
    if settings.store == ":memory:" or "://" in settings.store:
        return None
    return Path(settings.store).expanduser()


pass_session = click.make_pass_decorator(Session)


def _json_flag(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        context.ensure_object(Session).is_json = True


def json_option(function: F) -> F:
    """Add --json to a verb."""
    return click.option(
        "--json", is_flag=True, expose_value=False, callback=_json_flag, help="One JSON document on stdout."
    )(function)


def scope_options(function: F) -> F:
    """Add --user, --agent and --run to a verb."""
    for name in ("run", "agent", "user"):
        function = click.option(f"--{name}", envvar=f"PERDURE_{name.upper()}", help=f"Whose memory: the {name}'s id.")(
            function
        )
    return function


def time_options(function: F) -> F:
    """Add --as-of and --known-at to a verb."""
    function = click.option("--known-at", metavar="TIME", help="What the store held then.")(function)
    return click.option("--as-of", metavar="TIME", help="What held true then.")(function)


def filter_options(function: F) -> F:
    """Add the filters of search and list to a verb."""
    function = time_options(function)
    function = click.option(
        "--validity", type=click.Choice(["current", "ended", "all"]),
        help="Memories that hold now, that ended, or both [default: current; of answer: all].",
    )(function)  # fmt: skip
    return where_option(function)


def where_option(function: F) -> F:
    """Add --where to a verb."""
    return click.option(
        "--where", metavar="JSON", callback=_parse_json, help='A filter, for example \'{"kind": "event"}\'.'
    )(function)


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given: the verb's own defaults stand for the rest."""
    return {name: value for name, value in options.items() if value is not None}


def search_options(function: F) -> F:
    """Add the filters of search, context and answer to a verb."""
    function = filter_options(function)
    function = click.option("--threshold", type=float, help="Leave out hits with a lower score (0 to 1).")(function)
    return click.option(
        "--include", metavar="KINDS", callback=_parse_kinds, default="memories,messages", show_default=True,
        help="What to search, with commas.",
    )(function)  # fmt: skip


def metadata_option(function: F) -> F:
    """Add --metadata to a verb."""
    return click.option(
        "--metadata", metavar="JSON", callback=_parse_json, help="A JSON object kept with what is written."
    )(function)


def _parse_json(_: click.Context, parameter: click.Parameter, text: str | None) -> Mapping[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise InputError(f"--{parameter.name} must be JSON, and this is not: {err}") from err
    if not isinstance(value, dict):
        raise InputError(f"--{parameter.name} must be a JSON object, not {type(value).__name__}")
    return value


def _parse_kinds(_: click.Context, __: click.Parameter, text: str) -> tuple[str, ...]:
    return tuple(kind.strip() for kind in text.split(",") if kind.strip())
