"""What a command about proofs is asked for: an entry, a file of one's own, or one line."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from bounds.numbers.validate import require
from verify.catalogue.library import Library, library
from verify.claim.statement import Statement

__all__ = ["add_claim", "is_line", "leaves_of"]

_RELATION = re.compile(r"[<>=≤≥⩽⩾]")


def add_claim(parser: Any, more: str = "") -> None:
    """The arguments that say which statements are meant."""
    parser.add_argument(
        "key",
        metavar="KEY|FILE.py|CLAIM" + (f"|{more}" if more else ""),
        help="an entry or one leaf of it, a file of your own, or a claim in one line"
        + (f", or a file {more} of proofs as export and certify write them" if more else ""),
    )
    parser.add_argument(
        "own", metavar="KEY", nargs="?", help="of a file or ledger of your own, one entry or leaf"
    )


def is_line(key: str) -> bool:
    """Whether what is asked for is a claim in one line."""
    return bool(_RELATION.search(key))


def leaves_of(args: argparse.Namespace) -> list[Statement]:
    """The statements that are meant, those that claim something.

    Raises
    ------
    InvalidInput
        If there is no such entry, or the line cannot be read.
    """
    key, own = args.key, args.own
    if key.endswith(".py"):
        from verify.catalogue.user_file import Origin, load_statements

        known = load_statements(Origin.of(Path(key)))
        keys = [own] if own else [entry.key for entry in known]
        return [leaf for one in keys for leaf in _leaves(known, one)]
    require(own is None, "KEY", "one", f"{key} {own}", "ask for one after the other")
    if is_line(key):
        from verify.line import one_line

        return [one_line(key)]
    return _leaves(library(), key)


def _leaves(known: Library, key: str) -> list[Statement]:
    entry = known.entry(key)
    found = [leaf for leaf in entry.leaves if key in (leaf.key, entry.key)]
    return [leaf for leaf in found if leaf.sides is not None]
