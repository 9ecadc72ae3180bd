"""Informal statements of the introduction and the conclusion that can be put to a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from bounds import descent as closed
from bounds import generic as xp
from bounds import rates as closed_rates
from bounds.similarity import similarity_ratio, weighted_variance
from verify.claim import (
    Array,
    Family,
    Hypothesis,
    Instance,
    Real,
    Shape,
    Sides,
    open_claim,
    statement,
)
from verify.statements.adaptive import (
    assumptions,
    common,
    descent,
    lemma_weights,
    remarks,
    section4,
)
from verify.statements.adaptive.common import FACTOR, PRECISION, on_path, run_family
from verify.statements.adaptive.descent import FREE_WEIGHTS
from verify.statements.adaptive.problems import ABOUT, POINT, START, build, federation
from verify.statements.adaptive.rates import DECREASING_STEPS
from verify.world.world import World

TEXT = "introduction and conclusion"

# -- full gradients --------------------------------------------------------------------------------


def _alone(alpha: Array) -> Array:
    """The same total weight, all on the asking client."""
    return xp.eye(alpha.shape[-1], alpha)[0] * xp.total(alpha)[..., None]


@statement(
    "adaptive.inf.fullgrad@bound",
    where=TEXT,
    kind="claim",
    family=lemma_weights.LEMMA,
    title="full gradients need no collaboration",
    latex=r"\sigma_k=0\Rightarrow\text{the bound of Lemma 1 is smallest without collaboration}",
    note="The bound of Lemma 1 with sigma_k = 0: weights on others only add their gaps.",
    proof="sum_k alpha_k (Delta_k^2 - G^2) >= -G^2 sum_k alpha_k.",
)
def bound_without_noise(w: World) -> Sides:
    last = 0 * w.sigma2, w.squared_gradient, lemma_weights.gaps(w)
    alone = closed.lemma1_upper(w.step_size, w.beta, _alone(w.alpha), *last)
    return alone, closed.lemma1_upper(w.step_size, w.beta, w.alpha, *last)


def _loss_after(w: World, alpha: Array) -> Array:
    theta = w.run(weight_matrix=alpha[..., None, :] + 0 * alpha[..., :, None]).theta[..., 1, :]
    return w.problem.excess(theta)[..., 0]


@bound_without_noise.like(
    "adaptive.inf.fullgrad@loss",
    latex=r"\sigma_k=0\Rightarrow R_i(\theta_i^{t-1}-\eta\mathcal A\nabla R_i)\le R_i(\theta_i^{t-1}-\eta\textstyle\sum_k\alpha_k\nabla R_k)",
    family=federation(
        "quadratic",
        tuple(
            {"N": 2, "d": d, "rounds": 1, "method": "all_for_one", "weights": "fixed"}
            for d in (1, 2)
        ),
        {**START, "alpha": Real(0, 1, per=("N",)), **common.STEP},
    ),
    given=[descent.some_weight],
    defines={"step_size": FREE_WEIGHTS["step_size"]},
    note="""Excess loss of client 0 after one full-gradient step of the same total weight, of
    any size.""",
)
def loss_without_noise(w: World) -> Sides:
    return {"alone": _loss_after(w, _alone(w.alpha))}, {"together": _loss_after(w, w.alpha)}


# -- less collaboration ----------------------------------------------------------------------------

_DESCENT = {**POINT, "share": Real(1 / 8, 1, domain=(0, 1))}
_PAIRS = federation("quadratic", ({"N": 2, "d": 1}, {"N": 2, "d": 2}), _DESCENT)
_WAVY, _SATURATED = (
    federation(kind, ({"N": 1, "d": 1},), _DESCENT) for kind in ("pl", "nonconvex")
)


def _one_hessian(values: Mapping[str, Any], shape: Shape) -> Instance:
    shared = values["curvature"][..., :1, :] + 0 * values["curvature"]
    turn = values["turn"][..., :1] + 0 * values["turn"]
    return build("quadratic", {**values, "curvature": shared, "turn": turn}, shape)


def _better(w: World) -> Array:
    """The point after a step of gradient descent of client 0, of size at most 1/beta."""
    own = w.problem.gradients(w.point)[..., 0, :]
    return w.point - (w.share / w.beta)[..., None] * own


def _own_square(w: World, point: Array) -> Array:
    return xp.squared_norm(w.problem.gradients(point)[..., 0, :])


def _ratios(w: World, point: Array) -> Array:
    """Similarity of client 1; no value where the own gradient vanishes."""
    own = _own_square(w, point)
    return similarity_ratio(w.problem.gradients(point))[..., 1] + 0 * own / own


def _own_there(point: Callable[[World], Array]) -> Hypothesis:
    return Hypothesis(
        "own gradient",
        r"\nabla R_i(\theta')\ne0",
        lambda w: _own_square(w, point(w)),
        strict=True,
        defining=True,
    )


_DESCENDED = r",\quad\theta'=\theta-\eta\nabla R_i(\theta),\ \eta\le\beta^{-1}"


@statement(
    "adaptive.inf.less/norm",
    where="Section 3",
    kind="claim",
    family=_WAVY,
    also=(_SATURATED, _PAIRS),
    title="the gradient norm decreases",
    latex=r"\|\nabla R_i(\theta')\|\le\|\nabla R_i(\theta)\|" + _DESCENDED,
    note="""The loss gets better optimized by a step of gradient descent that A1 admits, one way
    among all. Losses as A5 and Theorem 3 admit them, which need not be convex.""",
)
def norm_decreases(w: World) -> Sides:
    return {"G^2 after a step": _own_square(w, _better(w))}, {"G^2": _own_square(w, w.point)}


norm_of_convex = norm_decreases.variant(
    "adaptive.inf.less.repaired/norm",
    family=_PAIRS,
    title="the gradient norm of a convex loss decreases",
    note="For convex losses. Tight where the loss has no curvature along the step.",
    proof="""With x - x' = eta g, a convex loss has <g - g', eta g> >= |g - g'|^2/beta, so |g'|^2 =
    |g|^2 - 2 <g - g', g> + |g - g'|^2 <= |g|^2 - (2/(eta beta) - 1) |g - g'|^2.""",
)


@norm_decreases.like(
    "adaptive.inf.less/ratio",
    title="less collaboration is made",
    family=_PAIRS,
    latex=r"r_{ik}(\theta')\le r_{ik}(\theta)" + _DESCENDED,
    given=[_own_there(_better)],
    note="Similarity of client 1 after the step, of convex losses already.",
)
def ratio_decreases(w: World) -> Sides:
    return {"r after a step": _ratios(w, _better(w))}, {"r": _ratios(w, w.point)}


ratio_of_one_hessian = ratio_decreases.variant(
    "adaptive.inf.less.repaired/ratio",
    family=Family(
        _PAIRS.box, _PAIRS.shapes, _one_hessian, ABOUT["quadratic"] + " with one Hessian"
    ),
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
    similar = w.squared_gradient[..., None] > lemma_weights.gaps(w)
    kept = xp.where(similar, w.alpha, 0 * w.alpha)
    bound = lemma_weights.printed_bound_at
    return bound(w, kept), bound(w, w.alpha)


@dissimilar_dropped.like(
    "adaptive.inf.criterion/proportional",
    title="weights by gap and variance",
    latex=r"\alpha_{ik}=\frac{(G^2-\Delta_k^2)_+}{4\beta\sigma_k^2}\in\operatorname{argmin}_{\alpha\ge0}",
    note="Weights in these proportions against any other, in the bound of Lemma 1. Tight there.",
)
def proportional(w: World) -> Sides:
    best, bound = w.step_size[..., None] * lemma_weights.best(w) / 2, lemma_weights.printed_bound_at
    return bound(w, best), bound(w, w.alpha)


# -- independence of the target --------------------------------------------------------------------

weights_without_target = assumptions.weights_of_last_model.variant(
    "adaptive.inf.epsfree/weights",
    where=TEXT,
    kind="claim",
    title="weights do not depend on the target",
    latex=r"\alpha_{ik}^t=\phi(r_{ik}^t)(\sigma_{i,\psi}^t/\sigma_k)^2",
    family=run_family((2, 1, 1), (2, 1, 2), extra=PRECISION),
)


@weights_without_target.like(
    "adaptive.inf.epsfree/steps@decreasing-steps",
    title="steps do not depend on the target",
    latex=r"\eta_i^t(\varepsilon)=\eta_i^t(\varepsilon')",
    family=run_family(
        (2, 1, 1),
        (2, 1, 2),
        extra={**PRECISION, **FACTOR, "noise_share": Real(0, 0, per=("N",))},
    ),
    defines=DECREASING_STEPS,
    note="""A run with full gradients and any target in hand moves by C/(mu t) times the direction
    of Definition 1 in round t: no target enters. Both sides are raised by |theta|, the size that
    rounding goes by.""",
)
def decreasing_steps(w: World) -> Sides:
    theta = w.run().theta
    before = theta[..., :-1, :]
    slopes = w.problem.expand(1).gradients(before)[..., 0]  # (B, R, T, N)
    direction = xp.total(on_path(w).alpha * slopes)
    steps = [w.factor / (w.mu * (t + 1)) for t in range(w.rounds)]
    place = before[..., 0]
    size = xp.absolute(place)
    return {"theta^{t-1} - theta^t": place - theta[..., 1:, 0], "|theta|": size}, {
        "C/(mu t) direction": xp.stack(steps, -1) * direction,
        "|theta^{t-1}|": size,
    }


@statement(
    "adaptive.inf.epsfree/steps@every-step-size",
    where=TEXT,
    kind="claim",
    relation="==",
    title=decreasing_steps.title,
    latex=decreasing_steps.latex,
    family=common.definition_family(
        {
            **PRECISION,
            **FACTOR,
            "ease": Real(1, 16, log=True, domain=(1, inf)),
            "beta": common.CURVATURE,
            "excess": common.LOSS,
        }
    ),
    note="Of the step sizes of Table 1 the horizon-dependent one, at two targets, T = 1.",
)
def horizon_steps(w: World) -> Sides:
    here, there = (
        closed_rates.horizon_step_size(w.excess, w.mu, w.beta, common.free_variance(w, target), 1)
        for target in (w.precision, w.precision * w.ease)
    )
    return {"step at eps": here}, {"step at eps'": there}


# -- optimality and variance reduction -------------------------------------------------------------

rate = section4.binary_rate.variant(
    "adaptive.inf.optimal/rate", where=TEXT, title="rate of the binary rule at every precision"
)
optimal = open_claim(
    "adaptive.inf.optimal/optimal",
    "claim",
    TEXT,
    r"T_i^\varepsilon=\Theta\bigl(\text{best}\bigr)",
    "no method is faster",
    section4.EVEN,
)


@statement(
    "adaptive.inf.variance/continuous",
    where=TEXT,
    kind="claim",
    title="less variance than Local",
    latex=r"\sum_k(\alpha_{ik}\sigma_k)^2\le\sigma_i^2",
    family=remarks.ratios("continuous"),
    note="""Variance of the weighted direction, sum_k (alpha_k sigma_k)^2, against that of Local.
    Tight where no other client is chosen.""",
    proof="""Continuous rule: it is sigma_psi^2, and the own term alone gives sigma_i^2. Binary rule
    with lambda >= 1/2: (w_i + W)/(w_i + sum w_k r_k)^2 with r_k >= 1/2 is at most 1/w_i.""",
)
def less_variance(w: World) -> Sides:
    direction = weighted_variance(w.ratio, common.phi_of(w, w.ratio), w.sigma2)
    return {"All-for-one": direction}, {"Local": w.sigma2[..., 0]}


less_variance_binary = less_variance.variant(
    "adaptive.inf.variance/binary", family=remarks.ratios("binary")
)
less_variance_half = less_variance_binary.variant(
    "adaptive.inf.variance.repaired/binary",
    latex=r"\lambda\ge\tfrac12\Rightarrow" + less_variance.latex,
    given=[Hypothesis("lambda >= 1/2", r"\lambda\ge\tfrac12", lambda w: 2 * w.threshold - 1)],
)
