"""How every figure looks: column width, one palette with a second channel, and marks of rates.

Colours are those of Okabe and Ito, which stay apart for the common forms of colour blindness; a
curve also differs by dashes or by its marker. Theory is solid, what was measured has a band.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

WIDTH = 3.3
"""Inches: one column of a two-column page."""

BLACK, BLUE, RED, GREEN, ORANGE, PURPLE, SKY, GREY = (
    "#000000",
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#E69F00",
    "#CC79A7",
    "#56B4E9",
    "#767676",
)
COLOURS = (BLUE, RED, GREEN, ORANGE, PURPLE, SKY, BLACK)
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1)),
    (0, (6, 1.5, 1, 1.5)),
    (0, (3, 1, 1, 1, 1, 1)),
    (0, (8, 3)),
    (0, (2, 2)),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LEVEL = 1.959963984540054
"""Half of a 95 % interval of a normal law, in standard deviations."""
FORMATS = ("svg", "pdf", "png")
MAP = "cividis"
"""Colour map of equal steps in lightness for every kind of sight."""

_RC = {
    "font.size": 7.0,
    "font.family": "DejaVu Sans",
    "axes.labelsize": 7.0,
    "axes.titlesize": 7.5,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.2,
    "legend.fontsize": 6.2,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "legend.borderaxespad": 0.3,
    "legend.labelspacing": 0.3,
    "hatch.linewidth": 0.4,
    "hatch.color": GREY,
    "mathtext.fontset": "dejavusans",
    "figure.dpi": 100.0,
    "savefig.dpi": 240.0,
    "path.simplify_threshold": 0.5,  # pixels
    "svg.hashsalt": "fedassay",  # element names would be random otherwise
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
_DIGITS = re.compile(r"(\.\d\d)\d+")
_PLACES = re.compile(r'\b(?:d|x|y)="[^"]*"|\btranslate\([^)]*\)')
_MARKS = re.compile(
    r'<g((?: clip-path="[^"]*")?)>\n(<use [^>]*) style="([^"]*)"/>'
    r'((?:\n<use [^>]* style="\3"/>)*)\n</g>'
)
"""A group of marks of one style."""
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "fedassay"},
    "pdf": {"CreationDate": None, "Creator": "fedassay"},
    "png": {"Software": "fedassay"},
}


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Defaults of matplotlib with these settings on top, whatever the user's own are."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_RC)  # type: ignore[arg-type]
        yield


def panels(rows: int = 1, columns: int = 1, *, height: float, **sharing: Any) -> tuple[Figure, Any]:
    """An empty figure of column width and this height in inches, and its axes in an array."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, squeeze=False, **sharing)
    return figure, axes


def band(ax: Axes, x: Any, low: Any, high: Any, colour: str) -> None:
    """Shade an interval of confidence or a spread."""
    ax.fill_between(x, low, high, color=colour, alpha=0.22, linewidth=0)


def violation(ax: Axes, x: Any, bound: Any, *, label: str | None = "violation") -> None:
    """Hatch what lies above an upper bound, up to the end of the axis."""
    top = ax.get_ylim()[1]
    ax.fill_between(
        x,
        bound,
        np.maximum(top, bound),
        facecolor="none",
        edgecolor=RED,
        alpha=0.45,
        hatch="////",
        linewidth=0,
        label=label,
        zorder=0.5,
    )
    ax.set_ylim(top=top)


def slope_triangle(
    ax: Axes, x: float, y: float, slope: float, *, width: float = 3.0, label: str | None = None
) -> None:
    """A triangle whose hypotenuse has this slope on logarithmic axes, its corner at (x, y).

    Parameters
    ----------
    x, y : float
        Left end of the hypotenuse, in data.
    slope : float
        Exponent of the power.
    width : float
        Ratio of the right end to the left one.
    label : str, optional
        By default the slope itself.
    """
    right, end = x * width, y * width**slope
    ax.plot([x, right, right, x], [y, end, y, y], color=GREY, linewidth=0.7)
    ax.annotate(
        f"{slope:g}" if label is None else label,
        (right, (y * end) ** 0.5),
        xytext=(2, 0),
        textcoords="offset points",
        fontsize=6,
        color=GREY,
        va="center",
    )


def letter(ax: Axes, text: str) -> None:
    """Title of a panel, at its left edge."""
    ax.set_title(text, loc="left")


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write the figure as SVG, PDF and PNG; equal figures give equal bytes on one machine."""
    paths = [folder / f"{name}.{ending}" for ending in FORMATS]
    figure.draw_without_rendering()
    with matplotlib.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)  # laid out once: else each format is drawn twice
    for path, ending in zip(paths, FORMATS, strict=True):
        figure.savefig(path, format=ending, metadata=_METADATA[ending])
    tidy(paths[FORMATS.index("svg")], name)
    return paths


def tidy(path: Path, name: str) -> None:
    """Make an SVG fit for a page that holds many.

    Two decimals of a point are enough; names that nothing refers to, comments and indentation go;
    the others are numbered and become the figure's own; marks of one group share its style.
    """
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    used = dict.fromkeys(re.findall(r'(?:href="#|url\(#)([^")]*)', text))
    number = {old: f"{name}-{k}" for k, old in enumerate(used)}
    text = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", text)
    text = re.sub(
        r'(\bid="|href="#|url\(#)([^")]*)', lambda found: found[1] + number[found[2]], text
    )
    text = _PLACES.sub(lambda found: _DIGITS.sub(r"\1", found[0]), text)
    text = re.sub(r"\s*\n\s*", " ", text).replace("> <", ">\n<").strip()
    text = _MARKS.sub(_of_one_style, text)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _of_one_style(found: re.Match[str]) -> str:
    """The group with the style, its marks without; what a mark does not say it inherits."""
    clip, first, style, rest = found.groups()
    if "opacity:" in style.replace("-opacity:", ""):  # of the group it would act on overlaps once
        return found[0]
    marks = first + "/>" + rest.replace(f' style="{style}"', "")
    return f'<g{clip} style="{style}">\n{marks}\n</g>'
