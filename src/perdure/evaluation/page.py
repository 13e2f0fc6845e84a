"""The report as one HTML page: the tables and plots of a run, with nothing to fetch."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from perdure.evaluation import plots
from perdure.evaluation.compared import Summary
from perdure.evaluation.datasets import DataSet
from perdure.evaluation.plots import Point
from perdure.evaluation.sections import Section

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; display: block; overflow-x: auto; margin: 0.5rem 0 1.5rem; }
th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { position: sticky; top: 0; background: #f6f6f6; font-weight: 600; }
svg { max-width: 860px; width: 100%; font: 11px system-ui, sans-serif; }
figure { margin: 1rem 0; } figcaption { color: #555; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #ddd; } th { background: #2a2a2a; } th, td { border-color: #444; }
  svg { background: #f8f8f8; }
}
""".strip()


def page(found: Sequence[Section], summary: Summary, data: DataSet) -> str:
    """Return the page: the first section, the plots, and the rest."""
    first, *rest = found
    parts = [_section(first, "h1"), *_figures(summary, data), *(_section(section, "h2") for section in rest)]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(first.title)}</title>'
        f"<style>\n{_STYLE}\n</style></head>\n<body>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _figures(summary: Summary, data: DataSet) -> list[str]:
    by = summary.primary
    known = [(name, of[by]) for name, of in summary.measured.items() if by in of]

    def points(xs: dict[str, float]) -> list[Point]:
        return [
            Point(name, xs[name], one.mean, one.interval.low, one.interval.high)
            for name, one in known
            if one.interval is not None
        ]

    tokens = {name: cost.context_tokens for name, cost in summary.costs.items()}
    latency = {name: (cost.total or cost.search)[0] for name, cost in summary.costs.items()}
    groups = {
        data.category(category): {name: one.categories[category] for name, one in known if category in one.categories}
        for category in summary.categories
    }
    what = "total" if any(cost.total for cost in summary.costs.values()) else "search"
    return [
        _figure(
            plots.scatter(points(tokens), x_title="tokens in context", y_title=by), f"{by} against tokens in context"
        ),
        _figure(plots.scatter(points(latency), x_title=f"{what} p50, ms", y_title=by), f"{by} against {what} latency"),
        _figure(plots.bars({g: of for g, of in groups.items() if of}, y_title=by), f"{by} by category"),
    ]


def _figure(svg: str, caption: str) -> str:
    return (
        f"<figure>\n{svg}\n<figcaption>{escape(caption)}; bars are 95 % intervals by question</figcaption>\n</figure>"
    )


def _section(section: Section, heading: str) -> str:
    parts = [f"<{heading}>{escape(section.title)}</{heading}>"]
    if len(section.notes) > 1:
        parts.append("<ul>" + "".join(f"<li>{escape(note)}</li>" for note in section.notes) + "</ul>")
    else:
        parts += [f"<p>{escape(note)}</p>" for note in section.notes]
    if section.rows:
        head = "".join(f"<th>{escape(cell)}</th>" for cell in section.heads)
        body = "\n".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in section.rows)
        parts.append(f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>")
    return "\n".join(parts)
