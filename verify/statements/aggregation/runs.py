"""Families of runs on quadratic federations.

Three of them have exact solutions. A resting or a periodic run shows all that it ever will, so that
a minimum over all times is known. In a returning one every round ends where it began, at the
minimiser of F, and leaves it in between. In a turned one an iteration brings the model nearer to
the minimiser of F, where the client that has all the weight is served best.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import inf
from typing import Any

from bounds import generic as xp
from verify.claim import QUADRATIC_BOX, Array, Family, Instance, Real, Shape, quadratic_data
from verify.statements.aggregation.quantities import normalised
from verify.statements.aggregation.symbols import CURVATURE, LENGTH

_NOISE = ("sigma", "noise_share", "skew")
_DATA = ("curvature", *_NOISE, "optimum")
_PACE = {"pace": Real(2.0**-12, 8, log=True, per=("rounds",))}
"""Step sizes of every iteration as multiples of 1/(4L); any positive numbers."""
RUN_BOX = {
    **{k: QUADRATIC_BOX[k] for k in ("curvature", *_NOISE, "start", "optimum")},
    "share": Real(1 / 4096, 1, log=True, per=("N",)),
    "temperature": Real(1 / 16, 16, unit=(1, 0), log=True),
    "raw": Real(1 / 256, 1, log=True, per=("rows", "N")),
    **_PACE,
}
UNITS = {"client_weights": (0, 0), "coefficients": (0, 0)}


def size(n: int, rounds: int, steps: int, rule: str, **more: Any) -> Shape:
    """Shape of a run: clients, iterations, local steps, rule, and the iteration looked at.

    The rule ``fixed`` has any weights in every round, ``steady`` the same ones in all.
    """
    base = {"N": n, "d": 1, "rounds": rounds, "local_steps": steps, "rule": rule}
    rows = {"rows": rounds // steps + 2, "at": rounds - 1, "timing": "algorithm"}
    return {**base, **rows, **more}


def runs(
    *shapes: Shape,
    about: str = "",
    shared: bool = False,
    alike: bool = False,
    paced: bool = False,
    extra: Mapping[str, Real] | None = None,
) -> Family:
    """Runs on quadratic federations.

    ``shared`` gives all clients one minimiser (Gamma = 0), ``alike`` one loss; ``paced`` means that
    any step sizes are tried, which `free_steps` reads.
    """
    text = about or "aligned quadratics, two-point noise, all outcomes enumerated"
    idle = set() if any(s["rule"] in ("fixed", "steady") for s in shapes) else {"raw"}
    idle |= set() if any(s["rule"] == "fedsoftmax" for s in shapes) else {"temperature"}
    idle |= set(_NOISE) if all(s.get("quiet") for s in shapes) else set()
    idle |= set() if paced else {"pace"}
    box = {k: v for k, v in {**RUN_BOX, **(extra or {})}.items() if k not in idle}
    return Family(box, shapes, partial(_build, shared or alike, alike), text, UNITS)


def section2(*shapes: Shape) -> tuple[Shape, ...]:
    """The shapes with models aggregated where eq. 2 says so."""
    return tuple({**shape, "timing": "equation"} for shape in shapes)


def _build(shared: bool, alike: bool, values: Mapping[str, Any], shape: Shape) -> Instance:
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
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "rows", "quiet")}
    params = {k: v for k, v in values.items() if k not in (*_DATA, "share", "raw")}
    params["client_weights"] = normalised(values["share"])
    if "raw" in values:
        rows = values["raw"]
        if shape["rule"] == "steady":
            constants["rule"] = "fixed"
            rows = xp.stack([rows[..., 0, :]] * int(shape["rows"]), -2)
        params["coefficients"] = normalised(rows)
    return Instance("quadratic", data, "aggregation", {**params, **constants})


# -- runs that repeat --------------------------------------------------------------------------

_REPEATED = {
    **{k: RUN_BOX[k] for k in ("curvature", "optimum", "share")},
    "row": Real(1 / 256, 1, log=True, per=("N",)),
}


def periodic(*shapes: Shape) -> Family:
    """Runs without noise whose rounds are all the same: weights and steps of one round repeat, and
    it ends where it began.

    A round of quadratics is an affine map w -> sum alpha_i (o_i + q_i (w - o_i)), q_i the product
    of 1 - a_i eta over its steps; it begins at the fixed point. Where eq. 2 names the times, the
    first iteration leads to that point, and the rounds follow.
    """
    about = "runs that repeat their first round for ever, no noise"
    return Family(
        {**_REPEATED, "pace": Real(2.0**-12, 8, log=True, per=("local_steps",))},
        shapes,
        _periodic,
        about,
        UNITS,
    )


def _periodic(values: Mapping[str, Any], shape: Shape) -> Instance:
    curvature, minimiser = values["curvature"][..., 0], values["optimum"][..., 0]
    count, rounds = int(shape["local_steps"]), int(shape["rounds"])
    weights, pace = normalised(values["row"]), values["pace"]
    eta = pace / (4 * xp.largest(curvature)[..., None])
    kept = 0 * curvature + 1
    for s in range(count):
        kept = kept * (1 - curvature * eta[..., s, None])
    point = xp.total(weights * (1 - kept) * minimiser) / xp.total(weights * (1 - kept))
    if shape["timing"] == "equation":
        # w_1 = sum alpha (w_0 - eta_0 a (w_0 - o)) is the fixed point
        first = eta[..., 0] * xp.total(weights * curvature)
        pulled = eta[..., 0] * xp.total(weights * curvature * minimiser)
        point = (point - pulled) / (1 - first)
    params = {
        "start": point[..., None],
        "pace": xp.stack([pace[..., t % count] for t in range(rounds)], -1),
        "coefficients": xp.stack([weights] * int(shape["rows"]), -2),
    }
    return quiet_run(curvature, minimiser, params, normalised(values["share"]), shape)


def resting(*shapes: Shape) -> Family:
    """Runs with one local step and without noise that start where sum alpha_i F_i is least: with
    the same weights in every round they never leave, whatever the steps, and T may be any number.
    """
    about = "runs that never leave their start, no noise, any horizon"
    horizon = Real(1, 4096, log=True)
    return Family({**_REPEATED, "horizon": horizon}, shapes, _resting, about, UNITS)


def _resting(values: Mapping[str, Any], shape: Shape) -> Instance:
    curvature, minimiser = values["curvature"][..., 0], values["optimum"][..., 0]
    weights = normalised(values["row"])
    pull = weights * curvature
    params = {
        "start": (xp.total(pull * minimiser) / xp.total(pull))[..., None],
        "horizon": values["horizon"],
        "coefficients": xp.stack([weights] * int(shape["rows"]), -2),
    }
    return quiet_run(curvature, minimiser, params, normalised(values["share"]), shape)


# -- rounds that return ------------------------------------------------------------------------

_RETURNING = {
    "slow": CURVATURE,
    "factor": Real(1, 4, domain=(1, inf)),
    "own": CURVATURE,
    "reach": LENGTH,
    "rare": Real(2.0**-48, 1 / 4, log=True, domain=(0, 1)),
}


def returning(rounds: int, at: int) -> Family:
    """Three clients, two of them rare with weight, and two-step rounds with the steps of Corollary
    4, looked at before iteration ``at``.

    The rare ones are equally badly served at the minimiser of F, where every round ends, so that
    rho is the same in all of them.
    """
    about = "a client of large share at rest, two rare ones that pull to either side"
    shape = size(3, rounds, 2, "fixed", quiet=True, at=at)
    return Family(_RETURNING, (shape,), _returning, about, UNITS)


def _returning(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Curvatures a k^2 and a, minimisers at r and -k r: equal losses at 0, opposite slopes there
    that p balances."""
    slow, factor, reach, rare = (values[k] for k in ("slow", "factor", "reach", "rare"))
    curvature = xp.stack([values["own"], slow * factor**2, slow], -1)
    minimiser = xp.stack([0 * reach, reach, -factor * reach], -1)
    share = xp.stack([1 - rare, rare / (1 + factor), rare * factor / (1 + factor)], -1)
    steep, flat = xp.largest(curvature), xp.smallest(curvature)
    pace = [4 * steep / (flat * t + 4 * steep) for t in range(int(shape["rounds"]))]
    rows = _returning_rows(curvature, minimiser, shape)
    params = {"start": 0 * reach[..., None], "coefficients": rows, "pace": xp.stack(pace, -1)}
    return quiet_run(curvature, minimiser, params, share, shape)


def _returning_rows(curvature: Array, minimiser: Array, shape: Shape) -> Array:
    """Weights (0, u, 1 - u) with which every round ends where it began, (..., rows, 3).

    From 0 the rare clients get to o_1 (1 - prod(1 - a_1 eta)) and o_2 (1 - prod(1 - a_2 eta)), on
    either side; u balances the two.
    """
    low, high = xp.smallest(curvature)[..., None], xp.largest(curvature)[..., None]
    count, rows = int(shape["local_steps"]), []
    for first in range(0, int(shape["rows"]) * count, count):
        left = 0 * curvature + 1
        for t in range(first, first + count):
            left = left * (1 - curvature / (low * t + 4 * high))
        moved = xp.absolute(minimiser * (1 - left))
        share = moved[..., 2] / (moved[..., 1] + moved[..., 2])
        rows.append(xp.stack([0 * share, share, 1 - share], -1))
    return xp.stack(rows, -2)


# -- weights that turn away --------------------------------------------------------------------

_TURNED = {
    "floor": CURVATURE,
    "factor": Real(1, 2.0**14, log=True),
    "behind": LENGTH,
    "ahead": LENGTH,
    "chosen": Real(1 / 64, 1 / 2, log=True, domain=(0, 1)),
}


def turned(*shapes: Shape) -> Family:
    """Three clients, all weight on one whose minimiser is that of F."""
    about = "all weight on a client whose minimiser is that of F, the start on a steep client's"
    return Family(_TURNED, shapes, _turned, about, UNITS)


def _turned(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Minimisers 0, -b and s with curvatures m, m and k m; the run begins at s."""
    floor, factor, behind, ahead = (values[k] for k in ("floor", "factor", "behind", "ahead"))
    curvature = xp.stack([floor, floor, floor * factor], -1)
    minimiser = xp.stack([0 * ahead, -behind, ahead], -1)
    other = (1 - values["chosen"]) / (1 + behind / (factor * ahead))
    share = xp.stack([values["chosen"], other, 1 - values["chosen"] - other], -1)
    row = xp.stack([1 + 0 * ahead, 0 * ahead, 0 * ahead], -1)
    more = {"start": ahead[..., None], "coefficients": xp.stack([row] * int(shape["rows"]), -2)}
    return quiet_run(curvature, minimiser, more, share, shape)


def quiet_run(
    curvature: Array, minimiser: Array, params: Mapping[str, Any], share: Array, shape: Shape
) -> Instance:
    """A run on parabolas without noise."""
    data = {"A": curvature[..., None, None], "xi": -minimiser[..., None], "half": True}
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "rows", "quiet")}
    own = {**params, "client_weights": share, **constants}
    return Instance("quadratic", {**data, "law": "none"}, "aggregation", own)
