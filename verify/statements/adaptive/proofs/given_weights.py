"""One round of All-for-one with weights that are given, from any model: notation, and what it has.

Client i moves from w[0] to w[1] = w[0] - eta (A m[0] + n[0]), where A is the sum of its weights,
m[0] the mean gradient by them and n[0] the weighted sum of the clients' noises.  Its loss is counted
above its least value.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.outlines.exact import fractions, in_fractions
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun, Point
from verify.statements.adaptive import lemma1
from verify.statements.adaptive import quantities as q

QUANTITIES = (
    Quantity("t", "index", "round, from 0, of which there is one", "t"),
    Quantity("beta", "positive", "smoothness of the loss", r"\beta"),
    Quantity("eta", "positive", "step size", r"\eta"),
    Quantity("A", "positive", "sum of the weights", r"\sum_k\alpha_{ik}"),
    Quantity("gaps", "nonnegative", "weighted squared gaps", r"\sum_k\alpha_{ik}\Delta_k^2"),
    Quantity("stated", "nonnegative", "stated variance of the sum", r"\sum_k\alpha_{ik}^2\sigma_k^2"),
    Quantity("own", "nonnegative", "variance of the sum", r"\sum_k\alpha_{ik}^2\mathbb V[g_k]"),
    Quantity("F", "function", "loss of the client that asks above its least value", r"\varepsilon_i"),
    Quantity("w[t]", "vector", "model after so many rounds", r"\theta_i^t", known="t"),
    Quantity("m[t]", "vector", "mean gradient by the weights", r"\nabla R_{\alpha_i}", known="t"),
    Quantity("n[t]", "vector", "weighted sum of the noises", r"\sum_k\alpha_{ik}\xi_k", known="t + 1"),
)  # fmt: skip
_INDEPENDENT = "independent noises"
FACTS = {
    "rule": Guaranteed("method", {"entry": "w[1]", "is_": "w[0] - eta*(A*m[0] + n[0])"}),
    "smooth": Guaranteed("smooth", {"f": "F", "L": "beta", "at": "w[0]", "to": "w[1]"}),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "variance": Guaranteed(
        "variance",
        {"noise": "n[0]", "sigma2": "stated"},
        scope=f"{_INDEPENDENT} of variance at most sigma_k^2",
    ),
    "no larger variance": Guaranteed(
        "relation", {"less": "n[0]**2", "more": "own"}, scope=_INDEPENDENT
    ),
    "no smaller variance": Guaranteed(
        "relation", {"less": "own", "more": "n[0]**2"}, scope=_INDEPENDENT
    ),
    "gaps": Guaranteed(
        "weighted sum in the mean",
        {"sum": "A*(m[0] - grad(F, w[0]))", "squares": "gaps", "at_most": "A"},
        scope="",
    ),
}


def _place(w: Any) -> Any:
    return w.run().theta[..., 0, :]


def _mixed(w: Any) -> Any:
    gradients = w.problem.gradients(_place(w))
    return xp.total(w.alpha[..., None] * gradients, axis=-2) / xp.total(w.alpha)[..., None]


def _taken(w: Any) -> Any:
    whole = w.step_size[..., None] * xp.total(w.alpha)[..., None]
    return (_place(w) - w.run().theta[..., 1, :]) / whole


def _own_variance(w: Any) -> Any:
    share = w.alpha / xp.total(w.alpha)[..., None]
    return xp.total(share**2 * w.problem.gradient_variance(_place(w)))


TERMS = (
    Term("beta", lambda w: w.beta),
    Term("eta", lambda w: w.step_size),
    Term("A", lambda w: xp.total(w.alpha)),
    Term("gaps", lambda w: xp.total(w.alpha * q.squares(w.problem, _place(w))[1])),
    Term("stated", lambda w: xp.total(w.alpha**2 * w.sigma2)),
    Term("own/A**2", _own_variance),
    Term("F(w[1])", lambda w: q.excess(w, 1), random=True),
    Term("F(w[0])", lambda w: q.excess(w, 0)),
    Term("grad(F, w[0])", lambda w: w.problem.gradients(_place(w))[..., 0, :], per="d"),
    Term("m[0]", _mixed, per="d"),
    Term("(w[0] - w[1])/(eta*A)", _taken, per="d", random=True),
)


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The round of a world as outlines see it."""
    theta = np.asarray(world.run().theta)[0]  # (R, 2, d)
    outcomes = len(theta)
    chances = fractions(np.broadcast_to(np.asarray(world.weights)[0], (outcomes,)))
    alpha, sigma2 = (np.array(fractions(v)) for v in (world.alpha, world.sigma2))
    step, whole = fractions(world.step_size)[0], alpha.sum()
    slopes = in_fractions(world.problem.gradients(theta[None, :, 0]))[0, 0]  # (N, d)
    spread = np.array(fractions(np.asarray(world.problem.gradient_variance(theta[None, :1, 0]))))
    mean = (alpha[:, None] * slopes).sum(0) / whole
    numbers = {
        "beta": fractions(world.beta)[0],
        "eta": step,
        "A": whole,
        "gaps": (alpha * ((slopes - slopes[0]) ** 2).sum(-1)).sum(),
        "stated": (alpha**2 * sigma2).sum(),
        "own": (alpha**2 * spread).sum(),
    }
    models = in_fractions(theta)
    vectors = {
        "w": [models[:, 0], models[:, 1]],
        "m": [[mean] * outcomes],
        "n": [(models[:, 0] - models[:, 1]) / step - whole * mean],
    }
    zero = (Fraction(0),) * models.shape[-1]
    known: dict[Point, tuple[Fraction, Point]] = {}
    for t in (0, 1):
        values = np.broadcast_to(in_fractions(q.excess(world, t))[0], (outcomes,))
        own = in_fractions(world.problem.gradients(theta[None, :, t]))[0, :, 0]
        known |= {(*x,): (v, (*g,)) for x, v, g in zip(models[:, t], values, own, strict=True)}

    def number(value: Fraction) -> Any:
        return lambda: value

    def point(rows: Any) -> Any:
        return lambda run, outcome, client, t: (*rows[t][outcome],) if t < len(rows) else zero

    return ExactRun(
        chances,
        numbers={name: number(Fraction(value)) for name, value in numbers.items()},
        vectors={name: point(rows) for name, rows in vectors.items()},
        functions={
            "F": (
                lambda i, x: known.get(x, (Fraction(0), zero))[0],
                lambda i, x: known.get(x, (Fraction(0), zero))[1],
            )
        },
    ), {"t": 1}


GIVEN_WEIGHTS = OutlineSetting(
    "a round of All-for-one with given weights",
    (
        lemma1.lemma1_repaired.family,
        *lemma1.lemma1_repaired.also,
        lemma1.smoothness.family,
        *lemma1.smoothness.also,
    ),
    QUANTITIES,
    TERMS,
    FACTS,
    measured,
)

__all__ = ["GIVEN_WEIGHTS"]
