"""Setting, algorithm and definitions, and what follows from Definition 1 by algebra: ratios,
weights, their three sums, Remark 1."""

from __future__ import annotations

from collections.abc import Mapping

from bounds import generic as xp
from bounds.similarity import (
    collaboration_weights,
    inverse_variance,
    phi_by_name,
    similarity_ratio,
)
from verify.claim import Array, Family, Hypothesis, Instance, Real, Shape, plain_numbers
from verify.claim.families import numbers
from verify.claim.hypothesis import hypothesis
from verify.claim.statement import Sides, described
from verify.statements.adaptive import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Section 3, similarity ratio :: definition
    ratio/low :: similarity ratio
Definition 1 :: property
    def1.drift :: weights undo the drift
Remark 1 :: remark
    remark1 :: weights by batch sizes
Section 1, 'a set of weights in [0,1]' :: claim
    alg.afo/range :: weights of Definition 1 are at most 1
""")

_RATIO = r"r_{ik}=\bigl(1-\|\nabla R_k-\nabla R_i\|^2/\|\nabla R_i\|^2\bigr)_+\in[0,1]"

_TEX = {
    "setting": r"\theta_i^\star\in\operatorname{argmin}R_i,\quad\varepsilon_i^t=\mathbb E[R_i(\theta_i^t)-R_i(\theta_i^\star)],\quad\mathcal N_i^t=\{k:\alpha_{ik}^t>0\}",
    "alg.afo": r"\theta_i^t=\theta_i^{t-1}-\eta_i^t\sum_k\alpha_{ik}^tg_k^t(\theta_i^{t-1})",
    "excess-known": r"\eta\text{ constant: none};\ \text{decreasing: }\mu,C;\ \text{horizon: }\mu,\beta,b,c,\varepsilon_i^0,\varepsilon,T",
    "def1": r"\alpha_{ik}^t=\phi(r_{ik}^t)(\sigma_{i,\psi}^t/\sigma_k)^2,\quad\sigma_{i,f}^t=\Bigl(\sum_k\sigma_k^{-2}f(r_{ik}^t)\Bigr)^{-1/2},\quad\psi(x)=x\phi(x)",
    "def2": r"\mathcal N_i^\star(\varepsilon)=\Bigl\{k:\psi\bigl((1-\tfrac{b_{ik}}{2\mu\varepsilon}-c_{ik})_+\bigr)>0\Bigr\},\quad\sigma_{i,\mathrm{suf}}^2(\varepsilon)=\Bigl(\sum_k\sigma_k^{-2}\psi\bigl((1-\tfrac{b_{ik}}{2\mu\varepsilon}-c_{ik})_+\bigr)\Bigr)^{-1}",
    "def3": r"\phi_{\mathrm{bin}}(x)=\lambda\mathbb 1\{x\ge\lambda\},\quad\phi_{\mathrm{cont}}(x)=x",
    "estimator": r"\hat r_{ik}=(1-Z_{ik}/Z_i)_+,\quad Z_{ik}=\Bigl\|\tfrac1m\sum_j(g_i^j-g_k^j)\Bigr\|^2,\quad Z_i=\Bigl\|\tfrac1m\sum_jg_i^j\Bigr\|^2,\quad m=b_\alpha",
}
RECORDS = tuple(
    described(f"adaptive.{key}", kind, where, _TEX[key], title)
    for key, kind, where, title in (
        ("setting", "definition", "Section 1", "clients, losses, oracle, excess loss"),
        ("alg.afo", "algorithm", "Section 3", "All-for-one"),
        ("excess-known", "definition", "Section 3", "constants that each step size uses"),
        ("def1", "definition", "Definition 1", "collaboration weights, effective variance"),
        ("def2", "definition", "Definition 2", "sufficient cluster and variance"),
        ("def3", "definition", "Definition 3", "binary and continuous collaboration"),
        ("estimator", "definition", "Equation (1)", "estimated ratios"),
    )
)


def _ratio(w: World) -> Array:
    """Similarity ratios; no value where the own gradient vanishes."""
    own = xp.squared_norm(w.gradient[..., 0, :])
    return similarity_ratio(w.gradient) + (0 * own / own)[..., None]


ratio_not_negative = claim(
    "ratio/low",
    latex=_RATIO,
    family=numbers(
        {"gradient": Real(-2, 2, unit=(1, -1), per=("N", "d"))},
        *({"N": n, "d": d} for n, d in ((2, 1), (3, 1), (2, 2))),
        about="any gradients",
    ),
    given=[q.own_gradient_at(lambda w: xp.squared_norm(w.gradient[..., 0, :]))],
)(lambda w: ({"1 - r": 1 - _ratio(w)}, {"1": 1}))

ratio_at_most_one = ratio_not_negative.like("adaptive.ratio/high", latex=_RATIO)(
    lambda w: ({"r": _ratio(w)}, {"1": 1})
)


# -- Definition 1 and Remark 1 ---------------------------------------------------------------------


def _ratios_and_phi(values: Mapping[str, Array], shape: Shape) -> Instance:
    """Ratios in [0, 1] and any phi with phi(x) <= x, given by its values at the ratios."""
    phi = values["phi_share"] * values["ratio"]
    rest = {k: v for k, v in values.items() if k != "phi_share"}
    return plain_numbers({**rest, "phi": phi}, shape)


_UNIT = {"ratio": q.SHARES, "phi_share": q.SHARES}
WEIGHTS = Family(
    {**_UNIT, "sigma2": q.VARIANCES},
    ({"N": 2}, {"N": 3}),
    _ratios_and_phi,
    "any ratios in [0, 1], any phi <= identity, any variances",
    {"phi": (0, 0)},
)
SOME_WEIGHT = (
    Hypothesis(
        "ratio <= 1", r"r_{ik}\le1\ \forall k", lambda w: 1 - w.ratio, "Section 3, similarity ratio"
    ),
    hypothesis("phi <= ratio", r"\phi(r_{ik})\le r_{ik}\ \forall k", where="Definition 1")(
        lambda w: w.ratio - w.phi
    ),
    q.defined("some client is similar", r"\sum_k\sigma_k^{-2}\psi(r_{ik})>0")(
        lambda w: xp.total(w.ratio * w.phi / w.sigma2)
    ),
)
"""Without the last one every weight is 0/0.  phi may even depend on the client."""


def _alpha(w: World) -> Array:
    return collaboration_weights(w.ratio, w.phi, w.sigma2)


def _psi_variance(w: World) -> Array:
    return inverse_variance(w.ratio * w.phi, w.sigma2)


drift = claim(
    "def1.drift",
    relation="==",
    latex=r"\sum_k\alpha_{ik}r_{ik}=1",
    family=WEIGHTS,
    given=SOME_WEIGHT,
)(lambda w: ({"sum of alpha r": xp.total(_alpha(w) * w.ratio)}, {"1": 1}))


@drift.like(
    "adaptive.def1.sum/value",
    title="sum of the weights",
    latex=r"\sum_k\alpha_{ik}=(\sigma_{i,\psi}/\sigma_{i,\phi})^2",
)
def sum_of_weights(w: World) -> Sides:
    ratio = _psi_variance(w) / inverse_variance(w.phi, w.sigma2)
    return {"sum of alpha": xp.total(_alpha(w))}, {"(sigma_psi/sigma_phi)^2": ratio}


sum_at_least_one = sum_of_weights.like(
    "adaptive.def1.sum/bound", relation="<=", latex=r"(\sigma_{i,\psi}/\sigma_{i,\phi})^2\ge1"
)(lambda w: ({"1": 1}, sum_of_weights(w)[1]))


@drift.like(
    "adaptive.def1.var/value",
    title="variance of the weighted gradient",
    latex=r"\sum_k(\alpha_{ik}\sigma_k)^2=\sigma_{i,\psi}^4/\sigma_{i,\phi^2}^2",
)
def variance_of_direction(w: World) -> Sides:
    left = xp.total(_alpha(w) ** 2 * w.sigma2)
    right = _psi_variance(w) ** 2 / inverse_variance(w.phi**2, w.sigma2)
    return {"sum of (alpha sigma)^2": left}, {"sigma_psi^4/sigma_phi2^2": right}


variance_at_most_effective = variance_of_direction.like(
    "adaptive.def1.var/bound",
    relation="<=",
    latex=r"\sigma_{i,\psi}^4/\sigma_{i,\phi^2}^2\le\sigma_{i,\psi}^2=(\sigma_{i,\mathrm{eff}}^t)^2",
)(lambda w: (variance_of_direction(w)[1], {"sigma_psi^2": _psi_variance(w)}))


def _batches(values: Mapping[str, Array], shape: Shape) -> Instance:
    made = _ratios_and_phi(values, shape)
    sigma2 = made.params["sigma2_one"][..., None] / made.params["batch"]
    return plain_numbers({**made.params, "sigma2": sigma2}, {})


some_batch = q.defined("some client is similar", r"\sum_kn_k\psi(r_{ik})>0")(
    lambda w: xp.total(w.ratio * w.phi * w.batch)
)


@claim(
    "remark1",
    relation="==",
    latex=r"(\sigma_{i,\psi}^t/\sigma_k)^2=\Bigl(\tfrac1{n_k}\sum_{j\in\mathcal N_i^t}n_j\psi(r_{ij})\Bigr)^{-1}",
    uses=("adaptive.def1.sum",),
    given=[some_batch],
    family=Family(
        {**_UNIT, "batch": Real(1, 64, log=True, per=("N",)), **q.EQUAL},
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


# -- what is said of the weights by their definition ------------------------------------------------


def _asking(values: Mapping[str, Array], shape: Shape) -> Instance:
    """Client 0 asks, so that its ratio is 1."""
    ratio = values["ratio"].copy()
    ratio[..., 0] = 0 * ratio[..., 0] + 1
    return plain_numbers({**values, "ratio": ratio}, shape)


ITSELF = {"the ratio of the asking client to itself is 1": lambda i: -abs(_own(i) - 1)}


def _own(instance: Instance) -> Array:
    return instance.params["ratio"][..., 0]


def ratios(*rules: str) -> Family:
    """Any ratios to an asking client, under some rules of Definition 3."""
    box = {"ratio": q.SHARES, "sigma2": q.VARIANCES, **q.PHI}
    shapes = tuple({"N": n, "phi": phi} for n in (1, 2, 3) for phi in rules)
    about = "any ratios with r_i = 1, any variances"
    return Family(box, shapes, _asking, about, constraints=ITSELF)


@claim(
    "alg.afo/range",
    latex=r"\alpha_{ik}^t\in[0,1]",
    family=ratios("continuous", "binary"),
    note="A similar client of small variance may have more weight than 1.",
)
def at_most_one(w: World) -> Sides:
    phi = phi_by_name(w.phi, w.ratio, w.threshold)
    return {"alpha": collaboration_weights(w.ratio, phi, w.sigma2)}, {"1": 1}


share_at_most_one = at_most_one.repaired(
    part="range",
    family=WEIGHTS,
    given=SOME_WEIGHT,
    title="weights times ratios are at most 1",
    latex=r"\alpha_{ik}^tr_{ik}^t\in[0,1]",
    uses=("adaptive.def1.drift",),
    note="The weight is at most 1/r_ik; at most 1 for the asking client, whose ratio is 1.",
    proof="Terms that are not negative and have sum 1 (def1.drift) are at most 1.",
)(lambda w: ({"alpha r": _alpha(w) * w.ratio}, {"1": 1}))
