"""The verbs that ask: search, answer, context."""

from __future__ import annotations

from typing import Any

import click

from perdure.interfaces.cli import show
from perdure.interfaces.cli.options import (
    Session,
    given,
    json_option,
    pass_session,
    scope_options,
    search_options,
)
from perdure.models import Hit, SearchResult


@click.command()
@click.argument("query")
@click.option("--k", type=int, default=10, show_default=True, help="How many hits.")
@click.option("--diversity", type=float, help="From 0 (off) to 1: how much a hit loses that is like one above it.")
@click.option("--explain", is_flag=True, help="Show each channel's part in each score.")
@search_options
@scope_options
@json_option
@pass_session
def search(session: Session, /, *, query: str, explain: bool, **options: Any) -> None:
    """Find memories and messages, best first."""
    with session.memory() as memory:
        result = memory.search(query, explain=explain, **given(options))
    if session.is_json:
        show.document(result)
        return
    if not result.hits:
        show.line("nothing found")
    show.table([(f"{hit.score:.2f}", hit.kind, show.day(hit.at), hit.id, hit.text) for hit in result])
    if explain:
        _explain(result)
    show.warnings(result.warnings)


def _explain(result: SearchResult) -> None:
    show.line()
    rows = [
        (
            str(number), signal.channel, f"{signal.raw:.3f}", f"{signal.normalised:.3f}", f"{signal.weight:.2f}",
            str(signal.rank), f"{hit.explanation.fused:.3f}", f"{hit.score:.3f}", "; ".join(hit.explanation.notes),
        )
        for number, hit in enumerate(result, start=1)
        if hit.explanation is not None
        for signal in hit.explanation.signals
    ]  # fmt: skip
    show.table(rows, head=("hit", "channel", "raw", "normalised", "weight", "rank", "fused", "score", "notes"))
    show.line(f"confidence {result.confidence:.2f}, calibration {result.calibration_id}")


@click.command()
@click.argument("question")
@click.option(
    "--budget", "budget_tokens", type=int, default=1500, show_default=True, help="Tokens of evidence to read."
)
@click.option("--now", metavar="TIME", help="The present of the question [default: now].")
@click.option("--short", is_flag=True, help="In five or six words.")
@search_options
@scope_options
@json_option
@pass_session
def answer(session: Session, /, *, question: str, short: bool, **options: Any) -> None:
    """Answer a question, with citations.

    Without a language model the answer is the best evidence as it stands.
    """
    with session.memory() as memory:
        result = memory.answer(question, short=short, **given(options))
    if session.is_json:
        show.document(result)
        return
    show.line(result.text)
    if result.abstained:
        show.line(f"(not known from here; confidence {result.confidence:.2f})")
    if result.citations:
        show.line()
        citations(result.citations)
    show.warnings(result.warnings)


def citations(hits: tuple[Hit, ...], *, indent: str = "", limit: int | None = None) -> None:
    """Print the hits that an answer rests on, each with its date and the sentence it comes from."""
    for number, hit in enumerate(hits[:limit], start=1):
        until = f", until {show.day(hit.memory.valid_to)}" if hit.memory and hit.memory.valid_to else ""
        show.line(f"{indent}[{number}] {hit.text}  ({hit.kind}, {show.day(hit.at)}{until}, score {hit.score:.2f})")
        if source := show.source(hit):
            show.line(f"{indent}    from {source}")


@click.command()
@click.argument("query")
@click.option(
    "--budget", "budget_tokens", type=int, default=1500, show_default=True, help="The block's size in tokens."
)
@search_options
@scope_options
@json_option
@pass_session
def context(session: Session, /, *, query: str, **options: Any) -> None:
    """Print dated evidence to put before a model.

    The block stays within --budget; it is the whole scope, in order, when that fits.
    """
    with session.memory() as memory:
        result = memory.context(query, **given(options))
    if session.is_json:
        show.document(result)
        return
    for text in result.text.splitlines():
        show.line(text)
    show.warnings(result.warnings)
