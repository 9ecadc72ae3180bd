"""Points at which all that is known holds: what is false at one of them follows from none of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from verify.certify.algebra.points import MARGIN, WEAK

Expr = Any  # sympy carries no types
Array = np.ndarray[Any, Any]

__all__ = ["Sampled"]


class Sampled:
    """Values of expressions at some points, each subexpression worked out once.

    Parameters
    ----------
    at : mapping
        Symbol or indexed symbol -> its values, ``(points,)``.
    values : mapping, optional
        Expressions that stand for further symbols.
    """

    def __init__(self, at: Mapping[Expr, Array], values: Mapping[Expr, Expr] | None = None) -> None:
        self.size = min((len(x) for x in at.values()), default=0)
        self._points = dict(at)
        self._at: dict[Expr, tuple[Array, Array] | None] = {
            v: (x, np.abs(x)) for v, x in at.items()
        }
        self._values = dict(values or {})

    def breaks(self, left: Expr, right: Expr, relation: str) -> bool:
        """Whether a claim is seen to be false at one of the points.

        Parameters
        ----------
        left, right : expressions
        relation : {"<=", "<", "=="}

        Returns
        -------
        bool
            False says nothing.
        """
        with np.errstate(all="ignore"):
            gap = self._value(right - left) if self.size else None
        if gap is None:
            return False
        value, size = gap
        if relation == "==":
            value = -np.abs(value)
        seen = value <= WEAK * size if relation == "<" else value < -MARGIN * size
        return bool((seen & np.isfinite(size)).any())

    def where(self, known: Expr, strict: bool) -> Sampled:
        """Those of the points at which ``known >= 0``, or ``> 0``; none where that is not seen."""
        with np.errstate(all="ignore"):
            found = self._value(known) if self.size else None
        if found is None:
            return Sampled({})
        value, size = found
        good = value > MARGIN * size if strict else value >= -WEAK * size
        if good.all():
            return self
        return Sampled({v: x[good] for v, x in self._points.items()}, self._values)

    def _value(self, e: Expr) -> tuple[Array, Array] | None:
        """Values at the points, and sizes: rounding is a small part of these; None if unknown."""
        if e not in self._at:
            self._at[e] = self._calculated(e)
        return self._at[e]

    def _calculated(self, e: Expr) -> tuple[Array, Array] | None:
        if e in self._values:
            return self._value(self._values[e])
        if e.is_Rational:
            number = np.array(float(e))
            return number, np.abs(number)
        if not (e.is_Add or e.is_Mul or (e.is_Pow and e.exp.is_Integer)):
            return None
        parts = [self._value(part) for part in (e.args[:1] if e.is_Pow else e.args)]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        value, size = known[0]
        if e.is_Pow:
            n = int(e.exp)
            if n < 0:
                value, size = 1 / value, size / value**2
            return value ** abs(n), size ** abs(n)
        for other, large in known[1:]:
            value, size = (
                (value + other, size + large) if e.is_Add else (value * other, size * large)
            )
        return value, size
