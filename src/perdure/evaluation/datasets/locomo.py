"""LoCoMo: long conversations of two speakers, and questions whose evidence turns are known.

Source: Maharana et al., ACL 2024; the file `locomo10.json` of snap-research/locomo, or a part of it.
Categories go by their number: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from perdure.errors import InputError
from perdure.models import Message

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_TIME = re.compile(r"(\d{1,2}):(\d{2})\s*([ap])m\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})", re.IGNORECASE)
_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn; `at` is the time of its session, taken as UTC; `caption` describes its image, if it has one."""

    id: str
    speaker: str
    text: str
    at: datetime
    caption: str | None = None

    def message(self, *, with_caption: bool = False) -> Message:
        """Return the turn as a message of a named speaker, its id as external id; the caption on request."""
        content = f"{self.text} [image: {self.caption}]" if with_caption and self.caption else self.text
        return Message("user", content, self.at, "user", name=self.speaker, external_id=self.id)


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `index` is its place in the file, `evidence` the ids of turns that exist, each once."""

    index: int
    text: str
    answer: str | None
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with its turns in order and its questions in order."""

    id: str
    speakers: tuple[str, str]
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def data_folder() -> Path:
    """Return the folder of evaluation data: $PERDURE_DATA, else ../shared/data from the repository's root."""
    given = os.environ.get("PERDURE_DATA")
    return Path(given) if given else Path(__file__).parents[4].parent / "shared" / "data"


def load(path: str | Path | None = None, *, only: str | None = None) -> list[Conversation]:
    """Return the conversations of a LoCoMo file, in its order; `only` names one of them.

    Without a path, locomo/dev.json of `data_folder()`.
    Raises InputError if the file cannot be read, is not LoCoMo, or has no conversation of that name.
    """
    path = Path(path) if path is not None else data_folder() / "locomo" / "dev.json"
    try:
        samples = json.loads(path.read_text(encoding="utf-8"))
        found = [_conversation(sample) for sample in samples if only in (None, sample["sample_id"])]
    except OSError as err:
        raise InputError(f"cannot read {path}: {err.strerror}; set PERDURE_DATA or give the path of a file") from err
    except (ValueError, KeyError, TypeError, AttributeError) as err:
        raise InputError(f"{path} is not in the form of LoCoMo: {type(err).__name__} {err}") from err
    if not found:
        raise InputError(f"{path} has no conversation {only!r}" if only else f"{path} has no conversations")
    return found


def _conversation(sample: dict[str, Any]) -> Conversation:
    talk = sample["conversation"]
    sessions = sorted(int(match[1]) for key in talk if (match := _SESSION.fullmatch(key)))
    turns = [
        Turn(turn["dia_id"], turn["speaker"], turn["text"], at, turn.get("blip_caption"))
        for number in sessions
        for at in [parse_time(talk[f"session_{number}_date_time"])]
        for turn in talk[f"session_{number}"]
    ]
    known = {turn.id for turn in turns}
    questions = [_question(index, qa, known) for index, qa in enumerate(sample["qa"])]
    return Conversation(sample["sample_id"], (talk["speaker_a"], talk["speaker_b"]), tuple(turns), tuple(questions))


def _question(index: int, qa: dict[str, Any], known: set[str]) -> Question:
    named = [f"D{int(a)}:{int(b)}" for text in qa.get("evidence", []) for a, b in _EVIDENCE.findall(text)]
    answer = qa.get("answer")
    return Question(
        index=index,
        text=qa["question"],
        answer=None if answer is None else str(answer),
        category=qa["category"],
        evidence=tuple(dict.fromkeys(id for id in named if id in known)),
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
