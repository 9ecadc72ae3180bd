"""Short ways to score sides that are given as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.verify.cases import claim
from verify.claim.instance import Instance
from verify.world.score import Score, score
from verify.world.world import World

THIRD = 1 / 3


def outcomes(
    left: Any, right: Any, weights: tuple[float, ...] = (THIRD, THIRD, THIRD), **more: Any
) -> Score:
    """Score of sides given on the outcomes of one instance."""

    def sides(w: World) -> Any:
        w.outcome_weights = np.array([weights])
        return {"left": np.array([left], dtype=float)}, {"right": np.array([right], dtype=float)}

    return score(claim(sides, **more), batch(x=[0.0]))


def batch(**params: Any) -> Instance:
    return Instance("numbers", {}, None, {k: np.array(v, dtype=float) for k, v in params.items()})


def on(left: Any, right: Any, **more: Any) -> Score:
    """Score of two parameters l and r, one outcome."""
    made = claim(lambda w: ({"l": w.l}, {"r": w.r}), **more)
    return score(made, batch(l=left, r=right))
