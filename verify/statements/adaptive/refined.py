"""What can be proved where the weights follow the path: refined forms of Theorems 1 to 3.

One step size meets the step condition on every path (the sharp form of Remark 3).  The sufficient
variance then enters at the running realised excess loss, in mean, or at a fixed precision for the
stopped excess loss; neither needs a hypothesis on the path.
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import rates as closed
from bounds.adaptive_weights import (
    reach_probability_upper,
    step_ratio_binary_sharp,
    step_ratio_continuous_sharp,
    theorem1_direction_upper,
)
from bounds.heterogeneity import mismatch
from bounds.similarity import effective_variance
from bounds.sufficient import sufficient_ratio_best, sufficient_ratio_from_gradient
from verify.claim.families import QUADRATIC_BOX
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive import rates
from verify.statements.adaptive.common import (
    PHI,
    PRECISION,
    STEP,
    along,
    excess,
    per_client,
    phi_of,
    phi_shapes,
    run_family,
    source,
    sufficient,
)
from verify.statements.adaptive.problems import POINT, TRADEOFF, federation
from verify.world.world import World

SIZES = ((1, 1, 1), (1, 1, 2), (2, 1, 1), (2, 1, 2))


def _limit(w: World) -> Any:
    """Smallest (sigma_phi/sigma_psi)^2 over all ratios, (B, 1)."""
    if w.phi == "binary":
        return step_ratio_binary_sharp(w.sigma2, w.threshold)
    return step_ratio_continuous_sharp(w.sigma2)


def _safe_step(w: World) -> Any:
    return w.step_share * _limit(w) / w.beta


def _delay(w: World) -> Any:
    """At least the delay with which the first step meets the step condition on every path."""
    smallest = closed.decreasing_shift(w.factor, w.mu, w.beta, _limit(w))
    return smallest * (1 + w.patience)


def _delayed_sizes(w: World) -> Any:
    steps = range(1, w.rounds + 1)
    return xp.stack([closed.decreasing_step_size(w.factor, w.mu, _delay(w), t) for t in steps], -1)


def _direction(w: World) -> tuple[Terms, Terms]:
    """Theorem 1 in mean for every step size up to q/beta, q the sharp bound of Remark 3, and with
    the variance of the direction, sum_k (alpha_k^t sigma_k)^2 <= sigma_eff^2.

    Proof. sum_k alpha_k^t = (sigma_psi/sigma_phi)^2 <= 1/q at every point, so the repaired Lemma 1
    applies in every round on every path. Its first two terms are -eta G^2/2 (Definition 1), its
    last one eta^2 beta/2 sum_k (alpha_k^t sigma_k)^2. G^2 >= 2 mu X, full expectation, unroll;
    1 - eta mu >= 0 since eta mu <= q mu/beta <= 1. Where the own gradient vanishes only clients
    whose gradient vanishes too have weight, and the step is noise alone. Tight for one client with
    mu = beta and step 1/beta.
    """
    weights = along(w, rates._before(w)).alpha
    return {"E excess": excess(w, w.rounds)}, theorem1_direction_upper(
        excess(w, 0), w.step_size, w.mu, w.beta, weights, w.sigma2
    )


def _running(w: World) -> tuple[Terms, Terms]:
    """Theorem 1 with the sufficient variance at the running realised excess loss, in mean.

    Proof. Lemma 2 as repaired bounds sigma_eff^t by sigma_suf(X^{t-1}) on every path; take means.
    """
    before = xp.stack([excess(w, t) for t in range(w.rounds)], -1)  # (B, R, T)
    level = (2 * w.mu)[..., None] * before
    ratio = sufficient_ratio_from_gradient(
        per_client(w.squared_bias, 1), per_client(w.slope, 1), level
    )
    variance = effective_variance(ratio, phi_of(w, ratio), per_client(w.sigma2, 1))
    return {"E excess": excess(w, w.rounds)}, closed.theorem1_upper(
        excess(w, 0), w.step_size, w.mu, w.beta, variance
    )


def _own_gradients(w: World) -> Terms:
    return {"own gradients": along(w, rates._before(w)).squared_gradient}


def _still_above(w: World, rounds: int) -> Any:
    """1 while the realised excess loss has been at least epsilon at 0, ..., rounds - 1."""
    value: Any = 1
    for t in range(rounds):
        here = excess(w, t)
        value = value * xp.indicator(here >= w.precision, here)
    return value


def _stopped_const(w: World) -> tuple[Terms, Terms]:
    """The constant row for the excess loss on the event that epsilon was not reached before T.

    Proof. I_t = 1{X^s >= epsilon for s <= t} is known before round t + 1 and decreases. Where
    I_{t-1} = 1, sigma_eff^t <= sigma_suf(epsilon); hence E[X^t I_{t-1}] <= (1 - eta mu)
    E[X^{t-1} I_{t-2}] + eta^2 beta sigma_suf^2/2. Unroll, with the geometric sum kept. Tight for
    one client with mu = beta.
    """
    stopped = excess(w, w.rounds) * _still_above(w, w.rounds)
    return {"E stopped excess": stopped}, closed.theorem2_constant_geometric_upper(
        excess(w, 0), w.step_size, w.mu, w.beta, sufficient(w, w.precision, False)[1], w.rounds
    )


def _horizon_size(w: World) -> Any:
    variance = sufficient(w, w.precision, False)[1]
    return closed.horizon_step_size(rates._start_excess(w), w.mu, w.beta, variance, w.rounds)


def _short_horizon_step(w: World) -> Terms:
    """The step rule gives an admissible step: T is large enough, and the start not below the
    noise."""
    return {"step below q/beta": _limit(w) / w.beta - w.step_size, "step positive": w.step_size}


def _stopped_horizon(w: World) -> tuple[Terms, Terms]:
    """The horizon row for the excess loss on the event that epsilon was not reached before T.

    Proof. The constant row for the stopped excess loss, (1 - eta mu)^T <= exp(-eta mu T).
    """
    stopped = excess(w, w.rounds) * _still_above(w, w.rounds)
    return {"E stopped excess": stopped}, closed.theorem2_horizon_upper(
        excess(w, 0), w.mu, w.beta, sufficient(w, w.precision, False)[1], w.rounds
    )


def _best_constants(w: World) -> tuple[Terms, Terms]:
    """Lemma 2 for quadratics with the best constants (b, c) of A3 at the realised excess loss:
    r_k >= (1 - (|v_k|/sqrt(2 mu X) + |M_k|)^2)_+.

    Proof. grad R_k - grad R_i = -(M g + v) with g = grad R_i, so the gap is at most |M| G + |v|;
    divide by G >= sqrt(2 mu X). Tight in one dimension where mu is the own curvature.
    """
    at = along(w, w.point)
    shift, spread = (pair[..., 0, :] for pair in mismatch(w.A, -w.problem.optimum))
    ratio = sufficient_ratio_best(shift, spread, w.mu, w.problem.excess(w.point)[..., 0])
    return {"sigma_eff^2": at.effective}, {
        "best sigma_suf^2": effective_variance(ratio, phi_of(w, ratio), w.sigma2)
    }


def _away(w: World) -> Terms:
    return {"own gradient": along(w, w.point).squared_gradient}


QUADRATICS = federation("quadratic", phi_shapes((2, 1, 0), (2, 2, 0)), {**POINT, **PHI}, noise=True)


def _decreasing_bound(w: World) -> Any:
    variance = sufficient(w, w.precision, False)[1]
    return closed.theorem2_decreasing_upper(
        excess(w, 0), w.mu, w.beta, variance, w.rounds, w.factor, _delay(w)
    )


def _stopped_decr(w: World) -> tuple[Terms, Terms]:
    """The decreasing row for the excess loss on the event that epsilon was not reached before T.

    Proof. The recursion for E[X^t I_{t-1}] as in the constant row, and the induction of the
    repaired decreasing row.
    """
    stopped = excess(w, w.rounds) * _still_above(w, w.rounds)
    return {"E stopped excess": stopped}, {"max/(gamma + T)": _decreasing_bound(w)}


def _unreached(w: World) -> tuple[Terms, Terms]:
    """Probability that epsilon is not reached within T rounds.

    Proof. epsilon times the probability is at most E[X^T I_{T-1}]; then the decreasing row for the
    stopped excess loss. It is at most delta after T = max(K, gamma eps0)/(delta epsilon) - gamma.
    """
    missed = _still_above(w, w.rounds + 1)
    bound = reach_probability_upper(_decreasing_bound(w), w.precision)
    return {"P(not reached)": missed}, {"bound": bound}


def _factor(w: World) -> Terms:
    return {"C > 1": w.factor - 1}


def _positive(w: World) -> Terms:
    return {"step positive": w.step_share}


# -- Theorem 3 beyond quadratics ---------------------------------------------------------------


def _smooth_family(kind: str) -> Family:
    shapes = tuple({**s, "method": "all_for_one"} for s in phi_shapes(*SIZES))
    start = {"start": QUADRATIC_BOX["start"]}
    return federation(kind, shapes, {**start, **TRADEOFF, **PHI, **STEP}, noise=True)


def _smooth(w: World) -> tuple[Terms, Terms]:
    """Mean squared gradient of a smooth loss, the sufficient variance at the running squared
    gradient: Definition 2 with 2 mu epsilon replaced by G^2, since a loss without mu has no
    sufficient cluster at an excess loss.

    Proof. (S2) in mean, summed over t, the last excess dropped, divided by T eta/2; A3 alone gives
    r_k >= (1 - b^2/G^2 - c)_+, hence sigma_eff^t <= sigma_suf(G_t^2) on every path.
    """
    at = along(w, rates._before(w))
    ratio = sufficient_ratio_from_gradient(
        per_client(w.squared_bias, 1), per_client(w.slope, 1), at.squared_gradient
    )
    variance = effective_variance(ratio, phi_of(w, ratio), per_client(w.sigma2, 1))
    return {"average squared gradient": xp.mean(at.squared_gradient)}, closed.theorem3_upper(
        excess(w, 0), w.step_size, w.beta, xp.mean(variance), w.rounds
    )


_SAFE = {"step_size": _safe_step}
_LATE = {"step_sizes": _delayed_sizes}
_MOVING = frozenset({"own gradients", "step positive"})
_PATIENT = {**PRECISION, **rates.FACTOR, "patience": Real(0, 4)}
_ROW: dict[str, Any] = {"over": "mean", "form": "refined", "source": source("Theorem 2, Table 1")}
_ABOVE = frozenset({"C > 1"})
_Q = r"\eta\le\tfrac1\beta\min_r(\sigma_\phi/\sigma_\psi)^2\Rightarrow"
_I = r"\mathbb 1\{\varepsilon\le X_i^s\ \forall s<T\}"
_K = r"\max\Bigl(\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\gamma\varepsilon_i^0\Bigr)"


def _moving(w: World) -> Terms:
    return {**_own_gradients(w), **_positive(w)}


STATEMENTS = (
    Statement(
        key="adaptive.theorem1.refined", source=source("Theorem 1"), form="refined", over="mean",
        title="adaptive weights in mean, one step size for every path",
        latex=_Q + r"\mathbb E[\varepsilon_i^T]\le(1-\eta\mu)^T\varepsilon_i^0+\tfrac{\beta\eta^2}2\sum_t(1-\eta\mu)^{T-t}\,\mathbb E\sum_k(\alpha_{ik}^t\sigma_k)^2",
        family=run_family(*rates.SIZES), sides=_direction, given=_positive, defines=_SAFE,
        strict=frozenset({"step positive"}),
        uses=("adaptive.lemma1.repaired", "adaptive.remark3.refined", "adaptive.def1.var"),
    ),
    Statement(
        key="adaptive.lemma2.refined", source=source("Lemma 2"), form="refined", kind="lemma",
        title="effective beats sufficient, best constants of A3", family=QUADRATICS,
        latex=r"\sigma_{i,\mathrm{eff}}^{-2}\ge\sum_k\sigma_k^{-2}\psi\Bigl(\bigl(1-(\|v_{ik}\|/\sqrt{2\mu X_i}+\|M_{ik}\|)^2\bigr)_+\Bigr)",
        sides=_best_constants, given=_away, strict=frozenset({"own gradient"}),
        uses=("adaptive.property1.repaired",),
    ),
    Statement(
        key="adaptive.theorem2.refined", title="sufficient variance at the running excess loss",
        latex=_Q + r"\mathbb E[\varepsilon_i^T]\le(1-\eta\mu)^T\varepsilon_i^0+\tfrac{\beta\eta^2}2\sum_t(1-\eta\mu)^{T-t}\,\mathbb E\,\sigma_{i,\mathrm{suf}}^2(X_i^{t-1})",
        family=run_family(*rates.SIZES), sides=_running, given=_moving, strict=_MOVING,
        defines=_SAFE, uses=("adaptive.theorem1.refined", "adaptive.lemma2.repaired"), **_ROW,
    ),
    Statement(
        key="adaptive.theorem2.const.refined", title="constant step, stopped excess loss",
        latex=_Q + r"\mathbb E[X_i^T\," + _I + r"]\le(1-\eta\mu)^T\varepsilon_i^0+\frac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)\bigl(1-(1-\eta\mu)^T\bigr)",
        family=run_family(*rates.SIZES, extra=PRECISION), sides=_stopped_const, given=_positive,
        strict=frozenset({"step positive"}), defines=_SAFE,
        uses=("adaptive.lemma2.repaired", "adaptive.remark3.refined"), **_ROW,
    ),
    Statement(
        key="adaptive.theorem2.horizon.refined", title="horizon-dependent step, stopped excess loss",
        latex=r"\mathbb E[X_i^T\," + _I + r"]\le\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)}{2\mu^2T}\Bigl(\ln\frac{2T\mu^2\varepsilon_i^0}{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)}+1\Bigr)",
        family=run_family(*rates.SIZES, extra=PRECISION), sides=_stopped_horizon,
        given=_short_horizon_step, strict=frozenset({"step positive"}),
        defines={"step_size": _horizon_size},
        uses=("adaptive.lemma2.repaired", "adaptive.remark3.refined"), **_ROW,
    ),
    Statement(
        key="adaptive.theorem2.decr.refined", title="decreasing steps, stopped excess loss",
        latex=r"\mathbb E[X_i^T\," + _I + r"]\le\frac1{\gamma+T}" + _K, given=_factor,
        family=run_family(*rates.SIZES, extra=_PATIENT), sides=_stopped_decr, strict=_ABOVE,
        defines=_LATE, uses=("adaptive.lemma2.repaired", "adaptive.remark3.refined"), **_ROW,
    ),
    Statement(
        key="adaptive.theorem3.refined/nonconvex", source=source("Theorem 3"), form="refined",
        title="smooth non-convex, sufficient variance at the running gradient", over="mean",
        latex=r"\tfrac1T\sum_t\mathbb E\,G_t^2\le\frac{2\varepsilon_i^0}{T\eta}+\eta\beta\,\tfrac1T\sum_t\mathbb E\,\sigma_{i,\mathrm{suf}}^2(G_t^2)",
        family=_smooth_family("nonconvex"), sides=_smooth, given=_moving, strict=_MOVING,
        defines=_SAFE, uses=("adaptive.S2", "adaptive.remark3.refined"),
    ),
    Statement(
        key="adaptive.theorem3.refined/pl", source=source("Theorem 3"), form="refined",
        title="Polyak-Lojasiewicz, sufficient variance at the running gradient", over="mean",
        latex=r"\tfrac1T\sum_t\mathbb E\,G_t^2\le\frac{2\varepsilon_i^0}{T\eta}+\eta\beta\,\tfrac1T\sum_t\mathbb E\,\sigma_{i,\mathrm{suf}}^2(G_t^2)",
        family=_smooth_family("pl"), sides=_smooth, given=_moving, strict=_MOVING,
        defines=_SAFE, uses=("adaptive.S2", "adaptive.remark3.refined"),
    ),
    Statement(
        key="adaptive.corollary1.refined", source=source("Corollary 1"), form="refined",
        kind="corollary", title="probability that the precision is not reached", over="mean",
        latex=r"\mathbb P(X_i^t\ge\varepsilon\ \forall t\le T)\le\frac1{\varepsilon(\gamma+T)}" + _K,
        family=run_family(*rates.SIZES, extra=_PATIENT), sides=_unreached, given=_factor,
        strict=_ABOVE, defines=_LATE, uses=("adaptive.theorem2.decr.refined",),
    ),
)  # fmt: skip
