"""``repair``: what is true instead of a claim that falls, each line by a full search of its own."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bounds.numbers.validate import require
from verify.catalogue.counted import several
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.cli.output import say
from verify.cli.own.mended import beside, erratum, statements
from verify.corpus.files import keep_repairs, path_of
from verify.ledger.costs import best_constants
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
    mending.add_argument(
        "--keep",
        action="store_true",
        help="of the library: keep the best, which later runs judge again and tell",
    )
    mending.add_argument(
        "--latex", action="store_true", help="also print each repair as an erratum in LaTeX"
    )
    mending.add_argument(
        "-o",
        "--output",
        metavar="FILE.py",
        type=Path,
        help="also write the mended claims as a new file for fedassay check",
    )
    mending.set_defaults(call=repair)


def repair(args: argparse.Namespace) -> int:
    """Print by how much each leaf of an entry falls, and what stands instead."""
    from verify.catalogue.user_file import Origin, load_statements

    known, key = library(), args.key
    if args.key.endswith(".py"):
        known, key = load_statements(Origin.of(Path(args.key))), args.own
    new = args.output
    require(
        new is None or not (new.exists() or new.is_symlink()),
        "output",
        "a new file",
        new,
        "move it",
    )
    entries = [entry for entry in known if key is None or entry.key == key]
    require(bool(entries), "KEY", "an entry of the library or of the file", key, "fedassay list")
    own = args.key.endswith(".py")
    require(not (own and args.keep), "--keep", "with a key of the library", args.key, "check keeps")
    settings = Settings(args.profile, args.seed, "cpu", keep=args.keep).checked()
    repairs: list[tuple[Statement, Mapping[str, Any]]] = []
    for leaf in (leaf for entry in entries for leaf in entry.leaves):
        finding = examine(leaf, settings)
        found = dict(finding.leaf)
        _tell(leaf.key, found)
        if finding.kept is not None and keep_repairs(
            path_of(leaf.source.paper), leaf, finding.kept
        ):
            say("  the first is kept")
        repairs += [(leaf, one) for one in found["repairs"]]
        if args.latex and found["repairs"]:
            say("\n" + erratum(leaf, found["repairs"], found["reason"]))
    if new is not None and repairs:
        origin = beside(new, Path(args.key)) if own else ""
        new.write_text(statements(repairs, origin), encoding="utf-8")
        say(f"\n{new}: {several(len(repairs), 'mended claim')}; fedassay check {new}")
    return 0


def _tell(key: str, leaf: dict[str, Any]) -> None:
    say(f"{key}: {leaf['verdict']} ({leaf['reason']})")
    if leaf["verdict"] != VIOLATED:
        return
    for constant in best_constants(leaf["evidence"]):
        say(f"  {constant}")
    for law in leaf["laws"]:
        say(f"  law: {law['text']}")
    lines = repair_lines(leaf["repairs"])
    for line in lines:
        say(f"  {line}")
    if not lines:
        say("  no change that was tried is proved or holds in a full search")
