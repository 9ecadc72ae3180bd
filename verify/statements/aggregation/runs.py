"""Families of runs on quadratic federations.

Of two of them all solutions are exact, and the place of rho-bar matters there. In the first every
round ends where it began, at the minimiser of F, and leaves it in between. In the second one
iteration brings the model nearer to the minimiser of F, where the client that has all the weight
is served best.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bounds import generic as xp
from verify.claim import QUADRATIC_BOX, Array, Family, Instance, Real, Shape, quadratic_data
from verify.statements.aggregation.quantities import hessians
from verify.statements.aggregation.symbols import CURVATURE, LENGTH
from verify.world.world import World

_NOISE = ("sigma", "noise_share", "skew")
_DATA = ("curvature", *_NOISE, "optimum")
_STEPS = {"step_share": Real(1 / 64, 1), "decay": Real(0, 1 / 2)}
_RUN_BOX = {
    **{k: QUADRATIC_BOX[k] for k in ("curvature", *_NOISE, "start", "optimum")},
    "share": Real(1 / 4096, 1, log=True, per=("N",)),
    "temperature": Real(1 / 16, 16, unit=(1, 0), log=True),
    "raw": Real(1 / 256, 1, log=True, per=("rows", "N")),
    **_STEPS,
}
_UNITS = {"client_weights": (0, 0), "coefficients": (0, 0)}


def size(n: int, rounds: int, steps: int, rule: str, **more: Any) -> Shape:
    """Shape of a run: clients, iterations, local steps, rule, and the iteration looked at."""
    base = {"N": n, "d": 1, "rounds": rounds, "local_steps": steps, "rule": rule}
    return {**base, "rows": rounds // steps + 2, "at": rounds - 1, **more}


def runs(
    *shapes: Shape, about: str = "", shared: bool = False, alike: bool = False,
    extra: Mapping[str, Real] | None = None,
) -> Family:
    """Runs on quadratic federations.

    ``shared`` gives all clients one minimiser (Gamma = 0), ``alike`` one loss.
    """
    text = about or "aligned quadratics, two-point noise, all outcomes enumerated"
    idle = set() if any(s["rule"] == "fixed" for s in shapes) else {"raw"}
    idle |= set() if any(s["rule"] == "fedsoftmax" for s in shapes) else {"temperature"}
    idle |= set(_NOISE) if all(s.get("quiet") for s in shapes) else set()
    box = {k: v for k, v in {**_RUN_BOX, **(extra or {})}.items() if k not in idle}
    return Family(box, shapes, partial(_build, shared or alike, alike), text, _UNITS)


def _at_rest(values: Mapping[str, Any], shape: Shape) -> dict[str, Any]:
    """The same weights in all rounds, and a start that steps with them never leave; d = 1."""
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


# -- rounds that return ------------------------------------------------------------------------

_RETURNING = {
    "slow": CURVATURE, "factor": Real(1, 4), "own": CURVATURE, "reach": LENGTH,
    "rare": Real(2.0**-48, 1 / 4, log=True), **_STEPS,
}


def returning(rounds: int, at: int) -> Family:
    """Three clients, two of them rare with weight, and two-step rounds, looked at before iteration
    ``at``; for `returning_weights`."""
    about = "a client of large share at rest, two rare ones that pull to either side"
    shape = size(3, rounds, 2, "fixed", quiet=True, at=at)
    return Family(_RETURNING, (shape,), _returning, about, _UNITS)


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


# -- weights that turn away --------------------------------------------------------------------

_TURNED = {
    "floor": CURVATURE, "factor": Real(1, 2.0**14, log=True), "behind": LENGTH, "ahead": LENGTH,
    "chosen": Real(1 / 64, 1 / 2, log=True),
}


def turned(*shapes: Shape) -> Family:
    """Three clients, all weight on one whose minimiser is that of F."""
    about = "all weight on a client whose minimiser is that of F, the start on a steep client's"
    return Family(_TURNED, shapes, _turned, about, _UNITS)


def _turned(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Minimisers 0, -b and s with curvatures m, m and k m; the run begins at s."""
    floor, factor, behind, ahead = (values[k] for k in ("floor", "factor", "behind", "ahead"))
    curvature = xp.stack([floor, floor, floor * factor], -1)
    minimiser = xp.stack([0 * ahead, -behind, ahead], -1)
    other = (1 - values["chosen"]) / (1 + behind / (factor * ahead))
    share = xp.stack([values["chosen"], other, 1 - values["chosen"] - other], -1)
    row = xp.stack([1 + 0 * ahead, 0 * ahead, 0 * ahead], -1)
    more = {"start": ahead[..., None], "coefficients": xp.stack([row] * int(shape["rows"]), -2)}
    return _quiet(curvature, minimiser, more, share, shape)


def _quiet(
    curvature: Array, minimiser: Array, params: Mapping[str, Any], share: Array, shape: Shape
) -> Instance:
    data = {"A": curvature[..., None, None], "xi": -minimiser[..., None], "half": True}
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "rows", "quiet")}
    own = {**params, "client_weights": share, **constants}
    return Instance("quadratic", {**data, "law": "none"}, "aggregation", own)
