r"""Theorem 1 where n of N agents toss equal coins: the best possible method, any number of samples.

The two-sign instances of `bounds.allforall.lower`, with weights p, q of the signs. All sequences of
agents and tosses are gone through, and after each the output is the best one: what no method can do
better. The bounds are linear in p + q and sqrt(p q), and a sample leaves the first as it is and kappa
of the second, kappa = 1 - (n/N)(1 - sqrt(1 - z^2)). For equal weights and few samples they are eps.

In the class the coins of the close agents are this one or weaker (`two_signs`): a weaker one is this
one, some of whose tosses are turned without looking, so that no method does better with it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from bounds import generic as xp
from bounds.numbers.trees import after_samples
from verify.claim import Array, Hypothesis, Real, Sides
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Theorem 1, convex :: proof step :: links of a lower bound for any method
    proof.fanochain.convex.refined/best-method :: \varepsilon\bigl(6\kappa^T\sqrt{pq}-p-q\bigr)\le\inf_{\mathcal M_T}\bigl(p\,\mathbb E_+F_1^T+q\,\mathbb E_-F_1^T\bigr)
    proof.fanochain.convex.refined/few-samples :: T\le\tfrac1{25}\tfrac{r^2B^2N}{\varepsilon^2n}:\ \varepsilon\le\varepsilon(3\kappa^T-1),\ \kappa=1-\tfrac{33n\varepsilon^2}{4Nr^2B^2}
Theorem 1, strongly convex :: proof step :: links of a lower bound for any method
    proof.fanochain.quadratic.refined/best-method :: 8\varepsilon\bigl(2\theta\kappa^T\sqrt{pq}-\theta^2(p+q)\bigr)\le\inf_{\mathcal M_T}\bigl(p\,\mathbb E_+F_1^T+q\,\mathbb E_-F_1^T\bigr)
    proof.fanochain.quadratic.refined/few-samples :: T\le\tfrac17\tfrac{r^2\sigma^2N}{\varepsilon n}:\ \varepsilon\le8\varepsilon(\theta\kappa^T-\theta^2),\ \theta=\tfrac5{14},\ \kappa=1-\tfrac{2n\varepsilon}{Nr^2\sigma^2}
""")
_SIGNS = "two signs of any chances, n of N agents that toss equal coins, best possible method"
_ROOT = Real(1 / 8, 8, log=True)
_THETA = Fraction(5, 14)
# all sequences of samples are gone through: no more of them are tried
_SHAPES = q.sizes("samples", 0, 1, 2, 3)
_COIN = {"plus": _ROOT, "minus": _ROOT, "right": _ROOT, "wrong": _ROOT}


def _best(w: World, least: Callable[[Array, Array], Array]) -> Array:
    """The mean gap after the samples, from the least one of an output when the signs have weights.

    Plus, minus are roots of the weights, right and wrong those of the chances (1 + z)/2, (1 - z)/2
    of the coin, up to one factor; part is n/N.
    """
    toss = w.part / (w.right**2 + w.wrong**2)

    def sample(node: Any) -> list[tuple[Array, Any]]:
        one, other = node
        return [
            (toss, (one * w.right, other * w.wrong)),
            (toss, (one * w.wrong, other * w.right)),
            (1 - w.part, (one, other)),
        ]

    def end(node: Any) -> Array:
        return least(node[0] ** 2, node[1] ** 2)

    return after_samples((w.plus, w.minus), w.samples, end, sample)


def _kept(w: World) -> Array:
    """kappa^T sqrt(p q); sqrt(1 - z^2) is 2 right wrong/(right^2 + wrong^2)."""
    alike = 2 * w.right * w.wrong / (w.right**2 + w.wrong**2)
    return (1 - w.part * (1 - alike)) ** w.samples * w.plus * w.minus


@quantity
def best_convex_gap(w: World) -> Array:
    """The least mean gap of an output is 8 eps min(p, q)."""
    return _best(w, lambda p, m: 8 * w.precision * xp.minimum(p, m))


@quantity
def best_quadratic_gap(w: World) -> Array:
    """The least mean gap of an output is 8 eps p q/(p + q), see the link ``output``."""
    return _best(w, lambda p, m: 8 * w.precision * p * m / (p + m))


@claim(
    "proof.fanochain.convex.refined/best-method",
    family=q.family(
        "plus minus right wrong part precision", _SIGNS, *_SHAPES, grow=(), **_COIN, part=q.SHARE
    ),
)
def best_convex(w: World) -> Sides:
    """Proof. By induction on T, as the bound is what one sample makes of the bound; with l, h the
    smaller and the larger weight 9 l + h >= 6 sqrt(l h)."""
    mass = w.plus**2 + w.minus**2
    return {"bound": w.precision * (6 * _kept(w) - mass)}, {"best mean gap": best_convex_gap(w)}


@claim(
    "proof.fanochain.quadratic.refined/best-method",
    family=q.family(
        "plus minus right wrong part precision theta",
        _SIGNS,
        *_SHAPES,
        grow=(),
        **_COIN,
        part=q.SHARE,
        theta=Real(-1, 2),
    ),
)
def best_quadratic(w: World) -> Sides:
    """Any theta.

    Proof. By induction on T, as the bound is what one sample makes of the bound; and p q/(p + q) is
    at least 2 theta sqrt(p q) - theta^2 (p + q) for each theta, as u^2 + v^2 >= 2 u v."""
    mass = w.plus**2 + w.minus**2
    bound = 2 * w.theta * _kept(w) - w.theta**2 * mass
    return {"bound": 8 * w.precision * bound}, {"best mean gap": best_quadratic_gap(w)}


# -- few samples -----------------------------------------------------------------------------------
_FEW = q.family(
    "part precision size",
    "any precision, any part of the agents that tells of the sign",
    *q.sizes("samples", 1, 4, 16),
    part=q.SHARE,
    size=Real(1 / 8, 256, unit=(1, 0), log=True),
)


@claim(
    "proof.fanochain.convex.refined/few-samples",
    family=_FEW,
    given=[
        Hypothesis(
            "few samples",
            r"T\le\tfrac1{25}\tfrac{r^2B^2N}{\varepsilon^2n}",
            lambda w: w.size**2 / 25 - w.samples * w.part * w.precision**2,
        )
    ],
)
def few_convex(w: World) -> Sides:
    """The bound for p = q = 1/2, with the kappa that the link ``one-sample`` leaves; size is rB.

    Proof. Bernoulli: kappa^T >= 67/100 >= 2/3."""
    kappa = 1 - 33 * w.part * w.precision**2 / (4 * w.size**2)
    return {"precision": w.precision}, {"bound": w.precision * (3 * kappa**w.samples - 1)}


@claim(
    "proof.fanochain.quadratic.refined/few-samples",
    family=_FEW,
    given=[
        Hypothesis(
            "few samples",
            r"T\le\tfrac17\tfrac{r^2\sigma^2N}{\varepsilon n}",
            lambda w: w.size / 7 - w.samples * w.part * w.precision,
        )
    ],
)
def few_quadratic(w: World) -> Sides:
    """The bound for p = q = 1/2, with the kappa that the link ``one-sample`` leaves; size is r^2
    sigma^2.

    Proof. Bernoulli: kappa^T >= 5/7."""
    kappa = 1 - 2 * w.part * w.precision / w.size
    bound = _THETA * kappa**w.samples - _THETA**2
    return {"precision": w.precision}, {"bound": 8 * w.precision * bound}
