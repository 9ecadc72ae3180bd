"""Functions with the restricted secant inequality and an error bound, both about a minimiser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.points import Number, combined, rational

__all__ = ["SecantErrorBound"]


@dataclass(frozen=True)
class SecantErrorBound(FunctionClass):
    """<g, x - x*> >= mu |x - x*|^2 and |g| <= L |x - x*|.

    Exact for points and gradients, nothing is said of values: Guille-Escuret, Ibrahim, Goujaud,
    Mitliagkas, Gradient descent is optimal under lower restricted secant inequality and upper
    error bound (2022), Theorem 2.
    """

    mu: Number
    L: Number
    valued: ClassVar[bool] = False

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Both inequalities, between the minimiser and each other point."""
        if not f.stationary:
            f.minimiser()
        mu, square = rational(self.mu), rational(self.L) ** 2
        for best in f.stationary:
            for i in f.met:
                if i is not best:
                    d = i.x - best.x
                    secant = combined([], [(1, i.g, d), (-mu, d, d)])
                    bound = combined([], [(square, d, d), (-1, i.g, i.g)])
                    yield Condition(f"secant {i.name}", secant)
                    yield Condition(f"error bound {i.name}", bound)
