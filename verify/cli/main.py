"""Entry point: parse, call the command, turn bad input into one line and exit status 2."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from bounds.numbers.validate import InvalidInput
from verify.catalogue.version import __version__
from verify.cli.output import visible
from verify.limits.ctrl_c import listening
from verify.run.workers import one_thread

INTERRUPTED = 130

GROUPS = {
    "first of all": {
        "check": "run",
        "run": "run",
        "show": "catalogue",
        "list": "catalogue",
        "new": "own.new",
        "repair": "repair",
    },
    "proofs": {
        "explain": "proofs.explain",
        "export": "proofs.export",
        "verify-certificate": "proofs.certificate",
        "certify": "proofs.certify",
        "unproved": "proofs.unproved",
    },
    "to look at": {
        "report": "report",
        "figures": "figures",
        "rates": "rates",
        "compare": "compare",
    },
    "tables of clients": {
        "partition": "partition",
        "collaborate": "collaborate",
    },
    "ledgers and witnesses": {
        "replay": "files",
        "audit": "files",
        "diff": "files",
    },
    "this machine": {
        "doctor": "doctor",
        "bench": "bench",
        "mcp": "assistants.command",
        "completion": "completion",
    },
}
"""Commands in the order of the help, by what they are for, each with the module that it is in."""

COMMANDS = {name: home for group in GROUPS.values() for name, home in group.items()}

LONGEST = 600
"""Characters of a refusal: what was got may be a whole file."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process if None.

    Returns
    -------
    int
        0 if the command ran to its end, 1 where it found what it is told to report (``--strict``,
        ``replay``, ``audit``), 2 for bad input, 130 after Ctrl-C.
    """
    one_thread()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without UTF-8 still gets its table
    if sys.stdout is None:
        return _refuse("standard output must be open, got a closed one: send it to a file.")
    try:
        with listening():
            given = sys.argv[1:] if argv is None else list(argv)
            args = _parser(given[0] if given else "").parse_args(given)
            code: int = args.call(args)
            sys.stdout.flush()
            return code
    except BrokenPipeError:
        _silence()  # the reader (head, less) has what it wanted
        return 0
    except InvalidInput as error:
        return _refuse(str(error), getattr(error, "marked", ""))
    except OSError as error:
        if not error.filename:
            _silence()
        where = f"{error.filename}: " if error.filename else ""
        return _refuse(f"file must be usable, got {where}{error.strerror or error}: check it.")
    except (MemoryError, RecursionError) as error:
        what = "memory" if isinstance(error, MemoryError) else "depth of nesting"
        return _refuse(f"input must fit into this machine's {what}, got more: pass a smaller one.")
    except KeyboardInterrupt:
        return INTERRUPTED


def _silence() -> None:
    """Keep the interpreter from flushing once more into an output that takes nothing."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    """Options are written out: an abbreviation would change its meaning with the next option."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)


class _Grouped(argparse.HelpFormatter):
    """Lists commands under what they are for."""

    def add_argument(self, action: argparse.Action) -> None:
        if not isinstance(action, argparse._SubParsersAction):
            super().add_argument(action)
            return
        told = {one.dest: one for one in action._choices_actions}
        for title, group in GROUPS.items():
            self.start_section(title)
            for name in group:
                if name in told:
                    super().add_argument(told[name])
            self.end_section()


def _refuse(sentence: str, marked: str = "") -> int:
    """Tell what is wrong, and of a line also the place, with what to write instead below it."""
    if sys.stderr is not None:  # a closed one leaves the exit status alone to tell
        line = visible(" ".join(sentence.split()))
        if len(line) > LONGEST:
            line = f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"
        print(f"fedassay: {line}", file=sys.stderr)
        for shown in marked.splitlines():
            print(visible(shown), file=sys.stderr)
    return 2


def _parser(asked: str) -> argparse.ArgumentParser:
    """The parser; of a known command alone, as loading all of them takes half a second."""
    parser = _Parser(
        prog="fedassay",
        description="Put the theorems of personalised federated learning to the test.",
        epilog="fedassay COMMAND --help lists the options of one.",
        formatter_class=_Grouped,
    )
    parser.add_argument("--version", action="version", version=f"fedassay {__version__}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=_Parser
    )
    alone = asked in COMMANDS and asked != "completion"  # which completes all of them
    for home in (COMMANDS[asked],) if alone else dict.fromkeys(COMMANDS.values()):
        import_module(f"verify.cli.{home}").add(commands)
    return parser
