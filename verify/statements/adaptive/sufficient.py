"""Definition 2 (sufficient cluster and variance), its limits, and Lemma 2."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds import sufficient as closed
from bounds.similarity import inverse_variance
from verify.claim import Array, Hypothesis, Real, Sides, statement
from verify.statements.adaptive import common
from verify.statements.adaptive.common import at_start, free_variance, phi_of, sufficient
from verify.world.world import World, once

AFTER = "after Definition 2"


@statement(
    "adaptive.def2.mono/decreasing", where="Definition 2", kind="property",
    title="sufficient variance decreases",
    latex=r"\varepsilon\le\varepsilon'\Rightarrow\sigma_{i,\mathrm{suf}}^2(\varepsilon')\le\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
    family=common.definition_family({**common.PRECISION, "factor": Real(1, 64, log=True)}),
)
def decreasing(w: World) -> Sides:
    larger = free_variance(w, w.precision * w.factor)
    return {"sigma_suf^2(larger)": larger}, {"sigma_suf^2(eps)": free_variance(w, w.precision)}


@decreasing.like(
    "adaptive.def2.mono/limit", title="sufficient variance has a limit",
    latex=r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)\le\sigma_i^2/\psi(1)",
    family=common.definition_family(common.PRECISION),
    note="A monotone function that is bounded as eps decreases has a limit there.",
)
def bounded(w: World) -> Sides:
    own = inverse_variance(phi_of(w, 1 + 0 * w.slope[..., :1]), w.sigma2[..., :1])
    return {"sigma_suf^2(eps)": free_variance(w, w.precision)}, {"sigma_i^2/psi(1)": own}


def _small_precision(w: World) -> Array:
    """A precision below b_ik/(2 mu) for every client with b_ik > 0."""
    large = 1 + xp.total(w.bias)
    smallest = xp.smallest(xp.where(w.bias > 0, w.bias, large[..., None]))
    return w.share * smallest / (2 * w.mu)


def _limit_zero(sign: str) -> str:
    return rf"\lim_{{\varepsilon\to0}}\sigma_{{i,\mathrm{{suf}}}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{{{sign}2}}\psi((1-c_{{ik}})_+)\mathbb 1_{{b_{{ik}}=0}}\Bigr)^{{-1}}"


@statement(
    "adaptive.def2.lim0", where=AFTER, kind="property", title="limit of high precision",
    latex=_limit_zero(""), relation="==",
    family=common.definition_family({"share": Real(1 / 64, 1, log=True)}),
    note="""Below b_ik/(2 mu) of every client with b_ik > 0, sigma_suf^2 does not change any more,
    so its value there is the limit. The display has sigma_k^2 for sigma_k^-2.""",
)
def limit_zero(w: World) -> Sides:
    constants = (w.bias, w.slope, w.phi, w.sigma2, w.threshold)
    limit = closed.sufficient_variance_limit_zero_printed(*constants)
    return {"sigma_suf^2(eps)": free_variance(w, _small_precision(w))}, {"limit": limit}


@limit_zero.like("adaptive.def2.lim0.repaired", latex=_limit_zero("-"),
                 proof="""Below b_ik/(2 mu) of every client with b_ik > 0, its psi is 0 and the psi
                 of the others does not depend on epsilon, so the value there is the limit.""")
def limit_zero_repaired(w: World) -> Sides:
    limit = closed.sufficient_variance_limit_zero(w.bias, w.slope, w.phi, w.sigma2, w.threshold)
    return limit_zero(w)[0], {"limit": limit}


@statement(
    "adaptive.def2.liminf", where=AFTER, kind="property", title="limit of low precision",
    latex=r"\lim_{\varepsilon\to\infty}\sigma_{i,\mathrm{cont}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{-2}\psi((1-c_{ik})_+)\Bigr)^{-1}",
    family=common.definition_family(common.PRECISION, ("continuous",)),
    note="An explicit rate that vanishes as eps grows: psi(x) = x^2 has slope at most 2 on [0, 1].",
)
def limit_infinity(w: World) -> Sides:
    limit = closed.sufficient_variance_limit_infinity_printed(w.slope, w.phi, w.sigma2, w.threshold)
    gap = xp.absolute(1 / free_variance(w, w.precision) - 1 / limit)
    rate = xp.total(w.bias / w.sigma2) / (w.mu * w.precision)
    return {"gap of 1/sigma^2": gap}, {"sum b/(mu eps sigma^2)": rate}


def _psi_of_other(w: World) -> Array:
    ratio = closed.sufficient_ratio_printed(w.bias, w.slope, w.mu, w.precision)
    return (ratio * phi_of(w, ratio))[..., 1]


@statement(
    "adaptive.def2.c1/excluded", where=AFTER, kind="property", title="very dissimilar clients",
    latex=r"k\in\mathcal N_i^\star(\varepsilon)\Rightarrow c_{ik}<1",
    family=common.definition_family(common.PRECISION),
    given=[Hypothesis("client 1 in the sufficient cluster", r"k\in\mathcal N_i^\star(\varepsilon)",
                      _psi_of_other, AFTER, strict=True)],
    note="Contrapositive: a client of the sufficient cluster has c_ik < 1.",
)
def excluded(w: World) -> Sides:
    return {"c_ik": w.slope[..., 1]}, {"1": 1}


@statement(
    "adaptive.def2.c1/helps", where=AFTER, kind="property", title="very dissimilar clients",
    latex=r"c_{ik}\ge1,\ k\in\mathcal N_i^t,\ \sigma_{i,\mathrm{eff}}^t<\sigma_i",
    family=common.run_family((2, 1, 1)), defines=common.CONSTANT_STEP, quantifier="some",
    given=[
        Hypothesis("c_ik >= 1", r"c_{ik}\ge1", lambda w: w.slope[..., 1] - 1, AFTER),
        Hypothesis("client 1 in the effective cluster", r"k\in\mathcal N_i^t",
                   lambda w: at_start(w).alpha[..., 1], AFTER, strict=True),
        Hypothesis("variance reduced", r"\sigma_{i,\mathrm{eff}}^t<\sigma_i",
                   lambda w: w.sigma2[..., 0] - at_start(w).effective, AFTER, strict=True),
        common.own_gradient,
    ],
)
def helps(w: World) -> Sides:
    return {"sigma_eff^2": at_start(w).effective}, {"sigma_i^2": w.sigma2[..., 0]}


# -- Lemma 2 along a run -----------------------------------------------------------------------


@once
def _at_end(w: World) -> common.Along:
    return common.along(w, w.run().theta[..., 1, :])


def _realised(w: World) -> Array:
    return common.excess(w, 1)


def _in_mean(w: World) -> Array:
    return w.mean(common.excess(w, 1))


READINGS = {
    "mean-before": (_in_mean, at_start),
    "mean-after": (_in_mean, _at_end),
    "realised-before": (_realised, at_start),
    "realised-after": (_realised, _at_end),
}
"""What epsilon_i^t stands for, and the point at which the effective quantities are taken."""


def _cluster(w: World, reading: str, printed: bool = True) -> Sides:
    level, at = READINGS[reading]
    ratio, _ = sufficient(w, level(w), printed)
    inside, alpha = ratio * phi_of(w, ratio), at(w).alpha
    return {"in the sufficient cluster": xp.indicator(inside > 0, inside)}, {
        "in the effective cluster": xp.indicator(alpha > 0, alpha)
    }


def _variance(w: World, reading: str, printed: bool = True) -> Sides:
    level, at = READINGS[reading]
    _, variance = sufficient(w, level(w), printed)
    return {"sigma_eff^2": at(w).effective}, {"sigma_suf^2": variance}


_PARTS = {
    "cluster": (_cluster, r"\mathcal N_i^\star(\varepsilon_i^t)\subset\mathcal N_i^t"),
    "variance": (_variance, r"\sigma_{i,\mathrm{eff}}^t\le\sigma_{i,\mathrm{suf}}(\varepsilon_i^t)"),
}
NOTE = "Tight where A3 holds with equality and the excess is G^2/(2 mu), as in one dimension."


def _given(reading: str) -> tuple[Hypothesis, ...]:
    level, at = READINGS[reading]
    value = r"R_i(\theta_i^t)-R_i(\theta_i^\star)"
    if level is _in_mean:
        value = rf"\mathbb E[{value}]"
    place = "t-1" if at is at_start else "t"
    return (
        Hypothesis("excess", rf"\varepsilon_i^t={value}>0", level, "Lemma 2", strict=True),
        Hypothesis("own gradient", rf"\nabla R_i(\theta_i^{{{place}}})\ne0",
                   lambda w: at(w).squared_gradient, strict=True),
    )


LEMMA2 = tuple(
    statement(
        f"adaptive.lemma2/{part}@{reading}", where="Lemma 2", kind="lemma", over="path",
        title="effective beats sufficient", latex=latex, note=NOTE, uses=("adaptive.def2.mono",),
        family=common.run_family((1, 1, 1), (2, 1, 1), (2, 2, 1), extra=common.PRECISION),
        given=_given(reading), defines=common.CONSTANT_STEP,
    )(partial(sides, reading=reading))
    for part, (sides, latex) in _PARTS.items()
    for reading in READINGS
)
LEMMA2_REPAIRED = tuple(
    LEMMA2[0].like(
        f"adaptive.lemma2.repaired/{part}", latex=latex + common.MENDED, given=_given("realised-after"),
        title="effective beats sufficient, with b^2 in Definition 2 and realised excess",
        note=NOTE,
        proof="""With X the realised excess at the point: A5 gives G^2 >= 2 mu X, A3 gives
        Delta_k^2 <= b^2 + c G^2, hence r_ik >= (1 - b^2/(2 mu X) - c)_+; psi is non-decreasing,
        so every summand of 1/sigma_eff^2 is at least that of 1/sigma_suf^2(X), and positive where
        the latter is.""",
    )(partial(sides, reading="realised-after", printed=False))
    for part, (sides, latex) in _PARTS.items()
)


@LEMMA2[0].like(
    "adaptive.lemma2/monotone", title="smaller precision",
    latex=r"\sigma_{i,\mathrm{suf}}(\varepsilon_i^t)\le\sigma_{i,\mathrm{suf}}(\varepsilon)",
    family=common.run_family((2, 1, 1), extra={"factor": Real(1, 16, log=True)}),
    given=_given("realised-after")[:1],
    note="sigma_suf at the excess against sigma_suf at a smaller precision.",
)
def second_link(w: World) -> Sides:
    level = _realised(w)
    _, larger = sufficient(w, level)
    _, smaller = sufficient(w, level / w.factor)
    return {"sigma_suf^2(excess)": larger}, {"sigma_suf^2(eps)": smaller}
