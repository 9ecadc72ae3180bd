"""Lemma 1 and Theorem 2 for each client by itself: any smooth losses, any weights, any noise.

A group that never changes is FedAvg with one local step and the weights a_j = D_j/D, begun at a
common model: what is here holds for each client of each group, and so for their sum.
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from verify.claim import Array, Family, Real, Sides, statement
from verify.claim.functions import functions
from verify.statements.hcct.quantities.symbols import SIZES
from verify.world.visited import Visited, visited
from verify.world.world import World


def _group(rounds: int | tuple[int, ...], longest: float, about: str) -> dict[str, Any]:
    """Epochs of one group, with a step of at most longest/L."""
    share = Real(1 / 16, 1 if longest == 1 else 4, domain=(0, 1) if longest == 1 else None)
    family: Family = functions(
        "smooth",
        clients=(1, 2),
        rounds=rounds,
        method="fedavg",
        noise=True,
        extra={"step_share": share, "size": SIZES},
        about=about,
    )
    return {
        "family": family,
        "defines": {
            "step_size": lambda w: w.step_share / w.beta,
            "client_weights": lambda w: w.size / xp.total(w.size)[..., None],
        },
    }


def _seen(w: World) -> Visited:
    found = visited(w)
    assert isinstance(found, Visited)
    return found


def _average_noise(w: World) -> Array:
    """sum_j a_j^2 sigma_j^2, at most the largest sigma_j^2."""
    return xp.total(w.client_weights**2 * w.sigma2)


@statement(
    "hcct.lemma1.refined/each-client",
    where="Lemma 1",
    kind="lemma",
    title="one client of a group that begins together, any smooth loss",
    latex=r"\mathbb E[J_i(\mathbf w^{t+1})]-J_i(\mathbf w^t)\le-\eta^t\langle\nabla J_i,\textstyle\sum_ja_j\nabla J_j\rangle+\frac{L(\eta^t)^2}2\bigl(\|\sum_ja_j\nabla J_j\|^2+\sum_ja_j^2\sigma_j^2\bigr)",
    over="mean",
    note="Members of the group hold one model, one local step, steps of any size.",
    proof="""Smoothness of J_i along the step, whose mean is -eta sum_j a_j grad J_j; the noises of the
    clients are independent, so that their average has the variance sum_j a_j^2 sigma_j^2.""",
    **_group(1, 4, "one epoch of a group of any smooth losses, two-point noise"),
)
def descent(w: World) -> Sides:
    seen, eta = _seen(w), w.step_size
    slopes = seen.gradients[..., 0, :, :]
    mean = xp.total(w.client_weights[..., None] * slopes, -2)
    scale = w.beta * eta**2 / 2
    return {"J after": seen.values[..., 1, 0]}, {
        "J before": seen.values[..., 0, 0],
        "alignment": -eta * xp.dot(slopes[..., 0, :], mean),
        "squared": scale * xp.squared_norm(mean),
        "noise": scale * _average_noise(w),
    }


@statement(
    "hcct.theorem2.refined/each-client",
    where="Theorem 2",
    kind="theorem",
    title="each client of a group that never changes, any smooth losses",
    latex=r"\frac1T\sum_t\mathbb E\|\nabla J_i(\mathbf w^t)\|^2\le\frac{2(J_i(\mathbf w^0)-J_i^*)}{\eta T}+\frac1T\sum_t\sum_ja_j\mathbb E\|\nabla J_i(\mathbf w^t)-\nabla J_j(\mathbf w^t)\|^2+L\eta\sum_ja_j^2\sigma_j^2",
    over="mean",
    uses=("hcct.lemma1.refined",),
    note="""A step of at most 1/L, one local step, a common start.  By Assumption 3 the second sum is
    at most sum_j a_j kappa_ij^2, half of what the theorem has there; the noise is that of an average.
    Of clients in any groups that never change this is the theorem itself, client by client.""",
    proof="""Lemma 1 for client i and -<x, y> = (|x - y|^2 - |x|^2 - |y|^2)/2: for eta <= 1/L what is
    left of |sum_j a_j grad J_j|^2 is not positive.  |grad J_i - sum_j a_j grad J_j|^2 is at most
    sum_j a_j |grad J_i - grad J_j|^2; sum over t.""",
    **_group((1, 2), 1, "one or two epochs of a group of any smooth losses, two-point noise"),
)
def average(w: World) -> Sides:
    seen, eta = _seen(w), w.step_size
    slopes = seen.gradients[..., :-1, :, :]  # (B, R, T, N, d)
    own = slopes[..., :1, :]
    apart = xp.total(w.client_weights[..., None, :] * xp.squared_norm(own - slopes))
    return {"average": xp.squared_norm(own[..., 0, :]).sum(-1) / w.rounds}, {
        "start": 2 * seen.excess[..., 0, 0] / (eta * w.rounds),
        "dissimilarity": apart.sum(-1) / w.rounds,
        "noise": w.beta * eta * _average_noise(w),
    }
