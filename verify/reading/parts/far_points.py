"""Points of the whole domain, at which that is looked for which only some instances break.

A range of a parameter is only where a search looks first: what is taken for known of all instances
must hold beyond it too, as far as the domain goes, and at the ends of what is stated.  One point
after another has one parameter low, or high, and the others in their ranges; further ones mix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from verify.claim.parameters import Real, Shape
from verify.reading.parts.values import rational_values

__all__ = ["far_points", "far_values"]

FACTOR = 16
"""How many times wider a range is made, in its domain."""
MIXED = 4
"""Points at which half of the parameters are far."""


def far_points(box: Mapping[str, Real], mixed: int = MIXED) -> int:
    """How many points `far_values` has of a box, so many of them mixed."""
    return 6 * len(box) + mixed


def far_values(
    box: Mapping[str, Real], shape: Shape, random: Random, number: int, finest: int = 1000
) -> dict[str, Any]:
    """Every parameter's value in its domain, as `rational_values` has them of the ranges.

    Parameters
    ----------
    box : mapping
    shape : mapping
    random : random.Random
    number : int
        Of the point, below `far_points`.
    finest : int

    Examples
    --------
    >>> box = {"share": Real(0, 1), "part": Real(0, 1, domain=(0, 1))}
    >>> drawn = [far_values(box, {}, Random(i), i) for i in range(far_points(box))]
    >>> max(x["share"].item() for x in drawn) > 1, max(x["part"].item() for x in drawn)
    (True, Fraction(1, 1))
    """
    found, names = rational_values(box, shape, random, finest), list(box)
    if number < 6 * len(names):
        which, rest = divmod(number, 6)
        side, share = rest % 2, (0.0, random.random() ** 4, 1.0)[rest // 2]
        name = names[which]
        return {**found, name: _far(box[name], found[name], lambda: (side, share))}

    def mixed() -> tuple[int, float]:
        return random.randrange(2), random.choice((0, 0, random.random() ** 4, 1))

    far = [n for n in names if random.random() < 0.5]
    return {**found, **{n: _far(box[n], found[n], mixed) for n in far}}


def _far(
    parameter: Real, near: Any, place: Callable[[], tuple[int, float]]
) -> np.ndarray[Any, Any]:
    """Numbers between an end of the range and that of the wider one, both among them."""
    wide = parameter.wide(FACTOR)
    out = np.empty(near.shape, dtype=object)
    for index in np.ndindex(*near.shape):
        side, share = place()
        first, last = ((parameter.low, wide.low), (parameter.high, wide.high))[side]
        number = Fraction(float(first + share * (last - first)))
        rounded = number.limit_denominator(1024)
        kept = parameter.inside(rounded) and bool(rounded) == bool(number)
        out[index] = rounded if kept else number
    return out
