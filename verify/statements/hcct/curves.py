"""Theorem 2 and Corollary 1 of the grouping paper at scale: many clients, long schedules.

Own models of parabolas under noise of any law follow an affine recursion, so that mean and
covariance of all clients together are exact; the sides see points that have both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from verify.claim import Array, Statement
from verify.rates.boxed import boxed
from verify.rates.record import Cell, Rate
from verify.statements.hcct import convergence, limits
from verify.statements.hcct.quantities import training
from verify.statements.hcct.quantities.training import Training
from verify.world.world import World


class Followed(Training):
    """The same training by its exact moments: models (B, 2 N, N) of the exact covariance."""

    def __init__(self, w: World) -> None:
        super().__init__(w)
        clients, spread = self.clients, np.zeros((1, 1, self.clients, self.clients))
        actual = w.original("sigma")[..., None] * w.original("share")
        means, self.models = self.models, []
        eye = np.eye(clients)
        for t, mean in enumerate(means):
            self.models.append(_points(mean, spread))
            if t > self.last:
                break
            word = self.words[t]
            weights, eta = (
                self.weights[word],
                training.step_of(w.original("step_size"), w, t)[..., None, None],
            )
            kept = eye - eta * weights * self.bend[..., None, :]
            added = eta**2 * (weights * actual[..., None, :] ** 2) @ np.swapaxes(weights, -1, -2)
            spread = kept @ spread @ np.swapaxes(kept, -1, -2) + added
        w.outcome_weights = np.full((1, 2 * clients), 1 / (2 * clients))

    def _noise(self, w: World) -> list[list[Any]]:
        """None in the mean."""
        return [[0] * self.local_steps for _ in self.words]


def _points(mean: Array, covariance: Array) -> Array:
    """Points (B, 2 N, N) with this mean (B, 1, N) and covariance (B, 1, N, N)."""
    values, vectors = np.linalg.eigh(covariance)
    size = mean.shape[-1]
    root = vectors * np.sqrt(np.maximum(values, 0) * size)[..., None, :]
    steps = np.swapaxes(root, -1, -2)[:, 0]  # (B, N, N): one point each
    return np.concatenate([mean + steps, mean - steps], axis=1)


def _word(groups: list[list[int]]) -> str:
    return "|".join(",".join(map(str, group)) for group in groups)


def _split(clients: int, groups: int, shift: int = 0) -> str:
    """Clients dealt out to so many groups, from another one on."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for k in range(clients):
        dealt[(k + shift * (k % 3)) % groups].append(k)
    return _word([group for group in dealt if group])


def _lasting(w: World) -> str:
    return f"{w.original('groups')}*{w.original('rounds')}"


def _changing(w: World) -> str:
    """Groups for the first quarter of the run, others for the rest of it."""
    rounds = int(w.original("rounds"))
    return f"{w.original('groups')}*{rounds // 4} {w.original('later')}*{rounds - rounds // 4}"


def _briefly(w: World) -> str:
    """One epoch in 25 in the first groups, then the others: the wrong group is left early."""
    rounds = int(w.original("rounds"))
    first = max(1, rounds // 25)
    return f"{w.original('groups')}*{first} {w.original('later')}*{rounds - first}"


def _meeting(w: World) -> str:
    """Every 17th epoch in the later groups, the others in the first."""
    rounds = int(w.original("rounds"))
    epochs = (w.original("later") if t % 17 == 16 else w.original("groups") for t in range(rounds))
    return " ".join(str(word) for word in epochs)


_SIZES = ((1, 1), (2, 1), (4, 2), (10, 3), (20, 4), (64, 8))
FIXED: tuple[Cell, ...] = tuple({"N": n, "groups": _split(n, g)} for n, g in _SIZES)
SLOWER: tuple[Cell, ...] = tuple({**cell, "decreasing": 1} for cell in FIXED)
CHANGING: tuple[Cell, ...] = tuple(
    {"N": n, "groups": _split(n, g), "later": _split(n, g, 1)} for n, g in _SIZES
)
CARRIED: tuple[Cell, ...] = ({"N": 3, "groups": "0,2|1", "later": "0,1|2"},)
MEETING: tuple[Cell, ...] = ({"N": 2, "groups": "0|1", "later": "01"},)


def _rate(
    claim: Statement,
    problems: str,
    cells: tuple[Cell, ...],
    schedule: Callable[[World], str],
    **more: Any,
) -> Rate:
    defines: dict[str, Any] = {"schedule": schedule}
    if "share" in claim.family.box:
        defines["training"] = Followed
    return Rate(
        statement=claim,
        problems=problems,
        draw=boxed(claim.family),
        cells=cells,
        way="sides",
        bounded="squared gradient",
        iterate="average",
        defines=defines,
        **more,
    )


RATES: tuple[Rate, ...] = (
    _rate(convergence.theorem2_repaired, "lasting groups", FIXED, _lasting),
    _rate(convergence.summed_repaired, "lasting groups", FIXED, _lasting),
    _rate(limits.to_dissimilarity, "lasting groups", SLOWER, _lasting),
    _rate(convergence.theorem2_with_drift, "changing groups", CHANGING, _changing),
    _rate(convergence.theorem2, "a small client carried away", CARRIED, _briefly),
    _rate(convergence.recalled, "a small client carried away", CARRIED, _briefly),
    _rate(convergence.theorem2_algorithm, "two that meet now and then", MEETING, _meeting),
    _rate(convergence.recalled_algorithm, "two that meet now and then", MEETING, _meeting),
    _rate(convergence.summed, "a small client carried away", CARRIED, _briefly),
)
