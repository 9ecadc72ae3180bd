"""Definition 2 (sufficient cluster and variance), its limits, and Lemma 2."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

from bounds import generic as xp
from bounds import sufficient as closed
from bounds.similarity import inverse_variance
from verify.claim import Array, Hypothesis, Real, Sides, statement
from verify.statements.adaptive import common
from verify.statements.adaptive.common import at_start, free_variance, phi_of, sufficient
from verify.world.world import World, once

AFTER = "after Definition 2"


@statement(
    "adaptive.def2.mono/decreasing@not-increasing",
    where=AFTER,
    kind="property",
    title="sufficient variance decreases",
    latex=r"\varepsilon\le\varepsilon'\Rightarrow\sigma_{i,\mathrm{suf}}^2(\varepsilon')\le\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
    family=common.definition_family(
        {**common.PRECISION, "factor": Real(1, 64, log=True, domain=(1, inf))}, tuple(common.RULES)
    ),
)
def decreasing(w: World) -> Sides:
    larger = free_variance(w, w.precision * w.factor)
    return {"sigma_suf^2(larger)": larger}, {"sigma_suf^2(eps)": free_variance(w, w.precision)}


@decreasing.like(
    "adaptive.def2.mono/decreasing@strictly-falling",
    latex=decreasing.latex.replace(r"\le", "<"),
    given=[
        Hypothesis(
            "a larger epsilon",
            r"\varepsilon<\varepsilon'",
            lambda w: w.factor - 1,
            AFTER,
            strict=True,
        )
    ],
    note="The strict inequality as an event that must always happen.",
)
def falling(w: World) -> Sides:
    gap = free_variance(w, w.precision) - free_variance(w, w.precision * w.factor)
    return {"1": 1}, {"sigma_suf^2 falls": xp.indicator(gap > 0, gap)}


@decreasing.like(
    "adaptive.def2.mono/limit",
    title="sufficient variance has a limit",
    latex=r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)\le\sigma_i^2/\psi(1)",
    family=common.definition_family(common.PRECISION, tuple(common.RULES)),
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
    "adaptive.def2.lim0",
    where=AFTER,
    kind="property",
    title="limit of high precision",
    latex=_limit_zero(""),
    relation="==",
    family=common.definition_family({"share": Real(1 / 64, 1, log=True, domain=(0, 1))}),
    note="""Below b_ik/(2 mu) of every client with b_ik > 0, sigma_suf^2 does not change any more,
    so its value there is the limit. The display has sigma_k^2 for sigma_k^-2.""",
)
def limit_zero(w: World) -> Sides:
    constants = (w.bias, w.slope, w.phi, w.sigma2, w.threshold)
    limit = closed.sufficient_variance_limit_zero_printed(*constants)
    return {"sigma_suf^2(eps)": free_variance(w, _small_precision(w))}, {"limit": limit}


@limit_zero.like(
    "adaptive.def2.lim0.repaired",
    latex=_limit_zero("-"),
    proof="""Below b_ik/(2 mu) of every client with b_ik > 0, its psi is 0 and the psi
                 of the others does not depend on epsilon, so the value there is the limit.""",
)
def limit_zero_repaired(w: World) -> Sides:
    limit = closed.sufficient_variance_limit_zero(w.bias, w.slope, w.phi, w.sigma2, w.threshold)
    return limit_zero(w)[0], {"limit": limit}


@statement(
    "adaptive.def2.liminf",
    where=AFTER,
    kind="property",
    title="limit of low precision",
    latex=r"\lim_{\varepsilon\to\infty}\sigma_{i,\mathrm{cont}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{-2}\psi((1-c_{ik})_+)\Bigr)^{-1}",
    family=common.definition_family(common.PRECISION, ("continuous",)),
    note="An explicit rate that vanishes as eps grows: psi(x) = x^2 has slope at most 2 on [0, 1].",
)
def limit_infinity(w: World) -> Sides:
    limit = closed.sufficient_variance_limit_infinity_printed(w.slope, w.phi, w.sigma2, w.threshold)
    gap = xp.absolute(1 / free_variance(w, w.precision) - 1 / limit)
    rate = xp.total(w.bias / w.sigma2) / (w.mu * w.precision)
    return {"gap of 1/sigma^2": gap}, {"sum b/(mu eps sigma^2)": rate}


def _of_other(w: World) -> Array:
    """Argument of psi for client 1."""
    return closed.sufficient_ratio_printed(w.bias, w.slope, w.mu, w.precision)[..., 1]


@statement(
    "adaptive.def2.c1/excluded",
    where=AFTER,
    kind="property",
    title="very dissimilar clients",
    latex=r"k\in\mathcal N_i^\star(\varepsilon)\Rightarrow c_{ik}\le1-x_{ik}<1,\ x_{ik}=(1-\tfrac{b_{ik}}{2\mu\varepsilon}-c_{ik})_+",
    family=common.definition_family(common.PRECISION),
    given=[
        Hypothesis(
            "client 1 in the sufficient cluster",
            r"k\in\mathcal N_i^\star(\varepsilon)",
            lambda w: _of_other(w) * phi_of(w, _of_other(w)[..., None])[..., 0],
            AFTER,
            strict=True,
        )
    ],
    note="""Contrapositive: a member's c_ik is below 1 by at least its argument of psi, which is
    positive. Both sides times 2 mu eps.""",
)
def excluded(w: World) -> Sides:
    scale = 2 * w.mu * w.precision
    left = {"2 mu eps c_ik": scale * w.slope[..., 1], "2 mu eps x_ik": scale * _of_other(w)}
    return left, {"2 mu eps": scale}


@statement(
    "adaptive.def2.c1/helps",
    where=AFTER,
    kind="property",
    title="very dissimilar clients",
    latex=r"c_{ik}\ge1,\ k\in\mathcal N_i^t,\ (\sigma_{i,\mathrm{eff}}^t)^2\le\tfrac12\sigma_i^2",
    family=common.run_family((2, 1, 1)),
    defines=common.CONSTANT_STEP,
    quantifier="some",
    given=[
        Hypothesis("c_ik >= 1", r"c_{ik}\ge1", lambda w: w.slope[..., 1] - 1, AFTER),
        Hypothesis(
            "client 1 in the effective cluster",
            r"k\in\mathcal N_i^t",
            lambda w: at_start(w).alpha[..., 1],
            AFTER,
            strict=True,
        ),
    ],
    note="The variance is not only reduced, but halved.",
)
def helps(w: World) -> Sides:
    return {"2 sigma_eff^2": 2 * at_start(w).effective}, {"sigma_i^2": w.sigma2[..., 0]}


# -- Lemma 2 along a run -----------------------------------------------------------------------


@once
def _at_end(w: World) -> common.Along:
    return common.along(w, w.run().theta[..., 1, :])


def _realised(w: World) -> Array:
    return common.excess(w, 1)


def _in_mean(w: World) -> Array:
    return w.mean(common.excess(w, 1))


LEVELS = {"mean-excess": _in_mean, "realised-excess": _realised}
PLACES = {"before-step": at_start, "after-step": _at_end}
"""What epsilon_i^t stands for, and the model at which the effective quantities are taken, t = 1."""
Level = Callable[[World], Array]
Place = Callable[[World], common.Along]


def _inside(w: World, precision: Array, printed: bool = True) -> Array:
    """1 for the members of the sufficient cluster."""
    ratio, _ = sufficient(w, precision, printed)
    psi = ratio * phi_of(w, ratio)
    return xp.indicator(psi > 0, psi)


def _cluster(w: World, level: Level, place: Place, printed: bool = True) -> Sides:
    alpha = place(w).alpha
    return {"in the sufficient cluster": _inside(w, level(w), printed)}, {
        "in the effective cluster": xp.indicator(alpha > 0, alpha)
    }


def _variance(w: World, level: Level, place: Place, printed: bool = True) -> Sides:
    _, variance = sufficient(w, level(w), printed)
    return {"sigma_eff^2": place(w).effective}, {"sigma_suf^2": variance}


_PARTS = {
    "cluster": (_cluster, r"\mathcal N_i^\star(\varepsilon_i^t)\subset\mathcal N_i^t"),
    "variance": (
        _variance,
        r"\sigma_{i,\mathrm{eff}}^t\le\sigma_{i,\mathrm{suf}}(\varepsilon_i^t)",
    ),
}
NOTE = "Tight where A3 holds with equality and the excess is G^2/(2 mu), as in one dimension."
RUNS = common.run_family((1, 1, 1), (2, 1, 1), (2, 2, 1), extra=common.PRECISION)


def _excess_given(level: Level) -> Hypothesis:
    value = r"R_i(\theta_i^t)-R_i(\theta_i^\star)"
    if level is _in_mean:
        value = rf"\mathbb E[{value}]"
    return Hypothesis(
        "excess",
        rf"\varepsilon_i^t={value}>0",
        level,
        "Lemma 2: 0 < epsilon <= epsilon_i^t",
        strict=True,
    )


def _given(level: Level, place: Place) -> tuple[Hypothesis, ...]:
    time = "t-1" if place is at_start else "t"
    return (
        _excess_given(level),
        Hypothesis(
            "own gradient",
            rf"\nabla R_i(\theta_i^{{{time}}})\ne0",
            lambda w: place(w).squared_gradient,
            strict=True,
            defining=True,
        ),
    )


LEMMA2 = tuple(
    statement(
        f"adaptive.lemma2/{part}@{excess}+{at}",
        where="Lemma 2",
        kind="lemma",
        over="path",
        title="effective beats sufficient",
        latex=latex,
        note=NOTE,
        uses=("adaptive.def2.mono",),
        family=RUNS,
        given=_given(level, place),
        defines=common.CONSTANT_STEP,
    )(partial(sides, level=level, place=place))
    for part, (sides, latex) in _PARTS.items()
    for excess, level in LEVELS.items()
    for at, place in PLACES.items()
)
LEMMA2_REPAIRED = tuple(
    LEMMA2[0].like(
        f"adaptive.lemma2.repaired/{part}",
        latex=latex + common.MENDED,
        given=_given(_realised, _at_end),
        also=(
            common.other_runs("pl", (1, 1, 1), (2, 1, 1), extra=common.PRECISION),
            common.other_runs(
                "quadratic",
                (2, 2, 1),
                (3, 1, 1),
                extra=common.PRECISION,
                rules=("square", "binary"),
            ),
        ),
        title="effective beats sufficient, with b^2 in Definition 2 and realised excess",
        note=NOTE,
        proof="""With X the realised excess at the point: A5 gives G^2 >= 2 mu X, A3 gives
        Delta_k^2 <= b^2 + c G^2, hence r_ik >= (1 - b^2/(2 mu X) - c)_+; psi is non-decreasing,
        so every summand of 1/sigma_eff^2 is at least that of 1/sigma_suf^2(X), and positive where
        the latter is.""",
    )(partial(sides, level=_realised, place=_at_end, printed=False))
    for part, (sides, latex) in _PARTS.items()
)

_FACTOR = {"factor": Real(1, 16, log=True, domain=(1, inf))}
_SMALLER = {
    "smaller": (
        r"\mathcal N_i^\star(\varepsilon)\subset\mathcal N_i^\star(\varepsilon_i^t)",
        lambda w, level: (
            {"in the cluster at eps": _inside(w, level(w) / w.factor)},
            {"in the cluster at eps_i^t": _inside(w, level(w))},
        ),
    ),
    "monotone": (
        r"\sigma_{i,\mathrm{suf}}(\varepsilon_i^t)\le\sigma_{i,\mathrm{suf}}(\varepsilon)",
        lambda w, level: (
            {"sigma_suf^2(excess)": sufficient(w, level(w))[1]},
            {"sigma_suf^2(eps)": sufficient(w, level(w) / w.factor)[1]},
        ),
    ),
}
SMALLER = tuple(
    LEMMA2[0].like(
        f"adaptive.lemma2/{part}@{excess}",
        title="smaller precision",
        latex=latex,
        family=common.run_family((2, 1, 1), extra=_FACTOR),
        given=[_excess_given(level)],
        note="At the excess against a precision that is smaller.",
    )(partial(sides, level=level))
    for part, (latex, sides) in _SMALLER.items()
    for excess, level in LEVELS.items()
)
