"""Leaves are added up to an entry: its word is that of its worst part, inside one assignment.

Everything here works on plain JSON values, so that the same code writes a ledger and checks one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.claim.axes import Assignment, Axes
from verify.verdict.verdict import HOLDS, PROVED, worst

STANDS = (PROVED, HOLDS)
"""Words under which a claim stands."""

Leaves = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Conclusion:
    """What the leaves of an entry add up to."""

    verdict: str | None
    reason: str
    deciding: Mapping[str, Any] | None
    """Leaf that decides: the first of the worst ones that the assignment takes."""

    @property
    def witness(self) -> str | None:
        """Path of the deciding leaf's witness."""
        return None if self.deciding is None else self.deciding["witness"]


def conclude(
    leaves: Leaves, axes: Axes | None = None, assignment: Assignment | None = None
) -> Conclusion:
    """Add up stored leaves; no leaves (a definition) give no verdict.

    Parameters
    ----------
    leaves : sequence of mappings
        Leaves of a ledger entry, in their order.
    axes : Axes, optional
        Open places of the paper.
    assignment : mapping, optional
        What is taken on each of them; the literal options by default.

    Returns
    -------
    Conclusion

    Raises
    ------
    InvalidInput
        If a leaf names an option that is none of the axes.
    """
    chosen = parts(leaves, axes, assignment)
    if not chosen:
        return Conclusion(None, "nothing to decide", None)
    word = worst(str(leaf["verdict"]) for leaf in chosen)
    deciding = next(leaf for leaf in chosen if leaf["verdict"] == word)
    return Conclusion(word, _reason(leaves), deciding)


def parts(leaves: Leaves, axes: Axes | None, assignment: Assignment | None) -> Leaves:
    """One leaf of each part: that of the reading which the assignment takes."""
    axes = axes or Axes()
    by_key = {str(leaf["id"]): leaf for leaf in leaves}
    return [by_key[key] for key in axes.under(by_key, assignment or axes.literal)]


def _reason(leaves: Leaves) -> str:
    if len(leaves) == 1:
        return str(leaves[0]["reason"])
    return "; ".join(f"{tail(leaf['id'])} {leaf['verdict']}: {leaf['reason']}" for leaf in leaves)


def tail(leaf: str) -> str:
    """Part and reading of a leaf, without the entry's key."""
    cut = min((i for i in (leaf.find("/"), leaf.find("@")) if i >= 0), default=0)
    return leaf[cut:].lstrip("/")
