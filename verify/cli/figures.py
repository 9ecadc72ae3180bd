"""``figures``: hands over to the layer above, which is imported only when it is asked for."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from verify.cli.output import say, table

STATUS = (
    "Exit status: 0; 1 if --check finds data that differ; 2 for bad input; 130 after Ctrl-C."
)


def add(commands: Any) -> None:
    """Register the command."""
    drawing = commands.add_parser(
        "figures", help="draw the figures, or check their committed data", epilog=STATUS
    )
    drawing.add_argument("names", nargs="*", metavar="NAME", help="names or globs; all if none")
    drawing.add_argument(
        "--profile", default="full",
        help="quick (3 minutes), full (30), or stored: the committed data, nothing computed",
    )  # fmt: skip
    drawing.add_argument(
        "-o", "--output", type=Path, default=Path("figures-out"), metavar="DIR",
        help="folder of SVG, PDF, PNG and captions.json (default: figures-out)",
    )  # fmt: skip
    task = drawing.add_mutually_exclusive_group()
    task.add_argument("--list", action="store_true", help="names and titles only")
    task.add_argument(
        "--check", action="store_true",
        help="compute again at the quick settings and compare with the committed data",
    )  # fmt: skip
    task.add_argument("--update", action="store_true", help="write the committed data again")
    drawing.set_defaults(call=draw_figures)


def draw_figures(args: argparse.Namespace) -> int:
    """Draw, list, check or update the figures that were named."""
    # the one place where the command line reaches up: nothing below needs a figure
    from figures import many, runner

    names = runner.select(args.names)
    if args.list:
        table(["name", "title"], [[name, runner.load(name).TITLE] for name in names])
        return 0
    if not args.names and (args.check or args.update or args.profile != "stored"):
        names = _possible(runner, names)
    if args.check:
        return _check(many.each(names, runner.compared), len(names))
    if args.update:
        for name in names:
            path = runner.update(name)
            say(f"{path} ({path.stat().st_size} bytes)")
        return 0
    spent = 0.0
    for made in many.each(names, partial(runner.paint, profile=args.profile, folder=args.output)):
        runner.note(made, args.output)
        spent += made.cpu_seconds
        say(f"{made.name}: {made.title} ({made.cpu_seconds:.1f} s of CPU time)")
    count = "1 figure" if len(names) == 1 else f"{len(names)} figures"
    say(f"\n{count} in {args.output}, {spent:.1f} s of CPU time")
    return 0


def _possible(runner: Any, names: list[str]) -> list[str]:
    """Figures that can be computed here; what is left out is said."""
    kept = []
    for name in names:
        package = runner.lacking(name)
        if package:
            say(f"{name}: left out, {package} is missing: pip install 'fedassay[data]'")
        else:
            kept.append(name)
    return kept


def _check(results: Iterable[tuple[str, Any]], count: int) -> int:
    """Compare; 1 where something differs."""
    found = 0
    for name, differences in results:
        found += bool(differences)
        say(f"{name}: {'differs' if differences else 'agrees'}")
        for one in differences:
            say(f"  {one.array}: {one.what}")
    say(f"\n{found} of {count} differ from the committed data")
    return 1 if found else 0
