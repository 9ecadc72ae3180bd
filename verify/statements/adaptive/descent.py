"""Lemma 1 (descent) with the displays of its proof, and what Theorem 1's proof makes of it."""

from __future__ import annotations

from typing import Any

from bounds import descent
from bounds import generic as xp
from verify.claim.families import quadratics
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.adaptive.common import (
    Along,
    along,
    excess,
    run_family,
    source,
    twenty_clients,
)
from verify.world.world import World

SIZES = ((1, 1), (2, 1), (2, 2), (3, 1))
ONE_STEP = quadratics(
    tuple({"N": n, "d": d, "rounds": 1, "weights": "fixed"} for n, d in SIZES),
    {"alpha": Real(0, 1, per=("N",)), "step_share": Real(0, 1)},
)


def _weight_matrix(w: World) -> Any:
    return w.alpha[..., None, :] + 0 * w.alpha[..., :, None]


def _step_size(w: World) -> Any:
    return w.step_share / (w.beta * xp.total(w.alpha))


FREE_WEIGHTS = {"weight_matrix": _weight_matrix, "step_size": _step_size}


def _short_step(w: World) -> Terms:
    return {
        "step below 1/(beta sum alpha)": 1 - w.step_size * w.beta * xp.total(w.alpha),
        "step positive": w.step_size,
    }


_SHORT = frozenset({"step below 1/(beta sum alpha)", "step positive"})


def _change(w: World) -> Terms:
    """X^t - X^{t-1}; its mean over the fresh gradients is the left side of the lemma."""
    return {"excess after": excess(w, 1), "-excess before": -excess(w, 0)}


def _at(w: World, t: int) -> tuple[Any, Any]:
    """Squared gaps (..., N) and squared own gradient (...) at theta^t."""
    gradients = w.problem.gradients(w.run().theta[..., t, :])
    own = gradients[..., :1, :]
    return xp.squared_norm(gradients - own), xp.squared_norm(own)[..., 0]


def _printed(w: World) -> tuple[Terms, Terms]:
    """Right side with the gradient at theta^t and the variance term eta beta sigma^2 alpha^2."""
    gaps, _ = _at(w, 0)
    _, after = _at(w, 1)
    change = {name: w.mean(term) for name, term in _change(w).items()}
    return change, descent.lemma1_statement_printed(
        w.step_size, w.beta, w.alpha, w.sigma2, after, gaps
    )


def _printed_in_mean(w: World) -> tuple[Terms, Terms]:
    """Both sides in conditional mean."""
    gaps, _ = _at(w, 0)
    _, after = _at(w, 1)
    return _change(w), descent.lemma1_statement_printed(
        w.step_size, w.beta, w.alpha, w.sigma2, after, gaps
    )


def _repaired(w: World) -> tuple[Terms, Terms]:
    """The own gradient at theta^{t-1}, the variance term eta^2 beta sigma_k^2 alpha_k^2 / 2.

    Proof. Smoothness along the step, the variance of a sum of independent gradients, and
    -<a, b> = (|a - b|^2 - |a|^2 - |b|^2)/2 give the display before the first term is dropped;
    that term is non-positive as eta beta sum alpha < 1; Jensen bounds |grad R_alpha - grad R_i|^2.
    """
    gaps, own = _at(w, 0)
    return _change(w), descent.lemma1_upper(w.step_size, w.beta, w.alpha, w.sigma2, own, gaps)


def _last_display(w: World) -> tuple[Terms, Terms]:
    """The last display of the proof: gradient at theta^{t-1}, variance term without eta^2/2."""
    gaps, own = _at(w, 0)
    return _change(w), descent.lemma1_last_display_printed(
        w.step_size, w.beta, w.alpha, w.sigma2, own, gaps
    )


def _exact_display(w: World) -> tuple[Terms, Terms]:
    """The display before the first term is dropped; an equality for isotropic quadratics."""
    gradients = w.problem.gradients(w.run().theta[..., 0, :])
    mixed = xp.total(w.alpha[..., None] * gradients, axis=-2) / xp.total(w.alpha)[..., None]
    own = gradients[..., 0, :]
    return _change(w), descent.lemma1_before_jensen_upper(
        w.step_size, w.beta, w.alpha, w.sigma2,
        xp.squared_norm(own), xp.squared_norm(mixed), xp.squared_norm(mixed - own),
    )  # fmt: skip


def _variance(w: World) -> tuple[Terms, Terms]:
    """Second moment of the normalised aggregate, from its realised steps.

    theta^{t-1} - theta^t = eta A g^t, so E|g^t|^2 is read off the run.
    """
    theta = w.run().theta
    whole = xp.total(w.alpha)
    step = (theta[..., 0, :] - theta[..., 1, :]) / (w.step_size * whole)[..., None]
    gradients = w.problem.gradients(theta[..., 0, :])
    share = w.alpha / whole[..., None]
    actual = w.problem.gradient_variance(theta[..., 0, :])
    mixed = xp.total(share[..., None] * gradients, axis=-2)
    return {"|g|^2": xp.squared_norm(step)}, {
        "variances": xp.total(share**2 * actual),
        "squared mean": xp.squared_norm(mixed),
    }


# -- with the weights of Definition 1 ----------------------------------------------------------

DEFINITION1 = run_family((1, 1, 1), (2, 1, 1), (2, 2, 1), (3, 1, 1))


def _start(w: World) -> Along:
    return along(w, w.run().theta[..., 0, :])


def _step_by_limit(w: World) -> Any:
    """step_share of the largest admissible step at theta^0."""
    theta = w.start + 0 * w.problem.optimum[..., 0, :]
    return w.step_share * along(w, theta).limit / w.beta


TRUE_WEIGHTS = {"step_size": _step_by_limit}


def _below_limit(w: World) -> Terms:
    at = _start(w)
    return {
        "step below (sigma_phi/sigma_psi)^2/beta": at.limit - w.step_size * w.beta,
        "own gradient": at.squared_gradient,
        "step positive": w.step_size,
    }


_BELOW = frozenset({"step below (sigma_phi/sigma_psi)^2/beta", "own gradient", "step positive"})


def _identity(w: World) -> tuple[Terms, Terms]:
    """Definition 1 makes the weighted gaps cancel exactly."""
    at = _start(w)
    gap = xp.total(at.alpha * (at.squared_gap - at.squared_gradient[..., None]))
    return {"weighted gaps": gap}, {"-G^2": -at.squared_gradient}


def _s2(w: World) -> tuple[Terms, Terms]:
    """Lemma 1 (with its variance term as derived) and Definition 1 together."""
    at = _start(w)
    return _change(w), descent.s2_upper(
        w.step_size, w.beta, at.effective, at.squared_gradient
    )


# -- deductions over free symbols --------------------------------------------------------------

_DISPLAYS = {
    "change": Real(-4, 4, unit=(1, 0)),
    "step_size": Real(1 / 16, 16, unit=(-1, 2), log=True),
    "beta": Real(1 / 16, 16, unit=(1, -2), log=True),
    "whole": Real(1 / 16, 4, log=True),
    "average": Real(0, 4, unit=(2, -2)),
    "own": Real(0, 4, unit=(2, -2)),
    "average_gap": Real(0, 4, unit=(2, -2)),
    "weighted_gaps": Real(0, 4, unit=(2, -2)),
    "noise": Real(0, 4, unit=(2, -2)),
    "effective": Real(1 / 16, 4, unit=(2, -2), log=True),
}
"""Free symbols: change of the excess, step size, smoothness, sum of the weights, squared averaged
gradient, squared own gradient, their squared gap, sum of alpha_k Delta_k^2, sum of
alpha_k^2 sigma_k^2, effective variance."""


def _free(*names: str) -> Family:
    return Family({k: _DISPLAYS[k] for k in names}, about="free symbols")


def _before(w: World) -> Terms:
    """The display before the first term is dropped, Jensen, and the step condition."""
    half = w.step_size * w.whole / 2
    bound = half * (
        w.average_gap - (1 - w.step_size * w.whole * w.beta) * w.average - w.own
    ) + w.step_size**2 * w.beta * w.noise / 2
    return {
        "display before": bound - w.change,
        "Jensen": w.weighted_gaps - w.whole * w.average_gap,
        "short step": 1 - w.step_size * w.whole * w.beta,
    }


def _last_deduced(w: World) -> tuple[Terms, Terms]:
    gradients = w.step_size * (w.weighted_gaps - w.whole * w.own) / 2
    return {"change": w.change}, {
        "gradients": gradients,
        "noise": w.step_size * w.beta * w.noise,
    }


def _last_display_given(w: World) -> Terms:
    """The last display as printed, the identity of the gaps and the variance of the weights."""
    gradients = w.step_size * (w.weighted_gaps - w.whole * w.own) / 2
    return {
        "last display": gradients + w.step_size * w.beta * w.noise - w.change,
        "identity": -w.own - w.weighted_gaps + w.whole * w.own,
        "variance": w.effective - w.noise,
    }


def _s2_deduced(w: World) -> tuple[Terms, Terms]:
    return {"change": w.change}, {
        "descent": -w.step_size * w.own / 2,
        "noise": w.step_size**2 * w.effective * w.beta / 2,
    }


LAST_DEDUCED = Statement(
    key="adaptive.lemma1.exact/last-deduced", source=source("proof of Lemma 1"), latex="",
    family=_free(
        "change", "step_size", "beta", "whole", "average", "own", "average_gap", "weighted_gaps",
        "noise",
    ),
    sides=_last_deduced, given=_before,
)  # fmt: skip
S2_DEDUCED = Statement(
    key="adaptive.S2-deduced", source=source("proof of Theorem 1"), latex="",
    family=_free(
        "change", "step_size", "beta", "whole", "own", "weighted_gaps", "noise", "effective"
    ),
    sides=_s2_deduced, given=_last_display_given,
)

_LEMMA1 = (
    r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le\frac{\eta_i^t}2\sum_k"
    r"\alpha_{ik}^t\bigl(\Delta_k^2-\|\nabla R_i(\theta_i^{%s})\|^2\bigr)+%s\sum_k\sigma_k^2(\alpha_{ik}^t)^2"
)
_COMMON: dict[str, Any] = {
    "family": ONE_STEP, "given": _short_step, "strict": _SHORT, "defines": FREE_WEIGHTS,
    "kind": "lemma", "over": "mean",
}  # fmt: skip

STATEMENTS = (
    Statement(
        key="adaptive.lemma1@pathwise", source=source("Lemma 1"), title="descent lemma",
        latex=_LEMMA1 % ("t", r"\eta_i^t\beta"), sides=_printed,
        **{**_COMMON, "over": "path"},
    ),
    Statement(
        key="adaptive.lemma1@mean", source=source("Lemma 1"), title="descent lemma",
        latex=_LEMMA1 % ("t", r"\eta_i^t\beta"), sides=_printed_in_mean, **_COMMON,
    ),
    Statement(
        key="adaptive.lemma1.repaired", source=source("Lemma 1"), title="descent lemma",
        form="repaired", latex=_LEMMA1 % ("t-1", r"\frac{(\eta_i^t)^2\beta}2"), sides=_repaired,
        **_COMMON,
    ),
    Statement(
        key="adaptive.lemma1.var", source=source("proof of Lemma 1"), title="variance of the aggregate",
        latex=r"\mathbb E\|g^t\|^2=\sum_k(\alpha_{ik}/\mathcal A_i)^2\,\mathbb V[g_k^t]+\|\nabla R_{\alpha_i}\|^2",
        sides=_variance, relation="==", **{**_COMMON, "kind": "proof step"},
    ),
    Statement(
        key="adaptive.lemma1.exact/before", source=source("proof of Lemma 1"),
        title="before the first term is dropped",
        latex=r"\ldots\le-\tfrac{\eta\mathcal A}2(1-\eta\mathcal A\beta)\|\nabla R_\alpha\|^2-\tfrac{\eta\mathcal A}2\|\nabla R_i\|^2+\tfrac{\eta\mathcal A}2\|\nabla R_\alpha-\nabla R_i\|^2+\tfrac{\eta^2\beta}2\sum_k\sigma_k^2\alpha_{ik}^2",
        sides=_exact_display, **{**_COMMON, "kind": "proof step"},
    ),
    Statement(
        key="adaptive.lemma1.exact/last", source=source("proof of Lemma 1, last display"),
        title="last display", latex=_LEMMA1 % ("t-1", r"\eta_i^t\beta"), sides=_last_display,
        uses=("adaptive.lemma1.var",), deduction=LAST_DEDUCED,
        **{**_COMMON, "kind": "proof step"},
    ),
    Statement(
        key="adaptive.lemma1.exact.repaired", source=source("proof of Lemma 1, last display"),
        form="repaired", title="last display",
        latex=_LEMMA1 % ("t-1", r"\frac{(\eta_i^t)^2\beta}2"), sides=_repaired,
        **{**_COMMON, "kind": "proof step"},
    ),
    Statement(
        key="adaptive.theorem1.id", source=source("proof of Theorem 1"), kind="proof step",
        title="the weighted gaps cancel", relation="==", family=DEFINITION1, sides=_identity,
        latex=r"\sum_k\alpha_{ik}^t(\Delta_k^2-\|\nabla R_i\|^2)=-\|\nabla R_i\|^2",
        given=_below_limit, strict=_BELOW, defines=TRUE_WEIGHTS, uses=("adaptive.def1.drift",),
    ),
    Statement(
        key="adaptive.S2", source=source("proof of Theorem 1, (S2)"), kind="proof step",
        title="descent with the weights of Definition 1", family=DEFINITION1, sides=_s2,
        latex=r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le-\tfrac{\eta_i^t}2\|\nabla R_i\|^2+\tfrac{(\eta_i^t\sigma_{i,\mathrm{eff}}^t)^2\beta}2",
        given=_below_limit, strict=_BELOW, defines=TRUE_WEIGHTS, over="mean",
        uses=("adaptive.lemma1", "adaptive.theorem1.id", "adaptive.def1.var"),
        deduction=S2_DEDUCED,
        simulate=(lambda: twenty_clients("gaussian"), lambda: twenty_clients("sphere")),
    ),
)  # fmt: skip
