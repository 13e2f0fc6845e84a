"""A neighbourhood as a drawing: Mermaid text, and SVG on one circle per hop.  Names are data: escaped, never obeyed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from perdure.interfaces.cli import show
from perdure.models import EntityRecord, Graph, RelationRecord

_RING = 210  # between two circles, in pixels (chosen: a label of 30 letters fits)
_MARGIN = 150
_TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path d="M0 0 8 4 0 8z" fill="#555"/></marker></defs>'
)


def mermaid(graph: Graph) -> str:
    """Return a flowchart: an arrow per relation with its label and interval, dotted where it has ended."""
    names = {entity.id: f"e{number}" for number, entity in enumerate(graph.entities)}
    lines = ["flowchart LR", *(f'  {names[entity.id]}["{_quoted(entity.name)}"]' for entity in graph.entities)]
    for relation in _drawn(graph):
        arrow = "-->" if relation.valid_to is None else "-.->"
        label = f"{relation.label.replace('_', ' ')} {interval(relation)}"
        ends = names[relation.source_id], names[relation.destination_id]
        lines.append(f'  {ends[0]} {arrow}|"{_quoted(label)}"| {ends[1]}')
    return "\n".join(lines)


def interval(relation: RelationRecord) -> str:
    """Return when a relation held: "2024-05-08 to …"."""
    return f"{show.day(relation.valid_from)} to {show.day(relation.valid_to)}"


def svg(graph: Graph, about: Sequence[str]) -> str:
    """Return the drawing as a picture: what it is about in the middle, everything else around it."""
    places, radius = _places(graph, about)
    size = 2 * (radius + _MARGIN)
    box = f'width="{size}" height="{size}" viewBox="0 0 {size} {size}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" font-size="13">',
        _TIP,
        f'<rect width="{size}" height="{size}" fill="#fff"/>',
    ]
    seen: dict[frozenset[str], int] = {}
    for relation in _drawn(graph):
        pair = frozenset((relation.source_id, relation.destination_id))
        seen[pair] = seen.get(pair, 0) + 1
        parts.append(_edge(relation, places, nth=seen[pair] - 1))
    parts += [_node(entity, places[entity.id], is_middle=entity.id in about) for entity in graph.entities]
    return "\n".join([*parts, "</svg>"])


def _drawn(graph: Graph) -> list[RelationRecord]:
    known = {entity.id for entity in graph.entities}
    return [one for one in graph.relations if {one.source_id, one.destination_id} <= known]


def _places(graph: Graph, about: Sequence[str]) -> tuple[dict[str, tuple[float, float]], int]:
    """Return id → x, y, and the radius of the outermost circle; each circle is one hop further away."""
    rings: list[list[str]] = [[e.id for e in graph.entities if e.id in about]]
    left = [e.id for e in graph.entities if e.id not in about]
    while left:
        last = set(rings[-1])
        ends = [{one.source_id, one.destination_id} for one in graph.relations]
        next_ring = [id for id in left if any(id in pair and pair & last for pair in ends)] or left
        rings.append(next_ring)
        left = [id for id in left if id not in next_ring]
    radii = [0 if len(rings[0]) <= 1 else _RING // 2]
    for ring in rings[1:]:  # a circle is wide enough for its names
        radii.append(max(radii[-1] + _RING, math.ceil(len(ring) * 90 / (2 * math.pi))))
    middle = radii[-1] + _MARGIN
    places = {}
    for ring, radius in zip(rings, radii, strict=True):
        for number, id in enumerate(ring):
            angle = 2 * math.pi * number / max(1, len(ring)) - math.pi / 2
            places[id] = (middle + radius * math.cos(angle), middle + radius * math.sin(angle))
    return places, radii[-1]


def _edge(relation: RelationRecord, places: Mapping[str, tuple[float, float]], *, nth: int) -> str:
    (x1, y1), (x2, y2) = places[relation.source_id], places[relation.destination_id]
    length = math.hypot(x2 - x1, y2 - y1)
    if length == 0:  # of an entity to itself
        x1, y1, x2, y2, length = x1 - 30, y1 - 30, x2 + 30, y2 - 30, 60
    short = min(34.0, length / 3)  # the arrow ends before the name
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    dash = "" if relation.valid_to is None else ' stroke-dasharray="5 4"'
    line = (
        f'<line x1="{x1 + ux * short:.0f}" y1="{y1 + uy * short:.0f}" x2="{x2 - ux * short:.0f}" '
        f'y2="{y2 - uy * short:.0f}" stroke="#555"{dash} marker-end="url(#tip)"/>'
    )
    x, y = (x1 + x2) / 2, (y1 + y2) / 2 - 4 + 28 * nth
    label, held = escape(show.clean(relation.label.replace("_", " "))), escape(interval(relation))
    return (
        f'{line}<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" fill="#333">{label}</text>'
        f'<text x="{x:.0f}" y="{y + 13:.0f}" text-anchor="middle" font-size="10" fill="#777">{held}</text>'
    )


def _node(entity: EntityRecord, place: tuple[float, float], *, is_middle: bool) -> str:
    name, title = escape(show.clean(entity.name)), escape(show.clean(entity.type or "unknown"))
    wide = 8 * show.width(entity.name) + 20
    x, y = place
    fill = "#ffe9c7" if is_middle else "#e8eef7"
    return (
        f'<g><title>{title}</title><rect x="{x - wide / 2:.0f}" y="{y - 15:.0f}" width="{wide}" height="30" rx="15" '
        f'fill="{fill}" stroke="#888"/><text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle">{name}</text></g>'
    )


def _quoted(text: str) -> str:
    """Return a text as it may stand within quotes in Mermaid."""
    return show.clean(text).replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
