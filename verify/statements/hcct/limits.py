"""Corollary 1: what the terms of the bound tend to, with steps c/(t + 2) and one fixed group.

A fixed group meets every hypothesis: the sum of kappa^2 is then a positive constant, and any
bounded step is O of its roots.  Limits are compared through quantities that bound them for all T.
"""

from __future__ import annotations

from dataclasses import replace

from bounds import generic as xp
from bounds.hcct import convergence as closed
from verify.claim import Array, Real, Sides, numbers, statement
from verify.statements.hcct.convergence import averages
from verify.statements.hcct.quantities.symbols import CURVATURE, LENGTH, POINTS
from verify.statements.hcct.quantities.training import NOISY, OWN, SHORT_STEPS, run_of
from verify.terms.vocabulary import quantity
from verify.world.world import World


@quantity
def _steps(w: World, count: int) -> Array:
    return xp.stack([w.step_size / (t + 2) for t in range(count)], -1)


@statement(
    "hcct.corollary1/S1",
    where="Equation 45",
    kind="corollary",
    title="limits of the terms",
    latex=r"\lim_{T\to\infty}S_1/\xi_T=0",
    family=numbers(
        {
            "curvature": CURVATURE,
            "step_size": Real(1 / 64, 8, unit=(-1, 2), log=True),
            "gap": Real(1 / 8, 8, unit=(1, 0), log=True),
            "similarity": Real(1 / 64, 16, unit=(2, -2), log=True),
            "variance": Real(1 / 64, 16, unit=(2, -2), log=True),
        },
        {"T": 1},
        {"T": 4},
        {"T": 16},
        about="any constants of the bound, one fixed group",
    ),
    note="""S_1/xi_T against S_1/(c ln((T + 2)/2)), which tends to zero: xi_T is at least c times
    that.""",
)
def start(w: World) -> Sides:
    count = w.original("T")
    right = w.gap / (w.step_size * xp.log((0 * w.gap + count + 2) / 2))
    return {"S_1/xi": w.gap / xp.total(_steps(w, count))}, {"S_1/(c ln)": right}


@start.like(
    "hcct.corollary1/S2",
    where="Equation 46",
    latex=r"\lim_{T\to\infty}S_2/\xi_T=0",
    note="The left side stands for the limit: S_2/xi_T is the same positive number for every T.",
)
def similarity(w: World) -> Sides:
    eta = _steps(w, w.original("T"))
    value = xp.total(eta * w.similarity[..., None]) / xp.total(eta)
    return {"S_2/xi": value}, {"claimed limit": 0 * w.similarity}


def _triple(w: World, values: Array) -> Array:
    """L^2 sum_t eta^t sum_{s < t} (eta^s)^2 K/xi_T at T = 2."""
    eta = _steps(w, 2)
    return w.curvature**2 * closed.triple_sum(eta, values[..., None] + 0 * eta) / xp.total(eta)


@start.like(
    "hcct.corollary1/S3",
    where="Corollary 1",
    latex=r"\lim_{T\to\infty}S_3/\xi_T=0",
    note="""The left side stands for the limit: S_3/xi_T is a weighted mean of growing numbers, so
    that every later value and the limit are at least its value at T = 2, which is
    L^2 K (eta^0)^2 eta^1/(eta^0 + eta^1) > 0.""",
)
def drift(w: World) -> Sides:
    return {"S_3/xi at T = 2": _triple(w, w.similarity)}, {"claimed limit": 0 * w.similarity}


@start.like(
    "hcct.corollary1/S4",
    where="Corollary 1",
    latex=r"\lim_{T\to\infty}S_4/\xi_T=0",
    note="""The left side stands for the limit: the second part of S_4/xi_T grows with T like
    S_3/xi_T, so that the limit is at least its value at T = 2.""",
)
def noise(w: World) -> Sides:
    value = 2 * _triple(w, w.variance)
    return {"S_4/xi at T = 2, second part": value}, {"claimed limit": 0 * w.variance}


@start.like(
    "hcct.corollary1/stationary",
    where="Corollary 1",
    uses=("hcct.theorem2",),
    latex=r"\lim_{T\to\infty}\frac1{\xi_T}\sum_t\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2=0",
    family=numbers(
        {"curvature": CURVATURE, "optimum": POINTS, "model": LENGTH},
        {"N": 2},
        about="two parabolas in one group",
    ),
    note="""The left side stands for the limit: at every common model, whatever T, the squared
    gradients add up to at least h^2 (m_0 - m_1)^2/2, the value at the middle, to which the group
    converges.""",
)
def stationary(w: World) -> Sides:
    least = w.curvature**2 * (w.optimum[..., 0] - w.optimum[..., 1]) ** 2 / 2
    return {"least of the limits": least}, {"claimed limit": 0 * w.curvature}


_SHORT_START = (
    SHORT_STEPS[0],
    replace(SHORT_STEPS[1], name="c < 1/L", latex=r"c<\tfrac1L", where=""),
)
"""More than eta^t < 1/L asks of the steps c/(t + 2)."""


@statement(
    "hcct.corollary1.repaired",
    where="Corollary 1",
    kind="corollary",
    title="down to the dissimilarity, groups that never change",
    latex=r"\frac1{\xi_T}\sum_t\eta^t\sum_i\mathbb E\|\nabla J_i(\mathbf w_i^t)\|^2\le\frac{2S_1}{c\ln\frac{T+2}2}+2\sum_{i,j}a_j\kappa_{i,j}^2+\frac{13LN\sigma^2c}{20\ln\frac{T+2}2}",
    over="mean",
    given=_SHORT_START,
    defines=OWN,
    uses=("hcct.theorem2.repaired",),
    family=numbers(
        NOISY,
        {"N": 1, "schedule": "0*2", "decreasing": 1},
        {"N": 2, "schedule": "01*3", "decreasing": 1},
        about="parabolas of one curvature, one fixed group, steps c/(t + 2), noise enumerated",
    ),
    note="""With steps c/(t + 2), c < 1/L, groups that never change and one local step the bound
    tends to 2 K.""",
    proof="""The repaired Theorem 2 with xi_T >= c ln((T + 2)/2) and sum_t (eta^t)^2 <=
    c^2 (pi^2/6 - 1) <= 13/20 c^2: what depends on the start and on the noise vanishes, the
    dissimilarity stays.""",
)
def to_dissimilarity(w: World) -> Sides:
    run, (xi, total, gap) = run_of(w), averages(w)
    logarithm = xp.log((0 * w.curvature + run.last + 3) / 2)
    return {"average": total / xi}, {
        "start": 2 * gap / (w.step_size * logarithm),
        "dissimilarity": 2 * w.dissimilarity[..., 0],
        "noise": 13 * w.curvature * run.clients * w.sigma**2 * w.step_size / (20 * logarithm),
    }
