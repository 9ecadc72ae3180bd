"""Numbers of clients and of coordinates in what a program says.

A program that asks an array for its length gets that number.  Read at four lengths, the formulas
differ in those numbers alone, and a polynomial of degree two in the length through three of them,
or one over that, that meets the fourth is put in their place.  Whether that is what the claim says
is found out by `verify.reading.clients.agreement`.

A program may be made for one and two coordinates, each with a part of its own, and refuse any
other: then a proof for each listed dimension is a proof for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.reading.clients.reading import Reading
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.values import rational_values
from verify.world.noise_plan import NotAvailable
from verify.world.score import score

__all__ = ["all_listed", "with_length"]

Expr = Any


def with_length(readings: Sequence[Reading]) -> Reading:
    """One reading in place of several with different numbers of clients written out.

    Raises
    ------
    NotReadable
        If they differ in anything else than such numbers.
    """
    first = readings[0]
    lengths = [reading.axis.size for reading in readings]

    def parts(found: Sequence[Mapping[Any, Expr]]) -> dict[Any, Expr]:
        if any(set(part) != set(found[0]) for part in found):
            raise NotReadable("the formulas depend on the number of clients")
        return {
            p: _merged([part[p] for part in found], lengths, first.axis.count) for p in found[0]
        }

    return replace(
        first,
        left=parts([r.left for r in readings]),
        right=parts([r.right for r in readings]),
        margins={n: parts([r.margins[n] for r in readings]) for n in first.margins},
    )


def _merged(found: Sequence[Expr], lengths: Sequence[int], count: Expr) -> Expr:
    if all(e == found[0] for e in found):
        return found[0]
    if all(e.is_Rational for e in found):
        over = _curve(found, lengths, count)
        if over is not None:
            return over
        if all(e != 0 for e in found):
            under = _curve([1 / e for e in found], lengths, count)
            if under is not None:
                return 1 / under
    head = found[0]
    if head.args and all(e.func == head.func and len(e.args) == len(head.args) for e in found):
        return head.func(
            *(_merged(p, lengths, count) for p in zip(*(e.args for e in found), strict=True))
        )
    raise NotReadable("the formulas depend on the number of clients")


def _curve(values: Sequence[Expr], lengths: Sequence[int], count: Expr) -> Expr | None:
    """The polynomial of degree at most two in the number of clients through the first three
    values; None if it misses another one."""
    import sympy

    n = sympy.Dummy()
    found = sympy.interpolate(list(zip(lengths[:3], values[:3], strict=True)), n)
    hit = all(found.subs(n, a) == v for a, v in zip(lengths, values, strict=True))
    return sympy.factor(found).subs(n, count) if hit else None


# -- dimensions ----------------------------------------------------------------------------------

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
        values = rational_values(statement.family.box, shape, Random(statement.key))
        instance = statement.family.instance({k: v[None] for k, v in values.items()}, shape)
        score(statement, instance, "exact")
    except NotAvailable:
        return False
    except (ValueError, IndexError):
        return True
    except ArithmeticError:
        return False
    return False
