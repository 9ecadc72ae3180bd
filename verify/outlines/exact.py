"""Fractions of what a world in exact numbers gives.

Roots, logarithms and exponentials come as enclosures.  A run that is made of such a number is made
of a fraction in its place, so that the run itself is exact; what the world measures is then that of
the run but for `NEAR`.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from bounds.numbers.ball import Ball
from verify.world.noise_plan import NoValue

__all__ = ["NEAR", "NotInFractions", "above", "below", "fractions", "in_fractions", "near"]

NEAR = Fraction(1, 10**9)
"""How far apart, as a part of the larger number or of one, an enclosure and a fraction may be."""
GRID = 10**24
"""One over the distance of fractions that stand for enclosures."""
WIDEST = Fraction(1, 10**28)
"""Of an enclosure, as a part of its number or of one."""


class NotInFractions(NoValue):
    """A value that is no fraction, such as a root: no exact run has it."""


def in_fractions(values: Any) -> Any:
    """An array of the same shape with a fraction for each entry.

    Raises
    ------
    NotInFractions
    """
    found = np.asarray(values, dtype=object)
    out = np.empty(found.shape, dtype=object)
    for index in np.ndindex(*found.shape):
        out[index] = _fraction(found[index])
    return out


def fractions(values: Any) -> list[Fraction]:
    """The entries of an array one after the other."""
    return list(in_fractions(values).reshape(-1))


def _fraction(value: Any) -> Fraction:
    if isinstance(value, int | Fraction | np.integer):
        return Fraction(int(value)) if isinstance(value, np.integer) else Fraction(value)
    raise NotInFractions(f"{type(value).__name__} is no fraction")


def near(values: Any) -> tuple[Any, bool]:
    """Fractions in the middle of enclosures, and whether there are any.

    Raises
    ------
    NotInFractions
        Where an enclosure is too wide.
    """
    found: Any = np.asarray(values, dtype=object)
    enclosed = any(isinstance(one, Ball) and not one.is_point for one in found.flat)
    out = np.empty(found.shape, dtype=object)
    for index in np.ndindex(*found.shape):
        value = found[index]
        out[index] = _middle(value) if isinstance(value, Ball) else _fraction(value)
    return out, enclosed


def below(value: Any, room: Fraction = Fraction(0)) -> Fraction:
    """A fraction smaller by little, and by ``room``, than an enclosure; a fraction itself."""
    return _beside(value, -2, -room)


def above(value: Any, room: Fraction = Fraction(0)) -> Fraction:
    """A fraction larger by little, and by ``room``, than an enclosure; a fraction itself."""
    return _beside(value, 2, room)


def _beside(value: Any, units: int, room: Fraction) -> Fraction:
    one = np.asarray(value, dtype=object).reshape(-1)[0]
    if not isinstance(one, Ball) or one.is_point:
        return _fraction(one.mid if isinstance(one, Ball) else one)
    return Fraction(floor(_middle(one) * GRID) + units, GRID) + room


def _middle(value: Ball) -> Fraction:
    middle = value.mid
    if value.rad > WIDEST * max(Fraction(1), abs(middle)):
        raise NotInFractions(f"{value} is wide")
    return middle
