r"""Sample complexity of all-for-all on Bernoulli means: exact counts against the paper's bounds.

Every count is exact: the smallest number of oracle calls with :math:`\mathbb E F^K\le\varepsilon`,
by the closed form of the recursion for constant step on unit curvature. With W = V diag(w) V^T the
synchronous error contracts by (1 - eta w) along each eigenvector, so that K calls cost as much as
one.

Run as ``python -m figures.studies.allforall.complexity``.

Source: allforall, Theorems 2 and 4, and the paragraph on the collaborative speed-up.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.allforall.rates import all_smooth_samples_printed, close_weights
from bounds.numbers.shapes import Array
from synthetic.mean_estimation import uniform_chances, value_bias


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
        the bound of Theorem 4.2 as printed, with sigma^2 the largest variance.
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


@dataclass(frozen=True)
class Modes:
    """All-for-all in the eigenbasis of W: errors and noises along every eigenvector."""

    values: Array
    squared_error: Array
    noise: Array

    @staticmethod
    def of(mixing: Array, centres: Array, start: float, noise: Array) -> Modes:
        """Decompose W = Lambda Lambda^T; noise enters as eta W diag(s) W."""
        values, vectors = np.linalg.eigh(mixing @ mixing.T)
        size = values**2 * np.einsum("ka,k,ka->a", vectors, noise, vectors)
        return Modes(values, (vectors.T @ (start - centres)) ** 2, size)

    def gap(self, step: float, rounds: float) -> float:
        """E F^K, closed form in K."""
        square = (1 - step * self.values) ** 2
        with np.errstate(under="ignore"):
            kept = square**rounds
        grown = np.where(square < 1, (1 - kept) / np.maximum(1 - square, 1e-300), rounds)
        total = kept @ self.squared_error + step**2 * (self.noise @ grown)
        return float(total / (2 * len(self.values)))


def expected_gap(
    mixing: Array, centres: Array, start: float, noise: Array, step: float, rounds: float
) -> float:
    """E F^K of synchronous all-for-all on unit quadratics, closed form in K."""
    return Modes.of(mixing, centres, start, noise).gap(step, rounds)


def fewest_rounds(
    mixing: Array, centres: Array, noise: Array, precision: float, start: float = 0.5
) -> float:
    """Smallest K over steps with E F^K <= eps; infinite if no step reaches it.

    Steps lie on a grid of ratio 1.33 and then, around the best one, of ratio 1.02.
    """
    modes = Modes.of(mixing, centres, start, noise)
    grid = np.geomspace(1e-6, 1, 49) / modes.values[-1]
    rounds = [_rounds(modes, step, precision) for step in grid]
    best = grid[int(np.argmin(rounds))] * np.geomspace(0.75, 1 / 0.75, 29)
    return min(min(rounds), *(_rounds(modes, step, precision) for step in best))


def _rounds(modes: Modes, step: float, precision: float) -> float:
    """Smallest K at one step, to one in a thousand."""
    if modes.gap(step, 1e12) > precision:
        return float("inf")
    low, high = 0.0, 1.0
    while modes.gap(step, high) > precision:
        low, high = high, 2 * high
    while high - low > max(1e-3 * high, 1):
        middle = (low + high) / 2
        low, high = (low, middle) if modes.gap(step, middle) <= precision else (middle, high)
    return float(np.ceil(high))


def complexity_study(
    agents: int, *, seed: int = 0, decades: float = 3, points: int = 7
) -> ComplexityStudy:
    """Samples for eps from half of F^0 down by ``decades`` powers of ten.

    Parameters
    ----------
    agents : int
        N; chances of the agents are uniform on [0, 1].
    """
    chances = uniform_chances(agents, seed)
    noise = chances * (1 - chances)
    bias = value_bias(chances[:, None])
    level = float(noise.max())
    gap = float(((0.5 - chances) ** 2).mean() / 2)
    rows: list[tuple[float, ...]] = []
    for eps in np.geomspace(0.5, 0.5 * 10**-decades, points) * gap:
        mixing = close_weights(bias, np.full(agents, eps))
        together = agents * fewest_rounds(mixing, chances, noise, eps)
        alone = agents * fewest_rounds(np.eye(agents), chances, noise, eps)
        mass = float((mixing**2).sum())
        constants: list[Any] = [np.float64(x) for x in (gap, 1, 1, level)]
        rest: list[Any] = [agents, np.float64(mass), eps]
        printed = all_smooth_samples_printed(*constants, *rest)
        rows.append((float(eps), together, alone, float(printed), mass / agents, together / alone))
    names = ("precision", "together", "alone", "bound", "predicted", "measured")
    columns: dict[str, Any] = {name: tuple(row[k] for row in rows) for k, name in enumerate(names)}
    slopes: dict[str, Any] = {
        f"slope_{name}": _slope(columns["precision"], columns[name])
        for name in ("together", "alone", "bound")
    }
    return ComplexityStudy(agents, **columns, **slopes)


def _slope(precision: tuple[float, ...], samples: tuple[float, ...]) -> Slope:
    from scipy.stats import t

    x, y = -np.log(precision), np.log(samples)
    x = x - x.mean()
    value = float(x @ y / (x @ x))
    rest = y - y.mean() - value * x
    degrees = len(x) - 2
    error = float(np.sqrt(rest @ rest / degrees / (x @ x)) * t.ppf(0.975, degrees))
    return Slope(value, value - error, value + error)


def main() -> int:
    """Print samples, bounds and slopes for 10 and 100 agents."""
    for agents in (10, 100):
        study = complexity_study(agents, points=10)
        columns = (study.precision, study.together, study.alone, study.bound)
        factors = (study.predicted, study.measured)
        for eps, *samples, predicted, measured in zip(*columns, *factors, strict=True):
            together, alone, bound = (f"{value:.3g}" for value in samples)
            sys.stdout.write(
                f"N={agents} eps={eps:.2e} together {together} alone {alone} bound {bound} "
                f"factor {predicted:.3f} measured {measured:.3f}\n"
            )
        for name in ("together", "alone", "bound"):
            slope: Slope = getattr(study, f"slope_{name}")
            interval = f"[{slope.low:.2f}, {slope.high:.2f}]"
            sys.stdout.write(f"N={agents} slope of {name} {slope.value:.2f} {interval}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
