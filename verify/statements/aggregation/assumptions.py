"""Assumptions A1 to A4: which losses meet them, and on which domain all four hold at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim import (
    Array,
    Family,
    Hypothesis,
    Instance,
    Real,
    Shape,
    Sides,
    Terms,
    statement,
)
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.symbols import CURVATURE
from verify.world.world import World

A2, A4 = "Assumption A2", "Assumption A4"
_POINT = Real(-4, 4, unit=(0, 1), per=("d",))
POINTS = {"point": _POINT, "shift": _POINT}
AT_POINTS = runs(
    size(1, 1, 1, "fedavg", quiet=True),
    size(2, 1, 1, "fedavg", quiet=True, d=2),
    extra=POINTS,
    about="quadratics at any two points",
)
NOISY = runs(size(2, 1, 1, "fedavg"), extra=POINTS, about="quadratics with two-point noise")


def _logistic(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Labels 1 and -1 in turn."""
    features = values["features"]
    one = 1 + 0 * features[..., 0]
    signs = xp.stack([(-1) ** j * one[..., j] for j in range(int(shape["n"]))], -1)
    data = {"X": features, "y": signs, **{k: values[k] for k in ("optimum", "height", "ridge")}}
    return Instance("logistic", data, None, {k: values[k] for k in POINTS})


TABLES = Family(
    {
        "features": Real(1 / 4, 4, unit=(0, -1), log=True, per=("N", "n", "d")),
        "optimum": Real(-2, 2, unit=(0, 1), per=("N", "d")),
        "height": Real(1 / 4, 4, unit=(1, 0), log=True, per=("N",)),
        "ridge": CURVATURE,
        **POINTS,
    },
    ({"N": 1, "n": 1, "d": 1}, {"N": 2, "n": 2, "d": 1}),
    _logistic,
    "regularised logistic regression at any two points",
)
"""With known minimisers."""

# -- A1, A2 and A3 at points -------------------------------------------------------------------


def _tangent(w: World) -> Terms:
    slope = xp.dot(w.problem.gradients(w.point), w.shift[..., None, :])
    return {"F_i(w)": w.problem.losses(w.point), "slope": slope}


def _after(w: World) -> Terms:
    return {"F_i(v)": w.problem.losses(w.point + w.shift)}


def _above(w: World) -> tuple[Terms, Array]:
    """Loss at v above the tangent at w, and |v - w|^2."""
    slope = xp.dot(w.problem.gradients(w.point), w.shift[..., None, :])
    rise = w.problem.losses(w.point + w.shift) - w.problem.losses(w.point)
    return {"above the tangent": rise - slope}, xp.squared_norm(w.shift)[..., None]


@statement(
    "aggregation.A1/quadratic",
    where="Assumption A1",
    kind="assumption",
    title="smoothness",
    latex=r"F_i(v)\le F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac L2\|v-w\|^2",
    family=AT_POINTS,
    note="Tight along the steepest axis of the steepest client.",
)
def smooth(w: World) -> Sides:
    curve = w.beta * xp.squared_norm(w.shift) / 2
    return _after(w), {**_tangent(w), "L/2 |v-w|^2": curve[..., None]}


@smooth.like(
    "aggregation.A1/logistic",
    latex=smooth.latex,
    family=TABLES,
    note="Tight where all margins vanish.",
)
def smooth_logistic(w: World) -> Sides:
    above, square = _above(w)
    return above, {"L/2 |v-w|^2": w.beta[..., None] * square / 2}


@statement(
    "aggregation.A2/quadratic",
    where=A2,
    kind="assumption",
    title="strong convexity",
    latex=r"F_i(v)\ge F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac\mu2\|v-w\|^2",
    relation=">=",
    family=AT_POINTS,
    note="Tight along the flattest axis of the flattest client.",
)
def convex(w: World) -> Sides:
    curve = w.mu * xp.squared_norm(w.shift) / 2
    return _after(w), {**_tangent(w), "mu/2 |v-w|^2": curve[..., None]}


@convex.like(
    "aggregation.A2/logistic",
    latex=convex.latex,
    family=TABLES,
    note="Tight far out, where the logistic part is a straight line.",
)
def convex_logistic(w: World) -> Sides:
    above, square = _above(w)
    return above, {"mu/2 |v-w|^2": w.mu[..., None] * square / 2}


@statement(
    "aggregation.A3/quadratic",
    where="Assumption A3",
    kind="assumption",
    title="bounded variance",
    latex=r"\mathbb E\|g_i(w)-\nabla F_i(w)\|^2\le\sigma^2",
    family=NOISY,
    note="Additive noise has one variance everywhere.",
)
def variance(w: World) -> Sides:
    left = {"E|g - grad F|^2": w.problem.gradient_variance(w.point)}
    return left, {"sigma^2": xp.largest(w.sigma2)[..., None]}


@variance.like(
    "aggregation.A3/logistic",
    latex=variance.latex,
    family=TABLES,
    note="A row's gradient is at most a |x| long, so one sigma^2 serves all of R^d.",
)
def variance_logistic(w: World) -> Sides:
    return {"E|g - grad F|^2": w.problem.gradient_variance(w.point)}, {"sigma^2": w.sigma2}


# -- A4 ----------------------------------------------------------------------------------------

RUNS = runs(
    *(size(2, 2, e, rule) for e in (1, 2) for rule in ("fixed", "fedmax")),
    size(2, 2, 2, "fixed", quiet=True, d=2),
    size(3, 3, 3, "fixed", quiet=True),
    paced=True,
)
NO_LONGER = [
    Hypothesis(
        "steps at most 1/L",
        r"\eta_t\le\frac1L\text{ for all }t",
        lambda w: 1 - w.beta[..., None] * w.step_sizes,
    ),
]


def _slope_at_best(w: World) -> Array:
    """max |grad F_i(w*)|, (B, 1)."""
    return xp.largest(xp.sqrt(xp.squared_norm(w.problem.gradients(q.best(w)))))


def _radius(w: World) -> Array:
    """max(|w_0 - w*|, (max |grad F_i(w*)| + s)/mu) with s the largest length of the noise."""
    problem: Any = w.problem
    values = problem.noise_support()[0] * problem.noise_scale[..., None]
    longest = xp.largest(xp.largest(xp.absolute(values)))
    start = xp.sqrt(xp.squared_norm(w.start - q.best(w)))
    return xp.maximum(start, (_slope_at_best(w) + longest) / w.mu)


@statement(
    "aggregation.A4.refined/reach",
    where=A4,
    kind="assumption",
    family=RUNS,
    over="path",
    title="the domain that runs can reach",
    given=NO_LONGER,
    defines=q.FREE,
    latex=r"\|w_t^i-w^\star\|\le r=\max\Bigl(\|w_0-w^\star\|,\frac{\max\|\nabla F_i(w^\star)\|+s}\mu\Bigr)",
    note="""Every local model stays in the ball about w* of radius r = max(|w_0 - w*|, (g + s)/mu),
    g the largest |grad F_i(w*)| and s the largest length of the noise; steps of at most 1/L.""",
    proof="""A gradient step of size eta <= 1/L on F_i brings two points nearer by 1 - eta mu, and
    moves w* by at most eta g; so |w_{t+1}^i - w*| <= (1 - eta mu)|w_t^i - w*| + eta (g + s), at
    most r if |w_t^i - w*| is; averages stay in the ball.""",
)
def reach(w: World) -> Sides:
    models = w.run().models - q.best(w)[..., None, None, :]
    return {"|w_t^i - w*|": xp.sqrt(xp.squared_norm(models))}, {"r": _radius(w)[..., None, None]}


@reach.like(
    "aggregation.A4.refined/level",
    title="a bound of the second moment there",
    latex=r"G^2=\bigl(\max\|\nabla F_i(w^\star)\|+Lr\bigr)^2+\sigma^2",
    note="G^2 = (g + L r)^2 + sigma^2 serves in A4 at every point that the run can reach.",
    proof="|grad F_i(w)| <= |grad F_i(w*)| + L |w - w*| on the ball of the first part.",
)
def level(w: World) -> Sides:
    slope = _slope_at_best(w) + w.beta * _radius(w)
    return {"G^2 of the run": w.G2}, {"(g + L r)^2": slope**2, "sigma^2": xp.largest(w.sigma2)}


@statement(
    "aggregation.A4.refined/ball",
    where=A4,
    kind="assumption",
    title="second moment on a ball",
    latex=r"\mathbb E\|g_i(w)\|^2\le L^2\|w-w_i^\star\|^2+\sigma^2",
    family=TABLES,
    note="A4 on the ball of radius r about the minimiser, r the distance of the point.",
    proof="""|grad F_i(w)| = |grad F_i(w) - grad F_i(w_i*)| <= L r, and E|g|^2 is its square plus
    the variance.""",
)
def ball(w: World) -> Sides:
    slope = xp.squared_norm(w.problem.gradients(w.point))
    right = w.beta[..., None] ** 2 * xp.squared_norm(w.point[..., None, :] - w.problem.optimum)
    moment = {"E|g|^2": slope + w.problem.gradient_variance(w.point)}
    return moment, {"(L r)^2": right, "sigma^2": w.sigma2}
