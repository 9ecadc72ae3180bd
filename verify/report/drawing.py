"""The claim graph as SVG: border is the state of a statement, fill its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from verify.ledger.conclude import STANDS
from verify.report import words
from verify.report.graph import Edge, Graph
from verify.report.markup import Markup, el
from verify.report.model import Item, Model

WIDTH, SPACE, EDGE = 156.0, 44.0, 8.0
"""Width of a box, free width between columns, margin around everything."""

LETTER = 6.6
"""Width of a character of a label, for cutting long ones."""

FITTING = 7
"""Columns of a drawing that is shrunk to the width of a large window."""

INSET = 12.0
"""How far the further forms of a group are set in."""


def draw(model: Model, graph: Graph, title: str) -> Markup:
    """Whole drawing; every box is a link to its entry.

    Parameters
    ----------
    model : Model
    graph : Graph
    title : str
        For screen readers.
    """
    columns = max(graph.layout.column.values(), default=0) + 1
    width = columns * WIDTH + (columns - 1) * SPACE + 2 * EDGE
    height = graph.layout.height + 2 * EDGE
    places = {
        item.key: (group, number)
        for group, items in graph.groups.items()
        for number, item in enumerate(items)
    }
    lines = [_edge(model, graph, places, edge) for edge in graph.edges]
    boxes = [
        _box(model, graph, group, number, item)
        for group, items in graph.groups.items()
        for number, item in enumerate(items)
    ]
    return el(
        "svg",
        el("g", lines),
        boxes,
        class_="graph fit" if columns <= FITTING else "graph",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="group",
        aria_label=title,
    )


def legend() -> Markup:
    """What borders, fills and lines mean."""
    state = [el("li", words.badge(None if w == words.NO_VERDICT else w)) for w in words.WORDS]
    fills = [
        el("li", el("span", letter, class_=f"swatch ev-{rung}"), " ", name)
        for rung, (letter, name) in words.STRENGTHS.items()
    ]
    lines = [
        ("sound", "rests on"),
        ("fallen", "rests on a statement that fell"),
        ("weak", "rests on one that is weakened in turn"),
    ]
    drawn = [el("li", _sample(kind), " ", name) for kind, name in lines]
    weak = el("li", el("span", "weak", class_="swatch dashed"), " something below it fell")
    return el(
        "div",
        el("p", "Border: state of the statement"),
        el("ul", state),
        el("p", "Fill and letter: evidence that decided"),
        el("ul", fills),
        el("p", "Lines run from what is used to what uses it"),
        el("ul", drawn, weak),
        class_="legend",
    )


def strength(item: Item) -> str:
    """Rung of the evidence that decided, empty where none carries weight."""
    return item.rung if item.rung in words.STRENGTHS else ""


def _sample(kind: str) -> Markup:
    line = el("path", d="M0 6H34", class_=f"edge {kind}")
    return el("svg", line, width=34, height=12, class_="sample", aria_hidden="true")


def _box(model: Model, graph: Graph, group: str, number: int, item: Item) -> Markup:
    top, height = graph.box(group, number)
    x = EDGE + graph.layout.column[group] * (WIDTH + SPACE) + (INSET if number else 0)
    width, y = WIDTH - (INSET if number else 0), EDGE + top
    weak = item.verdict in STANDS and bool(model.weak(item))
    marks = ("weak " if weak else "") + words.STRENGTHS.get(strength(item), ("", ""))[0]
    room = width - 34 - LETTER * len(marks)
    label = item.form
    if not number or item.form == "printed":
        label = model.called(item, int(room / LETTER))
    shown = _fit(label, room)
    glyph = words.GLYPHS.get(words.word(item.verdict), "·")
    middle = y + height / 2 + 4
    fill = f"ev-{strength(item)}" if strength(item) else "ev-none"
    return el(
        "a",
        el("title", _tip(model, item)),
        el("rect", x=x, y=y + 1, width=width, height=height - 2, rx=4, class_=fill),
        el("text", glyph, x=x + 8, y=middle, class_="glyph"),
        el("text", shown, x=x + 25, y=middle),
        el("text", marks.strip(), x=x + width - 7, y=middle, class_="marks"),
        href=f"#{item.anchor}",
        data_node=item.anchor,
        class_=f"node {words.css(item.verdict)}{' weak' if weak else ''}",
    )


def _tip(model: Model, item: Item) -> str:
    parts = [item.key, words.word(item.verdict)]
    if strength(item):
        parts.append(f"evidence: {words.STRENGTHS[strength(item)][1]}")
    weak = model.weak(item)
    if weak:
        fallen = ", ".join(f"{use.key} ({use.verdict})" for use in weak)
        parts.append(f"weakened, since it rests on {fallen}")
    return "; ".join(parts)


def _edge(model: Model, graph: Graph, places: dict[str, tuple[str, int]], edge: Edge) -> Markup:
    points = list(_points(graph, places, edge))
    path = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (x0, y0), (x1, y1) in pairwise(points):
        if y0 == y1:
            path.append(f"H{x1:.1f}")
        else:
            middle = (x0 + x1) / 2
            path.append(f"C{middle:.1f} {y0:.1f} {middle:.1f} {y1:.1f} {x1:.1f} {y1:.1f}")
    return el(
        "path",
        d="".join(path),
        class_=f"edge {edge.kind}",
        data_from=model.by_key[edge.used].anchor,
        data_to=model.by_key[edge.user].anchor,
    )


def _points(
    graph: Graph, places: dict[str, tuple[str, int]], edge: Edge
) -> Iterator[tuple[float, float]]:
    (first, number), (last, place) = places[edge.used], places[edge.user]
    start, end = graph.box(first, number), graph.box(last, place)
    column = graph.layout.column[first]
    yield EDGE + column * (WIDTH + SPACE) + WIDTH, EDGE + start[0] + start[1] / 2
    for step, y in enumerate(graph.layout.routes.get((first, last), ()), start=1):
        x = EDGE + (column + step) * (WIDTH + SPACE)
        yield x, EDGE + y
        yield x + WIDTH, EDGE + y
    x = EDGE + graph.layout.column[last] * (WIDTH + SPACE)
    yield x + (INSET if place else 0), EDGE + end[0] + end[1] / 2


def _fit(label: str, width: float) -> str:
    most = max(int(width / LETTER), 4)
    return label if len(label) <= most else f"{label[: most - 1]}…"
