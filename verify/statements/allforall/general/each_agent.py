"""Theorems 6.b and 7.2 for all losses of their class: any agents, any weights, any rounds, any noise.

Weighted gradient averaging under the synchronous oracle is FedAvg with one local step and the
weights lambda_j, of which some may be 0, also that of the agent that is followed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides
from verify.claim.functions import functions
from verify.statements.allforall import quantities as q
from verify.world.visited import visited
from verify.world.world import World

claim = q.Claims(r"""
Theorem 6.b :: theorem :: weighted gradient averaging
    theorem6b.refined/class mean :: \eta\le\tfrac1L:\ \mathbb E F_i^K\le2(m+1)\kappa\Bigl((1-\eta\mu)^KF_\lambda^0+\tfrac{\eta L}{2\mu}\sum_j\lambda_j^2\sigma_j^2\Bigr)+\sum_j\lambda_jb_{ij}
Theorem 2.2 :: theorem :: weighted gradient averaging
    theorem2.2.refined/class mean :: \eta\le\tfrac1L\wedge\tfrac{\mu^2\varepsilon}{4(m+1)L^2\sum_j\lambda_j^2\sigma_j^2},\ K\ge\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon\big/\ln\tfrac1{1-\eta\mu}:\ \mathbb E F_i^K\le\varepsilon
Theorem 7.2 :: theorem :: weighted gradient averaging
    theorem7.2.refined/class mean :: \eta\le\tfrac1L\wedge\tfrac{\mu^2\varepsilon}{4(m+1)L^2\sum_j\lambda_j^2\sigma_j^2},\ K\ge\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon\big/\ln\tfrac1{1-\eta\mu}:\ \mathbb E F_i^K\le\varepsilon
""")
_SIMILAR = r"\|\nabla f_i(x^k)-\sum_j\lambda_j\nabla f_j(x^k)\|^2\le m\|\sum_j\lambda_j\nabla f_j(x^k)\|^2+\mu\sum_j\lambda_jb_{ij},\ k\le K"
_SHORT = r"\tfrac{(m+1)\kappa\eta L}\mu\sum_j\lambda_j^2\sigma_j^2\le\tfrac\varepsilon4"
_ENOUGH = r"2(m+1)\kappa(1-\eta\mu)^KF_\lambda^0\le\tfrac\varepsilon4"


def _similar(w: World) -> Array:
    """B.3 for agent 1 and the weights of the run, at each of its points."""
    slopes = visited(w).gradients
    mean = xp.total(w.client_weights[..., None, :, None] * slopes, -2)
    apart = xp.squared_norm(slopes[..., 0, :] - mean)
    bias = w.mu * xp.total(w.client_weights * w.bias)
    return w.relaxation[..., None] * xp.squared_norm(mean) + bias[..., None] - apart


def _factor(w: World) -> Array:
    """2 (m + 1) kappa."""
    return 2 * (w.relaxation + 1) * w.beta / w.mu


def _begin(w: World) -> Array:
    """What is left of F_lambda^0, as a bound of F_i."""
    gap = xp.total(w.client_weights * visited(w).excess[..., 0, :])
    return _factor(w) * (1 - w.step_size * w.mu) ** w.rounds * gap


def _noise(w: World) -> Array:
    """eta L sum lambda^2 sigma^2/(2 mu), as a bound of F_i."""
    spread = xp.total(w.client_weights**2 * w.sigma2)
    return _factor(w) * w.step_size * w.beta * spread / (2 * w.mu)


def _bias(w: World) -> Array:
    return xp.total(w.client_weights * w.bias)


def _agents(about: str, **more: Real) -> dict[str, Any]:
    """Runs of one or two rounds with any weights, and a step of at most 1/L."""
    extra = {
        "step_share": q.SYMBOLS["step_share"],
        "row": q.SHARES,
        "relaxation": Real(0, 4),
        "bias": Real(0, 64, unit=(1, 0), per=("N",)),
        **more,
    }
    return {
        "family": functions(
            "smooth strongly convex",
            clients=(1, 2),
            rounds=(1, 2),
            method="fedavg",
            noise=True,
            extra=extra,
            about=f"any smooth, strongly convex losses of agents that are similar, {about}",
        ),
        "defines": {
            "step_size": lambda w: w.step_share / w.beta,
            "client_weights": lambda w: q.mixing(w.row),
        },
    }


similar = Hypothesis("similar gradients", _SIMILAR, _similar, "Theorem 6: (B.2) or (B.3)")


@claim("theorem6b.refined/class", given=[similar], **_agents("two-point noise"))
def theorem6b(w: World) -> Sides:
    """Steps up to 1/L that need not know K, the exact factor of the start, half of the noise, the
    noise of each agent by itself. B.3 is asked at the points of the run and for its weights alone;
    B.2 implies it with m = 0.

    Proof. |grad f_i|^2 <= 2 |grad f_i - grad f^lambda|^2 + 2 |grad f^lambda|^2 <= 4 L (m + 1)
    (f^lambda - min f^lambda) + 2 mu sum lambda b at x^K, and PL for f_i. The gap of f^lambda is at
    most (1 - eta mu)^K of the first one, and eta L sum lambda^2 sigma^2/(2 mu) (Lemma 4.a,
    refined); f^lambda - min f^lambda <= F_lambda, as no f_j is below its own minimum."""
    right = {"start": _begin(w), "noise": _noise(w), "bias": _bias(w)}
    return {"E F": visited(w).excess[..., -1, 0]}, right


def _within(share: int, part: Callable[[World], Array]) -> Callable[[World], Array]:
    return lambda w: w.precision / share - part(w)


@claim(
    "theorem7.2.refined/class",
    given=[
        similar,
        Hypothesis(
            "biases", r"\sum_j\lambda_jb_{ij}\le\varepsilon/2", _within(2, _bias), "Theorem 7"
        ),
        Hypothesis("short step", _SHORT, _within(4, _noise)),
        Hypothesis("K at least the number", _ENOUGH, _within(4, _begin)),
    ],
    uses=("allforall.theorem6b.refined",),
    **_agents("to any precision", precision=Real(1 / 64, 64, unit=(1, 0), log=True)),
)
def theorem7_2(w: World) -> Sides:
    """Any weights whose mean bias is at most eps/2, as those of Theorem 7 are; a round takes one
    sample of each agent. With equal weights sum lambda^2 sigma^2 is at most sigma^2/N_i, and (1 -
    eta mu)^K <= exp(-eta mu K) makes K >= ln(8 (m + 1) kappa F/eps)/(eta mu) enough: N K is half of
    the number of the repaired form where the noise decides.

    Proof. The three terms of Theorem 6.b (refined) are at most eps/4, eps/4 and eps/2."""
    return {"E F": visited(w).excess[..., -1, 0]}, {"precision": w.precision}


theorem2_2 = claim.variant(
    theorem7_2,
    "theorem2.2.refined/class",
    note="""Any m, and m = 0 under B.2. Besides the logarithms the optimisation term N kappa is missing
    in print, and the proof gives kappa^2.""",
)
