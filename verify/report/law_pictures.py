"""Laws of growth as small drawings: the worst left/right found along one size or number.

Both axes are logarithmic, so that a power is a straight line and a bounded law levels off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, log10
from typing import Any

from verify.report.markup import Markup, el

WIDE, HIGH = 250.0, 132.0
"""Size of a drawing."""
LEFT, RIGHT, TOP, BOTTOM = 52.0, 10.0, 10.0, 28.0
"""Margins, with room for the numbers of the axes."""
FEW = 3
"""Values from which a curve can be seen."""
DECADE = 1.0
"""Least height of the vertical axis in powers of ten: smaller changes look small."""


def laws(found: Sequence[Mapping[str, Any]]) -> Markup | None:
    """Drawings of laws with their words; None where there is no law.

    Parameters
    ----------
    found : sequence of mapping
        ``laws`` of a leaf of a ledger.
    """
    if not found:
        return None
    return el("div", [el("figure", draw(law), el("figcaption", law["text"])) for law in found])


def draw(law: Mapping[str, Any]) -> Markup | None:
    """One law; None where too few of its values have a logarithm."""
    shown = [(x, y) for x, y in law["values"] if _shown(x) and _shown(y)]
    points = sorted((log10(x), log10(y)) for x, y in shown)
    if len(points) < FEW or points[0][0] == points[-1][0]:
        return None
    xs: list[float] = [x for x, _ in points]
    ys: list[float] = [y for _, y in points]
    low, high = min(ys), max(ys)
    spare = max(DECADE - (high - low), 0.1 * (high - low)) / 2
    bottom, top = low - spare, high + spare

    def across(x: float) -> float:
        return LEFT + (x - xs[0]) / (xs[-1] - xs[0]) * (WIDE - LEFT - RIGHT)

    def down(y: float) -> float:
        return TOP + (top - y) / (top - bottom) * (HIGH - TOP - BOTTOM)

    places = [(f"{across(x):.1f}", f"{down(y):.1f}") for x, y in points]
    path = "M" + "L".join(f"{x} {y}" for x, y in places)
    floor = HIGH - BOTTOM
    ends = sorted({points[0], points[-1]})
    numbers = [
        el("text", _number(x), x=f"{across(x):.1f}", y=floor + 13, class_=_anchor(k))
        for k, (x, _) in enumerate(ends)
    ]
    heights = sorted({low, high} if high - low > DECADE / 10 else {high})
    numbers += [
        el("text", _number(y), x=LEFT - 5, y=f"{down(y) + 4:.1f}", class_="end") for y in heights
    ]
    middle = (LEFT + WIDE - RIGHT) / 2
    return el(
        "svg",
        el("path", d=f"M{LEFT} {TOP}V{floor}H{WIDE - RIGHT}", class_="axis"),
        el("path", d=path, class_="curve"),
        [el("circle", cx=x, cy=y, r=2.4) for x, y in places],
        numbers,
        el("text", str(law["along"]), x=middle, y=HIGH - 3, class_="name"),
        viewBox=f"0 0 {WIDE:g} {HIGH:g}",
        width=WIDE,
        height=HIGH,
        class_=f"law law-{law['kind']}",
        role="img",
        aria_label=f"left/right along {law['along']}, both axes logarithmic",
    )


def _shown(value: float) -> bool:
    """Whether a logarithmic axis has a place for it."""
    return isfinite(value) and value > 0


def _anchor(place: int) -> str:
    return "end" if place else "start"


def _number(exponent: float) -> str:
    """A number from its logarithm, in a few characters."""
    value = 10**exponent if abs(exponent) < 300 else float("inf")
    text = f"{value:.3g}" if isfinite(value) else f"1e{exponent:.0f}"
    return text.replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
