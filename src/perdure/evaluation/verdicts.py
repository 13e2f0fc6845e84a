"""Recorded verdicts: what judges said of other systems' answers, and what that says of the judges.

A judge is believed as far as it agrees with others, and refuses answers that are wrong on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev

from perdure.errors import InputError
from perdure.evaluation.datasets.files import data_folder, read_lines, shaped
from perdure.evaluation.measures.lexical_judge import lexical_verdict

SOURCE = "the projects that its README names"
WRONG = ("adversarial_wrong_answers_v1", "adversarial_wrong_answers_v2")

Judge = Callable[[str, str], bool]  # (answer, gold) → accepted


@dataclass(frozen=True, slots=True)
class Judged:
    """One recorded answer with its verdicts, one per run of the judge."""

    conversation: str
    question: int
    category: int
    answer: str
    gold: str
    verdicts: tuple[bool, ...]

    @property
    def share(self) -> float:
        """The share of verdicts that accepted it."""
        return fmean(self.verdicts)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two judges of the same answers: how often they say the same, beyond chance (κ), and what each accepts."""

    count: int
    agreement: float
    kappa: float | None
    accepted: float  # by the judge that is tested
    accepted_by_other: float
    precision: float | None  # of what it accepts, the share that the other accepts
    recall: float | None  # of what the other accepts, the share that it accepts


def load(folder: Path | None = None) -> dict[str, list[Judged]]:
    """Return the judged answers of every recorded file, by its name; category 5 and rows without a verdict left out.

    Raises InputError where the folder holds none.
    """
    folder = folder or data_folder() / "recorded_locomo"
    found = {path.name.split(".dev.")[0]: _rows(path) for path in sorted(folder.glob("*.dev.jsonl.gz"))}
    found = {name: rows for name, rows in found.items() if rows}
    if not found:
        raise InputError(f"{folder} holds no recorded verdicts; set PERDURE_DATA to a folder that has recorded_locomo")
    return found


def _rows(path: Path) -> list[Judged]:
    rows = read_lines(path, source=SOURCE)
    return shaped(
        path,
        "recorded answers",
        lambda: [
            Judged(
                row["sample_id"],
                row["qa_index"],
                row["category"],
                str(row["answer"]),
                str(row["gold"]),
                tuple(bool(verdict) for verdict in row["judge"] if verdict is not None),
            )
            for row in rows
            if row["category"] != 5 and any(verdict is not None for verdict in row.get("judge") or ())
        ],
    )


def agreement(pairs: Sequence[tuple[bool, bool]]) -> Agreement:
    """Return how two judges agree, given (tested, other) for each answer.

    κ = (p_o − p_e) / (1 − p_e), p_e the agreement of two that accept as often and at random; None where p_e = 1.
    Source: Cohen, 1960.

    Of four answers they agree on three; by chance on half: κ = (3/4 − 1/2) / (1/2).

    >>> found = agreement([(True, True), (True, False), (False, False), (False, False)])
    >>> found.agreement, found.kappa, found.precision, found.recall
    (0.75, 0.5, 0.5, 1.0)
    """
    if not pairs:
        raise InputError("an agreement needs at least one answer that both judged")
    count = len(pairs)
    ours, theirs = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    both = sum(a and b for a, b in pairs)
    observed = sum(a == b for a, b in pairs) / count
    chance = (ours * theirs + (count - ours) * (count - theirs)) / count**2
    return Agreement(
        count=count,
        agreement=observed,
        kappa=None if chance == 1 else (observed - chance) / (1 - chance),
        accepted=ours / count,
        accepted_by_other=theirs / count,
        precision=both / ours if ours else None,
        recall=both / theirs if theirs else None,
    )


def against(rows: Sequence[Judged], judge: Judge = lexical_verdict) -> Agreement:
    """Return how a judge agrees with the majority of the recorded verdicts (ties accept)."""
    return agreement([(judge(row.answer, row.gold), row.share >= 0.5) for row in rows])


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What is accepted of answers that are wrong on purpose: by the recorded judge, and by the one that is tested."""

    count: int
    by_recorded: float
    by_judge: float


def acceptance(rows: Sequence[Judged], judge: Judge = lexical_verdict) -> Acceptance:
    """Return the shares of wrong answers that are accepted; a good judge accepts none."""
    return Acceptance(len(rows), fmean(row.share for row in rows), fmean(judge(row.answer, row.gold) for row in rows))


@dataclass(frozen=True, slots=True)
class Noise:
    """What judging again changes: the mean of each run, their deviation, the share of answers not judged alike."""

    means: tuple[float, ...]
    deviation: float
    disputed: float


def noise(rows: Sequence[Judged]) -> Noise | None:
    """Return the noise of repeated judging, over the answers that were judged most often; None if each was once."""
    runs = max(len(row.verdicts) for row in rows)
    if runs < 2:
        return None
    whole = [row for row in rows if len(row.verdicts) == runs]
    means = tuple(fmean(row.verdicts[run] for row in whole) for run in range(runs))
    return Noise(means, pstdev(means), fmean(len(set(row.verdicts)) > 1 for row in whole))


def without(rows: Sequence[Judged], errors: Mapping[tuple[str, int], object | None]) -> list[Judged]:
    """Return the rows whose gold answer is right by the audit; see `locomo.audited`."""
    return [row for row in rows if errors.get((row.conversation, row.question), ()) is not None]
