"""Numbers that count where a program counts, and are symbols where it calculates.

A program that is run with a few numbers of local steps may say something else of others, so these
are compared with nothing above them: a program that asks whether there are more than three local
steps is refused where there are fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, NoReturn

import numpy as np

from bounds.numbers.symbolic import Symbolic, expression
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import Listed

__all__ = ["CountedSteps"]

Expr = Any  # sympy carries no types


class CountedSteps(int):
    """A whole number, and the formula that it stands for.

    With whole numbers it is one again, so that it may be an index; with symbols it is its formula.
    Quotients and rests of two such counts are plain numbers, but for a whole quotient that has a
    name; by another number there are none, as a program may say something else at its multiples.

    Parameters
    ----------
    number : int
    formula : expression
    whole : expression, optional
        What a whole quotient by another count stands for, where both say so.
    """

    __array_ufunc__ = None
    formula: Expr
    whole: Expr | None

    def __new__(cls, number: int, formula: Expr, whole: Expr | None = None) -> CountedSteps:
        """A number with its formula."""
        made = super().__new__(cls, number)
        made.formula, made.whole = formula, whole
        return made

    def _with(self, other: Any, rule: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, int):
            number = rule(index(self), index(other))
            formula = rule(self.formula, getattr(other, "formula", index(other)))
            return CountedSteps(number, formula) if isinstance(number, int) else Symbolic(formula)
        if isinstance(other, np.ndarray):
            out = np.empty(other.shape, dtype=object)
            for place in np.ndindex(*other.shape):
                out[place] = rule(Symbolic(self.formula), other[place])
            return out.view(Listed)
        if expression(other) is None:
            raise NotReadable("a count beside what is no number")
        return rule(Symbolic(self.formula), other)

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b * a)

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b / a)

    def __pow__(self, other: Any) -> Any:  # type: ignore[override]
        return self._with(other, lambda a, b: a**b)

    def __rpow__(self, other: Any) -> Any:  # type: ignore[override]
        return self._with(other, lambda a, b: b**a)

    def __floordiv__(self, other: Any) -> Any:
        self._by_count(other)
        number = index(self) // index(other)
        named = self.whole is not None and self.whole == other.whole
        return CountedSteps(number, self.whole) if named else number

    def __mod__(self, other: Any) -> Any:
        self._by_count(other)
        return index(self) % index(other)

    def __rfloordiv__(self, other: Any) -> Any:
        self._not_above(other)
        return index(other) // index(self)

    def __rmod__(self, other: Any) -> Any:
        self._not_above(other)
        return index(other) % index(self)

    def _not_above(self, other: Any) -> None:
        if not isinstance(other, int) or index(other) > 3 * index(
            self
        ):  # times of a run that is read
            raise NotReadable("a program that divides what no iteration that is read has")

    def _by_count(self, other: Any) -> None:
        if not isinstance(other, CountedSteps):
            raise NotReadable("a program that asks for a multiple of a number")

    def __neg__(self) -> Any:
        return CountedSteps(-index(self), -self.formula)

    def _compared(self, other: Any) -> None:
        if not isinstance(other, int) or index(other) > index(self):
            raise NotReadable("a program that compares a count with more than it")

    def __eq__(self, other: object) -> bool:
        self._compared(other)
        return index(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        self._compared(other)
        return index(self) < index(other)

    def __le__(self, other: Any) -> bool:
        self._compared(other)
        return index(self) <= index(other)

    def __gt__(self, other: Any) -> bool:
        self._compared(other)
        return index(self) > index(other)

    def __ge__(self, other: Any) -> bool:
        self._compared(other)
        return index(self) >= index(other)

    __hash__ = int.__hash__

    def _plain(self, *_: Any) -> NoReturn:
        raise NotReadable("a program that makes a plain number of a count")

    __int__ = __float__ = __round__ = __trunc__ = __floor__ = __ceil__ = __abs__ = _plain
    numerator = denominator = property(_plain)

    def __bool__(self) -> bool:
        raise NotReadable("a program that asks whether a count is zero")
