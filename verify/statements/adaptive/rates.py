"""Theorem 1 and the three rows of Theorem 2."""

from __future__ import annotations

from bounds import generic as xp
from bounds import rates as closed
from verify.claim import Array, Family, Hypothesis, Real, Sides, Statement, Terms, statement
from verify.statements.adaptive import common
from verify.statements.adaptive.common import ADMISSIBLE, MENDED, excess, on_path, sufficient
from verify.world.world import World

THEOREM1, THEOREM2 = "Theorem 1", "Theorem 2, Table 1"

_PRECISE = {**common.PRECISION, **common.FACTOR}
RUNS_PRECISION = common.run_family(*common.SIZES, extra=common.PRECISION)
WITH_FACTOR = common.run_family(*common.SIZES, extra=_PRECISE)
WITH_DELAY = common.run_family(*common.SIZES, extra={**_PRECISE, **common.DELAY})
LONG = ((1, 1, 1), (1, 1, 2), (2, 1, 2), (1, 1, 4))
"""In two rounds and more the horizon-dependent step may be small without being negative."""
DECREASING_STEPS = {"step_sizes": lambda w: common.decreasing_sizes(w, 0)}


def excesses(w: World) -> Array:
    """Realised excess loss at 0, ..., T - 1, (B, R, T)."""
    return xp.stack([excess(w, t) for t in range(w.rounds)], -1)


def end_excess(w: World) -> Terms:
    """Realised excess loss after T rounds; its mean is the left side."""
    return {"E excess": excess(w, w.rounds)}


def sufficient_variance(w: World) -> Array:
    """sigma_suf^2(epsilon) of Definition 2 as printed."""
    return sufficient(w, w.precision)[1]


def mended_variance(w: World) -> Array:
    """sigma_suf^2(epsilon) of Definition 2 with b^2."""
    return sufficient(w, w.precision, printed=False)[1]


def horizon_step(w: World, variance: Array) -> Array:
    """The horizon-dependent step size of Theorem 2 for a variance."""
    return closed.horizon_step_size(common.start_excess(w), w.mu, w.beta, variance, w.rounds)


precise_in_mean = Hypothesis(
    "mean excess at T-1",
    r"\varepsilon_i^{T-1}=\mathbb E[R_i(\theta_i^{T-1})-R_i(\theta_i^\star)]\ge\varepsilon",
    lambda w: w.mean(excess(w, w.rounds - 1)) - w.precision,
    "Theorem 2",
)
precise_on_paths = Hypothesis(
    "realised excess at T-1",
    r"\varepsilon_i^{T-1}=R_i(\theta_i^{T-1})-R_i(\theta_i^\star)\ge\varepsilon\text{ on every path}",
    lambda w: excess(w, w.rounds - 1) - w.precision,
    "Theorem 2",
)
PRECISE = {"mean-excess": precise_in_mean, "realised-excess": precise_on_paths}
"""The condition on epsilon, by the options of the axis."""


def with_realised(claim: Statement) -> Statement:
    """A claim of the mean excess with the other meaning of epsilon_i^(T-1)."""
    given = [
        precise_on_paths.at(item.where) if item.name == precise_in_mean.name else item
        for item in claim.given
    ]
    return claim.variant(
        claim.key.replace("mean-excess", "realised-excess"), given=given, also=claim.also
    )


@statement(
    "adaptive.theorem1@in-mean",
    where=THEOREM1,
    title="excess loss after T rounds",
    over="mean",
    latex=r"\mathbb E[\varepsilon_i^T]\le(1-\eta_i\mu)^T\varepsilon_i^0+\frac{\beta\eta_i^2}2\sum_{t=1}^T(1-\eta_i\mu)^{T-t}(\sigma_{i,\psi}^t)^2",
    family=common.RUNS,
    also=common.wider(),
    given=common.STRICTLY_ADMISSIBLE,
    defines=common.CONSTANT_STEP,
    uses=("adaptive.S2",),
    note="Right side in mean. Tight for one client with mu = beta as the step comes near 1/beta.",
)
def theorem1(w: World) -> Sides:
    effective = on_path(w).effective  # (B, R, T)
    return end_excess(w), closed.theorem1_upper(excess(w, 0), w.step_size, w.mu, w.beta, effective)


@theorem1.like(
    "adaptive.theorem1@each-run",
    over="path",
    latex=theorem1.latex,
    uses=("adaptive.S2",),
    note="Right side along one run.",
)
def theorem1_run(w: World) -> Sides:
    return {"E excess": w.mean(excess(w, w.rounds))}, theorem1(w)[1]


# -- Theorem 2 -------------------------------------------------------------------------------------

STOPPED = r"\mathbb E[X_i^T\,\mathbb 1\{X_i^s\ge\varepsilon\ \forall s<T\}]"
"""X_i^t = R_i(theta_i^t) - R_i(theta_i^*)."""
_STOPPED = "on the event that epsilon was not reached before T"
_PRINTED = "The row as printed, with Definition 2 as printed."
_MENDED = """Definition 2 with b^2. That the excess loss is at least epsilon is asked of the runs
    that are counted: the left side is the mean of the excess loss on the event that it was so at
    every round before T. Asked of all runs, noise with a density never meets it."""
_USES = ("adaptive.theorem1", "adaptive.lemma2")
_MENDS = ("adaptive.S2", "adaptive.lemma2.repaired")
RECURSION = """I_t = 1{X^s >= epsilon for s <= t} is known before round t + 1 and decreases. Where
I_{t-1} = 1, |grad R_i|^2 >= 2 mu epsilon, so A3 gives r_ik >= 1 - b^2/(2 mu epsilon) - c_ik and
sigma_eff^t <= sigma_suf(epsilon) (the repaired Lemma 2); (S2) and A5 there give E[X^t I_{t-1}] <=
(1 - eta mu) E[X^{t-1} I_{t-2}] + eta^2 beta sigma_suf^2/2. """


def still_above(w: World, rounds: int) -> Array:
    """1 while the realised excess loss has been at least epsilon at 0, ..., rounds - 1."""
    value: Array = 1
    for t in range(rounds):
        here = excess(w, t)
        value = value * xp.indicator(here >= w.precision, here)
    return value


def stopped_excess(w: World) -> Terms:
    """Realised excess loss after T rounds on the event that epsilon was not reached before."""
    return {"E stopped excess": excess(w, w.rounds) * still_above(w, w.rounds)}


def saturating(w: World, variance: Array) -> Terms:
    """Right side of the constant row for a variance."""
    start = excess(w, 0)
    return closed.theorem2_constant_upper(start, w.step_size, w.mu, w.beta, variance, w.rounds)


def constants(w: World, variance: Array) -> tuple[Array, Array, Array, Array, int]:
    """What the other two rows are functions of: eps0, mu, beta, the variance and T."""
    return excess(w, 0), w.mu, w.beta, variance, w.rounds


_CONSTANT = (
    r"\le(1-\eta\mu)^T\varepsilon_i^0+\frac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)"
)


@statement(
    "adaptive.theorem2.const@mean-excess",
    where=THEOREM2,
    title="constant step",
    over="mean",
    latex=r"\mathbb E[\varepsilon_i^T]" + _CONSTANT,
    family=RUNS_PRECISION,
    given=[*ADMISSIBLE, precise_in_mean, common.at_most_inverse_mu],
    defines=common.CONSTANT_STEP,
    uses=_USES,
    note=_PRINTED,
)
def constant_row(w: World) -> Sides:
    return end_excess(w), saturating(w, sufficient_variance(w))


constant_row_realised = with_realised(constant_row)


@constant_row.like(
    "adaptive.theorem2.const.repaired",
    title=f"constant step, with b^2, {_STOPPED}",
    latex=STOPPED + _CONSTANT + MENDED,
    given=[*ADMISSIBLE, common.at_most_inverse_mu],
    also=common.wider(common.PRECISION),
    uses=_MENDS,
    note=_MENDED,
    proof=RECURSION + "Unroll; the geometric series is at most 1/(eta mu).",
)
def constant_row_repaired(w: World) -> Sides:
    return stopped_excess(w), saturating(w, mended_variance(w))


_HORIZON = r"\le\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)}{2\mu^2T}\Bigl(\ln\frac{2T\mu^2\varepsilon_i^0}{%s\sigma_{i,\mathrm{suf}}^2(\varepsilon)}+1\Bigr)"


@constant_row.like(
    "adaptive.theorem2.horizon@mean-excess",
    title="horizon-dependent step",
    latex=r"\mathbb E[\varepsilon_i^T]" + _HORIZON % "",
    note=_PRINTED,
    uses=_USES,
    given=[*constant_row.given, common.size_of_a_step],
    defines={"step_size": lambda w: horizon_step(w, sufficient_variance(w))},
)
def horizon_row(w: World) -> Sides:
    return end_excess(w), closed.theorem2_horizon_printed(*constants(w, sufficient_variance(w)))


horizon_row_realised = with_realised(horizon_row)


@constant_row_repaired.like(
    "adaptive.theorem2.horizon.repaired",
    latex=STOPPED + _HORIZON % r"\beta" + MENDED,
    title=f"horizon-dependent step, with beta in the logarithm and b^2, {_STOPPED}",
    family=common.run_family(*LONG, extra=common.PRECISION),
    also=(
        common.other_runs(
            "quadratic", (1, 2, 2), (1, 1, 4), extra=common.PRECISION, points=3, rules=("square",)
        ),
        common.other_runs(
            "pl", (1, 1, 1), (1, 1, 2), extra=common.PRECISION, rules=("continuous",)
        ),
    ),
    given=[*constant_row_repaired.given, common.size_of_a_step],
    uses=_MENDS,
    note=_MENDED,
    defines={"step_size": lambda w: horizon_step(w, mended_variance(w))},
    proof=RECURSION
    + """Unroll; (1 - eta mu)^T <= exp(-eta mu T), which this step makes
    beta sigma_suf^2/(2 T mu^2 eps0), so beta belongs into the logarithm.""",
)
def horizon_row_repaired(w: World) -> Sides:
    return stopped_excess(w), closed.theorem2_horizon_upper(*constants(w, mended_variance(w)))


_DECREASING = r"\le\frac1{%s}\max\Bigl(\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\,%s\varepsilon_i^0\Bigr)"


@constant_row.like(
    "adaptive.theorem2.decr@mean-excess",
    title="decreasing step",
    latex=r"\mathbb E[\varepsilon_i^T]" + _DECREASING % ("T", ""),
    family=WITH_FACTOR,
    given=[*ADMISSIBLE, precise_in_mean, common.factor_above_one],
    defines=DECREASING_STEPS,
    uses=_USES,
    note=_PRINTED,
)
def decreasing_row(w: World) -> Sides:
    symbols = constants(w, sufficient_variance(w))
    return end_excess(w), {"max/T": closed.theorem2_decreasing_printed(*symbols, w.factor)}


decreasing_row_realised = with_realised(decreasing_row)


@constant_row.like(
    "adaptive.theorem2.decr.repaired",
    latex=STOPPED + _DECREASING % (r"\gamma+T", r"\gamma") + MENDED,
    uses=_MENDS,
    title=f"decreasing step C/(mu (gamma + t)), with b^2, {_STOPPED}",
    family=WITH_DELAY,
    also=common.wider({**_PRECISE, **common.DELAY}),
    given=[*ADMISSIBLE, common.factor_above_one],
    defines=common.DELAYED_STEPS,
    note=_MENDED,
    proof=RECURSION
    + """With n = gamma + t, K = beta sigma_suf^2 C^2/(2 mu^2 (C-1)) and
    nu = max(K, gamma eps0), induction: (1 - C/n) nu/(n-1) + (C-1) K/n^2 <= nu/n, where 1 - C/n >= 0
    as eta_t mu <= q mu/beta <= 1. The delay gamma lets the first step C/(mu (gamma + 1)) meet the
    step condition, which no C > 1 does for gamma = 0.""",
)
def decreasing_row_repaired(w: World) -> Sides:
    symbols = constants(w, mended_variance(w))
    bound = closed.theorem2_decreasing_upper(*symbols, w.factor, w.delay)
    return stopped_excess(w), {"max/(gamma + T)": bound}


def _first_step(w: World) -> Terms:
    """The scalars of the emptiness proof at theta^0 of a run of the decreasing row."""
    at = common.at_first(w)
    return {
        "factor": w.factor,
        "mu": w.mu,
        "beta": w.beta,
        "limit": at.limit,
        "excess": common.start_excess(w),
        "squared_gradient": at.squared_gradient,
    }


@statement(
    "adaptive.theorem2.decr.empty",
    where=THEOREM2,
    title="the decreasing row has no instance",
    latex=r"1\le0",
    empties="adaptive.theorem2.decr",
    lift=_first_step,
    family=Family(
        {
            **common.FACTOR,
            "mu": common.CURVATURE,
            "beta": common.CURVATURE,
            "limit": Real(1 / 16, 2, log=True),
            "excess": common.LOSS,
            "squared_gradient": common.VARIANCE,
        },
        about="the first step, the first point and the constants of the decreasing row",
    ),
    given=[
        common.factor_above_one,
        Hypothesis(
            "first step at most q/beta",
            r"C/\mu\le q/\beta",
            lambda w: w.limit / w.beta - w.factor / w.mu,
            THEOREM2,
        ),
        Hypothesis(
            "q at most 1",
            r"q=(\sigma_{i,\phi}^1/\sigma_{i,\psi}^1)^2\le1",
            lambda w: 1 - w.limit,
            "Remark 3",
        ),
        Hypothesis(
            "smoothness",
            r"\|\nabla R_i(\theta_i^0)\|^2\le2\beta(R_i(\theta_i^0)-R_i(\theta_i^\star))",
            lambda w: 2 * w.beta * w.excess - w.squared_gradient,
            "Assumption A1",
        ),
        Hypothesis(
            "Polyak-Lojasiewicz",
            r"\|\nabla R_i(\theta_i^0)\|^2\ge2\mu(R_i(\theta_i^0)-R_i(\theta_i^\star))",
            lambda w: w.squared_gradient - 2 * w.mu * w.excess,
            "Assumption A5",
        ),
    ],
    note="No step sizes satisfy the decreasing row.",
    proof="""mu X <= |grad R|^2/2 <= beta X gives mu <= beta; the first step C/mu <= q/beta with
    q <= 1 gives C <= q mu/beta <= 1, against C > 1.""",
)
def decreasing_row_empty(w: World) -> Sides:
    return {"1": 1}, {"0": 0}
