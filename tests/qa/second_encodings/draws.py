"""Instances on which two encodings of a claim are compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from verify.claim import Family, Instance, Real, Statement
from verify.world.score import score

__all__ = ["batches", "inside", "spread"]

BEYOND = 16.0
GENERATIONS = 30
PATIENCE = 6
"""Generations without progress after which no instance is expected to meet the hypotheses."""


def spread(shapes: Sequence[Any]) -> list[Any]:
    """Return the first, a middle and the last shape."""
    last = len(shapes) - 1
    return [shapes[j] for j in sorted({0, (last + 1) // 2, last})]


def batches(
    pair: tuple[Statement, Statement], shape: Any, count: int, rng: np.random.Generator
) -> Iterator[Instance]:
    """Corners, points, points outside, and points inside the hypotheses of either."""
    family = pair[0].family
    width = family.width(shape)
    some = max(count // 5, 8)
    corners = rng.integers(0, 2, (some, width)).astype(float)
    inner = rng.random((some, width))
    beyond = rng.random((some, width))
    for points in (corners, inner):
        yield family.instance(family.decode(points, shape), shape)
    yield family.instance(_outside(family, beyond, shape), shape)
    for one in pair:
        points = inside(one, shape, some, rng)
        if len(points):
            yield family.instance(family.decode(points, shape), shape)


def inside(claim: Statement, shape: Any, count: int, rng: np.random.Generator) -> Any:
    """Points of the unit cube that meet the hypotheses, by differential evolution."""
    width = claim.family.width(shape)
    points = rng.random((3 * count, width))

    def lacking(u: Any) -> Any:
        batch = claim.family.instance(claim.family.decode(u, shape), shape)
        return score(claim, batch).shortfall

    missed = lacking(points)
    stuck, least = 0, np.inf
    for _ in range(GENERATIONS):
        if (missed <= 0).sum() >= count or stuck == PATIENCE:
            break
        stuck = 0 if (missed <= 0).any() or missed.min() < 0.9 * least else stuck + 1
        least = min(least, missed.min())
        best = points[np.argsort(missed)[: max(len(points) // 10, 4)]]
        order = [rng.permutation(len(points)) for _ in range(2)]
        chosen = best[rng.integers(0, len(best), len(points))]
        trial = chosen + 0.6 * (points[order[0]] - points[order[1]])
        kept = rng.random(points.shape) < 0.2
        trial = np.clip(np.where(kept, points, trial), 0, 1)
        better = (now := lacking(trial)) <= missed
        # a point that meets everything stays: what is wanted is many of them, not the best
        better &= missed > 0
        points, missed = np.where(better[:, None], trial, points), np.where(better, now, missed)
    return points[missed <= 0][:count]


def _outside(family: Family, u: Any, shape: Any) -> dict[str, Any]:
    """As `Family.decode`, up to 16 times out of the box where the parameter may leave it."""
    values, at = {}, 0
    for name, real in family.box.items():
        lengths = real.lengths(shape)
        size = int(np.prod(lengths, dtype=int))
        block = u[:, at : at + size].reshape((len(u), *lengths))
        values[name] = _stretched(real, block)
        at += size
    return values


def _stretched(real: Real, u: Any) -> Any:
    """The range, widened by factors between 1 and `BEYOND` where the domain allows."""
    reach = BEYOND ** np.random.default_rng(len(u)).random(u.shape)
    if real.log:
        value = real.low / reach * (real.high / real.low * reach**2) ** u
    else:
        middle, half = (real.low + real.high) / 2, (real.high - real.low) / 2
        value = middle + half * reach * (2 * u - 1)
    domain = getattr(real, "domain", None)
    if domain is None:  # a range [0, 1] is that of a share
        share = real.low >= 0 and real.high == 1
        domain = (0 if real.low >= 0 else None, 1 if share else None)
    low, high = domain
    if low is not None:
        value = np.maximum(value, low)
    return value if high is None else np.minimum(value, high)
