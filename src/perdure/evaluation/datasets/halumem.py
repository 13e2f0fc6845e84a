"""HaluMem's preference changes: what a persona likes, and what becomes of it, told week by week.

Source: Chen et al. 2025, stages 3.2 and 3.3 of MemTensor/HaluMem.  The dialogues made of them are not here, so the
change is told in the words of its description; the questions are worded here.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from perdure.evaluation.conversation import Conversation, Question, Turn
from perdure.evaluation.datasets.files import data_folder, read_lines, shaped

SOURCE = "https://github.com/MemTensor/HaluMem (data/stage3_2_preference_events.jsonl, CC BY-NC-ND 4.0)"
START = datetime(2025, 1, 1, 12, tzinfo=UTC)  # chosen: the file has steps and no dates
WEEK = timedelta(days=7)


def load(path: str | Path | None = None, *, only: str | None = None) -> list[Conversation]:
    """Return a conversation per persona, in the file's order; `only` names one by its uuid.

    Categories: Modify (what is liked instead now) and Delete (what is no longer so).  A point that changes twice is
    asked about by its last change alone.  Evidence is the turn that tells of the change.
    Raises InputError.
    """
    path = Path(path) if path is not None else data_folder() / "other" / "halumem_stage3_2_preference_events.jsonl.gz"
    rows = read_lines(path, source=SOURCE)
    return shaped(path, "HaluMem", lambda: [_conversation(row) for row in rows if only in (None, row["uuid"])])


def _conversation(row: dict[str, Any]) -> Conversation:
    name = row["profile"]["fixed"]["basic_info"]["name"]
    turns: list[Turn] = []

    def tell(text: str, week: int) -> str:
        id = f"P{len(turns) + 1}"
        turns.append(Turn(id, name, text, START + week * WEEK + timedelta(minutes=len(turns)), session=f"W{week}"))
        return id

    for preference in row["profile"]["preferences"].values():
        for point in preference["init"]["memory_points"]:
            tell(f"{point['type_description']}: {point['specific_item']}. {point['reason']}", 0)
    asked: dict[tuple[str, int], Question] = {}
    for week, event in enumerate(sorted(row["event_list"], key=lambda one: int(one["event_id"])), start=1):
        told = tell(event["event_description"], week)
        asked[event["type_to_update"], event["changed_index"]] = _question(week - 1, event, told)
    questions = sorted(asked.values(), key=lambda question: question.index)
    return Conversation(row["uuid"], (name, "assistant"), tuple(turns), tuple(questions))


def _question(index: int, event: dict[str, Any], told: str) -> Question:
    before = event["before_preference"]["memory_points"][0]
    after = event["after_preference"]["memory_points"][0]
    is_gone = event["update_direction"] == "Delete"
    answer = f"It is no longer so: {event['update_reason']}" if is_gone else after["specific_item"]
    text = f"{before['type_description']}: it was {before['specific_item']}. What is it now?"
    return Question(index, text, answer, event["update_direction"], (told,))
