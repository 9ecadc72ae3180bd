"""Definition 1 and what follows from it by algebra: ratios, weights, their three sums, Remark 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from bounds.similarity import collaboration_weights, inverse_variance, similarity_ratio
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape, plain_numbers
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive.common import source
from verify.world.world import World


def _weights_instance(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Ratios in [0, 1] and any phi with phi(x) <= x, given by its values at the ratios."""
    phi = values["phi_share"] * values["ratio"]
    rest = {k: v for k, v in values.items() if k != "phi_share"}
    return plain_numbers({**rest, "phi": phi}, shape)


WEIGHTS = Family(
    {
        "ratio": Real(0, 1, per=("N",)),
        "phi_share": Real(0, 1, per=("N",)),
        "sigma2": Real(1 / 16, 16, unit=(2, -2), log=True, per=("N",)),
    },
    ({"N": 2}, {"N": 3}),
    _weights_instance,
    "any ratios in [0, 1], any phi <= identity, any variances",
    {"phi": (0, 0)},
)


def _some_weight(w: World) -> Terms:
    return {
        "ratio <= 1": 1 - w.ratio,
        "phi <= ratio": w.ratio - w.phi,
        "some client is similar": xp.total(w.ratio * w.phi / w.sigma2),
    }


_STRICT = frozenset({"some client is similar"})


def _alpha(w: World) -> Any:
    return collaboration_weights(w.ratio, w.phi, w.sigma2)


def _variance(w: World, f: Any) -> Any:
    """sigma_f^2 = (sum_k f_k / sigma_k^2)^-1."""
    return inverse_variance(f, w.sigma2)


def _drift(w: World) -> tuple[Terms, Terms]:
    return {"sum of alpha r": xp.total(_alpha(w) * w.ratio)}, {"1": 1}


def _sum(w: World) -> tuple[Terms, Terms]:
    ratio = _variance(w, w.ratio * w.phi) / _variance(w, w.phi)
    return {"sum of alpha": xp.total(_alpha(w))}, {"(sigma_psi/sigma_phi)^2": ratio}


def _sum_at_least_one(w: World) -> tuple[Terms, Terms]:
    ratio = _variance(w, w.ratio * w.phi) / _variance(w, w.phi)
    return {"1": 1}, {"(sigma_psi/sigma_phi)^2": ratio}


def _var(w: World) -> tuple[Terms, Terms]:
    left = xp.total(_alpha(w) ** 2 * w.sigma2)
    psi, phi2 = _variance(w, w.ratio * w.phi), _variance(w, w.phi**2)
    return {"sum of (alpha sigma)^2": left}, {"sigma_psi^4/sigma_phi2^2": psi**2 / phi2}


def _var_bounded(w: World) -> tuple[Terms, Terms]:
    psi, phi2 = _variance(w, w.ratio * w.phi), _variance(w, w.phi**2)
    return {"sigma_psi^4/sigma_phi2^2": psi**2 / phi2}, {"sigma_psi^2": psi}


def _remark1_instance(values: Mapping[str, Any], shape: Shape) -> Instance:
    made = _weights_instance(values, shape)
    sigma2 = made.params["sigma2_one"][..., None] / made.params["batch"]
    return plain_numbers({**made.params, "sigma2": sigma2}, {})


REMARK1 = Family(
    {
        "ratio": Real(0, 1, per=("N",)),
        "phi_share": Real(0, 1, per=("N",)),
        "batch": Real(1, 64, log=True, per=("N",)),
        "sigma2_one": Real(1 / 16, 16, unit=(2, -2), log=True),
    },
    ({"N": 2}, {"N": 3}),
    _remark1_instance,
    "any ratios, any phi <= identity, any batch sizes",
    {"sigma2": (2, -2)},
)


def _remark1(w: World) -> tuple[Terms, Terms]:
    psi = w.ratio * w.phi
    left = inverse_variance(psi, w.sigma2)[..., None] / w.sigma2
    return {"(sigma_psi/sigma_k)^2": left}, {
        "printed": w.batch / xp.total(w.batch * psi)[..., None]
    }


GRADIENTS = Family(
    {"gradient": Real(-2, 2, unit=(1, -1), per=("N", "d"))},
    ({"N": 2, "d": 1}, {"N": 3, "d": 1}, {"N": 2, "d": 2}),
    about="any gradients",
)


def _own_gradient(w: World) -> Terms:
    return {"own gradient": xp.squared_norm(w.gradient[..., 0, :])}


def _ratio_high(w: World) -> tuple[Terms, Terms]:
    return {"r": similarity_ratio(w.gradient)}, {"1": 1}


def _ratio_low(w: World) -> tuple[Terms, Terms]:
    return {"1 - r": 1 - similarity_ratio(w.gradient)}, {"1": 1}


_LATEX = r"r_{ik}=\bigl(1-\|\nabla R_k-\nabla R_i\|^2/\|\nabla R_i\|^2\bigr)_+\in[0,1]"

STATEMENTS = (
    Statement(
        key="adaptive.ratio/low", source=source("Section 3, similarity ratio"), latex=_LATEX,
        kind="definition", title="similarity ratio", family=GRADIENTS, sides=_ratio_low,
        given=_own_gradient, strict=frozenset({"own gradient"}),
    ),
    Statement(
        key="adaptive.ratio/high", source=source("Section 3, similarity ratio"), latex=_LATEX,
        kind="definition", title="similarity ratio", family=GRADIENTS, sides=_ratio_high,
        given=_own_gradient, strict=frozenset({"own gradient"}),
    ),
    Statement(
        key="adaptive.def1.drift", source=source("Definition 1"), kind="property",
        title="weights undo the drift", latex=r"\sum_k\alpha_{ik}r_{ik}=1", family=WEIGHTS,
        sides=_drift, given=_some_weight, strict=_STRICT, relation="==",
    ),
    Statement(
        key="adaptive.def1.sum/value", source=source("Definition 1"), kind="property",
        title="sum of the weights", latex=r"\sum_k\alpha_{ik}=(\sigma_{i,\psi}/\sigma_{i,\phi})^2",
        family=WEIGHTS, sides=_sum, given=_some_weight, strict=_STRICT, relation="==",
    ),
    Statement(
        key="adaptive.def1.sum/bound", source=source("Definition 1"), kind="property",
        title="sum of the weights", latex=r"(\sigma_{i,\psi}/\sigma_{i,\phi})^2\ge1",
        family=WEIGHTS, sides=_sum_at_least_one, given=_some_weight, strict=_STRICT,
    ),
    Statement(
        key="adaptive.def1.var/value", source=source("Definition 1"), kind="property",
        title="variance of the weighted gradient",
        latex=r"\sum_k(\alpha_{ik}\sigma_k)^2=\sigma_{i,\psi}^4/\sigma_{i,\phi^2}^2",
        family=WEIGHTS, sides=_var, given=_some_weight, strict=_STRICT, relation="==",
    ),
    Statement(
        key="adaptive.def1.var/bound", source=source("Definition 1"), kind="property",
        title="variance of the weighted gradient",
        latex=r"\sigma_{i,\psi}^4/\sigma_{i,\phi^2}^2\le\sigma_{i,\psi}^2=(\sigma_{i,\mathrm{eff}}^t)^2",
        family=WEIGHTS, sides=_var_bounded, given=_some_weight, strict=_STRICT,
    ),
    Statement(
        key="adaptive.remark1", source=source("Remark 1"), kind="remark",
        title="weights by batch sizes",
        latex=r"(\sigma_{i,\psi}^t/\sigma_k)^2=\Bigl(\tfrac1{n_k}\sum_{j\in\mathcal N_i^t}n_j\psi(r_{ij})\Bigr)^{-1}",
        family=REMARK1, sides=_remark1, relation="==", uses=("adaptive.def1.sum",),
        given=lambda w: {"some client is similar": xp.total(w.ratio * w.phi * w.batch)},
        strict=frozenset({"some client is similar"}),
    ),
)  # fmt: skip
