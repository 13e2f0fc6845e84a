"""The demo's steps as values: remember each session, ask each question, measure the whole."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from perdure.interfaces.cli.demo.dialogues import Dialogue, Question, Session
from perdure.models import Answer, Effect, Hit, MemoryRecord, OperationResult, SearchResult, Stats

if TYPE_CHECKING:
    from perdure.memory import Memory

CUT_OFF = 10  # relevance cut-off k of a LoCoMo question (chosen)


@dataclass(frozen=True, slots=True)
class Remembered:
    """One session's operation, and how many decisions of each kind it took."""

    session: Session
    result: OperationResult
    decisions: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Superseded:
    """A memory that a change ended or a correction retracted, its versions, and what took its place."""

    effect: Effect
    memory: MemoryRecord
    versions: Sequence[MemoryRecord]
    successor: MemoryRecord


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what came back; `ranks` are the places of the evidence among the hits, where it is known."""

    question: Question
    answer: Answer | None
    found: SearchResult | None
    ranks: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Measured:
    """What it took."""

    stats: Stats
    wall_s: float
    cpu_s: float
    peak_mb: float | None
    llm_calls: int


class Stopwatch:
    """Wall and processor time since it was made."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def measure(self, memory: Memory, dialogue: Dialogue, results: Sequence[OperationResult]) -> Measured:
        """Return the counts and costs up to now."""
        return Measured(
            memory.stats(user=dialogue.user),
            round(time.perf_counter() - self._wall, 2),
            round(time.process_time() - self._cpu, 2),
            _peak_mb(),
            sum(result.usage.llm_calls for result in results),
        )


def _peak_mb() -> float | None:
    """Return the process's peak resident memory in MB; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1_000_000 if sys.platform == "darwin" else 1_000), 1)  # bytes there, kilobytes elsewhere


def remember(memory: Memory, dialogue: Dialogue, session: Session) -> Remembered:
    """Add one session."""
    result = memory.add(list(session.messages), user=dialogue.user)
    return Remembered(session, result, dict(sorted(Counter(change.event for change in result.changes).items())))


def held(memory: Memory, dialogue: Dialogue) -> list[MemoryRecord]:
    """Return the memories that hold now, in the order in which they were learned."""
    found: list[MemoryRecord] = []
    cursor = None
    while True:
        page = memory.list(user=dialogue.user, cursor=cursor, limit=1000)
        found.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            return found


def superseded(memory: Memory, results: Sequence[OperationResult]) -> list[Superseded]:
    """Return the first fact that a change ended and the first that a correction retracted, where there are any."""
    found: dict[str, Superseded] = {}
    for change in (change for result in results for change in result.changes):
        if change.effect is not None and change.effect not in found and change.previous is not None:
            record = memory.get(change.previous.id)
            if record.superseded_by is not None:
                successor = memory.get(record.superseded_by)
                found[change.effect] = Superseded(change.effect, record, memory.history(record.id), successor)
    return [found[effect] for effect in ("change", "correction") if effect in found]


def ask(memory: Memory, dialogue: Dialogue, question: Question) -> Asked:
    """Answer a question; where its evidence is known, search and look where that stands instead."""
    if not question.evidence:
        present = dialogue.end + timedelta(hours=1)
        return Asked(question, memory.answer(question.text, user=dialogue.user, now=present), None, {})
    found = memory.search(question.text, user=dialogue.user, k=CUT_OFF)
    ranks = {
        id: next((rank for rank, hit in enumerate(found, start=1) if id in turns(hit)), None)
        for id in question.evidence
    }
    return Asked(question, None, found, ranks)


def turns(hit: Hit) -> list[str]:
    """Return the external ids of the messages behind a hit."""
    if hit.message is not None:
        return [hit.message.public_id]
    return [one.message_id for one in hit.memory.sources if one.message_id is not None] if hit.memory else []


def whole(memory: Memory, dialogue: Dialogue) -> dict[str, Any]:
    """Run every step and return all of it, for --json."""
    watch = Stopwatch()
    remembered = [remember(memory, dialogue, session) for session in dialogue.sessions]
    memory.flush()
    results = [one.result for one in remembered]
    return {
        "conversation": dialogue.name,
        "engine": results[0].engine,
        "sessions": [
            {
                "at": one.session.at,
                "messages": len(one.session.messages),
                "decisions": one.decisions,
                "result": one.result,
            }
            for one in remembered
        ],
        "memories": held(memory, dialogue),
        "superseded": superseded(memory, results),
        "questions": [ask(memory, dialogue, question) for question in dialogue.questions],
        "measured": watch.measure(memory, dialogue, results),
    }
