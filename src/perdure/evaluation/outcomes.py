"""What a run keeps: one row a question, one row a conversation taken in, and what was asked for; in one folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from perdure.errors import InputError
from perdure.evaluation.conversation import Category

ALL = "*"  # stands for every turn of the conversation

R = TypeVar("R", "Outcome", "Ingested")


@dataclass(frozen=True, slots=True)
class Spec:
    """What a run measures.  A folder holds the rows of one spec alone, so that they can be compared."""

    dataset: str
    data_sha256: str  # of the conversations and questions as they were read
    conversations: tuple[str, ...]
    questions: int  # how many are asked of each system
    sample: int | None  # of the questions, drawn by `seed`; None: all
    seed: int
    k: int
    budget_tokens: int
    embedder: str | None
    model: str | None  # of memory and answers; None: no model, no answers
    judge: str | None
    judges: tuple[str, ...]
    judge_runs: int
    version: str
    protocol: str = "one store per conversation, facts name their speaker; two-stores: a store per speaker"
    captions: str = "left out"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What a judge said of one answer, run by run, under the prompt of this hash.

    unread: how many of its replies held no verdict; they count as refusals.
    """

    model: str
    hash: str
    said: tuple[bool, ...]
    unread: int = 0


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model answered, to the prompt of this hash, and what that took."""

    text: str
    model: str
    hash: str
    prompt_tokens: int
    completion_tokens: int
    ms: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question put to one system.  No text of the data but the model's answer."""

    system: str
    conversation: str
    question: int
    category: Category
    is_answerable: bool
    turns: tuple[str, ...]  # as returned, best first; ALL
    is_ranked: bool  # False: their order says nothing
    confidence: float | None
    context_tokens: int  # cl100k
    coverage: float | None
    search_ms: float
    answer: Answered | None = None
    verdicts: Mapping[str, Verdicts] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, int]:
        """The question, whatever the system."""
        return self.conversation, self.question


@dataclass(frozen=True, slots=True)
class Ingested:
    """What taking in one conversation took, and what is held after it."""

    system: str
    conversation: str
    turns: int
    ms: float  # until the conversation can be asked about; of calls on tape, what they took when they were made
    calls: int
    prompt_tokens: int
    completion_tokens: int
    facts: int
    fact_tokens: int


class Folder:
    """A run's folder: run.json, rows.jsonl, ingests.jsonl, calls.jsonl, and the reports made of them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, spec: Spec, *, resume: bool) -> None:
        """Make the folder for a spec, or go on in one of the same spec.

        Raises InputError where there is a run already and `resume` is False, or where it is of another spec.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        place = self.path / "run.json"
        if place.exists():
            if not resume:
                raise InputError(f"{self.path} holds a run already; go on with --resume, or name another --out")
            differing = sorted(n for n, v in _plain(spec).items() if _plain(self.spec()).get(n) != v)
            if differing:
                raise InputError(
                    f"{self.path} holds a run with another {', '.join(differing)}; its rows could not be compared with "
                    "new ones: name another --out"
                )
            return
        part = place.with_suffix(".part")
        part.write_text(json.dumps(_plain(spec), indent=2) + "\n", encoding="utf-8")
        os.replace(part, place)

    def spec(self) -> Spec:
        """Return what the run measures.  Raises InputError where the folder holds no run."""
        place = self.path / "run.json"
        try:
            found = json.loads(place.read_text(encoding="utf-8"))
            tuples = {name: tuple(found[name]) for name in ("conversations", "judges")}
            return Spec(**{**found, **tuples})
        except (OSError, ValueError, KeyError, TypeError) as err:
            raise InputError(f"{self.path} holds no run of an evaluation: {err}; run `perdure eval` first") from err

    def outcomes(self) -> list[Outcome]:
        """Return the rows, in order."""
        return self._rows("rows.jsonl", _outcome)

    def ingests(self) -> list[Ingested]:
        """Return what taking in took, the last of each system and conversation, in order."""
        found = self._rows("ingests.jsonl", lambda row: Ingested(**row))
        return list({(one.system, one.conversation): one for one in found}.values())

    def add(self, ingested: Ingested, outcomes: Sequence[Outcome]) -> None:
        """Append what a system did on a conversation; the rows reach the disk before this returns."""
        self._append("ingests.jsonl", [ingested])
        self._append("rows.jsonl", outcomes)

    def _append(self, name: str, rows: Sequence[Outcome] | Sequence[Ingested]) -> None:
        with (self.path / name).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(row)) + "\n" for row in rows)
            file.flush()
            os.fsync(file.fileno())

    def _rows(self, name: str, make: Callable[[dict[str, Any]], R]) -> list[R]:
        """Return the rows of a file; a line that a kill cut short is taken out of it."""
        place = self.path / name
        if not place.exists():
            return []
        raw = place.read_bytes()
        whole, _, rest = raw.rpartition(b"\n")
        if rest:
            os.truncate(place, len(raw) - len(rest))
        try:
            return [make(json.loads(line)) for line in whole.splitlines()]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as err:
            raise InputError(f"{place} is damaged: {err}; take the broken line out, or run it again") from err


def _outcome(row: dict[str, Any]) -> Outcome:
    verdicts = {name: Verdicts(**{**v, "said": tuple(v["said"])}) for name, v in row["verdicts"].items()}
    answer = None if row["answer"] is None else Answered(**row["answer"])
    return Outcome(**{**row, "turns": tuple(row["turns"]), "answer": answer, "verdicts": verdicts})


def _plain(spec: Spec) -> dict[str, Any]:
    found = {one.name: getattr(spec, one.name) for one in fields(spec)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
