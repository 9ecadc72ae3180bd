"""Assumptions A1 to A6: which problem families meet them, and which cannot.

A part names a family.  Where a family fails an assumption whatever its constants, the part says
that, and is a claim like any other: an explicit point beyond every bound, or an instance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bounds import generic as xp
from verify.claim import Array, Family, Hypothesis, Instance, Real, Shape
from verify.claim.statement import Rule, Sides, Statement, Terms, statement
from verify.statements.adaptive import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Assumption A5 :: assumption
    A5.refined/nonconvex :: no Polyak-Lojasiewicz constant
Assumption A2 :: assumption
    A2.refined/streaming :: no bound serves all points
    A2.refined/ball :: a bound on every ball
introduction, Definition 1 :: assumption
    A6/measurable :: weights are functions of the last model
""")

CONVEX = ("quadratic", "streaming", "least_squares")
ALL = ("quadratic", "pl", "nonconvex", "streaming", "least_squares")
NOISY = ("quadratic", "pl", "nonconvex", "least_squares")
_ONE, _TWO = ((1, 1),), ((1, 1), (2, 2))
_Sizes = tuple[tuple[int, int], ...]


def _each(
    key: str, kinds: Iterable[str], family: Callable[[str], Family], title: str, **record: Any
) -> Callable[[Rule], tuple[Statement, ...]]:
    """Decorator: one claim on several kinds of problems, each a part of the entry."""
    said = {"kind": "assumption", "where": f"Assumption {key[:2]}", "title": title, **record}

    def made(kind: str) -> Callable[[Rule], Statement]:
        return statement(f"adaptive.{key}{kind}", family=family(kind), **said)

    return lambda sides: tuple(made(kind)(sides) for kind in kinds)


def _points(sizes: _Sizes, *boxes: q.Box) -> Callable[[str], Family]:
    return lambda kind: q.federation(kind, q.shapes_of(kind, *sizes), q.merged(*boxes))


def _other(w: World) -> Array:
    return w.point + w.shift


@_each(
    "A1/",
    ALL,
    _points(_TWO, q.POINT, q.SHIFT),
    "smoothness",
    latex=r"\|\nabla R_i(\theta)-\nabla R_i(\theta')\|\le\beta\|\theta-\theta'\|",
    note="Squares of both sides. Tight along the steepest axis of the steepest client.",
)
def smooth(w: World) -> Sides:
    gap = w.problem.gradients(_other(w)) - w.problem.gradients(w.point)
    bound = w.beta**2 * xp.squared_norm(w.shift)
    return {"|difference|^2": xp.squared_norm(gap)}, {"beta^2 |shift|^2": bound[..., None]}


@_each(
    "A3/",
    ALL,
    _points(((2, 1), (2, 2)), q.POINT, q.TRADEOFF),
    "bounded heterogeneity",
    latex=r"\|\nabla R_i(\theta)-\nabla R_k(\theta)\|^2\le b_{ik}^2+c_{ik}\|\nabla R_i(\theta)\|^2",
    note="Tight on aligned clients at the point that the trade-off curve touches.",
)
def heterogeneity(w: World) -> Sides:
    own, gap = q.squares(w.problem, w.point)
    return {"|difference|^2": gap}, {"b^2": w.squared_bias, "c G^2": w.slope * own[..., None]}


def _tangent(w: World) -> Terms:
    """R(theta) and <theta' - theta, grad R(theta)>, per client."""
    slope = xp.dot(w.problem.gradients(w.point), w.shift[..., None, :])
    return {"R(theta)": w.problem.losses(w.point), "slope": slope}


@_each(
    "A4/",
    CONVEX,
    _points(_TWO, q.POINT, q.SHIFT),
    "strong convexity",
    relation=">=",
    latex=r"R_i(\theta')\ge R_i(\theta)+(\theta'-\theta)^\top\nabla R_i(\theta)+\tfrac\mu2\|\theta'-\theta\|^2",
    note="Tight along the flattest axis of the flattest client.",
)
def strongly_convex(w: World) -> Sides:
    curve = (w.mu * xp.squared_norm(w.shift) / 2)[..., None]
    return {"R(theta')": w.problem.losses(_other(w))}, {**_tangent(w), "mu/2 |shift|^2": curve}


_APART = {"shift": Real(1 / 8, 4, unit=(0, 1), log=True, per=("d",))}
"""Away from the point: a strongly convex loss is above its tangent there."""

not_convex = _each(
    "A4.refined/",
    ("pl", "nonconvex"),
    _points(_ONE, q.POINT, _APART),
    "not strongly convex",
    quantifier="some",
    latex=r"\exists\theta'\ne\theta:\ R_i(\theta')\le R_i(\theta)+(\theta'-\theta)^\top\nabla R_i(\theta)",
    note="A loss that is not above its tangent at another point: no mu > 0 serves A4.",
)(lambda w: ({"R(theta')": w.problem.losses(_other(w))}, _tangent(w)))


@_each(
    "A5/",
    (*CONVEX, "pl"),
    _points(_TWO, q.POINT),
    "Polyak-Lojasiewicz",
    relation=">=",
    latex=r"\tfrac12\|\nabla R_i(\theta)\|^2\ge\mu(R_i(\theta)-R_i(\theta_i^\star))",
    note="Tight along the flattest axis of a quadratic, near t = 2.2017 of a wavy parabola.",
)
def polyak(w: World) -> Sides:
    squared = xp.squared_norm(w.problem.gradients(w.point))
    return {"|grad R|^2/2": squared / 2}, {"mu excess": w.mu[..., None] * w.problem.excess(w.point)}


@claim(
    "A5.refined/nonconvex",
    latex=r"\forall\mu>0\ \exists\theta:\ \tfrac12\|\nabla R_i(\theta)\|^2\le\mu R_i(\theta)",
    family=_points(_ONE, {"level": Real(1 / 64, 64, unit=(1, -2), log=True)})("nonconvex"),
    note="""R = a h(x/l) with h(t) = t^2/(1 + t^2): |grad R|^2/2 = 2a/(l^2 (1+t^2)^3) R, which is
    at most mu R at t^2 = 2a/(l^2 mu), whatever mu > 0 is asked for.""",
)
def flat(w: World) -> Sides:
    reach = w.width * xp.sqrt(2 * w.height[..., 0] / (w.width**2 * w.level))
    point = w.problem.optimum[..., 0, :] + reach[..., None]
    squared = xp.squared_norm(w.problem.gradients(point))
    excess = w.problem.excess(point)
    return {"|grad R|^2/2": squared / 2}, {"mu excess": w.level[..., None] * excess}


# -- A2 and A6: the stochastic gradients that methods really draw ----------------------------------


def _one_step(method: str, *sizes: tuple[int, int], **constants: Any) -> Callable[[str], Family]:
    step = {"step_size": Real(1 / 8, 8, unit=(-1, 2), log=True)}
    # a variance next to zero would be lost in the rounding of the step that it is read off
    seen = {"noise_share": Real(1 / 16, 1, per=("N",), domain=(0, 1))}

    def family(kind: str) -> Family:
        box = q.merged(q.START, step, seen if kind != "least_squares" else {})
        shapes = q.shapes_of(kind, *sizes, method=method, rounds=1, **constants)
        return q.federation(kind, shapes, box, noise=True)

    return family


def _direction(w: World) -> Array:
    """What was subtracted in the first step, per unit of step size, (B, R, d)."""
    theta = w.run().theta
    return (theta[..., 0, :] - theta[..., 1, :]) / w.step_size[..., None]


def _own(w: World) -> Array:
    return w.problem.gradients(w.start)[..., 0, :]


@_each(
    "A2/",
    ("quadratic", "pl", "nonconvex"),
    _one_step("local", (1, 1), (1, 2)),
    "bounded variance",
    latex=r"\mathbb V[g_i^t(\theta)]\le\sigma_i^2",
    over="mean",
    note="E|g - grad R|^2 of the gradient that Local draws. Tight where the claim sigma is.",
)
def bounded_variance(w: World) -> Sides:
    gap = _direction(w) - _own(w)
    return {"|g - grad R|^2": xp.squared_norm(gap)}, {"sigma^2": w.sigma2[..., 0]}


_LEVEL = {"level": Real(1 / 4, 64, unit=(1, -1), log=True)}


@claim(
    "A2.refined/streaming",
    latex=r"\forall B\ \exists\theta:\ \mathbb V[g_i(\theta)]\ge B^2",
    family=_points(_ONE, _LEVEL)("streaming"),
    note="In one dimension the variance is 8 H^2 e^2/b at distance e; e = level/(2H), b = 2.",
)
def far_streaming(w: World) -> Sides:
    distance = w.level / (2 * w.H[..., 0, 0, 0])
    point = w.problem.optimum[..., 0, :] + distance[..., None]
    return {"B^2": w.level**2}, {"variance": w.problem.gradient_variance(point)[..., 0]}


def _unlabelled(values: Mapping[str, Any], shape: Shape) -> Instance:
    return q.build("least_squares", {**values, "labels": 0 * values["features"][..., 0]}, shape)


def _difference(w: World) -> Array:
    """x^2 - x'^2 of the two rows."""
    return w.X[..., 0, 0, 0] ** 2 - w.X[..., 0, 1, 0] ** 2


_ROWS = _points(_ONE, _LEVEL)("least_squares")
_rows_differ = Hypothesis(
    "rows differ", r"x\ne x'", lambda w: (w.X[..., 0, 0, 0] - w.X[..., 0, 1, 0]) ** 2, strict=True
)


@far_streaming.refined(
    part="rows",
    latex=far_streaming.latex,
    family=Family(
        {k: _ROWS.box[k] for k in ("features", "level")},
        _ROWS.shapes,
        _unlabelled,
        "least squares on two rows without labels",
    ),
    given=[_rows_differ],
    note="Two rows x, x' without labels: the variance is (x^2 - x'^2)^2 theta^2.",
)
def far_rows(w: World) -> Sides:
    distance = w.level / xp.absolute(_difference(w))
    variance = w.problem.gradient_variance(distance[..., None])[..., 0]
    return {"B^2": w.level**2}, {"variance": variance}


@claim(
    "A2.refined/ball",
    latex=r"\mathbb V[g_i(\theta)]\le\tfrac4b(\operatorname{tr}H_i+\|H_i\|)\|H_i\|\,\|\theta-\theta_i^\star\|^2",
    family=_points(_TWO, q.POINT)("streaming"),
    note="4/b (tr H + lambda_max) lambda_max |e|^2 at distance |e|. Tight along the steepest axis.",
)
def ball(w: World) -> Sides:
    top = xp.largest_eigenvalue(w.H)
    trace = xp.total(xp.total(w.H * xp.eye(w.H.shape[-1], w.H)))
    reach = xp.squared_norm(w.point[..., None, :] - w.problem.optimum)
    bound = 4 * (trace + top) * top * reach / w.problem.option("batch")
    return {"variance": w.problem.gradient_variance(w.point)}, {"4/b (tr H + l) l |e|^2": bound}


_ORACLE = {"over": "mean", "relation": "=="}

unbiased = _each(
    "A6/unbiased-",
    NOISY,
    _one_step("local", (1, 1)),
    "unbiased oracle",
    latex=r"\mathbb E[g_k^t(\theta)]=\nabla R_k(\theta)",
    note="E g = grad R, from the gradient that Local draws, in one dimension.",
    **_ORACLE,
)(lambda w: ({"g": _direction(w)[..., 0]}, {"grad R": _own(w)[..., 0]}))


def _ones(w: World) -> Array:
    like = xp.ones_like(w.problem.optimum[..., :1, :1])
    return like + 0 * xp.eye(w.problem.clients, w.problem.optimum)


@_each(
    "A6/independent-",
    NOISY,
    _one_step("all_for_one", (2, 1), weights="fixed"),
    "independent oracles",
    latex=r"\mathbb V\bigl[\textstyle\sum_kg_k\bigr]=\sum_k\mathbb V[g_k]",
    defines={"weight_matrix": _ones},
    note="The variance of the sum of all clients' gradients is the sum of their variances.",
    **_ORACLE,
)
def independent(w: World) -> Sides:
    gap = _direction(w) - xp.total(w.problem.gradients(w.start), axis=-2)
    variances = xp.total(w.problem.gradient_variance(w.start))
    return {"|sum of g - grad R|^2": xp.squared_norm(gap)}, {"sum of variances": variances}


weights_of_last_model = claim(
    "A6/measurable",
    relation="==",
    over="path",
    latex=r"\alpha_{ik}^t=\phi(r_{ik}(\theta_i^{t-1}))(\sigma_{i,\psi}(\theta_i^{t-1})/\sigma_k)^2",
    family=q.runs(((2, 1, 1), (2, 1, 2), (2, 2, 2))),
    given=[q.own_gradients],
    defines=q.CONSTANT_STEP,
    note="""The weights that a run uses in round t are Definition 1 at theta^{t-1}, on every
    outcome.""",
)(lambda w: ({"weights used": w.run().weights}, {"Definition 1 at theta": q.on_path(w).alpha}))
