"""Fractions of what a world in exact numbers gives, or narrow balls around them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np

from bounds.numbers.ball import Ball
from verify.proof.bridge import ExactRun
from verify.world.noise_plan import NoValue

__all__ = [
    "NEAR",
    "NotInFractions",
    "above",
    "averaged",
    "below",
    "enclosed",
    "ends",
    "fractions",
    "in_fractions",
    "means",
    "on_outcome",
]

NARROW = Fraction(1, 2**64)
"""Of a ball that encloses a number, the largest width over the number or one."""
GRID = 10**30
"""One over the distance of the fractions that stand for numbers in balls."""
NEAR = Fraction(1, 10**20)
"""How far from its ball what stands for a number, or is made of such, may be, over it or one."""


class NotInFractions(NoValue):
    """A value that is no fraction, such as a root: no exact run has it."""


def in_fractions(values: Any) -> Any:
    """An array of the same shape with a fraction for each entry.

    Raises
    ------
    NotInFractions
    """
    return _each(values, _fraction)


def enclosed(values: Any) -> Any:
    """The same, with a narrow ball for each entry that is no fraction.

    Raises
    ------
    NotInFractions
    """
    return _each(values, _narrow)


def ends(value: Fraction | Ball) -> tuple[Fraction, Fraction]:
    """Between which fractions a number lies: both are the number itself if it is one."""
    return (value.lo, value.hi) if isinstance(value, Ball) else (value, value)


def below(value: Any, room: Fraction = Fraction(0)) -> Fraction:
    """A fraction smaller by little, and by ``room``, than a ball; a number that is one itself."""
    return _beside(value, -2, -room)


def above(value: Any, room: Fraction = Fraction(0)) -> Fraction:
    """A fraction larger by little, and by ``room``, than a ball; a number that is one itself."""
    return _beside(value, 2, room)


def _beside(value: Any, units: int, room: Fraction) -> Fraction:
    low, high = ends(enclosed(value).reshape(-1)[0])
    return low if low == high else Fraction(floor((low + high) / 2 * GRID) + units, GRID) + room


def fractions(values: Any) -> list[Fraction]:
    """The entries of an array one after the other."""
    return list(in_fractions(values).reshape(-1))


def on_outcome(values: Any, outcome: int | None) -> Any:
    """The values on one outcome; all of them where none is named, or they are the same on all."""
    if outcome is None or values.ndim < 2 or values.shape[1] == 1:
        return values
    return values[:, outcome : outcome + 1]


def means(values: Any, run: ExactRun, per: str) -> list[Any]:
    """Of each outcome a number, or a list of numbers over an index; means over the clients."""
    values = values.reshape(values.shape[1:]) if values.ndim else values.reshape(1)
    values = np.broadcast_to(values, (len(run.chances), *values.shape[1:]))
    if per == "clients":
        every = (np.array(list(run.weights_on(o)), dtype=object) for o in range(len(values)))
        return [(row * weights).sum() for row, weights in zip(values, every, strict=True)]
    return [tuple(row) if per else row for row in values]


def averaged(values: list[Any], run: ExactRun) -> Any:
    """The mean over the outcomes."""
    if isinstance(values[0], tuple):
        columns = zip(*values, strict=True)
        return [sum(c * v for c, v in zip(run.chances, col, strict=True)) for col in columns]
    return sum(c * v for c, v in zip(run.chances, values, strict=True))


def _each(values: Any, of: Callable[[Any], Any]) -> Any:
    found = np.asarray(values, dtype=object)
    out = np.empty(found.shape, dtype=object)
    for index in np.ndindex(*found.shape):
        out[index] = of(found[index])
    return out


def _narrow(value: Any) -> Fraction | Ball:
    if not isinstance(value, Ball):
        return _fraction(value)
    if 2 * value.rad > NARROW * max(Fraction(1), abs(value.mid)):
        raise NotInFractions(f"{value!r} is too wide to say what a number is")
    return value


def _fraction(value: Any) -> Fraction:
    if isinstance(value, int | Fraction | np.integer):
        return Fraction(int(value)) if isinstance(value, np.integer) else Fraction(value)
    raise NotInFractions(f"{type(value).__name__} is no fraction")
