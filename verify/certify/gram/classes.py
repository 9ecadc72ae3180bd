r"""Interpolation conditions of function classes as premises on values and inner products.

For curvatures between m and L > m there is a function with the data :math:`(x_i, g_i, f_i)_i`
exactly where, for all i and j,

.. math:: f_i \ge f_j + \langle g_j, x_i - x_j\rangle
    + \frac{\tfrac1L\|g_i-g_j\|^2 + m\|x_i-x_j\|^2 - 2\tfrac mL\langle g_j-g_i, x_j-x_i\rangle}
           {2(1-m/L)} ;

m = -L are the smooth functions, of which the infimum stays above f* exactly where each
:math:`f_i - \|g_i\|^2/(2L) \ge f_*`.

Source: as :mod:`bounds.interpolation`, which is the same condition on coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from verify.certify.gram.claim import Form, Premise, Vector, constant, value

__all__ = ["Point", "above_minimum", "between", "interpolation", "met", "minimum"]


@dataclass(frozen=True)
class Point:
    """What a method meets at a point: its place, the gradient there and the value."""

    name: str
    x: Vector
    g: Vector
    f: Form


def minimum() -> Point:
    """The minimiser as the origin of space and of the values; its gradient vanishes."""
    return Point("*", Vector({}), Vector({}), constant(0))


def met(name: str, x: Vector, gradient: Vector, f: str) -> Point:
    """A point with a value of its own."""
    return Point(name, x, gradient, value(f))


def between(i: Point, j: Point, lower: Fraction, upper: Fraction) -> Form:
    """Left side minus right side of the condition; ``lower`` = m below ``upper`` = L."""
    step, turn = i.x - j.x, i.g - j.g
    bend = (
        turn.square() * (1 / upper) + step.square() * lower - turn.dot(step) * (2 * lower / upper)
    )
    return i.f - j.f - j.g.dot(step) - bend * (1 / (2 * (1 - lower / upper)))


def above_minimum(i: Point, upper: Fraction) -> Form:
    """f_i - |g_i|^2/(2 L), with the infimum 0."""
    return i.f - i.g.square() * (1 / (2 * upper))


def interpolation(points: Sequence[Point], lower: Fraction, upper: Fraction) -> list[Premise]:
    """All conditions between points; of smooth functions (m < 0) also the infimum 0.

    Parameters
    ----------
    points : sequence of Point
        For m >= 0 the minimiser is one of them; for m < 0 it is none, since the infimum need not
        be attained.
    lower, upper : Fraction
        m and L > m.
    """
    found = [
        Premise(
            f"f({i.name}) against f({j.name})",
            between(i, j, lower, upper),
            rule={"interpolation": [i.name, j.name]},
        )
        for i, j in permutations(points, 2)
    ]
    if lower < 0:
        found += [
            Premise(
                f"f({i.name}) above the infimum", above_minimum(i, upper), rule={"infimum": i.name}
            )
            for i in points
        ]
    return found
