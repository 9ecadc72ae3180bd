"""Squares that the proof of a tight claim on a class needs, read off an exact certificate.

At L = 1 the worst case of the class is proved to be what the claim says, by multipliers and a
matrix over the rationals; the squares of that matrix, in units of L, are what the prover lacks.  It
finds the multipliers again, with L as a symbol, and its checker says whether it is a proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from verify.certify.gram.claim import GramCertificate
from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.ladder.rungs.worst_cases.asked import (
    NO_FORM,
    Asked,
    ComparedPlace,
    Unknowns,
    asked,
    unknowns_of,
)
from verify.ladder.rungs.worst_cases.symbolic import SymbolNames
from verify.worst_case.function import Condition
from verify.worst_case.solution import worst
from verify.worst_case.solver import NoSolution

__all__ = ["proof_squares"]


def proof_squares(statement: Statement, shape: Shape) -> Iterator[list[Any]]:
    """Roots of squares for each comparison that a statement makes in a shape.

    Parameters
    ----------
    statement : Statement
        On a class whose one parameter is L.
    shape : mapping

    Yields
    ------
    list of sympy expressions
        In the symbols of `verify.ladder.rungs.worst_cases.symbolic`; empty where there is no exact
        certificate.
    """
    known = unknowns_of(statement)
    if known is None or known.numbers != ("upper",) or int(shape["N"]) != 1:
        return
    try:
        made = asked(statement, known, shape, {"upper": _one()})
    except NO_FORM:
        return
    for place in made.places if made is not None else ():
        assert made is not None
        found = _certificate(made, place)
        yield [] if found is None else _roots(made, known, found)


def _one() -> Any:
    out = np.empty((1,), dtype=object)
    out[:] = Fraction(1)
    return out


def _certificate(made: Asked, place: ComparedPlace) -> GramCertificate | None:
    """A certificate that the left side is at most the right one, where it can be tight."""
    if len(place.left) != 1 or len(place.right) != 1 or not place.right[0].terms:
        return None
    unit = next(iter(place.right[0].terms.values()))
    if unit <= 0:
        return None
    scale = Condition("right side", 1 - place.right[0] / unit)  # so that exact data have short ones
    assumed = [*made.problem.assumed, scale]
    try:
        found = worst(replace(made.problem, measures=[*place.left], assumed=assumed))
    except NoSolution:
        return None
    at_most = found.upper is not None and found.upper <= Fraction(int(unit.p), int(unit.q))
    return found.certificate if at_most else None


def _roots(made: Asked, known: Unknowns, found: GramCertificate) -> list[Any]:
    """Squares of the certificate's matrix; points times L, as gradients are at L = 1."""
    names, points = SymbolNames(made), {*made.problem.vectors} - _gradients(made)
    upper = sympy.Symbol("L", positive=True)
    assert known.numbers == ("upper",)
    rows = []
    for row in _factors(found.matrix):
        parts = [
            sympy.Rational(q.numerator, q.denominator)
            * names.symbols[name]
            * (upper if name in points else 1)
            for name, q in zip(found.vectors, row, strict=True)
            if q
        ]
        rows.append(sympy.Add(*parts))
    return rows


def _gradients(made: Asked) -> set[str]:
    return {name for f in made.functions for one in f.met for name in one.g.parts}


def _factors(matrix: Sequence[Sequence[Fraction]]) -> Iterator[list[Fraction]]:
    """Rows r with positive multiples of r r^T that add up to a semidefinite matrix."""
    left = [[*row] for row in matrix]
    for k in range(len(left)):
        pivot = left[k][k]
        if pivot <= 0:
            continue
        row = [q / pivot for q in left[k]]
        yield row
        left = [
            [q - pivot * row[i] * row[j] for j, q in enumerate(line)] for i, line in enumerate(left)
        ]
