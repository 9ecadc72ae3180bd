"""Intervals for b_ik, c_ik and r_ik by resampling rows; for reading, never for a verdict.

b and c are norms of differences, so that sampling noise makes them too large, in the table and once
more in every resample: the plain percentile interval of two clients with one law never holds zero.
An interval here is the hull of the percentile and of the reflected interval, and begins at zero
where tables with their rows dealt out to the clients at random give a value as large. The ends of r
are the values at the ends of b and c.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algorithms.collaboration.constants import federation_constants
from algorithms.collaboration.forecast import best_point
from algorithms.collaboration.tables import Array, ClientTables
from bounds.numbers.validate import in_interval, require
from bounds.sufficient import sufficient_ratio

__all__ = ["Intervals", "resampled_intervals"]


@dataclass(frozen=True)
class Intervals:
    """Lower and upper ends for P precisions and N clients, [who asks, who helps].

    Attributes
    ----------
    level : float
        Nominal level of each interval by itself.
    bias, slope, ratio : arrays, (2, P, N, N)
    chance : array, (P, N, N)
        Quantile ``(1 + level)/2`` of b_ik where rows are dealt out at random.
    resamples : int
    """

    level: float
    bias: Array
    slope: Array
    ratio: Array
    chance: Array
    resamples: int


def resampled_intervals(
    tables: ClientTables,
    precisions: Array,
    *,
    level: float = 0.95,
    resamples: int = 200,
    batch: int = 1,
    seed: int = 0,
) -> Intervals:
    """Resample every client's rows with replacement, and deal all rows out at random.

    Parameters
    ----------
    tables : ClientTables
        Rows taken as independent draws of their client's law.
    precisions : array, (P,)
    level : float
        In (0, 1).
    resamples : int
        Of each kind, at least 20.
    batch, seed : int

    Returns
    -------
    Intervals

    Notes
    -----
    The hull is wider than either interval: its coverage was at least the nominal 95 % for b, c and
    r in each simulated population of least squares that the tests try; for the logistic loss it has
    not been tried. Pairs are not corrected for their number.
    """
    in_interval("level", level, 0, 1, closed="neither")
    require(resamples >= 20, "resamples", "at least 20", resamples, "raise it")
    rng = np.random.default_rng(seed)
    precisions = np.asarray(precisions, dtype=float)
    counts = [len(y) for y in tables.y]
    pool = tables.merged(range(tables.clients))

    def points(sample: ClientTables) -> Array:
        constants = federation_constants(sample, batch, seed)
        return np.stack([best_point(constants, eps)[:2] for eps in precisions], axis=1)

    here = points(tables)  # (2, P, N, N): b, c
    again = np.stack(
        [points(tables.take([rng.integers(n, size=n) for n in counts])) for _ in range(resamples)]
    )
    dealt = np.stack([points(_dealt(tables, pool, counts, rng)) for _ in range(resamples)])
    tail = (1 - level) / 2
    low, high = np.quantile(again, [tail, 1 - tail], axis=0)
    chance = np.quantile(dealt, 1 - tail, axis=0)
    first = np.clip(np.minimum(low, 2 * here - high), 0, None)
    last = np.maximum(high, 2 * here - low)
    first = np.where(here <= chance, 0.0, first)
    mu = federation_constants(tables, batch, seed).mu
    ends = np.stack(
        [
            [
                sufficient_ratio(b**2, c, mu, np.float64(eps))
                for b, c, eps in zip(*end, precisions, strict=True)
            ]
            for end in (last, first)
        ]
    )
    bias, slope = (np.stack([first[j], last[j]]) for j in range(2))
    return Intervals(level, bias, slope, ends, chance[0], resamples)


def _dealt(
    tables: ClientTables, pool: ClientTables, counts: list[int], rng: np.random.Generator
) -> ClientTables:
    """The same numbers of rows for every client, dealt out from all of them."""
    order = np.split(rng.permutation(len(pool.y[0])), np.cumsum(counts)[:-1])
    return ClientTables(
        tables.names,
        tuple(pool.X[0][r] for r in order),
        tuple(pool.y[0][r] for r in order),
        tables.model,
        tables.ridge,
    )
