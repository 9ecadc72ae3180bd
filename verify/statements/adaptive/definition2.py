"""What follows from Definition 2: monotony, limits, very dissimilar clients, fixed weights."""

from __future__ import annotations

from math import inf

from bounds import descent
from bounds import generic as xp
from bounds import sufficient as closed
from bounds.refined_descent import refined_scale
from bounds.similarity import inverse_variance
from verify.claim import Array, Reading, Real, hypothesis, numbers, quadratics
from verify.claim.statement import Sides
from verify.statements.adaptive import lemma1
from verify.statements.adaptive import quantities as q
from verify.world.world import World

claim = q.claims(r"""
after Definition 2 :: property
    def2.mono/decreasing@not-increasing :: sufficient variance decreases
    def2.lim0 :: limit of high precision
    def2.liminf :: limit of low precision
    def2.c1/excluded :: very dissimilar clients
    def2.c1/helps :: very dissimilar clients
Definition 2 :: property
    def2.refined/descent :: fixed weights of smaller variance
    def2.refined/scale :: the factor is at most one
""")

_DECREASING = r"\varepsilon\le\varepsilon'\Rightarrow\sigma_{i,\mathrm{suf}}^2(\varepsilon')\le\sigma_{i,\mathrm{suf}}^2(\varepsilon)"
_SMALLER = r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le-\frac\eta2\|\nabla R_i\|^2+\frac{\eta^2\beta}2\tau^2\sigma_{i,\mathrm{suf}}^2(\varepsilon),\quad\tau=\frac{1-\overline{\rho^2}}{1-\bar\rho^2}"


def _limit_zero(sign: str) -> str:
    return rf"\lim_{{\varepsilon\to0}}\sigma_{{i,\mathrm{{suf}}}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{{{sign}2}}\psi((1-c_{{ik}})_+)\mathbb 1_{{b_{{ik}}=0}}\Bigr)^{{-1}}"


@claim(
    "def2.mono/decreasing@not-increasing",
    latex=_DECREASING,
    family=q.any_constants(
        q.PRECISION, {"factor": Real(1, 64, log=True, domain=(1, inf))}, rules=q.ALL_RULES
    ),
)
def decreasing(w: World) -> Sides:
    larger = q.free_variance(w, w.precision * w.factor)
    return {"sigma_suf^2(larger)": larger}, {"sigma_suf^2(eps)": q.free_variance(w, w.precision)}


_larger = hypothesis(
    "a larger epsilon", r"\varepsilon<\varepsilon'", where="after Definition 2", strict=True
)(lambda w: w.factor - 1)


@decreasing.like(
    "adaptive.def2.mono/decreasing@strictly-falling",
    latex=_DECREASING.replace(r"\le", "<"),
    given=[_larger],
    note="The strict inequality as an event that must always happen.",
)
def falling(w: World) -> Sides:
    gap = q.free_variance(w, w.precision) - q.free_variance(w, w.precision * w.factor)
    return {"1": 1}, {"sigma_suf^2 falls": xp.indicator(gap > 0, gap)}


@decreasing.like(
    "adaptive.def2.mono/limit",
    title="sufficient variance has a limit",
    latex=r"\sigma_{i,\mathrm{suf}}^2(\varepsilon)\le\sigma_i^2/\psi(1)",
    family=q.any_constants(q.PRECISION, rules=q.ALL_RULES),
    note="A monotone function that is bounded as eps decreases has a limit there.",
)
def bounded(w: World) -> Sides:
    own = inverse_variance(q.phi_of(w, 1 + 0 * w.slope[..., :1]), w.sigma2[..., :1])
    return {"sigma_suf^2(eps)": q.free_variance(w, w.precision)}, {"sigma_i^2/psi(1)": own}


def _small_precision(w: World) -> Array:
    """A precision below b_ik/(2 mu) for every client with b_ik > 0."""
    large = 1 + xp.total(w.bias)
    smallest = xp.smallest(xp.where(w.bias > 0, w.bias, large[..., None]))
    return w.share * smallest / (2 * w.mu)


@claim(
    "def2.lim0",
    readings=("power",),
    relation="==",
    latex=_limit_zero(""),
    family=q.any_constants({"share": Real(1 / 64, 1, log=True, domain=(0, 1))}),
    note="""Below b_ik/(2 mu) of every client with b_ik > 0, sigma_suf^2 does not change any more,
    so its value there is the limit. The display has sigma_k^2 for sigma_k^-2.""",
)
def limit_zero(w: World, r: Reading) -> Sides:
    value = closed.sufficient_variance_limit_zero
    if "inverse-square" not in r:
        value = closed.sufficient_variance_limit_zero_printed
    limit = value(w.bias, w.slope, w.phi, w.sigma2, w.threshold)
    return {"sigma_suf^2(eps)": q.free_variance(w, _small_precision(w))}, {"limit": limit}


@claim(
    "def2.liminf",
    latex=r"\lim_{\varepsilon\to\infty}\sigma_{i,\mathrm{cont}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{-2}\psi((1-c_{ik})_+)\Bigr)^{-1}",
    family=q.any_constants(q.PRECISION, rules="continuous"),
    note="An explicit rate that vanishes as eps grows: psi(x) = x^2 has slope at most 2 on [0, 1].",
)
def limit_infinity(w: World) -> Sides:
    limit = closed.sufficient_variance_limit_infinity_printed(w.slope, w.phi, w.sigma2, w.threshold)
    gap = xp.absolute(1 / q.free_variance(w, w.precision) - 1 / limit)
    rate = xp.total(w.bias / w.sigma2) / (w.mu * w.precision)
    return {"gap of 1/sigma^2": gap}, {"sum b/(mu eps sigma^2)": rate}


# -- very dissimilar clients -----------------------------------------------------------------------


def _of_other(w: World) -> Array:
    """Argument of psi for client 1."""
    return q.free_ratio(w, w.precision)[..., 1]


def _psi_of_other(w: World) -> Array:
    return _of_other(w) * q.phi_of(w, _of_other(w)[..., None])[..., 0]


_sufficient_member = hypothesis(
    "client 1 in the sufficient cluster",
    r"k\in\mathcal N_i^\star(\varepsilon)",
    where="after Definition 2",
    strict=True,
)(_psi_of_other)
_effective_member = hypothesis(
    "client 1 in the effective cluster",
    r"k\in\mathcal N_i^t",
    where="after Definition 2",
    strict=True,
)(lambda w: q.at_start(w).alpha[..., 1])


@claim(
    "def2.c1/excluded",
    latex=r"k\in\mathcal N_i^\star(\varepsilon)\Rightarrow c_{ik}\le1-x_{ik}<1,\ x_{ik}=(1-\tfrac{b_{ik}}{2\mu\varepsilon}-c_{ik})_+",
    family=q.any_constants(q.PRECISION),
    given=[_sufficient_member],
    note="""Contrapositive: a member's c_ik is below 1 by at least its argument of psi, which is
    positive. Both sides times 2 mu eps.""",
)
def excluded(w: World) -> Sides:
    scale = 2 * w.mu * w.precision
    left = {"2 mu eps c_ik": scale * w.slope[..., 1], "2 mu eps x_ik": scale * _of_other(w)}
    return left, {"2 mu eps": scale}


helps = claim(
    "def2.c1/helps",
    quantifier="some",
    latex=r"c_{ik}\ge1,\ k\in\mathcal N_i^t,\ (\sigma_{i,\mathrm{eff}}^t)^2\le\tfrac12\sigma_i^2",
    family=q.runs([(2, 1, 1)]),
    defines=q.CONSTANT_STEP,
    given=[
        hypothesis("c_ik >= 1", r"c_{ik}\ge1", where="after Definition 2")(
            lambda w: w.slope[..., 1] - 1
        ),
        _effective_member,
    ],
    note="The variance is not only reduced, but halved.",
)(lambda w: ({"2 sigma_eff^2": 2 * q.at_start(w).effective}, {"sigma_i^2": w.sigma2[..., 0]}))


# -- fixed weights of smaller variance -------------------------------------------------------------


def _ratio_gaps(w: World) -> Array:
    """rho_k = sqrt(b_k^2/(2 mu eps) + c_k), at least Delta_k/G while the excess is eps or more."""
    ratio = w.squared_bias / (2 * w.mu * w.precision)[..., None] + w.slope
    return xp.sqrt(xp.where(ratio < 1, ratio, 1 + 0 * ratio))


def _sufficient_weights(w: World) -> tuple[Array, Array, Array]:
    """Weights of Definition 1 at the sufficient ratios, sigma_suf^2, and their scale tau."""
    ratio, variance = q.sufficient(w, w.precision, printed=False)
    alpha = q.phi_of(w, ratio) * variance[..., None] / w.sigma2
    return alpha, variance, refined_scale(alpha, _ratio_gaps(w))


def _scaled_weights(w: World) -> Array:
    alpha, _, scale = _sufficient_weights(w)
    return scale[..., None] * alpha


_short = hypothesis("step at most 1/(beta sum alpha)", r"\eta\beta\sum_k\alpha_k\le1")(
    lambda w: 1 - w.step_size * w.beta * xp.total(w.alpha)
)
_not_reached = hypothesis("excess at least epsilon", r"\varepsilon_i^{t-1}\ge\varepsilon")(
    lambda w: q.start_excess(w) - w.precision
)
_mean_below_one = q.defined("mean ratio below 1", r"\sum_k\alpha_k\rho_k<\mathcal A")(
    lambda w: xp.total(w.alpha) - xp.total(w.alpha * w.rho)
)


@claim(
    "def2.refined/descent",
    over="mean",
    latex=_SMALLER,
    family=quadratics(
        tuple(
            {"N": n, "d": 1, "rounds": 1, "weights": "fixed", "phi": phi}
            for n, phi in ((2, "continuous"), (2, "binary"), (3, "continuous"))
        ),
        q.merged(q.STEP, q.PHI, q.PRECISION),
    ),
    defines={
        "alpha": _scaled_weights,
        **q.CONSTANT_STEP,
        "weight_matrix": lemma1.FREE_WEIGHTS["weight_matrix"],
    },
    given=[_short, _not_reached],
    uses=("adaptive.lemma1.refined", "adaptive.def1.var"),
    note="""The weights tau alpha, alpha of Definition 1 at the sufficient ratios 1 - rho_k^2,
    rho_k^2 = b_k^2/(2 mu epsilon) + c_k, means by alpha. They need no gradient. Definition 2 has
    tau = 1: every number of iterations that is proportional to the variance, as that of Corollary
    1, shrinks by tau^2.""",
    proof="""While X >= epsilon, Delta_k <= rho_k G by A3 and A5, so that the bias is at most
    G^2 (sum alpha rho)^2/A; with the weights tau alpha, A (1 - mean(rho)^2) = 1, and the first two
    terms of the refined lemma are at most -eta G^2/2.""",
)
def smaller_variance(w: World) -> Sides:
    _, variance, scale = _sufficient_weights(w)
    squared = q.own_square(w, w.start)
    return lemma1.change(w), descent.s2_upper(w.step_size, w.beta, scale**2 * variance, squared)


shrinks = claim(
    "def2.refined/scale",
    latex=r"\tau\le1",
    family=numbers(
        {"alpha": Real(0, 2, per=("N",)), "rho": q.SHARES},
        *({"N": n} for n in (1, 2, 3)),
        about="any weights and ratios",
    ),
    given=[q.some_weight, _mean_below_one],
    note="Equal where all clients of positive weight have one ratio.",
    proof="Jensen.",
)(lambda w: ({"tau": refined_scale(w.alpha, w.rho)}, {"1": 1 + 0 * xp.total(w.alpha)}))
