"""The assumptions on losses and gradients: families that meet them, and one that cannot."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct.common import CURVATURE, LENGTH, constants, numbers, source
from verify.world.world import World

Array = Any

_LINE = {"curvature": CURVATURE, "radius": Real(1 / 8, 4, unit=(0, 1), log=True)}
INTERVAL = numbers(
    {**_LINE, "first": Real(-1, 1), "second": Real(-1, 1)}, about="mu w^2/2 on [-r, r]"
)


def _bounded(w: World) -> tuple[Terms, Terms]:
    """l(w) = mu w^2/2 is mu-strongly convex, and on [-r, r] it is mu r-Lipschitz; tight at the end."""
    u, v = w.first * w.radius, w.second * w.radius
    moved = xp.absolute(u**2 - v**2) * w.curvature / 2
    return {"|l(u) - l(v)|": moved}, {"L |u - v|": w.curvature * w.radius * xp.absolute(u - v)}


def _inside(w: World) -> Terms:
    return {f"|{k}| <= r": 1 - xp.absolute(w.symbol(k)) for k in ("first", "second")}


WHOLE = numbers(
    {"curvature": CURVATURE, "lipschitz": Real(1 / 8, 8, unit=(1, -1), log=True),
     "slope": Real(-4, 4, unit=(1, -1))},
    about="any strong convexity, any Lipschitz constant asked for",
)  # fmt: skip


def _whole_line(w: World) -> tuple[Terms, Terms]:
    """No L serves on the whole line: at u = 4 L/mu, on the side to which the slope s at 0 points, a
    mu-strongly convex loss has risen by at least |s| u + mu u^2/2 >= 8 L^2/mu, against L u = 4 L^2/mu.
    """
    point = 4 * w.lipschitz / w.curvature
    rise = xp.absolute(w.slope) * point + w.curvature * point**2 / 2
    return {"L |u|": w.lipschitz * point}, {"l(u) - l(0)": rise}


CLIENTS = numbers(
    {
        "bend": Real(-8, 8, unit=(1, -2), per=("N",)), "optimum": Real(-2, 2, unit=(0, 1), per=("N",)),
        "first": LENGTH, "second": LENGTH,
    },
    {"N": 2}, {"N": 3}, about="parabolas on the line, up or down",
)  # fmt: skip


def _smooth(w: World) -> tuple[Terms, Terms]:
    """J_i = b_i (w - m_i)^2/2 with L the largest |b_i|; no convexity asked for."""
    top = xp.largest(xp.absolute(w.bend))
    moved = xp.largest(xp.absolute(w.bend * (w.first - w.second)[..., None]))
    return {"|grad difference|": moved}, {"L |w_1 - w_2|": top * xp.absolute(w.first - w.second)}


TABLE = numbers(
    {"data": Real(-2, 2, unit=(0, 1), per=("n",)), "model": LENGTH},
    {"n": 2}, {"n": 3}, about="batches of one sample, mean estimation",
)  # fmt: skip


def _drawn(w: World) -> Array:
    """Gradients w - z of a sample drawn at random, (B, n)."""
    n = int(w.original("n"))
    w.outcome_weights = constants([1] * n, w)[None] / n
    return (w.original("model")[..., None] - w.original("data"))[..., 0, :]


def _unbiased(w: World) -> tuple[Terms, Terms]:
    return {"E gradient": w.mean(_drawn(w))}, {"gradient": w.model - xp.mean(w.data)}


def _variance(w: World) -> tuple[Terms, Terms]:
    """sigma^2 = mean z^2 - (mean z)^2, the same at every model."""
    spread = xp.mean(w.data**2) - xp.mean(w.data) ** 2
    centre = w.original("model") - xp.mean(w.original("data"))
    return {"E|g - grad|^2": w.mean((_drawn(w) - centre) ** 2)}, {"sigma^2": spread}


SIMILAR = numbers(
    {"curvature": CURVATURE, "optimum": Real(-2, 2, unit=(0, 1), per=("N",)), "model": LENGTH},
    {"N": 2}, {"N": 3}, about="parabolas of one curvature",
)  # fmt: skip


def _similar(w: World) -> tuple[Terms, Terms]:
    """grad J_0 - grad J_1 = h (m_1 - m_0) at every model."""
    gap = w.optimum[..., 0] - w.optimum[..., 1]
    slopes = w.curvature[..., None] * (w.model[..., None] - w.optimum)
    return {"|grad difference|": xp.absolute(slopes[..., 0] - slopes[..., 1])}, {
        "kappa": w.curvature * xp.absolute(gap)
    }


APART = numbers(
    {
        "bend": Real(1 / 8, 8, unit=(1, -2), log=True, per=("two",)),
        "optimum": Real(-2, 2, unit=(0, 1), per=("two",)),
        "kappa": Real(1 / 8, 8, unit=(1, -1), log=True),
    },
    {"two": 2}, about="two parabolas of different curvature, any kappa asked for",
)  # fmt: skip


def _not_similar(w: World) -> tuple[Terms, Terms]:
    """At w = (2 kappa + |h_0 m_0 - h_1 m_1|)/|h_0 - h_1| the gradients differ by 2 kappa or more."""
    bends, weighted = w.bend, w.bend * w.optimum
    offset = xp.absolute(weighted[..., 0] - weighted[..., 1])
    point = (2 * w.kappa + offset) / xp.absolute(bends[..., 0] - bends[..., 1])
    slopes = bends * point[..., None] - weighted
    return {"kappa": w.kappa}, {"|grad difference|": xp.absolute(slopes[..., 0] - slopes[..., 1])}


def _different(w: World) -> Terms:
    return {"curvatures differ": (w.bend[..., 0] - w.bend[..., 1]) ** 2}


_A: dict[str, Any] = {"kind": "assumption"}
_KAPPA = r"\|\nabla J_i(\mathbf w)-\nabla J_j(\mathbf w)\|\le\kappa_{i,j}"
_T1 = r"l\ \mu\text{-strongly convex and }L\text{-Lipschitz}"

STATEMENTS = (
    Statement(key="hcct.assT1/bounded", source=source("Theorem 1"), latex=_T1, sides=_bounded,
              title="on a bounded domain", family=INTERVAL, given=_inside, **_A),
    Statement(key="hcct.assT1/whole-space", source=source("Theorem 1"), sides=_whole_line,
              latex=r"\forall L\ \exists u:\ l(u)-l(0)\ge L|u|", family=WHOLE,
              title="not on a whole space", **_A),
    Statement(key="hcct.ass1", source=source("Assumption 1"), sides=_smooth, family=CLIENTS,
              latex=r"\|\nabla J_i(\mathbf w_1)-\nabla J_i(\mathbf w_2)\|\le L\|\mathbf w_1-\mathbf w_2\|",
              title="smoothness", **_A),
    Statement(key="hcct.ass2/unbiased", source=source("Assumption 2"), sides=_unbiased, family=TABLE,
              latex=r"\mathbb E[\mathbf g]=\nabla J_i(\mathbf w)", relation="==",
              title="unbiased batches", **_A),
    Statement(key="hcct.ass2/variance", source=source("Assumption 2"), sides=_variance, family=TABLE,
              latex=r"\mathbb E\|\mathbf g-\nabla J_i(\mathbf w)\|^2\le\sigma^2", title="variance", **_A),
    Statement(key="hcct.ass3/equal-curvature", source=source("Assumption 3"), sides=_similar,
              family=SIMILAR, latex=_KAPPA, title="gradient similarity", **_A),
    Statement(key="hcct.ass3/other-curvature", source=source("Assumption 3"), sides=_not_similar,
              family=APART, given=_different, strict=frozenset({"curvatures differ"}),
              latex=r"\forall\kappa\ \exists\mathbf w:\ \|\nabla J_i(\mathbf w)-\nabla J_j(\mathbf w)\|\ge\kappa",
              title="not for other curvatures", **_A),
)  # fmt: skip
