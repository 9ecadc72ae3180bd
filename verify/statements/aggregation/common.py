"""What the statements of the aggregation paper share: families of runs, quantities along them.

The number G^2 of A4 is read as the largest second moment of a stochastic gradient at the local
models of the run, given the past, on every outcome: the largest value that a reading restricted to
the run allows.  Where a strategy needs losses it takes the true F_i and F_i^*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from bounds import aggregation as closed
from bounds import generic as xp
from bounds.aggregation_rules import aggregation_weights, heterogeneity_gap, weighting_skew
from verify.claim import records
from verify.claim.families import QUADRATIC_BOX, quadratic_data
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape, plain_numbers
from verify.claim.statement import Source, Terms
from verify.world.world import World

Array = Any
PAPER = "aggregation"

EVERY = r",\quad\overline\rho,\tilde\rho\text{ over every iteration}"
"""What the repaired statements read differently, for their formulas."""

CURVATURE = Real(1 / 8, 8, unit=(1, -2), log=True)
LENGTH = Real(1 / 8, 8, unit=(0, 1), log=True)

NUMBERS = {
    "smoothness": CURVATURE,
    "mu": CURVATURE,
    "squared_gradient": Real(1 / 8, 8, unit=(2, -2), log=True),
    "sigma2": Real(0, 8, unit=(2, -2)),
    "gap": Real(1 / 64, 8, unit=(1, 0), log=True),
    "squared_start": Real(0, 8, unit=(0, 2)),
}
"""The constants of the corollary as free numbers."""

_RUN_BOX = {
    **{k: QUADRATIC_BOX[k] for k in ("curvature", "sigma", "noise_share", "skew", "start")},
    "optimum": QUADRATIC_BOX["optimum"],
    "share": Real(1 / 4096, 1, log=True, per=("N",)),
    "temperature": Real(1 / 16, 16, unit=(1, 0), log=True),
    "raw": Real(1 / 256, 1, log=True, per=("rows", "N")),
    "step_share": Real(1 / 64, 1),
    "decay": Real(0, 1 / 2),
}
_NOISE = ("sigma", "noise_share", "skew")
_DATA = ("curvature", "sigma", "noise_share", "skew", "optimum")


def source(where: str) -> Source:
    """Place in the paper."""
    return Source(PAPER, where)


described = partial(records.described, PAPER)
open_claim = partial(records.open_claim, PAPER)


def numbers(box: Mapping[str, Real], *shapes: Shape, about: str) -> Family:
    """Instances that are nothing but their parameters."""
    return Family(box, shapes or ({},), plain_numbers, about)


def size(n: int, rounds: int, steps: int, rule: str, **more: Any) -> Shape:
    """Shape of a run: clients, iterations, local steps, rule, and the iteration ``at`` looked at."""
    base = {"N": n, "d": 1, "rounds": rounds, "local_steps": steps, "rule": rule}
    return {**base, "rows": rounds // steps + 2, "at": rounds - 1, **more}


def runs(
    *shapes: Shape, about: str = "", shared: bool = False, alike: bool = False,
    extra: Mapping[str, Real] | None = None,
) -> Family:  # fmt: skip
    """Runs on quadratic federations.

    ``shared`` gives all clients one minimiser (Gamma = 0), ``alike`` one loss.
    """
    text = about or "aligned quadratics, two-point noise, all outcomes enumerated"
    idle = set() if any(s["rule"] == "fixed" for s in shapes) else {"raw"}
    idle |= set() if any(s["rule"] == "fedsoftmax" for s in shapes) else {"temperature"}
    idle |= set(_NOISE) if all(s.get("quiet") for s in shapes) else set()
    box = {k: v for k, v in {**_RUN_BOX, **(extra or {})}.items() if k not in idle}
    build = partial(_build, shared or alike, alike)
    return Family(box, shapes, build, text, {"client_weights": (0, 0), "coefficients": (0, 0)})


def _at_rest(values: Mapping[str, Any], shape: Shape) -> dict[str, Any]:
    """The same weights in all rounds, and a start that gradient steps with them never leave; d = 1."""
    pull = values["raw"][..., 0, :] * values["curvature"][..., 0]
    start = xp.total(pull * values["optimum"][..., 0]) / xp.total(pull)
    rows = xp.stack([values["raw"][..., 0, :]] * (shape["rounds"] // shape["local_steps"] + 2), -2)
    return {"raw": rows, "start": start[..., None]}


def _build(shared: bool, alike: bool, values: Mapping[str, Any], shape: Shape) -> Instance:
    if shape.get("resting"):
        values = {**values, **_at_rest(values, shape)}
    optimum = values["optimum"]
    if alike:
        curvature = values["curvature"]
        values = {**values, "curvature": curvature[..., :1, :] + 0 * curvature}
    if shared:
        optimum = optimum[..., :1, :] + 0 * optimum
    silent = dict.fromkeys(_NOISE, values["share"])
    data = quadratic_data({**silent, **values, "optimum": optimum}, half=True)
    if shape.get("quiet"):
        data = {**{k: data[k] for k in ("A", "xi", "half")}, "law": "none"}
    skipped = ("N", "d", "rows", "quiet", "resting")
    constants = {k: v for k, v in shape.items() if k not in skipped}
    params = {k: v for k, v in values.items() if k not in (*_DATA, "share", "raw")}
    share = values["share"]
    params["client_weights"] = share / xp.trailing(xp.total(share))
    if "raw" in values:
        params["coefficients"] = values["raw"] / xp.trailing(xp.total(values["raw"]))
    return Instance("quadratic", data, "aggregation", {**params, **constants})


# -- quantities of a federation and along a run ------------------------------------------------


def hessians(w: World) -> Array:
    """Hessians of the clients' quadratics, (B, 1, N, d, d)."""
    problem: Any = w.problem
    return problem.hessian


def mean_hessian(w: World) -> Array:
    """Hessian of F, (B, 1, d, d)."""
    return xp.total(w.client_weights[..., None, None] * hessians(w), axis=-3)


def best(w: World) -> Array:
    """Minimiser of F, (B, 1, d)."""
    pulled = xp.matvec(hessians(w), w.problem.optimum)
    return xp.solve(mean_hessian(w), xp.total(w.client_weights[..., None] * pulled, axis=-2))


def distance(w: World, t: int) -> Array:
    """|w_t - w^*|^2, (B, R)."""
    return xp.squared_norm(w.run().theta[..., t, :] - best(w))


def not_at_optimum(w: World) -> Terms:
    """F(w_t) differs from F* at every iteration on every outcome (footnotes 1 and 2)."""
    return {"away from w*": xp.squared_norm(w.run().theta - best(w)[..., None, :])}


def start_distance(w: World) -> Array:
    """|w_0 - w^*|^2, (B, 1)."""
    return xp.squared_norm(w.start - best(w))


def suboptimality(w: World, t: int) -> Array:
    """F(w_t) - F^*, as a square so that no digits cancel, (B, R)."""
    error = w.run().theta[..., t, :] - best(w)
    return xp.dot(error, xp.matvec(mean_hessian(w), error)) / 2


def excess_at(w: World, point: Array) -> Array:
    """F_i - F_i^* of every client at one point, (..., d) to (..., N)."""
    extra = point.ndim - 3
    problem = w.problem.expand(extra) if extra else w.problem
    return problem.excess(point)


def worst(x: Array) -> Array:
    """Largest entry over outcomes and everything behind them, (B, 1)."""
    return xp.largest(x.reshape(len(x), 1, -1))


def least(x: Array) -> Array:
    """Smallest entry over outcomes and everything behind them, (B, 1)."""
    return xp.smallest(x.reshape(len(x), 1, -1))


def squared_gradient(w: World) -> Array:
    """G^2: the largest second moment at the local models of the run, (B, 1)."""
    models = w.run().models[..., :-1, :, :]  # (B, R, T, N, d)
    wide = w.problem.expand(1)
    slope = xp.squared_norm(wide.own_gradients(models))
    return worst(slope + wide.own_gradient_variance(models))


def gap(w: World) -> Array:
    """Gamma, (B, 1)."""
    return heterogeneity_gap(excess_at(w, best(w)), w.client_weights)


def weights_at(w: World, t: int) -> Array:
    """alpha_t, (B, R, N); after the last iteration, what the rule would choose next."""
    if t < w.rounds:
        return w.run().alpha[..., t, :]
    seen = excess_at(w, w.run().theta[..., t, :])
    if w.rule == "fixed":
        return w.coefficients[..., t // w.local_steps, :] + 0 * seen
    return aggregation_weights(w.rule, seen, w.client_weights, temperature=_temperature(w))


def _temperature(w: World) -> Array:
    return w.temperature if w.rule == "fedsoftmax" else None


def times(w: World, reading: str) -> tuple[int, ...]:
    """Iterations over which rho-bar and rho-tilde are taken.

    ``rounds``: t = 0 mod E before the end, as in the loop of Algorithm 1; ``all``: the final model
    as well; ``every``: all iterations before the end, virtual averages included.
    """
    step = 1 if reading == "every" else w.local_steps
    return tuple(range(0, w.rounds + (reading == "all"), step))


def skew_low(reading: str) -> Callable[[World], Array]:
    """rho-bar: at most rho(t, w_t) on every outcome."""

    def low(w: World) -> Array:
        found = [
            weighting_skew(weights_at(w, t), excess_at(w, w.run().theta[..., t, :]), w.client_weights)
            for t in times(w, reading)
        ]
        return least(xp.stack(found, -1))

    return low


def skew_high(reading: str) -> Callable[[World], Array]:
    """rho-tilde: at least rho(t, w^*) on every outcome."""

    def high(w: World) -> Array:
        ideal = excess_at(w, best(w))
        found = [
            weighting_skew(weights_at(w, t), ideal, w.client_weights) for t in times(w, reading)
        ]
        return worst(xp.stack(found, -1))

    return high


def measured(reading: str) -> dict[str, Callable[[World], Array]]:
    """The constants of the theorem, measured on the run."""
    return {
        "G2": squared_gradient, "gap": gap, "sigma2_max": lambda w: xp.largest(w.sigma2),
        "low": skew_low(reading), "high": skew_high(reading),
    }  # fmt: skip


# -- step sizes --------------------------------------------------------------------------------


def _schedule(w: World, rule: Callable[[int], Array]) -> Array:
    return xp.stack([rule(t) for t in range(w.rounds)], -1)


def short_steps(w: World) -> Array:
    """eta_t = share/(4 L (1 + decay t)): at most 1/(4L), halved at most within three steps."""
    return _schedule(w, lambda t: w.step_share / (4 * w.beta * (1 + w.decay * t)))


def paper_steps(w: World) -> Array:
    """eta_t = 1/(mu (t + 4 L/mu)) of Corollary 4."""
    return _schedule(w, lambda t: closed.aggregation_step_size(w.mu, w.beta, t))


def heterogeneous(w: World) -> Terms:
    """Gamma > 0, without which rho(t, w^*) is not defined (footnote 1)."""
    return {"Gamma": w.gap}


HETEROGENEOUS = frozenset({"Gamma"})


def terms(x: Array) -> np.ndarray[Any, Any]:
    """A bound as one array, so that it broadcasts with the noise axis."""
    return np.asarray(x)
