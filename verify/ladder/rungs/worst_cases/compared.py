"""Comparisons of forms, place by place: norms by their squares, extremes by each part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from verify.worst_case.forms import ExtremeForm, NotQuadratic, RootForm, ScalarForm, is_form, whole
from verify.worst_case.points import Expression, rational
from verify.worst_case.problem import ClassProblem

__all__ = ["ComparedPlace", "assumed", "places_of", "spread", "total_of"]


@dataclass(frozen=True)
class ComparedPlace:
    """One comparison: the smallest of some numbers is at most the largest of others.

    Norms are compared by their squares, which `squared` says.
    """

    left: tuple[Expression, ...]
    right: tuple[Expression, ...]
    squared: bool = False


def total_of(side: Mapping[str, Any]) -> Any:
    """Sum of the terms of a side."""
    total: Any = Fraction(0)
    for term in side.values():
        value = np.asarray(term, dtype=object)
        total = value if total is None else _aligned(total, value)
    return total


def _aligned(one: Any, other: Any) -> Any:
    """A sum of two arrays, the one with fewer axes alike along those that it lacks."""
    a, b = np.asarray(one, dtype=object), np.asarray(other, dtype=object)
    more = max(a.ndim, b.ndim)
    a, b = (v.reshape(v.shape + (1,) * (more - v.ndim)) for v in (a, b))
    return a + b


def spread(left: Any, right: Any) -> tuple[list[Any], list[Any]]:
    """Both sides at each place."""
    a, b = np.asarray(left, dtype=object), np.asarray(right, dtype=object)
    more = max(a.ndim, b.ndim)
    a, b = (v.reshape(v.shape + (1,) * (more - v.ndim)) for v in (a, b))
    a, b = np.broadcast_arrays(a, b)
    return list(a.ravel()), list(b.ravel())


def assumed(problem: ClassProblem, name: str, margin: Any) -> bool:
    """Assume that a margin is not negative; whether known numbers meet it."""
    if not is_form(margin):
        return bool(margin >= 0)
    if isinstance(margin, ExtremeForm):
        if margin.largest:
            raise NotQuadratic("one of several numbers is assumed not to be negative")
        return all(assumed(problem, name, part) for part in margin.parts)
    if isinstance(margin, RootForm):
        compared = _squares(Fraction(0), margin)
        if compared is None:
            raise NotQuadratic("norms in a hypothesis")
        low, high, always = compared
        if always is not None:
            return always
        problem.assume(low <= high, name)
        return True
    problem.assume(whole(margin) >= 0, name)
    return True


def places_of(left: Any, right: Any) -> Iterator[ComparedPlace]:
    """What must hold for ``left <= right``."""
    if isinstance(left, ExtremeForm) and left.largest:
        for part in left.parts:
            yield from places_of(part, right)
        return
    if isinstance(right, ExtremeForm) and not right.largest:
        for part in right.parts:
            yield from places_of(left, part)
        return
    if isinstance(left, RootForm) or isinstance(right, RootForm):
        compared = _squares(left, right)
        if compared is None:
            raise NotQuadratic("norms beside other terms")
        low, high, always = compared
        if always is None:
            yield ComparedPlace((low,), (high,), squared=True)
        elif not always:
            yield ComparedPlace((Expression({(): rational(1)}),), (Expression({}),))
        return
    lows = left.parts if isinstance(left, ExtremeForm) else (left,)
    highs = right.parts if isinstance(right, ExtremeForm) else (right,)
    yield ComparedPlace(tuple(map(whole, lows)), tuple(map(whole, highs)))


def _squares(left: Any, right: Any) -> tuple[Expression, Expression, bool | None] | None:
    """Squares that compare as ``left <= right`` does, norms and numbers on each side.

    The third is the answer where it needs none; None where squares do not say it.
    """
    gap = right - left
    if not isinstance(gap, RootForm):
        return None
    offset = rational(gap.offset)
    ups = [(a, e) for a, e in gap.parts if a > 0]
    downs = [(-a, e) for a, e in gap.parts if a < 0]
    empty = Expression({})
    if len(ups) + len(downs) > 2 or len(ups) > 1 or len(downs) > 1:
        return None
    if ups and downs:
        if offset != 0:
            return None
        return whole(downs[0][1]) * downs[0][0] ** 2, whole(ups[0][1]) * ups[0][0] ** 2, None
    square = Expression({(): offset**2} if offset else {})
    if ups:
        return (empty, empty, True) if offset >= 0 else (square, _scaled(ups[0]), None)
    return (empty, empty, False) if offset < 0 else (_scaled(downs[0]), square, None)


def _scaled(part: tuple[Any, ScalarForm]) -> Expression:
    factor, inside = part
    return whole(inside).__mul__(factor**2)
