"""``compare``: two bounds side by side."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import require
from verify.catalogue.library import Library, library
from verify.catalogue.user_file import Origin, load_statements
from verify.claim.statement import Statement
from verify.cli.output import output_file, say

if TYPE_CHECKING:
    from verify.face.compare import Comparison

SWEEPS_DRAWN = 6
"""Parameters that are drawn."""
WIDE = 30
"""Largest over smallest value from which an axis is logarithmic."""


def add(commands: Any) -> None:
    """Register the command."""
    comparing = commands.add_parser(
        "compare", help="where each of two bounds is smaller, by how much, and where they cross"
    )
    comparing.add_argument("first", metavar="KEY", help="of an entry or a leaf")
    comparing.add_argument("second", metavar="KEY")
    comparing.add_argument(
        "--statements",
        metavar="FILE.py",
        type=Path,
        help="file of your own statements; its keys count beside those of the library; it is run",
    )
    comparing.add_argument("--seed", type=int, default=0)
    comparing.add_argument("--plot", metavar="FILE.svg", type=Path, help="also draw both bounds")
    output_file(comparing, "also write the result")
    comparing.set_defaults(call=compare_bounds)


def compare_bounds(args: argparse.Namespace) -> int:
    """Print, write and draw the comparison."""
    from verify.catalogue.json_files import write_json
    from verify.catalogue.whole_files import require_ours, require_writable
    from verify.face.compare import compare

    known = [library()]
    if args.statements is not None:
        known.insert(0, load_statements(Origin.of(args.statements)))
    for path in (args.json, args.plot):
        if path is not None:
            require_writable("output", path, [args.statements] if args.statements else [])
    if args.json is not None:
        require_ours(args.json, ["fedassay-comparison/1"], args.force)
    if args.plot is not None:
        good = args.plot.suffix in (".svg", ".pdf", ".png")
        require(good, "plot", "a .svg, .pdf or .png file", args.plot, "rename it")
    found = compare(_leaf(known, args.first), _leaf(known, args.second), seed=args.seed)
    say(str(found))
    if args.json is not None:
        write_json(args.json, found.to_json())
        say(f"Result: {args.json}")
    if args.plot is not None:
        draw(found, args.plot)
        say(f"Plot: {args.plot}")
    return 0


def draw(found: Comparison, path: Path) -> None:
    """Both bounds along each parameter through the crossing.

    Parameters
    ----------
    found : Comparison
    path : Path
        Its ending says the format.
    """
    import numpy as np
    from matplotlib.ticker import NullFormatter

    from figures.style import BLUE, DASHES, GREY, RED, panels, style

    sweeps = found.sweeps[:SWEEPS_DRAWN]
    require(bool(sweeps), "bounds", "with a scalar parameter to draw along", "none", "drop --plot")
    columns = min(2, len(sweeps))
    rows = -(-len(sweeps) // columns)
    with style():
        figure, axes = panels(rows, columns, height=0.4 + 1.4 * rows)
        for ax, sweep in zip(axes.flat, sweeps, strict=False):
            ax.plot(sweep.values, sweep.first, color=BLUE, linestyle=DASHES[0], label=found.first)
            ax.plot(sweep.values, sweep.second, color=RED, linestyle=DASHES[1], label=found.second)
            ax.set_xlabel(sweep.name)
            bounds = np.array([sweep.first, sweep.second], dtype=float)
            for scale, axis, numbers in (
                (ax.set_xscale, ax.xaxis, np.array(sweep.values)),
                (ax.set_yscale, ax.yaxis, bounds),
            ):
                if np.nanmin(numbers) > 0 and np.nanmax(numbers) > WIDE * np.nanmin(numbers):
                    scale("log")
                    axis.set_minor_formatter(NullFormatter())
            if found.crossing is not None:
                ax.axvline(_number(found.crossing["instance"][sweep.name]), color=GREY, lw=0.6)
        for ax in list(axes.flat)[len(sweeps) :]:
            ax.set_axis_off()
        axes[0, 0].set_ylabel("bound")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center")
        figure.savefig(path)


def _number(value: Any) -> float:
    """The only number of an array with one entry."""
    while isinstance(value, list):
        (value,) = value
    return float(value)


def _leaf(known: list[Library], key: str) -> Statement:
    """The leaf with this key, or the first one with a bound of that entry."""
    for source in known[:-1]:
        if any(key in (entry.key, *(leaf.key for leaf in entry.leaves)) for entry in source):
            known = [source]
    entry = known[-1].entry(key)
    with_sides = [leaf for leaf in entry.leaves if leaf.sides is not None]
    named = [leaf for leaf in entry.leaves if key == leaf.key]
    return next(iter([*named, *with_sides, *entry.leaves]))
