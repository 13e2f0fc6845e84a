"""MemDaily: dated messages of one user in Chinese, and a question of six kinds over each trajectory.

Source: Zhang et al. 2024 (MemSim), nuster1128/MemSim.  A trajectory has about nine messages: give k below that.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from perdure.evaluation.conversation import Conversation, Question, Turn
from perdure.evaluation.datasets.files import data_folder, read_lines, shaped

SOURCE = "https://github.com/nuster1128/MemSim (no licence stated: evaluation only)"
_TIME = re.compile(r"(\d{4})年(\d{2})月(\d{2})日\D+(\d{2}):(\d{2})")


def load(path: str | Path | None = None, *, only: str | None = None) -> list[Conversation]:
    """Return a conversation per trajectory, in the file's order; `only` names one, such as 01_simple_events/0.

    Categories are the six kinds (01_simple to 06_noisy).  Evidence is the messages named; a few questions have
    no answer in the file.  Raises InputError.
    """
    path = Path(path) if path is not None else data_folder() / "other" / "memdaily_zh.jsonl.gz"
    rows = read_lines(path, source=SOURCE)
    return shaped(path, "MemDaily", lambda: [_conversation(row) for row in rows if only in (None, _name(row))])


def _name(row: dict[str, Any]) -> str:
    return f"{row['file']}/{row['tid']}"


def _conversation(row: dict[str, Any]) -> Conversation:
    turns = tuple(Turn(str(said["mid"]), "user", said["message"], _time(said["time"])) for said in row["message_list"])
    kind = "_".join(row["file"].split("_")[:-1])
    questions = tuple(_question(index, kind, asked, turns) for index, asked in enumerate(row["question_list"]))
    return Conversation(_name(row), ("user", "assistant"), turns, questions)


def _question(index: int, kind: str, asked: dict[str, Any], turns: tuple[Turn, ...]) -> Question:
    known = {turn.id for turn in turns}
    return Question(
        index=index,
        text=asked["question"],
        answer=asked["answer"],
        category=kind,
        evidence=tuple(dict.fromkeys(id for id in map(str, asked["target_step_id"]) if id in known)),
        at=_time(asked["time"]),
    )


def _time(text: str) -> datetime:
    """Return a time such as 2024年04月01日 周一 08:30, as UTC."""
    match = _TIME.match(text)
    if match is None:
        raise ValueError(f"{text!r} is not a time like 2024年04月01日 周一 08:30")
    return datetime(*map(int, match.groups()), tzinfo=UTC)  # type: ignore[misc,arg-type]  # five numbers
