"""Ingredients of the proof of Theorem 2."""

from __future__ import annotations

from bounds import generic as xp
from bounds import rates as closed
from verify.claim import Array, Hypothesis, Real, Sides, Terms, numbers, statement
from verify.statements.adaptive import common, deductions, rates
from verify.statements.adaptive.common import FREE, MENDED, factor_above_one
from verify.statements.adaptive.complexity import FREE_DELAY, FREE_FACTOR, start_dropped
from verify.world.world import World

PROOF2 = "proof of Theorem 2"

# -- Theorem 2: the bound of Theorem 1 with the sufficient variance --------------------------------


_NOISE = r"\tfrac{\beta\eta^2}2\sum_t(1-\eta\mu)^{T-t}"
_LEVEL = r"\tfrac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)"


def _replaced(w: World) -> Sides:
    noise, row = rates.theorem1(w)[1]["noise"], rates.constant_row(w)[1]
    return {"noise": noise}, {"saturation": row["saturation"]}


REPLACED = tuple(
    rates.constant_row.like(
        f"adaptive.theorem2/replace@{random}+{excess}",
        where=PROOF2,
        kind="proof step",
        title="effective by sufficient variance",
        over=over,
        latex=_NOISE + symbol + r"\le" + _LEVEL,
        given=[*common.ADMISSIBLE, condition, common.at_most_inverse_mu],
        deduction=deductions.replaced,
        uses=("adaptive.theorem1", "adaptive.lemma2"),
        note="""The noise of Theorem 1 against its sum with sigma_suf(epsilon) for sigma_eff. Lemma
        2 gives that bound of sigma_eff with b^2 only, and where the realised excess is at least
        epsilon.""",
    )(_replaced)
    for random, over, symbol in (
        ("each-run", "path", r"(\sigma_{i,\mathrm{eff}}^t)^2"),
        ("in-mean", "mean", r"\mathbb E(\sigma_{i,\mathrm{eff}}^t)^2"),
    )
    for excess, condition in rates.PRECISE.items()
)


@rates.constant_row_repaired.like(
    "adaptive.theorem2.repaired/replace",
    where=PROOF2,
    kind="proof step",
    over="path",
    title="effective by sufficient variance, with b^2 and realised excess",
    also=(),
    latex=r"\mathbb 1\{X_i^s\ge\varepsilon\ \forall s<T\}"
    + _NOISE
    + r"(\sigma_{i,\mathrm{eff}}^t)^2\le"
    + _LEVEL
    + MENDED,
    deduction=deductions.replaced,
    uses=("adaptive.lemma2.repaired",),
    note="On every path on which epsilon was not reached before T.",
    proof="""With b^2 and a realised excess of at least epsilon before T, Lemma 2 gives sigma_eff <=
    sigma_suf(epsilon) at every step, and a geometric sum is at most 1/(eta mu).""",
)
def replaced_repaired(w: World) -> Sides:
    noise, row = rates.theorem1(w)[1]["noise"], rates.constant_row_repaired(w)[1]
    kept = rates.still_above(w, w.rounds)
    return {"noise": noise * kept}, {"saturation": row["saturation"]}


@statement(
    "adaptive.theorem2/exp",
    where=PROOF2,
    kind="proof step",
    title="exponential bound",
    latex=r"1-x\le e^{-x}",
    family=numbers({"x": Real(-4, 4)}, about="any number"),
    note="Tight at x = 0.",
)
def exponential(w: World) -> Sides:
    return {"1 - x": 1 - w.x}, {"exp(-x)": xp.exp(-w.x)}


def _envelope(w: World, step: Array) -> Terms:
    """exp(-eta mu T) eps0 + eta beta sigma^2/(2 mu), what the horizon-dependent step minimises."""
    contraction = xp.exp(-step * w.mu * w.rounds) * w.excess
    return {"contraction": contraction, "saturation": step * w.beta * w.variance / (2 * w.mu)}


@statement(
    "adaptive.theorem2/min",
    where=PROOF2,
    kind="proof step",
    title="horizon-dependent step minimises its envelope",
    family=FREE,
    latex=r"\eta=\tfrac1{\mu T}\ln\tfrac{2T\mu^2\varepsilon_i^0}{\beta\sigma^2}=\operatorname{argmin}_\eta\;e^{-\eta\mu T}\varepsilon_i^0+\tfrac{\eta\beta}{2\mu}\sigma^2",
    note="The printed step against any other; the envelope is convex. Tight at the step itself.",
)
def envelope_minimised(w: World) -> Sides:
    best = closed.horizon_step_size(w.excess, w.mu, w.beta, w.variance, w.rounds)
    return _envelope(w, best), _envelope(w, w.step_size)


# -- Theorem 2: the cited theorem on decreasing steps ----------------------------------------------

_smaller_mu = Hypothesis(
    "mu at most beta", r"\mu\le\beta", lambda w: w.beta - w.mu, "Assumptions A1 and A5 together"
)
_ADMITTED = "Theorem 2, steps at most q/beta, with q <= 1 (Remark 3)"


def _recursion(w: World, shift: Array) -> Array:
    """E_T of the recursion of Theorem 1 with sigma_suf and steps C/(mu (shift + t))."""
    value = w.excess
    for t in range(1, w.rounds + 1):
        step = closed.decreasing_step_size(w.factor, w.mu, shift, t)
        terms = closed.theorem1_upper(value, step, w.mu, w.beta, w.variance[..., None])
        value = terms["contraction"] + terms["noise"]
    return value


@statement(
    "adaptive.theorem2/bcn",
    where=PROOF2,
    kind="proof step",
    title="the cited theorem on decreasing steps",
    family=FREE_FACTOR,
    latex=r"E_t\le(1-\eta_t\mu)E_{t-1}+\tfrac{\eta_t^2\beta}2\sigma^2,\ \eta_t=\tfrac C{\mu t}\Rightarrow E_T\le\tfrac1T\max\bigl(\tfrac{\beta\sigma^2C^2}{2\mu^2(C-1)},E_0\bigr)",
    given=[
        factor_above_one,
        Hypothesis(
            "first step at most 1/beta",
            r"\eta_1=C/\mu\le1/\beta",
            lambda w: 1 / w.beta - w.factor / w.mu,
            _ADMITTED,
        ),
        _smaller_mu,
    ],
    note="""The cited Theorem 4.7 on the recursion, with the printed steps C/(mu t), under the step
    condition of Theorem 2 and what A1 and A5 say of mu and beta.""",
)
def cited(w: World) -> Sides:
    return {"recursion": _recursion(w, 0)}, start_dropped(w)[0]


@cited.like(
    "adaptive.theorem2.empty",
    title="no steps for the cited theorem",
    latex=r"1\le0",
    family=numbers(
        {name: FREE_FACTOR.box[name] for name in ("factor", "mu", "beta")},
        about="the constants of the decreasing steps",
    ),
    empties="adaptive.theorem2/bcn",
    lift=lambda w: {"factor": w.factor, "mu": w.mu, "beta": w.beta},
    note="The cited theorem asks of the first step what the printed steps cannot give.",
    proof="C/mu <= 1/beta and mu <= beta give C <= mu/beta <= 1, against C > 1.",
)
def cited_empty(w: World) -> Sides:
    return {"1": 1}, {"0": 0}


@cited.like(
    "adaptive.theorem2.repaired/bcn",
    title="the cited theorem with its delay",
    family=FREE_DELAY,
    latex=r"\eta_t=\tfrac C{\mu(\gamma+t)}\Rightarrow E_T\le\tfrac1{\gamma+T+1}\max\bigl(\tfrac{\beta\sigma^2C^2}{2\mu^2(C-1)},(\gamma+1)E_0\bigr)",
    given=[
        factor_above_one,
        Hypothesis(
            "first step at most 1/beta",
            r"\eta_1=C/(\mu(\gamma+1))\le1/\beta",
            lambda w: 1 - closed.decreasing_step_size(w.factor, w.mu, w.delay, 1) * w.beta,
            _ADMITTED,
        ),
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
