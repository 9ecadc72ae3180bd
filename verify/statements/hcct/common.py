"""What the statements of the grouping paper share: source, records without sides, boxes, arrays."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import as_rational
from verify.claim import records
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Source, Statement, Terms
from verify.world.world import World

Array = Any

PAPER = "hcct"

CURVATURE = Real(1 / 8, 8, unit=(1, -2), log=True)
LENGTH = Real(-2, 2, unit=(0, 1))
LEVEL = Real(1 / 64, 63 / 64)
SHARE = Real(0, 1)
SIZE = Real(1, 16, log=True)
TRADEOFF = Real(1 / 64, 64, log=True)


def source(where: str) -> Source:
    """Place in the paper."""
    return Source(PAPER, where)


described = partial(records.described, PAPER)


def unchecked_claim(key: str, where: str, latex: str, title: str, missing: str) -> Statement:
    """A claim that cannot be checked, with what is missing."""
    return records.open_claim(PAPER, key, "claim", where, latex, title, missing)


def numbers(box: dict[str, Real], *shapes: Shape, about: str = "any parameters in the box") -> Family:
    """Instances that are nothing but their parameters."""
    return Family(box, shapes or ({},), about=about)


def constants(values: Any, w: World) -> Array:
    """Literal numbers as an array of the world's number type."""
    if w.number == "float64":
        return np.asarray(values, dtype=float)
    return np.asarray(as_rational(np.asarray(values)), dtype=object)


def members(clients: Any, w: World) -> Array:
    """Mask (N,) of a group of clients."""
    return constants([int(k in clients) for k in range(int(w.original("N")))], w)


def one(like: Array) -> Array:
    """1 in the number type and shape of an array."""
    return 0 * like + 1


def choose(condition: Array, yes: Array, no: Array) -> Array:
    """``yes`` where the condition holds, all three of one shape."""
    return xp.where(condition, yes, no)


__all__ = ["Family", "Real", "Shape", "Source", "Statement", "Terms", "World"]
