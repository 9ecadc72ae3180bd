"""From where an ascent begins: the best points, each hypothesis made active, ties, extremes."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

from verify.ladder.search import tuning

Array = np.ndarray[Any, Any]


def starts(
    points: Array,
    goal: Array,
    heights: Array,
    margins: Array,
    count: int,
    rng: np.random.Generator,
    home: tuple[Array, Array] | None = None,
) -> Array:
    """Starts for an ascent, most promising first, (count, width).

    Parameters
    ----------
    points : ndarray, shape (B, width)
        What was evaluated.
    goal, heights : ndarray, shape (B,)
        What it reached, and the logarithm of the ratio whether feasible or not.
    margins : ndarray, shape (B, K)
        Margins of the hypotheses.
    count : int
    rng : Generator
    home : pair of ndarray, shape (width,), optional
        Lowest and highest point of a part of the cube in which every second start lies.

    Returns
    -------
    ndarray
        In turn: the best feasible point; one at the edge of each hypothesis; the highest of those
        that miss one; a point chosen by chance; a new one.
    """
    if home is not None:
        low, high = home
        inside = ((points >= low) & (points <= high)).all(axis=1)
        if inside.any() and not inside.all():
            near = starts(
                (points[inside] - low) / np.maximum(high - low, tuning.NO_RANGE),
                goal[inside],
                heights[inside],
                margins[inside],
                (count + 1) // 2,
                rng,
            )
            far = starts(points, goal, heights, margins, count // 2, rng)
            near = low + near * (high - low)
            return np.array([u for pair in zip_longest(near, far) for u in pair if u is not None])
    finite = np.isfinite(heights)
    order = np.lexsort((-heights, -goal))
    kinds = [_apart(points[order[: tuning.CHOSEN_FROM]], count)]
    kinds += [_apart(points[rows], count) for rows in _edges(heights, margins, finite)]
    outside = np.flatnonzero(finite & (margins < 0).any(axis=1))
    kinds.append(
        _apart(points[outside[np.argsort(-heights[outside])[: tuning.CHOSEN_FROM]]], count)
    )
    some = np.flatnonzero(finite) if finite.any() else np.arange(len(points))
    kinds.append(list(_shaken(points[rng.choice(some, size=count)], rng)))
    kinds.append(list(rng.random((count, points.shape[1]))))
    kinds[0] = _some_shaken(kinds[0], rng)
    rows = [row for turn in zip_longest(*kinds) for row in turn if row is not None]
    return np.array(rows[:count])


def _edges(heights: Array, margins: Array, finite: Array) -> list[Array]:
    """For each hypothesis the feasible points nearest to its edge, the highest first."""
    feasible = np.flatnonzero(finite & (margins >= 0).all(axis=1))
    found = []
    for margin in margins.T:
        near = feasible[np.argsort(margin[feasible], kind="stable")[: tuning.CHOSEN_FROM // 4]]
        found.append(near[np.argsort(-heights[near], kind="stable")])
    return found


def _apart(points: Array, count: int) -> list[Array]:
    """The first points that keep a distance from those before them."""
    chosen: list[Array] = []
    while len(points) and len(chosen) < count:
        chosen.append(points[0])
        points = points[np.abs(points - points[0]).max(axis=1, initial=0.0) > tuning.STARTS_APART]
    return chosen


def _some_shaken(points: list[Array], rng: np.random.Generator) -> list[Array]:
    """Every second point moved a little."""
    if not points:
        return points
    shaken = _shaken(np.array(points), rng)
    return [shaken[i] if i % 2 else point for i, point in enumerate(points)]


def _shaken(points: Array, rng: np.random.Generator) -> Array:
    return np.clip(points + tuning.JITTER * rng.normal(size=points.shape), 0, 1)
