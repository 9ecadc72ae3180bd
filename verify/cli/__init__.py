"""The command line: ``fedassay COMMAND``; one module per command."""

import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path and Path(sys.path[0]).resolve() != HOME:
    # python -m looks for its module in the working directory first: what lies there under the name
    # of a package of ours is not ours, unless the command runs in our own folder
    del sys.path[0]

from algorithms.engine.kernels import pin  # noqa: E402

if sys.argv[1:2] != ["bench"]:  # which shows what this processor can do
    pin()  # before anything loads numpy

from verify.cli.main import main  # noqa: E402

__all__ = ["main"]
