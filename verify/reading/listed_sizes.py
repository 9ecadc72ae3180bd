"""Whether the listed dimensions of a family are all that its statement can be asked about.

A program may be made for one and two coordinates, each with a part of its own, and refuse any
other: then a proof for each listed dimension is a proof for all.
"""

from __future__ import annotations

from random import Random

from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.reading.parts.points import rational_values
from verify.world.noise_plan import NotAvailable
from verify.world.score import score

__all__ = ["all_listed"]

FURTHER = 3
"""Dimensions beyond the largest listed one that must be refused."""

MOST = 3
"""Coordinates that may be written out."""


def all_listed(statement: Statement) -> bool:
    """Whether the program has a value in the listed dimensions and in no other.

    Parameters
    ----------
    statement : Statement
        On numbers. A shape that says anything but sizes says too much: what it does not list may
        go with other dimensions.
    """
    shapes = statement.family.shapes
    vectors = any("d" in p.per for p in statement.family.box.values())
    if (
        statement.also
        or not vectors
        or any("d" not in s or any(type(v) is not int for v in s.values()) for s in shapes)
    ):
        return False
    listed = {s["d"] for s in shapes}
    others = [{n: v for n, v in s.items() if n != "d"} for s in shapes]
    for d in range(1, max(listed) + FURTHER + 1):
        refused = {_refused(statement, {**s, "d": d}) for s in others}
        if refused != {d not in listed}:
            return False
    return bool(max(listed) <= MOST)


def _refused(statement: Statement, shape: Shape) -> bool:
    """Whether the claim cannot be written down in a shape; failing for another reason than the
    lengths of arrays is not that."""
    try:
        values = rational_values(statement, shape, Random(statement.key))
        instance = statement.family.instance({k: v[None] for k, v in values.items()}, shape)
        score(statement, instance, "exact")
    except NotAvailable:
        return False
    except (ValueError, IndexError):
        return True
    except ArithmeticError:
        return False
    return False
