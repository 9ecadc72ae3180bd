"""What the statements of the all-for-all paper share: sources, records without sides, boxes."""

from __future__ import annotations

from functools import partial
from typing import Any

from bounds import generic as xp
from verify.claim import records
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Source, Statement, Terms
from verify.world.world import World

Array = Any

PAPER = "allforall"
PLUS, NEW = (1, 0), (1, -1)

CURVATURE = Real(1 / 8, 8, unit=(1, -2), log=True)
LENGTH = Real(-2, 2, unit=(0, 1))
POSITIVE_LENGTH = Real(1 / 8, 8, unit=(0, 1), log=True)
STEP_SHARE = Real(1 / 64, 1)
PRECISION = Real(1 / 64, 4, unit=(1, 0), log=True)
NOISE = Real(1 / 64, 16, unit=(2, -2), log=True)
GRADIENT = Real(1 / 8, 8, unit=(1, -1), log=True)
SHARE = Real(0, 1)


def source(where: str) -> Source:
    """Place in the paper."""
    return Source(PAPER, where)


described = partial(records.described, PAPER)
unchecked_claim = partial(records.open_claim, PAPER)


def numbers(box: dict[str, Real], *shapes: Shape, about: str = "any parameters in the box") -> Family:
    """Instances that are nothing but their parameters."""
    return Family(box, shapes or ({},), about=about)


def count(condition: Array, like: Array) -> Array:
    """How many entries of the last axis satisfy a condition."""
    return xp.total(xp.indicator(condition, like))


def mixing(rows: Array) -> Array:
    """Stochastic matrix with these positive rows, (..., N, N)."""
    return rows / xp.total(rows)[..., None]


def gram(mixing_matrix: Array) -> Array:
    """W = Lambda Lambda^T."""
    return xp.matmul(mixing_matrix, xp.transpose(mixing_matrix))


def one(like: Array) -> Array:
    """1 in the number type and shape of an array."""
    return 0 * like + 1


__all__ = ["Family", "Real", "Shape", "Source", "Statement", "Terms", "World"]
