"""Assumptions A1 to A6: which problem families meet them, and which cannot.

A part names a family.  Where a family fails an assumption whatever its constants, the part says
that, and is a claim like any other: an explicit point beyond every bound, or an instance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim import Array, Family, Hypothesis, Instance, Real, Shape, Sides, statement
from verify.statements.adaptive import common
from verify.statements.adaptive.problems import (
    POINT,
    SHIFT,
    START,
    TRADEOFF,
    build,
    federation,
    shapes_of,
)
from verify.world.world import World

ALL = ("quadratic", "pl", "nonconvex", "streaming", "least_squares")
CONVEX = ("quadratic", "streaming", "least_squares")


def _other(w: World) -> Array:
    return w.point + w.shift


def _smooth(w: World) -> Sides:
    gap = w.problem.gradients(_other(w)) - w.problem.gradients(w.point)
    bound = w.beta**2 * xp.squared_norm(w.shift)
    return {"|difference|^2": xp.squared_norm(gap)}, {"beta^2 |shift|^2": bound[..., None]}


SMOOTH = tuple(
    statement(
        f"adaptive.A1/{kind}",
        where="Assumption A1",
        kind="assumption",
        title="smoothness",
        latex=r"\|\nabla R_i(\theta)-\nabla R_i(\theta')\|\le\beta\|\theta-\theta'\|",
        family=federation(kind, shapes_of(kind, (1, 1), (2, 2)), {**POINT, **SHIFT}),
        note="Squares of both sides. Tight along the steepest axis of the steepest client.",
    )(_smooth)
    for kind in ALL
)


def _heterogeneity(w: World) -> Sides:
    gradients = w.problem.gradients(w.point)
    own = gradients[..., :1, :]
    right = {"b^2": w.squared_bias, "c G^2": w.slope * xp.squared_norm(own)}
    return {"|difference|^2": xp.squared_norm(gradients - own)}, right


HETEROGENEITY = tuple(
    statement(
        f"adaptive.A3/{kind}",
        where="Assumption A3",
        kind="assumption",
        title="bounded heterogeneity",
        latex=r"\|\nabla R_i(\theta)-\nabla R_k(\theta)\|^2\le b_{ik}^2+c_{ik}\|\nabla R_i(\theta)\|^2",
        family=federation(kind, shapes_of(kind, (2, 1), (2, 2)), {**POINT, **TRADEOFF}),
        note="Tight on aligned clients at the point that the trade-off curve touches.",
    )(_heterogeneity)
    for kind in ALL
)


def _tangent(w: World) -> tuple[Array, Array]:
    """R(theta) and <theta' - theta, grad R(theta)>, per client."""
    slope = xp.dot(w.problem.gradients(w.point), w.shift[..., None, :])
    return w.problem.losses(w.point), slope


def _convex(w: World) -> Sides:
    value, slope = _tangent(w)
    curve = w.mu * xp.squared_norm(w.shift) / 2
    right = {"R(theta)": value, "slope": slope, "mu/2 |shift|^2": curve[..., None]}
    return {"R(theta')": w.problem.losses(_other(w))}, right


STRONGLY_CONVEX = tuple(
    statement(
        f"adaptive.A4/{kind}",
        where="Assumption A4",
        kind="assumption",
        title="strong convexity",
        latex=r"R_i(\theta')\ge R_i(\theta)+(\theta'-\theta)^\top\nabla R_i(\theta)+\tfrac\mu2\|\theta'-\theta\|^2",
        family=federation(kind, shapes_of(kind, (1, 1), (2, 2)), {**POINT, **SHIFT}),
        relation=">=",
        note="Tight along the flattest axis of the flattest client.",
    )(_convex)
    for kind in CONVEX
)

_APART = {"shift": Real(1 / 8, 4, unit=(0, 1), log=True, per=("d",))}
"""Away from the point: a strongly convex loss is above its tangent there."""


def _not_convex(w: World) -> Sides:
    value, slope = _tangent(w)
    return {"R(theta')": w.problem.losses(_other(w))}, {"R(theta)": value, "slope": slope}


NOT_CONVEX = tuple(
    statement(
        f"adaptive.A4.refined/{kind}",
        where="Assumption A4",
        kind="assumption",
        title="not strongly convex",
        quantifier="some",
        latex=r"\exists\theta'\ne\theta:\ R_i(\theta')\le R_i(\theta)+(\theta'-\theta)^\top\nabla R_i(\theta)",
        family=federation(kind, shapes_of(kind, (1, 1)), {**POINT, **_APART}),
        note="A loss that is not above its tangent at another point: no mu > 0 serves A4.",
    )(_not_convex)
    for kind in ("pl", "nonconvex")
)


def _polyak(w: World) -> Sides:
    squared = xp.squared_norm(w.problem.gradients(w.point))
    return {"|grad R|^2/2": squared / 2}, {"mu excess": w.mu[..., None] * w.problem.excess(w.point)}


POLYAK = tuple(
    statement(
        f"adaptive.A5/{kind}",
        where="Assumption A5",
        kind="assumption",
        relation=">=",
        title="Polyak-Lojasiewicz",
        latex=r"\tfrac12\|\nabla R_i(\theta)\|^2\ge\mu(R_i(\theta)-R_i(\theta_i^\star))",
        family=federation(kind, shapes_of(kind, (1, 1), (2, 2)), POINT),
        note="Tight along the flattest axis of a quadratic, near t = 2.2017 of a wavy parabola.",
    )(_polyak)
    for kind in (*CONVEX, "pl")
)


@statement(
    "adaptive.A5.refined/nonconvex",
    where="Assumption A5",
    kind="assumption",
    title="no Polyak-Lojasiewicz constant",
    latex=r"\forall\mu>0\ \exists\theta:\ \tfrac12\|\nabla R_i(\theta)\|^2\le\mu R_i(\theta)",
    family=federation(
        "nonconvex",
        shapes_of("nonconvex", (1, 1)),
        {"level": Real(1 / 64, 64, unit=(1, -2), log=True)},
    ),
    note="""R = a h(x/l) with h(t) = t^2/(1 + t^2): |grad R|^2/2 = 2a/(l^2 (1+t^2)^3) R, which is
    at most mu R at t^2 = 2a/(l^2 mu), whatever mu > 0 is asked for.""",
)
def flat(w: World) -> Sides:
    reach = w.width * xp.sqrt(2 * w.height[..., 0] / (w.width**2 * w.level))
    point = w.problem.optimum[..., 0, :] + reach[..., None]
    squared = xp.squared_norm(w.problem.gradients(point))
    excess = w.problem.excess(point)
    return {"|grad R|^2/2": squared / 2}, {"mu excess": w.level[..., None] * excess}


# -- A2 and A6: the stochastic gradients that methods really draw ------------------------------


def _one_step(kind: str, method: str, *sizes: tuple[int, int]) -> Family:
    constants = {"method": method, "rounds": 1}
    if method == "all_for_one":
        constants["weights"] = "fixed"
    shapes = tuple({**shape, **constants} for shape in shapes_of(kind, *sizes))
    # a variance next to zero would be lost in the rounding of the step that it is read off
    seen = (
        {"noise_share": Real(1 / 16, 1, per=("N",), domain=(0, 1))}
        if kind != "least_squares"
        else {}
    )
    step = {"step_size": Real(1 / 8, 8, unit=(-1, 2), log=True)}
    return federation(kind, shapes, {**START, **step, **seen}, noise=True)


def _direction(w: World) -> Array:
    """What was subtracted in the first step, per unit of step size, (B, R, d)."""
    theta = w.run().theta
    return (theta[..., 0, :] - theta[..., 1, :]) / w.step_size[..., None]


def _own(w: World) -> Array:
    return w.problem.gradients(w.start)[..., 0, :]


def _variance(w: World) -> Sides:
    gap = _direction(w) - _own(w)
    return {"|g - grad R|^2": xp.squared_norm(gap)}, {"sigma^2": w.sigma2[..., 0]}


BOUNDED_VARIANCE = tuple(
    statement(
        f"adaptive.A2/{kind}",
        where="Assumption A2",
        kind="assumption",
        title="bounded variance",
        latex=r"\mathbb V[g_i^t(\theta)]\le\sigma_i^2",
        over="mean",
        family=_one_step(kind, "local", (1, 1), (1, 2)),
        note="E|g - grad R|^2 of the gradient that Local draws. Tight where the claim sigma is.",
    )(_variance)
    for kind in ("quadratic", "pl", "nonconvex")
)

_LEVEL = {"level": Real(1 / 4, 64, unit=(1, -1), log=True)}


@statement(
    "adaptive.A2.refined/streaming",
    where="Assumption A2",
    kind="assumption",
    title="no bound serves all points",
    latex=r"\forall B\ \exists\theta:\ \mathbb V[g_i(\theta)]\ge B^2",
    family=federation("streaming", shapes_of("streaming", (1, 1)), _LEVEL),
    note="In one dimension the variance is 8 H^2 e^2/b at distance e; e = level/(2H), b = 2.",
)
def far_streaming(w: World) -> Sides:
    distance = w.level / (2 * w.H[..., 0, 0, 0])
    point = w.problem.optimum[..., 0, :] + distance[..., None]
    return {"B^2": w.level**2}, {"variance": w.problem.gradient_variance(point)[..., 0]}


def _unlabelled(values: Mapping[str, Any], shape: Shape) -> Instance:
    return build("least_squares", {**values, "labels": 0 * values["features"][..., 0]}, shape)


_ROWS = federation("least_squares", shapes_of("least_squares", (1, 1)), _LEVEL)


@far_streaming.like(
    "adaptive.A2.refined/rows",
    latex=far_streaming.latex,
    family=Family(
        {k: _ROWS.box[k] for k in ("features", "level")},
        _ROWS.shapes,
        _unlabelled,
        "least squares on two rows without labels",
    ),
    given=[
        Hypothesis(
            "rows differ",
            r"x\ne x'",
            lambda w: (w.X[..., 0, 0, 0] - w.X[..., 0, 1, 0]) ** 2,
            strict=True,
        )
    ],
    note="Two rows x, x' without labels: the variance is (x^2 - x'^2)^2 theta^2.",
)
def far_rows(w: World) -> Sides:
    distance = w.level / xp.absolute(w.X[..., 0, 0, 0] ** 2 - w.X[..., 0, 1, 0] ** 2)
    variance = w.problem.gradient_variance(distance[..., None])[..., 0]
    return {"B^2": w.level**2}, {"variance": variance}


@statement(
    "adaptive.A2.refined/ball",
    where="Assumption A2",
    kind="assumption",
    title="a bound on every ball",
    latex=r"\mathbb V[g_i(\theta)]\le\tfrac4b(\operatorname{tr}H_i+\|H_i\|)\|H_i\|\,\|\theta-\theta_i^\star\|^2",
    family=federation("streaming", shapes_of("streaming", (1, 1), (2, 2)), POINT),
    note="4/b (tr H + lambda_max) lambda_max |e|^2 at distance |e|. Tight along the steepest axis.",
)
def ball(w: World) -> Sides:
    top = xp.largest_eigenvalue(w.H)
    trace = xp.total(xp.total(w.H * xp.eye(w.H.shape[-1], w.H)))
    reach = xp.squared_norm(w.point[..., None, :] - w.problem.optimum)
    bound = 4 * (trace + top) * top * reach / w.problem.option("batch")
    return {"variance": w.problem.gradient_variance(w.point)}, {"4/b (tr H + l) l |e|^2": bound}


NOISY = ("quadratic", "pl", "nonconvex", "least_squares")


def _mean(w: World) -> Sides:
    return {"g": _direction(w)[..., 0]}, {"grad R": _own(w)[..., 0]}


UNBIASED = tuple(
    statement(
        f"adaptive.A6/unbiased-{kind}",
        where="Assumption A6",
        kind="assumption",
        title="unbiased oracle",
        latex=r"\mathbb E[g_k^t(\theta)]=\nabla R_k(\theta)",
        relation="==",
        over="mean",
        family=_one_step(kind, "local", (1, 1)),
        note="E g = grad R, from the gradient that Local draws, in one dimension.",
    )(_mean)
    for kind in NOISY
)


def _ones(w: World) -> Array:
    like = xp.ones_like(w.problem.optimum[..., :1, :1])
    return like + 0 * xp.eye(w.problem.clients, w.problem.optimum)


def _independent(w: World) -> Sides:
    gap = _direction(w) - xp.total(w.problem.gradients(w.start), axis=-2)
    variances = xp.total(w.problem.gradient_variance(w.start))
    return {"|sum of g - grad R|^2": xp.squared_norm(gap)}, {"sum of variances": variances}


INDEPENDENT = tuple(
    statement(
        f"adaptive.A6/independent-{kind}",
        where="Assumption A6",
        kind="assumption",
        over="mean",
        title="independent oracles",
        relation="==",
        latex=r"\mathbb V\bigl[\textstyle\sum_kg_k\bigr]=\sum_k\mathbb V[g_k]",
        family=_one_step(kind, "all_for_one", (2, 1)),
        defines={"weight_matrix": _ones},
        note="The variance of the sum of all clients' gradients is the sum of their variances.",
    )(_independent)
    for kind in NOISY
)


@statement(
    "adaptive.A6/measurable",
    where="introduction, Definition 1",
    kind="assumption",
    title="weights are functions of the last model",
    relation="==",
    over="path",
    latex=r"\alpha_{ik}^t=\phi(r_{ik}(\theta_i^{t-1}))(\sigma_{i,\psi}(\theta_i^{t-1})/\sigma_k)^2",
    family=common.run_family((2, 1, 1), (2, 1, 2), (2, 2, 2)),
    given=[common.own_gradients],
    defines=common.CONSTANT_STEP,
    note="""The weights that a run uses in round t are Definition 1 at theta^{t-1}, on every
    outcome.""",
)
def weights_of_last_model(w: World) -> Sides:
    return {"weights used": w.run().weights}, {"Definition 1 at theta": common.on_path(w).alpha}
