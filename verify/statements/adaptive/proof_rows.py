"""Ingredients of the proofs of Theorem 2, Theorem 3 and Corollary 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bounds import complexity as closed_complexity
from bounds import generic as xp
from bounds import rates as closed
from bounds.similarity import effective_variance
from bounds.sufficient import sufficient_ratio_printed
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive import complexity, deductions, rates
from verify.statements.adaptive.common import (
    MENDED,
    PRECISION,
    along,
    excess,
    phi_of,
    source,
)
from verify.world.world import World

# -- Theorem 2 ---------------------------------------------------------------------------------


def _replace(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The noise of Theorem 1 in mean against its sum with sigma_suf(epsilon) for sigma_eff.

        Proof. With b^2 and a realised excess of at least epsilon before T, Lemma 2 gives sigma_eff <=
        sigma_suf(epsilon) at every step, and a geometric sum is at most 1/(eta mu).
        """
        effective = along(w, rates._before(w)).effective
        start = excess(w, 0)
        noise = closed.theorem1_upper(start, w.step_size, w.mu, w.beta, effective)["noise"]
        right = closed.theorem2_constant_upper(
            start, w.step_size, w.mu, w.beta, rates._sufficient(w, printed), w.rounds
        )
        return {"noise": noise}, {"saturation": right["saturation"]}

    return sides


def _exponential(w: World) -> tuple[Terms, Terms]:
    """Tight at x = 0."""
    return {"1 - x": 1 - w.x}, {"exp(-x)": xp.exp(-w.x)}


_CONSTANTS: Mapping[str, Real] = {
    "excess": Real(1 / 16, 16, unit=(1, 0), log=True),
    "mu": Real(1 / 16, 16, unit=(1, -2), log=True),
    "beta": Real(1 / 16, 16, unit=(1, -2), log=True),
    "variance": Real(1 / 16, 16, unit=(2, -2), log=True),
}
_STEP = {"step_size": Real(1 / 64, 64, unit=(-1, 2), log=True)}
_ROUNDS = tuple({"rounds": t} for t in (1, 2, 4))
FREE = Family({**_CONSTANTS, **_STEP}, _ROUNDS, about="any constants and any step size")
FREE_FACTOR = Family(
    {**_CONSTANTS, "factor": Real(1 / 2, 8, log=True)}, _ROUNDS, about="any constants"
)
FREE_DELAY = Family(
    {**FREE_FACTOR.box, "delay": Real(0, 64)}, _ROUNDS, about="any constants and any delay"
)


def _envelope(w: World, step: Any) -> Terms:
    """exp(-eta mu T) eps0 + eta beta sigma^2/(2 mu), what the horizon-dependent step minimises."""
    return {
        "contraction": xp.exp(-step * w.mu * w.rounds) * w.excess,
        "saturation": step * w.beta * w.variance / (2 * w.mu),
    }


def _minimiser(w: World) -> tuple[Terms, Terms]:
    """The printed step against any other; the envelope is convex. Tight at the step itself."""
    best = closed.horizon_step_size(w.excess, w.mu, w.beta, w.variance, w.rounds)
    return _envelope(w, best), _envelope(w, w.step_size)


def _recursion(w: World, shift: Any) -> Any:
    """E_T of the recursion of Theorem 1 with sigma_suf and steps C/(mu (shift + t))."""
    value = w.excess
    for t in range(1, w.rounds + 1):
        step = closed.decreasing_step_size(w.factor, w.mu, shift, t)
        terms = closed.theorem1_upper(value, step, w.mu, w.beta, w.variance[..., None])
        value = terms["contraction"] + terms["noise"]
    return value


def _bottou(w: World) -> tuple[Terms, Terms]:
    """The cited Theorem 4.7 on the recursion, with the printed steps C/(mu t)."""
    right = closed.theorem2_decreasing_printed(
        w.excess, w.mu, w.beta, w.variance, w.rounds, w.factor
    )
    return {"recursion": _recursion(w, 0)}, {"max/T": right}


def _bottou_given(w: World) -> Terms:
    """Conditions of the cited theorem on the first step and the constants."""
    return {
        "C > 1": w.factor - 1,
        "first step at most 1/beta": 1 / w.beta - w.factor / w.mu,
        "mu at most beta": w.beta - w.mu,
    }


def _bottou_empty(w: World) -> tuple[Terms, Terms]:
    """The cited theorem asks of the first step what the printed steps cannot give.

    Proof. C/mu <= 1/beta and mu <= beta give C <= mu/beta <= 1, against C > 1.
    """
    return {"1": 1}, {"0": 0}


def _bottou_lift(w: World) -> Terms:
    return {"factor": w.factor, "mu": w.mu, "beta": w.beta}


def _delayed(w: World) -> tuple[Terms, Terms]:
    """The cited theorem with its own delay gamma > 0.

    Proof. With n = gamma + t, K = beta sigma^2 C^2/(2 mu^2 (C - 1)) <= nu and E_{t-1} <= nu/n:
    E_t <= (1 - C/n) nu/n + (C - 1) nu/n^2 = (n - 1) nu/n^2 <= nu/(n + 1); 1 - C/n >= 0 since
    eta_t mu <= eta_1 beta <= 1.
    """
    right = closed.theorem2_decreasing_bcn_upper(
        w.excess, w.mu, w.beta, w.variance, w.rounds, w.factor, w.delay
    )
    return {"recursion": _recursion(w, w.delay)}, {"nu/(gamma + T + 1)": right}


def _delayed_given(w: World) -> Terms:
    first = closed.decreasing_step_size(w.factor, w.mu, w.delay, 1)
    return {
        "C > 1": w.factor - 1,
        "first step at most 1/beta": 1 - first * w.beta,
        "mu at most beta": w.beta - w.mu,
    }


# -- Theorem 3 ---------------------------------------------------------------------------------


def _step_bound(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Any admissible step.

        Proof with b^2 and realised excess: (S2) summed over t, the last excess dropped, divided by
        T eta/2; sigma_eff <= sigma_suf by the repaired Lemma 2.
        """
        return rates._squared_gradients(w), closed.theorem3_upper(
            excess(w, 0), w.step_size, w.beta, rates._sufficient(w, printed), w.rounds
        )

    return sides


def _step_optimum(w: World) -> tuple[Terms, Terms]:
    """sqrt(2 eps0/(T beta sigma^2)) against any other step; the variance in the printed optimum is
    read as the sufficient one. Tight at the optimum."""
    best = xp.sqrt(2 * w.excess / (w.rounds * w.beta * w.variance))
    bound = closed.theorem3_upper
    return (
        bound(w.excess, best, w.beta, w.variance, w.rounds),
        bound(w.excess, w.step_size, w.beta, w.variance, w.rounds),
    )


# -- Corollary 1 -------------------------------------------------------------------------------


def _max_dropped(w: World) -> tuple[Terms, Terms]:
    """The maximum of the decreasing row replaced by its first argument."""
    return {
        "max/T": closed.theorem2_decreasing_printed(
            w.excess, w.mu, w.beta, w.variance, w.rounds, w.factor
        )
    }, {
        "noise/T": closed.theorem2_decreasing_printed(
            0 * w.excess, w.mu, w.beta, w.variance, w.rounds, w.factor
        )
    }


def _solved(w: World) -> tuple[Terms, Terms]:
    """T_i^eps solves noise/T = eps; the excess loss stands for epsilon."""
    needed = closed_complexity.sample_complexity_printed(
        w.mu, w.beta, w.variance, w.excess, w.factor
    )
    plateau = w.beta * w.variance * w.factor**2 / (2 * w.mu**2 * (w.factor - 1))
    return {"noise/T": plateau / needed}, {"eps": w.excess}


def _solved_with_max(w: World) -> tuple[Terms, Terms]:
    """With the maximum kept and a delay, T = max(K, gamma eps0)/eps - gamma solves the row.

    Proof. max(K, gamma eps0)/(gamma + T) = eps by substitution, wherever that T is not negative.
    """
    constants = (w.mu, w.beta, w.variance)
    needed = closed_complexity.sample_complexity_upper(
        w.excess, *constants, w.precision, w.factor, w.delay
    )
    bound = closed.theorem2_decreasing_upper(w.excess, *constants, needed, w.factor, w.delay)
    return {"row": bound}, {"eps": w.precision}


def _waiting(w: World) -> Terms:
    needed = closed_complexity.sample_complexity_upper(
        w.excess, w.mu, w.beta, w.variance, w.precision, w.factor, w.delay
    )
    return {"C > 1": w.factor - 1, "T positive": needed}


def _display(w: World) -> tuple[Terms, Terms]:
    """Equal sigma_k and c_ik = 0: the sum of psi is at least the cluster's size times its minimum.

    Tight where psi is the same in the whole cluster. The positive part of Definition 2 is read
    into the display.
    """
    ratio = sufficient_ratio_printed(w.bias, 0 * w.bias, w.mu, w.precision)
    phi = phi_of(w, ratio)
    psi = ratio * phi
    inside = psi > 0
    size = xp.total(xp.indicator(inside, psi))
    smallest = xp.smallest(xp.where(inside, psi, 1 + 0 * psi))
    variance = effective_variance(ratio, phi, w.sigma2_one[..., None] + 0 * psi)
    return {"sigma_suf^2": variance}, {"sigma^2/(size min psi)": w.sigma2_one / (size * smallest)}


_PROOF2: dict[str, Any] = {"source": source("proof of Theorem 2"), "kind": "proof step"}
_PROOF3: dict[str, Any] = {"source": source("proof of Theorem 3"), "kind": "proof step"}
_PROOF_C: dict[str, Any] = {"source": source("proof of Corollary 1"), "kind": "proof step"}
_NOISE = r"\tfrac{\beta\eta^2}2\sum_t(1-\eta\mu)^{T-t}\mathbb E(\sigma_{i,\mathrm{eff}}^t)^2\le\tfrac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)"
_STEP3 = r"\tfrac1T\sum_t\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2\le\frac{2\varepsilon_i^0}{T\eta_i}+\eta_i\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)"
_RUNS: dict[str, Any] = {
    "family": rates.RUNS_PRECISION,
    "over": "mean",
    "strict": rates._OWN,
    "defines": rates._CONST,
}
_ABOVE = frozenset({"C > 1"})
_ONE = {"factor": FREE_FACTOR.box["factor"], "mu": _CONSTANTS["mu"], "beta": _CONSTANTS["beta"]}

STATEMENTS = (
    Statement(
        key="adaptive.theorem2.empty", form="empty", title="no steps for the cited theorem",
        latex=r"1\le0", family=Family(_ONE, about="the constants of the decreasing steps"),
        sides=_bottou_empty, given=_bottou_given, strict=_ABOVE, empties="adaptive.theorem2/bcn",
        lift=_bottou_lift, **_PROOF2,
    ),
    Statement(
        key="adaptive.theorem2/replace", title="effective by sufficient variance", latex=_NOISE,
        sides=_replace(True), deduction=deductions.REPLACE, uses=("adaptive.theorem1", "adaptive.lemma2"),
        given=rates._given(rates._precise_in_mean, rates._at_most_inverse_mu), **_RUNS, **_PROOF2,
    ),
    Statement(
        key="adaptive.theorem2/exp", title="exponential bound", latex=r"1-x\le e^{-x}",
        family=Family({"x": Real(-4, 4)}, about="any number"), sides=_exponential, **_PROOF2,
    ),
    Statement(
        key="adaptive.theorem2/min", title="horizon-dependent step minimises its envelope",
        latex=r"\eta=\tfrac1{\mu T}\ln\tfrac{2T\mu^2\varepsilon_i^0}{\beta\sigma^2}=\operatorname{argmin}_\eta\;e^{-\eta\mu T}\varepsilon_i^0+\tfrac{\eta\beta}{2\mu}\sigma^2",
        family=FREE, sides=_minimiser, **_PROOF2,
    ),
    Statement(
        key="adaptive.theorem2/bcn", title="the cited theorem on decreasing steps", sides=_bottou,
        latex=r"E_t\le(1-\eta_t\mu)E_{t-1}+\tfrac{\eta_t^2\beta}2\sigma^2,\ \eta_t=\tfrac C{\mu t}\Rightarrow E_T\le\tfrac1T\max\bigl(\tfrac{\beta\sigma^2C^2}{2\mu^2(C-1)},E_0\bigr)",
        family=FREE_FACTOR, given=_bottou_given, strict=_ABOVE, **_PROOF2,
    ),
    Statement(
        key="adaptive.theorem2.repaired/replace", form="repaired", sides=_replace(False),
        deduction=deductions.REPLACE,
        title="effective by sufficient variance, with b^2 and realised excess",
        latex=_NOISE + MENDED,
        given=rates._given(rates._precise_on_paths, rates._at_most_inverse_mu),
        uses=("adaptive.lemma2.repaired",), **_RUNS, **_PROOF2,
    ),
    Statement(
        key="adaptive.theorem2.repaired/bcn", form="repaired", sides=_delayed,
        title="the cited theorem with its delay", family=FREE_DELAY,
        latex=r"\eta_t=\tfrac C{\mu(\gamma+t)}\Rightarrow E_T\le\tfrac1{\gamma+T+1}\max\bigl(\tfrac{\beta\sigma^2C^2}{2\mu^2(C-1)},(\gamma+1)E_0\bigr)",
        given=_delayed_given, strict=_ABOVE, **_PROOF2,
    ),
    Statement(
        key="adaptive.theorem3.step/bound", title="sum of the descents", latex=_STEP3,
        sides=_step_bound(True), deduction=deductions.SUMMED, given=rates._given(rates._precise_in_mean),
        uses=("adaptive.S2", "adaptive.lemma2"), **_RUNS, **_PROOF3,
    ),
    Statement(
        key="adaptive.theorem3.step/optimum", title="best constant step", family=FREE,
        latex=r"\eta_i^{\mathrm{opt}}=\sqrt{2\varepsilon_i^0/(T\beta\sigma^2)}=\operatorname{argmin}_\eta\tfrac{2\varepsilon_i^0}{T\eta}+\eta\beta\sigma^2",
        sides=_step_optimum, **_PROOF3,
    ),
    Statement(
        key="adaptive.theorem3.step.repaired", form="repaired", latex=_STEP3 + MENDED,
        title="sum of the descents, with b^2 and realised excess", sides=_step_bound(False),
        deduction=deductions.SUMMED,
        given=rates._given(rates._precise_on_paths),
        uses=("adaptive.S2", "adaptive.lemma2.repaired"), **_RUNS, **_PROOF3,
    ),
    Statement(
        key="adaptive.corollary1/proof-max", title="the start is dropped from the maximum",
        latex=r"\tfrac1T\max\bigl(\tfrac{\beta\sigma_{i,\mathrm{suf}}^2C^2}{2\mu^2(C-1)},\varepsilon_i^0\bigr)\le\tfrac1T\tfrac{\beta\sigma_{i,\mathrm{suf}}^2C^2}{2\mu^2(C-1)}",
        family=FREE_FACTOR, sides=_max_dropped, deduction=deductions.DROPPED, given=rates._factor_above_one, strict=_ABOVE,
        **_PROOF_C,
    ),
    Statement(
        key="adaptive.corollary1/proof-solve", title="solving for the number of iterations",
        latex=r"\frac{\beta\sigma_{i,\mathrm{suf}}^2\mathcal C}{2\mu^2T_i^\varepsilon}=\varepsilon",
        family=FREE_FACTOR, sides=_solved, relation="==", given=rates._factor_above_one,
        strict=_ABOVE, **_PROOF_C,
    ),
    Statement(
        key="adaptive.corollary1/proof-display", title="equal variances", sides=_display,
        latex=r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)\le\frac{\sigma^2}{\mathcal N_i^\star(\varepsilon)\min_j\psi(1-\frac{b_{ij}}{2\mu\varepsilon})}",
        family=complexity._FREE, **_PROOF_C,
    ),
    Statement(
        key="adaptive.corollary1.repaired/proof-solve", form="repaired", relation="==",
        title="solving for the number of iterations, start and delay kept",
        latex=r"T=\tfrac1\varepsilon\max(K,\gamma\varepsilon_i^0)-\gamma\Rightarrow\tfrac1{\gamma+T}\max(K,\gamma\varepsilon_i^0)=\varepsilon",
        family=Family({**FREE_DELAY.box, **PRECISION}, about=FREE_DELAY.about),
        sides=_solved_with_max, given=_waiting, strict=frozenset({"C > 1", "T positive"}),
        **_PROOF_C,
    ),
)  # fmt: skip
