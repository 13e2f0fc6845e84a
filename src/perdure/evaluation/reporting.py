"""A run's folder becomes its reports: report.md and report.html, from the rows and the data set alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from perdure.errors import InputError
from perdure.evaluation.compared import Summary, summarise
from perdure.evaluation.conversation import Conversation
from perdure.evaluation.datasets import DATASETS
from perdure.evaluation.outcomes import Folder, Outcome
from perdure.evaluation.page import page
from perdure.evaluation.published import published
from perdure.evaluation.scoring import score
from perdure.evaluation.sections import markdown, sections
from perdure.evaluation.studied import studied


def report(
    folder: Folder, conversations: Sequence[Conversation], *, clean: Sequence[Conversation] | None = None
) -> Mapping[str, Path]:
    """Write the reports of a run and return their paths; no model is asked.

    clean: the same conversations by the audited key.  Systems that were not asked every question are left out.
    Raises InputError where there are no rows, or no system is complete.
    """
    spec = folder.spec()
    outcomes = _complete(folder.outcomes(), spec.questions)
    data = DATASETS[spec.dataset]

    def by(key: Sequence[Conversation]) -> Summary:
        scored = score(outcomes, key, k=spec.k, dataset=spec.dataset)
        return summarise(scored, folder.ingests(), seed=spec.seed)

    summary = by(conversations)
    found = sections(spec, summary, data, clean=None if clean is None else by(clean))
    found.extend(studied(summary))
    if spec.dataset == "locomo":
        found.append(published())
    paths = {"markdown": folder.path / "report.md", "page": folder.path / "report.html"}
    paths["markdown"].write_text(markdown(found), encoding="utf-8")
    paths["page"].write_text(page(found, summary, data), encoding="utf-8")
    return paths


def _complete(outcomes: Sequence[Outcome], questions: int) -> list[Outcome]:
    """Return the rows of systems that answered every question: means over other questions could not be compared."""
    counts: dict[str, int] = {}
    for outcome in outcomes:
        counts[outcome.system] = counts.get(outcome.system, 0) + 1
    kept = [outcome for outcome in outcomes if counts[outcome.system] >= questions]
    if not kept:
        raise InputError(f"no system of this run was asked all of its {questions} questions yet; go on with --resume")
    return kept
