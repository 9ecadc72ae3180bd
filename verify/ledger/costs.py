"""What a leaf has paid for its word, read off the stored evidence in words for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["best_constants", "costs"]

NAMES = {
    "terms": "terms",
    "needed": "hypotheses",
    "standing": "do-nothing bounds",
    "method": "controls",
    "constant": "constant",
}
"""What the reader calls the rungs."""

ASKED = {"standing": "compared", "method": "stand"}
"""Rungs that tell something only where their details hold this."""


def costs(evidence: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Needed terms and hypotheses, and the do-nothing bounds that were compared.

    Parameters
    ----------
    evidence : sequence of mappings
        Evidence of a leaf as the ledger holds it.

    Returns
    -------
    dict of str to str
        By what it is about; empty where the leaf did not come so far.
    """
    found = {}
    for item in evidence:
        name, details = NAMES.get(item["rung"]), item.get("details") or {}
        told = item["rung"] not in ASKED or ASKED[item["rung"]] in details
        if name is not None and told and item["status"] == "reported":
            found[name] = str(item.get("summary", ""))
    return found


def best_constants(evidence: Sequence[Mapping[str, Any]]) -> list[str]:
    """The best constant of a claim that fell, in words; told before anything else."""
    return [str(item.get("summary", "")) for item in evidence if item["rung"] == "best constant"]
