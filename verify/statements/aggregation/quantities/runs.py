"""Families of runs on quadratic federations.

Some have exact solutions. A resting or a periodic run shows all that it ever will, so that a
minimum over all times is known, and so does one whose weights are p from some round on: every rho
is one then, and without noise its local models stay between its last ones and the minimisers. In a
returning run every round ends where it began, at the minimiser of F, and leaves it in between. In a
turned one an iteration brings the model nearer to the minimiser of F, where the client that has all
the weight is served best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import inf
from typing import Any

from bounds import generic as xp
from verify.claim import QUADRATIC_BOX, Array, Family, Instance, Real, Shape, quadratic_data
from verify.claim.parameters import Build
from verify.statements.aggregation.quantities.free import CURVATURE, LENGTH
from verify.statements.aggregation.quantities.measures import normalised

_NOISE = ("sigma", "noise_share", "skew")
_DATA = ("curvature", *_NOISE, "optimum", "share", "raw")
RUN_BOX = {
    **{k: QUADRATIC_BOX[k] for k in ("curvature", *_NOISE, "start", "optimum")},
    "share": Real(1 / 4096, 1, log=True, per=("N",)),
    "temperature": Real(1 / 16, 16, unit=(1, 0), log=True),
    "raw": Real(1 / 256, 1, log=True, per=("rows", "N")),
    "pace": Real(2.0**-12, 8, log=True, per=("rounds",)),
}
"""The pace gives the step sizes of every iteration as multiples of 1/(4L); any positive numbers."""
_POINT = Real(-4, 4, unit=(0, 1), per=("d",))
POINTS = {"point": _POINT, "shift": _POINT}
"""Two points, the second by its distance from the first."""
UNITS = {"client_weights": (0, 0), "coefficients": (0, 0)}


def size(n: int, rounds: int, steps: int, rule: str, **more: Any) -> Shape:
    """Shape of a run: clients, iterations, local steps, rule, and the iteration looked at.

    The rule ``fixed`` has any weights in every round, ``steady`` the same ones in all.
    """
    base = {"N": n, "d": 1, "rounds": rounds, "local_steps": steps, "rule": rule}
    rows = {"rows": rounds // steps + 2, "at": rounds - 1, "timing": "algorithm"}
    return {**base, **rows, **more}


def quiet(n: int, rounds: int, steps: int, rule: str = "fixed", **more: Any) -> Shape:
    """The same without noise."""
    return size(n, rounds, steps, rule, quiet=True, **more)


def short(*rules: str, **more: Any) -> tuple[Shape, ...]:
    """Two clients and two iterations under each rule, in rounds of one local step and of two."""
    return tuple(size(2, 2, e, rule, **more) for e in (1, 2) for rule in rules)


def section2(*shapes: Shape) -> tuple[Shape, ...]:
    """The shapes with models aggregated where eq. 2 says so."""
    return tuple({**shape, "timing": "equation"} for shape in shapes)


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
    params = {k: v for k, v in values.items() if k not in _DATA}
    if "raw" in values:
        rows = values["raw"]
        if shape["rule"] == "steady":
            rows, shape = _always(rows[..., 0, :], shape), {**shape, "rule": "fixed"}
        params["coefficients"] = normalised(rows)
    return _instance(data, params, normalised(values["share"]), shape)


def _instance(
    data: Mapping[str, Any], params: Mapping[str, Any], share: Array, shape: Shape
) -> Instance:
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "rows", "quiet")}
    own = {**params, "client_weights": share, **constants}
    return Instance("quadratic", data, "aggregation", own)


def _always(weights: Array, shape: Shape) -> Array:
    """The same weights in every round, (..., rows, N)."""
    return xp.stack([weights] * int(shape["rows"]), -2)


def _parabolas(
    curvature: Array, minimiser: Array, share: Array, shape: Shape, **params: Any
) -> Instance:
    """A run on parabolas without noise."""
    data = {"A": curvature[..., None, None], "xi": -minimiser[..., None], "half": True}
    return _instance({**data, "law": "none"}, params, share, shape)


def _solved(build: Build, about: str, names: str, **others: Real) -> Callable[..., Family]:
    """What makes a family of such runs, of their shapes; with ranges of any run or their own."""
    box = {name: {**_SOLVED, **others}[name] for name in names.split()}
    return lambda *shapes: Family(box, shapes, build, about, UNITS)


_SOLVED = {
    **RUN_BOX,
    "row": Real(1 / 256, 1, log=True, per=("N",)),
    **dict.fromkeys(("slow", "own", "floor"), CURVATURE),
    **dict.fromkeys(("reach", "behind", "ahead"), LENGTH),
}

# -- runs that repeat --------------------------------------------------------------------------


def _periodic(values: Mapping[str, Any], shape: Shape) -> Instance:
    """The weights and steps of one round repeat, and it ends where it began.

    A round of quadratics is an affine map w -> sum alpha_i (o_i + q_i (w - o_i)), q_i the product
    of 1 - a_i eta over its steps; it begins at the fixed point. Where eq. 2 names the times, the
    first iteration leads to that point, and the rounds follow.
    """
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
    paces, rows = [pace[..., t % count] for t in range(rounds)], _always(weights, shape)
    more = {"start": point[..., None], "pace": xp.stack(paces, -1), "coefficients": rows}
    return _parabolas(curvature, minimiser, normalised(values["share"]), shape, **more)


def _resting(values: Mapping[str, Any], shape: Shape) -> Instance:
    """With one local step a run that starts where sum alpha_i F_i is least, the same weights in
    every round, never leaves, whatever the steps, and T may be any number."""
    curvature, minimiser = values["curvature"][..., 0], values["optimum"][..., 0]
    weights = normalised(values["row"])
    pull = weights * curvature
    start = (xp.total(pull * minimiser) / xp.total(pull))[..., None]
    more = {"start": start, "horizon": values["horizon"], "coefficients": _always(weights, shape)}
    return _parabolas(curvature, minimiser, normalised(values["share"]), shape, **more)


def _settling(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Any weights in the rounds that are seen and p in all later ones."""
    share = normalised(values["share"])
    seen = int(shape["rounds"]) // int(shape["local_steps"])
    rows = [normalised(values["raw"][..., r, :]) for r in range(seen)]
    rows += [share] * (int(shape["rows"]) - seen)
    more = {"start": values["start"], "coefficients": xp.stack(rows, -2)}
    curvature, minimiser = values["curvature"][..., 0], values["optimum"][..., 0]
    return _parabolas(curvature, minimiser, share, shape, **more)


periodic = _solved(
    _periodic,
    "runs that repeat their first round for ever, no noise",
    "curvature optimum share row pace",
    pace=Real(2.0**-12, 8, log=True, per=("local_steps",)),
)
resting = _solved(
    _resting,
    "runs that never leave their start, no noise, any horizon",
    "curvature optimum share row horizon",
    horizon=Real(1, 4096, log=True),
)
_settled = _solved(
    _settling,
    "any weights in the first rounds, those of FedAvg for ever after, no noise",
    "curvature optimum start share raw",
)


def settling(*shapes: Shape) -> Family:
    """The family, whose shapes say what the later weights are."""
    return _settled(*({**shape, "later": "p"} for shape in shapes))


# -- rounds that return ------------------------------------------------------------------------


def _returning(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Three clients, two of them rare with weight, and the steps of Corollary 4.

    Curvatures a k^2 and a, minimisers at r and -k r: equal losses at 0, where every round ends, so
    that rho is the same in all of them, and opposite slopes there that p balances.
    """
    slow, factor, reach, rare = (values[k] for k in ("slow", "factor", "reach", "rare"))
    curvature = xp.stack([values["own"], slow * factor**2, slow], -1)
    minimiser = xp.stack([0 * reach, reach, -factor * reach], -1)
    share = xp.stack([1 - rare, rare / (1 + factor), rare * factor / (1 + factor)], -1)
    steep, flat = xp.largest(curvature), xp.smallest(curvature)
    pace = [4 * steep / (flat * t + 4 * steep) for t in range(int(shape["rounds"]))]
    rows = _returning_rows(curvature, minimiser, shape)
    more = {"start": 0 * reach[..., None], "coefficients": rows, "pace": xp.stack(pace, -1)}
    return _parabolas(curvature, minimiser, share, shape, **more)


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


returning = _solved(
    _returning,
    "a client of large share at rest, two rare ones that pull to either side",
    "slow factor own reach rare",
    factor=Real(1, 4, domain=(1, inf)),
    rare=Real(2.0**-48, 1 / 4, log=True, domain=(0, 1)),
)

# -- a first model that no rho sees ------------------------------------------------------------


def _leaving(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Three clients and long rounds with the steps of Corollary 4, times as in eq. 2.

    Curvatures k a, 4 a and a, minimisers 0, r and -2 r: equal losses at 0, balanced by p. The first
    aggregation carries the model off the minimiser of F, the client of large share and curvature
    brings it back before rho is taken again, and in all later rounds the weights of the rare
    clients balance, so that their first model is that minimiser.  What is left of the first one at
    the end of a round of 32 steps is at least 2^-24 of the reach, and later rounds end within 2
    rare times the reach: no later rho is less than the second.
    """
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
    more = {"start": 0 * reach[..., None], "coefficients": xp.stack(rows, -2)}
    return _parabolas(curvature, minimiser, share, shape, **more)


leaving = _solved(
    _leaving,
    "a model that is off the minimiser of F for a round and back at its end, no noise",
    "slow reach ratio rare",
    ratio=Real(16, 256, log=True, domain=(16, 256)),
    rare=Real(2.0**-60, 2.0**-40, log=True, domain=(0, 2.0**-40)),
)

# -- weights that turn away --------------------------------------------------------------------


def _turned(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Three clients, all weight on one whose minimiser is that of F.

    Minimisers 0, -b and s with curvatures m, m and k m; the run begins at s.
    """
    floor, factor, behind, ahead = (values[k] for k in ("floor", "factor", "behind", "ahead"))
    curvature = xp.stack([floor, floor, floor * factor], -1)
    minimiser = xp.stack([0 * ahead, -behind, ahead], -1)
    other = (1 - values["chosen"]) / (1 + behind / (factor * ahead))
    share = xp.stack([values["chosen"], other, 1 - values["chosen"] - other], -1)
    row = xp.stack([1 + 0 * ahead, 0 * ahead, 0 * ahead], -1)
    more = {"start": ahead[..., None], "coefficients": _always(row, shape)}
    return _parabolas(curvature, minimiser, share, shape, **more)


turned = _solved(
    _turned,
    "all weight on a client whose minimiser is that of F, the start on a steep client's",
    "floor factor behind ahead chosen",
    factor=Real(1, 2.0**14, log=True),
    chosen=Real(1 / 64, 1 / 2, log=True, domain=(0, 1)),
)
