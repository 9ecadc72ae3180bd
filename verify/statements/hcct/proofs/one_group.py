"""A group that never changes and begins together, any smooth losses: what its runs guarantee.

Its members have one model; J is the loss of each, G that of the member which is looked at, and H
their mean by the weights a_j.  Every loss is at least 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.outlines.exact import fractions, in_fractions
from verify.outlines.setting import ANY, Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.hcct import each_client
from verify.statements.hcct.proofs.paths import numbered
from verify.world.visited import visited

__all__ = ["ONE_EPOCH", "SHORT_STEPS"]

NOISE = "Sum(a[j]**2*sigma2[j], (j, 0, N - 1))"
QUANTITIES = (
    Quantity("t", "index", "epoch, from 0", "t"),
    Quantity("j", "index", "member, from 0", "j"),
    Quantity("L", "positive", "smoothness of every loss", "L"),
    Quantity("eta", "positive", "step size", r"\eta"),
    Quantity("a[j]", "nonnegative", "weight of a member", "a_j"),
    Quantity("sigma2[j]", "nonnegative", "variance of its noise, at most", r"\sigma_j^2"),
    Quantity("spread", "nonnegative", "variance of the mean noise", r"\mathbb E\|\sum_ja_j(\mathbf g_j-\nabla J_j)\|^2"),
    Quantity("T", "positive integer", "number of epochs", "T"),
    Quantity("N", "positive integer", "number of members", "N"),
    Quantity("J", "function", "loss of a member", "J_j", own=True),
    Quantity("H", "function", "mean of the losses by the weights", r"\sum_ja_jJ_j", mean_of="J"),
    Quantity("G", "function", "loss of the member that is looked at", "J_i"),
    Quantity("w[t]", "vector", "model of the group", r"\mathbf w^t", known="t"),
    Quantity("n[t]", "vector", "mean noise", r"\sum_ja_j(\mathbf g_j-\nabla J_j)", known="t + 1"),
)  # fmt: skip
FACTS = {
    "rule": Guaranteed("method", {"entry": "w[t + 1]", "is_": "w[t] - eta*(grad(H, w[t]) + n[t])"}),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "noise": Guaranteed("variance", {"noise": "n[t]", "sigma2": "spread"}, scope=""),
    "independent": Guaranteed(
        "relation",
        {"less": "spread", "more": NOISE},
        scope="independent noises of variance at most sigma_j^2",
    ),
    "smooth": Guaranteed("smooth", {"f": "G", "L": "L", "at": ANY, "to": ANY}),
    "below": Guaranteed("bounded below", {"f": "G", "low": "0", "at": ANY}, scope=""),
}


def _slopes(w: Any) -> Any:
    """Of every member at the first model."""
    return visited(w).gradients[..., 0, :, :]


TERMS = (
    Term("L", lambda w: w.beta),
    Term("eta", lambda w: w.step_size),
    Term("a[j]", lambda w: w.client_weights, per="j"),
    Term("sigma2[j]", lambda w: w.sigma2, per="j"),
    Term("G(w[0])", lambda w: visited(w).values[..., 0, 0]),
    Term("G(w[1])", lambda w: visited(w).values[..., 1, 0], random=True),
    Term("grad(G, w[0])", lambda w: _slopes(w)[..., 0, :], per="d"),
    Term(
        "grad(H, w[0])",
        lambda w: xp.total(w.client_weights[..., None] * _slopes(w), -2),
        per="d",
    ),
)


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of a world as outlines see it."""
    seen = visited(world)
    values, slopes = in_fractions(seen.values)[0], in_fractions(seen.gradients)[0]
    outcomes, length, members = values.shape
    models = np.broadcast_to(in_fractions(seen.points)[0], (outcomes, length, slopes.shape[-1]))
    chances = fractions(np.broadcast_to(np.asarray(world.weights)[0], (outcomes,)))
    weights, eta = fractions(world.client_weights), fractions(world.step_size)[0]
    mean = (slopes * np.array(weights, dtype=object)[:, None]).sum(-2)
    noise = (models[:, :-1] - models[:, 1:]) / eta - mean[:, :-1]
    squares = ((noise**2).sum(-1) * np.array(chances, dtype=object)[:, None]).sum(0)
    numbers = {
        "L": fractions(world.original("beta"))[0],
        "eta": eta,
        "a": weights,
        "sigma2": fractions(world.sigma2),
        "spread": max(squares),
        "T": length - 1,
        "N": members,
    }
    zero = (Fraction(0),) * models.shape[-1]
    known = {
        (j, tuple(models[o, t])): (values[o, t, j], tuple(slopes[o, t, j]))
        for o, t, j in np.ndindex(*values.shape)
    }

    def value(member: int, point: Any) -> Fraction:
        found: Fraction = known.get((member, point), (Fraction(0), zero))[0]
        return found

    def slope(member: int, point: Any) -> tuple[Fraction, ...]:
        found: tuple[Fraction, ...] = known.get((member, point), (Fraction(0), zero))[1]
        return found

    return ExactRun(
        chances,
        weights,
        numbers=numbered(numbers),
        vectors={
            "w": lambda _, o, j, t: tuple(models[o, t]) if t < length else zero,
            "n": lambda _, o, j, t: tuple(noise[o, t]) if t < length - 1 else zero,
        },
        functions={
            "J": (value, slope),
            "G": (lambda _, x: value(0, x), lambda _, x: slope(0, x)),
        },
    ), {"t": length - 1, "j": members}


ONE_EPOCH = OutlineSetting(
    "one epoch of a group that begins together",
    (each_client.descent.family,),
    tuple(q for q in QUANTITIES if q.name != "T"),
    TERMS,
    {name: FACTS[name] for name in ("rule", "unbiased", "noise", "independent", "smooth")},
    measured,
    {"j": "N"},
)
"""Steps of any size."""

SHORT_STEPS = replace(
    ONE_EPOCH,
    name="a group that never changes and begins together",
    families=(each_client.average.family,),
    quantities=QUANTITIES,
    terms=(
        *(term for term in TERMS if term.formula in ("L", "eta", "a[j]", "sigma2[j]")),
        Term("T", lambda w: w.rounds),
        Term("G(w[0])", lambda w: visited(w).excess[..., 0, 0]),
        Term(
            "Sum(grad(G, w[t])**2, (t, 0, T - 1))/T",
            lambda w: each_client.average(w)[0]["average"],
            random=True,
        ),
        Term(
            "Sum((grad(G, w[t]) - grad(J, w[t]))**2, (t, 0, T - 1))/T",
            lambda w: each_client.average(w)[1]["dissimilarity"],
            random=True,
        ),
    ),
    facts={**FACTS, "short step": Guaranteed("condition", {"less": "eta", "more": "1/L"})},
)
"""Steps of at most 1/L."""
