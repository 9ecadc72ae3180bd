r"""Sample complexity of all-for-all on Bernoulli means: exact counts against the paper's bounds.

Every count is exact: the smallest number of oracle calls with :math:`\mathbb E F^K\le\varepsilon`,
by the closed form of the recursion for constant step on unit curvature. With W = V diag(w) V^T the
synchronous error contracts by (1 - eta w) along each eigenvector, so that K calls cost as much as
one.

Source: allforall, Theorems 2 and 4, and the paragraph on the collaborative speed-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.allforall_rates import all_smooth_samples_printed, close_weights
from synthetic.mean_estimation import uniform_chances, value_bias

Array = Any


@dataclass(frozen=True)
class Slope:
    """Least-squares slope of log samples on log 1/eps, with a 95 % interval of the fit."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ComplexityStudy:
    """Samples against precision for one number of agents.

    Attributes
    ----------
    precision, together, alone, bound : tuple of float
        eps; exact samples of all-for-all with the indicator weights and of no collaboration;
        the bound of Theorem 4.2 as printed, without its logarithm.
    predicted, measured : tuple of float
        Speed-up factor (1/N) sum_i 1/N_i^eps(2b), and together/alone.
    slope_together, slope_alone, slope_bound : Slope
    """

    agents: int
    precision: tuple[float, ...]
    together: tuple[float, ...]
    alone: tuple[float, ...]
    bound: tuple[float, ...]
    predicted: tuple[float, ...]
    measured: tuple[float, ...]
    slope_together: Slope
    slope_alone: Slope
    slope_bound: Slope


def expected_gap(
    mixing: Array, centres: Array, start: float, noise: Array, step: float, rounds: float
) -> float:
    """E F^K of synchronous all-for-all on unit quadratics, closed form in K."""
    values, vectors = np.linalg.eigh(mixing @ mixing.T)
    contraction = 1 - step * values
    error = vectors.T @ (start - centres)
    bias = np.sum((contraction**rounds * error) ** 2)
    # noise enters as eta W diag(s) W; entry (a, a) in the eigenbasis is
    # eta^2 w_a^2 v_a^T diag(s) v_a
    injected = step**2 * values**2 * np.einsum("ka,k,ka->a", vectors, noise, vectors)
    square = contraction**2
    grown = np.where(square < 1, (1 - square**rounds) / np.maximum(1 - square, 1e-300), rounds)
    return float((bias + np.sum(injected * grown)) / (2 * len(centres)))


def fewest_rounds(
    mixing: Array, centres: Array, noise: Array, precision: float, start: float = 0.5
) -> float:
    """Smallest K over a grid of steps with E F^K <= eps; infinite if no step reaches it."""
    values = np.linalg.eigvalsh(mixing @ mixing.T)
    best = np.inf
    for step in np.geomspace(1e-6, 1, 49) / values[-1]:
        if expected_gap(mixing, centres, start, noise, step, 1e12) > precision:
            continue
        low, high = 0.0, 1.0
        while expected_gap(mixing, centres, start, noise, step, high) > precision:
            low, high = high, 2 * high
            if high > best:
                break
        if high > best:
            continue
        while high - low > max(1e-3 * high, 1):
            middle = (low + high) / 2
            reached = expected_gap(mixing, centres, start, noise, step, middle) <= precision
            low, high = (low, middle) if reached else (middle, high)
        best = min(best, np.ceil(high))
    return float(best)


def complexity_study(
    agents: int, *, seed: int = 0, decades: float = 3, points: int = 7
) -> ComplexityStudy:
    """Samples for eps from 1e-1 down to 10^-(1 + decades).

    Parameters
    ----------
    agents : int
        N; chances of the agents are uniform on [0, 1].
    """
    chances = uniform_chances(agents, seed)
    noise = chances * (1 - chances)
    bias = value_bias(chances[:, None])
    level = float(noise.max())
    grid = np.geomspace(0.1, 10 ** -(1 + decades), points) * level
    rows: list[tuple[float, ...]] = []
    for eps in grid:
        mixing = close_weights(bias, np.full(agents, eps))
        together = agents * fewest_rounds(mixing, chances, noise, eps)
        alone = agents * fewest_rounds(np.eye(agents), chances, noise, eps)
        mass = float((mixing**2).sum())
        printed = all_smooth_samples_printed(
            np.exp(1) * eps,
            np.float64(1),
            np.float64(1),
            np.float64(level),
            agents,
            np.float64(mass),
            eps,
        )  # the gap e eps makes its logarithm 1
        rows.append((float(eps), together, alone, float(printed), mass / agents, together / alone))
    columns = [tuple(c) for c in zip(*rows, strict=True)]
    slopes = [_slope(columns[0], columns[k]) for k in (1, 2, 3)]
    return ComplexityStudy(agents, *columns, *slopes)


def _slope(precision: tuple[float, ...], samples: tuple[float, ...]) -> Slope:
    from scipy.stats import t

    x, y = -np.log(precision), np.log(samples)
    x = x - x.mean()
    value = float(x @ y / (x @ x))
    rest = y - y.mean() - value * x
    degrees = len(x) - 2
    error = float(np.sqrt(rest @ rest / degrees / (x @ x)) * t.ppf(0.975, degrees))
    return Slope(value, value - error, value + error)
