"""Random rational points of a claim on numbers, at which a formula read from it is held to it."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from verify.claim.parameters import Shape
from verify.claim.statement import Statement

__all__ = ["rational_values"]


def rational_values(statement: Statement, shape: Shape, random: Random) -> dict[str, Any]:
    """Every parameter's value in its domain, an object array of the parameter's lengths each.

    Parameters
    ----------
    statement : Statement
    shape : mapping
    random : random.Random
        Numbers are drawn in the order of the box and of the arrays.
    """
    return {name: _drawn(p, p.lengths(shape), random) for name, p in statement.family.box.items()}


def _drawn(parameter: Any, lengths: tuple[int, ...], random: Random) -> np.ndarray[Any, Any]:
    """Rational numbers of the domain."""
    out = np.empty(lengths, dtype=object)
    for index in np.ndindex(*lengths):
        place = parameter.from_unit(np.array([random.random()]))[0]
        number = Fraction(float(place)).limit_denominator(1000)
        out[index] = number if parameter.inside(number) else Fraction(float(place))
    return out
