"""A number of rounds that a program counts up to, and that is a symbol where it calculates.

``range(K)`` is so many rounds as are written out; in every formula stands the symbol.  So what a
program says after K rounds can be told apart from what K itself does to it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bounds.numbers.symbolic import Symbolic, expression
from verify.reading.clients.reading import StandsForAny
from verify.reading.parts.refusals import NotReadable

__all__ = ["Counted"]


@dataclass(frozen=True, eq=False, repr=False)
class Counted(StandsForAny):
    """A number of rounds.

    Attributes
    ----------
    written : int
        Rounds that are written out.
    symbol : expression
        What it is in formulas.

    Examples
    --------
    >>> import sympy
    >>> K = Counted(2, sympy.Symbol("K", positive=True))
    >>> len(range(K - 1)), 1 / K
    (1, 1/K)
    """

    written: int
    symbol: Any

    def __repr__(self) -> str:
        return str(self.symbol)

    def __index__(self) -> int:
        return self.written

    def __add__(self, other: object) -> Any:
        if type(other) is int:
            return Counted(self.written + other, self.symbol + other)
        return self._with(operator.add, other)

    __radd__ = __add__

    def __sub__(self, other: object) -> Any:
        if type(other) is int:
            return Counted(self.written - other, self.symbol - other)
        return self._with(operator.sub, other)

    def __rsub__(self, other: object) -> Any:
        return self._with(operator.sub, other, True)

    def __mul__(self, other: object) -> Any:
        return self._with(operator.mul, other)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Any:
        return self._with(operator.truediv, other)

    def __rtruediv__(self, other: object) -> Any:
        return self._with(operator.truediv, other, True)

    def __pow__(self, other: object) -> Any:
        return self._with(operator.pow, other)

    def __rpow__(self, other: object) -> Any:
        return self._with(operator.pow, other, True)

    def __neg__(self) -> Any:
        return Symbolic(-self.symbol)

    def _with(self, how: Callable[[Any, Any], Any], other: object, turned: bool = False) -> Any:
        """A number that is no number of rounds."""
        found = other.symbol if isinstance(other, Counted) else expression(other)
        if found is None:
            return NotImplemented
        pair = (found, self.symbol) if turned else (self.symbol, found)
        return Symbolic(how(*pair))

    def _compared(self, other: object) -> bool:
        raise NotReadable("a program that compares the number of rounds")

    def _divided(self, other: object) -> Any:
        raise NotReadable("a program that asks for the rest of the number of rounds")

    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = _divided
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _compared
    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise NotReadable("a program that asks whether there are rounds")

    __float__ = __int__ = __round__ = __bool__
