"""Informal statements of the introduction and the conclusion that can be put to a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import descent as closed
from bounds import generic as xp
from bounds import rates as closed_rates
from bounds.similarity import effective_variance, similarity_ratio, weighted_variance
from bounds.sufficient import sufficient_ratio_printed
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive import (
    lemma_weights,
    oracle,
    rates,
    remarks,
    section4,
    sufficient,
)
from verify.statements.adaptive.common import (
    PRECISION,
    along,
    phi_of,
    run_family,
    source,
)
from verify.statements.adaptive.problems import ABOUT, POINT, SHIFT, build, federation
from verify.world.world import World

# -- full gradients ----------------------------------------------------------------------------


def _alone(alpha: Any) -> Any:
    """The same total weight, all on the asking client."""
    first = xp.eye(alpha.shape[-1], alpha)[0]
    return first * xp.total(alpha)[..., None]


def _bound_without_noise(w: World) -> tuple[Terms, Terms]:
    """The bound of Lemma 1 with sigma_k = 0: weights on others only add their gaps.

    Proof. sum_k alpha_k (Delta_k^2 - G^2) >= -G^2 sum_k alpha_k.
    """
    gaps, silent = lemma_weights._gaps(w), 0 * w.sigma2
    args = (w.squared_gradient, gaps)
    return (
        closed.lemma1_upper(w.step_size, w.beta, _alone(w.alpha), silent, *args),
        closed.lemma1_upper(w.step_size, w.beta, w.alpha, silent, *args),
    )


FULL = federation(
    "quadratic",
    tuple(
        {"N": 2, "d": d, "rounds": 1, "method": "all_for_one", "weights": "fixed"} for d in (1, 2)
    ),
    {**oracle.START, "alpha": Real(0, 1, per=("N",)), "step_share": Real(0, 1)},
)


def _step_size(w: World) -> Any:
    return w.step_share / (w.beta * xp.total(w.alpha))


def _matrix(alpha: Any) -> Any:
    return alpha[..., None, :] + 0 * alpha[..., :, None]


def _loss_without_noise(w: World) -> tuple[Terms, Terms]:
    """Excess loss of client 0 after one full-gradient step of the same total weight."""
    alone, joint = (
        w.problem.excess(w.run(weight_matrix=_matrix(a)).theta[..., 1, :])[..., 0]
        for a in (_alone(w.alpha), w.alpha)
    )
    return {"alone": alone}, {"together": joint}


def _short(w: World) -> Terms:
    return {"some weight": xp.total(w.alpha), "step positive": w.step_share}


# -- less collaboration ------------------------------------------------------------------------

SHRINK = {"shrink": Real(0, 1)}
SEGMENT = federation("quadratic", ({"N": 2, "d": 1}, {"N": 2, "d": 2}), {**POINT, **SHRINK})


def _equal_curvature(values: Mapping[str, Any], shape: Shape) -> Instance:
    shared = values["curvature"][..., :1, :] + 0 * values["curvature"]
    turn = values["turn"][..., :1] + 0 * values["turn"]
    return build("quadratic", {**values, "curvature": shared, "turn": turn}, shape)


EQUAL_HESSIANS = Family(
    SEGMENT.box, SEGMENT.shapes, _equal_curvature, ABOUT["quadratic"] + " with one Hessian"
)


def _closer(w: World) -> Any:
    """A point on the segment from the present one to the optimum of client 0."""
    own = w.problem.optimum[..., 0, :]
    return own + w.shrink[..., None] * (w.point - own)


def _norms_segment(w: World) -> tuple[Terms, Terms]:
    """Along the segment to the optimum. Tight where the point does not move."""
    near, far = (w.problem.gradients(p)[..., 0, :] for p in (_closer(w), w.point))
    return {"G^2 closer": xp.squared_norm(near)}, {"G^2": xp.squared_norm(far)}


def _norms_any(w: World) -> tuple[Terms, Terms]:
    """Any two points, the second of no larger loss."""
    other = w.point + w.shift
    near, far = (w.problem.gradients(p)[..., 0, :] for p in (other, w.point))
    return {"G^2 at lower loss": xp.squared_norm(near)}, {"G^2": xp.squared_norm(far)}


def _lower_loss(w: World) -> Terms:
    return {
        "loss not larger": w.problem.losses(w.point)[..., 0]
        - w.problem.losses(w.point + w.shift)[..., 0]
    }


def _ratios_segment(w: World) -> tuple[Terms, Terms]:
    """Similarity of client 1 along the segment. Equal Hessians fix the gap, while G shrinks."""
    near, far = (similarity_ratio(w.problem.gradients(p))[..., 1] for p in (_closer(w), w.point))
    return {"r closer": near}, {"r": far}


def _moving(w: World) -> Terms:
    near = w.problem.gradients(_closer(w))[..., 0, :]
    return {"own gradient": xp.squared_norm(near)}


# -- weights of zero ---------------------------------------------------------------------------


def _dropped(w: World) -> tuple[Terms, Terms]:
    """Setting the weights of clients with Delta >= G to zero never raises the bound of Lemma 1.

    Tight where no such client has weight.
    """
    similar = w.squared_gradient[..., None] > lemma_weights._gaps(w)
    kept = xp.where(similar, w.alpha, 0 * w.alpha)
    at = lemma_weights._at
    return at(w, closed.lemma1_upper, kept), at(w, closed.lemma1_upper, w.alpha)


# -- independence of the target ----------------------------------------------------------------

TWO_TARGETS = sufficient.definition_family(
    {
        **PRECISION,
        **rates.FACTOR,
        "ease": Real(1, 16, log=True),
        "beta": Real(1 / 16, 16, unit=(1, -2), log=True),
        "excess": Real(1 / 16, 16, unit=(1, 0), log=True),
    }
)


def _variance(w: World, precision: Any) -> Any:
    ratio = sufficient_ratio_printed(w.bias, w.slope, w.mu, precision)
    return effective_variance(ratio, phi_of(w, ratio), w.sigma2)


def _targets(w: World) -> tuple[Any, Any]:
    return _variance(w, w.precision), _variance(w, w.precision * w.ease)


def _steps_horizon(w: World) -> tuple[Terms, Terms]:
    """The horizon-dependent step at two targets, T = 1."""
    here, there = (
        closed_rates.horizon_step_size(w.excess, w.mu, w.beta, v, 1) for v in _targets(w)
    )
    return {"step at eps": here}, {"step at eps'": there}


def _steps_decreasing(w: World) -> tuple[Terms, Terms]:
    """A run with full gradients and any target in hand moves by C/(mu t) times the direction of
    Definition 1 in round t: no target enters. Both sides are raised by |theta|, the size that
    rounding goes by.
    """
    theta = w.run().theta
    before = theta[..., :-1, :]
    slopes = w.problem.expand(1).gradients(before)[..., 0]  # (B, R, T, N)
    direction = xp.total(along(w, before).alpha * slopes)
    steps = [w.factor / (w.mu * (t + 1)) for t in range(w.rounds)]
    place = before[..., 0]
    size = xp.absolute(place)
    return {"theta^{t-1} - theta^t": place - theta[..., 1:, 0], "|theta|": size}, {
        "C/(mu t) direction": xp.stack(steps, -1) * direction, "|theta^{t-1}|": size,
    }  # fmt: skip


_SILENT = {"noise_share": Real(0, 0, per=("N",))}


# -- variance reduction ------------------------------------------------------------------------


def _reduced(w: World) -> tuple[Terms, Terms]:
    """Variance of the weighted direction, sum_k (alpha_k sigma_k)^2, against that of Local.

    Continuous rule: it is sigma_psi^2, and the own term alone gives sigma_i^2. Binary rule with
    lambda >= 1/2: (w_i + W)/(w_i + sum w_k r_k)^2 with r_k >= 1/2 is at most 1/w_i. Tight where no
    other client is chosen.
    """
    phi = phi_of(w, w.ratio)
    return {"All-for-one": weighted_variance(w.ratio, phi, w.sigma2)}, {"Local": w.sigma2[..., 0]}


def _at_least_half(w: World) -> Terms:
    return {"lambda >= 1/2": 2 * w.threshold - 1}


_I: dict[str, Any] = {"source": source("introduction and conclusion"), "kind": "claim"}
_LESS = r"\|\nabla R_i(\theta')\|\le\|\nabla R_i(\theta)\|"
_VAR = r"\sum_k(\alpha_{ik}\sigma_k)^2\le\sigma_i^2"
_STEPS = r"\eta_i^t(\varepsilon)=\eta_i^t(\varepsilon')"

STATEMENTS = (
    Statement(
        key="adaptive.inf.fullgrad@bound", title="full gradients need no collaboration",
        latex=r"\sigma_k=0\Rightarrow\text{the bound of Lemma 1 is smallest without collaboration}",
        family=lemma_weights.LEMMA, sides=_bound_without_noise, **_I,
    ),
    Statement(
        key="adaptive.inf.fullgrad@loss", title="full gradients need no collaboration",
        latex=r"\sigma_k=0\Rightarrow R_i(\theta_i^{t-1}-\eta\mathcal A\nabla R_i)\le R_i(\theta_i^{t-1}-\eta\textstyle\sum_k\alpha_k\nabla R_k)",
        family=FULL, sides=_loss_without_noise, given=_short, defines={"step_size": _step_size},
        strict=frozenset({"some weight", "step positive"}), **_I,
    ),
    Statement(
        key="adaptive.inf.less/norm@segment", title="the gradient norm decreases", latex=_LESS,
        family=SEGMENT, sides=_norms_segment, **_I,
    ),
    Statement(
        key="adaptive.inf.less/norm@any-point", title="the gradient norm decreases", latex=_LESS,
        family=federation("quadratic", ({"N": 1, "d": 1}, {"N": 1, "d": 2}), {**POINT, **SHIFT}),
        sides=_norms_any, given=_lower_loss, **_I,
    ),
    Statement(
        key="adaptive.inf.less/ratio@equal-Hessians", title="less collaboration is made",
        latex=r"r_{ik}(\theta')\le r_{ik}(\theta)", family=EQUAL_HESSIANS, sides=_ratios_segment,
        given=_moving, strict=frozenset({"own gradient"}), **_I,
    ),
    Statement(
        key="adaptive.inf.less/ratio@any-Hessians", title="less collaboration is made",
        latex=r"r_{ik}(\theta')\le r_{ik}(\theta)", family=SEGMENT, sides=_ratios_segment,
        given=_moving, strict=frozenset({"own gradient"}), **_I,
    ),
    Statement(
        key="adaptive.inf.criterion/zero", title="no weight where the gap exceeds the gradient",
        latex=r"\Delta_k\ge G\Rightarrow\alpha_{ik}=0", family=lemma_weights.LEMMA, sides=_dropped, **_I,
    ),
    Statement(
        key="adaptive.inf.criterion/proportional", title="weights by gap and variance",
        latex=r"\alpha_{ik}\propto(G^2-\Delta_k^2)_+/\sigma_k^2", family=lemma_weights.LEMMA,
        sides=lemma_weights._stationary(closed.lemma1_upper), uses=("adaptive.lemma1.repaired",), **_I,
    ),
    Statement(
        key="adaptive.inf.epsfree/weights", title="weights do not depend on the target",
        latex=r"\alpha_{ik}^t=\phi(r_{ik}^t)(\sigma_{i,\psi}^t/\sigma_k)^2", relation="==", over="path",
        family=run_family((2, 1, 1), (2, 1, 2), extra=PRECISION), sides=oracle._measurable,
        defines={"step_size": lambda w: w.step_share / w.beta}, given=oracle._moving_on_paths,
        strict=frozenset({"own gradients"}), **_I,
    ),
    Statement(
        key="adaptive.inf.epsfree/steps@decreasing", title="steps do not depend on the target",
        latex=_STEPS, relation="==", over="path", sides=_steps_decreasing,
        family=run_family((2, 1, 1), (2, 1, 2), extra={**PRECISION, **rates.FACTOR, **_SILENT}),
        defines={"step_sizes": rates._decreasing_sizes}, given=oracle._moving_on_paths,
        strict=frozenset({"own gradients"}), **_I,
    ),
    Statement(
        key="adaptive.inf.epsfree/steps@horizon", title="steps do not depend on the target",
        latex=_STEPS, relation="==", family=TWO_TARGETS, sides=_steps_horizon, **_I,
    ),
    Statement(
        key="adaptive.inf.optimal/rate", title="rate of the binary rule at every precision",
        latex=r"T_i^\varepsilon\le\frac{C^2}{2(C-1)\lambda^2}\,\frac{\beta\sigma^2}{\mu^2\varepsilon\,\mathcal N_i^\star(\varepsilon)}",
        family=section4.BINARY_RATE, sides=section4._iterations, given=rates._factor_above_one,
        strict=frozenset({"C > 1"}), uses=("adaptive.corollary1",), **_I,
    ),
    Statement(
        key="adaptive.inf.optimal/optimal", title="no method is faster", missing=section4._EVEN,
        latex=r"T_i^\varepsilon=\Theta\bigl(\text{best}\bigr)", **_I,
    ),
    Statement(
        key="adaptive.inf.variance/continuous", title="less variance than Local", latex=_VAR,
        family=remarks._ratios("continuous"), sides=_reduced, **_I,
    ),
    Statement(
        key="adaptive.inf.variance/binary@half", title="less variance than Local",
        latex=r"\lambda\ge\tfrac12\Rightarrow" + _VAR, family=remarks._ratios("binary"),
        sides=_reduced, given=_at_least_half, **_I,
    ),
    Statement(
        key="adaptive.inf.variance/binary@any", title="less variance than Local", latex=_VAR,
        family=remarks._ratios("binary"), sides=_reduced, **_I,
    ),
)  # fmt: skip
