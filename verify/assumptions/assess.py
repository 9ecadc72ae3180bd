"""Smallest constants under which an assumption holds, and whether a stated one does."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.numbers.validate import require
from verify.assumptions.affine import beyond, bias, least_slope
from verify.assumptions.records import LARGEST, Assessment, Constant, Decision
from verify.assumptions.rules import ASSUMPTIONS
from verify.assumptions.source import BoxedLosses, source_of
from verify.catalogue.library import unknown

__all__ = ["assess", "curve", "decide"]

ROUNDING = 1e-9
"""Relative excess over a stated constant that rounding may make in a closed form."""

HALF = 1e-6
"""The same where gradients were evaluated: a function that takes the root of a difference loses
half of the digits, and nobody is accused on these."""

CURVATURES = ("smoothness", "strong convexity", "PL", "similar hessians", "expected smoothness")
"""Constants that are measured against the smoothness: the least may be zero."""


def assess(what: Any, *, seed: int = 0, **settings: Any) -> Assessment:
    """Estimate, or compute where there is a closed form, the constants of every assumption.

    Parameters
    ----------
    what : Problem, Source, callable or sequence of callables
        See :func:`verify.assumptions.source.source_of`; callables need ``region=``.
    seed : int
    **settings
        region, values, minima, optima, dim.

    Returns
    -------
    Assessment

    Examples
    --------
    >>> import numpy as np
    >>> from verify.assumptions import assess
    >>> found = assess([lambda x: 3 * x, lambda x: 2 * (x - 1)], region=(-1, 1))
    >>> round(found["smoothness"].value, 6), round(found["similar hessians"].value, 6)
    (3.0, 1.0)
    """
    source = source_of(what, **settings)
    return Assessment(source.where, tuple(rule(source, seed, 0.0) for rule in ASSUMPTIONS.values()))


def decide(
    what: Any, assumption: str, stated: float, *, slope: float = 0.0, seed: int = 0, **settings: Any
) -> Decision:
    """Whether an assumption holds with a stated constant.

    Parameters
    ----------
    what
        As for :func:`assess`.
    assumption : str
        A name of :data:`ASSUMPTIONS`.
    stated : float
        The constant: L, mu, sigma^2, b^2 or G^2.
    slope : float
        c of the affine dissimilarity, or B^2 of the dissimilarity to the mean.
    seed : int

    Returns
    -------
    Decision
    """
    if assumption not in ASSUMPTIONS:
        raise unknown("assumption", assumption, ASSUMPTIONS)
    source = source_of(what, **settings)
    found = ASSUMPTIONS[assumption](source, seed, slope)
    if found.unbounded:
        found = beyond(source, stated, slope)
    require(
        found.value is not None,
        f"source for {assumption}",
        "one that can tell",
        found.reason,
        "pass what is missing",
    )
    assert found.value is not None
    sign = -1 if assumption in LARGEST else 1
    size = max(abs(stated), abs(found.value))
    slack = ROUNDING * size if found.exact else HALF * max(size, _scale(source, found, seed))
    exceeds = sign * (found.value - stated) > slack
    holds = False if exceeds else True if found.exact else None
    where = "everywhere" if found.exact else source.where
    return Decision(assumption, stated, found.value, holds, found.witness, where)


def _scale(source: BoxedLosses, found: Constant, seed: int) -> float:
    """Size of the numbers whose difference a constant is."""
    if found.assumption in CURVATURES:
        return abs(ASSUMPTIONS["smoothness"](source, seed, 0.0).value or 0.0)
    if found.witness is None or "point" not in found.witness:
        return 0.0
    slopes = source.gradients(np.array(found.witness["point"])[None])
    return float((slopes**2).sum(-1).max())


def curve(
    what: Any,
    *,
    pair: tuple[int, int] | None = None,
    slopes: Any = None,
    seed: int = 0,
    **settings: Any,
) -> list[tuple[float, float]]:
    """Pareto curve of the affine dissimilarity: for each slope c the smallest b^2.

    Parameters
    ----------
    what
        As for :func:`assess`.
    pair : (int, int), optional
        Who asks and who helps; by default the mean: B^2 and G^2 of all clients.
    slopes : sequence of float, optional

    Returns
    -------
    list of (c, b^2)
        Infinite values are left out: no b serves there.
    """
    source = source_of(what, **settings)
    least = least_slope(source, pair)
    usual = least + np.concatenate([[0.0], np.geomspace(1e-2, 10, 25)])
    chosen = usual if slopes is None else slopes
    found = [(float(c), bias(source, pair, float(c), seed)[0]) for c in chosen]
    return [(c, b) for c, b in found if np.isfinite(b)]
