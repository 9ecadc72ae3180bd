"""Digest of the package's own code: results of one digest may stand side by side."""

from __future__ import annotations

from algorithms.sweeps.pool import PACKAGES, source_digest

JUDGING = (*PACKAGES, "verify")
"""What takes part in a verdict; drawing does not."""


def code_digest() -> str:
    """SHA-256 over the names and contents of every Python file that takes part in a verdict."""
    return source_digest(JUDGING)
