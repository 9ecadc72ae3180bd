"""The flaws of a broken claim as lines for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verify.verdict.relation import LARGEST


def flaw_lines(flaws: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line for each flaw of a leaf, in the order found.

    Parameters
    ----------
    flaws : sequence of mappings
        Entries ``mend``, ``ratio`` and ``stands`` of a ledger.
    """
    return [f"{number}. {_line(flaw)}" for number, flaw in enumerate(flaws, 1)]


def _line(flaw: Mapping[str, Any]) -> str:
    ratio = float(flaw["ratio"])
    broken = f"left/right up to {ratio:.4g}" if ratio < LARGEST else "left/right without bound"
    if not flaw["mend"]:
        return f"{broken}: nothing that was tried mends it"
    then = "; then a fresh search finds nothing" if flaw["stands"] else ""
    return f"{broken}: mended by {flaw['mend']}{then}"
