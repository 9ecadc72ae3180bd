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
    listing.add_argument(
        "--trust",
        metavar="FILE",
        type=Path,
        help="of a ledger of your own: run this file of statements, to say why each has no proof",
    )
    listing.add_argument("--count", action="store_true", help="only how many for each reason")
    listing.set_defaults(call=list_unproved)


def list_unproved(args: argparse.Namespace) -> int:
    """Print one line per leaf, and how many have which reason."""
    from verify.catalogue.user_file import Origin, load_statements
    from verify.ladder import Proofs

    if schema_of(args.ledger) == EXPECTED:
        leaves = read_json(args.ledger, EXPECTED)["leaves"]
    else:
        leaves = brief(read_json(args.ledger, SCHEMA))["leaves"]
    words = {key: leaf["verdict"] for key, leaf in leaves.items()}
    sources = [library()]
    if args.trust is not None:
        sources.append(load_statements(Origin.of(args.trust)))
    known = {leaf.key: leaf for source in sources for entry in source for leaf in entry.leaves}
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
    proved = sum(word == "proved" for word in words.values())
    every = proved + sum(word == "holds" for word in words.values())
    say(f"{proved} of {every} standing leaves are proved")
    open_ = [key for key in unknown if words[key] == "holds"]
    if open_:
        few = ", ".join(open_[:5]) + (", ..." if len(open_) > 5 else "")
        say(
            f"Without a reason, {several(len(open_), 'leaf', 'leaves')} of no library paper: "
            f"{few}; pass --trust FILE with the file that the statements are in"
        )
    return 0
