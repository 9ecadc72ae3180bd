"""Theorem 3, the steps of its proof, and what remains of it without a Polyak-Lojasiewicz constant."""

from __future__ import annotations

from bounds import generic as xp
from bounds import rates as closed
from bounds.similarity import effective_variance
from bounds.sufficient import sufficient_ratio_from_gradient
from verify.claim import Array, Hypothesis, Real, Sides, Terms, statement
from verify.statements.adaptive import common, deductions, rates
from verify.statements.adaptive.common import FREE, excess, on_path, phi_of
from verify.world.world import World

THEOREM3, PROOF3 = "Theorem 3", "proof of Theorem 3"

_LEVEL = {"level": Real(1 / 64, 64, unit=(2, -2), log=True)}
RUNS_LEVEL = common.run_family(*common.SIZES, extra=_LEVEL)
WIDER = (
    common.other_runs("nonconvex", (1, 1, 2), (2, 1, 1), extra=_LEVEL, rules=("binary",)),
    common.other_runs("quadratic", (2, 2, 1), (1, 1, 4), extra=_LEVEL, points=3, rules=("square",)),
)
_ADMISSIBLE = (common.short_steps.at(THEOREM3), common.own_gradients)


def squared_gradients(w: World) -> Terms:
    """Squared own gradient averaged over theta^0 .. theta^{T-1}."""
    return {"average squared gradient": xp.mean(on_path(w).squared_gradient)}


def _step(w: World, variance: Array) -> Array:
    """The printed minimum with (sigma_phi/sigma_psi)^2 of the first round."""
    start, limit = common.start_excess(w), common.at_first(w).limit
    return closed.theorem3_step_size(start, w.beta, variance, w.rounds, limit)


def summed_descents(w: World, variance: Array) -> Terms:
    """What the sum of the descents leaves for a variance."""
    return closed.theorem3_upper(excess(w, 0), w.step_size, w.beta, variance, w.rounds)


def _bound(w: World, variance: Array) -> Terms:
    right = closed.theorem3_printed(excess(w, 0), w.beta, variance, w.rounds)
    return {"2 sqrt(2 eps0 beta sigma_suf^2/T)": right}


_RIGHT = r"\le2\sqrt{2\varepsilon_i^0\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)/T}"


@statement(
    "adaptive.theorem3@mean-excess",
    where=THEOREM3,
    title="smooth non-convex",
    over="mean",
    latex=r"\frac1T\sum_{t=1}^T\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2" + _RIGHT,
    family=rates.RUNS_PRECISION,
    given=[*_ADMISSIBLE, rates.precise_in_mean.at(THEOREM3)],
    defines={"step_size": lambda w: _step(w, rates.sufficient_variance(w))},
    uses=("adaptive.S2", "adaptive.lemma2"),
    note="""As printed. The step is one number for all rounds, so the minimum takes
    (sigma_phi/sigma_psi)^2 of the first round, and the step condition is asked of the others.
    Definition 2 needs a mu: that of A5.""",
)
def theorem3(w: World) -> Sides:
    return squared_gradients(w), _bound(w, rates.sufficient_variance(w))


theorem3_realised = rates.with_realised(theorem3)


# -- gradients in place of the excess loss -----------------------------------------------------

_STOPPED = (
    r"\frac1T\sum_{t=1}^T\mathbb E[G_t^2\,\mathbb 1\{G_s^2\ge2\mu\varepsilon\ \forall s\le t\}]"
)
_LATEX = r",\quad G_t=\|\nabla R_i(\theta_i^{t-1})\|,\ b_{ik}^2\text{ for }b_{ik}"


def level_variance(w: World) -> Array:
    """sigma_suf^2 with b^2 and the squared gradient ``level`` in place of 2 mu epsilon."""
    ratio = sufficient_ratio_from_gradient(w.squared_bias, w.slope, w.level)
    return effective_variance(ratio, phi_of(w, ratio), w.sigma2)


def _stopped_gradients(w: World) -> Terms:
    """Average of the squared gradients while none of them has been below ``level``."""
    squared, kept, total = on_path(w).squared_gradient, 1, 0
    for t in range(w.rounds):
        here = squared[..., t]
        kept = kept * xp.indicator(here >= w.level, here)
        total = total + kept * here
    return {"average stopped square": total / w.rounds}


_first_argument = Hypothesis(
    "the minimum is its first argument",
    r"\sqrt{2\varepsilon_i^0}(T\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon))^{-1/2}\le(\sigma_{i,\phi}^t/\sigma_{i,\psi}^t)^2\beta^{-1}\ \forall t",
    lambda w: on_path(w).limit - (w.beta * _step_free(w))[..., None],
)


def _step_free(w: World) -> Array:
    """The first argument of the minimum."""
    return xp.sqrt(2 * common.start_excess(w) / (w.rounds * w.beta * level_variance(w)))


_SUM = """J_t = 1{G_s^2 >= 2 mu epsilon for s <= t} is known before round t and decreases. Where
J_t = 1, A3 gives r_ik >= 1 - b^2/(2 mu epsilon) - c_ik, so sigma_eff^t <= sigma_suf(epsilon), and
(S2) gives E[X^t J_t] <= E[X^{t-1} J_{t-1}] - eta/2 E[G_t^2 J_t] + eta^2 beta sigma_suf^2/2. Sum
over t: T eta/2 times the left side is at most eps0 + T eta^2 beta sigma_suf^2/2. """


@theorem3.like(
    "adaptive.theorem3.repaired",
    latex=_STOPPED + _RIGHT + _LATEX,
    family=RUNS_LEVEL,
    also=WIDER,
    title="smooth non-convex, long horizon, with b^2, while gradients are large",
    given=[_first_argument, common.own_gradients],
    defines={"step_size": lambda w: _step(w, level_variance(w))},
    uses=("adaptive.S2",),
    note="""The horizon is so long that the minimum in the step size is its first argument;
    Definition 2 with b^2. A loss without mu has no sufficient cluster at an excess loss, so that
    epsilon is put to the test as it enters: 2 mu epsilon is a level of the squared gradient, and
    counted are the runs on which no squared gradient was below it so far.""",
    proof=_SUM + "At the first argument of the minimum both terms of the sum are equal.",
)
def theorem3_repaired(w: World) -> Sides:
    return _stopped_gradients(w), _bound(w, level_variance(w))


# -- steps of the proof ------------------------------------------------------------------------

_SUMMED = r"\le\frac{2\varepsilon_i^0}{T\eta_i}+\eta_i\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)"


@theorem3.like(
    "adaptive.theorem3.step/bound@mean-excess",
    where=PROOF3,
    kind="proof step",
    title="sum of the descents",
    latex=r"\tfrac1T\sum_t\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2" + _SUMMED,
    defines=common.CONSTANT_STEP,
    deduction=deductions.summed,
    uses=("adaptive.S2", "adaptive.lemma2"),
    note="""Any admissible step. Lemma 2 bounds sigma_eff with b^2 only, and where the realised
    excess is at least epsilon.""",
)
def descents_summed(w: World) -> Sides:
    return squared_gradients(w), summed_descents(w, rates.sufficient_variance(w))


descents_summed_realised = rates.with_realised(descents_summed)


@theorem3_repaired.like(
    "adaptive.theorem3.step.repaired",
    where=PROOF3,
    kind="proof step",
    title="sum of the descents, with b^2, while gradients are large",
    latex=_STOPPED + _SUMMED + _LATEX,
    given=_ADMISSIBLE,
    also=WIDER[:1],
    defines=common.CONSTANT_STEP,
    deduction=deductions.summed,
    uses=("adaptive.S2",),
    note="Any admissible step, so also where the minimum in the step size is its second argument.",
    proof=_SUM,
)
def descents_summed_repaired(w: World) -> Sides:
    return _stopped_gradients(w), summed_descents(w, level_variance(w))


@statement(
    "adaptive.theorem3.step/optimum",
    where=PROOF3,
    kind="proof step",
    title="best constant step",
    latex=r"\eta_i^{\mathrm{opt}}=\sqrt{2\varepsilon_i^0/(T\beta\sigma^2)}=\operatorname{argmin}_\eta\tfrac{2\varepsilon_i^0}{T\eta}+\eta\beta\sigma^2",
    family=FREE,
    note="""sqrt(2 eps0/(T beta sigma^2)) against any other step; the variance in the
    printed optimum is read as the sufficient one. Tight at the optimum.""",
)
def best_step(w: World) -> Sides:
    best = xp.sqrt(2 * w.excess / (w.rounds * w.beta * w.variance))
    bound, symbols = closed.theorem3_upper, (w.beta, w.variance, w.rounds)
    return bound(w.excess, best, *symbols), bound(w.excess, w.step_size, *symbols)
