"""Loops over replicates and clients in plain numpy: what the engine is compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def fedavg(targets: Array, step_size: float, replicates: int, rounds: int, seed: int = 0) -> Array:
    """FedAvg with one local step on streaming least squares, H = I and batch 1.

    Parameters
    ----------
    targets : array, (N, d)

    Returns
    -------
    array, (replicates, d)
        The server's models after the last round.
    """
    clients, dim = targets.shape
    rng = np.random.default_rng(seed)
    out = np.zeros((replicates, dim), targets.dtype)
    for server in out:
        models = np.empty_like(targets)
        for _ in range(rounds):
            for k in range(clients):
                feature = rng.standard_normal(dim, dtype=targets.dtype)
                gradient = 2 * (feature @ (server - targets[k])) * feature
                models[k] = server - step_size * gradient
            server[:] = models.mean(0)
    return out


def all_for_one(
    forms: Array, optima: Array, scale: float, step_size: float, rounds: int, seed: int = 0
) -> Array:
    """All-for-one with true ratios, equal claimed variances and shared samples, one replicate.

    Parameters
    ----------
    forms, optima : arrays, (N, d, d) and (N, d)
        Of the losses (x - optimum)^T form (x - optimum).
    scale : float
        Standard deviation of each client's Gaussian noise.

    Returns
    -------
    array, (N, d)
        Everybody's model after the last round.
    """
    clients, dim = optima.shape
    rng = np.random.default_rng(seed)
    models = np.ones((clients, dim), optima.dtype)
    for _ in range(rounds):
        noise = rng.standard_normal((clients, dim)).astype(optima.dtype) * scale / np.sqrt(dim)
        after = np.empty_like(models)
        for i in range(clients):
            gradients = [2 * forms[k] @ (models[i] - optima[k]) for k in range(clients)]
            own = gradients[i] @ gradients[i]
            ratios = [
                max(0.0, 1 - float((g - gradients[i]) @ (g - gradients[i])) / own)
                for g in gradients
            ]
            square = sum(r * r for r in ratios)
            direction = np.zeros(dim, optima.dtype)
            for k in range(clients):
                direction += ratios[k] / square * (gradients[k] + noise[k])
            after[i] = models[i] - step_size * direction
        models = after
    return models
