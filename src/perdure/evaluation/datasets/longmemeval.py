"""LongMemEval: 500 questions, each over sessions of its own, of one user with an assistant.

Source: Wu et al., ICLR 2025; files longmemeval_oracle, _s and _m, all of one form.  Every question is a conversation:
a memory is filled anew for it.  Question types and answer marks never reach a system.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from perdure.evaluation.conversation import Conversation, Question, Turn
from perdure.evaluation.datasets.files import data_folder, read_json, shaped

SOURCE = "https://github.com/xiaowu0162/LongMemEval (MIT)"


def load(path: str | Path | None = None, *, only: str | None = None) -> list[Conversation]:
    """Return a conversation per question, in the file's order; `only` names a question.

    Without a path, the sample of the oracle file in `data_folder()`: evidence sessions without distractors, so that it
    measures extraction and answering, and its recall says little.
    Evidence is the turns marked `has_answer`, else the sessions named; a question whose id ends in _abs has no answer.
    Raises InputError.
    """
    path = Path(path) if path is not None else data_folder() / "longmemeval" / "oracle_sample97.json.gz"
    items = read_json(path, source=SOURCE)
    return shaped(path, "LongMemEval", lambda: [_conversation(i) for i in items if only in (None, i["question_id"])])


def _conversation(item: dict[str, Any]) -> Conversation:
    sessions = sorted(
        zip(item["haystack_dates"], item["haystack_session_ids"], item["haystack_sessions"], strict=True),
        key=lambda session: _time(session[0]),
    )
    turns: list[Turn] = []
    marked: list[str] = []
    for number, (date, session, said) in enumerate(sessions, start=1):
        for place, turn in enumerate(said, start=1):
            id = f"{session}#{number}:{place}"  # a session may stand twice
            turns.append(Turn(id, turn["role"], turn["content"], _time(date), role=turn["role"], session=session))
            if turn.get("has_answer"):
                marked.append(id)
    named = [id for id in item["answer_session_ids"] if id in {session for _, session, _ in sessions}]
    question = Question(
        index=0,
        text=item["question"],
        answer=str(item["answer"]),
        category=item["question_type"],
        evidence=tuple(marked or named),
        unit="turn" if marked else "session",
        at=_time(item["question_date"]),
        is_answerable=not item["question_id"].endswith("_abs"),
    )
    return Conversation(item["question_id"], ("user", "assistant"), tuple(turns), (question,))


def _time(text: str) -> datetime:
    """Return a time such as 2023/04/10 (Mon) 23:07, as UTC."""
    return datetime.strptime(re.sub(r" \(\w+\)", "", text), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
