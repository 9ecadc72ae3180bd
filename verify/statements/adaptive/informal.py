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
from verify.statements.adaptive.problems import ABOUT, POINT, SHIFT, START, build, federation
from verify.statements.adaptive.rates import DECREASING_STEPS
from verify.world.world import World

TEXT = "introduction and conclusion"

# -- full gradients --------------------------------------------------------------------------------


def _alone(alpha: Array) -> Array:
    """The same total weight, all on the asking client."""
    return xp.eye(alpha.shape[-1], alpha)[0] * xp.total(alpha)[..., None]


@statement(
    "adaptive.inf.fullgrad@bound", where=TEXT, kind="claim", family=lemma_weights.LEMMA,
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
        tuple({"N": 2, "d": d, "rounds": 1, "method": "all_for_one", "weights": "fixed"}
              for d in (1, 2)),
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

_PAIRS = federation("quadratic", ({"N": 2, "d": 1}, {"N": 2, "d": 2}), {**POINT, **SHIFT})
_SEGMENT = federation(
    "quadratic", _PAIRS.shapes, {**POINT, "shrink": Real(0, 1, domain=(0, 1))}
)
_ANYWHERE = (
    federation("pl", ({"N": 1, "d": 1},), {**POINT, **SHIFT}),
    federation("nonconvex", ({"N": 1, "d": 1},), {**POINT, **SHIFT}),
)


def _one_hessian(values: Mapping[str, Any], shape: Shape) -> Instance:
    shared = values["curvature"][..., :1, :] + 0 * values["curvature"]
    turn = values["turn"][..., :1] + 0 * values["turn"]
    return build("quadratic", {**values, "curvature": shared, "turn": turn}, shape)


def _better(w: World) -> Array:
    return w.point + w.shift


def _closer(w: World) -> Array:
    """A point on the segment from the present one to the optimum of client 0."""
    own = w.problem.optimum[..., 0, :]
    return own + w.shrink[..., None] * (w.point - own)


def _own_square(w: World, point: Array) -> Array:
    return xp.squared_norm(w.problem.gradients(point)[..., 0, :])


def _ratios(w: World, point: Array) -> Array:
    """Similarity of client 1; no value where the own gradient vanishes."""
    own = _own_square(w, point)
    return similarity_ratio(w.problem.gradients(point))[..., 1] + 0 * own / own


not_worse = Hypothesis(
    "loss not larger", r"R_i(\theta')\le R_i(\theta)",
    lambda w: (w.problem.losses(w.point) - w.problem.losses(_better(w)))[..., 0],
    "Section 3, 'as the loss of client i gets better optimized'")


@statement(
    "adaptive.inf.less/norm", where="Section 3", kind="claim", family=_PAIRS, also=_ANYWHERE,
    title="the gradient norm decreases", latex=r"\|\nabla R_i(\theta')\|\le\|\nabla R_i(\theta)\|",
    given=[not_worse], note="Any two points, the second of no larger loss.",
)
def norm_decreases(w: World) -> Sides:
    return {"G^2 at lower loss": _own_square(w, _better(w))}, {"G^2": _own_square(w, w.point)}


@norm_decreases.like(
    "adaptive.inf.less.repaired/norm", latex=norm_decreases.latex, family=_SEGMENT, given=[],
    note="Along the segment to the optimum of a quadratic. Tight where the point does not move.",
    proof="The gradient is linear along the segment and vanishes at its end.",
)
def norm_on_segment(w: World) -> Sides:
    return {"G^2 closer": _own_square(w, _closer(w))}, {"G^2": _own_square(w, w.point)}


def _own_there(point: Callable[[World], Array]) -> Hypothesis:
    return Hypothesis("own gradient", r"\nabla R_i(\theta')\ne0",
                      lambda w: _own_square(w, point(w)), strict=True, defining=True)  # fmt: skip


@norm_decreases.like(
    "adaptive.inf.less/ratio", title="less collaboration is made",
    latex=r"r_{ik}(\theta')\le r_{ik}(\theta)", given=[not_worse, _own_there(_better)],
    note="Similarity of client 1, the second point of no larger loss.",
)
def ratio_decreases(w: World) -> Sides:
    return {"r at lower loss": _ratios(w, _better(w))}, {"r": _ratios(w, w.point)}


@norm_on_segment.like(
    "adaptive.inf.less.repaired/ratio", title=ratio_decreases.title, latex=ratio_decreases.latex,
    family=Family(_SEGMENT.box, _SEGMENT.shapes, _one_hessian,
                  ABOUT["quadratic"] + " with one Hessian"),
    given=[_own_there(_closer)],
    note="Along the segment to the optimum, for clients of one Hessian.",
    proof="Equal Hessians fix the gap, while the own gradient shrinks.",
)
def ratio_on_segment(w: World) -> Sides:
    return {"r closer": _ratios(w, _closer(w))}, {"r": _ratios(w, w.point)}


@bound_without_noise.like(
    "adaptive.inf.criterion/zero", title="no weight where the gap exceeds the gradient",
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
    "adaptive.inf.criterion/proportional", title="weights by gap and variance",
    latex=r"\alpha_{ik}=\frac{(G^2-\Delta_k^2)_+}{4\beta\sigma_k^2}\in\operatorname{argmin}_{\alpha\ge0}",
    note="Weights in these proportions against any other, in the bound of Lemma 1. Tight there.",
)
def proportional(w: World) -> Sides:
    best, bound = w.step_size[..., None] * lemma_weights.best(w) / 2, lemma_weights.printed_bound_at
    return bound(w, best), bound(w, w.alpha)

# -- independence of the target --------------------------------------------------------------------

weights_without_target = assumptions.weights_of_last_model.variant(
    "adaptive.inf.epsfree/weights", where=TEXT, kind="claim",
    title="weights do not depend on the target",
    latex=r"\alpha_{ik}^t=\phi(r_{ik}^t)(\sigma_{i,\psi}^t/\sigma_k)^2",
    family=run_family((2, 1, 1), (2, 1, 2), extra=PRECISION),
)


@weights_without_target.like(
    "adaptive.inf.epsfree/steps-decreasing", title="steps do not depend on the target",
    latex=r"\eta_i^t(\varepsilon)=\eta_i^t(\varepsilon')",
    family=run_family(
        (2, 1, 1), (2, 1, 2), extra={**PRECISION, **FACTOR, "noise_share": Real(0, 0, per=("N",))},
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
        "C/(mu t) direction": xp.stack(steps, -1) * direction, "|theta^{t-1}|": size,
    }


@statement(
    "adaptive.inf.epsfree/steps-horizon", where=TEXT, kind="claim", relation="==",
    title=decreasing_steps.title, latex=decreasing_steps.latex,
    family=common.definition_family({
        **PRECISION, **FACTOR, "ease": Real(1, 16, log=True, domain=(1, inf)), "beta": common.CURVATURE,
        "excess": common.LOSS,
    }),
    note="The horizon-dependent step at two targets, T = 1.",
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
    "adaptive.inf.optimal/optimal", "claim", TEXT, r"T_i^\varepsilon=\Theta\bigl(\text{best}\bigr)",
    "no method is faster", section4.EVEN)


@statement(
    "adaptive.inf.variance/continuous", where=TEXT, kind="claim", title="less variance than Local",
    latex=r"\sum_k(\alpha_{ik}\sigma_k)^2\le\sigma_i^2", family=remarks.ratios("continuous"),
    note="""Variance of the weighted direction, sum_k (alpha_k sigma_k)^2, against that of Local.
    Tight where no other client is chosen.""",
    proof="""Continuous rule: it is sigma_psi^2, and the own term alone gives sigma_i^2. Binary rule
    with lambda >= 1/2: (w_i + W)/(w_i + sum w_k r_k)^2 with r_k >= 1/2 is at most 1/w_i.""",
)
def less_variance(w: World) -> Sides:
    direction = weighted_variance(w.ratio, common.phi_of(w, w.ratio), w.sigma2)
    return {"All-for-one": direction}, {"Local": w.sigma2[..., 0]}


less_variance_binary = less_variance.variant(
    "adaptive.inf.variance/binary", family=remarks.ratios("binary"))
less_variance_half = less_variance_binary.variant(
    "adaptive.inf.variance.repaired/binary", latex=r"\lambda\ge\tfrac12\Rightarrow" + less_variance.latex,
    given=[Hypothesis("lambda >= 1/2", r"\lambda\ge\tfrac12", lambda w: 2 * w.threshold - 1)])
