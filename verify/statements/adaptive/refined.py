"""What can be proved where the weights follow the path: refined forms of Theorems 1 to 3.

One step size meets the step condition on every path (the sharp form of Remark 3).  The sufficient
variance then enters at the running realised excess loss, in mean, or at a fixed precision for the
stopped excess loss; neither needs a hypothesis on the path.
"""

from __future__ import annotations

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
from verify.claim import Array, Hypothesis, Real, Sides, statement
from verify.statements.adaptive import common, rates, rates_smooth
from verify.statements.adaptive.common import PHI, excess, on_path, per_client, phi_of
from verify.statements.adaptive.problems import POINT, federation
from verify.world.world import World


def _limit(w: World) -> Array:
    """Smallest (sigma_phi/sigma_psi)^2 over all ratios, (B, 1)."""
    if w.phi == "binary":
        return step_ratio_binary_sharp(w.sigma2, w.threshold)
    return step_ratio_continuous_sharp(w.sigma2)


def _delay(w: World) -> Array:
    """At least the delay with which the first step meets the step condition on every path."""
    smallest = closed.decreasing_shift(w.factor, w.mu, w.beta, _limit(w))
    return smallest * (1 + w.patience)


def _running_variance(w: World, level: Array) -> Array:
    """sigma_suf^2 with b^2, a squared gradient (B, R, T) in place of 2 mu epsilon."""
    bias, slope = per_client(w.squared_bias, 1), per_client(w.slope, 1)
    ratio = sufficient_ratio_from_gradient(bias, slope, level)
    return effective_variance(ratio, phi_of(w, ratio), per_client(w.sigma2, 1))


no_longer = Hypothesis(
    "step at most min q/beta",
    r"\eta\le\tfrac1\beta\min_r(\sigma_\phi/\sigma_\psi)^2",
    lambda w: 1 - w.step_share,
)
_Q = r"\eta\le\tfrac1\beta\min_r(\sigma_\phi/\sigma_\psi)^2\Rightarrow"


@statement(
    "adaptive.theorem1.refined",
    where="Theorem 1",
    over="mean",
    title="adaptive weights in mean, one step size for every path",
    latex=_Q
    + r"\mathbb E[\varepsilon_i^T]\le(1-\eta\mu)^T\varepsilon_i^0+\tfrac{\beta\eta^2}2\sum_t(1-\eta\mu)^{T-t}\,\mathbb E\sum_k(\alpha_{ik}^t\sigma_k)^2",
    family=common.RUNS,
    given=[no_longer, common.own_gradients],
    defines={"step_size": lambda w: w.step_share * _limit(w) / w.beta},
    uses=("adaptive.lemma1.repaired", "adaptive.remark3.refined", "adaptive.def1.var"),
    note="""Theorem 1 in mean for every step size up to q/beta, q the sharp bound of Remark 3, and
    with the variance of the direction, sum_k (alpha_k^t sigma_k)^2 <= sigma_eff^2.""",
    proof="""sum_k alpha_k^t = (sigma_psi/sigma_phi)^2 <= 1/q at every point, so the repaired Lemma
    1 applies in every round on every path. Its first two terms are -eta G^2/2 (Definition 1), its
    last one eta^2 beta/2 sum_k (alpha_k^t sigma_k)^2. G^2 >= 2 mu X, full expectation, unroll;
    1 - eta mu >= 0 since eta mu <= q mu/beta <= 1. Tight for one client with mu = beta and step
    1/beta.""",
)
def direction(w: World) -> Sides:
    return rates.end_excess(w), theorem1_direction_upper(
        excess(w, 0), w.step_size, w.mu, w.beta, on_path(w).alpha, w.sigma2
    )


@direction.like(
    "adaptive.theorem2.refined",
    where=rates.THEOREM2,
    title="sufficient variance at the running excess loss",
    latex=_Q
    + r"\mathbb E[\varepsilon_i^T]\le(1-\eta\mu)^T\varepsilon_i^0+\tfrac{\beta\eta^2}2\sum_t(1-\eta\mu)^{T-t}\,\mathbb E\,\sigma_{i,\mathrm{suf}}^2(X_i^{t-1})",
    uses=("adaptive.theorem1.refined", "adaptive.lemma2.repaired"),
    note="Theorem 1 with the sufficient variance at the running realised excess loss, in mean.",
    proof="Lemma 2 as repaired bounds sigma_eff^t by sigma_suf(X^{t-1}) on every path; take means.",
)
def running(w: World) -> Sides:
    variance = _running_variance(w, (2 * w.mu)[..., None] * rates.excesses(w))
    bound = closed.theorem1_upper(excess(w, 0), w.step_size, w.mu, w.beta, variance)
    return rates.end_excess(w), bound


# -- Theorem 2 for the stopped excess loss ---------------------------------------------------------

_K = r"\max\Bigl(\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\gamma\varepsilon_i^0\Bigr)"
_USES = ("adaptive.lemma2.repaired", "adaptive.remark3.refined")


@direction.like(
    "adaptive.theorem2.const.refined",
    where=rates.THEOREM2,
    family=rates.RUNS_PRECISION,
    given=[no_longer],
    title="constant step, stopped excess loss",
    uses=_USES,
    latex=_Q
    + rates.STOPPED
    + r"\le(1-\eta\mu)^T\varepsilon_i^0+\frac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)\bigl(1-(1-\eta\mu)^T\bigr)",
    note="The constant row for the excess loss on the event that epsilon was not reached before T.",
    proof="""I_t = 1{X^s >= epsilon for s <= t} is known before round t + 1 and decreases. Where
    I_{t-1} = 1, sigma_eff^t <= sigma_suf(epsilon); hence E[X^t I_{t-1}] <= (1 - eta mu)
    E[X^{t-1} I_{t-2}] + eta^2 beta sigma_suf^2/2. Unroll, with the geometric sum kept. Tight for
    one client with mu = beta.""",
)
def stopped_constant(w: World) -> Sides:
    return rates.stopped_excess(w), closed.theorem2_constant_geometric_upper(
        excess(w, 0), w.step_size, w.mu, w.beta, rates.mended_variance(w), w.rounds
    )


@stopped_constant.like(
    "adaptive.theorem2.horizon.refined",
    title="horizon-dependent step, stopped excess loss",
    latex=rates.STOPPED
    + r"\le\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)}{2\mu^2T}\Bigl(\ln\frac{2T\mu^2\varepsilon_i^0}{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)}+1\Bigr)",
    given=[
        Hypothesis(
            "step below q/beta",
            r"\eta\le\tfrac1\beta\min_r(\sigma_\phi/\sigma_\psi)^2",
            lambda w: _limit(w) / w.beta - w.step_size,
        ),
        common.size_of_a_step,
    ],
    family=rates.horizon_row_repaired.family,
    defines=rates.horizon_row_repaired.defines,
    uses=_USES,
    note="""The horizon row for the excess loss on the event that epsilon was not reached before T.
    The step rule gives an admissible step: T large enough, the start not below the noise.""",
    proof="The constant row for the stopped excess loss, (1 - eta mu)^T <= exp(-eta mu T).",
)
def stopped_horizon(w: World) -> Sides:
    symbols = rates.constants(w, rates.mended_variance(w))
    return rates.stopped_excess(w), closed.theorem2_horizon_upper(*symbols)


def _decreasing_bound(w: World) -> Array:
    symbols = rates.constants(w, rates.mended_variance(w))
    return closed.theorem2_decreasing_upper(*symbols, w.factor, _delay(w))


@stopped_constant.like(
    "adaptive.theorem2.decr.refined",
    title="decreasing steps, stopped excess loss",
    latex=rates.STOPPED + r"\le\frac1{\gamma+T}" + _K,
    given=[common.factor_above_one],
    family=common.run_family(
        *common.SIZES, extra={**common.PRECISION, **common.FACTOR, "patience": Real(0, 4)}
    ),
    defines={"step_sizes": lambda w: common.decreasing_sizes(w, _delay(w))},
    uses=_USES,
    note="""The decreasing row for the excess loss on the event that epsilon was not reached before
    T.""",
    proof="""The recursion for E[X^t I_{t-1}] as in the constant row, and the induction of the
    repaired decreasing row.""",
)
def stopped_decreasing(w: World) -> Sides:
    return rates.stopped_excess(w), {"max/(gamma + T)": _decreasing_bound(w)}


@stopped_decreasing.like(
    "adaptive.corollary1.refined",
    where="Corollary 1",
    kind="corollary",
    title="probability that the precision is not reached",
    latex=r"\mathbb P(X_i^t\ge\varepsilon\ \forall t\le T)\le\frac1{\varepsilon(\gamma+T)}" + _K,
    uses=("adaptive.theorem2.decr.refined",),
    note="Probability that epsilon is not reached within T rounds.",
    proof="""epsilon times the probability is at most E[X^T I_{T-1}]; then the decreasing row for
    the stopped excess loss. It is at most delta after T = max(K, gamma eps0)/(delta epsilon) -
    gamma.""",
)
def unreached(w: World) -> Sides:
    bound = reach_probability_upper(_decreasing_bound(w), w.precision)
    return {"P(not reached)": rates.still_above(w, w.rounds + 1)}, {"bound": bound}


@statement(
    "adaptive.lemma2.refined",
    where="Lemma 2",
    kind="lemma",
    title="effective beats sufficient, best constants of A3",
    latex=r"\sigma_{i,\mathrm{eff}}^{-2}\ge\sum_k\sigma_k^{-2}\psi\Bigl(\bigl(1-(\|v_{ik}\|/\sqrt{2\mu X_i}+\|M_{ik}\|)^2\bigr)_+\Bigr)",
    family=federation(
        "quadratic",
        tuple({"N": 2, "d": d, "phi": phi} for d in (1, 2) for phi in ("continuous", "binary")),
        {**POINT, **PHI},
        noise=True,
    ),
    given=[
        Hypothesis(
            "own gradient",
            r"\nabla R_i(\theta)\ne0",
            lambda w: common.along(w, w.point).squared_gradient,
            strict=True,
            defining=True,
        )
    ],
    uses=("adaptive.property1.repaired",),
    note="""Lemma 2 for quadratics with the best constants (b, c) of A3 at the realised excess loss:
    r_k >= (1 - (|v_k|/sqrt(2 mu X) + |M_k|)^2)_+.""",
    proof="""grad R_k - grad R_i = -(M g + v) with g = grad R_i, so the gap is at most |M| G + |v|;
    divide by G >= sqrt(2 mu X). Tight in one dimension where mu is the own curvature.""",
)
def best_constants(w: World) -> Sides:
    shift, spread = (pair[..., 0, :] for pair in mismatch(w.A, -w.problem.optimum))
    ratio = sufficient_ratio_best(shift, spread, w.mu, w.problem.excess(w.point)[..., 0])
    best = effective_variance(ratio, phi_of(w, ratio), w.sigma2)
    return {"sigma_eff^2": common.along(w, w.point).effective}, {"best sigma_suf^2": best}


# -- Theorem 3 beyond quadratics -------------------------------------------------------------------

_SIZES = ((1, 1, 1), (1, 1, 2), (2, 1, 1), (2, 1, 2))


@direction.like(
    "adaptive.theorem3.refined/nonconvex",
    where="Theorem 3",
    title="smooth non-convex, sufficient variance at the running gradient",
    latex=r"\tfrac1T\sum_t\mathbb E\,G_t^2\le\frac{2\varepsilon_i^0}{T\eta}+\eta\beta\,\tfrac1T\sum_t\mathbb E\,\sigma_{i,\mathrm{suf}}^2(G_t^2)",
    family=common.other_runs("nonconvex", *_SIZES),
    uses=("adaptive.S2", "adaptive.remark3.refined"),
    note="""Mean squared gradient of a smooth loss, the sufficient variance at the running squared
    gradient: Definition 2 with 2 mu epsilon replaced by G^2, since a loss without mu has no
    sufficient cluster at an excess loss.""",
    proof="""(S2) in mean, summed over t, the last excess dropped, divided by T eta/2; A3 alone
    gives r_k >= (1 - b^2/G^2 - c)_+, hence sigma_eff^t <= sigma_suf(G_t^2) on every path.""",
)
def smooth(w: World) -> Sides:
    variance = _running_variance(w, on_path(w).squared_gradient)
    return rates_smooth.squared_gradients(w), rates_smooth.summed_descents(w, xp.mean(variance))


smooth_pl = smooth.variant(
    "adaptive.theorem3.refined/pl",
    family=common.other_runs("pl", *_SIZES),
    title="Polyak-Lojasiewicz, sufficient variance at the running gradient",
)
