"""Theorem 1, the three rows of Theorem 2, and Theorem 3."""

from __future__ import annotations

from bounds import generic as xp
from bounds import rates as closed
from verify.claim import Array, Family, Hypothesis, Real, Sides, Terms, statement
from verify.statements.adaptive import common
from verify.statements.adaptive.common import ADMISSIBLE, MENDED, excess, on_path, sufficient
from verify.world.world import World

THEOREM1, THEOREM2, THEOREM3 = "Theorem 1", "Theorem 2, Table 1", "Theorem 3"

_PRECISE = {**common.PRECISION, **common.FACTOR}
RUNS_PRECISION = common.run_family(*common.SIZES, extra=common.PRECISION)
WITH_FACTOR = common.run_family(*common.SIZES, extra=_PRECISE)
WITH_DELAY = common.run_family(*common.SIZES, extra={**_PRECISE, **common.DELAY})
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
    "mean excess at T-1", r"\varepsilon_i^{T-1}=\mathbb E[R_i(\theta_i^{T-1})-R_i(\theta_i^\star)]\ge\varepsilon",
    lambda w: w.mean(excess(w, w.rounds - 1)) - w.precision, "Theorem 2")
precise_on_paths = Hypothesis(
    "excess before T", r"R_i(\theta_i^t)-R_i(\theta_i^\star)\ge\varepsilon\ \forall t<T\text{ on every path}",
    lambda w: excesses(w) - w.precision[..., None])


@statement(
    "adaptive.theorem1@mean", where=THEOREM1, title="excess loss after T rounds", over="mean",
    latex=r"\mathbb E[\varepsilon_i^T]\le(1-\eta_i\mu)^T\varepsilon_i^0+\frac{\beta\eta_i^2}2\sum_{t=1}^T(1-\eta_i\mu)^{T-t}(\sigma_{i,\psi}^t)^2",
    family=common.RUNS, given=[*common.STRICTLY_ADMISSIBLE, common.at_most_inverse_mu.at("")],
    defines=common.CONSTANT_STEP, uses=("adaptive.S2",),
    note="Right side in mean. Tight for one client with mu = beta as the step comes near 1/beta.",
)
def theorem1(w: World) -> Sides:
    effective = on_path(w).effective  # (B, R, T)
    return end_excess(w), closed.theorem1_upper(excess(w, 0), w.step_size, w.mu, w.beta, effective)


@theorem1.like(
    "adaptive.theorem1@run", over="path", latex=theorem1.latex, uses=("adaptive.S2",),
    note="Right side along one run.",
)
def theorem1_run(w: World) -> Sides:
    return {"E excess": w.mean(excess(w, w.rounds))}, theorem1(w)[1]


# -- Theorem 2 -------------------------------------------------------------------------------------

_PATHS = "and realised excess at least epsilon before T"
_PRINTED = "The row as printed, with Definition 2 as printed."
_MENDED = "Definition 2 with b^2, and realised excess at least epsilon at every round before T."
_USES = ("adaptive.theorem1", "adaptive.lemma2")
_RECURSION = """At such a point |grad R_i|^2 >= 2 mu epsilon, so A3 gives
r_ik >= 1 - b^2/(2 mu epsilon) - c_ik and sigma_eff <= sigma_suf(epsilon) on every path (the
repaired Lemma 2); (S2) and A5 give E X^t <= (1 - eta mu) E X^{t-1} + eta^2 beta sigma_suf^2/2. """


def saturating(w: World, variance: Array) -> Terms:
    """Right side of the constant row for a variance."""
    start = excess(w, 0)
    return closed.theorem2_constant_upper(start, w.step_size, w.mu, w.beta, variance, w.rounds)


def constants(w: World, variance: Array) -> tuple[Array, Array, Array, Array, int]:
    """What the other two rows are functions of: eps0, mu, beta, the variance and T."""
    return excess(w, 0), w.mu, w.beta, variance, w.rounds


@statement(
    "adaptive.theorem2.const", where=THEOREM2, title="constant step", over="mean",
    latex=r"\mathbb E[\varepsilon_i^T]\le(1-\eta\mu)^T\varepsilon_i^0+\frac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
    family=RUNS_PRECISION, given=[*ADMISSIBLE, precise_in_mean, common.at_most_inverse_mu],
    defines=common.CONSTANT_STEP, uses=_USES, note=_PRINTED,
)
def constant_row(w: World) -> Sides:
    return end_excess(w), saturating(w, sufficient_variance(w))


@constant_row.like(
    "adaptive.theorem2.const.repaired", title=f"constant step, with b^2 in Definition 2 {_PATHS}",
    latex=constant_row.latex + MENDED, uses=_USES, note=_MENDED,
    given=[*ADMISSIBLE, precise_on_paths, common.at_most_inverse_mu],
    proof=_RECURSION + "Unroll; the geometric series is at most 1/(eta mu).",
)
def constant_row_repaired(w: World) -> Sides:
    return end_excess(w), saturating(w, mended_variance(w))


_HORIZON = r"\mathbb E[\varepsilon_i^T]\le\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)}{2\mu^2T}\Bigl(\ln\frac{2T\mu^2\varepsilon_i^0}{%s\sigma_{i,\mathrm{suf}}^2(\varepsilon)}+1\Bigr)"


@constant_row.like(
    "adaptive.theorem2.horizon", title="horizon-dependent step", latex=_HORIZON % "", uses=_USES,
    defines={"step_size": lambda w: horizon_step(w, sufficient_variance(w))}, note=_PRINTED,
)
def horizon_row(w: World) -> Sides:
    return end_excess(w), closed.theorem2_horizon_printed(*constants(w, sufficient_variance(w)))


@constant_row_repaired.like(
    "adaptive.theorem2.horizon.repaired", latex=_HORIZON % r"\beta", uses=_USES, note=_MENDED,
    title=f"horizon-dependent step, with beta in the logarithm, b^2 {_PATHS}",
    defines={"step_size": lambda w: horizon_step(w, mended_variance(w))},
    proof=_RECURSION + """Unroll; (1 - eta mu)^T <= exp(-eta mu T), which this step makes
    beta sigma_suf^2/(2 T mu^2 eps0), so beta belongs into the logarithm.""",
)
def horizon_row_repaired(w: World) -> Sides:
    return end_excess(w), closed.theorem2_horizon_upper(*constants(w, mended_variance(w)))


_DECREASING = r"\mathbb E[\varepsilon_i^T]\le\frac1{%s}\max\Bigl(\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\,%s\varepsilon_i^0\Bigr)"


@constant_row.like(
    "adaptive.theorem2.decr", title="decreasing step", latex=_DECREASING % ("T", ""),
    family=WITH_FACTOR, given=[*ADMISSIBLE, precise_in_mean, common.factor_above_one],
    defines=DECREASING_STEPS, uses=_USES, note=_PRINTED,
)
def decreasing_row(w: World) -> Sides:
    symbols = constants(w, sufficient_variance(w))
    return end_excess(w), {"max/T": closed.theorem2_decreasing_printed(*symbols, w.factor)}


@constant_row.like(
    "adaptive.theorem2.decr.repaired", latex=_DECREASING % (r"\gamma+T", r"\gamma"), uses=_USES,
    title=f"decreasing step C/(mu (gamma + t)), with b^2 {_PATHS}", family=WITH_DELAY,
    given=[*ADMISSIBLE, precise_on_paths, common.factor_above_one],
    defines=common.DELAYED_STEPS, note=_MENDED,
    proof=_RECURSION + """With n = gamma + t, K = beta sigma_suf^2 C^2/(2 mu^2 (C-1)) and
    nu = max(K, gamma eps0), induction: (1 - C/n) nu/(n-1) + (C-1) K/n^2 <= nu/n. The delay gamma
    lets the first step C/(mu (gamma + 1)) meet the step condition, which no C > 1 does for
    gamma = 0.""",
)
def decreasing_row_repaired(w: World) -> Sides:
    symbols = constants(w, mended_variance(w))
    bound = closed.theorem2_decreasing_upper(*symbols, w.factor, w.delay)
    return end_excess(w), {"max/(gamma + T)": bound}


def _first_step(w: World) -> Terms:
    """The scalars of the emptiness proof at theta^0 of a run of the decreasing row."""
    at = common.along(w, w.start + 0 * w.problem.optimum[..., 0, :])
    return {
        "factor": w.factor, "mu": w.mu, "beta": w.beta, "limit": at.limit,
        "excess": common.start_excess(w), "squared_gradient": at.squared_gradient,
    }


@statement(
    "adaptive.theorem2.decr.empty", where=THEOREM2, title="the decreasing row has no instance",
    latex=r"1\le0", empties="adaptive.theorem2.decr", lift=_first_step,
    family=Family(
        {**common.FACTOR, "mu": common.CURVATURE, "beta": common.CURVATURE,
         "limit": Real(1 / 16, 2, log=True), "excess": common.LOSS,
         "squared_gradient": common.VARIANCE},
        about="the first step, the first point and the constants of the decreasing row",
    ),
    given=[
        common.factor_above_one,
        Hypothesis("first step at most q/beta", r"C/\mu\le q/\beta",
                   lambda w: w.limit / w.beta - w.factor / w.mu, THEOREM2),
        Hypothesis("q at most 1", r"q=(\sigma_{i,\phi}^1/\sigma_{i,\psi}^1)^2\le1",
                   lambda w: 1 - w.limit, "Remark 3"),
        Hypothesis("smoothness", r"\|\nabla R_i(\theta_i^0)\|^2\le2\beta(R_i(\theta_i^0)-R_i(\theta_i^\star))",
                   lambda w: 2 * w.beta * w.excess - w.squared_gradient),
        Hypothesis("Polyak-Lojasiewicz", r"\|\nabla R_i(\theta_i^0)\|^2\ge2\mu(R_i(\theta_i^0)-R_i(\theta_i^\star))",
                   lambda w: w.squared_gradient - 2 * w.mu * w.excess, "Assumption A5"),
    ],
    note="No step sizes satisfy the decreasing row.",
    proof="""mu X <= |grad R|^2/2 <= beta X gives mu <= beta; the first step C/mu <= q/beta with
    q <= 1 gives C <= q mu/beta <= 1, against C > 1.""",
)
def decreasing_row_empty(w: World) -> Sides:
    return {"1": 1}, {"0": 0}


# -- Theorem 3 -------------------------------------------------------------------------------------


_ADMISSIBLE3 = (common.short_steps.at(THEOREM3), *ADMISSIBLE[1:])
"""The first argument of the minimum of Theorem 3 is at most the second: it is the minimum."""


def squared_gradients(w: World) -> Terms:
    """Squared own gradient averaged over theta^0 .. theta^{T-1}."""
    return {"average squared gradient": xp.mean(on_path(w).squared_gradient)}


def _theorem3_step(w: World, variance: Array) -> Array:
    return closed.theorem3_step_size(common.start_excess(w), w.beta, variance, w.rounds)


def summed_descents(w: World, variance: Array) -> Terms:
    """What the sum of the descents leaves for a variance."""
    return closed.theorem3_upper(excess(w, 0), w.step_size, w.beta, variance, w.rounds)


def _theorem3(w: World, variance: Array) -> Sides:
    right = closed.theorem3_printed(excess(w, 0), w.beta, variance, w.rounds)
    return squared_gradients(w), {"2 sqrt(2 eps0 beta sigma_suf^2/T)": right}


@statement(
    "adaptive.theorem3", where=THEOREM3, title="smooth non-convex", over="mean",
    latex=r"\frac1T\sum_{t=1}^T\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2\le2\sqrt{2\varepsilon_i^0\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)/T}",
    family=RUNS_PRECISION, given=[*_ADMISSIBLE3, precise_in_mean.at(THEOREM3)],
    defines={"step_size": lambda w: _theorem3_step(w, sufficient_variance(w))},
    uses=("adaptive.S2", "adaptive.lemma2"), note="As printed.",
)
def theorem3(w: World) -> Sides:
    return _theorem3(w, sufficient_variance(w))


_long_horizon = Hypothesis(
    "T >= 2 beta eps0/sigma_suf^2", r"T\ge2\beta\varepsilon_i^0/\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
    lambda w: 1 / w.beta - 2 * excess(w, 0) / (w.rounds * mended_variance(w)))


@theorem3.like(
    "adaptive.theorem3.repaired", latex=theorem3.latex + MENDED,
    title=f"smooth non-convex, long horizon, with b^2 {_PATHS}",
    given=[*_ADMISSIBLE3, precise_on_paths, _long_horizon],
    defines={"step_size": lambda w: _theorem3_step(w, mended_variance(w))},
    uses=("adaptive.S2", "adaptive.lemma2.repaired"),
    note=_MENDED + " The minimum in the step size is its first argument.",
    proof=_RECURSION + """Summing (S2) instead: T eta/2 times the average is at most eps0 +
    T eta^2 beta sigma_suf^2/2; if T >= 2 beta eps0/sigma_suf^2 (and the step condition holds) the
    minimum is its first argument, at which both terms are equal.""",
)
def theorem3_repaired(w: World) -> Sides:
    return _theorem3(w, mended_variance(w))


@theorem3_repaired.like(
    "adaptive.theorem3.explicit", where="proof of Theorem 3",
    title=f"smooth non-convex, any horizon, with b^2 {_PATHS}",
    latex=r"\ldots\le\frac{2\varepsilon_i^0}{T\eta_i}+\eta_i\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
    given=[*_ADMISSIBLE3, precise_on_paths], uses=("adaptive.S2", "adaptive.lemma2.repaired"),
    note="""2 eps0/(T eta) + eta beta sigma_suf^2, checked where the minimum is its first argument;
    the repaired step of the proof takes any admissible step.""",
    proof="""Sum (S2) over t, drop the last excess, divide by T eta / 2; sigma_eff <= sigma_suf by
    the repaired Lemma 2.""",
)
def theorem3_explicit(w: World) -> Sides:
    return squared_gradients(w), summed_descents(w, mended_variance(w))
