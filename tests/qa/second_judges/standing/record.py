"""The record of a second judge of a main result that stands.

It decides from the sheet and the text of the paper what is claimed, draws instances of its own,
and computes hypotheses and both sides in fractions, without code of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction as Q
from random import Random
from typing import Any

__all__ = ["Draw", "Standing", "Values", "between", "log_between"]

Values = Mapping[str, Any]
"""Numbers of an instance by name, as fractions or lists of them."""
Draw = Callable[[Random, Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Standing:
    """A leaf that stands, judged a second time.

    Parameters
    ----------
    keys : tuple of str
        Leaves; readings that the judge tells apart have records of their own.
    words : str
        What is claimed, with its place.
    shapes : tuple of int
        Which shapes of the leaf's first family are drawn from.
    draw : callable
        Random numbers and the sizes of a shape -> values of the family's symbols.
    sides : callable
        What the instance says (its data and parameters in fractions) -> left and right.
    given : callable
        The same -> whether every printed hypothesis is met.
    count : int
        Instances that are drawn for each leaf.
    family : int
        0 for the leaf's first family, 1 and on for those it is tried on too.
    slack : Fraction
        Relative error of the judge's own roots and exponentials; 0 where it is exact.
    """

    keys: tuple[str, ...]
    words: str
    shapes: tuple[int, ...]
    draw: Draw
    sides: Callable[[Any], tuple[Q, Q]]
    given: Callable[[Any], bool] = lambda _: True
    count: int = 200
    family: int = 0
    slack: Q = Q(0)


def between(rng: Random, low: Q | int, high: Q | int, parts: int = 64) -> Q:
    """A fraction of a range, its ends included; each end one time in eight."""
    at = rng.choice([0, *(rng.randint(0, parts) for _ in range(6)), parts])
    return Q(low) + (Q(high) - Q(low)) * Q(at, parts)


def log_between(rng: Random, low: int, high: int) -> Q:
    """A number from 2^low to 2^high with a short numerator."""
    return Q(rng.randint(8, 15), 8) * Q(2) ** rng.randint(low, high - 1)
