"""Assumptions A1, A3, A4, A5: which problem families meet them, and which cannot.

A part names a family.  Where a family fails an assumption whatever its constants, the part says
that, and is a claim like any other: an explicit point beyond every bound, or an instance.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Sides, statement
from verify.statements.adaptive.common import Array
from verify.statements.adaptive.problems import POINT, SHIFT, TRADEOFF, federation, shapes_of
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
        f"adaptive.A1/{kind}", where="Assumption A1", kind="assumption", title="smoothness",
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
        f"adaptive.A3/{kind}", where="Assumption A3", kind="assumption",
        title="bounded heterogeneity", latex=r"\|\nabla R_i(\theta)-\nabla R_k(\theta)\|^2\le b_{ik}^2+c_{ik}\|\nabla R_i(\theta)\|^2",
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
        f"adaptive.A4/{kind}", where="Assumption A4", kind="assumption", title="strong convexity",
        latex=r"R_i(\theta')\ge R_i(\theta)+(\theta'-\theta)^\top\nabla R_i(\theta)+\tfrac\mu2\|\theta'-\theta\|^2",
        family=federation(kind, shapes_of(kind, (1, 1), (2, 2)), {**POINT, **SHIFT}),
        relation=">=", note="Tight along the flattest axis of the flattest client.",
    )(_convex)
    for kind in CONVEX
)

below_tangent = Hypothesis("below the tangent", r"R_i(\theta')<R_i(\theta)+(\theta'-\theta)^\top\nabla R_i(\theta)",
                           lambda w: sum(_tangent(w)) - w.problem.losses(_other(w)), strict=True)


def _not_convex(w: World) -> Sides:
    value, slope = _tangent(w)
    return {"R(theta')": w.problem.losses(_other(w))}, {"R(theta)": value, "slope": slope}


NOT_CONVEX = tuple(
    statement(
        f"adaptive.A4/{kind}-fails", where="Assumption A4", kind="assumption", title="not convex",
        latex=below_tangent.latex, quantifier="some", given=[below_tangent],
        family=federation(kind, shapes_of(kind, (1, 1)), {**POINT, **SHIFT}),
        note="A loss below its tangent: no mu > 0, not even mu = 0, serves A4.",
    )(_not_convex)
    for kind in ("pl", "nonconvex")
)


def _polyak(w: World) -> Sides:
    squared = xp.squared_norm(w.problem.gradients(w.point))
    return {"|grad R|^2/2": squared / 2}, {"mu excess": w.mu[..., None] * w.problem.excess(w.point)}


POLYAK = tuple(
    statement(
        f"adaptive.A5/{kind}", where="Assumption A5", kind="assumption", relation=">=",
        title="Polyak-Lojasiewicz",
        latex=r"\tfrac12\|\nabla R_i(\theta)\|^2\ge\mu(R_i(\theta)-R_i(\theta_i^\star))",
        family=federation(kind, shapes_of(kind, (1, 1), (2, 2)), POINT),
        note="Tight along the flattest axis of a quadratic, near t = 2.2017 of a wavy parabola.",
    )(_polyak)
    for kind in (*CONVEX, "pl")
)


@statement(
    "adaptive.A5/nonconvex-fails", where="Assumption A5", kind="assumption",
    title="no Polyak-Lojasiewicz constant",
    latex=r"\forall\mu>0\ \exists\theta:\ \tfrac12\|\nabla R_i(\theta)\|^2\le\mu R_i(\theta)",
    family=federation("nonconvex", shapes_of("nonconvex", (1, 1)),
                      {"level": Real(1 / 64, 64, unit=(1, -2), log=True)}),
    note="""R = a h(x/l) with h(t) = t^2/(1 + t^2): |grad R|^2/2 = 2a/(l^2 (1+t^2)^3) R, which is
    at most mu R at t^2 = 2a/(l^2 mu), whatever mu > 0 is asked for.""",
)
def flat(w: World) -> Sides:
    reach = w.width * xp.sqrt(2 * w.height[..., 0] / (w.width**2 * w.level))
    point = w.problem.optimum[..., 0, :] + reach[..., None]
    squared = xp.squared_norm(w.problem.gradients(point))
    excess = w.problem.excess(point)
    return {"|grad R|^2/2": squared / 2}, {"mu excess": w.level[..., None] * excess}
