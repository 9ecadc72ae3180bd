"""Theorem 1, the three rows of Theorem 2, and Theorem 3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import generic as xp
from bounds import rates
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive.common import (
    MENDED,
    PRECISION,
    along,
    excess,
    run_family,
    source,
    sufficient,
)
from verify.world.world import World

SIZES = ((1, 1, 1), (1, 1, 2), (2, 1, 1), (2, 1, 2), (2, 1, 3))
RUNS = run_family(*SIZES)
RUNS_PRECISION = run_family(*SIZES, extra=PRECISION)


def _share_of_inverse_smoothness(w: World) -> Any:
    return w.step_share / w.beta


def _before(w: World) -> Any:
    """theta^0 .. theta^{T-1}, (B, R, T, d)."""
    return w.run().theta[..., :-1, :]


def _steps(w: World) -> Any:
    """Step sizes of all rounds, (B, 1, T)."""
    if w.has("step_sizes"):
        return w.step_sizes
    return w.step_size[..., None]


def _admissible(w: World) -> Terms:
    """The step condition at every round and on every path, and defined ratios."""
    at = along(w, _before(w))
    return {
        "steps at most (sigma_phi/sigma_psi)^2/beta": at.limit - _steps(w) * w.beta[..., None],
        "own gradients": at.squared_gradient,
        "steps positive": _steps(w),
    }


_OWN = frozenset({"own gradients", "steps positive"})


def _theorem1_given(w: World) -> Terms:
    return {**_admissible(w), "step at most 1/mu": 1 - w.step_size * w.mu}


def _theorem1_right(w: World) -> Terms:
    effective = along(w, _before(w)).effective  # (B, R, T)
    return rates.theorem1_upper(excess(w, 0), w.step_size, w.mu, w.beta, effective)


def _theorem1_mean(w: World) -> tuple[Terms, Terms]:
    """Right side in mean. Tight for one client with mu = beta and step 1/beta."""
    return {"E excess": excess(w, w.rounds)}, _theorem1_right(w)


def _theorem1_path(w: World) -> tuple[Terms, Terms]:
    """Right side along one run."""
    return {"E excess": w.mean(excess(w, w.rounds))}, _theorem1_right(w)


# -- Theorem 2 ---------------------------------------------------------------------------------


def _precise_in_mean(w: World) -> Terms:
    """epsilon_i^{T-1} >= epsilon as defined, a mean over runs."""
    return {"mean excess at T-1": w.mean(excess(w, w.rounds - 1)) - w.precision}


def _precise_on_paths(w: World) -> Terms:
    """Realised excess at least epsilon at every round before T, on every path."""
    return {
        f"excess at {t}": excess(w, t) - w.precision for t in range(w.rounds)
    }


def _sufficient(w: World, printed: bool) -> Any:
    return sufficient(w, w.precision, printed)[1]


Row = Callable[[World, Any], Terms]


def _row(right: Row, proof: str = "") -> Callable[[World], tuple[Terms, Terms]]:
    """A row of the table: as printed, or repaired where a proof is given."""

    def sides(w: World) -> tuple[Terms, Terms]:
        return {"E excess": excess(w, w.rounds)}, right(w, _sufficient(w, not proof))

    sides.__doc__ = proof or "The row as printed, with Definition 2 as printed."
    return sides


_RECURSION = """Definition 2 with b^2, and realised excess at least epsilon at every round before T.

Proof. At such a point |grad R_i|^2 >= 2 mu epsilon, so A3 gives r_ik >= 1 - b^2/(2 mu epsilon) -
c_ik and sigma_eff <= sigma_suf(epsilon) on every path (the repaired Lemma 2); (S2) and A5 give
E X^t <= (1 - eta mu) E X^{t-1} + eta^2 beta sigma_suf^2/2. """
_PROOFS = {
    "const": _RECURSION + "Unroll; the geometric series is at most 1/(eta mu).",
    "horizon": _RECURSION
    + """Unroll; (1 - eta mu)^T <= exp(-eta mu T), which this step makes
beta sigma_suf^2/(2 T mu^2 eps0), so beta belongs into the logarithm.""",
    "decr": _RECURSION
    + """With n = gamma + t, K = beta sigma_suf^2 C^2/(2 mu^2 (C-1)) and
nu = max(K, gamma eps0), induction: (1 - C/n) nu/(n-1) + (C-1) K/n^2 <= nu/n. The delay gamma lets
the first step C/(mu (gamma + 1)) meet the step condition, which no C > 1 does for gamma = 0.""",
    "theorem3": _RECURSION
    + """Summing (S2) instead: T eta/2 times the average is at most eps0 +
T eta^2 beta sigma_suf^2/2; if T >= 2 beta eps0/sigma_suf^2 (and the step condition holds) the
minimum is its first argument, at which both terms are equal.""",
}


def _const(w: World, variance: Any) -> Terms:
    return rates.theorem2_constant_upper(
        excess(w, 0), w.step_size, w.mu, w.beta, variance, w.rounds
    )


def _horizon_printed(w: World, variance: Any) -> Terms:
    return rates.theorem2_horizon_printed(excess(w, 0), w.mu, w.beta, variance, w.rounds)


def _horizon(w: World, variance: Any) -> Terms:
    return rates.theorem2_horizon_upper(excess(w, 0), w.mu, w.beta, variance, w.rounds)


def _decreasing_printed(w: World, variance: Any) -> Terms:
    bound = rates.theorem2_decreasing_printed(
        excess(w, 0), w.mu, w.beta, variance, w.rounds, w.factor
    )
    return {"max/T": bound}


def _decreasing(w: World, variance: Any) -> Terms:
    bound = rates.theorem2_decreasing_upper(
        excess(w, 0), w.mu, w.beta, variance, w.rounds, w.factor, w.delay
    )
    return {"max/(gamma + T)": bound}


def _start_excess(w: World) -> Any:
    return w.problem.excess(w.start)[..., 0]


def _horizon_size(printed: bool) -> Callable[[World], Any]:
    def size(w: World) -> Any:
        variance = sufficient(w, w.precision, printed)[1]
        return rates.horizon_step_size(_start_excess(w), w.mu, w.beta, variance, w.rounds)

    return size


def _rounds(w: World) -> range:
    return range(1, w.rounds + 1)


def _decreasing_sizes(w: World) -> Any:
    rounds = [rates.decreasing_step_size(w.factor, w.mu, 0, t) for t in _rounds(w)]
    return xp.stack(rounds, -1)


def _delayed_sizes(w: World) -> Any:
    rounds = [rates.decreasing_step_size(w.factor, w.mu, w.delay, t) for t in _rounds(w)]
    return xp.stack(rounds, -1)


def _given(*parts: Callable[[World], Terms]) -> Callable[[World], Terms]:
    """All hypotheses of the parts, those on the steps first."""
    every = (_admissible, *parts)

    def given(w: World) -> Terms:
        return {name: margin for part in every for name, margin in part(w).items()}

    return given


def _at_most_inverse_mu(w: World) -> Terms:
    return {"step at most 1/mu": 1 - w.step_size * w.mu}


def _factor_above_one(w: World) -> Terms:
    return {"C > 1": w.factor - 1}


FACTOR = {"factor": Real(1 / 2, 8, log=True)}
DELAY = {"delay": Real(0, 64)}

EMPTY = Family(
    {
        "factor": Real(1 / 2, 8, log=True),
        "mu": Real(1 / 16, 16, unit=(1, -2), log=True),
        "beta": Real(1 / 16, 16, unit=(1, -2), log=True),
        "limit": Real(1 / 16, 2, log=True),
        "excess": Real(1 / 16, 16, unit=(1, 0), log=True),
        "squared_gradient": Real(1 / 16, 16, unit=(2, -2), log=True),
    },
    about="the first step, the first point and the constants of the decreasing row",
)


def _decreasing_hypotheses(w: World) -> Terms:
    """What the decreasing row assumes of its first step, at a point that is not optimal.

    C > 1 and C/mu <= q/beta with q = (sigma_phi/sigma_psi)^2 <= 1; A1 and A5 at the point,
    |grad R|^2 <= 2 beta X and |grad R|^2 >= 2 mu X.
    """
    return {
        "C > 1": w.factor - 1,
        "first step at most q/beta": w.limit / w.beta - w.factor / w.mu,
        "q at most 1": 1 - w.limit,
        "smoothness": 2 * w.beta * w.excess - w.squared_gradient,
        "Polyak-Lojasiewicz": w.squared_gradient - 2 * w.mu * w.excess,
    }


def _falsehood(w: World) -> tuple[Terms, Terms]:
    """No step sizes satisfy the decreasing row.

    Proof. mu X <= |grad R|^2/2 <= beta X gives mu <= beta; the first step C/mu <= q/beta with
    q <= 1 gives C <= q mu/beta <= 1, against C > 1.
    """
    return {"1": 1}, {"0": 0}


def _first_step(w: World) -> Terms:
    """The scalars of the emptiness proof at theta^0 of a run of the decreasing row."""
    theta = w.start + 0 * w.problem.optimum[..., 0, :]
    at = along(w, theta)
    return {
        "factor": w.factor, "mu": w.mu, "beta": w.beta, "limit": at.limit,
        "excess": _start_excess(w), "squared_gradient": at.squared_gradient,
    }  # fmt: skip


# -- Theorem 3 ---------------------------------------------------------------------------------


def _theorem3_size(printed: bool) -> Callable[[World], Any]:
    def size(w: World) -> Any:
        variance = sufficient(w, w.precision, printed)[1]
        return rates.theorem3_step_size(_start_excess(w), w.beta, variance, w.rounds)

    return size


def _squared_gradients(w: World) -> Terms:
    at = along(w, _before(w))
    return {"average squared gradient": xp.mean(at.squared_gradient)}


def _theorem3(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        variance = _sufficient(w, printed)
        right = rates.theorem3_printed(excess(w, 0), w.beta, variance, w.rounds)
        return _squared_gradients(w), {"2 sqrt(2 eps0 beta sigma_suf^2/T)": right}

    sides.__doc__ = "As printed." if printed else _PROOFS["theorem3"]
    return sides


def _theorem3_explicit(w: World) -> tuple[Terms, Terms]:
    """2 eps0/(T eta) + eta beta sigma_suf^2 for whatever step the minimum gives.

    Proof. Sum (S2) over t, drop the last excess, divide by T eta / 2; sigma_eff <= sigma_suf by
    the repaired Lemma 2.
    """
    return _squared_gradients(w), rates.theorem3_upper(
        excess(w, 0), w.step_size, w.beta, _sufficient(w, False), w.rounds
    )


def _long_horizon(w: World) -> Terms:
    """The minimum in the step size is its first argument: T is large enough."""
    first = 2 * excess(w, 0) / (w.rounds * _sufficient(w, False))
    return {"T >= 2 beta eps0/sigma_suf^2": 1 / w.beta - first}


_T2: dict[str, Any] = {
    "over": "mean",
    "kind": "theorem",
    "uses": ("adaptive.theorem1", "adaptive.lemma2"),
}
_CONST = {"step_size": _share_of_inverse_smoothness}
_WITH_FACTOR = run_family(*SIZES, extra={**PRECISION, **FACTOR})
_WITH_DELAY = run_family(*SIZES, extra={**PRECISION, **FACTOR, **DELAY})
_PATHS = "and realised excess at least epsilon before T"

_LATEX = {
    "const": r"\mathbb E[\varepsilon_i^T]\le(1-\eta\mu)^T\varepsilon_i^0+\frac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
    "horizon": r"\mathbb E[\varepsilon_i^T]\le\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)}{2\mu^2T}\Bigl(\ln\frac{2T\mu^2\varepsilon_i^0}{%s\sigma_{i,\mathrm{suf}}^2(\varepsilon)}+1\Bigr)",
    "decr": r"\mathbb E[\varepsilon_i^T]\le\frac1{%sT}\max\Bigl(\frac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\,%s\varepsilon_i^0\Bigr)",
    "theorem1": r"\mathbb E[\varepsilon_i^T]\le(1-\eta_i\mu)^T\varepsilon_i^0+\frac{\beta\eta_i^2}2\sum_{t=1}^T(1-\eta_i\mu)^{T-t}(\sigma_{i,\psi}^t)^2",
    "theorem3": r"\frac1T\sum_{t=1}^T\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2\le2\sqrt{2\varepsilon_i^0\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)/T}",
}

_BELOW = frozenset({"steps at most (sigma_phi/sigma_psi)^2/beta", *_OWN})
_C = frozenset({"C > 1", *_OWN})

STATEMENTS = (
    Statement(
        key="adaptive.theorem1@run", source=source("Theorem 1"), title="excess loss after T rounds",
        latex=_LATEX["theorem1"], family=RUNS, sides=_theorem1_path, over="path",
        given=_theorem1_given, strict=_BELOW, defines=_CONST, uses=("adaptive.S2",),
    ),
    Statement(
        key="adaptive.theorem1@mean", source=source("Theorem 1"), title="excess loss after T rounds",
        latex=_LATEX["theorem1"], family=RUNS, sides=_theorem1_mean, over="mean",
        given=_theorem1_given, strict=_BELOW, defines=_CONST, uses=("adaptive.S2",),
    ),
    Statement(
        key="adaptive.theorem2.const", source=source("Theorem 2, Table 1"), title="constant step",
        latex=_LATEX["const"], family=RUNS_PRECISION, sides=_row(_const), strict=_OWN,
        given=_given(_precise_in_mean, _at_most_inverse_mu), defines=_CONST, **_T2,
    ),
    Statement(
        key="adaptive.theorem2.const.repaired", source=source("Theorem 2, Table 1"), form="repaired",
        title=f"constant step, with b^2 in Definition 2 {_PATHS}", latex=_LATEX["const"] + MENDED,
        family=RUNS_PRECISION, sides=_row(_const, _PROOFS["const"]), strict=_OWN,
        given=_given(_precise_on_paths, _at_most_inverse_mu), defines=_CONST, **_T2,
    ),
    Statement(
        key="adaptive.theorem2.horizon", source=source("Theorem 2, Table 1"),
        title="horizon-dependent step", latex=_LATEX["horizon"] % "", family=RUNS_PRECISION,
        sides=_row(_horizon_printed), strict=_OWN,
        given=_given(_precise_in_mean, _at_most_inverse_mu),
        defines={"step_size": _horizon_size(True)}, **_T2,
    ),
    Statement(
        key="adaptive.theorem2.horizon.repaired", source=source("Theorem 2, Table 1"),
        form="repaired", title=f"horizon-dependent step, with beta in the logarithm, b^2 {_PATHS}",
        latex=_LATEX["horizon"] % r"\beta", family=RUNS_PRECISION, sides=_row(_horizon, _PROOFS["horizon"]),
        given=_given(_precise_on_paths, _at_most_inverse_mu), strict=_OWN,
        defines={"step_size": _horizon_size(False)}, **_T2,
    ),
    Statement(
        key="adaptive.theorem2.decr.empty", source=source("Theorem 2, Table 1"), form="empty",
        kind="theorem", title="the decreasing row has no instance", latex=r"1\le0", family=EMPTY,
        sides=_falsehood, given=_decreasing_hypotheses, strict=frozenset({"C > 1"}),
        empties="adaptive.theorem2.decr", lift=_first_step,
    ),
    Statement(
        key="adaptive.theorem2.decr", source=source("Theorem 2, Table 1"), title="decreasing step",
        latex=_LATEX["decr"] % ("", ""), family=_WITH_FACTOR, sides=_row(_decreasing_printed),
        given=_given(_precise_in_mean, _factor_above_one), strict=_C,
        defines={"step_sizes": _decreasing_sizes}, **_T2,
    ),
    Statement(
        key="adaptive.theorem2.decr.repaired", source=source("Theorem 2, Table 1"), form="repaired",
        title=f"decreasing step C/(mu (gamma + t)), with b^2 {_PATHS}",
        latex=_LATEX["decr"].replace("%sT", r"\gamma+T") % r"\gamma",
        family=_WITH_DELAY, sides=_row(_decreasing, _PROOFS["decr"]), strict=_C,
        given=_given(_precise_on_paths, _factor_above_one),
        defines={"step_sizes": _delayed_sizes}, **_T2,
    ),
    Statement(
        key="adaptive.theorem3", source=source("Theorem 3"), title="smooth non-convex",
        latex=_LATEX["theorem3"], family=RUNS_PRECISION, sides=_theorem3(True), strict=_OWN,
        given=_given(_precise_in_mean), defines={"step_size": _theorem3_size(True)},
        **{**_T2, "uses": ("adaptive.S2", "adaptive.lemma2")},
    ),
    Statement(
        key="adaptive.theorem3.repaired", source=source("Theorem 3"), form="repaired",
        title=f"smooth non-convex, long horizon, with b^2 {_PATHS}", latex=_LATEX["theorem3"] + MENDED,
        family=RUNS_PRECISION, sides=_theorem3(False), strict=_OWN,
        given=_given(_precise_on_paths, _long_horizon),
        defines={"step_size": _theorem3_size(False)},
        **{**_T2, "uses": ("adaptive.S2", "adaptive.lemma2.repaired")},
    ),
    Statement(
        key="adaptive.theorem3.explicit", source=source("proof of Theorem 3"), form="explicit",
        title=f"smooth non-convex, any horizon, with b^2 {_PATHS}",
        latex=r"\ldots\le\frac{2\varepsilon_i^0}{T\eta_i}+\eta_i\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
        family=RUNS_PRECISION, sides=_theorem3_explicit, strict=_OWN,
        given=_given(_precise_on_paths), defines={"step_size": _theorem3_size(False)},
        **{**_T2, "uses": ("adaptive.S2", "adaptive.lemma2.repaired")},
    ),
)  # fmt: skip
