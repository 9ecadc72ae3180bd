"""Weighted gradient averaging: one model for all agents, weights that do not change.

Losses are above their least values: f_j(x) - f_j^* for every agent.  ``G`` is the loss of the
agent that is followed, ``H`` the mean of all by the weights, whose least value is ``least``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.outlines.exact import fractions, in_fractions
from verify.outlines.setting import ANY, Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.allforall.general import each_agent
from verify.world.visited import visited

QUANTITIES = (
    Quantity("t", "index", "round, from 0", "k"),
    Quantity("j", "index", "agent, from 0", "j"),
    Quantity("L", "positive", "smoothness of every loss", "L"),
    Quantity("mu", "positive", "strong convexity of every loss", r"\mu"),
    Quantity("eta", "positive", "step size", r"\eta"),
    Quantity("relax", "nonnegative", "m of B.3", "m"),
    Quantity("share[j]", "nonnegative", "weight of an agent", r"\lambda_j"),
    Quantity("sigma2[j]", "nonnegative", "variance of its noise, at most", r"\sigma_j^2"),
    Quantity("b[j]", "nonnegative", "its bias against the agent that is followed", "b_{ij}"),
    Quantity("spread", "nonnegative", "variance of the mean noise", r"\sum_j\lambda_j^2\sigma_j^2"),
    Quantity("eps", "positive", "precision", r"\varepsilon"),
    Quantity("low", "real", "mean of the least values of the losses", r"\sum_j\lambda_jf_j^*"),
    Quantity("lowest", "real", "least value of the loss of the agent that is followed", "f_i^*"),
    Quantity("least", "real", "least value of the mean loss", r"\min f^\lambda"),
    Quantity("K", "nonnegative integer", "rounds", "K"),
    Quantity("N", "positive integer", "agents", "N"),
    Quantity("x[t]", "vector", "model", "x^k", known="t"),
    Quantity("n[t]", "vector", "mean noise", r"\sum_j\lambda_j\xi_j^k", known="t + 1"),
    Quantity("G", "function", "loss of the agent that is followed", "f_i"),
    Quantity("f", "function", "loss of an agent", "f_j", own=True),
    Quantity("H", "function", "mean loss by the weights", r"f^\lambda", mean_of="f"),
)
_B3 = "agents with similar gradients (B.3) at the end"
_APART, _SLOPE = "(grad(G, x[K]) - grad(H, x[K]))**2", "grad(H, x[K])**2"
_BIAS = "Sum(share[j]*b[j], (j, 0, N - 1))"
FACTS = {
    "rule": Guaranteed("method", {"entry": "x[t + 1]", "is_": "x[t] - eta*(grad(H, x[t]) + n[t])"}),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "variance": Guaranteed("variance", {"noise": "n[t]", "sigma2": "spread"}, scope=""),
    "independent": Guaranteed(
        "relation",
        {"less": "spread", "more": "Sum(share[j]**2*sigma2[j], (j, 0, N - 1))"},
        scope="independent noises of variance at most sigma_j^2",
    ),
    "smooth": Guaranteed("smooth", {"f": "H", "L": "L", "at": ANY, "to": ANY}),
    "steep": Guaranteed(
        "smooth above its infimum", {"f": "H", "L": "L", "at": ANY, "low": "least"}, scope=""
    ),
    "PL": Guaranteed("PL", {"f": "H", "mu": "mu", "at": ANY, "low": "least"}),
    "PL of i": Guaranteed("PL", {"f": "G", "mu": "mu", "at": ANY, "low": "lowest"}),
    "least": Guaranteed("condition", {"less": "low", "more": "least"}, scope=""),
    "constants": Guaranteed("condition", {"less": "mu", "more": "L"}, scope=""),
    "short step": Guaranteed("condition", {"less": "eta", "more": "1/L"}),
    "similar": Guaranteed(
        "relation",
        {"less": _APART, "more": f"relax*{_SLOPE} + mu*{_BIAS}"},
        needs=(each_agent.similar.name,),
        scope=_B3,
    ),
}


def _start(w: Any) -> Any:
    """F_lambda^0."""
    return xp.total(w.client_weights * visited(w).excess[..., 0, :])


TERMS = (
    Term("L", lambda w: w.beta),
    Term("mu", lambda w: w.mu),
    Term("eta", lambda w: w.step_size),
    Term("relax", lambda w: w.relaxation),
    Term("eps", lambda w: w.precision),
    Term("K", lambda w: w.rounds),
    Term("share[j]", lambda w: w.client_weights, per="j"),
    Term("sigma2[j]", lambda w: w.sigma2, per="j"),
    Term("b[j]", lambda w: w.bias, per="j"),
    Term("H(x[0]) - low", _start),
    Term("G(x[K]) - lowest", lambda w: visited(w).excess[..., -1, 0], random=True),
)


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of a world as outlines see it."""
    seen = visited(world)
    models = in_fractions(world.run().theta)[0]  # (R, K + 1, d)
    excess, slopes = in_fractions(seen.excess)[0], in_fractions(seen.gradients)[0]
    outcomes, length, _ = models.shape
    rounds, agents = length - 1, excess.shape[-1]
    chances = fractions(np.broadcast_to(np.asarray(world.weights)[0], (outcomes,)))
    share = fractions(world.client_weights)
    eta = fractions(world.step_size)[0]
    mean = (excess * np.array(share, dtype=object)).sum(-1)
    slope = (slopes * np.array(share, dtype=object)[:, None]).sum(-2)  # (R, K + 1, d)
    noise = (models[:, :-1] - models[:, 1:]) / eta - slope[:, :-1]
    mu = fractions(world.original("mu"))[0]
    # where the inequality of the mean loss holds at all points: at most its least value
    least = max(
        0, *(m - (g**2).sum() / (2 * mu) for m, g in zip(mean.flat, _rows(slope), strict=True))
    )
    known = {
        (j, tuple(models[o, t])): (excess[o, t, j], tuple(slopes[o, t, j]))
        for o in range(outcomes)
        for t in range(length)
        for j in range(agents)
    }
    zero = (Fraction(0),) * models.shape[-1]
    numbers: dict[str, Any] = {
        "L": fractions(world.original("beta"))[0],
        "mu": mu,
        "eta": eta,
        "relax": fractions(world.relaxation)[0],
        "eps": fractions(world.precision)[0] if world.has("precision") else Fraction(1),
        "share": share,
        "sigma2": fractions(world.sigma2),
        "b": fractions(world.bias),
        "spread": max(
            sum(c * (x**2).sum() for c, x in zip(chances, noise[:, t], strict=True))
            for t in range(rounds)
        ),
        "low": Fraction(0),
        "lowest": Fraction(0),
        "least": least,
        "K": rounds,
        "N": agents,
    }

    def loss(client: int, x: Any) -> tuple[Fraction, Any]:
        return known.get((client, x), (Fraction(0), zero))

    own = (lambda i, x: loss(i, x)[0], lambda i, x: loss(i, x)[1])
    first = (lambda _, x: loss(0, x)[0], lambda _, x: loss(0, x)[1])
    return ExactRun(
        chances,
        share,
        numbers={name: _entry(value) for name, value in numbers.items()},
        vectors={
            "x": lambda _, o, i, t: tuple(models[o, t]) if t < length else zero,
            "n": lambda _, o, i, t: tuple(noise[o, t]) if t < rounds else zero,
        },
        functions={"f": own, "G": first},
    ), {"t": rounds, "j": agents}


def _rows(points: Any) -> Any:
    return points.reshape(-1, points.shape[-1])


def _entry(value: Any) -> Any:
    if not isinstance(value, list):
        return lambda *_: Fraction(value)
    return lambda place: value[place] if place < len(value) else Fraction(0)


AVERAGING = OutlineSetting(
    "weighted gradient averaging",
    (each_agent.theorem6b.family, each_agent.theorem7_2.family),
    QUANTITIES,
    TERMS,
    FACTS,
    measured,
    {"j": "N"},
)
