"""Whether steps of the printed proofs follow from the displays before them, over free symbols."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, Terms, free, statement
from verify.statements.adaptive.common import CURVATURE
from verify.world.world import World

_MEAN, _SQUARE = Real(0, 4, unit=(1, 0)), Real(0, 4, unit=(2, -2))
_GRADIENT = Real(1 / 16, 4, unit=(2, -2), log=True)
_LOSS = Real(1 / 16, 4, unit=(1, 0), log=True)
_SYMBOLS = {
    "after": _MEAN,
    "before": _MEAN,
    "excess": _LOSS,
    "precision": _LOSS,
    "plateau": _LOSS,
    "own": _GRADIENT,
    "elsewhere": _SQUARE,
    "gap": _SQUARE,
    "bias": _SQUARE,
    "slope": Real(0, 2),
    "effective": _GRADIENT,
    "sufficient": _GRADIENT,
    "mu": CURVATURE,
    "beta": CURVATURE,
    "step_size": Real(1 / 16, 16, unit=(-1, 2), log=True),
    "horizon": Real(1, 16),
    "series": Real(1 / 16, 16, log=True),
}
"""Mean excess after and before the step, realised excess, epsilon, beta sigma^2 C^2/(2 mu^2 (C-1)),
|grad R_i|^2 at theta_i and at theta_k, Delta_k^2, b^2, c, sigma_eff^2, sigma_suf^2, mu, beta, eta,
T, sum_t (1 - eta mu)^(T - t)."""


_symbols = partial(free, box=_SYMBOLS)


def _noise(w: World) -> Array:
    return w.step_size**2 * w.effective * w.beta / 2


def _bias(w: World, squared_gradient: Array) -> Array:
    """(b^2 + c G'^2)/G^2 with G' at theta_i or, by the slip of the proof, at theta_k."""
    return (w.bias + w.slope * squared_gradient) / w.own


def _sufficient(w: World) -> Terms:
    return {"b^2/(2 mu excess) + c": w.bias / (2 * w.mu * w.excess) + w.slope}


def _sum_of_descents(w: World) -> Array:
    """own is the average squared gradient."""
    noise = w.horizon * w.step_size**2 * w.beta * w.sufficient / 2
    return w.excess + noise - w.step_size * w.horizon * w.own / 2


_a3 = Hypothesis(
    "A3 at theta_i",
    r"\|\nabla R_k(\theta_i^t)-\nabla R_i(\theta_i^t)\|^2\le b_{ik}^2+c_{ik}\|\nabla R_i(\theta_i^t)\|^2",
    lambda w: w.bias + w.slope * w.own - w.gap,
    "Assumption A3",
)
_a5 = Hypothesis(
    "A5",
    r"\|\nabla R_i(\theta_i^t)\|^2\ge2\mu\varepsilon_i^t",
    lambda w: w.own - 2 * w.mu * w.excess,
    "proof of Lemma 2",
)


@statement(
    "adaptive.theorem1.rec-deduced",
    where="proofs",
    kind="deduction",
    latex="",
    family=_symbols("after before own effective mu beta step_size"),
    given=[
        Hypothesis(
            "(S2)",
            r"\mathbb E[\varepsilon_i^t]\le\mathbb E[\varepsilon_i^{t-1}]-\tfrac{\eta_i^t}2\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2+\tfrac{(\eta_i^t\sigma_{i,\mathrm{eff}}^t)^2\beta}2",
            lambda w: _noise(w) - w.step_size * w.own / 2 + w.before - w.after,
            "proof of Theorem 1, (S2) in mean",
        ),
        Hypothesis(
            "A5",
            r"\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2\ge2\mu\,\mathbb E[\varepsilon_i^{t-1}]",
            lambda w: w.own - 2 * w.mu * w.before,
            "Assumption A5, in mean",
        ),
    ],
)
def recursion(w: World) -> Sides:
    contraction = (1 - w.step_size * w.mu) * w.before
    return {"after": w.after}, {"before": contraction, "noise": _noise(w)}


a3 = recursion.like(
    "adaptive.lemma2/proof-A3-deduced",
    latex="",
    given=[_a3],
    family=_symbols("gap bias slope own elsewhere"),
)(lambda w: ({"gap": w.gap / w.own}, {"b^2 + c G'^2": _bias(w, w.elsewhere)}))
a3_repaired = recursion.like(
    "adaptive.lemma2.repaired/proof-A3-deduced",
    latex="",
    given=[_a3],
    family=_symbols("gap bias slope own"),
)(lambda w: ({"gap": w.gap / w.own}, {"b^2 + c G^2": _bias(w, w.own)}))

pl = recursion.like(
    "adaptive.lemma2/proof-PL-deduced",
    latex="",
    given=[_a5],
    family=_symbols("bias slope own elsewhere mu excess"),
)(lambda w: ({"b^2 + c G'^2": _bias(w, w.elsewhere)}, _sufficient(w)))
pl_repaired = recursion.like(
    "adaptive.lemma2.repaired/proof-PL-deduced",
    latex="",
    given=[_a5],
    family=_symbols("bias slope own mu excess"),
)(lambda w: ({"b^2 + c G^2": _bias(w, w.own)}, _sufficient(w)))


@recursion.like(
    "adaptive.lemma2/proof-precision-deduced",
    latex="",
    family=_symbols("bias mu excess precision"),
    given=[
        Hypothesis(
            "epsilon at most the excess",
            r"\varepsilon\le\varepsilon_i^t",
            lambda w: w.excess - w.precision,
            "Lemma 2",
        )
    ],
)
def precision(w: World) -> Sides:
    at_excess, at_epsilon = (w.bias / (2 * w.mu * level) for level in (w.excess, w.precision))
    return {"at the excess": at_excess}, {"at epsilon": at_epsilon}


@recursion.like(
    "adaptive.theorem2/replace-deduced",
    latex="",
    family=_symbols("effective sufficient mu beta step_size series"),
    given=[
        Hypothesis(
            "Lemma 2",
            r"\sigma_{i,\mathrm{eff}}^t\le\sigma_{i,\mathrm{suf}}(\varepsilon)",
            lambda w: w.sufficient - w.effective,
            "Lemma 2",
        ),
        Hypothesis(
            "geometric series",
            r"\eta\mu\sum_t(1-\eta\mu)^{T-t}\le1",
            lambda w: 1 - w.step_size * w.mu * w.series,
        ),
    ],
)
def replaced(w: World) -> Sides:
    noise = w.beta * w.step_size**2 * w.series * w.effective / 2
    return {"noise": noise}, {"saturation": w.step_size * w.beta * w.sufficient / (2 * w.mu)}


@recursion.like(
    "adaptive.theorem3.step-deduced",
    latex="",
    family=_symbols("own excess sufficient beta step_size horizon"),
    given=[
        Hypothesis(
            "sum of (S2)",
            r"\tfrac\eta2\textstyle\sum_t\mathbb E\|\nabla R_i(\theta_i^{t-1})\|^2\le\varepsilon_i^0+\tfrac{T\eta^2\beta}2\sigma_{i,\mathrm{suf}}^2(\varepsilon)",
            _sum_of_descents,
        )
    ],
)
def summed(w: World) -> Sides:
    start, noise = 2 * w.excess / (w.horizon * w.step_size), w.step_size * w.beta * w.sufficient
    return {"average": w.own}, {"start": start, "noise": noise}


dropped = recursion.like(
    "adaptive.corollary1/proof-max-deduced",
    latex="",
    family=_symbols("after excess plateau horizon"),
    given=[
        Hypothesis(
            "decreasing row",
            r"\mathbb E[\varepsilon_i^T]\le\tfrac1T\max\bigl(\tfrac{\beta\sigma_{i,\mathrm{suf}}^2(\varepsilon)C^2}{2\mu^2(C-1)},\varepsilon_i^0\bigr)",
            lambda w: xp.maximum(w.plateau, w.excess) / w.horizon - w.after,
            "Theorem 2, Table 1",
        )
    ],
)(lambda w: ({"excess at T": w.after}, {"noise/T": w.plateau / w.horizon}))
