r"""Squares that a proof about inner products needs, proposed by a semidefinite programme.

A claim :math:`\text{left} \le \text{right}` that is linear in inner products and function values
follows from hypotheses of this kind where, for multipliers :math:`\lambda \ge 0`, the form
:math:`\text{right} - \text{left} - \sum_j\lambda_jh_j` is a sum of squared norms.  Solved in floats
for the simplest such sum, the programme tells which linear combinations are squared; rounded, they
are handed to the exact search as candidates.  A wrong candidate costs time and proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from verify.certify.algebra.elimination import reduced
from verify.certify.algebra.solvers import complain
from verify.certify.gram.check import is_semidefinite
from verify.certify.gram.claim import Form, Premise, combine
from verify.certify.gram.floats import (
    Array,
    NoSolution,
    Programme,
    clarabel_answer,
    matrix_of,
    scaled,
)
from verify.limits.foreign import CodeFailed, code_of_others

Expr = Any  # sympy carries no types
Matrix = list[list[Fraction]]
DENOMINATORS = (12, 60, 420, 2520, 27720)
"""Of rounded multipliers and of the vectors of the worst case, tried in this order."""
SMALL = 1e-4
"""Share of the largest pivot below which a pivot is taken for zero."""
PRICE, CHEAP = 1e6, 1e-6
"""Of the identity, and of each multiplier, in the float programme."""

__all__ = ["form_of", "simplest", "square_roots"]


def square_roots(
    difference: Expr,
    hypotheses: Sequence[Expr],
    vectors: Sequence[Expr],
    values: Sequence[Expr],
    numbers: Mapping[Expr, Fraction],
) -> list[dict[Expr, Fraction]]:
    """Linear combinations of the vectors that are squared in the simplest proof.

    Parameters
    ----------
    difference : expression
        right - left, one coordinate of each vector.
    hypotheses : sequence of expressions
        Not negative.
    vectors, values : sequences of symbols
    numbers : mapping
        Values of all other symbols.

    Returns
    -------
    list of dict
        Coefficients by vector; empty where the claim is not linear in inner products, or the
        programme has no solution.
    """
    try:
        with code_of_others(NoSolution, ValueError):
            forms = [form_of(e, vectors, values, numbers) for e in (difference, *hypotheses)]
            matrix, names = simplest(forms[0], forms[1:])
    except NoSolution as reason:
        complain(f"no squares were proposed: {reason}")
        return []
    except ValueError:
        return []  # not linear in inner products
    except CodeFailed as failed:  # sympy's, on formulas that are not real
        complain(f"no squares were proposed: {failed}")
        return []
    by_name = {str(v): v for v in vectors}
    return [
        {by_name[name]: q for name, q in zip(names, row, strict=True) if q} for row in _rows(matrix)
    ]


def form_of(
    expr: Expr, vectors: Sequence[Expr], values: Sequence[Expr], numbers: Mapping[Expr, Fraction]
) -> Form:
    """The form in inner products that reads so on the line.

    Raises
    ------
    ValueError
        If it is not linear in inner products and values.
    """
    known = {s: sympy.Rational(q.numerator, q.denominator) for s, q in numbers.items()}
    gens = [*vectors, *values]
    polynomial = sympy.Poly(sympy.cancel(sympy.sympify(expr).xreplace(known)), *gens, domain="QQ")
    terms: dict[tuple[str, ...], Fraction] = {}
    for powers, c in polynomial.terms():
        names = [str(s) for s, e in zip(gens, powers, strict=True) for _ in range(e)]
        inside = sum(powers[: len(vectors)])
        if (len(names), inside) not in ((0, 0), (1, 0), (2, 2)):
            raise ValueError(f"{expr} is not linear in inner products")
        terms[tuple(sorted(names))] = Fraction(int(c.p), int(c.q))
    return Form({k: q for k, q in terms.items() if q})


def simplest(difference: Form, hypotheses: Sequence[Form]) -> tuple[Matrix, tuple[str, ...]]:
    """A rational semidefinite matrix that rational multipliers leave, and its vectors.

    Where the claim is tight every such matrix annuls the worst case.  The float solution in the
    middle of all solutions shows which vectors these are and which hypotheses take part; with both
    fixed the rest is linear algebra over the rationals and has room to be rounded.

    Raises
    ------
    NoSolution
        If none was found.
    """
    programme, multipliers, matrix = _middle(difference, hypotheses)
    size = float(np.max(np.abs(multipliers), initial=0.0))
    active = [j for j, q in enumerate(multipliers) if q > SMALL * size]
    for denominator in DENOMINATORS:
        worst = _annulled(matrix, denominator)
        found = _fitted(programme, active, multipliers, worst, denominator)
        if found is not None:
            return found, programme.vectors
    raise NoSolution("no rational multipliers leave a sum of squares")


def _middle(difference: Form, hypotheses: Sequence[Form]) -> tuple[Programme, Array, Array]:
    """Programme, multipliers and the matrix that they leave, in floats, in the middle of all."""
    pairs = {k for f in (difference, *hypotheses) for k in f.terms if len(k) == 2}
    names = sorted({a for pair in pairs for a in pair})
    # a tight claim leaves the cone no inside: a little of the identity gives one, at a price
    inside = Form({(a, a): Fraction(-1) for a in names})
    premises = tuple(Premise(str(i), form) for i, form in enumerate((*hypotheses, inside)))
    programme = Programme(difference * -1, premises, {})
    p = scaled(programme)
    cost = np.zeros(len(premises))
    cost[:-1], cost[-1] = CHEAP, PRICE
    found, _ = clarabel_answer(replace(p, cost=cost), None)
    rest = p.target - p.columns[:, :-1] @ found[:-1]
    matrix = matrix_of(rest * p.unit, len(programme.vectors))
    if found[-1] * len(names) > SMALL * max(1.0, float(np.trace(matrix))):
        raise NoSolution("no multipliers leave a sum of squares")
    kept = replace(programme, premises=premises[:-1])
    return kept, found[:-1] * p.unit / p.premise_size[:-1], matrix


def _annulled(matrix: Array, denominator: int) -> list[list[Fraction]]:
    """Rational basis, in echelon form, of the vectors that the matrix takes to zero."""
    values, axes = np.linalg.eigh(matrix)
    rows = axes[:, values < SMALL * max(values[-1], 1e-9)].T.copy()
    lead = 0
    for i in range(len(rows)):
        while lead < rows.shape[1]:
            best = i + int(np.argmax(np.abs(rows[i:, lead])))
            if abs(rows[best, lead]) > 1e-3:
                break
            lead += 1
        else:
            break
        rows[[i, best]] = rows[[best, i]]
        rows[i] /= rows[i, lead]
        for k in range(len(rows)):
            if k != i:
                rows[k] -= rows[k, lead] * rows[i]
        lead += 1
    return [[Fraction(float(q)).limit_denominator(denominator) for q in row] for row in rows]


def _fitted(
    programme: Programme,
    active: Sequence[int],
    multipliers: Array,
    worst: Sequence[Sequence[Fraction]],
    denominator: int,
) -> Matrix | None:
    """The matrix of rational multipliers near the given ones that meet all equations, if any."""
    vectors = programme.vectors
    forms = [programme.premises[j].form for j in active]

    def conditions(form: Form) -> list[Fraction]:
        table = _matrix(form, vectors)
        turned = [
            sum((q * n for q, n in zip(row, v, strict=True)), Fraction(0))
            for v in worst
            for row in table
        ]
        return [form.terms.get(k, Fraction(0)) for k in programme.equations] + turned

    columns = [conditions(form) for form in forms]
    right = [-q for q in conditions(programme.objective)]
    size = Fraction(1, denominator)
    start = [round(Fraction(float(multipliers[j])) / size) * size for j in active]
    found = _solved(columns, right, start)
    if found is None or any(q < 0 for q in found):
        return None
    rest = combine([programme.objective, *forms], [-1, *(-q for q in found)])
    matrix = _matrix(rest, vectors)
    return matrix if is_semidefinite(matrix) else None


def _solved(
    columns: Sequence[Sequence[Fraction]], right: Sequence[Fraction], start: Sequence[Fraction]
) -> list[Fraction] | None:
    """Numbers near `start`, times the columns, that sum to `right` exactly; None if none do."""
    order = sorted(range(len(columns)), key=lambda j: -start[j])
    found = list(start)
    rows = []
    for i, target in enumerate(right):
        missing = target - sum((c[i] * q for c, q in zip(columns, start, strict=True)), Fraction(0))
        rows.append([*(columns[j][i] for j in order), missing])
    solved = reduced(rows, len(order))
    if solved is None:
        return None
    for row, column in zip(*solved, strict=True):
        found[order[column]] += row[-1]
    return found


def _matrix(form: Form, vectors: Sequence[str]) -> Matrix:
    return [
        [
            form.terms.get((min(a, b), max(a, b)), Fraction(0)) / (1 if a == b else 2)
            for b in vectors
        ]
        for a in vectors
    ]


def _rows(matrix: Matrix) -> Iterator[list[Fraction]]:
    """Rows of L in the exact L D L^T."""
    rest = [list(row) for row in matrix]
    size = range(len(rest))
    for i in size:
        pivot = rest[i][i]
        if pivot:
            row = [q / pivot for q in rest[i]]
            yield row
            rest = [[rest[a][b] - pivot * row[a] * row[b] for b in size] for a in size]
