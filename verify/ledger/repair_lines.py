"""The mended claims that stand instead of a broken one, as lines for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def repair_lines(repairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line for each mended claim of a leaf, the proved ones first.

    Parameters
    ----------
    repairs : sequence of mappings
        Entries ``mend``, ``word``, ``reason`` and ``ratio`` of a ledger.
    """
    return [f"{number}. {_line(repair)}" for number, repair in enumerate(repairs, 1)]


def _line(repair: Mapping[str, Any]) -> str:
    reached = "" if repair["ratio"] is None else f", left/right up to {repair['ratio']:.4g}"
    return f"with {repair['mend']}: {repair['word']}{reached} ({repair['reason']})"
