"""What the Mem0 paper prints for systems that are not run here, to stand beside a report on LoCoMo.

Source: arXiv 2504.19413 v1, Tables 1 and 2; all ten conversations, gpt-4o-mini for answers and judge, J by its own
prompt over ten runs.  The categories are keyed by the file's number; the paper's names differ (`locomo.NAMES`).
"""

from __future__ import annotations

from dataclasses import dataclass

from perdure.evaluation.sections import NONE, Section


@dataclass(frozen=True, slots=True)
class Published:
    """A row: (F1, BLEU-1, J) by category 1 to 4, in percent; overall J, tokens in context, p50 and p95 in seconds."""

    system: str
    categories: tuple[tuple[float, ...], ...]
    overall: float | None
    tokens: int | None
    search_s: tuple[float, float] | None
    total_s: tuple[float, float] | None


ROWS = (
    Published("Mem0", ((38.72, 27.13, 67.13), (48.93, 40.51, 55.51), (28.64, 21.58, 51.15), (47.65, 38.72, 72.93)),
              66.88, 1_764, (0.148, 0.200), (0.708, 1.440)),
    Published("Mem0^g", ((38.09, 26.03, 65.71), (51.55, 40.28, 58.13), (24.32, 18.82, 47.19), (49.27, 40.30, 75.71)),
              68.44, 3_616, (0.476, 0.657), (1.091, 2.590)),
    Published("Zep", ((35.74, 23.30, 61.70), (42.00, 34.53, 49.31), (19.37, 14.82, 41.35), (49.56, 38.92, 76.60)),
              65.99, 3_911, (0.513, 0.778), (1.292, 2.926)),
    Published("LangMem", ((35.51, 26.86, 62.23), (30.75, 25.84, 23.43), (26.04, 22.32, 47.92), (40.91, 33.63, 71.12)),
              58.10, 127, (17.99, 59.82), (18.53, 60.40)),
    Published("OpenAI memory",
              ((34.30, 23.72, 63.79), (14.04, 11.25, 21.71), (20.09, 15.42, 42.92), (39.31, 31.16, 62.29)),
              52.90, 4_437, None, (0.466, 0.889)),
    Published("A-Mem, run again by Mem0",
              ((20.76, 14.90, 39.79), (35.40, 31.08, 49.91), (9.22, 8.81, 18.85), (33.34, 27.58, 54.05)),
              48.38, 2_520, (0.668, 1.485), (1.410, 4.374)),
    Published("A-Mem, quoted", ((27.02, 20.09), (45.85, 36.67), (12.14, 12.00), (44.65, 37.06)),
              None, None, None, None),
    Published("MemGPT, quoted", ((26.65, 17.72), (25.52, 19.44), (9.15, 7.44), (41.04, 34.34)), None, None, None, None),
    Published("ReadAgent, quoted", ((9.15, 6.48), (12.60, 8.87), (5.31, 5.12), (9.67, 7.66)), None, None, None, None),
    Published("MemoryBank, quoted", ((5.00, 4.77), (9.68, 6.99), (5.56, 5.94), (6.61, 5.16)), None, None, None, None),
    Published("full context", (), 72.90, 26_031, None, (9.870, 17.117)),
)  # fmt: skip


def published() -> Section:
    """Return the rows as a section: published, not measured here."""
    heads = (
        "system", *(f"category {number}: F1 / BLEU-1 / J" for number in (1, 2, 3, 4)),
        "J overall", "tokens in context", "search p50 / p95 s", "total p50 / p95 s",
    )  # fmt: skip
    return Section(
        "Published, not measured here",
        (
            "Printed by the Mem0 paper (arXiv 2504.19413): another judge's prompt, and all ten conversations.",
            "They are no rows to compare with above; judge prompts alone move a score by tens of points.",
            "A-Mem is not run: `pip install a-mem` (0.2.6, a fork) had not ended after 420 s and 6.4 GB.",
            "The encoder of that package is of its own and fetches weights when it is made, whatever a run's embedder.",
        ),
        heads,
        tuple(_row(row) for row in ROWS),
    )


def _row(row: Published) -> tuple[str, ...]:
    shown = [" / ".join(f"{value:.2f}" for value in of) for of in row.categories] or [NONE] * 4
    times = [NONE if pair is None else f"{pair[0]:.3f} / {pair[1]:.3f}" for pair in (row.search_s, row.total_s)]
    overall = NONE if row.overall is None else f"{row.overall:.2f}"
    return row.system, *shown, overall, NONE if row.tokens is None else f"{row.tokens:,}", *times
