"""Ingredients of the proof of Theorem 2."""

from __future__ import annotations

from bounds import generic as xp
from bounds import rates as closed
from verify.claim import Array, Hypothesis, Real, hypothesis, numbers
from verify.claim.statement import Sides, Terms
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive import theorem1, theorem2
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.claims(r"""
proof of Theorem 2 :: proof step
    theorem2/exp :: exponential bound
    theorem2/min :: horizon-dependent step minimises its envelope
    theorem2/bcn :: the cited theorem on decreasing steps
""")

_NOISE = r"\tfrac{\beta\eta^2}2\sum_t(1-\eta\mu)^{T-t}"
_EFFECTIVE = r"(\sigma_{i,\mathrm{eff}}^t)^2"
_LEVEL = r"\le\tfrac{\eta\beta}{2\mu}\sigma_{i,\mathrm{suf}}^2(\varepsilon)"
_ARGMIN = r"\eta=\tfrac1{\mu T}\ln\tfrac{2T\mu^2\varepsilon_i^0}{\beta\sigma^2}=\operatorname{argmin}_\eta\;e^{-\eta\mu T}\varepsilon_i^0+\tfrac{\eta\beta}{2\mu}\sigma^2"
_CITED = r"E_t\le(1-\eta_t\mu)E_{t-1}+\tfrac{\eta_t^2\beta}2\sigma^2,\ \eta_t=\tfrac C{\mu t}\Rightarrow E_T\le\tfrac1T\max\bigl(\tfrac{\beta\sigma^2C^2}{2\mu^2(C-1)},E_0\bigr)"
_DELAYED = r"\eta_t=\tfrac C{\mu(\gamma+t)}\Rightarrow E_T\le\tfrac1{\gamma+T+1}\max\bigl(\tfrac{\beta\sigma^2C^2}{2\mu^2(C-1)},(\gamma+1)E_0\bigr)"

# -- the bound of Theorem 1 with the sufficient variance -------------------------------------------

_lemma2 = Hypothesis(
    "Lemma 2",
    r"\sigma_{i,\mathrm{eff}}^t\le\sigma_{i,\mathrm{suf}}(\varepsilon)",
    lambda w: w.sufficient - w.effective,
    "Lemma 2",
)
_series = hypothesis("geometric series", r"\eta\mu\sum_t(1-\eta\mu)^{T-t}\le1")(
    lambda w: 1 - w.step_size * w.mu * w.series
)


@q.deduced("theorem2/replace", "effective sufficient mu beta step_size series", _lemma2, _series)
def _replaced_deduced(w: World) -> Sides:
    noise = w.beta * w.step_size**2 * w.series * w.effective / 2
    return {"noise": noise}, {"saturation": w.step_size * w.beta * w.sufficient / (2 * w.mu)}


def _replaced(w: World, variance: Array, kept: Array = 1) -> Sides:
    saturation = theorem2.saturating(w, variance)["saturation"]
    return {"noise": theorem1.unrolled(w)["noise"] * kept}, {"saturation": saturation}


replaced = theorem2.constant_row.like(
    "adaptive.theorem2/replace",
    readings=("random", "dissimilarity", "excess"),
    kind="proof step",
    where="proof of Theorem 2",
    title="effective by sufficient variance",
    over=lambda r: "mean" if "in-mean" in r else "path",
    latex=lambda r: _NOISE + r"\mathbb E" * ("in-mean" in r) + _EFFECTIVE + _LEVEL,
    deduction=_replaced_deduced,
    uses=("adaptive.theorem1", "adaptive.lemma2"),
    note="""The noise of Theorem 1 against its sum with sigma_suf(epsilon) for sigma_eff. Lemma
    2 gives that bound of sigma_eff with b^2 only, and where the realised excess is at least
    epsilon.""",
)(lambda w, r: _replaced(w, q.variance_of_definition2(w, r)))

_KEPT = r"\mathbb 1\{X_i^s\ge\varepsilon\ \forall s<T\}"

replaced_repaired = theorem2.constant_row_repaired.like(
    "adaptive.theorem2.repaired/replace",
    kind="proof step",
    where="proof of Theorem 2",
    title="effective by sufficient variance, with b^2 and realised excess",
    over="path",
    also=(),
    latex=_KEPT + _NOISE + _EFFECTIVE + _LEVEL + q.MENDED,
    deduction=_replaced_deduced,
    uses=("adaptive.lemma2.repaired",),
    note="On every path on which epsilon was not reached before T.",
    proof="""With b^2 and a realised excess of at least epsilon before T, Lemma 2 gives sigma_eff <=
    sigma_suf(epsilon) at every step, and a geometric sum is at most 1/(eta mu).""",
)(lambda w: _replaced(w, q.mended_variance(w), theorem2.still_above(w, w.rounds)))


# -- the horizon-dependent step --------------------------------------------------------------------


exponential = claim(
    "theorem2/exp",
    latex=r"1-x\le e^{-x}",
    family=numbers({"x": Real(-4, 4)}, about="any number"),
    note="Tight at x = 0.",
)(lambda w: ({"1 - x": 1 - w.x}, {"exp(-x)": xp.exp(-w.x)}))


def _envelope(w: World, step: Array) -> Terms:
    """exp(-eta mu T) eps0 + eta beta sigma^2/(2 mu), what the horizon-dependent step minimises."""
    contraction = xp.exp(-step * w.mu * w.rounds) * w.excess
    return {"contraction": contraction, "saturation": step * w.beta * w.variance / (2 * w.mu)}


@claim(
    "theorem2/min",
    family=q.FREE,
    latex=_ARGMIN,
    note="The printed step against any other; the envelope is convex. Tight at the step itself.",
)
def envelope_minimised(w: World) -> Sides:
    best = closed.horizon_step_size(w.excess, w.mu, w.beta, w.variance, w.rounds)
    return _envelope(w, best), _envelope(w, w.step_size)


# -- the cited theorem on decreasing steps ---------------------------------------------------------

_ADMITTED = "Theorem 2, steps at most q/beta, with q <= 1 (Remark 3)"
_smaller_mu = Hypothesis(
    "mu at most beta", r"\mu\le\beta", lambda w: w.beta - w.mu, "Assumptions A1 and A5 together"
)
_first_step = hypothesis("first step at most 1/beta", r"\eta_1=C/\mu\le1/\beta", where=_ADMITTED)(
    lambda w: 1 / w.beta - w.factor / w.mu
)
_first_delayed_step = Hypothesis(
    "first step at most 1/beta",
    r"\eta_1=C/(\mu(\gamma+1))\le1/\beta",
    lambda w: 1 - closed.decreasing_step_size(w.factor, w.mu, w.delay, 1) * w.beta,
    _ADMITTED,
)


def _recursion(w: World, shift: Array) -> Terms:
    return {"recursion": _unrolled(w, shift)}


@quantity
def _unrolled(w: World, shift: Array) -> Array:
    """E_T of the recursion of Theorem 1 with sigma_suf and steps C/(mu (shift + t))."""
    value = w.excess
    for t in range(1, w.rounds + 1):
        step = closed.decreasing_step_size(w.factor, w.mu, shift, t)
        terms = closed.theorem1_upper(value, step, w.mu, w.beta, w.variance[..., None])
        value = terms["contraction"] + terms["noise"]
    return value


def largest(w: World, start: Array) -> Array:
    """Bound of the printed decreasing row for a start, over T."""
    symbols = w.mu, w.beta, w.variance, w.rounds, w.factor
    return closed.theorem2_decreasing_printed(start, *symbols)


cited = claim(
    "theorem2/bcn",
    family=q.FREE_FACTOR,
    latex=_CITED,
    given=[q.factor_above_one, _first_step, _smaller_mu],
    note="""The cited Theorem 4.7 on the recursion, with the printed steps C/(mu t), under the step
    condition of Theorem 2 and what A1 and A5 say of mu and beta.""",
)(lambda w: (_recursion(w, 0), {"max/T": largest(w, w.excess)}))

cited_empty = cited.derived(
    "empty",
    title="no steps for the cited theorem",
    latex=r"1\le0",
    family=numbers(
        {name: q.FREE_FACTOR.box[name] for name in ("factor", "mu", "beta")},
        about="the constants of the decreasing steps",
    ),
    empties="adaptive.theorem2/bcn",
    lift=lambda w: {"factor": w.factor, "mu": w.mu, "beta": w.beta},
    note="The cited theorem asks of the first step what the printed steps cannot give.",
    proof="C/mu <= 1/beta and mu <= beta give C <= mu/beta <= 1, against C > 1.",
)(lambda w: ({"1": 1}, {"0": 0}))


@cited.repaired(
    part="bcn",
    title="the cited theorem with its delay",
    family=q.FREE_DELAY,
    latex=_DELAYED,
    given=[q.factor_above_one, _first_delayed_step, _smaller_mu],
    note="The cited theorem with its own delay gamma > 0.",
    proof="""With n = gamma + t, K = beta sigma^2 C^2/(2 mu^2 (C - 1)) <= nu and E_{t-1} <= nu/n:
    E_t <= (1 - C/n) nu/n + (C - 1) nu/n^2 = (n - 1) nu/n^2 <= nu/(n + 1); 1 - C/n >= 0 since
    eta_t mu <= eta_1 beta <= 1.""",
)
def cited_repaired(w: World) -> Sides:
    symbols = w.excess, w.mu, w.beta, w.variance, w.rounds, w.factor, w.delay
    bound = closed.theorem2_decreasing_bcn_upper(*symbols)
    return _recursion(w, w.delay), {"nu/(gamma + T + 1)": bound}
