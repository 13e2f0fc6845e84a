"""A run's numbers as titled tables, the same for Markdown and for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perdure.evaluation.compared import Measured, Summary
from perdure.evaluation.conversation import Category
from perdure.evaluation.datasets import DataSet
from perdure.evaluation.outcomes import Spec
from perdure.evaluation.scoring import ANSWERED, FOUND, MEASURES
from perdure.evaluation.statistics import Interval

NONE = "–"


@dataclass(frozen=True, slots=True)
class Section:
    """A title, sentences, and a table that may be empty."""

    title: str
    notes: tuple[str, ...]
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def sections(spec: Spec, summary: Summary, data: DataSet, *, clean: Summary | None = None) -> list[Section]:
    """Return the sections of a report, in order.  `clean`: the same rows by the audited key."""
    return [
        _about(spec, summary, data),
        _by_category(summary, data),
        _overall(spec, summary),
        _costs(summary),
        _writes(summary),
        *([_clean(summary, clean)] if clean else []),
        *([_differences(summary)] if summary.differences else []),
        _declined(summary),
        *([_noise(summary)] if summary.noise else []),
        Section("Measures", tuple(f"{name}: {MEASURES[name]}" for name in _held(summary))),
    ]


def _about(spec: Spec, summary: Summary, data: DataSet) -> Section:
    asked = "no model: nothing was answered, so no answer is scored" if spec.model is None else spec.model
    judged = ", ".join(spec.judges) if spec.judge else "none"
    return Section(
        f"Evaluation on {spec.dataset}",
        (
            f"{len(spec.conversations)} conversations, {spec.questions} questions"
            + (f", a sample drawn with seed {spec.seed}." if spec.sample else "."),
            "Categories: "
            + "; ".join(f"{data.category(c)}: {n} questions" for c, n in summary.counts.items())
            + ".  Means leave out what cannot be answered.",
            f"Model of memory and answers: {asked}; embedder: {spec.embedder or 'none'}; k = {spec.k}.",
            f"Packed contexts of at most {spec.budget_tokens} tokens; tokens are cl100k.",
            f"Judge: {spec.judge or 'none'}; prompts: {judged}; runs: {spec.judge_runs if spec.judge else 0}.",
            f"Protocol: {spec.protocol}.  Captions of images: {spec.captions}.  Bootstrap seed {spec.seed}.",
            f"Data as read, sha256: {spec.data_sha256}.  perdure {spec.version}.",
        ),
    )


def _by_category(summary: Summary, data: DataSet) -> Section:
    """Return the paper's Table 1: for each category F1, BLEU-1 and J; without answers what was found."""
    held = _held(summary)
    if "f1" in held:
        names = ["f1", "bleu1", *[n for n in ("J lenient", "J strict", "lexical") if n in held][:2]]
    else:
        names = [name for name in ("choice", "evidence", "coverage") if name in held]
    categories = [
        c for c in summary.categories if any(c in m[n].categories for m in summary.measured.values() for n in m)
    ]
    heads = ("system", *(f"{data.category(c)}: {name}" for c in categories for name in names))
    rows = [
        (system, *(_of(summary.measured[system].get(name), category) for category in categories for name in names))
        for system in summary.systems
    ]
    return Section("By category", ("In percent; the form of the Mem0 paper's Table 1.",), heads, tuple(rows))


def _overall(spec: Spec, summary: Summary) -> Section:
    names = [name for name in _held(summary) if name not in ("declined", summary.primary)]
    heads = (
        "system",
        summary.primary,
        "95 % by question",
        "95 % by conversation",
        *(f"{name}@{spec.k}" if name in ("recall", "ndcg") else name for name in names),
    )
    rows = []
    for system in summary.systems:
        measured = summary.measured[system]
        main = measured.get(summary.primary)
        rows.append(
            (
                system,
                _of(main),
                span(main.interval if main else None),
                span(main.whole if main else None),
                *(_of(measured.get(name)) for name in names),
            )
        )
    notes: tuple[str, ...] = ("In percent, micro means over the answerable questions.",)
    if summary.primary == "lexical" or "lexical" in names:
        notes += (
            "The lexical judge is a lower bound and no J; runs/judges.md has its agreement with recorded verdicts.",
        )
    if summary.unread:
        notes += (f"{summary.unread} replies of the judge held no verdict and count as refusals.",)
    return Section("Overall", notes, heads, tuple(rows))


def _costs(summary: Summary) -> Section:
    heads = (
        "system",
        "tokens in context",
        "search p50 ms",
        "search p95 ms",
        "total p50 ms",
        "total p95 ms",
        summary.primary,
    )
    rows = []
    for system in summary.systems:
        cost = summary.costs[system]
        total = (NONE, NONE) if cost.total is None else (f"{cost.total[0]:,.0f}", f"{cost.total[1]:,.0f}")
        rows.append(
            (
                system,
                f"{cost.context_tokens:,.0f}",
                f"{cost.search[0]:.1f}",
                f"{cost.search[1]:.1f}",
                *total,
                _of(summary.measured[system].get(summary.primary)),
            )
        )
    note = "The form of the Mem0 paper's Table 2.  Total is search and answer; latencies are of this machine and load."
    return Section("Tokens and latency of a question", (note,), heads, tuple(rows))


def _writes(summary: Summary) -> Section:
    heads = (
        "system",
        "facts held",
        "their tokens",
        "tokens a fact",
        "model calls",
        "model tokens",
        "s until answerable",
    )
    rows = []
    for system in summary.systems:
        cost = summary.costs[system]
        a_fact = f"{cost.fact_tokens / cost.facts:.1f}" if cost.facts else NONE
        rows.append(
            (
                system,
                f"{cost.facts:,.0f}",
                f"{cost.fact_tokens:,.0f}",
                a_fact,
                f"{cost.write_calls:,.0f}",
                f"{cost.write_tokens:,.0f}",
                f"{cost.write_ms / 1000:.1f}",
            )
        )
    return Section("What taking a conversation in costs", ("Means per conversation.",), heads, tuple(rows))


def _clean(summary: Summary, clean: Summary) -> Section:
    heads = ("system", f"{summary.primary}, raw key", f"{summary.primary}, clean key", "95 % by question, clean key")
    rows = []
    for system in summary.systems:
        raw, again = (s.measured[system].get(summary.primary) for s in (summary, clean))
        rows.append((system, _of(raw), _of(again), span(again.interval if again else None)))
    note = (
        f"The clean key leaves out questions whose gold answer is wrong by the audit ({sum(clean.counts.values())} of "
        f"{sum(summary.counts.values())} stay) and mends citations."
    )
    return Section("Raw and clean key", (note,), heads, tuple(rows))


def _differences(summary: Summary) -> Section:
    first = summary.systems[0]
    heads = (
        "system",
        "questions",
        f"minus {first}, points",
        "95 % by question",
        "95 % by conversation",
        "p",
        "p, Holm",
    )
    rows = [
        (
            one.system,
            str(one.count),
            f"{100 * one.interval.mean:+.1f}",
            span(one.interval),
            span(one.whole),
            _p(one.p),
            _p(one.corrected),
        )
        for one in summary.differences
    ]
    note = f"{summary.primary}, paired by question: sign-flip test, corrected for {len(rows)} comparisons."
    return Section(f"Against {first}", (note,), heads, tuple(rows))


def _declined(summary: Summary) -> Section:
    heads = ("system", "AUROC of confidence", "declined of unanswerable", "declined of answerable", "area under risk")
    rows = []
    for system in summary.systems:
        one = summary.declined[system]
        number = NONE if one.auroc is None else f"{one.auroc:.3f}"
        risk = NONE if one.risk is None else f"{one.risk:.3f}"
        rows.append((system, number, percent(one.declined), percent(one.declined_wrongly), risk))
    notes = (
        "AUROC: answerable against unanswerable questions; 0.5 is a coin.",
        "Area under risk against coverage: lower is better.",
    )
    return Section("Saying that it is not known", notes, heads, tuple(rows))


def _noise(summary: Summary) -> Section:
    heads = ("system", "judge's prompt", "runs", "standard deviation of their means", "answers not judged alike")
    rows = [
        (system, name, str(one.runs), f"{100 * one.deviation:.2f} points", percent(one.disputed))
        for system, of in summary.noise.items()
        for name, one in of.items()
    ]
    note = "The same answers judged again: differences below this say nothing."
    return Section("Noise floor of the judge", (note,), heads, tuple(rows))


def _held(summary: Summary) -> list[str]:
    """Return the measures that some system has, in the order of reading."""
    order = (*ANSWERED, *FOUND, "declined")
    return [name for name in order if any(name in of for of in summary.measured.values())]


def _of(measured: Measured | None, category: Category | None = None) -> str:
    if measured is None:
        return NONE
    return percent(measured.mean if category is None else measured.categories.get(category))


def percent(value: float | None) -> str:
    """Return a share in percent, one decimal."""
    return NONE if value is None else f"{100 * value:.1f}"


def span(interval: Interval | None) -> str:
    """Return the ends of an interval in percent."""
    return NONE if interval is None else f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def markdown(found: Sequence[Section]) -> str:
    """Return the sections as Markdown; what a data set names cannot break a row, or bring a tag."""
    parts = []
    for level, section in enumerate(found):
        lines = [f"{'#' if level == 0 else '##'} {section.title}", ""]
        notes = [note.replace("<", "&lt;") for note in section.notes]
        lines += [f"- {note}" if len(notes) > 1 else note for note in notes]
        if section.rows:
            table = [section.heads, ("---",) * len(section.heads), *section.rows]
            lines += ["", *("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in table)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
