r"""When the bounds of the grouping paper say something, on problems with everything known.

*Generalisation.* Samples z in {0, 1} of chance p, loss (w - z)^2/2 on [0, 1]: the minimiser is the
sample mean, its excess risk (k/n - p)^2/2 with k binomial, so that the probability of exceeding
4 L^2/(delta mu n) is a finite sum.  From n > 8/delta the bound is below 1/2, the largest excess.

*Convergence.* Parabolas h (w - m_i)^2/2 in one fixed group with noise of variance sigma^2: mean and
variance of the group's model obey two linear recursions, so that the left side of Theorem 2 and its
bound are exact for any horizon.

Run as ``python -m figures.studies.hcct.bounds``.

Source: hcct, Theorems 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from bounds.hcct.convergence import fixed_groups_upper, theorem2_printed
from bounds.hcct.generalization import estimation_upper, samples_before_it_speaks
from bounds.numbers.validate import require

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class SampleStudy:
    """What the bound says of n samples at level delta, and what is true.

    Attributes
    ----------
    samples, level : number of samples and delta
    bound : Fraction
        4 L^2/(delta mu n) for L = mu = 1.
    speaks : bool
        Whether the bound is below 1/2, the largest excess risk.
    exceeds : Fraction
        Probability of an excess risk above the bound, exact.
    whole : Fraction
        Probability of a risk (not excess) above the bound, the printed claim for one client.
    quantile : Fraction
        Smallest bound that would hold with probability 1 - delta, exact.
    """

    samples: int
    level: Fraction
    bound: Fraction
    speaks: bool
    exceeds: Fraction
    whole: Fraction
    quantile: Fraction


def sample_study(samples: int, level: Fraction, chance: Fraction = Fraction(1, 2)) -> SampleStudy:
    """All samples of ``samples`` coins, enumerated by their counts."""
    require(samples >= 1, "samples", "at least 1", samples, "draw some")
    bound = estimation_upper(Fraction(1), Fraction(1), Fraction(samples), level)
    spread = chance * (1 - chance) / 2
    law = [
        (
            (Fraction(k, samples) - chance) ** 2 / 2,
            comb(samples, k) * chance**k * (1 - chance) ** (samples - k),
        )
        for k in range(samples + 1)
    ]
    reached, quantile = Fraction(0), Fraction(0)
    for excess, weight in sorted(law, reverse=True):
        reached += weight
        if reached > level:
            quantile = excess
            break
    return SampleStudy(
        samples,
        level,
        bound,
        samples > samples_before_it_speaks(level),
        sum((w for e, w in law if e > bound), Fraction(0)),
        sum((w for e, w in law if e + spread > bound), Fraction(0)),
        quantile,
    )


def samples_that_refute(level: Fraction, chance: Fraction = Fraction(1, 2)) -> int:
    """Smallest n from which the whole risk exceeds the printed bound in every sample.

    The risk is at least p (1 - p)/2, the bound 4/(delta n).
    """
    spread = chance * (1 - chance) / 2
    return int(Fraction(4) / (level * spread)) + 1


@dataclass(frozen=True)
class ConvergenceStudy:
    """Average squared gradient of a fixed group after T epochs, and two bounds.

    Attributes
    ----------
    rounds : int
    average : float
        (1/xi_T) sum_t eta^t sum_i E|grad J_i(w^t)|^2, exact.
    bound, printed : float
        Repaired Theorem 2 for fixed groups, and the printed right side with 1/xi_T.
    floor : float
        What the average tends to without noise: sum_i |grad J_i|^2 at the group's optimum.
    """

    rounds: int
    average: float
    bound: float
    printed: float
    floor: float


def convergence_study(
    rounds: int,
    step_share: float,
    *,
    optima: Sequence[float],
    sizes: Sequence[float],
    curvature: float = 1.0,
    noise: float = 1.0,
    start: float = 0.0,
    decreasing: bool = False,
) -> ConvergenceStudy:
    """One group of parabolas, by recursion of mean and variance."""
    require(rounds >= 1, "rounds", "at least 1", rounds, "train for an epoch")
    require(0 < step_share <= 1, "step_share", "in (0, 1]", step_share, "lower it")
    m, d = np.asarray(optima, dtype=float), np.asarray(sizes, dtype=float)
    a, n, h = d / d.sum(), len(d), curvature
    eta = np.full(rounds, step_share / h)
    if decreasing:
        eta = eta / (np.arange(rounds) + 2)
    centre, mean, variance, squares = float(a @ m), start, 0.0, []
    for step in eta:
        squares.append(h**2 * (((mean - m) ** 2).sum() + n * variance))
        mean = mean - step * h * (mean - centre)
        variance = (1 - step * h) ** 2 * variance + step**2 * noise**2 * float((a**2).sum())
    gap = float(h * ((start - m) ** 2).sum() / 2)
    similar = np.full(rounds, float((a * (h * (m[:, None] - m)) ** 2).sum()))
    known = (eta, h, gap, similar, noise**2, n)
    return ConvergenceStudy(
        rounds,
        float((eta * squares).sum() / eta.sum()),
        float(sum(fixed_groups_upper(*known).values())),
        float(sum(theorem2_printed(*known, True).values())),
        float(h**2 * ((centre - m) ** 2).sum()),
    )


def main() -> None:
    """Print the studies."""
    for samples in (10, 100, 161, 1000):
        found = sample_study(samples, Fraction(1, 20))
        names = ("bound", "speaks", "exceeds", "whole", "quantile")
        print(samples, {name: float(getattr(found, name)) for name in names})
    print("every sample refutes the printed bound from", samples_that_refute(Fraction(1, 20)))
    for rounds in (1, 10, 100, 1000, 10_000):
        print(convergence_study(rounds, 0.1, optima=(0.0, 1.0), sizes=(1.0, 1.0)))


if __name__ == "__main__":
    main()
