"""Functions written out through exact data: a quadratic, a maximum of parabolas, or a smooth hull.

The conditions of a class say that a function with the data exists; here it is, with its value and
gradient at any point in fractions, so that an instance can be replayed without the conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from flint import fmpq_mat

from verify.certify.gram.check import is_semidefinite
from verify.worst_case.function import FunctionClass
from verify.worst_case.functions.convex import Convex
from verify.worst_case.functions.lipschitz import ConvexLipschitz
from verify.worst_case.functions.quadratic import Quadratics
from verify.worst_case.functions.smooth import Smooth
from verify.worst_case.functions.smooth_convex import SmoothConvex
from verify.worst_case.functions.smooth_strongly_convex import SmoothStronglyConvex
from verify.worst_case.functions.strongly_convex import StronglyConvex, WeaklyConvex
from verify.worst_case.points import rational

MOST = 9
"""Points through which a hull is evaluated: its faces are counted through."""

Coordinates = tuple[Fraction, ...]

__all__ = ["Explicit", "Hull", "MaxOfParabolas", "QuadraticFunction", "ExactAnswer", "written"]


@dataclass(frozen=True)
class ExactAnswer:
    """What was met of a function: a point, a (sub)gradient there, and the value."""

    x: Coordinates
    g: Coordinates
    f: Fraction


class Explicit(Protocol):
    """A function that can be evaluated in fractions."""

    def value(self, x: Coordinates) -> Fraction:
        """Value at a point."""

    def gradient(self, x: Coordinates) -> Coordinates:
        """A (sub)gradient at a point."""

    def has_gradient(self, x: Coordinates, g: Coordinates) -> bool:
        """Whether g is a (sub)gradient at x, by what is active there."""


@dataclass(frozen=True)
class QuadraticFunction:
    """f(x) = level + <slope, x> + <x, H x>/2."""

    hessian: tuple[Coordinates, ...]
    slope: Coordinates
    level: Fraction

    def value(self, x: Coordinates) -> Fraction:
        """Value at a point."""
        turned = [_dot(row, x) for row in self.hessian]
        return self.level + _dot(self.slope, x) + _dot(turned, x) / 2

    def gradient(self, x: Coordinates) -> Coordinates:
        """H x + slope."""
        return tuple(_dot(row, x) + b for row, b in zip(self.hessian, self.slope, strict=True))

    def has_gradient(self, x: Coordinates, g: Coordinates) -> bool:
        """Whether g = H x + slope."""
        return self.gradient(x) == g

    def __str__(self) -> str:
        if len(self.slope) == 1:
            return f"{self.hessian[0][0] / 2}*x^2 + {self.slope[0]}*x + {self.level}"
        rows = ["[" + ", ".join(map(str, row)) + "]" for row in self.hessian]
        slope = ", ".join(map(str, self.slope))
        return f"x.Hx/2 + b.x + {self.level}, H = [{', '.join(rows)}], b = ({slope})"


@dataclass(frozen=True)
class MaxOfParabolas:
    """f(x) = max_i f_i + <g_i, x - x_i> + bend/2 |x - x_i|^2; of curvature at least `bend`."""

    samples: tuple[ExactAnswer, ...]
    bend: Fraction

    def value(self, x: Coordinates) -> Fraction:
        """Value at a point."""
        return max(self._piece(one, x) for one in self.samples)

    def gradient(self, x: Coordinates) -> Coordinates:
        """That of the first piece that is largest at x."""
        return next(iter(self._active(x)))

    def has_gradient(self, x: Coordinates, g: Coordinates) -> bool:
        """Whether a piece that is largest at x has the gradient g there."""
        return g in self._active(x)

    def _active(self, x: Coordinates) -> list[Coordinates]:
        top = self.value(x)
        return [
            tuple(q + self.bend * (p - r) for q, p, r in zip(one.g, x, one.x, strict=True))
            for one in self.samples
            if self._piece(one, x) == top
        ]

    def _piece(self, one: ExactAnswer, x: Coordinates) -> Fraction:
        d = [p - q for p, q in zip(x, one.x, strict=True)]
        return one.f + _dot(one.g, d) + self.bend * _dot(d, d) / 2

    def __str__(self) -> str:
        return f"maximum of {len(self.samples)} parabolas of curvature {self.bend} through the data"


@dataclass(frozen=True)
class Hull:
    """The largest function of curvature at least mu below the parabolas of curvature L at the data.

    See :mod:`synthetic.parabolas`.
    """

    samples: tuple[ExactAnswer, ...]
    mu: Fraction
    L: Fraction

    def value(self, x: Coordinates) -> Fraction:
        """Value at a point."""
        return Fraction(self._hull().own_losses(np.array([x], dtype=object))[0])

    def gradient(self, x: Coordinates) -> Coordinates:
        """Gradient at a point."""
        found: Sequence[Any] = self._hull().own_gradients(np.array([x], dtype=object))[0]
        return tuple(map(Fraction, found))

    def has_gradient(self, x: Coordinates, g: Coordinates) -> bool:
        """Whether the gradient at x is g."""
        return self.gradient(x) == g

    def _hull(self) -> Any:
        from synthetic.parabolas import ParabolaHull, through

        def table(rows: Sequence[Any]) -> Any:
            return np.array([rows], dtype=object)

        points, gradients, values = (
            table([getattr(one, name) for one in self.samples]) for name in ("x", "g", "f")
        )
        upper, lower = (np.array([q], dtype=object) for q in (self.L, self.mu))
        return ParabolaHull(through(points, gradients, values, upper, lower))

    def __str__(self) -> str:
        return (
            f"hull of {len(self.samples)} parabolas, curvature between {self.mu} and {self.L}, "
            "through the data"
        )


def written(kind: FunctionClass, samples: Sequence[ExactAnswer]) -> Explicit | None:
    """A function of the class with these data that reproduces each of them; None if none is known.

    Quadratics come first, as they are what one can read.
    """
    found: list[Explicit] = []
    distinct = tuple(dict.fromkeys(samples))
    bends = _curvatures(kind)
    if bends is not None:
        quadratic = _quadratic(distinct, *bends)
        found += [quadratic] if quadratic else []
        if not isinstance(kind, Quadratics) and len(distinct) <= MOST:
            found.append(Hull(distinct, *bends))
    elif isinstance(kind, Convex | ConvexLipschitz):
        found.append(MaxOfParabolas(distinct, Fraction(0)))
    elif isinstance(kind, StronglyConvex | WeaklyConvex):
        bend = kind.mu if isinstance(kind, StronglyConvex) else -rational(kind.rho)
        found.append(MaxOfParabolas(distinct, _fraction(bend)))
    for one in found:
        if all(one.value(s.x) == s.f and one.has_gradient(s.x, s.g) for s in distinct):
            return one
    return None


# -- private helpers -------------------------------------------------------------------------------


def _curvatures(kind: FunctionClass) -> tuple[Fraction, Fraction] | None:
    if isinstance(kind, SmoothStronglyConvex | Quadratics):
        return _fraction(kind.mu), _fraction(kind.L)
    if isinstance(kind, SmoothConvex):
        return Fraction(0), _fraction(kind.L)
    if isinstance(kind, Smooth):
        return -_fraction(kind.L), _fraction(kind.L)
    return None


def _quadratic(
    samples: Sequence[ExactAnswer], mu: Fraction, L: Fraction
) -> QuadraticFunction | None:
    """A quadratic with the data whose curvatures are between mu and L, by linear equations."""
    d = len(samples[0].x)
    place = {pair: k for k, pair in enumerate((r, c) for r in range(d) for c in range(r + 1))}
    width = len(place) + d + 1
    rows: list[list[Fraction]] = []
    for one in samples:
        for r in range(d):
            row = [Fraction(0)] * (width + 1)
            for c in range(d):
                row[place[max(r, c), min(r, c)]] += one.x[c]
            row[len(place) + r] = Fraction(1)
            row[-1] = one.g[r]
            rows.append(row)
        row = [Fraction(0)] * (width + 1)
        for (r, c), k in place.items():
            row[k] = one.x[r] * one.x[c] / (2 if r == c else 1)
        row[len(place) : -1] = [*one.x, Fraction(1)]
        row[-1] = one.f
        rows.append(row)
    middle = (mu + L) / 2  # what the data leave open: the curvature in between
    start = [middle if r == c else Fraction(0) for r, c in place] + [Fraction(0)] * (d + 1)
    solution = _nearest(rows, start)
    if solution is None:
        return None
    hessian = tuple(
        tuple(solution[place[max(r, c), min(r, c)]] for c in range(d)) for r in range(d)
    )
    low = [[q - mu * (r == c) for c, q in enumerate(row)] for r, row in enumerate(hessian)]
    high = [[L * (r == c) - q for c, q in enumerate(row)] for r, row in enumerate(hessian)]
    if not (is_semidefinite(low) and is_semidefinite(high)):
        return None
    return QuadraticFunction(hessian, tuple(solution[len(place) : -1]), solution[-1])


def _nearest(
    rows: Sequence[Sequence[Fraction]], start: Sequence[Fraction]
) -> list[Fraction] | None:
    """The solution of linear equations with what they leave open as in `start`."""
    width = len(start)
    matrix = fmpq_mat([[rational(q) for q in row] for row in rows])
    reduced, rank = matrix.rref()
    found = [*map(rational, start)]
    pivots = []
    for r in range(rank):
        pivot = next(c for c in range(width + 1) if reduced[r, c] != 0)
        if pivot == width:
            return None
        pivots.append(pivot)
    for r, pivot in enumerate(pivots):
        rest = sum((reduced[r, c] * found[c] for c in range(width) if c not in pivots), rational(0))
        found[pivot] = reduced[r, width] - rest
    return [*map(_fraction, found)]


def _dot(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(one, other, strict=True)), Fraction(0))


def _fraction(q: Any) -> Fraction:
    exact = rational(q)
    return Fraction(int(exact.p), int(exact.q))
