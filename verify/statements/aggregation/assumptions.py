"""Assumptions A1 to A4: which losses meet them, and on which domain all four hold at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bounds import generic as xp
from verify.claim import Array, Family, Instance, Reading, Real, Shape, Sides, Terms
from verify.statements.aggregation import (
    chain,
    corollary,
    error_free,
    proof_expansion,
    proof_recursion,
    theorem,
)
from verify.statements.aggregation import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Assumption A1 :: assumption
    A1/quadratic :: smoothness :: F_i(v)\le F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac L2\|v-w\|^2
    A1/logistic :: smoothness :: F_i(v)\le F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac L2\|v-w\|^2
Assumption A2 :: assumption
    A2/quadratic :: strong convexity :: F_i(v)\ge F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac\mu2\|v-w\|^2
    A2/logistic :: strong convexity :: F_i(v)\ge F_i(w)+\langle v-w,\nabla F_i(w)\rangle+\tfrac\mu2\|v-w\|^2
Assumption A3 :: assumption
    A3/quadratic :: bounded variance :: \mathbb E\|g_i(w)-\nabla F_i(w)\|^2\le\sigma^2
    A3/logistic :: bounded variance :: \mathbb E\|g_i(w)-\nabla F_i(w)\|^2\le\sigma^2
Assumption A4 :: assumption
    A4 :: bounded second moment :: \mathbb E\|g_i(w_t^i)\|^2\le G^2
    A4.empty :: no strongly convex loss has bounded gradients on the whole space :: 1\le0
    A4.refined/reach :: the domain that runs can reach :: \|w_t^i-w^\star\|\le r=\max\Bigl(\|w_0-w^\star\|,\frac{\max\|\nabla F_i(w^\star)\|+s}\mu\Bigr)
    A4.refined/level :: a bound of the second moment there :: G^2=\bigl(\max\|\nabla F_i(w^\star)\|+Lr\bigr)^2+\sigma^2
    A4.refined/ball :: second moment on a ball :: \mathbb E\|g_i(w)\|^2\le L^2\|w-w_i^\star\|^2+\sigma^2
given
    steps at most 1/L :: \eta_t\le\frac1L\text{ for all }t
    A2 and an unbiased gradient :: \mathbb E\|g_i(w)\|^2\ge\mu^2\|w-w_i^\star\|^2=4G^2
""")
AT_POINTS = q.runs(
    q.quiet(1, 1, 1, "fedavg"),
    q.quiet(2, 1, 1, "fedavg", d=2),
    extra=q.POINTS,
    about="quadratics at any two points",
)
NOISY = q.runs(q.size(2, 1, 1, "fedavg"), extra=q.POINTS, about="quadratics with two-point noise")


def _logistic(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Labels 1 and -1 in turn."""
    features = values["features"]
    one = 1 + 0 * features[..., 0]
    signs = xp.stack([(-1) ** j * one[..., j] for j in range(int(shape["n"]))], -1)
    data = {"X": features, "y": signs, **{k: values[k] for k in ("optimum", "height", "ridge")}}
    return Instance("logistic", data, None, {k: values[k] for k in q.POINTS})


TABLES = Family(
    {
        "features": Real(1 / 4, 4, unit=(0, -1), log=True, per=("N", "n", "d")),
        "optimum": Real(-2, 2, unit=(0, 1), per=("N", "d")),
        "height": Real(1 / 4, 4, unit=(1, 0), log=True, per=("N",)),
        "ridge": q.CURVATURE,
        **q.POINTS,
    },
    ({"N": 1, "n": 1, "d": 1}, {"N": 2, "n": 2, "d": 1}),
    _logistic,
    "regularised logistic regression at any two points",
)
"""With known minimisers."""

# -- A1, A2 and A3 at points -------------------------------------------------------------------


def _slope(w: World) -> Array:
    return xp.dot(w.problem.gradients(w.point), w.shift[..., None, :])


def _tangent(w: World) -> Terms:
    return {"F_i(w)": w.problem.losses(w.point), "slope": _slope(w)}


def _after(w: World) -> Terms:
    return {"F_i(v)": w.problem.losses(w.point + w.shift)}


def _above(w: World) -> tuple[Terms, Array]:
    """Loss at v above the tangent at w, and |v - w|^2."""
    rise = w.problem.losses(w.point + w.shift) - w.problem.losses(w.point)
    return {"above the tangent": rise - _slope(w)}, xp.squared_norm(w.shift)[..., None]


@claim("A1/quadratic", family=AT_POINTS)
def smooth(w: World) -> Sides:
    """Tight along the steepest axis of the steepest client."""
    curve = w.beta * xp.squared_norm(w.shift) / 2
    return _after(w), {**_tangent(w), "L/2 |v-w|^2": curve[..., None]}


@claim("A1/logistic", family=TABLES)
def smooth_logistic(w: World) -> Sides:
    """Tight where all margins vanish."""
    above, square = _above(w)
    return above, {"L/2 |v-w|^2": w.beta[..., None] * square / 2}


@claim("A2/quadratic", relation=">=", family=AT_POINTS)
def convex(w: World) -> Sides:
    """Tight along the flattest axis of the flattest client."""
    curve = w.mu * xp.squared_norm(w.shift) / 2
    return _after(w), {**_tangent(w), "mu/2 |v-w|^2": curve[..., None]}


@claim("A2/logistic", relation=">=", family=TABLES)
def convex_logistic(w: World) -> Sides:
    """Tight far out, where the logistic part is a straight line."""
    above, square = _above(w)
    return above, {"mu/2 |v-w|^2": w.mu[..., None] * square / 2}


@claim("A3/quadratic", family=NOISY)
def variance(w: World) -> Sides:
    """Additive noise has one variance everywhere."""
    left = {"E|g - grad F|^2": w.problem.gradient_variance(w.point)}
    return left, {"sigma^2": xp.largest(w.sigma2)[..., None]}


@claim("A3/logistic", family=TABLES)
def variance_logistic(w: World) -> Sides:
    """A row's gradient is at most a |x| long, so one sigma^2 serves all of R^d."""
    return {"E|g - grad F|^2": w.problem.gradient_variance(w.point)}, {"sigma^2": w.sigma2}


# -- A4 ----------------------------------------------------------------------------------------


@claim(
    "A4",
    readings=["range"],
    latex=lambda r: q.everywhere.latex if "space" in r else r"\mathbb E\|g_i(w_t^i)\|^2\le G^2",
    family=q.SPACE,
    over="path",
    quantifier="some",
    given=lambda r: [q.everywhere] if "space" in r else [],
    defines=q.STEPPED,
    note=lambda r: (
        "Whether a federation meets it: none does, see A4.empty."
        if "space" in r
        else """Whether a federation meets it: some do, with G^2 a bound at the local models of the
        run."""
    ),
)
def bounded(w: World, r: Reading) -> Sides:
    moment = q.far_second_moment(w) if "space" in r else q.squared_gradient(w)
    return {"E|g|^2": moment}, {"G^2": w.level**2}


@claim(
    "A4.empty",
    family=q.family(
        "mu level second_moment",
        "mu, G and the second moment at distance 2 G/mu from a minimiser",
        second_moment=Real(1 / 16, 256, unit=(2, -2), log=True),
    ),
    given=[
        claim.given("A2 and an unbiased gradient", lambda w: w.second_moment - 4 * w.level**2),
        replace(q.everywhere, rule=lambda w: w.level**2 - w.second_moment),
    ],
    empties="aggregation.A4@space",
    lift=lambda w: {"mu": w.mu, "level": w.level, "second_moment": q.far_second_moment(w)},
)
def empty(w: World) -> Sides:
    """A2 on R^d and A4 at every point of it exclude each other.

    Proof. E|g|^2 >= |grad F_i|^2 >= mu^2 r^2 at distance r from the minimiser; at r = 2 G/mu this
    is 4 G^2 > G^2."""
    return {"1": 1}, {"0": 0}


EMPTY = tuple(
    empty.variant(f"{leaf.entry}.empty", where=leaf.source.where, kind=leaf.kind, empties=leaf.key)
    for rests in (
        *(theorem.lemma2, theorem.theorem3, corollary.corollary4),
        *(error_free.eq13, error_free.eq14, chain.eq17, chain.eq19),
        *(proof_expansion.a1b_whole, proof_recursion.pre),
        *(proof_recursion.a5, proof_recursion.recursion),
    )
    for leaf in [rests.leaf("space")]
)
"""What rests on A4 at every point of the space speaks of nothing."""

# -- A4 on the domain that a run can reach -----------------------------------------------------

RUNS = q.runs(*q.short("fixed", "fedmax"), q.quiet(2, 2, 2, d=2), q.quiet(3, 3, 3), paced=True)
NO_LONGER = claim.given("steps at most 1/L", lambda w: 1 - w.beta[..., None] * w.step_sizes)


def _slope_at_best(w: World) -> Array:
    """max |grad F_i(w*)|, (B, 1)."""
    return xp.largest(xp.sqrt(xp.squared_norm(w.problem.gradients(q.best(w)))))


def _radius(w: World) -> Array:
    """max(|w_0 - w*|, (max |grad F_i(w*)| + s)/mu) with s the largest length of the noise."""
    problem: Any = w.problem
    values = problem.noise_support()[0] * problem.noise_scale[..., None]
    longest = xp.largest(xp.largest(xp.absolute(values)))
    start = xp.sqrt(q.start_distance(w))
    return xp.maximum(start, (_slope_at_best(w) + longest) / w.mu)


@claim("A4.refined/reach", family=RUNS, over="path", given=[NO_LONGER], defines=q.FREE)
def reach(w: World) -> Sides:
    """Every local model stays in the ball about w* of radius r = max(|w_0 - w*|, (g + s)/mu), g the
    largest |grad F_i(w*)| and s the largest length of the noise; steps of at most 1/L.

    Proof. A gradient step of size eta <= 1/L on F_i brings two points nearer by 1 - eta mu, and
    moves w* by at most eta g; so |w_{t+1}^i - w*| <= (1 - eta mu)|w_t^i - w*| + eta (g + s), at
    most r if |w_t^i - w*| is; averages stay in the ball."""
    models = w.run().models - q.best(w)[..., None, None, :]
    return {"|w_t^i - w*|": xp.sqrt(xp.squared_norm(models))}, {"r": _radius(w)[..., None, None]}


@claim("A4.refined/level", like=reach)
def level(w: World) -> Sides:
    """G^2 = (g + L r)^2 + sigma^2 serves in A4 at every point that the run can reach.

    Proof. |grad F_i(w)| <= |grad F_i(w*)| + L |w - w*| on the ball of the first part."""
    slope = _slope_at_best(w) + w.beta * _radius(w)
    return {"G^2 of the run": w.G2}, {"(g + L r)^2": slope**2, "sigma^2": xp.largest(w.sigma2)}


@claim("A4.refined/ball", family=TABLES)
def ball(w: World) -> Sides:
    """A4 on the ball of radius r about the minimiser, r the distance of the point.

    Proof. |grad F_i(w)| = |grad F_i(w) - grad F_i(w_i*)| <= L r, and E|g|^2 is its square plus the
    variance."""
    slope = xp.squared_norm(w.problem.gradients(w.point))
    right = w.beta[..., None] ** 2 * xp.squared_norm(w.point[..., None, :] - w.problem.optimum)
    moment = {"E|g|^2": slope + w.problem.gradient_variance(w.point)}
    return moment, {"(L r)^2": right, "sigma^2": w.sigma2}
