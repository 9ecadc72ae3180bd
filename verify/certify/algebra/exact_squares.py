"""Exact matrices near those of a semidefinite programme, and the squares that they stand for.

Where every solution has null vectors these are rounded first, and the polynomials of a block are
replaced by combinations that vanish on them, until there is room inside (facial reduction).  Then
entries are rounded, the fewest of them that make all equations hold exactly are solved for, and the
matrices are taken apart by L D L^T over the fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from verify.certify.algebra.elimination import reduced
from verify.certify.algebra.facts import Polynomial
from verify.certify.algebra.semidefinite import Array, SquareProgramme, independent
from verify.certify.algebra.square_blocks import Block
from verify.limits.counter import spend

Weighted = tuple[Fraction, tuple[int, ...], Polynomial]
"""Weight, facts that are multiplied, and the root of the square that multiplies them."""

ROOM = 1e-5
"""Least eigenvalue from which on there is room to round; all facts have coefficients up to one."""
SHORT = 1e-5
"""By how much the least eigenvalue may be negative where the solver was not accurate."""
NULL = (1e-5, 1e-4)
"""Eigenvalues that are taken for zero, and weights, tried in this order."""
STEP = 120
"""Denominators of null vectors."""
FACES = 5
"""How often the blocks are made smaller."""
DENOMINATORS = (1, 2, 6, 12, 60, 420, 2520, 10**5, 10**7, 10**9)
"""Of rounded entries, tried in this order."""
BITS = 1200
"""Of a number in a proof: more digits are refused by the checker, or by whoever reads it."""

__all__ = ["BITS", "Face", "Weighted", "faces"]


@dataclass(frozen=True)
class Face:
    """Blocks that hold every solution, and one of them in floats.

    Attributes
    ----------
    programme : SquareProgramme
    values : array, (entries,)
    least : float
        The least eigenvalue of the solution.
    """

    programme: SquareProgramme
    values: Array
    least: float

    @property
    def has_room(self) -> bool:
        """Whether what is near the solution is semidefinite too."""
        return self.least > ROOM

    def rounded(self) -> list[Weighted] | None:
        """Products of facts and squares that sum to zero exactly, with small denominators."""
        fitting = _Fitting(self.programme, self.values)
        for denominator in DENOMINATORS:
            start = [Fraction(round(v * denominator), denominator) for v in self.values]
            exact = fitting.fitted(start)
            if exact is None:
                return None
            found = _taken_apart(self.programme, exact)
            if found is not None:
                return found
        return None


def faces(blocks: Sequence[Block]) -> Iterator[Face]:
    """Smaller and smaller blocks that hold the same solutions, until one has room.

    Parameters
    ----------
    blocks : sequence of Block
        Of monomials.

    Yields
    ------
    Face
        None where there is no solution.
    """
    first = _solved(blocks)
    if first is None:
        return
    yield first
    met: list[list[Block]] = []
    for null in NULL:
        face: Face | None = first
        for _ in range(FACES):
            smaller = None if face is None or face.has_room else _face(face, null)
            if smaller is None or smaller in met:
                break
            met.append(smaller)
            face = _solved(smaller)
            if face is not None:
                yield face


def _solved(blocks: Sequence[Block]) -> Face | None:
    """A solution in floats, nearly if not quite."""
    programme = SquareProgramme(blocks)
    spend(programme.effort)
    answer = programme.answer()
    return None if answer is None or answer[1] < -SHORT else Face(programme, *answer)


# -- null vectors ----------------------------------------------------------------------------------


def _face(face: Face, null: float) -> list[Block] | None:
    """Blocks without what the solution annuls; None if it annuls nothing, or all that counts."""
    programme, values = face.programme, face.values
    found: list[Block] = []
    for block, matrix in zip(programme.blocks, programme.matrices(values), strict=True):
        annulled = _annulled(np.array(matrix, dtype=float), null)
        if block.counted or not annulled:
            found.append(block)
            continue
        kept = [_combined(block.roots, row) for row in _orthogonal(annulled, len(block.roots))]
        if kept:
            found.append(replace(block, roots=tuple(kept)))
    same = [len(b.roots) for b in found] == [len(b.roots) for b in programme.blocks]
    return None if same or not any(b.counted for b in found) else found


def _annulled(matrix: Array, null: float) -> list[list[Fraction]]:
    """Rational vectors, in echelon form, that a matrix takes to nearly zero."""
    values, axes = np.linalg.eigh(matrix)
    rows = axes[:, values < null].T.copy()
    lead = 0
    for i in range(len(rows)):
        while lead < rows.shape[1]:
            best = i + int(np.argmax(np.abs(rows[i:, lead])))
            if abs(rows[best, lead]) > 1e-3:
                break
            lead += 1
        else:
            return []
        rows[[i, best]] = rows[[best, i]]
        rows[i] /= rows[i, lead]
        for k in range(len(rows)):
            if k != i:
                rows[k] -= rows[k, lead] * rows[i]
        lead += 1
    return [[Fraction(float(q)).limit_denominator(STEP) for q in row] for row in rows]


def _orthogonal(vectors: Sequence[Sequence[Fraction]], size: int) -> Iterator[list[Fraction]]:
    """Basis of what is orthogonal to all vectors, in whole numbers."""
    rows, pivots = reduced([[*v, Fraction(0)] for v in vectors], size) or ([], [])
    for free in range(size):
        if free not in pivots:
            found = [Fraction(int(i == free)) for i in range(size)]
            for row, pivot in zip(rows, pivots, strict=True):
                found[pivot] = -row[free]
            scale = lcm(*(q.denominator for q in found))
            yield [q * scale for q in found]


def _combined(roots: Sequence[Polynomial], factors: Sequence[Fraction]) -> Polynomial:
    """Sum of polynomials times factors."""
    total: Polynomial = {}
    for root, q in zip(roots, factors, strict=True):
        for m, c in root.items() if q else ():
            total[m] = total.get(m, Fraction(0)) + q * c
    return {m: c for m, c in total.items() if c}


# -- rounding --------------------------------------------------------------------------------------


class _Fitting:
    """Which entries are solved for so that all equations hold.

    An equation with an entry that stands in no other is met by it, last. For the rest as many
    entries are chosen as there are independent equations.
    """

    def __init__(self, programme: SquareProgramme, values: Array) -> None:
        self._programme = programme
        self._own = {
            row: max(of, key=lambda k: self._rank(k, values)) for row, of in programme.own.items()
        }
        self._rows, self._columns, matrix = programme.shared()
        self._chosen = independent(matrix.T)
        self._solved = independent(matrix[:, self._chosen])

    def _rank(self, k: int, values: Array) -> tuple[bool, float]:
        """Entries beside the diagonal first: a small change of them matters least."""
        entry = self._programme.entries[k]
        return entry.row != entry.column, abs(float(values[k]))

    def fitted(self, start: Sequence[Fraction]) -> list[Fraction] | None:
        """Entries near the given ones with which all equations hold; None if there are none."""
        entries, found = self._programme.entries, list(start)
        rest = [Fraction(0)] * self._programme.equations
        rest[-1] = Fraction(1)
        for entry, value in zip(entries, found, strict=True):
            _take(rest, entry.values, value)
        if self._chosen:
            changes = self._changes(rest)
            if changes is None:
                return None
            for j, change in zip(self._chosen, changes, strict=True):
                k = self._columns[j]
                found[k] += change
                _take(rest, entries[k].values, change)
        if any(rest[row] for row in self._rows):
            return None
        for row, k in self._own.items():
            change = rest[row] / entries[k].values[row]
            found[k] += change
        return found

    def _changes(self, rest: Sequence[Fraction]) -> list[Fraction] | None:
        """By how much the chosen entries change so that the independent equations hold."""
        from flint import fmpq_mat

        from bounds.numbers.via_flint import as_flint, from_flint

        entries, rows = self._programme.entries, [self._rows[i] for i in self._solved]
        zero, size = Fraction(0), len(rows)
        table = [
            as_flint(entries[self._columns[j]].values.get(row, zero))
            for row in rows
            for j in self._chosen
        ]
        if size != len(self._chosen):
            return None
        try:
            solved = fmpq_mat(size, size, table).solve(
                fmpq_mat(size, 1, [as_flint(rest[row]) for row in rows])
            )
        except ZeroDivisionError:
            return None
        return [from_flint(solved[i, 0]) for i in range(size)]


def _take(rest: list[Fraction], values: Mapping[int, Fraction], times: Fraction) -> None:
    """Take a multiple of what an entry adds to the equations off what they lack."""
    if times:
        for row, c in values.items():
            rest[row] -= times * c


def _taken_apart(programme: SquareProgramme, values: Sequence[Fraction]) -> list[Weighted] | None:
    """The squares of all matrices; None if one is not positive semidefinite."""
    found: list[Weighted] = []
    for block, matrix in zip(programme.blocks, programme.matrices(values), strict=True):
        parts = _diagonal(matrix)
        if parts is None:
            return None
        for q, row in parts:
            root = _combined(block.roots, row)
            scale = Fraction(
                lcm(*(c.denominator for c in root.values())),
                gcd(*(c.numerator for c in root.values())),
            )
            weight = q * block.scale / scale**2
            found.append((weight, block.factors, {m: c * scale for m, c in root.items()}))
    numbers = [c for weight, _, root in found for c in (weight, *root.values())]
    short = all(max(abs(c.numerator), c.denominator).bit_length() < BITS for c in numbers)
    return found if short else None


def _diagonal(matrix: Any) -> list[tuple[Fraction, list[Fraction]]] | None:
    """Exact L D L^T: pivots and rows of L; None where a pivot shows a negative eigenvalue."""
    rest, size, found = [[Fraction(q) for q in row] for row in matrix], len(matrix), []
    for i in range(size):
        pivot = rest[i][i]
        if pivot < 0 or (not pivot and any(rest[i][i:])):
            return None
        if not pivot:
            continue
        row = [Fraction(0)] * i + [q / pivot for q in rest[i][i:]]
        found.append((pivot, row))
        for a in range(i + 1, size):
            if rest[i][a]:
                for b in range(a, size):
                    rest[a][b] -= rest[i][a] * row[b]
                    rest[b][a] = rest[a][b]
    return found
