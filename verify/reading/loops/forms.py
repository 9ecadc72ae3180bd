r"""A gap between two sides by its coefficients.

The gap is a polynomial in numbers of any sign, of degree two, and in numbers that are not negative.
It is not negative if each coefficient of a product of the latter is a form that is not: a number of
one square :math:`a\ge0`, of two numbers :math:`ax^2+2bxy+cy^2` with :math:`a, c\ge0` and
:math:`ac\ge b^2`.

A number s that is at least each of some bounds is at least every mean of these: with weights w it
is :math:`\sum_iw_iB_i` and something that is not negative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import sympy

from verify.certify.algebra.ratios import NotRational
from verify.certify.prover.prove import Hypothesis
from verify.reading.parts.factored import cancelled, factored
from verify.reading.parts.quotients import ring_of, symbols_of
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import free_in

Expr = Any  # sympy carries no types

QUARTERS = 4
MOST = 6
"""Bounds of one number."""

__all__ = ["bounds_of", "forms_of", "gaps_by_bounds", "neat", "shifted"]


def forms_of(gap: Expr, outers: Sequence[Expr]) -> list[tuple[str, Expr]]:
    """Formulas, with names, that are not negative only if the gap is not.

    Raises
    ------
    NotReadable
        Where the gap is no such form.
    """
    if not outers:
        return [("gap", gap)]
    forms: dict[Expr, dict[tuple[Expr, Expr], Expr]] = {}
    for powers, c in _terms(gap, outers):
        signed: list[Expr] = []
        times = sympy.Integer(1)
        for s, n in zip(outers, powers, strict=True):
            if s.is_nonnegative:
                times *= s**n
            else:
                signed += [s] * n
        if len(signed) > 2:
            raise NotReadable("a gap of a higher degree than two")
        pair = tuple([*signed, sympy.Integer(1), sympy.Integer(1)][:2])
        forms.setdefault(times, {})[pair] = c
    return [found for times, form in forms.items() for found in _of_form(str(times), form)]


def _terms(gap: Expr, outers: Sequence[Expr]) -> list[tuple[tuple[int, ...], Expr]]:
    """The coefficient of each product of some symbols, highest exponents first."""
    try:
        ring = ring_of(symbols_of(gap, *outers))
        parts = ring.coefficients(ring(gap), outers)
        return [(m, ring.cancelled(parts[m])) for m in sorted(parts, reverse=True)]
    except NotRational:
        pass
    try:
        return list(sympy.Poly(sympy.expand(gap), *outers).terms())
    except sympy.PolynomialError as error:
        raise NotReadable("a gap that is no polynomial") from error


def _of_form(name: str, form: dict[tuple[Expr, Expr], Expr]) -> Iterator[tuple[str, Expr]]:
    squares = {x: c for (x, y), c in form.items() if x == y}
    mixed = {(x, y): c for (x, y), c in form.items() if x != y and c != 0}
    met = [x for pair in mixed for x in pair]
    if len(set(met)) != len(met):
        raise NotReadable("a form in more than two numbers")
    for x, c in squares.items():
        yield f"{name} {x}**2", c
    for (x, y), c in mixed.items():
        if x not in squares or y not in squares:
            raise NotReadable("a product of two numbers without the square of each")
        yield f"{name} {x}*{y}", 4 * squares[x] * squares[y] - c**2


def neat(c: Expr) -> Expr:
    """A coefficient without factors that are not negative."""
    c = factored(c)
    over, under = sympy.fraction(c)
    kept = [f for f in sympy.Mul.make_args(over) if not f.is_nonnegative]
    below = [f for f in sympy.Mul.make_args(under) if not f.is_positive]
    return sympy.Mul(*kept) / sympy.Mul(*below)


def shifted(formulas: Sequence[Expr], means: Sequence[Expr]) -> dict[Expr, Expr]:
    """Zero for each mean of which only differences to it enter.

    Parameters
    ----------
    formulas : sequence of expressions
    means : sequence of symbols
    """
    table: dict[Expr, Expr] = {}
    for mean in means:
        if mean.is_nonnegative or not any(e.has(mean) for e in formulas):
            continue
        beside = {mean}
        for e in formulas:
            slope = sympy.expand(sympy.diff(e, mean)) if e.has(mean) else sympy.Integer(0)
            beside |= {s for s in slope.free_symbols if s.is_nonnegative is None}
        slopes = (sum(sympy.diff(e, s) for s in beside & free_in(e)) for e in formulas)
        if all(cancelled(sympy.sympify(slope)) == 0 for slope in slopes):
            table[mean] = sympy.Integer(0)
    return table


def bounds_of(
    forms: Sequence[Hypothesis], outers: Sequence[Expr], positive: Callable[[Expr], bool]
) -> dict[Expr, list[Expr]]:
    """Bounds from below of numbers that are positive.

    Parameters
    ----------
    forms : sequence of Hypothesis
    outers : sequence of symbols
    positive : callable
        Whether a formula is positive.
    """
    found: dict[Expr, list[Expr]] = {}
    for h in forms:
        over, under = sympy.fraction(sympy.together(h.expr))
        if not positive(under):
            continue
        for s in outers:
            if not s.is_positive or not over.has(s) or not over.is_polynomial(s):
                continue
            poly = sympy.Poly(over, s)
            if poly.degree() != 1:
                continue
            factor, rest = (factored(c) for c in poly.all_coeffs())
            if positive(factor):
                bound = sympy.expand(-rest / factor)
                if bound not in found.setdefault(s, []) and len(found[s]) < MOST:
                    found[s].append(bound)
    return found


def gaps_by_bounds(gap: Expr, bounds: dict[Expr, list[Expr]]) -> Iterator[tuple[str, Expr]]:
    """The gap as it stands, and with means of bounds in place of a number, each with a name."""
    yield "", gap
    for s, every in bounds.items():
        if not gap.has(s):
            continue
        rest = sympy.Symbol(f"rest_of_{s}", nonnegative=True)
        ways = product(range(QUARTERS + 1), repeat=len(every))
        whole = [parts for parts in ways if sum(parts) == QUARTERS]
        for parts in sorted(whole, key=lambda parts: (len(parts) - parts.count(0), parts)):
            mean = sympy.Add(
                *(sympy.Rational(n, QUARTERS) * b for n, b in zip(parts, every, strict=True))
            )
            yield f"{s} {'+'.join(map(str, parts))}", gap.xreplace({s: mean + rest})
