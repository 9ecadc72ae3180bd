"""Symbolic numbers: sympy expressions that are compared by value, never by form.

sympy's own ``==`` asks whether two expressions are written alike: ``2*x == 1`` is False, as if x
could not be 1/2.  A side that branches on such an answer would be proved without the branch, so
the entries of symbolic arrays are of a type of our own, whose comparisons are conditions: True or
False where the symbols' signs decide them, and no yes or no everywhere else.

Nothing here imports sympy: whoever has a symbol has it loaded.
"""

from __future__ import annotations

import numbers
import operator
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

__all__ = [
    "NotReadable",
    "Symbolic",
    "LongFormula",
    "applied",
    "client_symbol",
    "expression",
    "piecewise",
]


class NotReadable(ValueError):
    """A program asks of symbols what only numbers can answer: it has no form in symbols."""


class LongFormula(NotReadable):
    """Formulas are too many or too long to be compared, whichever clients are singled out."""


def _no_number(self: Symbolic) -> Any:
    raise NotReadable(f"a plain number is asked of {self}, which is a symbol")


def _no_function(self: Symbolic) -> Any:
    raise NotReadable(
        f"a function of numpy is asked of {self}, which is a symbol: take sqrt, log, exp, where, "
        "maximum and the like from bounds.generic"
    )


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Symbolic:
    """A number known by its formula, or a condition on such numbers.

    Arithmetic is sympy's.  Balls do not mix with symbols.  Since equality may be open, symbolic
    numbers cannot be hashed.

    Parameters
    ----------
    expr : sympy expression, relation or truth value

    Raises
    ------
    NotReadable
        Where a yes or no is asked of an undecided condition, ``if x == 1:`` for instance, or a
        plain number, ``range(x)`` for instance.

    Examples
    --------
    >>> import sympy
    >>> p = Symbolic(sympy.Symbol("p", positive=True))
    >>> p > 0, 2 * p == 1
    (True, Eq(2*p, 1))
    """

    expr: Any

    def __repr__(self) -> str:
        return str(self.expr)

    @property
    def free_symbols(self) -> set[Any]:
        """Symbols that the value may depend on."""
        return set(self.expr.free_symbols)

    def __bool__(self) -> bool:
        answer = self if _is_condition(self.expr) else self != 0
        if isinstance(answer, Symbolic):
            raise NotReadable(f"cannot determine truth value of {answer}: symbols leave it open")
        return bool(answer)

    __index__ = _no_number  # int and float ask for it too; with __float__ sympy would take over
    sqrt = cbrt = exp = exp2 = expm1 = log = log2 = log10 = log1p = _no_function
    sin = cos = tan = arcsin = arccos = arctan = sinh = cosh = tanh = _no_function
    floor = ceil = rint = trunc = _no_function  # numpy asks objects for methods of these names

    def function(self, name: str, values: tuple[Any, ...]) -> Any:
        """A function of numbers of which this is one; None where sympy is to make it.

        Parameters
        ----------
        name : str
            As sympy calls it.
        values : tuple
            Its arguments.
        """
        return None

    # -- arithmetic ------------------------------------------------------------------

    def __neg__(self) -> Symbolic:
        return Symbolic(-self.expr)

    def __pos__(self) -> Symbolic:
        return self

    def __abs__(self) -> Symbolic:
        return Symbolic(abs(self.expr))

    def __add__(self, other: object) -> Any:
        return _calculated(operator.add, self, other)

    def __radd__(self, other: object) -> Any:
        return _calculated(operator.add, other, self)

    def __sub__(self, other: object) -> Any:
        return _calculated(operator.sub, self, other)

    def __rsub__(self, other: object) -> Any:
        return _calculated(operator.sub, other, self)

    def __mul__(self, other: object) -> Any:
        return _calculated(operator.mul, self, other)

    def __rmul__(self, other: object) -> Any:
        return _calculated(operator.mul, other, self)

    def __truediv__(self, other: object) -> Any:
        return _calculated(operator.truediv, self, other)

    def __rtruediv__(self, other: object) -> Any:
        return _calculated(operator.truediv, other, self)

    def __pow__(self, other: object) -> Any:
        return _calculated(operator.pow, self, other)

    def __rpow__(self, other: object) -> Any:
        return _calculated(operator.pow, other, self)

    # -- conditions ------------------------------------------------------------------

    def __eq__(self, other: object) -> Any:
        return _compared("Eq", self, other)

    def __ne__(self, other: object) -> Any:
        return _compared("Ne", self, other)

    def __lt__(self, other: object) -> Any:
        return _compared("Lt", self, other)

    def __le__(self, other: object) -> Any:
        return _compared("Le", self, other)

    def __gt__(self, other: object) -> Any:
        return _compared("Gt", self, other)

    def __ge__(self, other: object) -> Any:
        return _compared("Ge", self, other)

    def __and__(self, other: object) -> Any:
        return _decided(_sympy().And(self.expr, expression(other)))

    __rand__ = __and__

    def __or__(self, other: object) -> Any:
        return _decided(_sympy().Or(self.expr, expression(other)))

    __ror__ = __or__

    def __invert__(self) -> Any:
        return _decided(_sympy().Not(self.expr))


@lru_cache(1)
def client_symbol() -> tuple[Any, Any]:
    """The sympy symbols (k, N) of the generic client and of the number of clients."""
    import sympy

    symbol = sympy.Symbol
    return symbol("k", integer=True, positive=True), symbol("N", integer=True, positive=True)


def expression(x: Any) -> Any:
    """The sympy expression of a symbolic, rational or float number; None of anything else."""
    if isinstance(x, Symbolic):
        return x.expr
    if isinstance(x, bool | float | _sympy().Basic):
        return _sympy().sympify(x)
    if isinstance(x, numbers.Rational):
        return _rational(int(x.numerator), int(x.denominator))
    return None


def applied(name: str, *values: Any) -> Any:
    """A function of sympy at symbolic or exact numbers."""
    for value in values:
        made = value.function(name, values) if isinstance(value, Symbolic) else None
        if made is not None:
            return made
    arguments = [expression(value) for value in values]
    if any(argument is None for argument in arguments):
        raise NotReadable("balls and symbols do not mix: substitute numbers first")
    return Symbolic(_function(name, _simplified(), *arguments))


@lru_cache(4_000)
def _function(name: str, simplified: bool, *arguments: Any) -> Any:
    """A function of sympy, simplified or not; a largest value of many arguments takes long."""
    if simplified and name in ("Max", "Min") and len(arguments) > 2:
        return _extreme(name, arguments)
    return getattr(_sympy(), name)(*arguments)


def _extreme(name: str, arguments: tuple[Any, ...]) -> Any:
    """What sympy makes of them, with what it says of each pair kept.

    It compares all pairs anew with each further argument, and takes milliseconds for one of sums.
    """
    sympy = _sympy()
    made = getattr(sympy, name)
    entries = [sympy.sympify(a) for a in arguments]
    if any(e.is_number or e.has(sympy.Max, sympy.Min) for e in entries):
        return made(*entries)
    chosen: list[Any] = []
    for entry in dict.fromkeys(entries):
        pairs = [
            (other, _function(name, True, *sorted((entry, other), key=hash))) for other in chosen
        ]
        chosen = [other for other, both in pairs if both != entry]
        if all(both != other for other, both in pairs):
            chosen.append(entry)
    return made(*chosen, evaluate=False)


def piecewise(condition: Symbolic, a: Any, b: Any) -> Symbolic:
    """``a`` where the condition holds, else ``b``."""
    branches = ((expression(a), condition.expr), (expression(b), True))
    return Symbolic(_sympy().Piecewise(*branches))


# -- private helpers ---------------------------------------------------------------------


def _sympy() -> Any:
    return sys.modules["sympy"]


def _is_condition(expr: Any) -> bool:
    return not isinstance(expr, _sympy().Expr)


def _simplified() -> bool:
    """Whether sympy simplifies what it makes."""
    return bool(_sympy().core.parameters.global_parameters.evaluate)


@lru_cache(1_000)
def _rational(numerator: int, denominator: int) -> Any:
    return _sympy().Rational(numerator, denominator)


def _calculated(function: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    left, right = expression(a), expression(b)
    if left is None or right is None:
        return NotImplemented  # a ball asks for a plain number, which is refused
    return Symbolic(_value(function, _simplified(), left, right))


@lru_cache(4_000)
def _value(function: Callable[[Any, Any], Any], simplified: bool, left: Any, right: Any) -> Any:  # noqa: ARG001 (part of the key)
    """What two formulas give: a program asks the same for each of many entries."""
    if _is_condition(left) or _is_condition(right):
        raise NotReadable("a condition on symbols is no number: choose by where or indicator")
    return function(left, right)


def _compared(relation: str, a: Any, b: Any) -> Any:
    left, right = expression(a), expression(b)
    if left is None or right is None:
        return NotImplemented
    if _is_condition(left) or _is_condition(right):
        raise NotReadable("conditions on symbols are no numbers: join them by & and |")
    return _decided(_function(relation, _simplified(), left, right))


def _decided(condition: Any) -> Any:
    """A bool where sympy knows the answer."""
    known = condition in (_sympy().true, _sympy().false)
    return bool(condition) if known else Symbolic(condition)
