"""``mcp``: a server for assistants on standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.cli.assistants.workspace import FOLDER, Workspace

__all__ = ["add"]

IMPORTS = ("verify.cli.assistants.judged", "verify.cli.assistants.read")
"""What the children of a server have beside what all children have."""


def add(commands: Any) -> None:
    """Register the command."""
    serving = commands.add_parser(
        "mcp",
        help="a server for assistants (MCP) on standard input and output",
        description="Answers check, check_many, repair, explain, paper and library. Lines and "
        "LaTeX that it is sent are parsed, never run. Proofs and records go to "
        f"WORKSPACE/{FOLDER}. Needs fedassay[mcp].",
    )
    serving.add_argument(
        "--workspace",
        metavar="DIR",
        type=Path,
        default=Path(),
        help="where it reads and writes files (default: this folder)",
    )
    serving.add_argument(
        "--allow-files",
        action="store_true",
        help="run files of statements in the workspace when a client names them; they can do all "
        "that you can do",
    )
    serving.set_defaults(call=serve)


def serve(args: argparse.Namespace) -> int:
    """Answer until the client closes standard input."""
    workspace = Workspace.of(args.workspace)
    with _off_the_wire():
        from verify.run.workers import make_ready

        make_ready(IMPORTS)  # beside the imports below
    try:
        from verify.cli.assistants.server import server
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] != "mcp":
            raise
        raise InvalidInput(
            "package mcp must be installed, got none: pip install 'fedassay[mcp]' (fedassay "
            "doctor says what else is missing, and what that costs)"
        ) from None
    server(workspace, args.allow_files).run("stdio")
    return 0


@contextmanager
def _off_the_wire() -> Iterator[None]:
    """What is started inside reads nothing from the client, and prints nothing to it."""
    kept = [os.dup(number) for number in (0, 1)]
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(nothing, 0)
        os.dup2(sys.stderr.fileno(), 1)
        yield
    finally:
        for number, copy in enumerate(kept):
            os.dup2(copy, number)
            os.close(copy)
        os.close(nothing)
