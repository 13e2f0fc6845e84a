"""The demo as it is told on a terminal, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from perdure.interfaces.cli import show
from perdure.interfaces.cli.demo import run
from perdure.interfaces.cli.demo.dialogues import Dialogue
from perdure.interfaces.cli.past import version_table
from perdure.interfaces.cli.reading import citations
from perdure.models import Change, OperationResult

if TYPE_CHECKING:
    from perdure.memory import Memory

LINES = 6  # decisions shown a session (chosen)
MEMORIES = 40  # memories shown (chosen)
CITED = 3  # citations shown an answer (chosen)
HITS = 3  # hits shown a question whose evidence is known (chosen)


def tell(memory: Memory, dialogue: Dialogue, *, is_kept: bool) -> None:
    """Run every step and print what it gave."""
    watch = run.Stopwatch()
    show.line(
        f"perdure demo: the conversation {dialogue.name!r}, {len(dialogue.messages)} messages in "
        f"{len(dialogue.sessions)} sessions, {show.day(dialogue.sessions[0].at)} to {show.day(dialogue.end)}"
    )
    results = _remember(memory, dialogue)
    _memories(memory, dialogue)
    _superseded(memory, results)
    is_offline = results[0].engine == "offline"
    _questions(memory, dialogue, is_offline=is_offline)
    _measured(watch.measure(memory, dialogue, results))
    _next(is_offline=is_offline, is_kept=is_kept)


def _head(title: str) -> None:
    show.line()
    show.line(f"== {title}")


def _remember(memory: Memory, dialogue: Dialogue) -> list[OperationResult]:
    _head("What was decided, session by session")
    results: list[OperationResult] = []
    for number, session in enumerate(dialogue.sessions, start=1):
        one = run.remember(memory, dialogue, session)
        if number == 1:
            _engine(one.result)
        counts = ", ".join(f"{count} {event}" for event, count in one.decisions.items()) or "nothing to keep"
        show.line(f"session {number}, {show.minute(session.at)}, {len(session.messages)} messages: {counts}")
        _decisions(memory, one.result.changes)
        for code in sorted({warning.code for warning in one.result.warnings}):
            details = [warning.detail for warning in one.result.warnings if warning.code == code]
            show.line(f"  warning: {details[0]} [{code}, {len(details)} times]")
        results.append(one.result)
    memory.flush()
    return results


def _engine(result: OperationResult) -> None:
    if result.engine == "offline":
        show.line("No language model is configured: the offline engine extracts and decides by rules.")
    else:
        show.line("The configured language model extracts and decides.")


def _decisions(memory: Memory, changes: Sequence[Change]) -> None:
    """Print the decisions that tell most: what was superseded first, with its successor; then what was added."""
    weight = {"DELETE": 0, "UPDATE": 1, "ADD": 2, "NOOP": 3}
    told: set[str] = set()
    rows: list[tuple[str, str]] = []
    for change in sorted(changes, key=lambda change: weight[change.event]):  # stable: in order within a kind
        text = show.change(change)
        if change.event == "DELETE" and change.previous is not None:
            successor = memory.get(change.previous.id).superseded_by
            if successor is not None:
                told.add(successor)
                text = f"{text}  →  {memory.get(successor).text}"
        elif change.memory is not None and change.memory.id in told:
            continue
        rows.append((change.event + (f" ({change.effect})" if change.effect else ""), text))
    show.table(rows[:LINES], indent="  ")
    if len(rows) > LINES:
        show.line(f"  and {len(rows) - LINES} more")


def _memories(memory: Memory, dialogue: Dialogue) -> None:
    records = run.held(memory, dialogue)
    _head(f"What is held now: {len(records)} memories")
    show.table(
        [
            (show.day(record.event_from or record.valid_from), record.kind, record.text)
            for record in records[:MEMORIES]
        ],
        indent="  ",
    )  # fmt: skip
    if len(records) > MEMORIES:
        show.line(f"  and {len(records) - MEMORIES} more")


def _superseded(memory: Memory, results: Sequence[OperationResult]) -> None:
    _head("What was superseded, and is kept")
    found = run.superseded(memory, results)
    if not found:
        show.line("  nothing was superseded in this conversation")
    for one in found:
        held = f"it held {show.interval(one.memory)}" if one.effect == "change" else "it was never so"
        show.line(f"  {one.memory.text}")
        show.line(f"  {one.effect}: {held}; in its place: {one.successor.text}")
        version_table(one.versions, indent="    ")


def _questions(memory: Memory, dialogue: Dialogue, *, is_offline: bool) -> None:
    _head("Questions, with where the answers come from")
    answered = [run.ask(memory, dialogue, question) for question in dialogue.questions]
    for one in answered:
        show.line()
        show.line(f"? {one.question.text}")
        if one.answer is not None:
            if not is_offline:  # else the answer is its evidence, which follows
                show.line(f"  {one.answer.text}")
            if one.answer.abstained:
                show.line("  (not known from here)")
            citations(one.answer.citations, indent="  ", limit=CITED)
        elif one.found is not None:
            _hits(one)
    known = [one for one in answered if one.question.evidence]
    if known:
        share = sum(rank is not None for one in known for rank in one.ranks.values())
        total = sum(len(one.ranks) for one in known)
        show.line()
        show.line(f"{share} of {total} evidence turns are among the first {run.CUT_OFF} hits")
    else:
        _head("What a model would be given for the last question (perdure context)")
        block = memory.context(dialogue.questions[-1].text, user=dialogue.user, budget_tokens=400)
        for text in block.text.splitlines():
            show.line(f"  {text}")


def _hits(one: run.Asked) -> None:
    show.line(f"  expected: {one.question.gold}")
    for rank, hit in enumerate(one.found or (), start=1):
        is_evidence = any(id in one.question.evidence for id in run.turns(hit))
        if rank <= HITS or is_evidence:
            where = ",".join(run.turns(hit))
            show.line(f"  {rank:2}. {hit.score:.2f} {where}{' *' if is_evidence else ''}  {hit.text}")
    missing = [id for id, rank in one.ranks.items() if rank is None]
    show.line(f"  evidence {', '.join(one.ranks)}: " + (f"{', '.join(missing)} missing" if missing else "found (*)"))


def _measured(measured: run.Measured) -> None:
    _head("What it took")
    stats = measured.stats
    peak = "peak memory unknown here" if measured.peak_mb is None else f"peak memory {measured.peak_mb:.0f} MB"
    show.line(
        f"  {stats.messages} messages, {stats.memories} memories held, {stats.ended} ended, "
        f"{stats.retracted} retracted, {stats.operations} operations"
    )
    show.line(
        f"  {measured.wall_s:.1f} s wall, {measured.cpu_s:.1f} s processor, {peak}, {measured.llm_calls} model calls, "
        f"store {stats.store_bytes / 1e6:.1f} MB"
    )


def _next(*, is_offline: bool, is_kept: bool) -> None:
    _head("The same with your own text")
    show.line('  perdure add "I live in Lyon and I am vegetarian." --user me')
    show.line("  perdure add --file conversation.json --user me")
    show.line('  perdure answer "Where do I live?" --user me')
    if is_offline:
        show.line("With a language model (any OpenAI-compatible endpoint; see docs/how-to/llm.md):")
        show.line("  export OPENAI_API_KEY=...")
        show.line("  perdure --llm openai:gpt-4o-mini demo")
    if not is_kept:
        show.line(
            "This store was temporary; `perdure --store demo.db demo` keeps it, for `perdure --store demo.db list`."
        )
