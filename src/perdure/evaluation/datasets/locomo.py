"""LoCoMo: long conversations of two speakers, and questions whose evidence turns are known.

Source: Maharana et al., ACL 2024; the file `locomo10.json` of snap-research/locomo, or a part of it.
Categories go by their number, because two namings are in print (`NAMES`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from perdure.errors import InputError
from perdure.evaluation.conversation import Conversation, Question, Turn
from perdure.evaluation.datasets.files import data_folder, read_json, read_lines, shaped

__all__ = ["Conversation", "Question", "Turn", "data_folder", "load", "parse_time"]

Key = Literal["raw", "clean"]
SOURCE = "https://github.com/snap-research/locomo (data/locomo10.json, CC BY-NC 4.0: evaluation only)"
AUDIT = "https://github.com/dial481/locomo-audit (errors.json, CC BY-NC 4.0)"
NAMES: Mapping[int, tuple[str, str]] = {
    1: ("multi-hop", "single-hop"),
    2: ("temporal", "temporal"),
    3: ("open-domain", "multi-hop"),
    4: ("single-hop", "open-domain"),
    5: ("adversarial", "adversarial"),
}
"""LoCoMo's own name of each category, and the name under which the Mem0 paper prints its numbers."""

ADVERSARIAL = 5  # the conversation does not hold what these ask; the file names a wrong answer or none
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_TIME = re.compile(r"(\d{1,2}):(\d{2})\s*([ap])m\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})", re.IGNORECASE)
_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


def load(path: str | Path | None = None, *, only: str | None = None, key: Key = "raw") -> list[Conversation]:
    """Return the conversations of a LoCoMo file, in its order; `only` names one of them.

    Without a path, locomo/dev.json of `data_folder()`.
    key: "clean" leaves out the questions whose gold answer is wrong by the audit (errors that change the score; their
    corrected answers are explanations, not answers), and takes its evidence where only the citation is wrong.
    Raises InputError if the file cannot be read, is not LoCoMo, or has no conversation of that name.
    """
    path = Path(path) if path is not None else data_folder() / "locomo" / "dev.json"
    errors = audited(path.parent) if key == "clean" else {}
    samples = read_json(path, source=SOURCE)
    found = shaped(
        path,
        "LoCoMo",
        lambda: [_conversation(sample, errors) for sample in samples if only in (None, sample["sample_id"])],
    )
    if not found:
        raise InputError(f"{path} has no conversation {only!r}" if only else f"{path} has no conversations")
    return found


def audited(folder: Path | None = None) -> dict[tuple[str, int], tuple[str, ...] | None]:
    """Return the audit's errors by conversation and place of the question.

    None: the gold answer is wrong; else the right evidence of a question whose answer stands.
    Raises InputError where the file is not there.
    """
    path = (folder or data_folder() / "locomo") / "audit_errors.dev.jsonl"
    rows = read_lines(path, source=AUDIT)
    return shaped(
        path,
        "the audit of LoCoMo",
        lambda: {
            (row["sample_id"], row["qa_index"]): (
                tuple(row["correct_evidence"]) if row["error_type"] == "WRONG_CITATION" else None
            )
            for row in rows
        },
    )


def _conversation(sample: dict[str, Any], errors: Mapping[tuple[str, int], tuple[str, ...] | None]) -> Conversation:
    talk = sample["conversation"]
    sessions = sorted(int(match[1]) for key in talk if (match := _SESSION.fullmatch(key)))
    turns = [
        Turn(turn["dia_id"], turn["speaker"], turn["text"], at, turn.get("blip_caption"), session=f"D{number}")
        for number in sessions
        for at in [parse_time(talk[f"session_{number}_date_time"])]
        for turn in talk[f"session_{number}"]
    ]
    known = {turn.id for turn in turns}
    id = sample["sample_id"]
    questions = [
        _question(index, qa, errors.get((id, index)), known)
        for index, qa in enumerate(sample["qa"])
        if errors.get((id, index), ()) is not None
    ]
    return Conversation(id, (talk["speaker_a"], talk["speaker_b"]), tuple(turns), tuple(questions))


def _question(index: int, qa: dict[str, Any], evidence: tuple[str, ...] | None, known: set[str]) -> Question:
    given = qa.get("evidence", []) if evidence is None else evidence
    named = [f"D{int(a)}:{int(b)}" for text in given for a, b in _EVIDENCE.findall(text)]
    answer = qa.get("answer")
    return Question(
        index=index,
        text=qa["question"],
        answer=None if answer is None else str(answer),
        category=qa["category"],
        evidence=tuple(dict.fromkeys(id for id in named if id in known)),
        is_answerable=qa["category"] != ADVERSARIAL,
    )


def parse_time(text: str) -> datetime:
    """Return the time of a session's heading, as UTC.  Raises ValueError on another form.

    >>> parse_time("12:09 am on 13 September, 2023").isoformat()
    '2023-09-13T00:09:00+00:00'
    """
    match = _TIME.fullmatch(text.strip())
    if match is None or match[5].lower() not in _MONTHS:
        raise ValueError(f"{text!r} is not a time like '1:56 pm on 8 May, 2023'")
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    month = _MONTHS.index(match[5].lower()) + 1
    return datetime(int(match[6]), month, int(match[4]), hour, int(match[2]), tzinfo=UTC)
