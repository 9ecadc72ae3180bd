"""Federations on which the place of rho-bar matters: rounds that return, weights that turn away.

Both are exact solutions. In the first every round ends where it began, at the minimiser of F, and
leaves it in between. In the second one iteration brings the model nearer to the minimiser of F,
where the client that has all the weight is served best.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.statements.aggregation.common import CURVATURE, LENGTH, hessians, size
from verify.world.world import World

Array = Any

_UNITS = {"client_weights": (0, 0), "coefficients": (0, 0)}
_RETURNING = {
    "slow": CURVATURE,
    "factor": Real(1, 4),
    "own": CURVATURE,
    "reach": LENGTH,
    "rare": Real(2.0**-48, 1 / 4, log=True),
    "step_share": Real(1 / 64, 1),
    "decay": Real(0, 1 / 2),
}
_TURNED = {
    "floor": CURVATURE,
    "factor": Real(1, 2.0**14, log=True),
    "behind": LENGTH,
    "ahead": LENGTH,
    "chosen": Real(1 / 64, 1 / 2, log=True),
}


def returning(*shapes: Shape) -> Family:
    """Three clients, two of them rare with weight; for `returning_weights`."""
    about = "a client of large share at rest, two rare ones that pull to either side"
    return Family(_RETURNING, shapes, _returning, about, _UNITS)


def turned(*shapes: Shape) -> Family:
    """Three clients, all weight on one whose minimiser is that of F."""
    about = "all weight on a client whose minimiser is that of F, the start on a steep client's"
    return Family(_TURNED, shapes, _turned, about, _UNITS)


def returning_size(rounds: int, at: int) -> Shape:
    """Shape of a run of two-step rounds, looked at before iteration ``at``."""
    return size(3, rounds, 2, "fixed", quiet=True, at=at)


def returning_weights(w: World) -> Array:
    """Weights (0, u, 1 - u) with which every round ends where it began, (B, 1, rounds, 3).

    From 0 the rare clients get to o_1 (1 - prod(1 - a_1 eta)) and o_2 (1 - prod(1 - a_2 eta)), on
    either side; u balances the two.
    """
    curvature = hessians(w)[..., 0, 0]
    minimiser = w.problem.optimum[..., 0]
    rows = []
    for first in range(0, w.rounds, w.local_steps):
        left = 0 * curvature + 1
        for t in range(first, first + w.local_steps):
            left = left * (1 - curvature * w.step_sizes[..., t, None])
        moved = xp.absolute(minimiser * (1 - left))
        share = moved[..., 2] / (moved[..., 1] + moved[..., 2])
        rows.append(xp.stack([0 * share, share, 1 - share], -1))
    return xp.stack([*rows, rows[-1], rows[-1]], -2)


def _returning(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Curvatures a k^2 and a, minimisers at r and -k r: equal losses at 0, opposite slopes there
    that p balances."""
    slow, factor, reach, rare = (values[k] for k in ("slow", "factor", "reach", "rare"))
    curvature = xp.stack([values["own"], slow * factor**2, slow], -1)
    minimiser = xp.stack([0 * reach, reach, -factor * reach], -1)
    share = xp.stack([1 - rare, rare / (1 + factor), rare * factor / (1 + factor)], -1)
    used = {k: values[k] for k in ("step_share", "decay")}
    return _quiet(curvature, minimiser, {**used, "start": 0 * reach[..., None]}, share, shape)


def _turned(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Minimisers 0, -b and s with curvatures m, m and k m; the run begins at s."""
    floor, factor, behind, ahead = (values[k] for k in ("floor", "factor", "behind", "ahead"))
    curvature = xp.stack([floor, floor, floor * factor], -1)
    minimiser = xp.stack([0 * ahead, -behind, ahead], -1)
    other = (1 - values["chosen"]) / (1 + behind / (factor * ahead))
    share = xp.stack([values["chosen"], other, 1 - values["chosen"] - other], -1)
    row = xp.stack([1 + 0 * ahead, 0 * ahead, 0 * ahead], -1)
    more = {
        "start": ahead[..., None],
        "coefficients": xp.stack([row] * int(shape["rows"]), -2),
    }
    return _quiet(curvature, minimiser, more, share, shape)


def _quiet(
    curvature: Array, minimiser: Array, params: Mapping[str, Any], share: Array, shape: Shape
) -> Instance:
    data = {
        "A": curvature[..., None, None], "xi": -minimiser[..., None], "half": True, "law": "none",
    }  # fmt: skip
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "rows", "quiet")}
    return Instance(
        "quadratic", data, "aggregation", {**params, "client_weights": share, **constants}
    )
