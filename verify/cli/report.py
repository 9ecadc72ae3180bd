"""``report``: a ledger as one page to look at."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from verify.catalogue.counted import several
from verify.cli.output import force_flag, progress, say


def add(commands: Any) -> None:
    """Register the command."""
    reporting = commands.add_parser(
        "report",
        help="write a ledger as one HTML page",
        epilog="Exit status: 0; 1 if the ledger contradicts its own evidence, which the page says "
        "at its top; 2 for bad input.",
    )
    reporting.add_argument("ledger", metavar="LEDGER", type=Path)
    reporting.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        default=Path("report.html"),
        help="where the page goes (default report.html)",
    )
    reporting.add_argument(
        "--figures", metavar="DIR", type=Path, help="also show the SVG or PNG files of this folder"
    )
    force_flag(reporting)
    reporting.set_defaults(call=write_report)


def write_report(args: argparse.Namespace) -> int:
    """Write the page and say what is in it."""
    from verify.report import report

    with progress("report", 1, lines=True) as observe:
        made = report(args.ledger, args.output, args.figures, observe, force=args.force)
    entries, figures = several(made.entries, "entry", "entries"), several(made.figures, "figure")
    say(f"{made.path}: {entries}, {figures}, {made.size / 1e6:.2f} MB")
    if made.unknown:
        few = ", ".join(made.unknown[:5]) + (", ..." if len(made.unknown) > 5 else "")
        say(f"Shown without mathematics, since nothing here describes them: {few}")
    if made.contradictions:
        count, first = len(made.contradictions), made.contradictions[0]
        say(f"Not what its evidence says: {args.ledger}, in {count} places: {first}")
        say(f"The page says so at its top; all of them: fedassay audit {args.ledger}")
    return int(bool(made.contradictions))
