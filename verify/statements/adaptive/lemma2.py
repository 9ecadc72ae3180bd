"""Lemma 2, the chain of inequalities in its proof, and its best form for quadratics."""

from __future__ import annotations

from math import inf
from typing import Any

from bounds import generic as xp
from bounds.heterogeneity import mismatch
from bounds.similarity import effective_variance
from bounds.sufficient import sufficient_ratio_best
from verify.claim import Array, Hypothesis, Reading, Real, hypothesis
from verify.claim.statement import Sides, Terms
from verify.statements.adaptive import quantities as q
from verify.world.world import World, once

claim = q.claims(r"""
Lemma 2 :: lemma
    lemma2/cluster :: effective beats sufficient
    lemma2.refined :: effective beats sufficient, best constants of A3
proof of Lemma 2 :: proof step
    lemma2/proof-A3 :: assumption A3 in the proof
""")

_CLUSTER = r"\mathcal N_i^\star(\varepsilon_i^t)\subset\mathcal N_i^t"
_VARIANCE = r"\sigma_{i,\mathrm{eff}}^t\le\sigma_{i,\mathrm{suf}}(\varepsilon_i^t)"
_A3 = r"1-\frac{\Delta_k^2}{G^2}\ge1-\frac{b_{ik}^2+c_{ik}\|\nabla R_i(\theta_%s^t)\|^2}{G^2}"
_PL = r"1-\frac{b_{ik}^2+c_{ik}\|\nabla R_i(\theta_%s^t)\|^2}{G^2}\ge1-\frac{b_{ik}^2}{2\mu\varepsilon_i^t}-c_{ik}"
_PRECISION = (
    r"1-\frac{b_{ik}^2}{2\mu\varepsilon_i^t}-c_{ik}\ge1-\frac{b_{ik}^2}{2\mu\varepsilon}-c_{ik}"
)
_A3_AT_OWN = r"\|\nabla R_k(\theta_i^t)-\nabla R_i(\theta_i^t)\|^2\le b_{ik}^2+c_{ik}\|\nabla R_i(\theta_i^t)\|^2"
_REALISED_EXCESS = r"R_i(\theta_i^t)-R_i(\theta_i^\star)"

_CANCELS = "With the gradient at theta_i^t c remains, and b^2/G^2 with G^2 >= 2 mu excess, A5."
TIGHT = "Tight where A3 holds with equality and the excess is G^2/(2 mu), as in one dimension."
RUNS = q.runs(((1, 1, 1), (2, 1, 1), (2, 2, 1)), q.PRECISION)
WIDER = (
    q.other_runs("pl", ((1, 1, 1), (2, 1, 1)), q.PRECISION),
    q.other_runs("quadratic", ((2, 2, 1), (3, 1, 1)), q.PRECISION, rules="square binary"),
)


@once
def _at_end(w: World) -> q.Along:
    return q.along(w, w.run().theta[..., 1, :])


def _place(w: World, r: Reading) -> q.Along:
    """The effective quantities, at the model before or after the step."""
    found: q.Along = q.at_start(w) if "before-step" in r else _at_end(w)
    return found


def _level(w: World, r: Reading) -> Array:
    """What epsilon_i^t stands for."""
    excess = q.excess(w, 1)
    return w.mean(excess) if "mean-excess" in r else excess


def _own_square(w: World, r: Reading) -> Array:
    return _place(w, r).squared_gradient


def _printed(r: Reading) -> bool:
    """Whether Definition 2 is as printed."""
    return "plain-b" in r


def _inside(w: World, precision: Array, printed: bool = True) -> Array:
    """1 for the members of the sufficient cluster."""
    ratio, _ = q.sufficient(w, precision, printed)
    psi = ratio * q.phi_of(w, ratio)
    return xp.indicator(psi > 0, psi)


def _cluster(w: World, level: Array, at: q.Along, printed: bool = True) -> Sides:
    left = {"in the sufficient cluster": _inside(w, level, printed)}
    return left, {"in the effective cluster": xp.indicator(at.alpha > 0, at.alpha)}


def _variance(w: World, level: Array, at: q.Along, printed: bool = True) -> Sides:
    return {"sigma_eff^2": at.effective}, {"sigma_suf^2": q.sufficient(w, level, printed)[1]}


def _excess_given(r: Reading) -> Hypothesis:
    value = _REALISED_EXCESS if "realised-excess" in r else rf"\mathbb E[{_REALISED_EXCESS}]"
    latex, place = rf"\varepsilon_i^t={value}>0", "Lemma 2: 0 < epsilon <= epsilon_i^t"
    return Hypothesis("excess", latex, _level, place, strict=True)


def _given(r: Reading) -> tuple[Hypothesis, ...]:
    model = r"\theta_i^{t-1}" if "before-step" in r else r"\theta_i^{t}"
    return _excess_given(r), q.own_gradient_at(_own_square, model)


cluster = claim(
    "lemma2/cluster",
    readings=("dissimilarity", "excess", "place"),
    over="path",
    latex=lambda r: _CLUSTER + q.squared(r),
    note=TIGHT,
    uses=("adaptive.def2.mono",),
    family=RUNS,
    also=WIDER,
    given=_given,
    defines=q.CONSTANT_STEP,
)(lambda w, r: _cluster(w, _level(w, r), _place(w, r), _printed(r)))

variance = cluster.like(
    "adaptive.lemma2/variance",
    latex=lambda r: _VARIANCE + q.squared(r),
    note=TIGHT,
    uses=("adaptive.def2.mono",),
)(lambda w, r: _variance(w, _level(w, r), _place(w, r), _printed(r)))

_SMALLER: dict[str, Any] = {
    "readings": ("excess",),
    "title": "smaller precision",
    "family": q.runs([(2, 1, 1)], {"factor": Real(1, 16, log=True, domain=(1, inf))}),
    "given": lambda r: [_excess_given(r)],
    "note": "At the excess against a precision that is smaller.",
}


@cluster.like(
    "adaptive.lemma2/smaller",
    latex=r"\mathcal N_i^\star(\varepsilon)\subset\mathcal N_i^\star(\varepsilon_i^t)",
    **_SMALLER,
)
def smaller(w: World, r: Reading) -> Sides:
    left = {"in the cluster at eps": _inside(w, _level(w, r) / w.factor)}
    return left, {"in the cluster at eps_i^t": _inside(w, _level(w, r))}


@cluster.like(
    "adaptive.lemma2/monotone",
    latex=r"\sigma_{i,\mathrm{suf}}(\varepsilon_i^t)\le\sigma_{i,\mathrm{suf}}(\varepsilon)",
    **_SMALLER,
)
def monotone(w: World, r: Reading) -> Sides:
    left = {"sigma_suf^2(excess)": q.sufficient(w, _level(w, r))[1]}
    return left, {"sigma_suf^2(eps)": q.sufficient(w, _level(w, r) / w.factor)[1]}


_KINDEST = cluster.leaf("squared-b", "realised-excess", "after-step")
_REPAIR: dict[str, Any] = {
    "also": WIDER,
    "title": "effective beats sufficient, with b^2 in Definition 2 and realised excess",
    "note": TIGHT,
    "proof": """With X the realised excess at the point: A5 gives G^2 >= 2 mu X, A3 gives
        Delta_k^2 <= b^2 + c G^2, hence r_ik >= (1 - b^2/(2 mu X) - c)_+; psi is non-decreasing,
        so every summand of 1/sigma_eff^2 is at least that of 1/sigma_suf^2(X), and positive where
        the latter is.""",
}

cluster_repaired = _KINDEST.repaired(part="cluster", latex=_CLUSTER + q.MENDED, **_REPAIR)(
    lambda w: _cluster(w, q.excess(w, 1), _at_end(w), printed=False)
)

variance_repaired = _KINDEST.repaired(part="variance", latex=_VARIANCE + q.MENDED, **_REPAIR)(
    lambda w: _variance(w, q.excess(w, 1), _at_end(w), printed=False)
)


# -- its proof -------------------------------------------------------------------------------------

MODELS = q.federation(
    "quadratic",
    ({"N": 2, "d": 1}, {"N": 2, "d": 2}),
    q.merged(q.POINT, {"other": Real(-4, 4, unit=(0, 1), per=("d",))}, q.TRADEOFF, q.PRECISION),
)
"""``point`` is theta_i^t; ``other`` is theta_k^t, the model of the client that is asked."""

_a3 = Hypothesis(
    "A3 at theta_i", _A3_AT_OWN, lambda w: w.bias + w.slope * w.own - w.gap, "Assumption A3"
)
_a5 = hypothesis(
    "A5", r"\|\nabla R_i(\theta_i^t)\|^2\ge2\mu\varepsilon_i^t", where="proof of Lemma 2"
)(lambda w: w.own - 2 * w.mu * w.excess)


def _bias(w: World, squared_gradient: Array) -> Array:
    """(b^2 + c G'^2)/G^2 with G' at theta_i or, by the slip of the proof, at theta_k."""
    return (w.bias + w.slope * squared_gradient) / w.own


def _sufficient(w: World) -> Terms:
    return {"b^2/(2 mu excess) + c": w.bias / (2 * w.mu * w.excess) + w.slope}


_LINKS = {
    ("a3", "asked"): q.deduced("lemma2/proof-A3", "gap bias slope own elsewhere", _a3)(
        lambda w: ({"gap": w.gap / w.own}, {"b^2 + c G'^2": _bias(w, w.elsewhere)})
    ),
    ("a3", "own"): q.deduced("lemma2/proof-A3-mended", "gap bias slope own", _a3)(
        lambda w: ({"gap": w.gap / w.own}, {"b^2 + c G^2": _bias(w, w.own)})
    ),
    ("pl", "asked"): q.deduced("lemma2/proof-PL", "bias slope own elsewhere mu excess", _a5)(
        lambda w: ({"b^2 + c G'^2": _bias(w, w.elsewhere)}, _sufficient(w))
    ),
    ("pl", "own"): q.deduced("lemma2/proof-PL-mended", "bias slope own mu excess", _a5)(
        lambda w: ({"b^2 + c G^2": _bias(w, w.own)}, _sufficient(w))
    ),
}
"""Whether the two links follow, by the model of the own gradient on their right and left side."""


@q.deduced(
    "lemma2/proof-precision",
    "bias mu excess precision",
    hypothesis("epsilon at most the excess", r"\varepsilon\le\varepsilon_i^t", where="Lemma 2")(
        lambda w: w.excess - w.precision
    ),
)
def _precision_deduced(w: World) -> Sides:
    at_excess, at_epsilon = (w.bias / (2 * w.mu * level) for level in (w.excess, w.precision))
    return {"at the excess": at_excess}, {"at epsilon": at_epsilon}


def _a3_link(w: World, point: Array) -> Sides:
    own, gap = q.squares(w.problem, w.point)
    return {"gap/G^2": gap[..., 1] / own}, _divided(w, point)


def _divided(w: World, point: Array) -> Terms:
    """A3 at theta_i^t over the squared gradient, its right side with the gradient at a point."""
    own = q.own_square(w, w.point)
    slope = w.slope[..., 1] * q.own_square(w, point) / own
    return {"b^2/G^2": w.squared_bias[..., 1] / own, "c G'^2/G^2": slope}


def _at_excess(w: World) -> Terms:
    level = 2 * w.mu * w.problem.excess(w.point)[..., 0]
    return {"b^2/(2 mu excess)": w.squared_bias[..., 1] / level, "c": w.slope[..., 1]}


_own_gradient = q.defined("own gradient", r"G=\|\nabla R_i(\theta_i^t)\|>0")(
    lambda w: q.own_square(w, w.point)
)


def _asked(w: World, r: Reading) -> Array:
    """The model at which the display takes the own gradient."""
    point: Array = w.other if "asked" in r else w.point
    return point


a3_link = claim(
    "lemma2/proof-A3",
    readings=("asked-model",),
    latex=lambda r: _A3 % ("k" if "asked" in r else "i"),
    family=MODELS,
    given=[_own_gradient],
    deduction=lambda r: _LINKS["a3", r.asked_model],
    note="""What is subtracted from 1. Assumption A3 at theta_i^t has grad R_i(theta_i^t) on its
    right side; the display has grad R_i(theta_k^t).""",
    proof=lambda r: "Divide A3 at theta_i^t by the squared gradient." * ("own" in r),
)(lambda w, r: _a3_link(w, _asked(w, r)))

pl_link = a3_link.like(
    "adaptive.lemma2/proof-PL",
    title="Polyak-Lojasiewicz in the proof",
    latex=lambda r: _PL % ("k" if "asked" in r else "i"),
    deduction=lambda r: _LINKS["pl", r.asked_model],
    note="""G^2 >= 2 mu excess, with the realised excess loss (the reading kinder to the paper: the
    mean over runs is no bound of one run's gradient). The gradient at theta_k^t does not cancel.""",
    proof=lambda r: _CANCELS * ("own" in r),
)(lambda w, r: (_divided(w, _asked(w, r)), _at_excess(w)))

_at_most_excess = hypothesis(
    "epsilon at most the excess",
    r"\varepsilon\le\varepsilon_i^t=" + _REALISED_EXCESS,
    where="Lemma 2",
)(lambda w: w.problem.excess(w.point)[..., 0] - w.precision)


@a3_link.leaf("asked").like(
    "adaptive.lemma2/proof-precision",
    title="smaller precision",
    latex=_PRECISION,
    given=[_at_most_excess],
    deduction=_precision_deduced,
    note="epsilon at most the excess loss.",
)
def precision_link(w: World) -> Sides:
    bias, slope = w.squared_bias[..., 1], w.slope[..., 1]
    return _at_excess(w), {"b^2/(2 mu eps)": bias / (2 * w.mu * w.precision), "c": slope}


# -- the best constants of A3 ----------------------------------------------------------------------


def _at_point(w: World) -> q.Along:
    return q.along(w, w.point)


@claim(
    "lemma2.refined",
    latex=r"\sigma_{i,\mathrm{eff}}^{-2}\ge\sum_k\sigma_k^{-2}\psi\Bigl(\bigl(1-(\|v_{ik}\|/\sqrt{2\mu X_i}+\|M_{ik}\|)^2\bigr)_+\Bigr)",
    family=q.federation(
        "quadratic",
        tuple({"N": 2, "d": d, "phi": phi} for d in (1, 2) for phi in ("continuous", "binary")),
        {**q.POINT, **q.PHI},
        noise=True,
    ),
    given=[q.own_gradient_at(lambda w: _at_point(w).squared_gradient, r"\theta")],
    uses=("adaptive.property1.repaired",),
    note="""Lemma 2 for quadratics with the best constants (b, c) of A3 at the realised excess loss:
    r_k >= (1 - (|v_k|/sqrt(2 mu X) + |M_k|)^2)_+.""",
    proof="""grad R_k - grad R_i = -(M g + v) with g = grad R_i, so the gap is at most |M| G + |v|;
    divide by G >= sqrt(2 mu X). Tight in one dimension where mu is the own curvature.""",
)
def best_constants(w: World) -> Sides:
    shift, spread = (pair[..., 0, :] for pair in mismatch(w.A, -w.problem.optimum))
    ratio = sufficient_ratio_best(shift, spread, w.mu, w.problem.excess(w.point)[..., 0])
    best = effective_variance(ratio, q.phi_of(w, ratio), w.sigma2)
    return {"sigma_eff^2": _at_point(w).effective}, {"best sigma_suf^2": best}
