"""The interval that holds a set of runs, and what the paper takes over it: R, delta, min f, G.

The domain X of Assumption 4.1 may be any that holds the models, where losses are evaluated, and
enough stationary points of the Lagrangians.  Bounds grow with it, so that two intervals decide.
``domain_of`` holds a stationary point for every server model in it and every multiplier: what falls
there falls on less too.  ``hull_of`` holds the models alone: what stands there stands on every X.
Where the sampled sets are drawn, an interval that no run leaves (``lowest``, ``highest``) is X.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.fedbc import convergence as closed
from bounds.fedbc.constants import gradient_factor
from verify.claim import Array, Terms
from verify.statements.fedbc.quantities.measures import (
    everywhere,
    fall,
    m1,
    mean_loss,
    mean_slope,
    own_contraction,
    slopes,
    spread,
    stiffness,
    tolerance,
)
from verify.statements.fedbc.quantities.rounds import rounds_of
from verify.terms.vocabulary import quantity
from verify.world.world import World


@dataclass(frozen=True)
class Domain:
    """The interval X of a set of runs and what the theorem takes over it, (B, 1)."""

    low: Array
    high: Array
    grid: Array  # ends and kinks, sorted, (B, 1, m)

    @property
    def diameter(self) -> Array:
        """R."""
        return self.high - self.low

    @property
    def points(self) -> list[Array]:
        """Ends and kinks, (B, 1) each."""
        return [self.grid[..., k] for k in range(self.grid.shape[-1])]


def _visited(w: World) -> list[Array]:
    """Every model of every run, (B, 1) each."""
    points = [w.start[..., 0]]
    for run in rounds_of(w):
        for r in run:
            points += [r.server, r.after, *(r.old[..., k] for k in range(r.old.shape[-1]))]
            points += [r.new[..., k] for k in range(r.new.shape[-1])]
    return points


def _ends(points: list[Array]) -> tuple[Array, Array]:
    every = xp.stack([p + 0 * points[-1] for p in points], -1)
    return xp.smallest(every), xp.largest(every)


def _between(w: World, low: Array, high: Array) -> Domain:
    problem: Any = w.problem
    kinks = problem.kinks[..., 0, :]  # (B, 1, N, 2)
    kinks = kinks.reshape((*kinks.shape[:-2], -1))
    inside = xp.maximum(low[..., None], xp.minimum(high[..., None], kinks))
    ends = xp.stack([low, high], -1)
    return Domain(low, high, np.sort(np.concatenate([ends, inside], axis=-1), axis=-1))


def never_left(w: World) -> Domain:
    """The interval that no run leaves, whatever sets are drawn."""
    return _between(w, w.lowest, w.highest)


@quantity
def hull_of(w: World) -> Domain:
    """The smallest interval with all models."""
    if w.has("sets"):
        return never_left(w)
    return _between(w, *_ends(_visited(w)))


@quantity
def reach_of(w: World) -> Array:
    """R of the hull of the models, for losses with and without kinks, (B, 1)."""
    low, high = _ends(_visited(w))
    return high - low


@quantity
def solved_hull_of(w: World) -> Domain:
    """The same with the exact local solutions of every device in every round; 2 lambda > L."""
    if w.has("sets"):
        return never_left(w)
    problem: Any = w.problem
    points = _visited(w)
    for run in rounds_of(w):
        for r in run:
            exact = problem.proximal(2 * r.multipliers, r.server[..., None])[..., 0]
            points += [exact[..., k] for k in range(exact.shape[-1])]
    return _between(w, *_ends(points))


@quantity
def domain_of(w: World) -> Domain:
    """The smallest interval with the models and inward gradients at its ends.

    Inward gradients at the ends give a stationary point of L_i(., z, lambda) for every z inside;
    if f_i pushes out at an end, it has to reach the well beyond.
    """
    if w.has("sets"):
        return never_left(w)
    low, high = _ends(_visited(w))
    problem: Any = w.problem
    centre, width = problem.data["centre"][..., 0], xp.trailing(problem.width)
    # a float next to a well must not be taken for one that is pushed to the next well
    guard = (0 if w.number == "exact" else 1e-9) * problem.data["height"] / width
    for _ in range(2 * centre.shape[-1]):
        pushed = slopes(w, everywhere(low, centre)) > guard
        at = low[..., None]
        well = xp.where(at > centre + 4 * width, centre + 4 * width, centre)
        low = xp.smallest(xp.where(pushed, well, at + 0 * centre))
        pushed = slopes(w, everywhere(high, centre)) < -guard
        at = high[..., None]
        well = xp.where(at < centre, centre, centre + 4 * width)
        high = xp.largest(xp.where(pushed, well, at + 0 * centre))
    return _between(w, low, high)


def slopes_over(w: World, domain: Domain) -> list[Array]:
    """f_i' at the ends and kinks, (B, 1, N) each; f_i' is linear in between."""
    return [slopes(w, everywhere(point, w.multipliers)) for point in domain.points]


def _dissimilarity(w: World, domain: Domain) -> Array:
    count = w.multipliers.shape[-1]
    found = 0 * domain.low
    apart = 1 - xp.eye(count, w.multipliers)
    for slope in slopes_over(w, domain):
        for a, b in product((w.lambda_min, w.lambda_max), repeat=2):
            first, second = a[..., None] * slope, b[..., None] * slope
            gaps = apart * xp.absolute(first[..., :, None] - second[..., None, :])
            found = xp.maximum(found, xp.largest(xp.largest(gaps)))
    return found


@quantity
def dissimilarity(w: World) -> Array:
    """delta of Assumption 4.3: largest |a f_i' - b f_j'| over pairs, corners and X, (B, 1)."""
    return _dissimilarity(w, domain_of(w))


@quantity
def hull_dissimilarity(w: World) -> Array:
    """delta over the hull of the models, (B, 1)."""
    return _dissimilarity(w, hull_of(w))


@quantity
def solved_dissimilarity(w: World) -> Array:
    """delta over the hull of the models and the exact local solutions, (B, 1)."""
    return _dissimilarity(w, solved_hull_of(w))


def _best(w: World, domain: Domain) -> Array:
    chords = []
    for left, right in pairwise(domain.points):
        low, high = mean_slope(w, left), mean_slope(w, right)
        crosses = (low < 0) & (high > 0)
        share = xp.where(crosses, -low, 0 * low) / xp.where(crosses, high - low, 0 * low + 1)
        chords.append(left + share * (right - left))
    return xp.smallest(xp.stack([mean_loss(w, p) for p in (*domain.points, *chords)], -1))


@quantity
def best_loss(w: World) -> Array:
    """Minimum of f over X, (B, 1): at an end, a kink, or where a rising chord of f' meets zero."""
    return _best(w, domain_of(w))


@quantity
def hull_best_loss(w: World) -> Array:
    """Minimum of f over the hull of the models, (B, 1)."""
    return _best(w, hull_of(w))


# -- what G stands for -----------------------------------------------------------------------------


def dual_bound(w: World) -> Array:
    """G = 16 R^4 + gamma^2 with the largest gamma_i (37), (B, 1)."""
    return 16 * domain_of(w).diameter ** 4 + xp.largest(w.gamma) ** 2


@quantity
def gradient_bound(w: World) -> Array:
    """Largest gradient of a client at its last local model, the least G of (81), (B, 1)."""
    if w.has("sets"):
        return steepest(w)
    last = [xp.largest(xp.absolute(slopes(w, run[-1].new))) for run in rounds_of(w)]
    return xp.largest(xp.stack(last, -1))


@quantity
def steepest(w: World) -> Array:
    """Largest gradient of a client over the hull of models and exact solutions, (B, 1)."""
    found = xp.stack(slopes_over(w, solved_hull_of(w)), -1)
    return xp.largest(xp.largest(xp.absolute(found)))


def descent(w: World) -> Terms:
    """The right side of the repaired descent lemma, (B, 1) each."""
    step, reach = w.dual_step, reach_of(w)
    return closed.lagrangian_descent_upper(
        fall(w), tolerance(w), stiffness(w), step, reach, w.gamma, w.lambda_max, spread(w)
    )


def consensus_printed(w: World) -> Terms:
    """The right side of (65) for one round, (B, 1) each."""
    return closed.consensus_printed(tolerance(w), dissimilarity(w), stiffness(w), w.lambda_max, w.S)


def consensus_traced(w: World, delta: Array) -> Terms:
    """The summands of (65) for one round with the constants of (61) and (63), (B, 1, N) each:
    C_i for C_0, and 2 before both terms."""
    L, n = stiffness(w), w.multipliers.shape[-1]
    share = 2 * w.S * (n - 1) / (own_contraction(w) ** 2 * n)
    return {
        "epsilon": share * tolerance(w)[..., None] / (1 + L) ** 2,
        "delta^2": share * delta[..., None] ** 2 / (1 + L) ** 4,
    }


def summed_traced(w: World, fall: Terms, consensus: Array, reach: Array) -> Terms:
    """The right side of (76) divided by T with the constants of (27), (34), (37), (69) and (72), of
    its terms before the consensus error, of that error and of R; (B, 1) each."""
    most, epsilon = 4 * m1(w) ** 2, tolerance(w)
    return {
        **fall,
        "consensus": (gradient_factor(w.beta, w.lambda_max) + most * w.lambda_max) * consensus,
        "epsilon": 4 * epsilon + most * epsilon * xp.mean(1 / (2 * stiffness(w))),
        "alpha G": most * w.dual_step * closed.dual_change_upper(reach, w.gamma),
    }


def stationarity(w: World, rounds: Array, start: Array, reach: Array) -> Terms:
    """The right side of the repaired (90) of rounds, B_0 and R, (B, 1) each."""
    epsilon, delta, stiff = tolerance(w), hull_dissimilarity(w), stiffness(w)
    dual = (w.lambda_min, w.lambda_max, w.dual_step)
    return closed.stationarity_upper(rounds, start, epsilon, delta, stiff, *dual, reach, w.gamma)
