"""The chain of inequalities in the printed proof of Lemma 2."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, Terms, statement
from verify.statements.adaptive import common, deductions
from verify.statements.adaptive.problems import POINT, TRADEOFF, federation
from verify.world.world import World

MODELS = federation(
    "quadratic",
    ({"N": 2, "d": 1}, {"N": 2, "d": 2}),
    {**POINT, "other": Real(-4, 4, unit=(0, 1), per=("d",)), **TRADEOFF, **common.PRECISION},
)
"""``point`` is theta_i^t; ``other`` is theta_k^t, the model of the client that is asked."""


def _own(w: World, point: Array) -> Array:
    """Squared own gradient at a point."""
    return xp.squared_norm(w.problem.gradients(point)[..., 0, :])


def _divided(w: World, point: Array) -> Terms:
    """A3 at theta_i^t over the squared gradient, its right side with the gradient at a point."""
    own = _own(w, w.point)
    slope = w.slope[..., 1] * _own(w, point) / own
    return {"b^2/G^2": w.squared_bias[..., 1] / own, "c G'^2/G^2": slope}


def _at_excess(w: World) -> Terms:
    level = 2 * w.mu * w.problem.excess(w.point)[..., 0]
    return {"b^2/(2 mu excess)": w.squared_bias[..., 1] / level, "c": w.slope[..., 1]}


def _a3_link(w: World, point: Array) -> Sides:
    gradients = w.problem.gradients(w.point)
    gap = xp.squared_norm(gradients[..., 1, :] - gradients[..., 0, :])
    return {"gap/G^2": gap / _own(w, w.point)}, _divided(w, point)


_A3 = r"1-\frac{\Delta_k^2}{G^2}\ge1-\frac{b_{ik}^2+c_{ik}\|\nabla R_i(\theta_%s^t)\|^2}{G^2}"
_PL = r"1-\frac{b_{ik}^2+c_{ik}\|\nabla R_i(\theta_%s^t)\|^2}{G^2}\ge1-\frac{b_{ik}^2}{2\mu\varepsilon_i^t}-c_{ik}"
_own_gradient = Hypothesis(
    "own gradient",
    r"G=\|\nabla R_i(\theta_i^t)\|>0",
    lambda w: _own(w, w.point),
    strict=True,
    defining=True,
)


@statement(
    "adaptive.lemma2/proof-A3",
    where="proof of Lemma 2",
    kind="proof step",
    latex=_A3 % "k",
    title="assumption A3 in the proof",
    family=MODELS,
    given=[_own_gradient],
    deduction=deductions.a3,
    note="""What is subtracted from 1. Assumption A3 at theta_i^t has grad R_i(theta_i^t) on its
    right side; the display has grad R_i(theta_k^t).""",
)
def a3_link(w: World) -> Sides:
    return _a3_link(w, w.other)


a3_link_repaired = a3_link.variant(
    "adaptive.lemma2.repaired/proof-A3",
    latex=_A3 % "i",
    deduction=deductions.a3_repaired,
    sides=lambda w: _a3_link(w, w.point),
    note="What is subtracted from 1, with grad R_i(theta_i^t) for grad R_i(theta_k^t).",
    proof="Divide A3 at theta_i^t by the squared gradient.",
)


@a3_link.like(
    "adaptive.lemma2/proof-PL",
    title="Polyak-Lojasiewicz in the proof",
    latex=_PL % "k",
    deduction=deductions.pl,
    note="""G^2 >= 2 mu excess, with the realised excess loss (the reading kinder to the paper: the
    mean over runs is no bound of one run's gradient). The gradient at theta_k^t does not cancel.""",
)
def pl_link(w: World) -> Sides:
    return _divided(w, w.other), _at_excess(w)


pl_link_repaired = pl_link.variant(
    "adaptive.lemma2.repaired/proof-PL",
    latex=_PL % "i",
    deduction=deductions.pl_repaired,
    sides=lambda w: (_divided(w, w.point), _at_excess(w)),
    note="""G^2 >= 2 mu excess, with the realised excess loss (the reading kinder to the paper: the
    mean over runs is no bound of one run's gradient). Tight where mu is the own one.""",
    proof="With the gradient at theta_i^t c remains, and b^2/G^2 with G^2 >= 2 mu excess, A5.",
)


@a3_link.like(
    "adaptive.lemma2/proof-precision",
    title="smaller precision",
    latex=r"1-\frac{b_{ik}^2}{2\mu\varepsilon_i^t}-c_{ik}\ge1-\frac{b_{ik}^2}{2\mu\varepsilon}-c_{ik}",
    given=[
        Hypothesis(
            "epsilon at most the excess",
            r"\varepsilon\le\varepsilon_i^t=R_i(\theta_i^t)-R_i(\theta_i^\star)",
            lambda w: w.problem.excess(w.point)[..., 0] - w.precision,
            "Lemma 2",
        ),
    ],
    deduction=deductions.precision,
    note="epsilon at most the excess loss.",
)
def precision_link(w: World) -> Sides:
    bias, slope = w.squared_bias[..., 1], w.slope[..., 1]
    return _at_excess(w), {"b^2/(2 mu eps)": bias / (2 * w.mu * w.precision), "c": slope}
