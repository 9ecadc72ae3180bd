"""Runs that are known for ever: what their first rounds leave open their later weights decide.

With weights p every rho is one, so that a run whose weights are p from some round on shows all
values of rho, and without noise its local models stay between its last ones and the minimisers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim import Array, Family, Instance, Real, Shape
from verify.statements.aggregation.quantities import hessians, normalised, squared_gradient
from verify.statements.aggregation.runs import RUN_BOX, UNITS, quiet_run, size
from verify.statements.aggregation.symbols import CURVATURE, LENGTH
from verify.world.world import World

# -- weights p from some round on ---------------------------------------------------------------


def settling(*shapes: Shape) -> Family:
    """Runs without noise, any weights in the rounds that are seen and p in all later ones."""
    kept = ("curvature", "optimum", "start", "share", "raw")
    about = "any weights in the first rounds, those of FedAvg for ever after, no noise"
    return Family(
        {k: RUN_BOX[k] for k in kept},
        tuple({**s, "later": "p"} for s in shapes),
        _settling,
        about,
        UNITS,
    )


def _settling(values: Mapping[str, Any], shape: Shape) -> Instance:
    share = normalised(values["share"])
    seen = int(shape["rounds"]) // int(shape["local_steps"])
    rows = [normalised(values["raw"][..., r, :]) for r in range(seen)]
    rows += [share] * (int(shape["rows"]) - seen)
    params = {"start": values["start"], "coefficients": xp.stack(rows, -2)}
    return quiet_run(values["curvature"][..., 0], values["optimum"][..., 0], params, share, shape)


def gradient_for_ever(w: World) -> Array:
    """G^2 of the run, and of what follows it where its weights are p from then on, (B, 1).

    Steps of at most 1/L and means never leave the hull of the minimisers and of the last models;
    d = 1.
    """
    own = squared_gradient(w)
    if not w.given("later"):
        return own
    minimiser = w.problem.optimum[..., 0]
    last = w.run().models[..., -1, :, 0]
    ends = xp.stack([last, minimiser + 0 * last], -1).reshape((*last.shape[:-1], -1))
    reach = xp.maximum(
        xp.largest(ends)[..., None] - minimiser, minimiser - xp.smallest(ends)[..., None]
    )
    slopes = hessians(w)[..., 0, 0] * reach
    return xp.maximum(own, xp.largest(slopes**2))


# -- a first model that no rho sees ---------------------------------------------------------------

_LEAVING = {
    "slow": CURVATURE,
    "reach": LENGTH,
    "ratio": Real(16, 256, log=True, domain=(16, 256)),
    "rare": Real(2.0**-60, 2.0**-40, log=True, domain=(0, 2.0**-40)),
}
_LONG = 32
"""Steps of a round, in which the client of large share gets back to where it began."""


def leaving() -> Family:
    """Three clients and rounds of 32 steps with the steps of Corollary 4, times as in eq. 2.

    The first aggregation carries the model off the minimiser of F, the client of large share and
    curvature brings it back before rho is taken again, and in all later rounds the weights of the
    rare clients balance, so that their first model is that minimiser.  What is left of the first
    one at the end of its round is at least 2^-24 of the reach, and later rounds end within 2 rare
    times the reach: no later rho is less than the second.
    """
    about = "a model that is off the minimiser of F for a round and back at its end, no noise"
    shape = size(3, _LONG + 1, _LONG, "fixed", quiet=True, at=0, timing="equation")
    return Family(_LEAVING, (shape,), _leaving, about, UNITS)


def _leaving(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Curvatures k a, 4 a and a, minimisers 0, r and -2 r: equal losses at 0, balanced by p."""
    slow, reach, rare = (values[k] for k in ("slow", "reach", "rare"))
    curvature = xp.stack([values["ratio"] * slow, 4 * slow, slow], -1)
    minimiser = xp.stack([0 * reach, reach, -2 * reach], -1)
    share = xp.stack([1 - rare, rare / 3, 2 * rare / 3], -1)
    half = (1 + 0 * reach) / 2
    eta = [1 / (slow * t + 4 * curvature[..., 0]) for t in range(int(shape["rounds"]))]
    pull = half[..., None] * curvature[..., 1:] * minimiser[..., 1:]
    model = eta[0][..., None] * xp.total(pull)[..., None] + 0 * minimiser
    for step in eta[1:]:
        model = model - step[..., None] * curvature * (model - minimiser)
    back = -model[..., 2] / (model[..., 1] - model[..., 2])
    rows = [xp.stack([0 * half, u, 1 - u], -1) for u in (half, back)]
    rows += rows[1:] * (int(shape["rows"]) - 2)
    params = {"start": 0 * reach[..., None], "coefficients": xp.stack(rows, -2)}
    return quiet_run(curvature, minimiser, params, share, shape)
