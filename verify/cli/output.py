"""What people see: rich tables on a terminal, aligned text everywhere else."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bounds.numbers.validate import require

COLOURS = {
    "proved": "bold green",
    "holds": "green",
    "violated": "bold red",
    "vacuous": "magenta",
    "inconclusive": "yellow",
    "not-checkable": "cyan",
}

RIGHT = frozenset({"tightness", "mutants", "seconds", "leaves"})
"""Columns of numbers."""

YIELDING = frozenset({"where", "title", "before", "after", "notes"})
"""Columns that a narrow terminal cuts short; one line per row is worth more."""


EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal."""

SEEN = 0.05
"""Share of the work after which one can say how much is left."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What moves the cursor, rings, colours or turns the direction of a line."""


def visible(text: str) -> str:
    """Text of others for a terminal: control characters are written out, not obeyed."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def say(text: str = "") -> None:
    """Print a line of the answer."""
    print(visible(text))


def output_file(parser: argparse.ArgumentParser, about: str, force: bool = True) -> None:
    """The flag for a file that a command writes: one name everywhere, the former one is read on.

    With ``force``, a second flag for replacing a file that the command did not write.
    """
    if force:
        force_flag(parser)
    parser.add_argument("-o", "--output", dest="json", metavar="FILE", type=Path, help=about)
    parser.add_argument("--json", type=Path, help=argparse.SUPPRESS)


def force_flag(parser: argparse.ArgumentParser) -> None:
    """The flag for replacing a file that the command did not write."""
    parser.add_argument(
        "--force", action="store_true", help="replace the output file, whatever it holds"
    )


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: with rich on a terminal, as aligned text without escapes otherwise.

    Parameters
    ----------
    columns : sequence of str
        Headings.
    rows : sequence of sequences of str
        One cell per heading.
    """
    rows = [[visible(cell).replace("\n", " ") for cell in row] for row in rows]
    if sys.stdout.isatty():
        _rich_table(columns, rows)
        return
    widths = [max(len(r[i]) for r in (columns, *rows)) for i in range(len(columns))]
    for row in (columns, *rows):
        cells = [
            cell.rjust(width) if name in RIGHT else cell.ljust(width)
            for cell, name, width in zip(row, columns, widths, strict=True)
        ]
        print("  ".join(cells).rstrip())


def backend_options(parser: argparse.ArgumentParser) -> None:
    """Register where the work is done."""
    parser.add_argument("--jobs", type=int, help="processes (default: one per core)")
    parser.add_argument(
        "--backend",
        choices=("processes", "dask"),
        default="processes",
        help="processes of this machine, or a dask cluster (needs fedassay[cluster])",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="scheduler of the cluster, tcp://HOST:PORT; its workers need --nthreads 1",
    )


def scheduler_of(args: argparse.Namespace) -> str | None:
    """Address of the scheduler, None for processes of this machine."""
    require(
        (args.scheduler is not None) == (args.backend == "dask"),
        "--scheduler",
        "given with --backend dask, and only there",
        args.scheduler,
        "start 'dask scheduler' and pass the tcp:// address that it prints",
    )
    require(args.jobs is None or args.jobs > 0, "jobs", "at least 1", args.jobs, "raise it")
    address: str | None = args.scheduler
    return address


@contextlib.contextmanager
def progress(
    what: str, total: int, lines: bool = False
) -> Iterator[Callable[[int, int, str], None]]:
    """Progress on stderr while the block runs: a bar on a terminal.

    Without one, ``lines`` now and then, or silence.
    """
    if not sys.stderr.isatty():
        if not lines:
            yield lambda done, total, key: None
            return
        began = said = time.monotonic()

        def tell(done: int, total: int, _key: str) -> None:
            nonlocal said
            now = time.monotonic()
            if now - said >= EVERY and done < total:
                said, left = now, (now - began) * (total - done) / done
                guess = f", about {left:.0f} s left" if done >= SEEN * total else ""
                spent = f"{now - began:.0f} s{guess}"
                print(f"{what}: {done} of {total} after {spent}", file=sys.stderr, flush=True)

        yield tell
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("spent"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(what, total=total)

        def observe(done: int, total: int, key: str) -> None:
            bar.update(task, completed=done, total=total, description=f"{what} {visible(key)}")

        yield observe


def _rich_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    widths = [max(len(row[i]) for row in (columns, *rows)) for i in range(len(columns))]
    excess = sum(widths) + 2 * (len(widths) - 1) - console.width
    for name, width in zip(columns, widths, strict=True):
        options: dict[str, Any] = {"justify": "right"} if name in RIGHT else {}
        if name in YIELDING and excess > 0:
            cut = min(excess, width - len(name))
            width, excess = width - cut, excess - cut
        drawn.add_column(name, overflow="ellipsis", no_wrap=True, width=width, **options)
    for row in rows:
        drawn.add_row(*(Text(cell, style=COLOURS.get(cell, "")) for cell in row))
    console.print(drawn)
