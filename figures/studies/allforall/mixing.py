r"""The best mixing matrix for given biases, precision and noise, next to the indicator weights.

For Setting 1 the bound of Theorem 3.a asks for K samples such that noise and bias together are at
most eps; it separates into rows only through the sum of squares. For fixed K,

.. math:: \min_\Lambda\ \sqrt{\tfrac{c}{K}\sum_{ij}\lambda_{ij}^2}
          + \tfrac1N \sum_{ij}\lambda_{ij} b_{ij},
          \qquad \Lambda \text{ stochastic},\quad c = 2 B^2 D^2,

is convex. Along its path of solutions each row is a projection onto the simplex of
:math:`-b_i/(2 \tau)`, so that one number tau is left to search: no solver is needed.

Run as ``python -m figures.studies.allforall.mixing``.

Source: allforall, Theorems 3.a and 4.1.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from bounds.allforall.rates import close_weights
from bounds.numbers.shapes import Array
from synthetic.mean_estimation import uniform_chances, value_bias


@dataclass(frozen=True)
class MixingStudy:
    """Samples that Theorem 3.a asks for, indicator weights against the best ones.

    ``saving`` is best/indicator, below 1 where something is left on the table; ``tuned`` uses the
    indicator weights with the best threshold instead of eps/2.
    """

    agents: int
    precision: float
    indicator: float
    tuned: float
    best: float
    saving: float
    threshold: float


def samples_needed(mixing: Array, bias: Array, precision: float, scale: float) -> float:
    """K with sqrt(c S/K) + bias = eps, infinite where the bias alone exceeds eps."""
    room = precision - float((mixing * bias).sum()) / len(bias)
    return scale * float((mixing**2).sum()) / room**2 if room > 0 else float("inf")


def simplex_rows(points: Array) -> Array:
    """Euclidean projection of every row onto the simplex."""
    ordered = -np.sort(-points, axis=1)
    sums = np.cumsum(ordered, axis=1) - 1
    counts = np.arange(1, points.shape[1] + 1)
    last = (ordered - sums / counts > 0).sum(axis=1)
    level = sums[np.arange(len(points)), last - 1] / last
    return np.maximum(points - level[:, None], 0)


def best_mixing(bias: Array, precision: float, scale: float) -> tuple[Array, float]:
    """Minimiser of the samples over stochastic matrices, and its samples.

    The minimum over K of K subject to the bound is, for each mean bias, the least sum of squares:
    the rows of the path minimise sum lambda^2 + sum lambda b/tau.
    """
    found: tuple[Array, float] = (np.eye(len(bias)), float("inf"))
    for tau in np.geomspace(1e-4, 1e4, 801) * precision * len(bias):
        mixing = simplex_rows(-bias / (2 * tau))
        need = samples_needed(mixing, bias, precision, scale)
        if need < found[1]:
            found = mixing, need
    return found


def mixing_study(
    bias: Array, precision: float, *, second_moment: float = 1.0, squared_distance: float = 1.0
) -> MixingStudy:
    """Compare the three choices for one matrix of biases.

    Parameters
    ----------
    bias : array (N, N)
        b of assumption B.1, zero on the diagonal.
    """
    agents = len(bias)
    scale = 2 * second_moment * squared_distance
    indicator = samples_needed(
        close_weights(bias, np.full(agents, precision)), bias, precision, scale
    )
    tuned, threshold = indicator, precision / 2
    for level in np.geomspace(1e-2, 1e2, 201) * precision:
        need = samples_needed(close_weights(bias, np.full(agents, level)), bias, precision, scale)
        if need < tuned:
            tuned, threshold = need, float(level) / 2
    _, best = best_mixing(bias, precision, scale)
    return MixingStudy(agents, precision, indicator, tuned, best, best / indicator, threshold)


def main() -> int:
    """Print what the indicator weights leave on the table, Bernoulli means."""
    for agents in (10, 100):
        for precision in (0.1, 0.03, 0.01, 3e-3, 1e-3):
            found = mixing_study(value_bias(uniform_chances(agents, 0)[:, None]), precision)
            sys.stdout.write(
                f"N={agents} eps={precision:g} indicator {found.indicator:.4g} best threshold "
                f"{found.tuned:.4g} best {found.best:.4g} best/indicator {found.saving:.3f}\n"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
