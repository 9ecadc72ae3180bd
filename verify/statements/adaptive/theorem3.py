"""Theorem 3, the steps of its proof, and what remains of it without a Polyak-Lojasiewicz constant."""

from __future__ import annotations

from bounds import generic as xp
from bounds import rates as closed
from bounds.similarity import effective_variance
from bounds.sufficient import sufficient_ratio_from_gradient
from verify.claim import Array, Hypothesis, Real, hypothesis
from verify.claim.statement import Sides, Terms
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive import theorem1, theorem2
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.claims(r"""
Theorem 3 :: theorem
    theorem3 :: smooth non-convex
proof of Theorem 3 :: proof step
    theorem3.step.repaired :: sum of the descents, with b^2, while gradients are large
    theorem3.step/optimum :: best constant step
""")

_RIGHT = r"\le2\sqrt{2\varepsilon_i^0\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)/T}"
_STOPPED = (
    r"\frac1T\sum_{t=1}^T\mathbb E[G_t^2\,\mathbb 1\{G_s^2\ge2\mu\varepsilon\ \forall s\le t\}]"
)
_SUMMED = r"\le\frac{2\varepsilon_i^0}{T\eta_i}+\eta_i\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)"
_LEVEL = r",\quad G_t=\|\nabla R_i(\theta_i^{t-1})\|,\ b_{ik}^2\text{ for }b_{ik}"
_FIRST = r"\sqrt{2\varepsilon_i^0}(T\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon))^{-1/2}\le(\sigma_{i,\phi}^t/\sigma_{i,\psi}^t)^2\beta^{-1}\ \forall t"
_S2_SUM = r"\tfrac\eta2\textstyle\sum_t\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2\le\varepsilon_i^0+\tfrac{T\eta^2\beta}2\sigma_{i,\mathrm{suf}}^2(\varepsilon)"
_OPTIMUM = r"\eta_i^{\mathrm{opt}}=\sqrt{2\varepsilon_i^0/(T\beta\sigma^2)}=\operatorname{argmin}_\eta\tfrac{2\varepsilon_i^0}{T\eta}+\eta\beta\sigma^2"
_REFINED = r"\tfrac1T\sum_t\mathbb E\,G_t^2\le\frac{2\varepsilon_i^0}{T\eta}+\eta\beta\,\tfrac1T\sum_t\mathbb E\,\sigma_{i,\mathrm{suf}}^2(G_t^2)"
_SUM = """J_t = 1{G_s^2 >= 2 mu epsilon for s <= t} is known before round t and decreases. Where
J_t = 1, A3 gives r_ik >= 1 - b^2/(2 mu epsilon) - c_ik, so sigma_eff^t <= sigma_suf(epsilon), and
(S2) gives E[X^t J_t] <= E[X^{t-1} J_{t-1}] - eta/2 E[G_t^2 J_t] + eta^2 beta sigma_suf^2/2. Sum
over t: T eta/2 times the left side is at most eps0 + T eta^2 beta sigma_suf^2/2. """

_LEVELS = {"level": Real(1 / 64, 64, unit=(2, -2), log=True)}
WIDER = (
    q.other_runs("nonconvex", ((1, 1, 2), (2, 1, 1)), _LEVELS, rules="binary"),
    q.other_runs("quadratic", ((2, 2, 1), (1, 1, 4)), _LEVELS, points=3, rules="square"),
)
_ADMISSIBLE = (q.short_steps.at("Theorem 3"), q.own_gradients)


def _squared_gradients(w: World) -> Terms:
    """Squared own gradient averaged over theta^0 .. theta^{T-1}."""
    return {"average squared gradient": xp.mean(q.on_path(w).squared_gradient)}


def _step(w: World, variance: Array) -> Array:
    """The printed minimum with (sigma_phi/sigma_psi)^2 of the first round."""
    start, limit = q.start_excess(w), q.at_first(w).limit
    return closed.theorem3_step_size(start, w.beta, variance, w.rounds, limit)


def _summed_descents(w: World, variance: Array) -> Terms:
    """What the sum of the descents leaves for a variance."""
    return closed.theorem3_upper(q.excess(w, 0), w.step_size, w.beta, variance, w.rounds)


def _bound(w: World, variance: Array) -> Terms:
    right = closed.theorem3_printed(q.excess(w, 0), w.beta, variance, w.rounds)
    return {"2 sqrt(2 eps0 beta sigma_suf^2/T)": right}


theorem3 = claim(
    "theorem3",
    readings=("dissimilarity", "excess"),
    over="mean",
    latex=lambda r: (
        r"\frac1T\sum_{t=1}^T\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2" + _RIGHT + q.squared(r)
    ),
    family=q.RUNS_PRECISION,
    also=(q.KICKED, *q.wider(q.PRECISION)),
    given=lambda r: [*_ADMISSIBLE, theorem2.precise(r, "Theorem 3")],
    defines={"step_size": lambda w, r: _step(w, q.variance_of_definition2(w, r))},
    uses=("adaptive.S2", "adaptive.lemma2"),
    note="""The step is one number for all rounds, so the minimum takes
    (sigma_phi/sigma_psi)^2 of the first round, and the step condition is asked of the others.
    Definition 2 needs a mu: that of A5.""",
)(lambda w, r: (_squared_gradients(w), _bound(w, q.variance_of_definition2(w, r))))


# -- gradients in place of the excess loss ---------------------------------------------------------


def _level_variance(w: World) -> Array:
    """sigma_suf^2 with b^2 and the squared gradient ``level`` in place of 2 mu epsilon."""
    ratio = sufficient_ratio_from_gradient(w.squared_bias, w.slope, w.level)
    return effective_variance(ratio, q.phi_of(w, ratio), w.sigma2)


def _stopped_gradients(w: World) -> Terms:
    return {"average stopped square": _stopped_squares(w) / w.rounds}


@quantity
def _stopped_squares(w: World) -> Array:
    """Sum of the squared gradients while none of them has been below ``level``, (B, R)."""
    squared, kept, total = q.on_path(w).squared_gradient, 1, 0
    for t in range(w.rounds):
        here = squared[..., t]
        kept = kept * xp.indicator(here >= w.level, here)
        total = total + kept * here
    return total


def _step_free(w: World) -> Array:
    """The first argument of the minimum."""
    return xp.sqrt(2 * q.start_excess(w) / (w.rounds * w.beta * _level_variance(w)))


_first_argument = hypothesis("the minimum is its first argument", _FIRST)(
    lambda w: q.on_path(w).limit - (w.beta * _step_free(w))[..., None]
)

theorem3_repaired = theorem3.leaf("squared-b", "mean-excess").repaired(
    latex=_STOPPED + _RIGHT + _LEVEL,
    family=q.runs(q.SIZES, _LEVELS),
    also=WIDER,
    title="smooth non-convex, long horizon, with b^2, while gradients are large",
    given=[_first_argument, q.own_gradients],
    defines={"step_size": lambda w: _step(w, _level_variance(w))},
    uses=("adaptive.S2",),
    note="""The horizon is so long that the minimum in the step size is its first argument;
    Definition 2 with b^2. A loss without mu has no sufficient cluster at an excess loss, so that
    epsilon is put to the test as it enters: 2 mu epsilon is a level of the squared gradient, and
    counted are the runs on which no squared gradient was below it so far.""",
    proof=_SUM + "At the first argument of the minimum both terms of the sum are equal.",
)(lambda w: (_stopped_gradients(w), _bound(w, _level_variance(w))))


# -- steps of the proof ----------------------------------------------------------------------------


def _sum_of_descents(w: World) -> Array:
    """own is the average squared gradient."""
    noise = w.horizon * w.step_size**2 * w.beta * w.sufficient / 2
    return w.excess + noise - w.step_size * w.horizon * w.own / 2


@q.deduced(
    "theorem3.step",
    "own excess sufficient beta step_size horizon",
    Hypothesis("sum of (S2)", _S2_SUM, _sum_of_descents),
)
def _summed_deduced(w: World) -> Sides:
    start, noise = 2 * w.excess / (w.horizon * w.step_size), w.step_size * w.beta * w.sufficient
    return {"average": w.own}, {"start": start, "noise": noise}


descents_summed = theorem3.like(
    "adaptive.theorem3.step/bound",
    kind="proof step",
    where="proof of Theorem 3",
    title="sum of the descents",
    latex=lambda r: (
        r"\tfrac1T\sum_t\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2" + _SUMMED + q.squared(r)
    ),
    defines=q.CONSTANT_STEP,
    deduction=_summed_deduced,
    uses=("adaptive.S2", "adaptive.lemma2"),
    note="""Any admissible step. Lemma 2 bounds sigma_eff with b^2 only, and where the realised
    excess is at least epsilon.""",
)(lambda w, r: (_squared_gradients(w), _summed_descents(w, q.variance_of_definition2(w, r))))

descents_summed_repaired = claim(
    "theorem3.step.repaired",
    like=theorem3_repaired,
    latex=_STOPPED + _SUMMED + _LEVEL,
    given=_ADMISSIBLE,
    also=WIDER[:1],
    defines=q.CONSTANT_STEP,
    deduction=_summed_deduced,
    uses=("adaptive.S2",),
    note="Any admissible step, so also where the minimum in the step size is its second argument.",
    proof=_SUM,
)(lambda w: (_stopped_gradients(w), _summed_descents(w, _level_variance(w))))


@claim(
    "theorem3.step/optimum",
    latex=_OPTIMUM,
    family=q.FREE,
    note="""sqrt(2 eps0/(T beta sigma^2)) against any other step; the variance in the
    printed optimum is read as the sufficient one. Tight at the optimum.""",
)
def best_step(w: World) -> Sides:
    best = xp.sqrt(2 * w.excess / (w.rounds * w.beta * w.variance))
    bound, symbols = closed.theorem3_upper, (w.beta, w.variance, w.rounds)
    return bound(w.excess, best, *symbols), bound(w.excess, w.step_size, *symbols)


# -- beyond quadratics, the sufficient variance at the running gradient ----------------------------

_SIZES = ((1, 1, 1), (1, 1, 2), (2, 1, 1), (2, 1, 2))


@theorem1.direction.like(
    "adaptive.theorem3.refined/nonconvex",
    where="Theorem 3",
    title="smooth non-convex, sufficient variance at the running gradient",
    latex=_REFINED,
    family=q.other_runs("nonconvex", _SIZES),
    uses=("adaptive.S2", "adaptive.remark3.refined"),
    note="""Mean squared gradient of a smooth loss, the sufficient variance at the running squared
    gradient: Definition 2 with 2 mu epsilon replaced by G^2, since a loss without mu has no
    sufficient cluster at an excess loss.""",
    proof="""(S2) in mean, summed over t, the last excess dropped, divided by T eta/2; A3 alone
    gives r_k >= (1 - b^2/G^2 - c)_+, hence sigma_eff^t <= sigma_suf(G_t^2) on every path.""",
)
def smooth(w: World) -> Sides:
    variance = theorem2.running_variance(w, q.on_path(w).squared_gradient)
    return _squared_gradients(w), _summed_descents(w, xp.mean(variance))


smooth_pl = smooth.variant(
    "adaptive.theorem3.refined/pl",
    family=q.other_runs("pl", _SIZES),
    title="Polyak-Lojasiewicz, sufficient variance at the running gradient",
)
