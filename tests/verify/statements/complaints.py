"""Places of a paper's printed forms to compare with its text: ``python -m ... PAPER [KEY ...]``."""

from __future__ import annotations

import sys

from verify.catalogue.library import library
from verify.catalogue.literal import literal_complaints


def main(paper: str, *keys: str) -> None:
    """Print the complaints about a paper, or about some of its entries."""
    leaves = [leaf for entry in library().select(keys, paper) for leaf in entry.leaves]
    found = literal_complaints(leaves)
    for what in ("added", "cut", "box"):
        chosen = [str(item) for item in found if item.what == what]
        print(f"{what}: {len(chosen)}", *chosen, sep="\n  ")


if __name__ == "__main__":
    main(*sys.argv[1:])
