"""Squares that the proof of a tight claim on a class needs, read off exact certificates.

At L = 1 the worst case of the class is proved to be what the claim says, by as few conditions as
will do: multipliers and a matrix over the rationals.  The squares of that matrix, in units of L,
are what the prover lacks; with one further parameter they are fitted through several numbers, as
rational functions.  The prover finds multipliers again, for all parameters, and its checker says
whether it is a proof.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from verify.certify.gram.claim import GramCertificate
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Statement
from verify.ladder.rungs import tuning
from verify.ladder.rungs.worst_cases.asked import (
    NO_FORM,
    Asked,
    ComparedPlace,
    Unknowns,
    asked,
    unknowns_of,
)
from verify.ladder.rungs.worst_cases.fitted import rational_function
from verify.ladder.rungs.worst_cases.symbolic import SymbolNames, spelled
from verify.worst_case.function import Condition
from verify.worst_case.problem import ClassProblem
from verify.worst_case.programme import programme
from verify.worst_case.solution import solved, worst
from verify.worst_case.solver import NoSolution, optimum

UPPER = sympy.Symbol("L", positive=True)
FREE = sympy.Symbol("s", positive=True)
"""The further parameter without its unit."""

__all__ = ["proof_squares"]


def proof_squares(statement: Statement, shape: Shape) -> Iterator[list[Any]]:
    """Roots of squares for each comparison that a statement makes in a shape.

    Parameters
    ----------
    statement : Statement
        On a class whose parameters are L and at most one more.
    shape : mapping

    Yields
    ------
    list of sympy expressions
        In the symbols of `verify.ladder.rungs.worst_cases.symbolic`; empty where there are no exact
        certificates, or no functions through them.
    """
    known = unknowns_of(statement)
    if known is None or "upper" not in known.numbers or int(shape["N"]) != 1:
        return
    others = [name for name in known.numbers if name != "upper"]
    if not others:
        points: list[Fraction | None] = [None]
    elif len(others) == 1 and others[0] in statement.family.box:
        points = [*_numbers(statement.family.box[others[0]])]
    else:
        return
    first = _made(statement, known, shape, points[0])
    for number in range(len(first.places) if first is not None else 0):
        found = [*_at_points(statement, known, shape, points, number)]
        if not others:
            yield found[0].roots({}) if found else []
            continue
        values = {others[0]: _with_unit(statement.family.box[others[0]], others[0])}
        yield _fitted(found, values[others[0]])


# -- certificates at numbers -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Squares:
    """Squares of an exact certificate at a number for the further parameter."""

    at: Fraction | None
    made: Asked
    vectors: tuple[str, ...]
    rows: tuple[tuple[Fraction, ...], ...]

    def roots(self, changed: Mapping[tuple[int, int], Any]) -> list[Any]:
        """Combinations of the claim's symbols, points times L; some coefficients changed."""
        names = SymbolNames(self.made).symbols
        gradients = {a for f in self.made.functions for one in f.met for a in one.g.parts}
        return [
            sympy.Add(
                *(
                    changed.get((r, c), sympy.Rational(q.numerator, q.denominator))
                    * names[name]
                    * (1 if name in gradients else UPPER)
                    for c, (name, q) in enumerate(zip(self.vectors, row, strict=True))
                )
            )
            for r, row in enumerate(self.rows)
        ]


def _numbers(real: Real) -> Iterator[Fraction]:
    """Short numbers inside a range, those in the middle of (0, 1) first."""
    found = {Fraction(k, m) for m in range(2, 9) for k in range(1, 2 * m)}
    inside = [q for q in found if real.low < q < real.high and real.inside(q)]
    yield from sorted(inside, key=lambda q: (q.denominator, abs(q - Fraction(1, 2))))


def _with_unit(real: Real, name: str) -> Any:
    """The further parameter in its unit: a step is measured in 1/L."""
    symbol = sympy.Symbol(spelled(name), **{real.sign: True})
    return symbol * UPPER if tuple(real.unit) == (-1, 2) else symbol


def _made(statement: Statement, known: Unknowns, shape: Shape, at: Fraction | None) -> Asked | None:
    numbers = {"upper": _table((1,), Fraction(1))}
    for name in known.numbers:
        if name != "upper" and at is not None:
            numbers[name] = _table(statement.family.box[name].lengths(shape), at)
    try:
        return asked(statement, known, shape, numbers)
    except NO_FORM:
        return None


def _table(lengths: tuple[int, ...], value: Fraction) -> Any:
    out = np.empty(lengths, dtype=object)
    out[...] = value
    return out


def _at_points(
    statement: Statement,
    known: Unknowns,
    shape: Shape,
    points: Sequence[Fraction | None],
    number: int,
) -> Iterator[_Squares]:
    """Certificates that use the same conditions, at as many numbers as a fit needs."""
    kept: frozenset[str] | None = None
    count = 0
    for at in points:
        made = _made(statement, known, shape, at)
        if made is None:
            continue
        place = made.places[number]
        kept = kept or _few(made, place)
        found = None if kept is None else _certificate(made, place, kept)
        if found is None:
            if not count:
                kept = None
            continue
        rows = tuple(tuple(row) for row in _factors(found.matrix))
        yield _Squares(at, made, found.vectors, rows)
        count += 1
        if at is None or count == tuning.WORST_FITTED:
            return


def _few(made: Asked, place: ComparedPlace) -> frozenset[str] | None:
    """Names of conditions that prove the claim, none of which can be left out."""
    unit = _unit(place)
    if unit is None:
        return None
    limit = float(unit) * (1 + tuning.WORST_SAME)
    try:
        whole = programme(_problem(made, place, unit, None))
        found = optimum(whole)
    except NoSolution:
        return None
    if found.value > limit:
        return None
    weights = dict(zip((c.name for c in whole.conditions), found.multipliers.single, strict=True))
    kept = {c.name for c in made.problem.conditions() if not getattr(c, "equality", False)}
    for name in sorted(kept, key=lambda name: (float(weights.get(name, 0.0)), name)):
        try:
            fewer = solved(_problem(made, place, unit, kept - {name}))
        except NoSolution:
            continue
        if fewer.value <= limit:
            kept = kept - {name}
    return frozenset(kept)


def _unit(place: ComparedPlace) -> Fraction | None:
    """The first coefficient of the right side: exact data are short where it counts as one."""
    if len(place.left) != 1 or len(place.right) != 1 or not place.right[0].terms:
        return None
    first = next(iter(place.right[0].terms.values()))
    return Fraction(int(first.p), int(first.q)) if first > 0 else None


def _problem(
    made: Asked, place: ComparedPlace, unit: Fraction, kept: Collection[str] | None
) -> ClassProblem:
    """The left side is to be large, under some of the conditions and for a right side of a unit."""
    scale = Condition("right side", 1 - place.right[0] / unit)
    conditions = [c for c in made.problem.conditions() if isinstance(c, Condition)]
    some = [c for c in conditions if kept is None or c.equality or c.name in kept]
    return replace(made.problem, functions=[], measures=[*place.left], assumed=[*some, scale])


def _certificate(
    made: Asked, place: ComparedPlace, kept: Collection[str]
) -> GramCertificate | None:
    """An exact certificate of the claim from some of the conditions."""
    unit = _unit(place)
    if unit is None:
        return None
    try:
        found = worst(_problem(made, place, unit, kept))
    except NoSolution:
        return None
    return found.certificate if found.upper is not None and found.upper <= unit else None


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


def _fitted(found: Sequence[_Squares], value: Any) -> list[Any]:
    """Squares whose coefficients are functions of the further parameter, without denominators."""
    if len(found) < tuning.WORST_FITTED:
        return []
    first = found[0]
    shape = (first.vectors, len(first.rows))
    if any((one.vectors, len(one.rows)) != shape for one in found):
        return []
    changed = {}
    for r in range(len(first.rows)):
        for c in range(len(first.vectors)):
            pairs = [(one.at, one.rows[r][c]) for one in found if one.at is not None]
            function = rational_function(pairs, FREE)
            if function is None:
                return []
            changed[r, c] = sympy.sympify(function)
    roots = []
    for root in first.roots(changed):
        numerator, _ = sympy.fraction(sympy.together(sympy.cancel(root)))
        roots.append(sympy.expand(numerator).xreplace({FREE: value}))
    return roots
