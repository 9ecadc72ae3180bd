"""Theorem 6.b for all losses of its class: any agents, any weights, any rounds, any noise.

Weighted gradient averaging under the synchronous oracle is FedAvg with one local step and the
weights lambda_j; the agent that is followed is one of those with a weight.
"""

from __future__ import annotations

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
""")
_SIMILAR = r"\|\nabla f_i(x^k)-\sum_j\lambda_j\nabla f_j(x^k)\|^2\le m\|\sum_j\lambda_j\nabla f_j(x^k)\|^2+\mu\sum_j\lambda_jb_{ij},\ k\le K"


def _similar(w: World) -> Array:
    """B.3 for agent 1 and the weights of the run, at each of its points."""
    slopes = visited(w).gradients
    mean = xp.total(w.client_weights[..., None, :, None] * slopes, -2)
    apart = xp.squared_norm(slopes[..., 0, :] - mean)
    bias = w.mu * xp.total(w.client_weights * w.bias)
    return w.relaxation[..., None] * xp.squared_norm(mean) + bias[..., None] - apart


_RUN: dict[str, Any] = {
    "family": functions(
        "smooth strongly convex",
        clients=(1, 2),
        rounds=(1, 2),
        method="fedavg",
        noise=True,
        extra={
            "step_share": q.SYMBOLS["step_share"],
            "row": q.SYMBOLS["row"],
            "relaxation": Real(0, 4),
            "bias": Real(0, 64, unit=(1, 0), per=("N",)),
        },
        about="any smooth, strongly convex losses of agents that are similar, two-point noise",
    ),
    "defines": {
        "step_size": lambda w: w.step_share / w.beta,
        "client_weights": lambda w: q.mixing(w.row),
    },
}


@claim(
    "theorem6b.refined/class",
    given=[Hypothesis("similar gradients", _SIMILAR, _similar, "Theorem 6: (B.2) or (B.3)")],
    **_RUN,
)
def theorem6b(w: World) -> Sides:
    """Steps up to 1/L that need not know K, the exact factor of the start, half of the noise, the
    noise of each agent by itself. B.3 is asked at the points of the run and for its weights alone;
    B.2 implies it with m = 0.

    Proof. |grad f_i|^2 <= 2 |grad f_i - grad f^lambda|^2 + 2 |grad f^lambda|^2 <= 4 L (m + 1)
    (f^lambda - min f^lambda) + 2 mu sum lambda b at x^K, and PL for f_i. The gap of f^lambda is at
    most (1 - eta mu)^K of the first one, and eta L sum lambda^2 sigma^2/(2 mu) (Lemma 4.a,
    refined); f^lambda - min f^lambda <= F_lambda, as no f_j is below its own minimum."""
    gaps, kappa = visited(w).excess, w.beta / w.mu
    begin = xp.total(w.client_weights * gaps[..., 0, :])
    noise = w.step_size * w.beta * xp.total(w.client_weights**2 * w.sigma2) / (2 * w.mu)
    factor = 2 * (w.relaxation + 1) * kappa
    return {"E F": gaps[..., -1, 0]}, {
        "start": factor * (1 - w.step_size * w.mu) ** w.rounds * begin,
        "noise": factor * noise,
        "bias": xp.total(w.client_weights * w.bias),
    }
