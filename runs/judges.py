"""Recorded verdicts on LoCoMo dev: each system's score again, raw and clean key, and what the judges are worth.

    python runs/judges.py

Writes runs/judges.md: numbers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from perdure.evaluation import verdicts
from perdure.evaluation.datasets import DATASETS, locomo
from perdure.evaluation.statistics import by_cluster, by_question
from perdure.evaluation.verdicts import Judged

Errors = dict[tuple[str, int], tuple[str, ...] | None]
OUT = Path(__file__).with_suffix(".md")
ABOUT = """\
Made by `python runs/judges.py` from recorded answers of other systems; six conversations, categories 1 to 4.
Judges and their prompts differ from system to system, so rows of two sources cannot be compared.
Intervals are 95 %, by bootstrap: of questions, and of whole conversations.
Clean key: without the questions whose gold answer is wrong by the audit."""
FOREIGN = "openclaw_chinese_answers"  # Chinese answers to English questions: words cannot agree


def main() -> None:
    recorded = verdicts.load()
    errors = locomo.audited()
    wrong = {name: recorded.pop(name) for name in verdicts.WRONG}
    parts = [
        "# Recorded verdicts on LoCoMo dev",
        ABOUT,
        "Categories: " + "; ".join(DATASETS["locomo"].category(n) for n in (1, 2, 3, 4)) + ".",
        "## Scores again",
        table(
            ("system", "key", "n", "share accepted", "by question", "by conversation", "1", "2", "3", "4"),
            [score(name, key, rows) for name, of in recorded.items() for key, rows in keys(of, errors)],
        ),
        "## The lexical judge against them",
        "Its share is a lower bound and is never called J: it refuses right answers in other words.",
        table(
            ("system", "n", "agreement", "κ", "it accepts", "they accept", "precision", "recall"),
            [agreement(name, rows) for name, rows in recorded.items()]
            + [agreement("**all but the Chinese one**", [r for n, of in recorded.items() if n != FOREIGN for r in of])],
        ),
        "## Answers that are wrong on purpose",
        "A good judge accepts none.",
        table(
            ("answers", "n", "recorded judge (gpt-4o-mini, three runs) accepts", "lexical judge accepts"),
            [wrongly(name, rows) for name, rows in wrong.items()],
        ),
        "## Judging again",
        "The same answers judged three times by gpt-4o-mini at temperature 0.",
        table(
            ("system", "mean of each run", "their standard deviation", "verdicts not unanimous"),
            [again(name, rows) for name, rows in {**recorded, **wrong}.items() if verdicts.noise(rows)],
        ),
    ]
    OUT.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(OUT.read_text(encoding="utf-8"))


def keys(
    rows: Sequence[Judged], errors: dict[tuple[str, int], tuple[str, ...] | None]
) -> list[tuple[str, list[Judged]]]:
    return [("raw", list(rows)), ("clean", verdicts.without(rows, errors))]


def score(name: str, key: str, rows: Sequence[Judged]) -> tuple[str, ...]:
    shares = [row.share for row in rows]
    questions = by_question(shares, resamples=2000)
    clusters = [row.conversation for row in rows]
    whole = by_cluster(shares, clusters, resamples=2000)
    is_one = len(set(clusters)) == 1
    means = [[row.share for row in rows if row.category == number] for number in (1, 2, 3, 4)]
    return (
        name, key, str(len(rows)), percent(questions.mean),
        f"{percent(questions.low)} – {percent(questions.high)}",
        "one conversation" if is_one else f"{percent(whole.low)} – {percent(whole.high)}",
        *(percent(fmean(of)) if of else "–" for of in means),
    )  # fmt: skip


def agreement(name: str, rows: Sequence[Judged]) -> tuple[str, ...]:
    found = verdicts.against(rows)
    return (
        name, str(found.count), percent(found.agreement), "–" if found.kappa is None else f"{found.kappa:.2f}",
        percent(found.accepted), percent(found.accepted_by_other), percent(found.precision), percent(found.recall),
    )  # fmt: skip


def wrongly(name: str, rows: Sequence[Judged]) -> tuple[str, ...]:
    found = verdicts.acceptance(rows)
    return name, str(found.count), percent(found.by_recorded), percent(found.by_judge)


def again(name: str, rows: Sequence[Judged]) -> tuple[str, ...]:
    found = verdicts.noise(rows)
    assert found is not None
    means = ", ".join(f"{100 * mean:.2f}" for mean in found.means)
    return name, means, f"{100 * found.deviation:.2f} points", percent(found.disputed)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


if __name__ == "__main__":
    main()
