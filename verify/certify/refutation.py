"""Refute a system of polynomial inequalities by an identity with non-negative multipliers.

Given facts ``p_i >= 0`` (some strict), the search looks for rationals ``q_j > 0`` and products
``P_j`` of facts, of monomials of known sign and of squares, with

.. math:: \\sum_j q_j P_j \\equiv 0 \\quad\\text{and at least one } P_j > 0,

which no point can satisfy (Handelman, Pacific J. Math. 132, 1988; Schmuedgen, Math. Ann. 289,
1991).  A linear programme in floats proposes the support; the multipliers are then solved for in
`Fraction` and checked, so that an answer is exact or absent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from scipy.sparse import csc_array, vstack

from verify.certify.elimination import reduced
from verify.certify.facts import (
    Fact,
    Monomial,
    Polynomial,
    has_point,
    multiply,
    square,
    symbol_facts,
    unit,
)
from verify.certify.solvers import complain, linear_answer
from verify.certify.squares import squares

Column = tuple[tuple[int, ...], Polynomial]
Products = tuple[tuple[Fraction, tuple[int, ...]], ...]

SPARSER = 4  # further programmes solved, to get a short derivation

__all__ = ["Refutation", "refute"]


@dataclass(frozen=True)
class Refutation:
    """Facts (squares appended) and ``(multiplier, indices into facts)``; multipliers positive."""

    facts: tuple[Fact, ...]
    products: Products


def refute(
    facts: Sequence[Fact],
    variables: Sequence[str],
    real: Sequence[bool],
    *,
    degree: int = 3,
    cap: int = 3000,
    roots: Sequence[Polynomial] = (),
) -> Refutation | None:
    """Search for a refutation of `facts`, shortest products first.

    Parameters
    ----------
    facts : sequence of Fact
        Facts of kind "negation" enter a product at most twice; a fact of kind "symbol" states the
        sign of one variable and lends itself to monomials.
    variables : sequence of str
        Names, used to print squares.
    real : sequence of bool
        Which variables are known to be real: only those enter squares.
    degree : int
        Largest number of factors in a product; powers of signed symbols come on top where they
        lead to monomials that occur anyway.
    cap : int
        Largest number of products tried; beyond it the search gives up.
    roots : sequence of polynomials
        Whose squares to try besides those that the facts suggest.

    Returns
    -------
    Refutation or None
        Exact, or nothing.
    """
    if not variables:
        return _of_numbers(facts)
    if has_point(facts, len(variables)):
        return None
    one = {(0,) * len(variables): Fraction(1)}
    completions = [square(root, variables) for root in roots]
    named = {fact.terms for fact in completions}
    completions += [fact for fact in squares(facts, variables, real) if fact.terms not in named]
    for size in range(1, degree + 1):
        for extra in ([], completions) if completions else ([],):
            known = [*facts, *extra]
            columns = _products(known, len(facts), size, one, cap)
            if columns is None:
                return None
            rows = {m for _, polynomial in columns for m in polynomial}
            _scaled(known, columns, rows)
            known += _monomials(known, columns, rows, variables, real)
            found = _solve(known, columns)
            if found is not None:
                return Refutation(tuple(known), found)
    return None


def _of_numbers(facts: Sequence[Fact]) -> Refutation | None:
    """A fact about numbers that is false by itself; floats could not tell two close ones apart."""
    for i, fact in enumerate(facts):
        value = fact.polynomial.get((), Fraction(0))
        if value < 0:
            one, other = _integers([(1 / -value, (i,)), (Fraction(1), ())])
            return Refutation(tuple(facts), (other, one))
        if value == 0 and fact.strict:
            return Refutation(tuple(facts), ((Fraction(1), (i,)),))
    return None


def _products(
    facts: Sequence[Fact], plain: int, size: int, one: Polynomial, cap: int
) -> list[Column] | None:
    """All products of up to `size` facts, at most one of them a square (index >= `plain`)."""
    polynomials = [fact.polynomial for fact in facts]
    negations = {i for i, fact in enumerate(facts) if fact.kind == "negation"}
    table: dict[tuple[int, ...], Polynomial] = {(): one}
    for length in range(1, size + 1):
        for key in combinations_with_replacement(range(plain), length):
            if sum(i in negations for i in key) > 2:
                continue
            table[key] = multiply(table[key[:-1]], polynomials[key[-1]])
            if len(table) > cap:
                return None
    for key in [key for key in table if len(key) < max(size, 2) and not negations & set(key)]:
        for i in range(plain, len(facts)):
            table[(*key, i)] = multiply(table[key], polynomials[i])
            if len(table) > cap:
                return None
    return list(table.items())


def _scaled(facts: Sequence[Fact], columns: list[Column], rows: set[Monomial]) -> None:
    """Append facts times monomials of positive symbols that lead to monomials in `rows`."""
    sign = symbol_facts(facts)
    present = {factors for factors, _ in columns}
    for i, fact in enumerate(facts):
        if fact.kind in ("symbol", "square"):
            continue
        first = fact.terms[0][0] if fact.terms else ()
        for row in sorted(rows):
            shift = tuple(map(int.__sub__, row, first))
            if any(e < 0 or (e and v not in sign) for v, e in enumerate(shift)):
                continue
            product = {tuple(map(int.__add__, shift, m)): c for m, c in fact.terms}
            powers = [sign[v] for v, e in enumerate(shift) for _ in range(e)]
            key = tuple(sorted([i, *powers]))
            if key not in present and rows.issuperset(product):
                present.add(key)
                columns.append((key, product))


def _monomials(
    facts: Sequence[Fact],
    columns: list[Column],
    rows: set[Monomial],
    variables: Sequence[str],
    real: Sequence[bool],
) -> list[Fact]:
    """Append the monomials of known sign in `rows`; return the squares that they need."""
    sign = symbol_facts(facts)
    needed: list[Fact] = []
    place: dict[int, int] = {}
    present = {factors for factors, _ in columns}
    for monomial in sorted(rows):
        factors: list[int] = []
        for v, exponent in enumerate(monomial):
            if v in sign:
                factors += [sign[v]] * exponent
            elif exponent % 2 or (exponent and not real[v]):
                break
            elif exponent:
                if v not in place:
                    place[v] = len(facts) + len(needed)
                    needed.append(square({unit(len(monomial), v): Fraction(1)}, variables))
                factors += [place[v]] * (exponent // 2)
        else:
            key = tuple(sorted(factors))
            if key not in present:
                present.add(key)
                columns.append((key, {monomial: Fraction(1)}))
    return needed


def _solve(facts: Sequence[Fact], columns: Sequence[Column]) -> Products | None:
    """Find non-negative multipliers by the simplex method, then again exactly on the support.

    Some strict product must get weight.  Once that is possible, each strict product found is
    tried alone, since the sum of several derivations is a long one; the shortest is returned.
    """
    strict = [all(facts[i].strict for i in factors) for factors, _ in columns]
    matrix, cost = _programme(columns)
    best = _weigh(columns, strict, matrix, cost)
    place = {factors: j for j, (factors, _) in enumerate(columns)}
    chosen = [place[factors] for _, factors in best or () if strict[place[factors]]]
    for j in sorted(chosen, key=lambda j: (len(columns[j][0]), j))[:SPARSER]:
        alone = _weigh(columns, [i == j for i in range(len(columns))], matrix, cost)
        if alone is not None and best is not None and _length(alone) < _length(best):
            best = alone
    return best


def _programme(columns: Sequence[Column]) -> tuple[Any, list[float]]:
    """The coefficients of each product by monomial, and what a product costs."""
    rows = {m: i for i, m in enumerate(sorted({m for _, p in columns for m in p}))}
    entries = [
        (float(c), rows[m], j) for j, (_, p) in enumerate(columns) for m, c in p.items()
    ]
    data, row, column = zip(*entries, strict=True)
    matrix = csc_array((data, (row, column)), shape=(len(rows), len(columns)))
    # the cost makes the shortest derivation win, and the vertex unique in practice
    return matrix, [1.0 + len(factors) + 1e-4 * len(p) for factors, p in columns]


def _weigh(
    columns: Sequence[Column], unit_weight: Sequence[bool], matrix: Any, cost: list[float]
) -> Products | None:
    """Solve one programme in which the marked products have total weight one."""
    system = vstack([matrix, csc_array(np.array([unit_weight], dtype=float))])
    target = np.zeros(system.shape[0])
    target[-1] = 1.0
    answer = linear_answer(cost, system, target)
    if answer is None:
        return None
    found = _rounded(columns, unit_weight, answer)
    if found is None:
        complain("the linear solver was inaccurate: no exact multipliers are near its answer")
    return found


def _rounded(
    columns: Sequence[Column], unit_weight: Sequence[bool], values: np.ndarray[Any, Any]
) -> Products | None:
    """Turn float multipliers into exact ones on their support, or give up."""
    for threshold in (1e-7, 1e-10):
        support = [j for j, value in enumerate(values) if value > threshold]
        exact = _exact([columns[j][1] for j in support], [unit_weight[j] for j in support],
                       [float(values[j]) for j in support])
        if exact is not None:
            kept = [(q, columns[j][0]) for q, j in zip(exact, support, strict=True) if q]
            return tuple(_integers(kept))
    return None


def _length(products: Products) -> int:
    return sum(2 + len(factors) for _, factors in products)


def _exact(
    polynomials: Sequence[Polynomial], unit_weight: Sequence[bool], guess: Sequence[float]
) -> list[Fraction] | None:
    """Solve ``sum q_j p_j = 0`` with total weight one where marked; None unless ``q >= 0``."""
    count = len(polynomials)
    equations = [[p.get(m, Fraction(0)) for p in polynomials] + [Fraction(0)]
                 for m in sorted({m for p in polynomials for m in p})]
    equations.append([Fraction(int(s)) for s in unit_weight] + [Fraction(1)])
    solved = reduced(equations, count)
    if solved is None:
        return None
    rows, pivots = solved
    values = [Fraction(g).limit_denominator(1000) for g in guess]
    loose = [j for j in range(count) if j not in pivots]
    for equation, j in zip(rows, pivots, strict=True):
        values[j] = equation[-1] - sum((equation[i] * values[i] for i in loose), Fraction(0))
    return values if all(v >= 0 for v in values) else None


def _integers(
    products: Sequence[tuple[Fraction, tuple[int, ...]]],
) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Scale the multipliers to coprime integers, which read best."""
    scale = math.lcm(*(q.denominator for q, _ in products))
    common = math.gcd(*(int(q * scale) for q, _ in products))
    return [(q * scale / common, factors) for q, factors in products]
