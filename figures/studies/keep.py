"""``--keep DIR`` of the studies that run long: a study that was killed goes on where it was."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager
from pathlib import Path

from algorithms.sweeps.checkpoint import ResultFolder
from algorithms.sweeps.long_runs import keeping


def keep_option(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="DIR",
        help="keep runs there as they go, and go on with those of a study that was killed",
    )


def kept_at(folder: Path | None) -> AbstractContextManager[None]:
    """Keep the long runs of a block in a folder; None keeps nothing."""
    return keeping(None if folder is None else ResultFolder(folder))
