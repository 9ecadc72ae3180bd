"""Setting, algorithm and definitions, and what follows from Definition 1 by algebra: ratios,
weights, their three sums, Remark 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bounds import generic as xp
from bounds.similarity import collaboration_weights, inverse_variance, similarity_ratio
from bounds.sufficient import sufficient_ratio, sufficient_ratio_printed
from verify.claim import Array, Family, Hypothesis, Instance, Real, Shape, numbers, plain_numbers
from verify.claim.statement import Sides, described, statement
from verify.statements.adaptive.common import VARIANCE, VARIANCES
from verify.world.world import World

RECORDS = (
    described(
        "adaptive.setting",
        "definition",
        "Section 1",
        title="clients, losses, oracle, excess loss",
        latex=r"\theta_i^\star\in\operatorname{argmin}R_i,\quad\varepsilon_i^t=\mathbb E[R_i(\theta_i^t)-R_i(\theta_i^\star)],\quad\mathcal N_i^t=\{k:\alpha_{ik}^t>0\}",
    ),
    described(
        "adaptive.alg.afo",
        "algorithm",
        "Section 3",
        title="All-for-one",
        latex=r"\theta_i^t=\theta_i^{t-1}-\eta_i^t\sum_k\alpha_{ik}^tg_k^t(\theta_i^{t-1})",
    ),
    described(
        "adaptive.excess-known",
        "definition",
        "Section 3",
        title="constants that each step size uses",
        latex=r"\eta\text{ constant: none};\ \text{decreasing: }\mu,C;\ \text{horizon: }\mu,\beta,b,c,\varepsilon_i^0,\varepsilon,T",
    ),
    described(
        "adaptive.def1",
        "definition",
        "Definition 1",
        title="collaboration weights, effective variance",
        latex=r"\alpha_{ik}^t=\phi(r_{ik}^t)(\sigma_{i,\psi}^t/\sigma_k)^2,\quad\sigma_{i,f}^t=\Bigl(\sum_k\sigma_k^{-2}f(r_{ik}^t)\Bigr)^{-1/2},\quad\psi(x)=x\phi(x)",
    ),
    described(
        "adaptive.def2",
        "definition",
        "Definition 2",
        title="sufficient cluster and variance",
        latex=r"\mathcal N_i^\star(\varepsilon)=\Bigl\{k:\psi\bigl((1-\tfrac{b_{ik}}{2\mu\varepsilon}-c_{ik})_+\bigr)>0\Bigr\},\quad\sigma_{i,\mathrm{suf}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{-2}\psi\bigl((1-\tfrac{b_{ik}}{2\mu\varepsilon}-c_{ik})_+\bigr)\Bigr)^{-1}",
    ),
    described(
        "adaptive.def3",
        "definition",
        "Definition 3",
        title="binary and continuous collaboration",
        latex=r"\phi_{\mathrm{bin}}(x)=\lambda\mathbb 1\{x\ge\lambda\},\quad\phi_{\mathrm{cont}}(x)=x",
    ),
    described(
        "adaptive.estimator",
        "definition",
        "Equation (1)",
        title="estimated ratios",
        latex=r"\hat r_{ik}=(1-Z_{ik}/Z_i)_+,\quad Z_{ik}=\Bigl\|\tfrac1m\sum_j(g_i^j-g_k^j)\Bigr\|^2,\quad Z_i=\Bigl\|\tfrac1m\sum_jg_i^j\Bigr\|^2,\quad m=b_\alpha",
    ),
)

own_gradient = Hypothesis(
    "own gradient",
    r"\nabla R_i(\theta_i^{t-1})\ne0",
    lambda w: xp.squared_norm(w.gradient[..., 0, :]),
    strict=True,
    defining=True,
)


def _ratio(w: World) -> Array:
    """Similarity ratios; no value where the own gradient vanishes."""
    own = xp.squared_norm(w.gradient[..., 0, :])
    return similarity_ratio(w.gradient) + (0 * own / own)[..., None]


@statement(
    "adaptive.ratio/low",
    where="Section 3, similarity ratio",
    kind="definition",
    title="similarity ratio",
    given=[own_gradient],
    latex=r"r_{ik}=\bigl(1-\|\nabla R_k-\nabla R_i\|^2/\|\nabla R_i\|^2\bigr)_+\in[0,1]",
    family=numbers(
        {"gradient": Real(-2, 2, unit=(1, -1), per=("N", "d"))},
        {"N": 2, "d": 1},
        {"N": 3, "d": 1},
        {"N": 2, "d": 2},
        about="any gradients",
    ),
)
def ratio_not_negative(w: World) -> Sides:
    return {"1 - r": 1 - _ratio(w)}, {"1": 1}


@ratio_not_negative.like("adaptive.ratio/high", latex=ratio_not_negative.latex)
def ratio_at_most_one(w: World) -> Sides:
    return {"r": _ratio(w)}, {"1": 1}


def _ratios_and_phi(values: Mapping[str, Array], shape: Shape) -> Instance:
    """Ratios in [0, 1] and any phi with phi(x) <= x, given by its values at the ratios."""
    phi = values["phi_share"] * values["ratio"]
    rest = {k: v for k, v in values.items() if k != "phi_share"}
    return plain_numbers({**rest, "phi": phi}, shape)


_SHARE = Real(0, 1, per=("N",), domain=(0, 1))
_UNIT = {"ratio": _SHARE, "phi_share": _SHARE}
WEIGHTS = Family(
    {**_UNIT, "sigma2": VARIANCES},
    ({"N": 2}, {"N": 3}),
    _ratios_and_phi,
    "any ratios in [0, 1], any phi <= identity, any variances",
    {"phi": (0, 0)},
)
SOME_WEIGHT = (
    Hypothesis(
        "ratio <= 1", r"r_{ik}\le1\ \forall k", lambda w: 1 - w.ratio, "Section 3, similarity ratio"
    ),
    Hypothesis(
        "phi <= ratio",
        r"\phi(r_{ik})\le r_{ik}\ \forall k",
        lambda w: w.ratio - w.phi,
        "Definition 1",
    ),
    Hypothesis(
        "some client is similar",
        r"\sum_k\sigma_k^{-2}\psi(r_{ik})>0",
        lambda w: xp.total(w.ratio * w.phi / w.sigma2),
        strict=True,
        defining=True,
    ),
)
"""Without the last one every weight is 0/0.  phi may even depend on the client."""


def _alpha(w: World) -> Array:
    return collaboration_weights(w.ratio, w.phi, w.sigma2)


def _psi_variance(w: World) -> Array:
    return inverse_variance(w.ratio * w.phi, w.sigma2)


@statement(
    "adaptive.def1.drift",
    where="Definition 1",
    kind="property",
    title="weights undo the drift",
    latex=r"\sum_k\alpha_{ik}r_{ik}=1",
    relation="==",
    family=WEIGHTS,
    given=SOME_WEIGHT,
)
def drift(w: World) -> Sides:
    return {"sum of alpha r": xp.total(_alpha(w) * w.ratio)}, {"1": 1}


@drift.like(
    "adaptive.def1.sum/value",
    title="sum of the weights",
    latex=r"\sum_k\alpha_{ik}=(\sigma_{i,\psi}/\sigma_{i,\phi})^2",
)
def sum_of_weights(w: World) -> Sides:
    ratio = _psi_variance(w) / inverse_variance(w.phi, w.sigma2)
    return {"sum of alpha": xp.total(_alpha(w))}, {"(sigma_psi/sigma_phi)^2": ratio}


@sum_of_weights.like(
    "adaptive.def1.sum/bound", relation="<=", latex=r"(\sigma_{i,\psi}/\sigma_{i,\phi})^2\ge1"
)
def sum_at_least_one(w: World) -> Sides:
    return {"1": 1}, sum_of_weights(w)[1]


@drift.like(
    "adaptive.def1.var/value",
    title="variance of the weighted gradient",
    latex=r"\sum_k(\alpha_{ik}\sigma_k)^2=\sigma_{i,\psi}^4/\sigma_{i,\phi^2}^2",
)
def variance_of_direction(w: World) -> Sides:
    left = xp.total(_alpha(w) ** 2 * w.sigma2)
    right = _psi_variance(w) ** 2 / inverse_variance(w.phi**2, w.sigma2)
    return {"sum of (alpha sigma)^2": left}, {"sigma_psi^4/sigma_phi2^2": right}


@variance_of_direction.like(
    "adaptive.def1.var/bound",
    relation="<=",
    latex=r"\sigma_{i,\psi}^4/\sigma_{i,\phi^2}^2\le\sigma_{i,\psi}^2=(\sigma_{i,\mathrm{eff}}^t)^2",
)
def variance_at_most_effective(w: World) -> Sides:
    return variance_of_direction(w)[1], {"sigma_psi^2": _psi_variance(w)}


def _batches(values: Mapping[str, Array], shape: Shape) -> Instance:
    made = _ratios_and_phi(values, shape)
    sigma2 = made.params["sigma2_one"][..., None] / made.params["batch"]
    return plain_numbers({**made.params, "sigma2": sigma2}, {})


some_batch = Hypothesis(
    "some client is similar",
    r"\sum_kn_k\psi(r_{ik})>0",
    lambda w: xp.total(w.ratio * w.phi * w.batch),
    strict=True,
    defining=True,
)


@statement(
    "adaptive.remark1",
    where="Remark 1",
    kind="remark",
    title="weights by batch sizes",
    latex=r"(\sigma_{i,\psi}^t/\sigma_k)^2=\Bigl(\tfrac1{n_k}\sum_{j\in\mathcal N_i^t}n_j\psi(r_{ij})\Bigr)^{-1}",
    relation="==",
    uses=("adaptive.def1.sum",),
    given=[some_batch],
    family=Family(
        {**_UNIT, "batch": Real(1, 64, log=True, per=("N",)), "sigma2_one": VARIANCE},
        ({"N": 2}, {"N": 3}),
        _batches,
        "any ratios, any phi <= identity, any batch sizes",
        {"sigma2": (2, -2)},
    ),
)
def by_batch_sizes(w: World) -> Sides:
    left = _psi_variance(w)[..., None] / w.sigma2
    printed = w.batch / xp.total(w.batch * (w.ratio * w.phi))[..., None]
    return {"(sigma_psi/sigma_k)^2": left}, {"printed": printed}


# -- what is said of the weights and of the sufficient cluster by their definitions -----------------

_RANGE = r"\alpha_{ik}^t\in[0,1]"


@drift.like(
    "adaptive.alg.afo/range",
    where="Section 1, 'a set of weights in [0,1]'",
    kind="claim",
    title="weights of Definition 1 are at most 1",
    latex=_RANGE,
    relation="<=",
    note="A similar client of small variance may have more weight than 1.",
)
def at_most_one(w: World) -> Sides:
    return {"alpha": _alpha(w)}, {"1": 1}


@at_most_one.like(
    "adaptive.alg.afo.repaired/range",
    title="weights times ratios are at most 1",
    latex=r"\alpha_{ik}^tr_{ik}^t\in[0,1]",
    uses=("adaptive.def1.drift",),
    note="The weight is at most 1/r_ik; at most 1 for the asking client, whose ratio is 1.",
    proof="Terms that are not negative and have sum 1 (def1.drift) are at most 1.",
)
def share_at_most_one(w: World) -> Sides:
    return {"alpha r": _alpha(w) * w.ratio}, {"1": 1}


_CONSTANTS = numbers(
    {
        "bias": Real(0, 4, unit=(1, -1)),
        "slope": Real(0, 2),
        "mu": Real(1 / 16, 16, unit=(1, -2), log=True),
        "precision": Real(1 / 64, 16, unit=(1, 0), log=True),
        "scale": Real(1 / 8, 8, log=True),
    },
    about="any constants b_ik, c_ik, mu, precision and scale",
)
_UNITS = (
    r"x_{ik}=(1-\tfrac{b_{ik}%s}{2\mu\varepsilon}-c_{ik})_+\text{ is the same for }sR_1,\dots,sR_N"
)


@statement(
    "adaptive.def2/units",
    where="Definition 2",
    kind="definition",
    relation="==",
    title="the sufficient cluster does not depend on the unit of the losses",
    latex=_UNITS % "",
    family=_CONSTANTS,
    note="""Losses times s have the constants s b_ik, c_ik and s mu of A3 and A5, and excess losses
    s epsilon; their gradients have the same similarity ratios. Both sides are raised by 1.""",
)
def same_in_any_unit(w: World) -> Sides:
    return _in_units(w, sufficient_ratio_printed, w.bias)


@same_in_any_unit.like(
    "adaptive.def2.repaired/units",
    latex=_UNITS % "^2",
    note="With b^2, whose unit is that of 2 mu epsilon. Both sides are raised by 1.",
    proof="s^2 b^2/(2 s mu s epsilon) = b^2/(2 mu epsilon).",
)
def same_with_square(w: World) -> Sides:
    return _in_units(w, lambda b, *rest: sufficient_ratio(b**2, *rest), w.bias)


def _in_units(w: World, ratio: Callable[..., Array], bias: Array) -> Sides:
    here = ratio(bias[..., None], w.slope[..., None], w.mu, w.precision)
    scaled = (w.scale * bias)[..., None], w.slope[..., None], w.scale * w.mu, w.scale * w.precision
    return {"x + 1": 1 + ratio(*scaled)[..., 0]}, {"x + 1 in the first unit": 1 + here[..., 0]}
