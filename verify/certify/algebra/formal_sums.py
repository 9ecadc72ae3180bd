"""Write expressions over N symbolic clients as rational functions of named atoms.

A formal sum ``Sum(e(k), (k, 1, N))`` is split into canonical sums with the k-free factors pulled
out, and each distinct canonical sum becomes one fresh symbol.  Roots, absolute values, maxima and
powers with a symbolic exponent become symbols too; what characterises them is kept as facts.  An
atom that depends on the client is written as an indexed symbol, so that it can stand inside a sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from verify.certify.algebra.quotients import cancelled, factors_of, leaves

Expr = Any  # sympy carries no types

CLIENT: Expr = sympy.Symbol("k", integer=True, positive=True)
CLIENTS: Expr = sympy.Symbol("N", integer=True, positive=True)

__all__ = ["CLIENT", "CLIENTS", "FormalSum", "Translation", "Unsupported", "indices_of", "leaves"]


class Unsupported(ValueError):
    """The expression has no reading as a real rational function of atoms."""


@dataclass(frozen=True)
class FormalSum:
    """A canonical sum over all clients of `summand`, named `atom`.

    Only sums over ``k = 1..N`` are listed: what holds for every client holds for their terms,
    and they are never empty, so that a positive summand makes them positive.
    """

    atom: Expr
    summand: Expr
    count: Expr


@dataclass(frozen=True)
class SymbolicPower:
    """The atom ``base ** exponent`` with a symbolic exponent."""

    atom: Expr
    base: Expr
    exponent: Expr


class Translation:
    """Translate expressions with one shared table of atoms.

    Parameters
    ----------
    reserved : iterable of str
        Names that fresh symbols must avoid.

    Attributes
    ----------
    definitions : dict
        Meaning of each fresh atom, in order of appearance.
    sums : list of FormalSum
    powers : list of SymbolicPower
    facts : list of (str, expression, bool, symbol)
        What holds of an atom by its definition: name, expression ``>= 0``, whether it is strict,
        and the atom.
    splits : list of ((index, low, high), ((coefficient, summand), ...))
        How sums were pulled apart.
    """

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._reserved = set(reserved)
        self._bound: list[Expr] = []
        self._table: dict[tuple[Expr, tuple[Expr, ...]], Expr] = {}
        self.definitions: dict[Expr, Expr] = {}
        self.sums: list[FormalSum] = []
        self.powers: list[SymbolicPower] = []
        self.facts: list[tuple[str, Expr, bool, Expr]] = []
        self.splits: list[tuple[tuple[Expr, ...], tuple[tuple[Expr, Expr], ...]]] = []

    def __call__(self, expression: Expr) -> Expr:
        """Return `expression` as a rational function of symbols, indexed symbols and atoms.

        Raises
        ------
        Unsupported
            For infinities, NaN, booleans and values known not to be real.
        """
        e = sympy.sympify(expression)
        if e.is_Float:
            return sympy.Rational(e)
        if e.is_Rational or e.is_Symbol or isinstance(e, sympy.Indexed):
            return e
        if e.is_Add or e.is_Mul:
            return e.func(*(self(part) for part in e.args))
        if e.is_Pow:
            return self._power(e)
        if isinstance(e, sympy.Sum) and all(len(limit) == 3 for limit in e.limits):
            return self._sums(e)
        if not isinstance(e, sympy.Expr) or e is sympy.nan or e.is_finite is False:
            raise Unsupported(f"no rational reading of {e}")
        if e.is_extended_real is False:
            raise Unsupported(f"{e} is not real")
        return self._function(e)

    # -- formal sums ---------------------------------------------------------------------------

    def _sums(self, e: Expr) -> Expr:
        """Sum over one index after the other, the innermost first."""
        index, low, high = e.limits[0]
        # only an index that runs over the clients may take the client's name and assumptions
        over_all = len(e.limits) == 1 and low == 1 and high == CLIENTS
        if over_all and index != CLIENT and not e.has(CLIENT):
            e = e.xreplace({index: CLIENT})
        indices = [limit[0] for limit in e.limits]
        outer = self._bound
        self._bound = [*outer, *indices]
        body = self(e.function)
        for limit in e.limits:
            body = self._sum(body, *limit)
        self._bound = outer
        return body

    def _sum(self, body: Expr, index: Expr, low: Expr, high: Expr) -> Expr:
        """Split a sum into k-free coefficients times canonical sums."""
        low, high = self(low), self(high)
        numerator, denominator = sympy.fraction(cancelled(body))
        outside, inside = sympy.Integer(1), sympy.Integer(1)
        constant, factors = factors_of(denominator)
        for factor, multiplicity in factors:
            if factor.has(index):
                inside *= factor**multiplicity
            else:
                outside *= factor**multiplicity
        moving = sorted((a for a in leaves(numerator) if a.has(index)), key=str)
        terms = sympy.Poly(numerator, *moving).terms() if moving else [((), numerator)]
        total, parts = sympy.Integer(0), []
        for powers, coefficient in terms:
            summand = sympy.Mul(*(a**p for a, p in zip(moving, powers, strict=True))) / inside
            summand = cancelled(summand)
            parts.append((coefficient / (constant * outside), summand))
            total += coefficient * self._canonical(summand, index, low, high)
        self.splits.append(((index, low, high), tuple(parts)))
        return total / (constant * outside)

    def _canonical(self, summand: Expr, index: Expr, low: Expr, high: Expr) -> Expr:
        """Name one canonical sum; its summand has coefficient one."""
        if summand == 1:
            return high - low + 1
        atom, new = self._atom("S", sympy.Sum(summand, (index, low, high)))
        if new and index == CLIENT and low == 1 and high == CLIENTS:
            self.sums.append(FormalSum(atom, summand, high))
        return atom

    # -- what is not rational ------------------------------------------------------------------

    def _power(self, e: Expr) -> Expr:
        """Integer powers stay; roots and symbolic exponents become atoms."""
        base, exponent = self(e.base), e.exp
        if exponent.is_Integer:
            return base**exponent
        if exponent.is_Rational:
            if exponent.q % 2 and not e.base.is_nonnegative:
                raise Unsupported(f"odd root of {e.base}, whose sign is unknown")
            root, new = self._atom("w", sympy.root(e.base, exponent.q), nonnegative=True)
            if new:
                power = root**exponent.q
                self._define(root, (f"{power} >= {base}", power - base))
                self._define(root, (f"{power} <= {base}", base - power))
            return root**exponent.p
        shift, rest = exponent.as_coeff_Add()
        # 0**0 == 1 forbids to split a factor off where the base may vanish
        splits = e.base.is_positive or (shift > 0 and rest.is_nonnegative)
        if shift.is_Integer and shift != 0 and splits:
            return base**shift * self._power(sympy.Pow(e.base, rest, evaluate=False))
        if exponent.is_extended_real is not True:
            raise Unsupported(f"exponent of {e} is not known to be real")
        atom, new = self._atom("w", e)
        if new and not indices_of(e, self._bound):
            self.powers.append(SymbolicPower(atom, base, exponent))
        return atom

    def _function(self, e: Expr) -> Expr:
        """Name a function value and keep the facts that define it."""
        atom, new = self._atom("w", e, real=e.is_extended_real)
        if new and isinstance(e, sympy.Abs) and e.args[0].is_extended_real:
            inner = self(e.args[0])
            self._define(
                atom,
                (f"{atom} >= {inner}", atom - inner),
                (f"{atom} >= -({inner})", atom + inner),
                (f"{atom}**2 >= ({inner})**2", atom**2 - inner**2),
                (f"{atom}**2 <= ({inner})**2", inner**2 - atom**2),
            )
        if new and isinstance(e, sympy.Max | sympy.Min):
            sign, word = (1, ">=") if isinstance(e, sympy.Max) else (-1, "<=")
            parts = [self(part) for part in e.args]
            self._define(atom, *((f"{atom} {word} {p}", sign * (atom - p)) for p in parts))
            if len(parts) == 2:
                attained = -(atom - parts[0]) * (atom - parts[1])
                self._define(atom, (f"{atom} is {parts[0]} or {parts[1]}", attained))
        if new and isinstance(e, sympy.exp):
            inner = self(e.args[0])
            self._define(atom, (f"{atom} >= 1 + {inner}", atom - 1 - inner))
        return atom

    def _define(self, atom: Expr, *facts: tuple[str, Expr]) -> None:
        """Keep facts ``>= 0`` on a new atom."""
        self.facts += [(name, value, False, atom) for name, value in facts]

    def _atom(
        self, letter: str, meaning: Expr, *, real: bool | None = True, nonnegative: bool = False
    ) -> tuple[Expr, bool]:
        """Look up or create the fresh symbol for `meaning`; it carries the client if that does."""
        indices = indices_of(meaning, self._bound)
        key = (meaning, indices)
        new = key not in self._table
        if new:
            count = 1
            while f"{letter}{count}" in self._reserved:
                count += 1
            name = f"{letter}{count}"
            self._reserved.add(name)
            known = {"real": True} if real else {}
            if nonnegative or meaning.is_nonnegative:
                known["nonnegative"] = True
            if meaning.is_positive:
                known["positive"] = True
            form = sympy.IndexedBase(name, **known) if indices else sympy.Symbol(name, **known)
            self._table[key] = form[indices] if indices else form
            self.definitions[self._table[key]] = meaning
        return self._table[key], new


def indices_of(expression: Expr, bound: Sequence[Expr] = ()) -> tuple[Expr, ...]:
    """Index symbols on which the value of `expression` depends.

    The client, the indices of indexed symbols and the symbols in `bound` (indices of the sums
    around the expression) count; the index of a sum inside the expression does not.
    """
    found: set[Expr] = set()
    if isinstance(expression, sympy.Sum):
        own = {limit[0] for limit in expression.limits}
        found |= set(indices_of(expression.function, bound)) - own
        for limit in expression.limits:
            found |= {i for edge in limit[1:] for i in indices_of(edge, bound)}
    elif isinstance(expression, sympy.Indexed):
        found |= {s for i in expression.indices for s in i.free_symbols}
    elif expression == CLIENT or expression in bound:
        found.add(expression)
    else:
        found |= {i for part in expression.args for i in indices_of(part, bound)}
    return tuple(sorted(found, key=str))
