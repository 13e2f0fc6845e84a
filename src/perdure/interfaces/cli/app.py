"""The command `perdure` itself: global options, and the list of verbs."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from perdure.interfaces.cli import demo, doctor, evaluate, graph, moving, past, reading, records, writing
from perdure.interfaces.cli.options import Session, json_option, pass_session


class InOrder(click.Group):
    """A group whose help lists its verbs in the order in which one meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of their registration."""
        return list(self.commands)


def _version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        try:
            click.echo(f"perdure {version('perdure')}")
        except PackageNotFoundError:
            click.echo("perdure (a checkout that is not installed)")
        context.exit()


@click.group(cls=InOrder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--store", metavar="PATH", help="The store's file [default: memory.db in the user's data folder].")
@click.option("--tenant", default="default", show_default=True, envvar="PERDURE_TENANT", help="Whose data.")
@click.option("--llm", metavar="NAME", help='A language model, for example "openai:gpt-4o-mini".')
@click.option("--embedder", metavar="NAME", help='An embedder; "none" for word search alone.')
@click.option("--reranker", metavar="NAME", help='A second opinion on the order of hits: "llm", "cohere:rerank-v3.5".')
@click.option("--timezone", metavar="ZONE", help='Of times without one, for example "Europe/Brussels".')
@click.option("--config", metavar="FILE", help="A TOML file with settings.")
@click.option("--debug", is_flag=True, expose_value=False, help="Log every step to stderr, and show tracebacks.")
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version.")
@json_option
@pass_session
def perdure(session: Session, /, *, tenant: str, timezone: str | None, config: str | None, **models: Any) -> None:
    """Long-term memory for LLM agents, in one file.

    Every verb takes --user, --agent or --run (whose memory) and --json.
    Times are ISO 8601: 2026-04-14T09:30:00+02:00, or 2026-04-14 with --timezone.
    """
    session.tenant, session.timezone, session.config = tenant, timezone, config
    session.given = {name: value for name, value in models.items() if value is not None}


VERBS = (
    writing.add, reading.search, reading.answer, reading.context, records.list_, records.get, past.history, past.diff,
    past.timeline, graph.entities, graph.relations, graph.path, graph.graph, graph.merge, graph.split,
    writing.update, writing.delete, writing.undo, records.operations, records.messages, records.summary,
    writing.flush, writing.retry, moving.erase, moving.export, moving.import_, moving.backup, moving.restore,
    writing.reembed, records.stats, doctor.doctor, evaluate.evaluate, demo.demo,
)  # fmt: skip
for verb in VERBS:
    perdure.add_command(verb)
