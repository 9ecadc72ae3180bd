"""A claim about a paper's experiment beside what runs of ours show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Observation:
    """One claim of the paper and what was measured.

    Attributes
    ----------
    claim : str
    reproduced : bool
    measured : str
    """

    claim: str
    reproduced: bool
    measured: str
