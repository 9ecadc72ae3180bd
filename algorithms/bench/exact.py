"""Samples of runs held against exact means and covariances.

What is compared are the mean of theta - E theta and that of its products, centred at the exact
mean: for each model their sum over coordinates, the sum over all models and, of many replicates,
every entry of the covariance. Each has a standard error of its own, estimated from the sample.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy.stats import norm

from synthetic.exact.moments import AffineMap, moments

LEVEL = 1e-6
"""Chance that one of all comparisons of a check refuses right numbers, were the means normal; those
of squares are skewed, which makes it some ten times larger at the sizes used here. A job has one
seed, so that a machine gets the numbers of the next one up to rounding, and no other draws."""
ROUNDING = 1e-5
"""Of the largest entry, beside the sampling error: float32 over the rounds of a job."""
ENTRIES = 10_000
"""Replicates from which entries are compared: a mean of single squares is nearly normal there."""
SLICE = 1 << 14

Array = np.ndarray[Any, Any]


def agrees(models: Any, affine_map: AffineMap, start: Array, rounds: int) -> bool:
    """Whether sampled last iterates (R, F, d) have the exact mean and covariance.

    Parameters
    ----------
    models : array or tensor, (R, F, d)
        One column per model of the map, (F, d, d), or one for the server's, (d, d).
    """
    path = moments(affine_map, start, rounds)
    return moments_agree(models, path.mean[..., -1, :], path.covariance[..., -1, :, :])


def moments_agree(models: Any, mean: Array, covariance: Array) -> bool:
    """Whether a sample (R, F, d) is of a law with these moments, (F, d) and (F, d, d).

    The sums are taken in float64 on the device of the sample, and come back alone.
    """
    models = torch.as_tensor(models)
    count, columns, dim = models.shape
    mean = np.broadcast_to(mean, (columns, dim))
    covariance = np.broadcast_to(covariance, (columns, dim, dim))
    centre = torch.as_tensor(mean.copy(), device=models.device, dtype=torch.float64)
    sums: dict[str, Any] = {}

    def add(name: str, value: torch.Tensor) -> None:
        sums[name] = sums.get(name, 0.0) + value

    for part in models.split(SLICE):
        gap = (part.double() - centre).transpose(0, 1)  # (F, rows, d)
        square = gap**2
        size = square.sum(-1)  # (F, rows)
        add("gap", gap.sum(1))
        add("product", gap.mT @ gap)
        add("product square", square.mT @ square)
        add("size", size.sum(1))
        add("size square", (size**2).sum(1))
        add("whole", size.sum(0).sum())
        add("whole square", (size.sum(0) ** 2).sum())
    found = {name: (value / count).cpu().numpy() for name, value in sums.items()}
    traces = np.trace(covariance, axis1=-2, axis2=-1)
    own = np.diagonal(found["product"], 0, -2, -1)
    kinds = [
        (found["gap"], 0.0, own, abs(mean).max()),
        (found["size"], traces, found["size square"], abs(traces).max()),
        (found["whole"], traces.sum(), found["whole square"], abs(traces).sum()),
    ]
    if count >= ENTRIES:
        rows, places = np.triu_indices(dim)
        entries = [
            x[:, rows, places] for x in (found["product"], covariance, found["product square"])
        ]
        kinds.append((*entries, abs(covariance).max()))
    limit = _limit(sum(np.size(kind[0]) for kind in kinds))
    return all(_within(*kind, count, limit) for kind in kinds)


def sample_agrees(sample: Array, mean: Array) -> bool:
    """Whether the mean over the first axis is the exact one within its standard error."""
    sample = np.asarray(sample, dtype=float)
    mean = np.broadcast_to(mean, sample.shape[1:])
    gap = sample - mean
    size, limit = abs(mean).max(), _limit(gap[0].size)
    return _within(gap.mean(0), 0.0, (gap**2).mean(0), size, len(sample), limit)


def paths_agree(left: Any, right: Any) -> bool:
    """Whether two runs on the same draws are the same up to rounding."""
    gap = (left.double() - right.double()).abs().max()
    return bool(gap <= 10 * ROUNDING * right.abs().max())


def _limit(comparisons: int) -> float:
    """Standard errors allowed to each of so many comparisons."""
    return float(norm.isf(LEVEL / (2 * comparisons)))


def _within(found: Any, expected: Any, square: Any, size: float, count: int, limit: float) -> bool:
    """Whether means over `count` replicates are as expected; `square` are those of the squares."""
    error = np.sqrt(np.maximum(square - np.square(found), 0.0) / max(count - 1, 1))
    return bool((np.abs(found - expected) <= limit * error + ROUNDING * size).all())
