"""``figures``: draw, list, check or update; drawing tools are imported only when asked for."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.catalogue.counted import several
from verify.cli.output import backend_options, progress, say, scheduler_of, table

if TYPE_CHECKING:
    from algorithms.sweeps.checkpoint import ResultFolder
    from figures.places import Place
    from figures.runner import Drawn

STATUS = "Exit status: 0; 1 if --check finds data that differ; 2 for bad input; 130 after Ctrl-C."


NUMBERS = ".numbers"
"""Folder beside the drawings where numbers are kept until all figures are drawn."""


def add(commands: Any) -> None:
    """Register the command."""
    drawing = commands.add_parser(
        "figures", help="draw the figures, or check their committed data", epilog=STATUS
    )
    drawing.add_argument("names", nargs="*", metavar="NAME", help="names or globs; all if none")
    drawing.add_argument(
        "--profile",
        default="full",
        help="quick (3 minutes), full (30), or stored: the committed data, nothing computed",
    )
    drawing.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("figures-out"),
        metavar="DIR",
        help="folder of SVG, PDF, PNG and captions.json (default: figures-out)",
    )
    task = drawing.add_mutually_exclusive_group()
    task.add_argument("--list", action="store_true", help="names and titles only")
    task.add_argument(
        "--check",
        action="store_true",
        help="compute again at the quick settings and compare with the committed data",
    )
    task.add_argument("--update", action="store_true", help="write the committed data again")
    backend_options(drawing)
    drawing.set_defaults(call=draw_figures)


def draw_figures(args: argparse.Namespace) -> int:
    """Draw, list, check or update the figures that were named."""
    from algorithms.sweeps.checkpoint import ResultFolder
    from figures import many, runner
    from figures.places import load, select

    known = every_figure()
    places = select(args.names, known)
    if args.list:
        table(["name", "title"], [[place.name, load(place).TITLE] for place in places])
        return 0
    if not args.names and (args.check or args.update or args.profile != "stored"):
        places = _possible(places)
    scheduler = scheduler_of(args)
    if args.check:
        return _check(many.each(places, runner.compared, args.jobs, scheduler), len(places))
    if args.update:
        for place in places:
            path = runner.update(place)
            say(f"{path} ({path.stat().st_size} bytes)")
        return 0
    kept = ResultFolder(args.output / NUMBERS)
    spent, done = 0.0, 0
    with progress("drawing", len(places)) as observe:
        for made in _drawn(places, args, kept, scheduler):
            runner.note(made, args.output, known)
            spent, done = spent + made.cpu_seconds, done + 1
            observe(done, len(places), made.name)
            say(f"{made.name}: {made.title} ({made.cpu_seconds:.1f} s of CPU time)")
    shutil.rmtree(kept.folder, ignore_errors=True)  # they are there for a command that is killed
    count = several(len(places), "figure")
    say(f"\n{count} in {args.output}, {spent:.1f} s of CPU time")
    return 0


def _drawn(
    places: list[Place], args: argparse.Namespace, kept: ResultFolder, scheduler: str | None
) -> Iterator[Drawn]:
    """Figures as they are done; of a cluster come the numbers alone, and are drawn here."""
    from figures import many, runner

    if scheduler is None:
        paint = partial(runner.paint, profile=args.profile, folder=args.output, kept=kept)
        yield from many.each(places, paint, args.jobs)
        return
    found = {place.name: kept.find(runner.address(place, args.profile)) for place in places}
    there = [place for place in places if found[place.name] is not None]
    for place in there:
        yield runner.paint(place, args.profile, args.output, kept)
    rest = [place for place in places if found[place.name] is None]
    compute = partial(runner.computed, profile=args.profile)
    for place, data, seconds in many.each(rest, compute, scheduler=scheduler):
        kept.put(runner.address(place, args.profile), {**data, runner.SECONDS: seconds})
        yield runner.paint_numbers(place, data, seconds, args.output)


def every_figure() -> tuple[Place, ...]:
    """All figures, in the order of the report: the papers', then those of the evidence itself."""
    from figures.places import PLACES, Place

    home = Path(__file__).parents[1] / "worst_case" / "figure"
    own = Place("worst_case", "verify.worst_case.figure.fig_worst_case", home / "data")
    return (*PLACES, own)


def _possible(places: list[Place]) -> list[Place]:
    """Figures that can be computed here; what is left out is said."""
    from figures.places import lacking

    kept = []
    for place in places:
        package = lacking(place)
        if package:
            say(f"{place.name}: left out, {package} is missing: pip install 'fedassay[data]'")
        else:
            kept.append(place)
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
