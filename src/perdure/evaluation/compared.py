"""A run as numbers: every system by category, its cost, and how surely it differs from the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from perdure.evaluation.conversation import Category
from perdure.evaluation.measures.abstention import area_under_risk, auroc, risk_coverage
from perdure.evaluation.outcomes import Ingested
from perdure.evaluation.scoring import MEASURES, Scored, mean, primary
from perdure.evaluation.statistics import Interval, by_cluster, by_question, holm, sign_flip

RESAMPLES = 2_000  # chosen: the ends of an interval move by about 0.2 points between seeds


@dataclass(frozen=True, slots=True)
class Measured:
    """One measure of one system: over all answerable questions, and by category.

    The intervals, by question and by whole conversation, are those of the primary measure and of evidence alone; the
    second is None too where there is only one conversation.
    """

    mean: float
    interval: Interval | None
    whole: Interval | None
    categories: Mapping[Category, float]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a system took and holds; times in milliseconds, tokens in cl100k, facts and writes per conversation."""

    context_tokens: float
    search: tuple[float, float]  # p50, p95
    total: tuple[float, float] | None  # search and answer; None without answers
    facts: float
    fact_tokens: float
    write_tokens: float
    write_calls: float
    write_ms: float


@dataclass(frozen=True, slots=True)
class Declined:
    """How a system stands to what cannot be answered.  None: the run does not tell."""

    auroc: float | None  # of its confidence, answerable against not
    declined: float | None  # of the questions that cannot be answered
    declined_wrongly: float | None  # of those that can
    risk: float | None  # area under risk against coverage, by the primary measure; what cannot be answered is a loss


@dataclass(frozen=True, slots=True)
class Difference:
    """A system against the first, question by question; p corrected (Holm) for all comparisons of the run."""

    system: str
    count: int
    interval: Interval
    whole: Interval | None
    p: float
    corrected: float


@dataclass(frozen=True, slots=True)
class Noise:
    """The noise floor of a judge: the deviation of its runs' means, and the share of answers not judged alike."""

    runs: int
    deviation: float
    disputed: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that a report shows, by system."""

    systems: tuple[str, ...]
    categories: tuple[Category, ...]
    counts: Mapping[Category, int]
    primary: str
    measured: Mapping[str, Mapping[str, Measured]]
    costs: Mapping[str, Cost]
    declined: Mapping[str, Declined]
    differences: tuple[Difference, ...]
    noise: Mapping[str, Mapping[str, Noise]]
    unread: int  # verdicts that no reply held; they count as refusals


def summarise(scored: Sequence[Scored], ingests: Sequence[Ingested], *, seed: int) -> Summary:
    """Return the numbers of a run.  Raises InputError where there is nothing to compare by."""
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        groups.setdefault(one.outcome.system, []).append(one)
    by = primary(scored)
    questions = {one.outcome.key: one.outcome.category for one in scored}
    categories = sorted(set(questions.values()), key=lambda category: (isinstance(category, str), category))
    return Summary(
        systems=tuple(groups),
        categories=tuple(categories),
        counts={category: sum(of == category for of in questions.values()) for category in categories},
        primary=by,
        measured={name: _measures(rows, by, seed) for name, rows in groups.items()},
        costs={name: _cost(rows, [i for i in ingests if i.system == name]) for name, rows in groups.items()},
        declined={name: _declined(rows, by) for name, rows in groups.items()},
        differences=_differences(groups, by, seed),
        noise={name: found for name, rows in groups.items() if (found := _noise(rows))},
        unread=sum(verdicts.unread for one in scored for verdicts in one.outcome.verdicts.values()),
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share lies, by linear interpolation between the nearest two.

    >>> percentile([1.0, 2.0, 3.0, 10.0], 0.5), percentile([1.0, 2.0], 0.95)
    (2.5, 1.95)
    """
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _measures(rows: Sequence[Scored], by: str, seed: int) -> dict[str, Measured]:
    found = {}
    for name in MEASURES:
        held = [row for row in rows if name in row.values and row.outcome.is_answerable]
        if not held:
            continue
        values = [row.values[name] for row in held]
        categories = sorted({row.outcome.category for row in held}, key=str)
        is_sure = name in (by, "evidence")
        found[name] = Measured(
            fmean(values),
            by_question(values, resamples=RESAMPLES, seed=seed) if is_sure else None,
            _whole(values, held, seed) if is_sure else None,
            {category: value for category in categories if (value := mean(held, name, category=category)) is not None},
        )
    return found


def _whole(values: Sequence[float], rows: Sequence[Scored], seed: int) -> Interval | None:
    clusters = [row.outcome.conversation for row in rows]
    if len(set(clusters)) < 2:
        return None
    return by_cluster(values, clusters, resamples=RESAMPLES, seed=seed)


def _cost(rows: Sequence[Scored], ingests: Sequence[Ingested]) -> Cost:
    outcomes = [row.outcome for row in rows]
    searches = [one.search_ms for one in outcomes]
    totals = [one.search_ms + one.answer.ms for one in outcomes if one.answer is not None]

    def each(values: Sequence[float]) -> float:
        return fmean(values) if values else 0.0

    return Cost(
        context_tokens=fmean(one.context_tokens for one in outcomes),
        search=(percentile(searches, 0.5), percentile(searches, 0.95)),
        total=(percentile(totals, 0.5), percentile(totals, 0.95)) if totals else None,
        facts=each([one.facts for one in ingests]),
        fact_tokens=each([one.fact_tokens for one in ingests]),
        write_tokens=each([one.prompt_tokens + one.completion_tokens for one in ingests]),
        write_calls=each([one.calls for one in ingests]),
        write_ms=each([one.ms for one in ingests]),
    )


def _declined(rows: Sequence[Scored], by: str) -> Declined:
    sure = [(row.outcome.confidence, row) for row in rows if row.outcome.confidence is not None]
    confidences = [confidence for confidence, _ in sure]
    has_answers = any(row.outcome.answer is not None for row in rows)
    judged = [(confidence, row) for confidence, row in sure if by in row.values or not row.outcome.is_answerable]
    losses = [1 - row.values[by] if row.outcome.is_answerable else 1.0 for _, row in judged]
    points = risk_coverage([confidence for confidence, _ in judged], losses) if judged and has_answers else []

    def share(is_answerable: bool) -> float | None:
        said = [
            row.values["declined"]
            for row in rows
            if "declined" in row.values and row.outcome.is_answerable is is_answerable
        ]
        return fmean(said) if said else None

    return Declined(
        auroc=auroc(confidences, [row.outcome.is_answerable for _, row in sure]),
        declined=share(False),
        declined_wrongly=share(True),
        risk=area_under_risk(points) if points else None,
    )


def _differences(groups: Mapping[str, Sequence[Scored]], by: str, seed: int) -> tuple[Difference, ...]:
    """Return every other system against the first, over the questions that both were asked."""
    first, *others = groups
    base = {row.outcome.key: row for row in groups[first] if by in row.values and row.outcome.is_answerable}
    found: list[tuple[str, int, Interval, Interval | None, float]] = []
    for name in others:
        pairs = [(row, base[row.outcome.key]) for row in groups[name] if by in row.values and row.outcome.key in base]
        if not pairs:
            continue
        values = [row.values[by] - against.values[by] for row, against in pairs]
        found.append(
            (
                name,
                len(pairs),
                by_question(values, resamples=RESAMPLES, seed=seed),
                _whole(values, [row for row, _ in pairs], seed),
                sign_flip(values, resamples=RESAMPLES, seed=seed),
            )
        )
    corrected = holm([p for *_, p in found])
    return tuple(Difference(*one, after) for one, after in zip(found, corrected, strict=True))


def _noise(rows: Sequence[Scored]) -> dict[str, Noise]:
    """Return the noise of each judge that was asked more than once."""
    found = {}
    for name in sorted({name for row in rows for name in row.outcome.verdicts}):
        said = [row.outcome.verdicts[name].said for row in rows if name in row.outcome.verdicts]
        runs = min(map(len, said))
        if runs > 1:
            means = [fmean(one[run] for one in said) for run in range(runs)]
            found[name] = Noise(runs, pstdev(means), fmean(len(set(one)) > 1 for one in said))
    return found
