"""Conditions on an operator between two points, as three factors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from verify.worst_case.function import Condition, Function
from verify.worst_case.points import Number, combined

__all__ = ["turned"]


def turned(f: Function, said: str, factors: Sequence[Number]) -> Iterator[Condition]:
    """Conditions a <e, d> + b |d|^2 + c |e|^2 >= 0 for d = x - y and e = A x - A y."""
    a, b, c = factors
    for i, j in combinations(f.met, 2):
        d, e = i.x - j.x, i.g - j.g
        yield Condition(
            f"{said} {i.name} {j.name}", combined([], [(a, e, d), (b, d, d), (c, e, e)])
        )
