"""Parameters as coefficients: rational functions that stand where a problem has rationals.

The same steps and conditions that make a programme at numbers make a claim for all numbers when
they are run on these.  Arithmetic is exact and canonical; a comparison is answered only where the
signs of the parameters decide it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from typing import Any

import sympy
from flint import fmpq

from verify.worst_case.points import Coefficient, rational

__all__ = ["ParameterFunction", "Undetermined", "parameters"]


class Undetermined(ValueError):
    """A comparison of parameters that their signs do not decide."""


@dataclass(frozen=True, eq=False)
class ParameterFunction(Coefficient):
    """A quotient of polynomials in parameters.

    Attributes
    ----------
    element : sympy's element of a field of rational functions
    shares : frozenset of str
        Parameters between 0 and 1; the others are positive, or of any sign if sympy says so.

    Examples
    --------
    >>> h, L = parameters({"h": sympy.Symbol("h", positive=True),
    ...                    "L": sympy.Symbol("L", positive=True)}).values()
    >>> str(((h + L) ** 2 - h * h).formula), h * L > 0
    ('L**2 + 2*L*h', True)
    """

    element: Any
    shares: frozenset[str] = frozenset()

    @property
    def formula(self) -> Any:
        """As sympy writes it."""
        return self.element.as_expr()

    def at(self, values: Mapping[str, Any]) -> Any:
        """Value at numbers for all parameters, a rational of flint."""
        symbols = self.element.field.symbols
        numbers = [_plain(values[str(s)]) for s in symbols]
        above, below = (
            part.evaluate([*zip(part.ring.gens, numbers, strict=True)])
            for part in (self.element.numer, self.element.denom)
        )
        return rational(Fraction(int(above.numerator), int(above.denominator))) / rational(
            Fraction(int(below.numerator), int(below.denominator))
        )

    def _made(self, element: Any) -> ParameterFunction:
        return ParameterFunction(element, self.shares)

    def _other(self, other: Any) -> Any:
        """Another number in the same field; None where it is none."""
        if isinstance(other, ParameterFunction):
            return other.element
        if isinstance(other, int | Rational | fmpq):
            return self.element.field.ground_new(_plain(other))
        return None

    def __add__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else self._made(self.element + b)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self._made(-self.element)

    def __sub__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else self._made(self.element - b)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else self._made(self.element * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else self._made(self.element / b)

    def __rtruediv__(self, other: Any) -> Any:
        b = self._other(other)
        return NotImplemented if b is None else self._made(b / self.element)

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, int | Fraction) and exponent == int(exponent):
            return self._made(self.element ** int(exponent))
        raise Undetermined(f"the power {exponent} of a parameter")

    def __bool__(self) -> bool:
        return bool(self.element)

    def __eq__(self, other: object) -> bool:
        b = self._other(other)
        return b is not None and not (self.element - b)

    def __hash__(self) -> int:
        return hash(self.element)

    def __gt__(self, other: Any) -> bool:
        return bool((self - other)._positive)

    def __lt__(self, other: Any) -> bool:
        return bool((other - self)._positive)

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    @cached_property
    def _positive(self) -> bool:
        """Whether it is above zero; raises where the signs of parameters do not say."""
        if not self.element:
            return False
        symbols = self.element.field.symbols
        further = {s: sympy.Dummy(positive=True) for s in symbols if str(s) in self.shares}
        changed = {s: 1 / (1 + more) for s, more in further.items()}
        above, below = sympy.fraction(sympy.cancel(self.formula.xreplace(changed)))
        signs = []
        for part in (above, below):
            met = [s for s in (*symbols, *further.values()) if part.has(s)]
            poly = sympy.Poly(part, *met or [sympy.Dummy(positive=True)])
            known = all(s.is_positive for s in poly.gens)
            found = {q > 0 for q in poly.coeffs()}
            if not known or len(found) != 1:
                raise Undetermined(f"the sign of {self.formula} depends on the parameters")
            signs.append(found.pop())
        return signs[0] is signs[1]


def parameters(
    symbols: Mapping[str, Any], shares: frozenset[str] = frozenset()
) -> dict[str, ParameterFunction]:
    """Each symbol as a coefficient, all of one field."""
    if not symbols:
        return {}
    whole = sympy.QQ.frac_field(*symbols.values())
    made = (ParameterFunction(gen, shares) for gen in whole.gens)
    return dict(zip(symbols, made, strict=True))


def _plain(value: Any) -> Any:
    q = rational(value)
    return sympy.QQ(int(q.p), int(q.q))
