"""A whole ledger read again: whether each law and mend that it prints bears another look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verify.catalogue.library import Library
from verify.ladder.told import contradictions_of_law, contradictions_of_mend

__all__ = ["Contradiction", "contradicted_laws", "contradicted_mends"]


@dataclass(frozen=True)
class Contradiction:
    """What a leaf of a ledger says, and what was computed against it."""

    leaf: str
    said: str
    found: str

    def __str__(self) -> str:
        return f"{self.leaf}: {self.said}: {self.found}"


def contradicted_laws(
    ledger: Mapping[str, Any], known: Library, every: int = 1
) -> Iterator[Contradiction]:
    """Laws that their own values, or two more doublings, do not bear within two in a hundred.

    Parameters
    ----------
    ledger : mapping
    known : Library
        The statements.
    every : int
        Only each such leaf, in the order of the ledger: a sample.
    """
    leaves = [leaf for entry in ledger["entries"] for leaf in entry["leaves"] if leaf.get("laws")]
    for leaf in leaves[::every]:
        statement = known.leaf(leaf["id"])
        worst = float((leaf.get("tightness") or {}).get("ratio") or 0.0)
        for law in leaf["laws"]:
            for found in contradictions_of_law(statement, law, worst):
                yield Contradiction(leaf["id"], law["text"], found)


def contradicted_mends(
    ledger: Mapping[str, Any], known: Library, every: int = 1
) -> Iterator[Contradiction]:
    """Mended claims that fall at eight times the size, in other units or from another origin.

    Parameters
    ----------
    ledger : mapping
    known : Library
        The statements.
    every : int
        Only each such leaf, in the order of the ledger: a sample.
    """
    leaves = [leaf for entry in ledger["entries"] for leaf in entry["leaves"] if leaf["repairs"]]
    for leaf in leaves[::every]:
        statement = known.leaf(leaf["id"])
        for repair in leaf["repairs"]:
            for found in contradictions_of_mend(statement, leaf, repair):
                yield Contradiction(leaf["id"], repair["mend"], found)
