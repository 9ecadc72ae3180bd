"""Instances at random points in fractions, and plain numbers of what a program gives there."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Shape
from verify.reading.parts.refusals import asked
from verify.reading.parts.values import rational_values

Array = np.ndarray[Any, Any]

__all__ = ["instance_of", "plain", "plain_array"]


def instance_of(
    family: Family, shape: Shape, random: Random, finest: int = 64
) -> tuple[Instance, dict[str, Any]]:
    """An instance at a random point, in fractions, and the point."""
    values = rational_values(family.box, shape, random, finest)
    with asked():
        return family.instance({n: v[None] for n, v in values.items()}, shape), values


def plain(value: Any) -> Any:
    """A fraction, or a float of what is none."""
    if isinstance(value, int | Fraction):
        return Fraction(value)
    return float(xp.to_float(np.array([value], dtype=object))[0])


def plain_array(values: Any) -> Array:
    """The same of all entries."""
    found = np.asarray(values, dtype=object)
    out = np.empty(found.shape, dtype=object)
    for index in np.ndindex(*found.shape):
        out[index] = plain(found[index])
    return out
