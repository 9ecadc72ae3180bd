"""When a climb from many starts has seen enough: the optima that it has ended in, counted.

A start more is worth its evaluations while it may end somewhere new.  If n starts have ended in w
different optima, a uniform prior over their number and sizes expects w (n - 1) / (n - w - 2) of
them in all; where that is less than w + 1/2 none is expected to be missing (Boender and Rinnooy
Kan, Bayesian stopping rules for multistart global optimization methods, 1987).  One optimum takes
eight starts, two take seventeen; a rugged landscape never settles.  A start that ends where it
began has said nothing about the rest of the landscape and is not counted, unless none rises at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from verify.ladder.search import tuning

Array = np.ndarray[Any, Any]


@dataclass
class Optima:
    """Ends of the starts so far: how many, at which heights, and whether one has no instance.

    ``flat`` are those that ended where they began, and ``rising`` is whether another is on its way.
    """

    ended: int = 0
    heights: list[float] = field(default_factory=list)
    astray: bool = False
    flat: int = 0
    rising: bool = False

    def add(self, heights: Array, margins: Array, risen: Array | None = None) -> None:
        """Count starts that have ended: heights (S,), margins (S, K), whether each rose (S,)."""
        if risen is not None:
            self.flat += int((~risen).sum())
            heights, margins = heights[risen], margins[risen]
        inside = np.isfinite(heights) & (margins >= 0).all(axis=1)
        self.ended += len(heights)
        self.astray = self.astray or not inside.all()
        for height in heights[inside]:
            if all(abs(height - known) > tuning.SAME_OPTIMUM for known in self.heights):
                self.heights.append(float(height))

    @property
    def settled(self) -> bool:
        """Whether no further optimum is expected."""
        if not self.ended and not self.rising:
            return self.flat >= tuning.FLAT_STARTS
        found = len(self.heights) + self.astray
        spare = self.ended - found - 2
        return (
            bool(self.heights)
            and spare > 0
            and (found * (self.ended - 1) / spare < found + tuning.OPTIMA_MISSING)
        )

    def topped(self, heights: Array, margins: Array) -> bool:
        """Whether a start on its way is higher than every end."""
        inside = heights[(margins >= 0).all(axis=1)]
        known = max(self.heights, default=-np.inf)
        return bool(inside.size) and bool(np.nanmax(inside) > known + tuning.SAME_OPTIMUM)
