"""Quantities of the all-for-all paper that its statements share; they import it as ``q``.

Symbols with their units and where to look for them, weights, and what the readings say of a number
of rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf
from typing import Any

from bounds import generic as xp
from bounds.numbers.validate import require
from verify.claim import Array, Family, Real, Shape, Wording
from verify.terms.vocabulary import quantity
from verify.world.world import World

WITHIN = r"\|x^k-x_i^*\|\le D\text{ for all }k\le K\text{ and all }i"


Claims = partial(Wording, "allforall")
"""What a module claims, as a table."""

# -- where to look --------------------------------------------------------------------------------

ANY = "any parameters in the box"
CONDITIONS = Real(1, 8, log=True, per=("N",), domain=(1, inf))
DISTANCE = Real(1 / 8, 8, unit=(0, 1), log=True)
LENGTH = Real(-2, 2, unit=(0, 1))
PLACE = Real(-1, 1)
SHARE = Real(0, 1, domain=(0, 1))
SHARES = Real(0, 1, per=("N",), domain=(0, 1))
SYMBOLS = {
    "centre": Real(-2, 2, unit=(0, 1), per=("N",)),
    "condition": Real(1, 8, log=True, domain=(1, inf)),
    "curvature": SHARE,
    "delta": Real(1 / 64, 1 / 2, log=True, domain=(0, 1 / 2)),
    "distance": DISTANCE,
    # by how much a number of samples exceeds the whole number below, or lacks of the one above
    "fraction": Real(0, 63 / 64, domain=(0, 1)),
    "mu": Real(1 / 8, 8, unit=(1, -2), log=True),
    "offset": SHARE,
    "place": SHARE,
    "precision": Real(1 / 64, 4, unit=(1, 0), log=True),
    "row": Real(1 / 8, 1, per=("N",)),
    "rows": Real(1 / 16, 1, per=("N", "N")),
    "share": SHARE,
    "size": Real(1 / 8, 8, unit=(1, -1), log=True),
    "slope_share": SHARES,
    "smoothness": Real(1 / 8, 8, unit=(1, -2), log=True),
    "start": LENGTH,
    "step_share": Real(1 / 16, 1, domain=(0, 1)),
    "variance": Real(1 / 64, 16, unit=(2, -2), log=True),
}
"""Ranges that most families have; of ``size`` as a bound of gradients."""


def box(names: str, **others: Real) -> dict[str, Real]:
    """Symbols in this order, with the range of the table or, where it is another one, their own."""
    require(set(others) <= {*names.split()}, "symbols", f"among {names}", set(others), "name them")
    return {name: {**SYMBOLS, **others}[name] for name in names.split()}


def sizes(names: str, *rows: Any) -> tuple[Shape, ...]:
    """Shapes as rows of a table: ``sizes("N rounds", (1, 4), (2, 8))``, ``sizes("N", 1, 3)``."""
    lists = [row if isinstance(row, tuple) else (row,) for row in rows]
    return tuple(dict(zip(names.split(), row, strict=True)) for row in lists)


def family(
    names: str, about: str = ANY, *shapes: Shape, grow: Any = None, **others: Real
) -> Family:
    """Instances that are nothing but the symbols of :func:`box`, in these shapes.

    ``grow`` are the names of sizes that may be larger than the shapes say; None lets all grow.
    """
    return Family(box(names, **others), shapes or ({},), about=about, grow=grow)


# -- weights, sums, numbers of rounds -------------------------------------------------------------
def mixing(rows: Array) -> Array:
    """Stochastic matrix (..., N, N) or vector (..., N) with these positive rows."""
    return rows / xp.total(rows)[..., None]


def gram(mixing_matrix: Array) -> Array:
    """W = Lambda Lambda^T."""
    return xp.matmul(mixing_matrix, xp.transpose(mixing_matrix))


def mass(weights: Array) -> Array:
    """sum_j lambda_j^2 of a stochastic vector, or of each row of a matrix."""
    return xp.total(weights**2)


def added(values: Sequence[Array]) -> Array:
    """Sum of a list of arrays."""
    return sum(values[1:], start=values[0])


def least(values: Sequence[Array]) -> Array:
    """Smallest of a list of arrays, entry by entry."""
    return xp.smallest(xp.stack(values, -1))


def number(w: World, samples: str) -> Array:
    """The printed number of rounds, as far from the whole number ``rounds`` as its option allows.

    The option is one of the axis ``samples``.
    """
    away = w.fraction if samples == "at-most" else -w.fraction
    return w.rounds + away


def horizons(rounds: int, samples: str) -> range:
    """Whole numbers of rounds that may be run: all within the printed number, or the next."""
    return range(1 if samples == "at-most" else rounds, rounds + 1)


# -- stochastic gradient descent ------------------------------------------------------------------
def long_step(w: World) -> Array:
    """A share of 1/(2 L)."""
    return w.step_share / (2 * w.smoothness)


def mean_gap(
    w: World, curvature: Array, start: Array, step: Array, rounds: int, expectation: str
) -> Array:
    """f(mean of x^0..x^{T-1}) of h x^2/2: in expectation, or with all noises of one sign.

    The noise is +-sigma, or sigma s with chance 1/(1 + s^2), else -sigma/s, for a skewness s.
    """
    skew = w.skew if w.has("skew") else 1
    kind = "mean" if expectation == "in-mean" else "ends"
    return gap_of_mean(w, curvature, start, step, w.variance, skew, rounds, kind)


@quantity
def gap_of_mean(
    w: World,
    curvature: Array,
    start: Array,
    step: Array,
    variance: Array,
    skew: Array,
    rounds: int,
    over: str,
) -> Array:
    """The ``mean`` of the gap, or at both ``ends`` of the noises' range."""
    # of the sum of T iterates: weight of x^0, and sums of squares and of the noises' weights
    factor = 1 - step * curvature
    kept, spread, weights = 0 * factor, 0 * factor, 0 * factor
    for _ in range(rounds - 1):
        kept = kept * factor + 1  # influence of one noise on the sum of later iterates
        spread, weights = spread + kept**2, weights + kept
    kept = kept * factor + 1
    if over == "mean":
        return curvature * ((kept * start) ** 2 + step**2 * variance * spread) / rounds**2 / 2
    push = step * xp.sqrt(variance) * weights
    ends = xp.stack([kept * start + push * skew, kept * start - push / skew], -1)
    return curvature[..., None] * (ends / rounds) ** 2 / 2
