"""Ingredients of the proofs of Theorem 2 and Theorem 3."""

from __future__ import annotations

from bounds import generic as xp
from bounds import rates as closed
from verify.claim import Array, Hypothesis, Real, Sides, Terms, numbers, statement
from verify.statements.adaptive import deductions, rates
from verify.statements.adaptive.common import FREE, MENDED, factor_above_one
from verify.statements.adaptive.complexity import FREE_DELAY, FREE_FACTOR, start_dropped
from verify.world.world import World

PROOF2, PROOF3 = "proof of Theorem 2", "proof of Theorem 3"

# -- Theorem 2: the bound of Theorem 1 with the sufficient variance --------------------------------


@rates.constant_row.like(
    "adaptive.theorem2/replace", where=PROOF2, kind="proof step",
    title="effective by sufficient variance",
    latex=r"\tfrac{\beta\eta^2}2\sum_t(1-\eta\mu)^{T-t}\mathbb E(\sigma_{i,\mathrm{eff}}^t)^2\le\tfrac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
    deduction=deductions.replaced, uses=("adaptive.theorem1", "adaptive.lemma2"),
    note="""The noise of Theorem 1 in mean against its sum with sigma_suf(epsilon) for sigma_eff.
    Lemma 2 gives that bound of sigma_eff with b^2 only, and where the realised excess is at least
    epsilon.""",
)
def replaced(w: World) -> Sides:
    noise, row = rates.theorem1(w)[1]["noise"], rates.constant_row(w)[1]
    return {"noise": noise}, {"saturation": row["saturation"]}


@rates.constant_row_repaired.like(
    "adaptive.theorem2.repaired/replace", where=PROOF2, kind="proof step",
    title="effective by sufficient variance, with b^2 and realised excess",
    latex=replaced.latex + MENDED, deduction=deductions.replaced,
    uses=("adaptive.lemma2.repaired",),
    note="The noise of Theorem 1 in mean against its sum with sigma_suf(epsilon) for sigma_eff.",
    proof="""With b^2 and a realised excess of at least epsilon before T, Lemma 2 gives sigma_eff <=
    sigma_suf(epsilon) at every step, and a geometric sum is at most 1/(eta mu).""",
)
def replaced_repaired(w: World) -> Sides:
    noise, row = rates.theorem1(w)[1]["noise"], rates.constant_row_repaired(w)[1]
    return {"noise": noise}, {"saturation": row["saturation"]}


@statement(
    "adaptive.theorem2/exp", where=PROOF2, kind="proof step", title="exponential bound",
    latex=r"1-x\le e^{-x}", family=numbers({"x": Real(-4, 4)}, about="any number"),
    note="Tight at x = 0.",
)
def exponential(w: World) -> Sides:
    return {"1 - x": 1 - w.x}, {"exp(-x)": xp.exp(-w.x)}


def _envelope(w: World, step: Array) -> Terms:
    """exp(-eta mu T) eps0 + eta beta sigma^2/(2 mu), what the horizon-dependent step minimises."""
    contraction = xp.exp(-step * w.mu * w.rounds) * w.excess
    return {"contraction": contraction, "saturation": step * w.beta * w.variance / (2 * w.mu)}


@statement(
    "adaptive.theorem2/min", where=PROOF2, kind="proof step",
    title="horizon-dependent step minimises its envelope", family=FREE,
    latex=r"\eta=\tfrac1{\mu T}\ln\tfrac{2T\mu^2\varepsilon_i^0}{\beta\sigma^2}=\operatorname{argmin}_\eta\;e^{-\eta\mu T}\varepsilon_i^0+\tfrac{\eta\beta}{2\mu}\sigma^2",
    note="The printed step against any other; the envelope is convex. Tight at the step itself.",
)
def envelope_minimised(w: World) -> Sides:
    best = closed.horizon_step_size(w.excess, w.mu, w.beta, w.variance, w.rounds)
    return _envelope(w, best), _envelope(w, w.step_size)


# -- Theorem 2: the cited theorem on decreasing steps ----------------------------------------------

_smaller_mu = Hypothesis("mu at most beta", r"\mu\le\beta", lambda w: w.beta - w.mu)


def _recursion(w: World, shift: Array) -> Array:
    """E_T of the recursion of Theorem 1 with sigma_suf and steps C/(mu (shift + t))."""
    value = w.excess
    for t in range(1, w.rounds + 1):
        step = closed.decreasing_step_size(w.factor, w.mu, shift, t)
        terms = closed.theorem1_upper(value, step, w.mu, w.beta, w.variance[..., None])
        value = terms["contraction"] + terms["noise"]
    return value


@statement(
    "adaptive.theorem2/bcn", where=PROOF2, kind="proof step",
    title="the cited theorem on decreasing steps", family=FREE_FACTOR,
    latex=r"E_t\le(1-\eta_t\mu)E_{t-1}+\tfrac{\eta_t^2\beta}2\sigma^2,\ \eta_t=\tfrac C{\mu t}\Rightarrow E_T\le\tfrac1T\max\bigl(\tfrac{\beta\sigma^2C^2}{2\mu^2(C-1)},E_0\bigr)",
    given=[
        factor_above_one,
        Hypothesis("first step at most 1/beta", r"\eta_1=C/\mu\le1/\beta",
                   lambda w: 1 / w.beta - w.factor / w.mu),
        _smaller_mu,
    ],
    note="""The cited Theorem 4.7 on the recursion, with the printed steps C/(mu t). Assumed are its
    conditions on the first step and the constants.""",
)
def cited(w: World) -> Sides:
    return {"recursion": _recursion(w, 0)}, start_dropped(w)[0]


@cited.like(
    "adaptive.theorem2.empty", title="no steps for the cited theorem", latex=r"1\le0",
    family=numbers({name: FREE_FACTOR.box[name] for name in ("factor", "mu", "beta")},
                   about="the constants of the decreasing steps"),
    empties="adaptive.theorem2/bcn",
    lift=lambda w: {"factor": w.factor, "mu": w.mu, "beta": w.beta},
    note="The cited theorem asks of the first step what the printed steps cannot give.",
    proof="C/mu <= 1/beta and mu <= beta give C <= mu/beta <= 1, against C > 1.",
)
def cited_empty(w: World) -> Sides:
    return {"1": 1}, {"0": 0}


@cited.like(
    "adaptive.theorem2.repaired/bcn", title="the cited theorem with its delay", family=FREE_DELAY,
    latex=r"\eta_t=\tfrac C{\mu(\gamma+t)}\Rightarrow E_T\le\tfrac1{\gamma+T+1}\max\bigl(\tfrac{\beta\sigma^2C^2}{2\mu^2(C-1)},(\gamma+1)E_0\bigr)",
    given=[
        factor_above_one,
        Hypothesis("first step at most 1/beta", r"\eta_1=C/(\mu(\gamma+1))\le1/\beta",
                   lambda w: 1 - closed.decreasing_step_size(w.factor, w.mu, w.delay, 1) * w.beta),
        _smaller_mu,
    ],
    note="The cited theorem with its own delay gamma > 0.",
    proof="""With n = gamma + t, K = beta sigma^2 C^2/(2 mu^2 (C - 1)) <= nu and E_{t-1} <= nu/n:
    E_t <= (1 - C/n) nu/n + (C - 1) nu/n^2 = (n - 1) nu/n^2 <= nu/(n + 1); 1 - C/n >= 0 since
    eta_t mu <= eta_1 beta <= 1.""",
)
def cited_repaired(w: World) -> Sides:
    right = closed.theorem2_decreasing_bcn_upper(
        w.excess, w.mu, w.beta, w.variance, w.rounds, w.factor, w.delay
    )
    return {"recursion": _recursion(w, w.delay)}, {"nu/(gamma + T + 1)": right}


# -- Theorem 3 -------------------------------------------------------------------------------------


@rates.theorem3.like(
    "adaptive.theorem3.step/bound", where=PROOF3, kind="proof step", title="sum of the descents",
    latex=r"\tfrac1T\sum_t\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2\le\frac{2\varepsilon_i^0}{T\eta_i}+\eta_i\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
    defines=rates.constant_row.defines, deduction=deductions.summed,
    uses=("adaptive.S2", "adaptive.lemma2"),
    note="""Any admissible step. Lemma 2 bounds sigma_eff with b^2 only, and where the realised
    excess is at least epsilon.""",
)
def descents_summed(w: World) -> Sides:
    return rates.squared_gradients(w), rates.summed_descents(w, rates.sufficient_variance(w))


descents_summed_repaired = rates.theorem3_explicit.variant(
    "adaptive.theorem3.step.repaired", kind="proof step",
    title="sum of the descents, with b^2 and realised excess",
    latex=descents_summed.latex + MENDED, defines=descents_summed.defines,
    deduction=deductions.summed, note="Any admissible step.",
    proof="""(S2) summed over t, the last excess dropped, divided by T eta/2; with b^2 and realised
    excess, sigma_eff <= sigma_suf by the repaired Lemma 2.""",
)


@statement(
    "adaptive.theorem3.step/optimum", where=PROOF3, kind="proof step", title="best constant step",
    latex=r"\eta_i^{\mathrm{opt}}=\sqrt{2\varepsilon_i^0/(T\beta\sigma^2)}=\operatorname{argmin}_\eta\tfrac{2\varepsilon_i^0}{T\eta}+\eta\beta\sigma^2",
    family=FREE, note="""sqrt(2 eps0/(T beta sigma^2)) against any other step; the variance in the
    printed optimum is read as the sufficient one. Tight at the optimum.""",
)
def best_step(w: World) -> Sides:
    best = xp.sqrt(2 * w.excess / (w.rounds * w.beta * w.variance))
    bound, symbols = closed.theorem3_upper, (w.beta, w.variance, w.rounds)
    return bound(w.excess, best, *symbols), bound(w.excess, w.step_size, *symbols)
