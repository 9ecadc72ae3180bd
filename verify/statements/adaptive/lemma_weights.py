"""Section 4: the continuous rule as the minimiser of Lemma 1, and when to refresh the weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import descent as closed
from bounds import generic as xp
from bounds.similarity import (
    collaboration_weights,
    phi_by_name,
    ratio_from_squares,
    weighted_variance,
)
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive.common import PHI, source
from verify.world.world import World

# -- the continuous rule minimises Lemma 1 -----------------------------------------------------

LEMMA = Family(
    {
        "squared_gradient": Real(1 / 16, 16, unit=(2, -2), log=True),
        "squared_gaps": Real(0, 32, unit=(2, -2), per=("N",)),
        "sigma2": Real(1 / 16, 16, unit=(2, -2), log=True, per=("N",)),
        "alpha": Real(0, 2, per=("N",)),
        "step_size": Real(1 / 64, 64, unit=(-1, 2), log=True),
        "beta": Real(1 / 16, 16, unit=(1, -2), log=True),
    },
    ({"N": 1}, {"N": 2}, {"N": 3}),
    about="any gradients, variances, step and other weights",
)

Bound = Callable[..., Terms]


def _at(w: World, bound: Bound, alpha: Any) -> Terms:
    gaps = _gaps(w)
    return bound(w.step_size, w.beta, alpha, w.sigma2, w.squared_gradient, gaps)


def _gaps(w: World) -> Any:
    """The asking client has no gap to itself."""
    first = xp.eye(w.sigma2.shape[-1], w.sigma2)[0]
    return w.squared_gaps * (1 - first)


def _stationary(bound: Bound) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The solution of the printed equation (its positive part) against any other weights.

        The equation belongs to the noise term eta^2 beta/2 of the repaired Lemma 1; the noise term
        as printed there would need 4 in place of 2 eta. Tight at the solution itself.
        """
        gaps = _gaps(w)
        best = closed.best_weights(w.step_size, w.beta, w.sigma2, w.squared_gradient, gaps)
        return _at(w, bound, best), _at(w, bound, w.alpha)

    return sides


def _proportional(w: World) -> tuple[Terms, Terms]:
    """(G^2 - Delta^2)_+/(2 eta beta sigma_k^2) is r_k/sigma_k^2 times a number independent of k."""
    gaps = _gaps(w)
    best = closed.best_weights(w.step_size, w.beta, w.sigma2, w.squared_gradient, gaps)
    scale = w.squared_gradient / (2 * w.step_size * w.beta)
    ratio = ratio_from_squares(gaps, w.squared_gradient)
    return {"minimiser": best}, {"scale r/sigma^2": scale[..., None] * ratio / w.sigma2}


def _definition1(w: World) -> tuple[Any, Any]:
    ratio = ratio_from_squares(_gaps(w), w.squared_gradient)
    return ratio, collaboration_weights(ratio, ratio, w.sigma2)


def _normalised_free(w: World) -> tuple[Terms, Terms]:
    """Definition 1 against any other weights."""
    _, own = _definition1(w)
    return _at(w, closed.lemma1_upper, own), _at(w, closed.lemma1_upper, w.alpha)


def _normalised_fair(w: World) -> tuple[Terms, Terms]:
    """Definition 1 against weights of the same drift, sum_k alpha_k (1 - Delta_k^2/G^2) = 1.

    Proof. Under that constraint the first two terms are -eta G^2/2, and sum alpha_k^2 sigma_k^2 is
    smallest at alpha_k proportional to r_k/sigma_k^2 among non-negative weights on similar clients.
    The other weights are rescaled to the constraint. Tight at Definition 1.
    """
    ratio, own = _definition1(w)
    other = w.alpha / xp.total(w.alpha * ratio)[..., None]
    other = xp.where(ratio > 0, other, 0 * other)
    return _at(w, closed.lemma1_upper, own), _at(w, closed.lemma1_upper, other)


def _rescalable(w: World) -> Terms:
    ratio, _ = _definition1(w)
    return {"weights on similar clients": xp.total(w.alpha * ratio)}


# -- refreshing and extra gradients ------------------------------------------------------------

CROWD = Family(
    {"sigma2_one": Real(1 / 16, 16, unit=(2, -2), log=True), "extra": Real(0, 16), **PHI},
    tuple({"N": n, "phi": phi} for n in (1, 2, 4, 8) for phi in ("continuous", "binary")),
    about="clients with one gradient and one variance",
)


MIXED = Family(
    {**CROWD.box, "ratio": Real(0, 1, per=("N",))}, CROWD.shapes, about="clients with one variance"
)


def _crowd(w: World) -> tuple[Terms, Terms]:
    """Clients with equal gradients: the variance of the weighted direction is sigma^2/N, that of
    1 + b_alpha own gradients sigma^2/(1 + b_alpha). Tight at N = 1 + b_alpha."""
    clients = int(w.N)
    ones = w.sigma2_one[..., None] * 0 + 1
    ratio = xp.stack([ones[..., 0]] * clients, -1)
    direction = weighted_variance(
        ratio, phi_by_name(w.phi, ratio, w.threshold), w.sigma2_one[..., None] * ratio
    )
    return {"collaboration": direction}, {"own gradients": w.sigma2_one / (1 + w.extra)}


def _mixed_crowd(w: World) -> tuple[Terms, Terms]:
    """Clients of any similarity: N counts those that do not help as well."""
    first = xp.eye(w.ratio.shape[-1], w.ratio)[0]
    ratio = w.ratio * (1 - first) + first
    direction = weighted_variance(
        ratio, phi_by_name(w.phi, ratio, w.threshold), w.sigma2_one[..., None] + 0 * ratio
    )
    return {"collaboration": direction}, {"own gradients": w.sigma2_one / (1 + w.extra)}


def _many(w: World) -> Terms:
    return {"N at least 1 + b_alpha": int(w.N) - 1 - w.extra}


_S4: dict[str, Any] = {"source": source("Section 4"), "kind": "claim"}
_OPT = r"\alpha_{ik}=\frac{(G^2-\Delta_k^2)_+}{2\eta\beta\sigma_k^2}"
_OFTEN = "a criterion: the text says that weights may be updated less often, not what that keeps"

STATEMENTS = (
    Statement(
        key="adaptive.sec4.opt/stationary@repaired-lemma", title="weights that minimise Lemma 1",
        latex=_OPT, family=LEMMA, sides=_stationary(closed.lemma1_upper),
        uses=("adaptive.lemma1.repaired",), **_S4,
    ),
    Statement(
        key="adaptive.sec4.opt/stationary@printed-lemma", title="weights that minimise Lemma 1",
        latex=_OPT, family=LEMMA, sides=_stationary(closed.lemma1_last_display_printed),
        uses=("adaptive.lemma1",), **_S4,
    ),
    Statement(
        key="adaptive.sec4.opt/ratio", title="the ratio appears", relation="==", family=LEMMA,
        latex=_OPT + r"=\frac{G^2}{2\eta\beta}\,\frac{r_{ik}}{\sigma_k^2}", sides=_proportional, **_S4,
    ),
    Statement(
        key="adaptive.sec4.opt/normalised@same-drift", title="normalised weights still minimise",
        latex=r"\alpha_{ik}=r_{ik}\,\frac{\sigma_{i,\psi}^2}{\sigma_k^2}\in\operatorname{argmin}_{\sum_k\alpha_kr_{ik}=1}",
        family=LEMMA, sides=_normalised_fair, given=_rescalable,
        strict=frozenset({"weights on similar clients"}), **_S4,
    ),
    Statement(
        key="adaptive.sec4.opt/normalised@free", title="normalised weights still minimise",
        latex=r"\alpha_{ik}=r_{ik}\,\frac{\sigma_{i,\psi}^2}{\sigma_k^2}\in\operatorname{argmin}_{\alpha\ge0}",
        family=LEMMA, sides=_normalised_free, **_S4,
    ),
    Statement(
        key="adaptive.sec4.freq/variance@equal-gradients", title="helpers against own gradients",
        latex=r"N\ge1+b_\alpha\Rightarrow\sum_k(\alpha_{ik}\sigma)^2\le\frac{\sigma^2}{1+b_\alpha}",
        family=CROWD, sides=_crowd, given=_many, **_S4,
    ),
    Statement(
        key="adaptive.sec4.freq/variance@any-gradients", title="helpers against own gradients",
        latex=r"N\ge1+b_\alpha\Rightarrow\sum_k(\alpha_{ik}\sigma)^2\le\frac{\sigma^2}{1+b_\alpha}",
        family=MIXED, sides=_mixed_crowd, given=_many, **_S4,
    ),
    Statement(
        key="adaptive.sec4.freq/schedule", title="weights may be refreshed less often",
        latex=r"\text{weights per epoch or on a logarithmic schedule}", missing=_OFTEN, **_S4,
    ),
)  # fmt: skip
