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
from synthetic.exact.runs import absolute_lattice
from verify.claim import Array, Family, Real, Shape, Wording
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


def horizons(w: World, samples: str) -> list[int]:
    """Whole numbers of rounds that may be run: all within the printed number, or the next."""
    return [*(range(1, w.rounds) if samples == "at-most" else ()), w.rounds]


class Walk:
    """E |x^k| and E |x^k|^2 for k = 0..K of :func:`~synthetic.exact.runs.absolute_lattice`."""

    def __init__(self, share: Array, start: Array, step: Array, awake: Array, rounds: int) -> None:
        tree = absolute_lattice(share, start, step, awake, rounds)
        places = tree.points[0][..., 0]
        self.distances = [xp.total(c * xp.absolute(places)) for c in tree.chances]
        self.squares = [xp.total(c * places**2) for c in tree.chances]


class Paths:
    """E |x^k| and E |x^k|^2 for k = 0..K, and E of |x^0 + ... + x^K|/(K + 1), on all outcomes.

    Every round the point moves by ``step`` towards 0 with chance (1 + share)/2, else away from it.
    """

    def __init__(self, share: Array, start: Array, step: Array, rounds: int) -> None:
        drift, move, point = share[..., None], step[..., None], start[..., None]
        chance, added = 0 * point + 1, point
        self.distances, self.squares = [], []
        for k in range(rounds + 1):
            self.distances.append(xp.total(chance * xp.absolute(point)))
            self.squares.append(xp.total(chance * point**2))
            if k < rounds:
                side = xp.indicator(point > 0, point) - xp.indicator(point < 0, point)
                chance = both(chance * (1 + drift * side) / 2, chance * (1 - drift * side) / 2)
                point = both(point - move, point + move)
                added = both(added, added) + point
        self.of_mean = xp.total(chance * xp.absolute(added)) / (rounds + 1)


class Descent:
    """Values v(x^k) over ``largest`` and squares of x^k, subgradient descent on v.

    v(x) = slope |x| - aside x, no subgradient g of which is larger than ``largest``; each round
    moves by the share g/largest of ``step``.  As g x = v(x), x^2 changes by -2 step v/largest and
    by step^2 at most.
    """

    def __init__(
        self, start: Array, step: Array, rounds: int, slope: Array, aside: Array, largest: Array
    ) -> None:
        point = start
        self.distances, self.squares = [], []
        for _ in range(rounds + 1):
            self.distances.append((slope * xp.absolute(point) - aside * point) / largest)
            self.squares.append(point**2)
            side = xp.indicator(point >= 0, point) - xp.indicator(point < 0, point)
            point = point - step * (slope * side - aside) / largest


def both(down: Array, up: Array) -> Array:
    """Outcomes of one more draw, those of the last one beside each other."""
    return xp.stack([down, up], -1).reshape((*down.shape[:-1], -1))


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
    # of the sum of T iterates: weight of x^0, and sums of squares and of the noises' weights
    factor = 1 - step * curvature
    kept, spread, weights = 0 * factor, 0 * factor, 0 * factor
    for _ in range(rounds - 1):
        kept = kept * factor + 1  # influence of one noise on the sum of later iterates
        spread, weights = spread + kept**2, weights + kept
    kept = kept * factor + 1
    if expectation == "in-mean":
        return curvature * ((kept * start) ** 2 + step**2 * w.variance * spread) / rounds**2 / 2
    push = step * xp.sqrt(w.variance) * weights
    skew = w.skew if w.has("skew") else 1
    ends = xp.stack([kept * start + push * skew, kept * start - push / skew], -1)
    return curvature[..., None] * (ends / rounds) ** 2 / 2
