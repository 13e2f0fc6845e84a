"""Runs a system over a set: one row a question, with ids and numbers and never text."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from perdure.errors import InputError
from perdure.evaluation.conversation import Category, Conversation
from perdure.evaluation.measures.recall import evidence_recall
from perdure.evaluation.systems.protocol import System


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one question."""

    conversation: str
    question: int  # its place in the file
    category: Category
    evidence: tuple[str, ...]
    turns: tuple[str, ...]  # as returned, best first
    recall: float
    confidence: float | None


def run(
    system: System,
    conversations: Iterable[Conversation],
    *,
    k: int,
    categories: Collection[Category] = (1, 2, 3, 4),
    progress: Callable[[str], None] | None = None,
) -> list[Row]:
    """Return one row per question of these categories that has evidence, in the order of the set."""
    rows: list[Row] = []
    for conversation in conversations:
        if progress is not None:
            progress(conversation.id)
        system.ingest(conversation)
        asked = [q for q in conversation.questions if q.category in categories and q.evidence]
        answers = system.retrieve([question.text for question in asked], k=k)
        rows.extend(
            Row(
                conversation=conversation.id,
                question=question.index,
                category=question.category,
                evidence=question.evidence,
                turns=retrieved.turns,
                recall=evidence_recall(retrieved.turns, question.evidence, k=k),
                confidence=None if retrieved.confidence is None else round(retrieved.confidence, 4),
            )
            for question, retrieved in zip(asked, answers, strict=True)
        )
    return rows


def write_rows(rows: Sequence[Row], path: Path) -> None:
    """Write rows as JSON lines, in order."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(asdict(row), separators=(",", ":")) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file.  Raises InputError if it does not hold rows."""
    try:
        found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [Row(**{**row, "evidence": tuple(row["evidence"]), "turns": tuple(row["turns"])}) for row in found]
    except (OSError, ValueError, TypeError, KeyError) as err:
        raise InputError(f"{path} holds no rows of an evaluation: {err}; run it again") from err
