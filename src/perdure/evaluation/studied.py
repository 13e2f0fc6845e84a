"""What a study found: for every setting that was varied, each value with its quality and its cost."""

from __future__ import annotations

from perdure.evaluation.compared import Summary
from perdure.evaluation.sections import NONE, Section, percent

_HEADS = (
    "evidence", "points against the first", "p, Holm", "tokens in context", "search p50 ms", "total p50 ms",
    "write calls", "write tokens", "ms until answerable",
)  # fmt: skip


def studied(summary: Summary) -> list[Section]:
    """Return a table for every system and every setting of it that was changed alone; none where nothing was varied.

    The first row of a table is the system as it is.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for name in summary.systems:
        base, _, change = name.partition("+")
        if change and "+" not in change and base in summary.systems:
            groups.setdefault((base, change.partition("=")[0]), []).append(name)
    return [
        Section(
            f"Study of {key} ({base})",
            ("Writes are means per conversation; their tokens are the model's, prompts and completions.",),
            (key, summary.primary, *(head for head in _HEADS if head != summary.primary)),
            tuple(
                (value, *_row(summary, name))
                for value, name in [("unchanged", base), *((name.partition("=")[2], name) for name in names)]
            ),
        )
        for (base, key), names in groups.items()
    ]


def _row(summary: Summary, name: str) -> tuple[str, ...]:
    shown = dict.fromkeys((summary.primary, "evidence"))
    measured = [summary.measured[name].get(one) for one in shown]
    cost = summary.costs[name]
    against = next((one for one in summary.differences if one.system == name), None)
    return (
        *(percent(one.mean) if one else NONE for one in measured),
        NONE if against is None else f"{100 * against.interval.mean:+.1f}",
        NONE if against is None else f"{against.corrected:.3f}",
        f"{cost.context_tokens:,.0f}",
        f"{cost.search[0]:.1f}",
        NONE if cost.total is None else f"{cost.total[0]:,.0f}",
        f"{cost.write_calls:,.0f}",
        f"{cost.write_tokens:,.0f}",
        f"{cost.write_ms:,.0f}",
    )
