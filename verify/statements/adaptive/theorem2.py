"""The three rows of Theorem 2: as printed, as repaired, and for the stopped excess loss."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import rates as closed
from bounds.similarity import effective_variance
from bounds.sufficient import sufficient_ratio_from_gradient
from verify.claim import Array, Hypothesis, Reading, Real, hypothesis, numbers
from verify.claim.statement import Sides, Terms
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive import theorem1
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.claims(r"""
Theorem 2, Table 1 :: theorem
    theorem2.const :: constant step
    theorem2.decr.empty :: the decreasing row has no instance
""")

WITH_FACTOR = q.runs(q.SIZES, q.PRECISION, q.FACTOR)
WITH_DELAY = q.runs(q.SIZES, q.PRECISION, q.FACTOR, q.DELAY)
LONG = ((1, 1, 1), (1, 1, 2), (2, 1, 2), (1, 1, 4))
"""In two rounds and more the horizon-dependent step may be small without being negative."""

STOPPED = r"\mathbb E[X_i^T\,\mathbb 1\{X_i^s\ge\varepsilon\ \forall s<T\}]"
"""X_i^t = R_i(theta_i^t) - R_i(theta_i^*)."""
_END = r"\mathbb E[\varepsilon_i^T]"
_CONSTANT = (
    r"\le(1-\eta\mu)^T\varepsilon_i^0+\frac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)"
)
_HORIZON = r"\le\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)}{2\mu^2T}\Bigl(\ln\frac{2T\mu^2\varepsilon_i^0}{%s\sigma_{i,\mathrm{suf}}^2(\varepsilon)}+1\Bigr)"
_LARGER = r"\max\Bigl(\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},%s\varepsilon_i^0\Bigr)"
_DECREASING = r"\le\frac1{%s}" + _LARGER.replace("%s", r"\,%s")
K = _LARGER % r"\gamma"

_PRINTED = "The row of Table 1."
_MENDED = """Definition 2 with b^2. That the excess loss is at least epsilon is asked of the runs
    that are counted: the left side is the mean of the excess loss on the event that it was so at
    every round before T. Asked of all runs, noise with a density never meets it."""
_UNREACHED = "on the event that epsilon was not reached before T"
_USES = ("adaptive.theorem1", "adaptive.lemma2")
_MENDS = ("adaptive.S2", "adaptive.lemma2.repaired")
_RECURSION = """I_t = 1{X^s >= epsilon for s <= t} is known before round t + 1 and decreases. Where
I_{t-1} = 1, |grad R_i|^2 >= 2 mu epsilon, so A3 gives r_ik >= 1 - b^2/(2 mu epsilon) - c_ik and
sigma_eff^t <= sigma_suf(epsilon) (the repaired Lemma 2); (S2) and A5 there give E[X^t I_{t-1}] <=
(1 - eta mu) E[X^{t-1} I_{t-2}] + eta^2 beta sigma_suf^2/2. """


def _last_excess(w: World, r: Reading) -> Array:
    found = q.excess(w, w.rounds - 1)
    return (w.mean(found) if "mean-excess" in r else found) - w.precision


def precise(r: Reading, where: str = "Theorem 2") -> Hypothesis:
    """The condition on epsilon, by what epsilon_i^t stands for."""
    value = r"R_i(\theta_i^{T-1})-R_i(\theta_i^\star)"
    if "mean-excess" in r:
        name, latex = "mean excess at T-1", rf"\mathbb E[{value}]\ge\varepsilon"
    else:
        name, latex = "realised excess at T-1", rf"{value}\ge\varepsilon\text{{ on every path}}"
    return Hypothesis(name, r"\varepsilon_i^{T-1}=" + latex, _last_excess, where)


def horizon_step(w: World, variance: Array) -> Array:
    """The horizon-dependent step size of Theorem 2 for a variance."""
    return closed.horizon_step_size(q.start_excess(w), w.mu, w.beta, variance, w.rounds)


@quantity
def still_above(w: World, rounds: int) -> Array:
    """1 while the realised excess loss has been at least epsilon at 0, ..., rounds - 1."""
    value: Array = 1
    for t in range(rounds):
        here = q.excess(w, t)
        value = value * xp.indicator(here >= w.precision, here)
    return value


def stopped_excess(w: World) -> Terms:
    """Realised excess loss after T rounds on the event that epsilon was not reached before."""
    return {"E stopped excess": q.excess(w, w.rounds) * still_above(w, w.rounds)}


def saturating(w: World, variance: Array) -> Terms:
    """Right side of the constant row for a variance."""
    start = q.excess(w, 0)
    return closed.theorem2_constant_upper(start, w.step_size, w.mu, w.beta, variance, w.rounds)


def _constants(w: World, variance: Array) -> tuple[Array, Array, Array, Array, int]:
    """What the other two rows are functions of: eps0, mu, beta, the variance and T."""
    return q.excess(w, 0), w.mu, w.beta, variance, w.rounds


def _decreasing(w: World, delay: Array) -> Array:
    return closed.theorem2_decreasing_upper(*_constants(w, q.mended_variance(w)), w.factor, delay)


# -- a constant step -------------------------------------------------------------------------------

constant_row = claim(
    "theorem2.const",
    readings=("dissimilarity", "excess"),
    over="mean",
    latex=lambda r: _END + _CONSTANT + q.squared(r),
    family=q.RUNS_PRECISION,
    also=(q.KICKED,),
    given=lambda r: [*q.ADMISSIBLE, precise(r), q.at_most_inverse_mu],
    defines=q.CONSTANT_STEP,
    uses=_USES,
    note=_PRINTED,
)(lambda w, r: (q.end_excess(w), saturating(w, q.variance_of_definition2(w, r))))

constant_row_repaired = constant_row.leaf("squared-b", "mean-excess").repaired(
    title=f"constant step, with b^2, {_UNREACHED}",
    latex=STOPPED + _CONSTANT + q.MENDED,
    given=[*q.ADMISSIBLE, q.at_most_inverse_mu],
    also=q.wider(q.PRECISION),
    uses=_MENDS,
    note=_MENDED,
    proof=_RECURSION + "Unroll; the geometric series is at most 1/(eta mu).",
)(lambda w: (stopped_excess(w), saturating(w, q.mended_variance(w))))

_Q = theorem1.Q + r"\Rightarrow"
_REFINED: dict[str, Any] = {"uses": ("adaptive.lemma2.repaired", "adaptive.remark3.refined")}


@theorem1.direction.like(
    "adaptive.theorem2.const.refined",
    where=q.TABLE1,
    title="constant step, stopped excess loss",
    family=q.RUNS_PRECISION,
    given=[theorem1.no_longer],
    latex=_Q + STOPPED + _CONSTANT + r"\bigl(1-(1-\eta\mu)^T\bigr)",
    note="The constant row for the excess loss on the event that epsilon was not reached before T.",
    proof="""I_t = 1{X^s >= epsilon for s <= t} is known before round t + 1 and decreases. Where
    I_{t-1} = 1, sigma_eff^t <= sigma_suf(epsilon); hence E[X^t I_{t-1}] <= (1 - eta mu)
    E[X^{t-1} I_{t-2}] + eta^2 beta sigma_suf^2/2. Unroll, with the geometric sum kept. Tight for
    one client with mu = beta.""",
    **_REFINED,
)
def stopped_constant(w: World) -> Sides:
    return stopped_excess(w), closed.theorem2_constant_geometric_upper(
        q.excess(w, 0), w.step_size, w.mu, w.beta, q.mended_variance(w), w.rounds
    )


# -- a step that depends on the horizon ------------------------------------------------------------


@constant_row.like(
    "adaptive.theorem2.horizon",
    title="horizon-dependent step",
    readings=("dissimilarity", "excess", "logarithm if squared-b"),
    latex=lambda r: _END + _HORIZON % (r"\beta" * ("with-beta" in r)) + q.squared(r),
    note=_PRINTED,
    uses=_USES,
    given=lambda r: [*q.ADMISSIBLE, precise(r), q.at_most_inverse_mu, q.size_of_a_step],
    defines={"step_size": lambda w, r: horizon_step(w, q.variance_of_definition2(w, r))},
)
def horizon_row(w: World, r: Reading) -> Sides:
    bound = closed.theorem2_horizon_upper if "with-beta" in r else closed.theorem2_horizon_printed
    return q.end_excess(w), bound(*_constants(w, q.variance_of_definition2(w, r)))


@constant_row_repaired.like(
    "adaptive.theorem2.horizon.repaired",
    latex=STOPPED + _HORIZON % r"\beta" + q.MENDED,
    title=f"horizon-dependent step, with beta in the logarithm and b^2, {_UNREACHED}",
    family=q.runs(LONG, q.PRECISION),
    also=(
        q.other_runs("quadratic", ((1, 2, 2), (1, 1, 4)), q.PRECISION, points=3, rules="square"),
        q.other_runs("pl", ((1, 1, 1), (1, 1, 2)), q.PRECISION, rules="continuous"),
    ),
    given=[*q.ADMISSIBLE, q.at_most_inverse_mu, q.size_of_a_step],
    uses=_MENDS,
    note=_MENDED,
    defines={"step_size": lambda w: horizon_step(w, q.mended_variance(w))},
    proof=_RECURSION
    + """Unroll; (1 - eta mu)^T <= exp(-eta mu T), which this step makes
    beta sigma_suf^2/(2 T mu^2 eps0), so beta belongs into the logarithm.""",
)
def horizon_row_repaired(w: World) -> Sides:
    bound = closed.theorem2_horizon_upper(*_constants(w, q.mended_variance(w)))
    return stopped_excess(w), bound


_below_limit = Hypothesis(
    "step below q/beta", theorem1.Q, lambda w: theorem1.smallest_limit(w) / w.beta - w.step_size
)

stopped_horizon = horizon_row_repaired.refined(
    title="horizon-dependent step, stopped excess loss",
    latex=STOPPED + _HORIZON % r"\beta",
    also=(),
    given=[_below_limit, q.size_of_a_step],
    note="""The horizon row for the excess loss on the event that epsilon was not reached before T.
    The step rule gives an admissible step: T large enough, the start not below the noise.""",
    proof="The constant row for the stopped excess loss, (1 - eta mu)^T <= exp(-eta mu T).",
    **_REFINED,
)(lambda w: horizon_row_repaired(w))


# -- decreasing steps ------------------------------------------------------------------------------


@constant_row.like(
    "adaptive.theorem2.decr",
    readings=("excess",),
    title="decreasing step",
    latex=_END + _DECREASING % ("T", ""),
    family=WITH_FACTOR,
    given=lambda r: [*q.ADMISSIBLE, precise(r), q.factor_above_one],
    defines=q.DECREASING_STEPS,
    uses=_USES,
    note=_PRINTED,
)
def decreasing_row(w: World, r: Reading) -> Sides:
    symbols = _constants(w, q.sufficient_variance(w))
    return q.end_excess(w), {"max/T": closed.theorem2_decreasing_printed(*symbols, w.factor)}


decreasing_row_repaired = decreasing_row.leaf("mean-excess").repaired(
    latex=STOPPED + _DECREASING % (r"\gamma+T", r"\gamma") + q.MENDED,
    uses=_MENDS,
    title=f"decreasing step C/(mu (gamma + t)), with b^2, {_UNREACHED}",
    family=WITH_DELAY,
    also=q.wider(q.PRECISION, q.FACTOR, q.DELAY),
    given=[*q.ADMISSIBLE, q.factor_above_one],
    defines=q.DELAYED_STEPS,
    note=_MENDED,
    proof=_RECURSION
    + """With n = gamma + t, K = beta sigma_suf^2 C^2/(2 mu^2 (C-1)) and
    nu = max(K, gamma eps0), induction: (1 - C/n) nu/(n-1) + (C-1) K/n^2 <= nu/n, where 1 - C/n >= 0
    as eta_t mu <= q mu/beta <= 1. The delay gamma lets the first step C/(mu (gamma + 1)) meet the
    step condition, which no C > 1 does for gamma = 0.""",
)(lambda w: (stopped_excess(w), {"max/(gamma + T)": _decreasing(w, w.delay)}))


def _delay(w: World) -> Array:
    """At least the delay with which the first step meets the step condition on every path."""
    limit = theorem1.smallest_limit(w)
    return closed.decreasing_shift(w.factor, w.mu, w.beta, limit) * (1 + w.patience)


def stopped_bound(w: World) -> Array:
    """Bound of the stopped excess loss with that delay."""
    return _decreasing(w, _delay(w))


stopped_decreasing = stopped_constant.like(
    "adaptive.theorem2.decr.refined",
    title="decreasing steps, stopped excess loss",
    latex=STOPPED + r"\le\frac1{\gamma+T}" + K,
    given=[q.factor_above_one],
    family=q.runs(q.SIZES, q.PRECISION, q.FACTOR, {"patience": Real(0, 4)}),
    defines={"step_sizes": lambda w: q.decreasing_sizes(w, _delay(w))},
    note="""The decreasing row for the excess loss on the event that epsilon was not reached before
    T.""",
    proof="""The recursion for E[X^t I_{t-1}] as in the constant row, and the induction of the
    repaired decreasing row.""",
    **_REFINED,
)(lambda w: (stopped_excess(w), {"max/(gamma + T)": stopped_bound(w)}))


def _first_step(w: World) -> Terms:
    """The scalars of the emptiness proof at theta^0 of a run of the decreasing row."""
    at = q.at_first(w)
    return {
        **{name: w.symbol(name) for name in ("factor", "mu", "beta")},
        "limit": at.limit,
        "excess": q.start_excess(w),
        "squared_gradient": at.squared_gradient,
    }


_G2 = r"\|\nabla R_i(\theta_i^0)\|^2"
_X = r"(R_i(\theta_i^0)-R_i(\theta_i^\star))"

decreasing_row_empty = claim(
    "theorem2.decr.empty",
    latex=r"1\le0",
    empties="adaptive.theorem2.decr",
    lift=_first_step,
    family=numbers(
        {
            **q.FACTOR,
            "mu": q.CURVATURE,
            **q.BETA,
            "limit": Real(1 / 16, 2, log=True),
            "excess": q.LOSS,
            "squared_gradient": q.VARIANCE,
        },
        about="the first step, the first point and the constants of the decreasing row",
    ),
    given=[
        q.factor_above_one,
        hypothesis("first step at most q/beta", r"C/\mu\le q/\beta", where=q.TABLE1)(
            lambda w: w.limit / w.beta - w.factor / w.mu
        ),
        Hypothesis(
            "q at most 1",
            r"q=(\sigma_{i,\phi}^1/\sigma_{i,\psi}^1)^2\le1",
            lambda w: 1 - w.limit,
            "Remark 3",
        ),
        hypothesis("smoothness", _G2 + r"\le2\beta" + _X, where="Assumption A1")(
            lambda w: 2 * w.beta * w.excess - w.squared_gradient
        ),
        hypothesis("Polyak-Lojasiewicz", _G2 + r"\ge2\mu" + _X, where="Assumption A5")(
            lambda w: w.squared_gradient - 2 * w.mu * w.excess
        ),
    ],
    note="No step sizes satisfy the decreasing row.",
    proof="""mu X <= |grad R|^2/2 <= beta X gives mu <= beta; the first step C/mu <= q/beta with
    q <= 1 gives C <= q mu/beta <= 1, against C > 1.""",
)(lambda w: ({"1": 1}, {"0": 0}))


def running_variance(w: World, level: Array) -> Array:
    """sigma_suf^2 with b^2, a squared gradient (B, R, T) in place of 2 mu epsilon."""
    bias, slope = q.per_client(w.squared_bias, 1), q.per_client(w.slope, 1)
    ratio = sufficient_ratio_from_gradient(bias, slope, level)
    return effective_variance(ratio, q.phi_of(w, ratio), q.per_client(w.sigma2, 1))


@quantity
def _excess_before_each_round(w: World) -> Array:
    """Realised excess loss after 0, ..., T - 1 rounds, (B, R, T)."""
    return xp.stack([q.excess(w, t) for t in range(w.rounds)], -1)


@theorem1.direction.like(
    "adaptive.theorem2.refined",
    where=q.TABLE1,
    title="sufficient variance at the running excess loss",
    latex=theorem1.REFINED + r"\,\sigma_{i,\mathrm{suf}}^2(X_i^{t-1})",
    uses=("adaptive.theorem1.refined", "adaptive.lemma2.repaired"),
    note="Theorem 1 with the sufficient variance at the running realised excess loss, in mean.",
    proof="Lemma 2 as repaired bounds sigma_eff^t by sigma_suf(X^{t-1}) on every path; take means.",
)
def running(w: World) -> Sides:
    excesses = _excess_before_each_round(w)
    variance = running_variance(w, (2 * w.mu)[..., None] * excesses)
    return q.end_excess(w), closed.theorem1_upper(
        q.excess(w, 0), w.step_size, w.mu, w.beta, variance
    )
