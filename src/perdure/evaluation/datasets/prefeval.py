"""PrefEval: stated preferences, and questions whose naive answer violates one.

Source: Zhao et al., ICLR 2025, the explicit preferences of amazon-science/PrefEval.
Here a topic is a conversation: all its preferences, a day apart, as different people's, so that finding the one that a
question is about is hard and a wrong one misleads.  That is our arrangement; the paper asks after each alone.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from perdure.evaluation.conversation import Conversation, Question, Turn
from perdure.evaluation.datasets.files import data_folder, read_lines, shaped

SOURCE = "https://github.com/amazon-science/PrefEval (CC BY-NC 4.0: evaluation only)"
START = datetime(2024, 1, 1, 12, tzinfo=UTC)  # chosen: the file has no dates


def load(path: str | Path | None = None, *, only: str | None = None) -> list[Conversation]:
    """Return a conversation per topic, in the file's order; `only` names one.

    Evidence is the preference; there is no gold answer, so that only retrieval is measured.  Raises InputError.
    """
    path = Path(path) if path is not None else data_folder() / "other" / "prefeval_explicit.jsonl.gz"
    rows = read_lines(path, source=SOURCE)

    def read() -> list[Conversation]:
        topics: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            topics.setdefault(row["topic"], []).append(row)
        return [_conversation(topic, of) for topic, of in topics.items() if only in (None, topic)]

    return shaped(path, "PrefEval", read)


def _conversation(topic: str, rows: list[dict[str, Any]]) -> Conversation:
    turns = tuple(
        Turn(f"P{n}", f"Person {n}", row["preference"], START + n * timedelta(days=1), session=f"P{n}")
        for n, row in enumerate(rows, start=1)
    )
    questions = tuple(Question(n - 1, row["question"], None, topic, (f"P{n}",)) for n, row in enumerate(rows, start=1))
    return Conversation(topic, ("user", "assistant"), turns, questions)
