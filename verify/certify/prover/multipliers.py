"""Multipliers of products of facts: a linear programme in floats, then exact arithmetic.

A monomial that occurs with one sign only
rules its products out, which settles most programmes without a solver; the simplex method proposes
which of the others to take; on those the multipliers are solved for exactly and checked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.sparse import csc_array, vstack

from verify.certify.algebra.elimination import reduced
from verify.certify.algebra.packed import Packed
from verify.certify.algebra.solvers import complain, linear_answer
from verify.limits.counter import spend

Column = tuple[tuple[int, ...], Packed]
"""The facts that are multiplied, by index, and their product."""
Products = tuple[tuple[Fraction, tuple[int, ...]], ...]

LARGEST = 10**15  # HiGHS refuses a programme with a larger coefficient
SPARSER = 4  # further programmes solved, to get a short derivation

__all__ = ["Column", "Products", "integers", "multipliers"]


def multipliers(columns: Sequence[Column], strict: Sequence[bool]) -> Products | None:
    """Weights with which the products sum to zero, some strict one with a positive weight.

    Once that is possible, each strict product found is tried alone, since the sum of several
    derivations is a long one; the shortest is returned.

    Parameters
    ----------
    columns : sequence of (factors, polynomial)
    strict : sequence of bool
        Which of the products are positive.

    Returns
    -------
    tuple of (multiplier, factors) or None
        Exact and positive; None where there are none or the solver finds none.
    """
    kept = _cancelling([p for _, p in columns])
    small = [j for j in kept if _is_solved(columns[j][1])]
    if len(small) < len(kept):
        complain("a coefficient is too large for the linear solver: divide the claim by it")
        kept = [small[j] for j in _cancelling([columns[j][1] for j in small])]
    columns, strict = [columns[j] for j in kept], [strict[j] for j in kept]
    if not any(strict):
        return None
    spend(sum(len(polynomial.terms) for _, polynomial in columns))
    matrix, cost = _programme(columns)
    best = _weigh(columns, strict, matrix, cost)
    place = {factors: j for j, (factors, _) in enumerate(columns)}
    chosen = [place[factors] for _, factors in best or () if strict[place[factors]]]
    if len(chosen) == 1:
        return best  # alone it costs the same
    for j in sorted(chosen, key=lambda j: (len(columns[j][0]), j))[:SPARSER]:
        alone = _weigh(columns, [i == j for i in range(len(columns))], matrix, cost)
        if alone is not None and best is not None and _length(alone) < _length(best):
            best = alone
    return best


def integers(
    products: Sequence[tuple[Fraction, tuple[int, ...]]],
) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Scale the multipliers to coprime integers, which read best."""
    scale = math.lcm(*(q.denominator for q, _ in products))
    common = math.gcd(*(int(q * scale) for q, _ in products))
    return [(q * scale / common, factors) for q, factors in products]


def _is_solved(polynomial: Packed) -> bool:
    """Whether the solver takes every coefficient."""
    most = LARGEST * polynomial.scale
    return all(abs(c) < most for c in polynomial.terms.values())


def _cancelling(polynomials: Sequence[Packed]) -> list[int]:
    """Places of polynomials that a sum with positive weights that vanishes may contain."""
    signs: dict[int, list[int]] = {}
    for polynomial in polynomials:
        for m, c in polynomial.terms.items():
            signs.setdefault(m, [0, 0])[c > 0] += 1
    left = set(range(len(polynomials)))
    at: dict[int, list[int]] | None = None
    single = [m for m, (minus, plus) in signs.items() if not minus or not plus]
    while single:
        if at is None:
            at = {}
            for j, polynomial in enumerate(polynomials):
                for m in polynomial.terms:
                    at.setdefault(m, []).append(j)
        out = {j for m in single for j in at[m]} & left
        left -= out
        touched: set[int] = set()
        for j in out:
            for m, c in polynomials[j].terms.items():
                signs[m][c > 0] -= 1
                touched.add(m)
        single = [m for m in touched if bool(signs[m][0]) != bool(signs[m][1])]
    return sorted(left)


def _programme(columns: Sequence[Column]) -> tuple[Any, list[float]]:
    """The coefficients of each product by monomial, and what a product costs."""
    rows = {m: i for i, m in enumerate(sorted({m for _, p in columns for m in p.terms}))}
    data = [c / p.scale for _, p in columns for c in p.terms.values()]
    row = [rows[m] for _, p in columns for m in p.terms]
    ends = np.cumsum([0, *(len(p.terms) for _, p in columns)])
    matrix = csc_array((data, row, ends), shape=(len(rows), len(columns)))
    # the cost makes the shortest derivation win, and the vertex unique in practice
    return matrix, [1.0 + len(factors) + 1e-4 * len(p.terms) for factors, p in columns]


def _weigh(
    columns: Sequence[Column], unit_weight: Sequence[bool], matrix: Any, cost: list[float]
) -> Products | None:
    """Solve one programme in which the marked products have total weight one."""
    system = vstack([matrix, csc_array(np.array([unit_weight], dtype=float))], format="csc")
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
        exact = _exact(
            [columns[j][1] for j in support],
            [unit_weight[j] for j in support],
            [float(values[j]) for j in support],
        )
        if exact is not None:
            kept = [(q, columns[j][0]) for q, j in zip(exact, support, strict=True) if q]
            return tuple(integers(kept))
    return None


def _length(products: Products) -> int:
    return sum(2 + len(factors) for _, factors in products)


def _exact(
    polynomials: Sequence[Packed], unit_weight: Sequence[bool], guess: Sequence[float]
) -> list[Fraction] | None:
    """Solve ``sum q_j p_j = 0`` with total weight one where marked; None unless ``q >= 0``."""
    count = len(polynomials)
    equations = [
        [p.coefficient(m) for p in polynomials] + [Fraction(0)]
        for m in sorted({m for p in polynomials for m in p.terms})
    ]
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
