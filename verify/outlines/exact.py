"""Fractions of what a world in exact numbers gives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from verify.world.noise_plan import NoValue

__all__ = ["NotInFractions", "fractions", "in_fractions"]


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
