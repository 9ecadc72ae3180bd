"""Whose code a function is: of statements (of papers, of users' files), or of the package."""

from __future__ import annotations

import sysconfig
from functools import lru_cache
from pathlib import Path

__all__ = ["is_statement_code"]

_HOME = Path(__file__).resolve().parents[2]
_PACKAGE = tuple(
    str(_HOME / name)
    for name in (
        "verify/terms",
        "verify/world",
        "verify/claim",
        "verify/limits",
        "bounds/numbers",
        "bounds/generic",
        "synthetic",
        "algorithms",
    )
)
_OTHERS = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib"))


@lru_cache(1_000)
def is_statement_code(filename: str) -> bool:
    """Whether a file holds statements or their formulas, and neither engine nor library."""
    return not filename.startswith((*_PACKAGE, *_OTHERS, "<frozen"))
