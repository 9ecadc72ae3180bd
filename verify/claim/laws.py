"""Random variables in plain numbers: laws whose means are exact sums, in every kind of number.

A law is a list of outcomes with their chances, or, for a uniform variable, its moments. ``w.p``,
fractions and symbols may stand for a chance, so that a mean is a formula like any other::

    x = coin(w.p)
    expectation(lambda x: (x - w.p) ** 2, x)          # p (1 - p)
    probability(lambda x: xp.at_least(x, w.t), binomial(5, w.p))

Variables that are passed together are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count
from math import comb
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.recording import recordable
from bounds.numbers.validate import InvalidInput, require

__all__ = [
    "Finite",
    "Uniform",
    "binomial",
    "coin",
    "expectation",
    "noting_chances",
    "probability",
    "two_point",
    "uniform",
]

_NUMBERS = count()
"""Of variables without a value; the inner one of two means is made later."""

HIGHEST = 64
"""Highest power of a uniform variable."""


_NOTED: ContextVar[list[Any] | None] = ContextVar("no numbers of laws", default=None)


@contextmanager
def noting_chances() -> Iterator[list[Any]]:
    """Inside, the list takes every exact chance outside [0, 1], and ends in the wrong order."""
    found: list[Any] = []
    token = _NOTED.set(found)
    try:
        yield found
    finally:
        _NOTED.reset(token)


@dataclass(frozen=True)
class Finite:
    """A law with finitely many outcomes.

    Parameters
    ----------
    values : sequence of numbers or arrays
    chances : sequence of numbers or arrays
        Not negative, with sum 1; who writes a claim assumes what makes them so.
    """

    values: Sequence[Any]
    chances: Sequence[Any]

    def mean(self, rule: Callable[[Any], Any]) -> Any:
        """The sum over all outcomes."""
        parts = [c * rule(v) for v, c in zip(self.values, self.chances, strict=True)]
        return _total(parts)


@dataclass(frozen=True)
class Uniform:
    """Uniform between two ends; means of polynomials alone, by its moments."""

    low: Any
    high: Any

    def moment(self, power: int) -> Any:
        """E X^k = (low^k + low^(k-1) high + ... + high^k)/(k + 1)."""
        low, high = self.low, self.high
        return _total([low**j * high ** (power - j) for j in range(power + 1)]) / (power + 1)

    def mean(self, rule: Callable[[Any], Any]) -> Any:
        """The mean of a polynomial: sums, products and whole powers of the variable."""
        one = 0 * self.low + 1
        variable = Powers((0 * one, one), next(_NUMBERS))
        found = rule(variable)
        if not isinstance(found, Powers) or found.number != variable.number:
            return found  # it does not look at the variable
        return _total([c * self.moment(k) for k, c in enumerate(found.parts)])


@dataclass(frozen=True, eq=False)
class Powers:
    """A polynomial in a variable that has no value yet: coefficients of the powers 0, 1, ...

    Variables are numbered as they are made; one of a lower number is a coefficient of the others.
    """

    parts: tuple[Any, ...]
    number: int

    __array_ufunc__ = None  # an array beside it leaves the arithmetic to it

    def __add__(self, other: Any) -> Powers:
        if self._within(other):
            swapped: Powers = other + self
            return swapped
        mine, theirs = self.parts, self._parts(other)
        both = [a + b for a, b in zip(mine, theirs, strict=False)]
        return self._with((*both, *mine[len(both) :], *theirs[len(both) :]))

    __radd__ = __add__

    def __neg__(self) -> Powers:
        return self._with(tuple(-one for one in self.parts))

    def __sub__(self, other: Any) -> Powers:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Powers:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Powers:
        if self._within(other):
            swapped: Powers = other * self
            return swapped
        theirs = self._parts(other)
        sums: list[list[Any]] = [[] for _ in range(len(self.parts) + len(theirs) - 1)]
        for i, a in enumerate(self.parts):
            for j, b in enumerate(theirs):
                sums[i + j].append(a * b)
        require(len(sums) <= HIGHEST + 1, "power", f"at most {HIGHEST}", len(sums) - 1, "lower it")
        return self._with(tuple(map(_total, sums)))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Powers:
        require(not isinstance(other, Powers), "quotient", "by a number", "one by it", "multiply")
        return self._with(tuple([one / other for one in self.parts]))

    def __pow__(self, power: int) -> Powers:
        whole = isinstance(power, int) and 0 < power <= HIGHEST
        require(whole, "power", f"a whole number of 1 to {HIGHEST}", power, "write it so")
        made = self
        for _ in range(power - 1):
            made = made * self
        return made

    def __getitem__(self, places: Any) -> Powers:
        """The same with further axes."""
        return self._with(tuple(one[places] for one in self.parts))

    def _with(self, parts: tuple[Any, ...]) -> Powers:
        return Powers(parts, self.number)

    def _within(self, other: Any) -> bool:
        """Whether this is a coefficient of the other."""
        return isinstance(other, Powers) and other.number > self.number

    def _parts(self, other: Any) -> tuple[Any, ...]:
        same = isinstance(other, Powers) and other.number == self.number
        return other.parts if same else (other,)


Law = Finite | Uniform


def two_point(low: Any, high: Any, chance: Any) -> Finite:
    """``high`` with this chance, otherwise ``low``.

    Where the chance of an instance lies outside [0, 1] there is no such variable: the instance is
    none that a claim is accused by. A plain number outside is refused.

    Examples
    --------
    >>> expectation(lambda x: x**2, two_point(-1.0, 2.0, 0.25))
    1.75
    """
    chance = _chance(chance)
    return Finite((low, high), (1 - chance, chance))


def coin(chance: Any) -> Finite:
    """1 with this chance, otherwise 0."""
    zero = 0 * chance
    return two_point(zero, zero + 1, chance)


def binomial(number: int, chance: Any) -> Finite:
    """Number of ones among so many independent coins.

    Parameters
    ----------
    number : int
        A size of the instance (``w.n``) or a number.
    chance : number or array
    """
    whole = isinstance(number, int) and number >= 0
    require(whole, "number", "a whole number", number, "let it be a size: {'n': 4}")
    chance = _chance(chance)
    zero = 0 * chance
    chances = [
        comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1)
    ]
    return Finite([zero + k for k in range(number + 1)], chances)


def uniform(low: Any, high: Any) -> Uniform:
    """Uniform between two ends, the lower one first.

    Examples
    --------
    >>> expectation(lambda x: 3 * x**2 - x, uniform(0.0, 2.0))
    3.0
    """
    return Uniform(_lower(low, high), high)


def expectation(rule: Callable[..., Any], *laws: Law) -> Any:
    """Mean of a rule of independent variables, exact.

    Parameters
    ----------
    rule : callable
        Of one value per law. Of a uniform variable it must be a polynomial.
    laws : Finite or Uniform

    Returns
    -------
    number or array
    """
    if not laws:
        return rule()
    first, *others = laws
    return first.mean(lambda x: expectation(partial(rule, x), *others))


def probability(event: Callable[..., Any], *laws: Finite) -> Any:
    """Probability of an event of independent variables with finitely many outcomes.

    Parameters
    ----------
    event : callable
        Of one value per law: booleans, as ``bounds.generic.at_least`` and ``above`` give them.
    laws : Finite
    """
    for law in laws:
        finite = isinstance(law, Finite)
        require(finite, "law", "of finitely many outcomes", law, "write the probability out")
    like = laws[0].chances[0]
    return expectation(lambda *values: xp.indicator(event(*values), like), *laws)


@recordable
def _chance(value: Any) -> Any:
    """The value; a plain number that is no chance is refused, an exact one of an instance noted.

    Symbols, balls and floats pass: their domain is that of the parameters behind them.
    """
    if isinstance(value, int | float | Fraction):
        remedy = "write a number of [0, 1]"
        if not 0 <= value <= 1:  # whether or not checks are on: there is no such law
            raise InvalidInput(f"chance must be in [0, 1], got {value}: {remedy}.")
    noted = _NOTED.get()
    if noted is not None and isinstance(value, np.ndarray) and value.dtype.kind == "O":
        noted += [e for e in value.flat if isinstance(e, int | Fraction) and not 0 <= e <= 1]
    return value


@recordable
def _lower(low: Any, high: Any) -> Any:
    """The lower end; plain numbers in the wrong order are refused, exact ones of an instance noted.

    As for chances, symbols, balls and floats pass.
    """
    plain = int | float | Fraction
    if isinstance(low, plain) and isinstance(high, plain) and low > high:
        raise InvalidInput(
            f"ends must be in their order, got {low} before {high}: write uniform({high}, {low})."
        )
    noted = _NOTED.get()
    exact = any(isinstance(end, np.ndarray) and end.dtype.kind == "O" for end in (low, high))
    if noted is not None and exact:
        ends = np.broadcast_arrays(np.asarray(low, object), np.asarray(high, object))
        noted += [
            ends_
            for ends_ in zip(ends[0].flat, ends[1].flat, strict=True)
            if all(isinstance(end, int | Fraction) for end in ends_) and ends_[0] > ends_[1]
        ]
    return low


def _total(parts: Sequence[Any]) -> Any:
    """Sum that begins with the first part, so that no zero of another kind of number joins it."""
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
