"""Find the numbers of a Gram certificate: a semidefinite programme in floats, rounded exactly.

Clarabel, or SCS where that stops short, solves the dual programme; it is solved once more for the
multipliers that lie deepest inside the cone while the bound exceeds the optimum by a small
tolerance; these are rounded, the equations of the function values are restored over the rationals,
and the result is checked exactly.
A solver that fails, or stops early, gives a reason and never a certificate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from verify.certify.algebra.elimination import reduced
from verify.certify.gram.check import complaint
from verify.certify.gram.claim import GramCertificate, Key, combine
from verify.certify.gram.floats import (
    Array,
    NoSolution,
    Programme,
    answer_of,
    matrix_of,
    scaled,
)

DIGITS = 50
"""Multipliers are rounded to 2^-50 of the largest: far below what the margin absorbs."""
TOLERANCES = (2e-8, 1e-7, 5e-7, 2e-6, 1e-5)
"""Relative excess of the bound over the optimum, tried in this order."""

__all__ = ["Dual", "NoSolution", "Programme", "certificate", "solve"]


@dataclass(frozen=True)
class Dual:
    """An optimum in floats.

    Attributes
    ----------
    bound : float
        The optimal value.
    multipliers : array, (premises,)
    gram : array, (vectors, vectors)
        A maximising Gram matrix.
    values : mapping
        The maximising values, and inner products outside the matrix.
    """

    bound: float
    multipliers: Array
    gram: Array
    values: Mapping[Key, float]


def solve(programme: Programme) -> Dual:
    """The optimum in floats.

    Raises
    ------
    NoSolution
        With the solver's word, where it does not reach its accuracy.
    """
    p = scaled(programme)
    x, z = answer_of(p, None)
    n, m = len(programme.vectors), len(programme.equations)
    gram = matrix_of(z[-len(p.target) :], n)
    multipliers = x * p.unit / p.premise_size
    return Dual(
        bound=(p.base + float(p.cost @ x)) * p.unit,
        multipliers=multipliers,
        gram=gram * np.outer(p.vector_size, p.vector_size),
        values=dict(zip(programme.equations, z[:m] * p.equation_size, strict=True)),
    )


def certificate(
    programme: Programme,
    claim: str,
    *,
    bound: Fraction | None = None,
    problem: Mapping[str, Any] | None = None,
) -> GramCertificate:
    """A certificate of the smallest bound that can be shown, or of the given one.

    Parameters
    ----------
    programme : Programme
    claim : str
        What to call it.
    bound : Fraction, optional
        A bound to be proved; by default the optimum plus a small tolerance.
    problem : mapping, optional
        Recorded with the certificate.

    Raises
    ------
    NoSolution
        If the solver fails, or nothing that it gives passes the exact check.
    """
    p = scaled(programme)
    x, _ = answer_of(p, None)
    optimum = p.base + float(p.cost @ x)
    wrong = "no multipliers were found"
    for tolerance in TOLERANCES:
        level = optimum + tolerance * max(abs(optimum), 1e-9)
        if bound is not None:
            level = min(level, float(bound) / p.unit)
        try:
            deep, _ = answer_of(p, level)
        except NoSolution as error:
            wrong = str(error)
            continue
        found = _rounded(programme, deep[:-1] * p.unit / p.premise_size)
        if found is None:
            wrong = "the equations of the values have no rounded solution"
            continue
        whole = _assembled(programme, found, claim, bound, problem or {})
        wrong = complaint(whole)
        if not wrong:
            return whole
    raise NoSolution(f"no exact certificate: {wrong}")


# -- exact parts -----------------------------------------------------------------------------------


def _rounded(programme: Programme, multipliers: Array) -> list[Fraction] | None:
    """Rational multipliers that meet the equations of the values exactly."""
    largest = float(np.max(np.abs(multipliers), initial=0.0))
    if not isfinite(largest) or largest == 0:
        return None if largest else [Fraction(0)] * len(multipliers)
    unit = Fraction(2) ** (int(np.ceil(np.log2(largest))) - DIGITS)
    found = [unit * round(Fraction(float(q)) / unit) for q in multipliers]
    found = [
        q if p.equality else max(q, Fraction(0))
        for q, p in zip(found, programme.premises, strict=True)
    ]
    order = sorted(range(len(found)), key=lambda j: -abs(found[j]))
    return corrected(programme, found, order)


def corrected(
    programme: Programme, multipliers: Sequence[Fraction], order: Sequence[int]
) -> list[Fraction] | None:
    """Change few multipliers, the first in order, to make exact what must cancel."""
    found = list(multipliers)
    premises = programme.premises
    forms = [p.form for p in premises]
    rest = combine([programme.objective, *forms], [1, *found])
    rows = [
        [premises[j].form.terms.get(key, Fraction(0)) for j in order]
        + [-rest.terms.get(key, Fraction(0))]
        for key in programme.equations
    ]
    solved = reduced(rows, len(order))
    if solved is None:
        return None
    for row, column in zip(*solved, strict=True):
        found[order[column]] += row[-1]
    return found


def _assembled(
    programme: Programme,
    multipliers: Sequence[Fraction],
    claim: str,
    bound: Fraction | None,
    problem: Mapping[str, Any],
) -> GramCertificate:
    """The certificate with the matrix that the identity leaves, and unused premises left out."""
    forms = [p.form for p in programme.premises]
    rest = combine([programme.objective, *forms], [-1, *(-q for q in multipliers)])
    vectors = programme.vectors
    matrix = tuple(
        tuple(
            rest.terms.get((min(a, b), max(a, b)), Fraction(0)) / (1 if a == b else 2)
            for b in vectors
        )
        for a in vectors
    )
    least = -rest.terms.get((), Fraction(0))
    used = [j for j, q in enumerate(multipliers) if q]
    return GramCertificate(
        claim=claim,
        vectors=vectors,
        objective=programme.objective,
        bound=_upwards(least) if bound is None else bound,
        premises=tuple(programme.premises[j] for j in used),
        multipliers=tuple(multipliers[j] for j in used),
        matrix=matrix,
        problem=problem,
    )


def _upwards(number: Fraction) -> Fraction:
    """A short decimal at least as large, within 1e-11 relative."""
    if not number:
        return number
    scale = Fraction(10) ** (12 - len(str(int(abs(1 / number)) if abs(number) < 1 else 1)))
    while abs(number) * scale < 10**11:
        scale *= 10
    return Fraction(-((-number * scale) // 1)) / scale
