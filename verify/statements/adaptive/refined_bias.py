"""Refined Lemma 1: the bias of the averaged gradient, and what follows for weights and variance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import descent as jensen
from bounds import generic as xp
from bounds import refined_descent as closed
from bounds.heterogeneity import mismatch
from verify.claim import (
    Array,
    Family,
    Hypothesis,
    Instance,
    Real,
    Shape,
    Sides,
    numbers,
    quadratics,
    statement,
)
from verify.claim.families import quadratic_instance
from verify.statements.adaptive import common
from verify.statements.adaptive.common import excess, start_excess
from verify.statements.adaptive.descent import (
    FREE_WEIGHTS,
    LEMMA,
    ONE_STEP,
    SHORT,
    WIDER,
    change,
    lemma1_repaired,
    some_weight,
)
from verify.statements.adaptive.lemma_weights import LEMMA as FREE
from verify.statements.adaptive.lemma_weights import gaps as free_gaps
from verify.world.world import World


def _gaps(w: World) -> Array:
    """Squared gaps to the own gradient at theta^0, and the own squared gradient."""
    gradients = w.problem.gradients(w.start)
    return xp.squared_norm(gradients - gradients[..., :1, :])


def _own(w: World) -> Array:
    return xp.squared_norm(w.problem.gradients(w.start)[..., 0, :])


@lemma1_repaired.like(
    "adaptive.lemma1.refined/descent",
    title="descent lemma, bias of the average",
    latex=r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le\frac{\eta}{2\mathcal A}\Bigl(\sum_k\alpha_{ik}\Delta_k\Bigr)^2-\frac{\eta\mathcal A}2\|\nabla R_i(\theta_i^{t-1})\|^2+\frac{\eta^2\beta}2\sum_k\sigma_k^2\alpha_{ik}^2",
    family=ONE_STEP,
    also=WIDER,
    given=SHORT,
    uses=("adaptive.lemma1.exact",),
    note="""In place of sum alpha_k Delta_k^2, what the Jensen step of the proof makes of the same
    quantity. Tight for one-dimensional quadratics with gaps of one sign.""",
    proof="""The display before the first term is dropped has |grad R_alpha - grad R_i|^2, A times
    which is |sum alpha_k (grad R_k - grad R_i)|^2/A <= (sum alpha_k Delta_k)^2/A.""",
)
def descends(w: World) -> Sides:
    return change(w), closed.lemma1_refined_upper(
        w.step_size, w.beta, w.alpha, w.sigma2, _own(w), _gaps(w)
    )


@statement(
    "adaptive.lemma1.refined/order",
    where=LEMMA,
    kind="lemma",
    title="never above the Jensen bias",
    latex=r"\Bigl(\sum_k\alpha_k\Delta_k\Bigr)^2\le\sum_j\alpha_j\sum_k\alpha_k\Delta_k^2",
    family=numbers(
        {"alpha": Real(0, 2, per=("N",)), "gap": Real(0, 4, unit=(1, -1), per=("N",))},
        {"N": 1},
        {"N": 2},
        {"N": 3},
        about="any weights and gaps",
    ),
    note="Equal where all clients of positive weight have one gap.",
    proof="Cauchy-Schwarz.",
)
def below_jensen(w: World) -> Sides:
    weighted = xp.total(w.alpha) * closed.bias_jensen_upper(w.alpha, w.gap)
    return {"(sum alpha Delta)^2": xp.total(w.alpha * w.gap) ** 2}, {
        "A sum alpha Delta^2": weighted
    }


# -- fixed weights and c = 0 -----------------------------------------------------------------------


def _one_hessian(values: Mapping[str, Any], shape: Shape) -> Instance:
    """All clients have the first one's curvature, so that gaps are the same everywhere."""
    curvature = values["curvature"]
    return quadratic_instance({**values, "curvature": curvature[..., :1, :] + 0 * curvature}, shape)


_SIZES = ((1, 1, 1), (2, 1, 2), (3, 1, 1), (2, 2, 2))
_PLAIN = quadratics(
    tuple({"N": n, "d": d, "rounds": t, "weights": "fixed"} for n, d, t in _SIZES),
    {"alpha": Real(0, 1, per=("N",)), **common.STEP},
)
EQUAL = Family(
    _PLAIN.box,
    _PLAIN.shapes,
    _one_hessian,
    "quadratics of one Hessian, two-point noise, all outcomes enumerated",
)


def _bias(w: World) -> Array:
    """b_k of A3 with c = 0: the gaps, the same at every point, (B, 1, N)."""
    return xp.sqrt(mismatch(w.A, w.xi)[0][..., 0, :])


@descends.like(
    "adaptive.lemma1.refined/neighbourhood",
    title="neighbourhood of fixed weights",
    latex=r"\mathbb E[\varepsilon_i^T]\le q^T\varepsilon_i^0+(1-q^T)\Bigl(\frac{(\sum_k\alpha_kb_k)^2}{2\mu\mathcal A^2}+\frac{\eta\beta}{2\mu\mathcal A}\sum_k\alpha_k^2\sigma_k^2\Bigr),\quad q=1-\eta\mu\mathcal A",
    family=EQUAL,
    given=SHORT,
    defines=FREE_WEIGHTS,
    uses=("adaptive.lemma1.exact",),
    note="""c = 0 and b_k the gaps. The Jensen bias has sum alpha_k b_k^2/(2 mu A). Where the own
    curvature is mu and helpers push in one direction the bias term is what the run tends to.""",
    proof="""G^2 >= 2 mu X in the refined lemma, full expectation; the recursion
    E' = q E + (1 - q) n with 0 <= q < 1 is unrolled.""",
)
def neighbourhood(w: World) -> Sides:
    parts = closed.neighbourhood_refined_upper(
        w.step_size, w.beta, w.mu, w.alpha, w.sigma2, _bias(w)
    )
    rate = (1 - w.step_size * w.mu * xp.total(w.alpha)) ** int(w.original("rounds"))
    right = {name: (1 - rate) * part for name, part in parts.items()}
    return {"excess after": excess(w, int(w.original("rounds")))}, {
        "start": rate * start_excess(w),
        **right,
    }


# -- the best weights ------------------------------------------------------------------------------


@statement(
    "adaptive.sec4.opt.refined/value",
    where="Section 4",
    kind="claim",
    title="what the refined lemma gains at best",
    latex=r"\frac{\eta}{2\mathcal A}\Bigl(\sum_k\alpha_k\Delta_k\Bigr)^2-\frac{\eta\mathcal A}2G^2+\frac{\eta^2\beta}2\sum_k\alpha_k^2\sigma_k^2\ge-\sum_k\frac{(G^2+m^2-2m\Delta_k)_+^2}{8\beta\sigma_k^2}",
    relation=">=",
    family=Family(
        {**FREE.box, "mean_gap": Real(0, 8, unit=(1, -1))},
        FREE.shapes,
        about="any gradients, variances, step, weights and m",
    ),
    given=[some_weight],
    uses=("adaptive.lemma1.refined",),
    note="""Equal at alpha_k = (G^2 + m^2 - 2 m Delta_k)_+/(2 eta beta sigma_k^2) with m their own
    mean gap. m = 0 is the value of Lemma 1 without any gap; a client is excluded where Delta_k
    exceeds (G^2 + m^2)/(2 m), not where it exceeds G.""",
    proof="""B^2/A >= 2 m B - m^2 A for B = sum alpha_k Delta_k, since (B - m A)^2 >= 0; what is left
    is a sum of parabolas in the alpha_k, each smallest at the positive part of its zero slope.""",
)
def value(w: World) -> Sides:
    squared = free_gaps(w)
    left = closed.lemma1_refined_upper(
        w.step_size, w.beta, w.alpha, w.sigma2, w.squared_gradient, squared
    )
    right = closed.refined_bound_lower(
        w.beta, w.sigma2, w.squared_gradient, xp.sqrt(squared), w.mean_gap
    )
    return left, {"value": right}


# -- the sufficient variance -----------------------------------------------------------------------


def _ratio_gaps(w: World) -> Array:
    """rho_k = sqrt(b_k^2/(2 mu eps) + c_k), at least Delta_k/G while the excess is eps or more."""
    ratio = w.squared_bias / (2 * w.mu * w.precision)[..., None] + w.slope
    return xp.sqrt(xp.where(ratio < 1, ratio, 1 + 0 * ratio))


def _sufficient_weights(w: World) -> tuple[Array, Array, Array]:
    """Weights of Definition 1 at the sufficient ratios, sigma_suf^2, and their scale tau."""
    ratio, variance = common.sufficient(w, w.precision, printed=False)
    alpha = common.phi_of(w, ratio) * variance[..., None] / w.sigma2
    return alpha, variance, closed.refined_scale(alpha, _ratio_gaps(w))


def _scaled_weights(w: World) -> Array:
    alpha, _, scale = _sufficient_weights(w)
    return scale[..., None] * alpha


SUFFICIENT = quadratics(
    tuple(
        {"N": n, "d": 1, "rounds": 1, "weights": "fixed", "phi": phi}
        for n, phi in ((2, "continuous"), (2, "binary"), (3, "continuous"))
    ),
    {**common.STEP, **common.PHI, **common.PRECISION},
)


@statement(
    "adaptive.def2.refined/descent",
    where="Definition 2",
    kind="property",
    over="mean",
    title="fixed weights of smaller variance",
    latex=r"\mathbb E[\varepsilon_i^t\mid\theta_i^{t-1}]-\varepsilon_i^{t-1}\le-\frac\eta2\|\nabla R_i\|^2+\frac{\eta^2\beta}2\tau^2\sigma_{i,\mathrm{suf}}^2(\varepsilon),\quad\tau=\frac{1-\overline{\rho^2}}{1-\bar\rho^2}",
    family=SUFFICIENT,
    defines={
        "alpha": _scaled_weights,
        "step_size": lambda w: w.step_share / w.beta,
        "weight_matrix": lambda w: w.alpha[..., None, :] + 0 * w.alpha[..., :, None],
    },
    given=[
        Hypothesis(
            "step at most 1/(beta sum alpha)",
            r"\eta\beta\sum_k\alpha_k\le1",
            lambda w: 1 - w.step_size * w.beta * xp.total(w.alpha),
        ),
        Hypothesis(
            "excess at least epsilon",
            r"\varepsilon_i^{t-1}\ge\varepsilon",
            lambda w: start_excess(w) - w.precision,
        ),
    ],
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
    return change(w), jensen.s2_upper(w.step_size, w.beta, scale**2 * variance, _own(w))


@statement(
    "adaptive.def2.refined/scale",
    where="Definition 2",
    kind="property",
    title="the factor is at most one",
    latex=r"\tau\le1",
    family=numbers(
        {"alpha": Real(0, 2, per=("N",)), "rho": Real(0, 1, per=("N",), domain=(0, 1))},
        {"N": 1},
        {"N": 2},
        {"N": 3},
        about="any weights and ratios",
    ),
    given=[
        some_weight,
        Hypothesis(
            "mean ratio below 1",
            r"\sum_k\alpha_k\rho_k<\mathcal A",
            lambda w: xp.total(w.alpha) - xp.total(w.alpha * w.rho),
            strict=True,
            defining=True,
        ),
    ],
    note="Equal where all clients of positive weight have one ratio.",
    proof="Jensen.",
)
def shrinks(w: World) -> Sides:
    return {"tau": closed.refined_scale(w.alpha, w.rho)}, {"1": 1 + 0 * xp.total(w.alpha)}
