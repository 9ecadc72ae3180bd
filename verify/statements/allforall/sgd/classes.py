"""Appendix F: Lemmas 4 and 5 for every function of their class, by runs on noisy gradients.

The leaves of `lemma4` and `lemmas5_6` are about parabolas, whose moments have a closed form for
thousands of rounds; these are about any loss, in any dimension, with any noise.
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim import Array, Family, Real, Sides
from verify.claim.functions import functions
from verify.statements.allforall import quantities as q
from verify.world.visited import visited
from verify.world.world import World

claim = q.Claims(r"""
Lemma 4 :: lemma :: stochastic gradient descent
    lemma4a.refined/convex mean :: A=I,\ \eta\le\tfrac1L:\ \mathbb E f(x^T)-f^*\le(1-\eta\mu)^Tf_0+\tfrac{\eta L\sigma^2}{2\mu}
    lemma4a.refined/pl mean :: \|\nabla f\|^2\ge2\mu(f-f^*),\ \eta\le\tfrac1L:\ \mathbb E f(x^T)-f^*\le(1-\eta\mu)^Tf_0+\tfrac{\eta L\sigma^2}{2\mu}
Lemma 5 :: lemma :: stochastic gradient descent
    lemma5a/class mean :: \mathbb E f(\bar x^T)-f^*\le\tfrac{\|x^0-x^*\|^2}{\eta T}+\eta\sigma^2
""")


def _runs(kind: str, longest: int, about: str) -> dict[str, Any]:
    """One to three rounds on functions of a class, with a step of at most 1/(longest L)."""
    family: Family = functions(
        kind,
        rounds=(1, 2, 3),
        noise=True,
        extra={"step_share": Real(1 / 16, 1, domain=(0, 1))},
        about=about,
    )
    return {"family": family, "defines": {"step_size": lambda w: w.step_share / (longest * w.beta)}}


def _geometric(w: World) -> Sides:
    """The last gap; what is left of the first one, and the limit of the geometric series."""
    gaps, eta = visited(w).excess[..., 0], w.step_size
    start = (1 - eta * w.mu) ** w.rounds * gaps[..., 0]
    noise = eta * w.beta * w.sigma[..., 0] ** 2 / (2 * w.mu)
    return {"f(x^T)": gaps[..., -1]}, {"start": start, "noise": noise}


@claim(
    "lemma4a.refined/convex",
    **_runs("smooth strongly convex", 1, "any smooth, strongly convex loss, two-point noise"),
)
def lemma4a_convex(w: World) -> Sides:
    """A = I: steps up to 1/L, the exact factor of the start, half of the noise.

    Proof. E f(x^{t+1}) <= E f(x^t) - eta (1 - eta L/2) E |grad|^2 + eta^2 L sigma^2/2, |grad|^2 >=
    2 mu (f - f^*) and 1 - eta L/2 >= 1/2; the geometric series is at most 1/(eta mu)."""
    return _geometric(w)


@claim("lemma4a.refined/pl", **_runs("smooth PL", 1, "any smooth PL loss, two-point noise"))
def lemma4a_pl(w: World) -> Sides:
    """Convexity is used for the PL inequality alone.

    Proof. As for strongly convex losses."""
    return _geometric(w)


@claim("lemma5a/class", **_runs("smooth convex", 2, "any smooth convex loss, two-point noise"))
def lemma5a_class(w: World) -> Sides:
    """Any smooth convex loss; see the other leaf for long runs on parabolas.

    Proof. e_{t+1} <= e_t - 2 eta (1 - eta L) E (f(x^t) - f^*) + eta^2 sigma^2, 1 - eta L >= 1/2;
    sum over t, and f at the mean is at most the mean of f."""
    mean: Array = w.run().theta[..., :-1, :].sum(axis=-2) / w.rounds
    away = xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    right = {"start": away / (w.step_size * w.rounds), "noise": w.step_size * w.sigma[..., 0] ** 2}
    return {"f(mean)": w.problem.excess(mean)[..., 0]}, right
