r"""CoBo: models are pulled together where the clients' gradients at the midpoint agree.

.. math:: w_{ij} \leftarrow \mathrm{Proj}_{[0,1]} \big( w_{ij}
          + \gamma \langle g_i(z_{ij}), g_j(z_{ij}) \rangle \big), \quad
          z_{ij} = (x_i + x_j)/2, \qquad
          x_i \leftarrow x_i - \eta \Big( g_i(x_i) + \rho \sum_j w_{ij} (x_i - x_j) \Big)

The weights move first, on the pairs sampled in the round, and all start at one; with
``first="models"`` the models move first, and z_ij lies between the new ones. Differs from the
authors' code in this order: there the models move first. Slot ``k`` of a
round is client k's gradient at its model, slot ``N + i*N + j`` that of client j at z_ij.

Source: adaptive, Baselines, Cobo (Hashemi, He, Jaggi 2024, Algorithm 1).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import torch

from algorithms.method import (
    START_AXES,
    START_UNITS,
    Hyper,
    Method,
    State,
    choice,
    followed,
    scheduled,
    start_points,
    trail,
)
from bounds.numbers.validate import nonnegative, probability, require

ORDERS = ("weights", "models")


class CoBo(Method):
    """Collaboration by bilevel optimisation; ``theta`` holds the followed clients' models.

    Hyper-parameters
    ----------------
    coupling, shape (...)
        rho >= 0. Unit: loss / length squared. Zero is Local.
    weight_step, shape (...)
        gamma >= 0. Unit: length squared / loss squared.
    first : {"weights", "models"}
        What moves first in a round.
    initial_weights, shape (..., N, N)
        w^0, symmetric, in [0, 1]; default ones.
    pairs, shape (..., T, N, N) or (..., 1, N, N)
        Symmetric 0/1 masks of the pairs whose weights move, see :func:`sampled_pairs`; default
        all pairs in every round.
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    start, shape (..., d), or starts, shape (..., N, d)
        x^0.
    focus : list of int
        Clients whose models are recorded, default all; all of them are computed.
    """

    name: ClassVar[str] = "cobo"
    units: ClassVar[dict[str, tuple[int, int]]] = {
        **START_UNITS,
        "coupling": (1, -2),
        "weight_step": (-2, 2),
    }
    axes: ClassVar[dict[str, str]] = {
        **START_AXES,
        "coupling": "",
        "weight_step": "",
        "initial_weights": "N N",
        "pairs": "T N N",
    }
    settings: ClassVar[tuple[str, ...]] = ("first", "focus")
    traces: ClassVar[dict[str, str]] = {"weights": "N N"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """N gradients for the models and N N at the midpoints; those of i = j are not used."""
        return clients + clients**2

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Starting models, everybody connected."""
        for name in ("coupling", "weight_step"):
            require(hyper.get(name) is not None, name, "given", None, "pass a number")
            nonnegative(name, hyper[name])
        for name in ("initial_weights", "pairs"):
            if hyper.get(name) is not None:
                probability(name, hyper[name])
                same = bool((hyper[name] == hyper[name].mT).all())
                require(same, name, "symmetric", "an asymmetric matrix", "pass (A + A.T) / 2")
        choice(hyper, "first", ORDERS)
        models = start_points(problem, hyper, range(problem.clients))
        weights = hyper.get("initial_weights")
        if weights is None:
            weights = models.new_ones(problem.clients, problem.clients)
        chosen = followed(problem.clients, hyper)
        return {
            "models": models,
            "theta": models[..., chosen, :],
            "chosen": chosen,
            "weights": weights * _apart(models),
            "wide": problem.expand(1),
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Weights from the midpoints, then one pulled gradient step of every client."""
        n, models, weights = (
            problem.clients,
            state["models"],
            state["weights"],
        )  # models (..., N, d)
        early = choice(hyper, "first", ORDERS) == "models"
        if early:
            models = _pulled(t, problem, hyper, models, weights, draws[..., :n, :])
        words = draws[..., n:, :].unflatten(-2, (n, n))  # (..., N, N, w)
        middle = (models[..., :, None, :] + models[..., None, :, :]) / 2  # (..., N, N, d)
        gradients = state["wide"].own_stochastic_gradients(middle, words)  # [i, j] of client j
        agreement = (gradients * gradients.transpose(-2, -3)).sum(-1)  # (..., N, N)
        move = trail(hyper["weight_step"], 2) * _pairs(hyper, t) * agreement
        weights = (weights + move).clamp(0, 1) * _apart(models)
        if not early:
            models = _pulled(t, problem, hyper, models, weights, draws[..., :n, :])
        return {
            **state,
            "models": models,
            "theta": models[..., state["chosen"], :],
            "weights": weights,
        }


def sampled_pairs(clients: int, rounds: int, probability: float, seed: int) -> Any:
    """Masks of pairs drawn independently in every round, for ``pairs``.

    Parameters
    ----------
    clients, rounds : int
        N and T.
    probability : float
        Chance of each pair in each round, in [0, 1]; the paper takes a constant of order 1/N.
    seed : int

    Returns
    -------
    numpy array, (T, N, N)
        Symmetric, of zeros and ones, zero on the diagonal.
    """
    inside = 0 <= probability <= 1
    require(inside, "probability", "in [0, 1]", probability, "pass 1/N, for instance")
    drawn = np.random.default_rng(seed).random((rounds, clients, clients)) < probability
    upper = np.triu(drawn, 1)
    return (upper | upper.swapaxes(-1, -2)).astype(float)


def _pulled(t: int, problem: Any, hyper: Hyper, models: Any, weights: Any, draws: Any) -> Any:
    """One gradient step of every client, pulled to the others by these weights, (..., N, d)."""
    apart = models[..., :, None, :] - models[..., None, :, :]
    pull = (weights[..., None] * apart).sum(-2)
    gradient = problem.own_stochastic_gradients(models, draws)
    eta = trail(scheduled(hyper, "step_size", t), 2)
    return models - eta * (gradient + trail(hyper["coupling"], 2) * pull)


def _apart(models: Any) -> Any:
    """One for every pair of different clients, (N, N)."""
    n = models.shape[-2]
    return 1 - torch.eye(n, dtype=models.dtype, device=models.device)


def _pairs(hyper: Hyper, t: int) -> Any:
    """Mask of round t, (..., N, N), or 1."""
    masks = hyper.get("pairs")
    if masks is None:
        return 1
    length = masks.shape[-3]
    enough = length == 1 or t < length
    require(enough, "pairs", f"longer than {t} rounds", length, "pass one mask per round")
    return masks[..., 0 if length == 1 else t, :, :]
