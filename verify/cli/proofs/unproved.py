"""``unproved``: which claims of a ledger hold without a proof, and why there is none."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from verify.catalogue.counted import several
from verify.catalogue.json_files import read_json, schema_of
from verify.catalogue.library import library
from verify.cli.output import say, table
from verify.ledger.expected import SCHEMA as EXPECTED
from verify.ledger.expected import brief
from verify.ledger.ledger import SCHEMA


def add(commands: Any) -> None:
    """Register the command."""
    listing = commands.add_parser("unproved", help="claims that hold without a proof, and why")
    listing.add_argument("ledger", metavar="LEDGER", type=Path, help="a ledger, or an expected one")
    listing.add_argument("--count", action="store_true", help="only how many for each reason")
    listing.set_defaults(call=list_unproved)


def list_unproved(args: argparse.Namespace) -> int:
    """Print one line per leaf, and how many have which reason."""
    from verify.ladder import Proofs

    if schema_of(args.ledger) == EXPECTED:
        leaves = read_json(args.ledger, EXPECTED)["leaves"]
    else:
        leaves = brief(read_json(args.ledger, SCHEMA))["leaves"]
    words = {key: leaf["verdict"] for key, leaf in leaves.items()}
    known = {leaf.key: leaf for entry in library() for leaf in entry.leaves}
    unknown = [key for key in words if key not in known]
    standing = [known[key] for key, word in words.items() if word == "holds" and key in known]
    reasons = {leaf.key: Proofs(leaf).why_none for leaf in standing}
    if not args.count and reasons:
        table(["key", "no proof, since"], [[key, why] for key, why in reasons.items()])
        say()
    counted = Counter(reasons.values()).most_common()
    if counted:
        table(["leaves", "no proof, since"], [[str(number), why] for why, number in counted])
        say()
    proved = sum(word == "proved" and key in known for key, word in words.items())
    say(f"{proved} of {proved + len(standing)} standing leaves are proved")
    if unknown:
        few = ", ".join(unknown[:5]) + (", ..." if len(unknown) > 5 else "")
        say(f"Not looked at, {several(len(unknown), 'leaf', 'leaves')} of no library paper: {few}")
    return 0
