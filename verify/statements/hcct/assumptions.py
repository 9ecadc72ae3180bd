"""The assumptions on losses and gradients: families that meet them, and one that cannot."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim.families import numbers
from verify.claim.hypothesis import Hypothesis
from verify.claim.parameters import Real
from verify.claim.statement import Sides, statement
from verify.statements.hcct.common import CURVATURE, LENGTH, POINTS, Array
from verify.world.world import World


@statement(
    "hcct.assT1/bounded", where="Theorem 1", kind="assumption", title="on a bounded domain",
    latex=r"l\ \mu\text{-strongly convex and }L\text{-Lipschitz}",
    family=numbers(
        {"curvature": CURVATURE, "radius": Real(1 / 8, 4, unit=(0, 1), log=True),
         "first": Real(-1, 1), "second": Real(-1, 1)}, about="mu w^2/2 on [-r, r]",
    ),
    given=[
        Hypothesis("|first| <= r", r"|u|\le r", lambda w: 1 - xp.absolute(w.first)),
        Hypothesis("|second| <= r", r"|v|\le r", lambda w: 1 - xp.absolute(w.second)),
    ],
    note="l(w) = mu w^2/2 is mu-strongly convex, and on [-r, r] it is mu r-Lipschitz; tight at the end.",
)
def bounded(w: World) -> Sides:
    u, v = w.first * w.radius, w.second * w.radius
    moved = xp.absolute(u**2 - v**2) * w.curvature / 2
    return {"|l(u) - l(v)|": moved}, {"L |u - v|": w.curvature * w.radius * xp.absolute(u - v)}


@statement(
    "hcct.assT1/whole-space", where="Theorem 1", kind="assumption", title="not on a whole space",
    latex=r"\forall L\ \exists u:\ l(u)-l(0)\ge L|u|",
    family=numbers(
        {"curvature": CURVATURE, "lipschitz": Real(1 / 8, 8, unit=(1, -1), log=True),
         "slope": Real(-4, 4, unit=(1, -1))},
        about="any strong convexity, any Lipschitz constant asked for",
    ),
    note="""No L serves on the whole line: at u = 4 L/mu, on the side to which the slope s at 0
    points, a mu-strongly convex loss has risen by at least |s| u + mu u^2/2 >= 8 L^2/mu, against
    L u = 4 L^2/mu.""",
)
def whole_line(w: World) -> Sides:
    point = 4 * w.lipschitz / w.curvature
    rise = xp.absolute(w.slope) * point + w.curvature * point**2 / 2
    return {"L |u|": w.lipschitz * point}, {"l(u) - l(0)": rise}


@statement(
    "hcct.ass1", where="Assumption 1", kind="assumption", title="smoothness",
    latex=r"\|\nabla J_i(\mathbf w_1)-\nabla J_i(\mathbf w_2)\|\le L\|\mathbf w_1-\mathbf w_2\|",
    family=numbers(
        {"bend": Real(-8, 8, unit=(1, -2), per=("N",)), "optimum": POINTS,
         "first": LENGTH, "second": LENGTH},
        {"N": 2}, {"N": 3}, about="parabolas on the line, up or down",
    ),
    note="J_i = b_i (w - m_i)^2/2 with L the largest |b_i|; no convexity asked for.",
)
def smooth(w: World) -> Sides:
    top = xp.largest(xp.absolute(w.bend))
    moved = xp.largest(xp.absolute(w.bend * (w.first - w.second)[..., None]))
    return {"|grad difference|": moved}, {"L |w_1 - w_2|": top * xp.absolute(w.first - w.second)}


def _drawn(w: World) -> Array:
    """Gradients w - z of a sample drawn at random, (B, n)."""
    n = int(w.original("n"))
    w.outcome_weights = w.array([1] * n)[None] / n
    return (w.original("model")[..., None] - w.original("data"))[..., 0, :]


@statement(
    "hcct.ass2/unbiased", where="Assumption 2", kind="assumption", title="unbiased batches",
    latex=r"\mathbb E[\mathbf g]=\nabla J_i(\mathbf w)", relation="==",
    family=numbers(
        {"data": Real(-2, 2, unit=(0, 1), per=("n",)), "model": LENGTH},
        {"n": 2}, {"n": 3}, about="batches of one sample, mean estimation",
    ),
)
def unbiased(w: World) -> Sides:
    return {"E gradient": w.mean(_drawn(w))}, {"gradient": w.model - xp.mean(w.data)}


@unbiased.like(
    "hcct.ass2/variance", title="variance", relation="<=",
    latex=r"\mathbb E\|\mathbf g-\nabla J_i(\mathbf w)\|^2\le\sigma^2",
    note="sigma^2 = mean z^2 - (mean z)^2, the same at every model.",
)
def variance(w: World) -> Sides:
    spread = xp.mean(w.data**2) - xp.mean(w.data) ** 2
    centre = w.original("model") - xp.mean(w.original("data"))
    return {"E|g - grad|^2": w.mean((_drawn(w) - centre) ** 2)}, {"sigma^2": spread}


@statement(
    "hcct.ass3/equal-curvature", where="Assumption 3", kind="assumption",
    title="gradient similarity",
    latex=r"\|\nabla J_i(\mathbf w)-\nabla J_j(\mathbf w)\|\le\kappa_{i,j}",
    family=numbers(
        {"curvature": CURVATURE, "optimum": POINTS, "model": LENGTH},
        {"N": 2}, {"N": 3}, about="parabolas of one curvature",
    ),
    note="grad J_0 - grad J_1 = h (m_1 - m_0) at every model.",
)
def similar(w: World) -> Sides:
    gap = w.optimum[..., 0] - w.optimum[..., 1]
    slopes = w.curvature[..., None] * (w.model[..., None] - w.optimum)
    return {"|grad difference|": xp.absolute(slopes[..., 0] - slopes[..., 1])}, {
        "kappa": w.curvature * xp.absolute(gap)
    }


@similar.like(
    "hcct.ass3/other-curvature", title="not for other curvatures",
    latex=r"\forall\kappa\ \exists\mathbf w:\ \|\nabla J_i(\mathbf w)-\nabla J_j(\mathbf w)\|\ge\kappa",
    family=numbers(
        {"bend": Real(1 / 8, 8, unit=(1, -2), log=True, per=("two",)),
         "optimum": Real(-2, 2, unit=(0, 1), per=("two",)),
         "kappa": Real(1 / 8, 8, unit=(1, -1), log=True)},
        {"two": 2}, about="two parabolas of different curvature, any kappa asked for",
    ),
    given=[
        Hypothesis("curvatures differ", r"h_i\ne h_j",
                   lambda w: (w.bend[..., 0] - w.bend[..., 1]) ** 2, strict=True),
    ],
    note="At w = (2 kappa + |h_0 m_0 - h_1 m_1|)/|h_0 - h_1| the gradients differ by 2 kappa or more.",
)
def not_similar(w: World) -> Sides:
    bends, weighted = w.bend, w.bend * w.optimum
    offset = xp.absolute(weighted[..., 0] - weighted[..., 1])
    point = (2 * w.kappa + offset) / xp.absolute(bends[..., 0] - bends[..., 1])
    slopes = bends * point[..., None] - weighted
    return {"kappa": w.kappa}, {"|grad difference|": xp.absolute(slopes[..., 0] - slopes[..., 1])}
