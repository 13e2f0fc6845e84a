"""Two kinds of plot as SVG text: points with error bars over a logarithmic axis, and grouped bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 820, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 240, 24, 48
STEP = 18  # between two names of the legend
COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#b8860b", "#6a4c93", "#3d3d3d", "#008b8b", "#c05299", "#7a7a00", "#8b4513")


@dataclass(frozen=True, slots=True)
class Point:
    """A named point; y and its interval are shares from 0 to 1."""

    name: str
    x: float
    y: float
    low: float
    high: float


def scatter(points: Sequence[Point], *, x_title: str, y_title: str) -> str:
    """Return y against the logarithm of x, with intervals; points at or below 0 stand at the left edge.

    What is not on the plot, a reader of the table still has.
    """
    if not points:
        return ""
    positive = [point.x for point in points if point.x > 0]
    low = floor(log10(min(positive))) if positive else 0
    high = max(ceil(log10(max(positive))) if positive else 1, low + 1)

    def across(x: float) -> float:
        share = (log10(x) - low) / (high - low) if x > 0 else 0.0
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    parts = [*_frame(y_title), _text(LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 8, x_title, anchor="middle")]
    for power in range(low, high + 1):
        x = across(10**power)
        parts += [
            _line(x, TOP, x, HEIGHT - BOTTOM, "#eee"),
            _text(x, HEIGHT - BOTTOM + 16, _tick(power), anchor="middle"),
        ]
    for number, point in enumerate(points):
        colour, x = COLOURS[number % len(COLOURS)], across(point.x)
        parts += [
            _line(x, _down(point.low), x, _down(point.high), colour),
            _dot(x, _down(point.y), colour, f"{point.name}: {100 * point.y:.1f} % at {point.x:,.4g}"),
        ]
    return _svg(parts, [point.name for point in points], f"{y_title} against {x_title}")


def bars(groups: Mapping[str, Mapping[str, float]], *, y_title: str) -> str:
    """Return grouped bars: for each group (a category) one bar a system, of shares from 0 to 1."""
    names = list(dict.fromkeys(name for of in groups.values() for name in of))
    if not names:
        return ""
    room = (WIDTH - LEFT - RIGHT) / len(groups)
    width = 0.8 * room / len(names)
    parts = _frame(y_title)
    for place, (group, of) in enumerate(groups.items()):
        left = LEFT + place * room + 0.1 * room
        for number, name in enumerate(names):
            value = of.get(name)
            if value is not None:
                y = _down(value)
                parts.append(
                    f'<rect x="{left + number * width:.1f}" y="{y:.1f}" width="{max(width - 1, 1):.1f}" '
                    f'height="{HEIGHT - BOTTOM - y:.1f}" fill="{COLOURS[number % len(COLOURS)]}">'
                    f"<title>{escape(name)}, {escape(group)}: {100 * value:.1f} %</title></rect>"
                )
        parts.append(_text(left + 0.4 * room, HEIGHT - BOTTOM + 16, _short(group, room), anchor="middle"))
    return _svg(parts, names, f"{y_title} by category")


def _frame(y_title: str) -> list[str]:
    parts = []
    for tenth in range(0, 11, 2):
        y = _down(tenth / 10)
        parts += [_line(LEFT, y, WIDTH - RIGHT, y, "#ddd"), _text(LEFT - 6, y + 4, f"{10 * tenth} %", anchor="end")]
    return [*parts, _text(LEFT - 44, 14, y_title, anchor="start")]


def _legend(names: Sequence[str]) -> list[str]:
    parts = []
    for number, name in enumerate(names):
        y, x = TOP + 10 + STEP * number, WIDTH - RIGHT + 14
        parts += [
            f'<rect x="{x}" y="{y - 8}" width="9" height="9" fill="{COLOURS[number % len(COLOURS)]}"/>',
            _text(x + 14, y, name, anchor="start"),
        ]
    return parts


def _svg(parts: Sequence[str], names: Sequence[str], label: str) -> str:
    inside = "\n".join([*parts, *_legend(names)])
    height = max(HEIGHT, TOP + STEP * (len(names) + 1))
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">\n{inside}\n</svg>'


def _down(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _dot(x: float, y: float, colour: str, title: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"><title>{escape(title)}</title></circle>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="1.5"/>'


def _text(x: float, y: float, text: str, *, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _tick(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:g}"


def _short(text: str, room: float) -> str:
    most = max(4, int(room / 7))  # a letter takes about seven units
    return text if len(text) <= most else text[: most - 1] + "…"
