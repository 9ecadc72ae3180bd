"""Largest value of a function over a box, from below, with the place where it is taken."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import minimize

from verify.assumptions.source import BoxedLosses

__all__ = ["largest", "over_region"]

Array = np.ndarray[Any, Any]

Rule = Callable[[Array], Array]

SAMPLE = 1024
"""Points at random."""
CLIMBS = 4
"""Best of them from which the search goes on."""
STEPS = 400
"""Evaluations of one climb, per coordinate."""


def largest(
    function: Rule,
    low: Array,
    high: Array,
    *,
    starts: Array | None = None,
    seed: int = 0,
) -> tuple[float, Array]:
    """Maximise over a box.

    Parameters
    ----------
    function : callable
        Points (K, n) to values (K,); NaN where there is none.
    low, high : arrays (n,)
    starts : array (K, n), optional
        Points that are worth trying.
    seed : int

    Returns
    -------
    value : float
        A value that is taken, so a lower bound of the largest one; -inf where there is none.
    point : array (n,)
    """
    rng = np.random.default_rng(seed)
    points = low + (high - low) * rng.random((SAMPLE, len(low)))
    if starts is not None:
        points = np.concatenate([np.clip(starts, low, high), points])
    with np.errstate(all="ignore"):
        values = _decided(function(points))
        order = np.argsort(-values)[:CLIMBS]
        best, place = float(values[order[0]]), points[order[0]]
        if not np.isfinite(best):
            return best, place
        for k in order:
            if not np.isfinite(values[k]):
                continue
            settings: Any = {"maxfev": STEPS * len(low), "fatol": 1e-12, "xatol": 1e-10}
            start: Any = points[k]
            climb: Any = minimize  # its types know no function of a plain array
            made = climb(
                lambda x: float(-_decided(function(np.clip(x, low, high)[None]))[0]),
                start,
                method="Nelder-Mead",
                options=settings,
            )
            if -made.fun > best:
                best, place = float(-made.fun), np.clip(made.x, low, high)
    return best, place


def over_region(source: BoxedLosses, rule: Rule, seed: int, pairs: bool) -> tuple[float, Array]:
    """Largest value over the region, or over the points that are given.

    Parameters
    ----------
    source : Source
    rule : callable
        As for :func:`largest`.
    seed : int
    pairs : bool
        Whether the rule takes pairs of points, side by side.
    """
    if source.points is not None:
        points = source.points
        if pairs:
            points = np.array([np.concatenate(two) for two in combinations(source.points, 2)])
        if not len(points):
            return -np.inf, np.zeros(source.dim)
        with np.errstate(all="ignore"):
            values = np.nan_to_num(rule(points), nan=-np.inf)
        return float(values.max()), points[int(values.argmax())]
    low, high = (np.tile(end, 2 if pairs else 1) for end in (source.low, source.high))
    corners = np.stack([low, high])
    return largest(rule, low, high, starts=corners, seed=seed)


def _decided(values: Array) -> Array:
    return np.where(np.isnan(values), -np.inf, values)
