"""``repair``: what is true instead of a claim that falls, each line by a full search of its own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from bounds.numbers.validate import require
from verify.catalogue.library import library
from verify.cli.output import say
from verify.ledger.repair_lines import repair_lines
from verify.run.tasks import Settings, examine
from verify.verdict.verdict import VIOLATED


def add(commands: Any) -> None:
    """Register the command."""
    mending = commands.add_parser("repair", help="what is true instead of a claim that falls")
    mending.add_argument(
        "key", metavar="KEY|FILE.py", help="of the library, or a file of your own (which is run)"
    )
    mending.add_argument("own", nargs="?", metavar="KEY", help="one entry of your own file")
    mending.add_argument(
        "--profile",
        choices=("default", "thorough"),
        default="default",
        help="budget of the claim and of each mended one",
    )
    mending.add_argument("--seed", type=int, default=0)
    mending.set_defaults(call=repair)


def repair(args: argparse.Namespace) -> int:
    """Print by how much each leaf of an entry falls, and what stands instead."""
    from verify.catalogue.user_file import Origin, load_statements

    known, key = library(), args.key
    if args.key.endswith(".py"):
        known, key = load_statements(Origin.of(Path(args.key))), args.own
    entries = [entry for entry in known if key is None or entry.key == key]
    require(bool(entries), "KEY", "an entry of the library or of the file", key, "fedassay list")
    settings = Settings(args.profile, args.seed, "cpu").checked()
    for leaf in (leaf for entry in entries for leaf in entry.leaves):
        _tell(leaf.key, dict(examine(leaf, settings).leaf))
    return 0


def _tell(key: str, leaf: dict[str, Any]) -> None:
    say(f"{key}: {leaf['verdict']} ({leaf['reason']})")
    if leaf["verdict"] != VIOLATED:
        return
    for law in leaf["laws"]:
        say(f"  law: {law['text']}")
    lines = repair_lines(leaf["repairs"])
    for line in lines:
        say(f"  {line}")
    if not lines:
        say("  no change that was tried is proved or holds in a full search")
