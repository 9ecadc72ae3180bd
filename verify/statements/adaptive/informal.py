"""Informal statements of the introduction and the conclusion that can be put to a test."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from bounds import descent as closed
from bounds import generic as xp
from bounds.rates import horizon_step_size
from bounds.similarity import similarity_ratio, weighted_variance
from verify.claim import Array, Family, Hypothesis, Instance, Real, Shape, statement
from verify.claim.statement import Sides
from verify.statements.adaptive import assumptions, definitions, lemma1, section4, weights
from verify.statements.adaptive import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.claims(r"""
introduction and conclusion :: claim
    inf.fullgrad@bound :: full gradients need no collaboration
    inf.optimal/optimal :: no method is faster :: T_i^\varepsilon=\Theta\bigl(\text{best}\bigr)
    inf.variance/continuous :: less variance than Local
Section 3 :: claim
    inf.less/norm :: the gradient norm decreases
""")

_LOSS = r"\sigma_k=0\Rightarrow R_i(\theta_i^{t-1}-\eta\mathcal A\nabla R_i)\le R_i(\theta_i^{t-1}-\eta\textstyle\sum_k\alpha_k\nabla R_k)"
_DESCENDED = r",\quad\theta'=\theta-\eta\nabla R_i(\theta),\ \eta\le\beta^{-1}"
_PROPORTIONAL = (
    r"\alpha_{ik}=\frac{(G^2-\Delta_k^2)_+}{4\beta\sigma_k^2}\in\operatorname{argmin}_{\alpha\ge0}"
)
_LESS_VARIANCE = r"\sum_k(\alpha_{ik}\sigma_k)^2\le\sigma_i^2"

# -- full gradients --------------------------------------------------------------------------------


def _alone(alpha: Array) -> Array:
    """The same total weight, all on the asking client."""
    return xp.eye(alpha.shape[-1], alpha)[0] * xp.total(alpha)[..., None]


@claim(
    "inf.fullgrad@bound",
    family=weights.LEMMA,
    latex=r"\sigma_k=0\Rightarrow\text{the bound of Lemma 1 is smallest without collaboration}",
    note="The bound of Lemma 1 with sigma_k = 0: weights on others only add their gaps.",
    proof="sum_k alpha_k (Delta_k^2 - G^2) >= -G^2 sum_k alpha_k.",
)
def bound_without_noise(w: World) -> Sides:
    last = 0 * w.sigma2, w.squared_gradient, weights.gaps(w)
    alone = closed.lemma1_upper(w.step_size, w.beta, _alone(w.alpha), *last)
    return alone, closed.lemma1_upper(w.step_size, w.beta, w.alpha, *last)


def _loss_after(w: World, alpha: Array) -> Array:
    theta = w.run(weight_matrix=alpha[..., None, :] + 0 * alpha[..., :, None]).theta[..., 1, :]
    return w.problem.excess(theta)[..., 0]


_ONE_ROUND = {"rounds": 1, "method": "all_for_one", "weights": "fixed"}

loss_without_noise = bound_without_noise.like(
    "adaptive.inf.fullgrad@loss",
    latex=_LOSS,
    family=q.federation(
        "quadratic",
        q.shapes_of("quadratic", (2, 1), (2, 2), **_ONE_ROUND),
        q.merged(q.START, q.ALPHA, q.STEP),
    ),
    given=[q.some_weight],
    defines={"step_size": lemma1.FREE_WEIGHTS["step_size"]},
    note="""Excess loss of client 0 after one full-gradient step of the same total weight, of
    any size.""",
)(lambda w: ({"alone": _loss_after(w, _alone(w.alpha))}, {"together": _loss_after(w, w.alpha)}))


# -- less collaboration ----------------------------------------------------------------------------

_DESCENT = {**q.POINT, "share": Real(1 / 8, 1, domain=(0, 1))}
_PAIRS = q.federation("quadratic", ({"N": 2, "d": 1}, {"N": 2, "d": 2}), _DESCENT)
_WAVY, _SATURATED = (
    q.federation(kind, ({"N": 1, "d": 1},), _DESCENT) for kind in ("pl", "nonconvex")
)


def _one_hessian(values: Mapping[str, Any], shape: Shape) -> Instance:
    shared = values["curvature"][..., :1, :] + 0 * values["curvature"]
    turn = values["turn"][..., :1] + 0 * values["turn"]
    return q.build("quadratic", {**values, "curvature": shared, "turn": turn}, shape)


def _better(w: World) -> Array:
    """The point after a step of gradient descent of client 0, of size at most 1/beta."""
    own = w.problem.gradients(w.point)[..., 0, :]
    return w.point - (w.share / w.beta)[..., None] * own


def _ratio(w: World, point: Array) -> Array:
    """Similarity of client 1; no value where the own gradient vanishes."""
    own = q.own_square(w, point)
    return similarity_ratio(w.problem.gradients(point))[..., 1] + 0 * own / own


norm_decreases = claim(
    "inf.less/norm",
    family=_WAVY,
    also=(_SATURATED, _PAIRS),
    latex=r"\|\nabla R_i(\theta')\|\le\|\nabla R_i(\theta)\|" + _DESCENDED,
    note="""The loss gets better optimized by a step of gradient descent that A1 admits, one way
    among all. Losses as A5 and Theorem 3 admit them, which need not be convex.""",
)(lambda w: ({"G^2 after a step": q.own_square(w, _better(w))}, {"G^2": q.own_square(w, w.point)}))

norm_of_convex = norm_decreases.variant(
    "adaptive.inf.less.repaired/norm",
    family=_PAIRS,
    title="the gradient norm of a convex loss decreases",
    note="For convex losses. Tight where the loss has no curvature along the step.",
    proof="""With x - x' = eta g, a convex loss has <g - g', eta g> >= |g - g'|^2/beta, so |g'|^2 =
    |g|^2 - 2 <g - g', g> + |g - g'|^2 <= |g|^2 - (2/(eta beta) - 1) |g - g'|^2.""",
)

ratio_decreases = norm_decreases.like(
    "adaptive.inf.less/ratio",
    title="less collaboration is made",
    family=_PAIRS,
    latex=r"r_{ik}(\theta')\le r_{ik}(\theta)" + _DESCENDED,
    given=[q.own_gradient_at(lambda w: q.own_square(w, _better(w)), r"\theta'")],
    note="Similarity of client 1 after the step, of convex losses already.",
)(lambda w: ({"r after a step": _ratio(w, _better(w))}, {"r": _ratio(w, w.point)}))

ratio_of_one_hessian = ratio_decreases.variant(
    "adaptive.inf.less.repaired/ratio",
    family=Family(_PAIRS.box, _PAIRS.shapes, _one_hessian, f"{_PAIRS.about} with one Hessian"),
    note="For clients of one convex Hessian.",
    proof="Equal Hessians fix the gap, while the own gradient does not grow, as in part norm.",
)


@bound_without_noise.like(
    "adaptive.inf.criterion/zero",
    title="no weight where the gap exceeds the gradient",
    latex=r"\Delta_k\ge G\Rightarrow\alpha_{ik}=0",
    note="""Setting the weights of clients with Delta >= G to zero never raises the bound of Lemma
    1, its noise term as printed. Tight where no such client has weight.""",
)
def dissimilar_dropped(w: World) -> Sides:
    similar = w.squared_gradient[..., None] > weights.gaps(w)
    kept = xp.where(similar, w.alpha, 0 * w.alpha)
    return weights.printed_bound_at(w, kept), weights.printed_bound_at(w, w.alpha)


@dissimilar_dropped.like(
    "adaptive.inf.criterion/proportional",
    title="weights by gap and variance",
    latex=_PROPORTIONAL,
    note="Weights in these proportions against any other, in the bound of Lemma 1. Tight there.",
)
def proportional(w: World) -> Sides:
    best = w.step_size[..., None] * weights.best(w) / 2
    return weights.printed_bound_at(w, best), weights.printed_bound_at(w, w.alpha)


# -- independence of the target --------------------------------------------------------------------

_RUNS = ((2, 1, 1), (2, 1, 2))
_STEPS, _SAME = "steps do not depend on the target", r"\eta_i^t(\varepsilon)=\eta_i^t(\varepsilon')"

weights_without_target = assumptions.weights_of_last_model.variant(
    "adaptive.inf.epsfree/weights",
    kind="claim",
    where="introduction and conclusion",
    title="weights do not depend on the target",
    latex=r"\alpha_{ik}^t=\phi(r_{ik}^t)(\sigma_{i,\psi}^t/\sigma_k)^2",
    family=q.runs(_RUNS, q.PRECISION),
)


@quantity
def _falling_steps(w: World) -> Array:
    """C/(mu t) for t = 1 .. T, (B, 1, T)."""
    return xp.stack([w.factor / (w.mu * (t + 1)) for t in range(w.rounds)], -1)


@weights_without_target.like(
    "adaptive.inf.epsfree/steps@decreasing-steps",
    title=_STEPS,
    latex=_SAME,
    family=q.runs(_RUNS, q.PRECISION, q.FACTOR, {"noise_share": Real(0, 0, per=("N",))}),
    defines=q.DECREASING_STEPS,
    note="""A run with full gradients and any target in hand moves by C/(mu t) times the direction
    of Definition 1 in round t: no target enters. Both sides are raised by |theta|, the size that
    rounding goes by.""",
)
def decreasing_steps(w: World) -> Sides:
    theta = w.run().theta
    before = theta[..., :-1, :]
    slopes = w.problem.expand(1).gradients(before)[..., 0]  # (B, R, T, N)
    direction = xp.total(q.on_path(w).alpha * slopes)
    steps = _falling_steps(w)
    place = before[..., 0]
    size = xp.absolute(place)
    left = {"theta^{t-1} - theta^t": place - theta[..., 1:, 0], "|theta|": size}
    return left, {"C/(mu t) direction": steps * direction, "|theta^{t-1}|": size}


@statement(
    "adaptive.inf.epsfree/steps@every-step-size",
    kind="claim",
    where="introduction and conclusion",
    title=_STEPS,
    relation="==",
    latex=_SAME,
    family=q.any_constants(
        q.PRECISION,
        q.FACTOR,
        {"ease": Real(1, 16, log=True, domain=(1, inf)), **q.BETA, "excess": q.LOSS},
    ),
    note="Of the step sizes of Table 1 the horizon-dependent one, at two targets, T = 1.",
)
def horizon_steps(w: World) -> Sides:
    here, there = (
        horizon_step_size(w.excess, w.mu, w.beta, q.free_variance(w, target), 1)
        for target in (w.precision, w.precision * w.ease)
    )
    return {"step at eps": here}, {"step at eps'": there}


# -- optimality and variance reduction -------------------------------------------------------------

rate = section4.binary_rate.variant(
    "adaptive.inf.optimal/rate",
    where="introduction and conclusion",
    title="rate of the binary rule at every precision",
)
optimal = claim.open("inf.optimal/optimal", section4.EVEN)


@claim(
    "inf.variance/continuous",
    latex=_LESS_VARIANCE,
    family=definitions.ratios("continuous"),
    note="""Variance of the weighted direction, sum_k (alpha_k sigma_k)^2, against that of Local.
    Tight where no other client is chosen.""",
    proof="""Continuous rule: it is sigma_psi^2, and the own term alone gives sigma_i^2. Binary rule
    with lambda >= 1/2: (w_i + W)/(w_i + sum w_k r_k)^2 with r_k >= 1/2 is at most 1/w_i.""",
)
def less_variance(w: World) -> Sides:
    direction = weighted_variance(w.ratio, q.phi_of(w, w.ratio), w.sigma2)
    return {"All-for-one": direction}, {"Local": w.sigma2[..., 0]}


less_variance_binary = less_variance.variant(
    "adaptive.inf.variance/binary", family=definitions.ratios("binary")
)
less_variance_half = less_variance_binary.variant(
    "adaptive.inf.variance.repaired/binary",
    latex=r"\lambda\ge\tfrac12\Rightarrow" + _LESS_VARIANCE,
    given=[Hypothesis("lambda >= 1/2", r"\lambda\ge\tfrac12", lambda w: 2 * w.threshold - 1)],
)
