r"""The semidefinite programme of sums of squares in floats, for Clarabel.

Asked for are matrices :math:`G_b` with :math:`\sum_b P_b\, r_b^\top G_b\, r_b = 0`, in which
counted blocks have total weight one, as far inside their cones as can be: the least eigenvalue of
all is as large as possible.  If it is positive there is room to round; if it is zero the null
vectors show what every solution has in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
from scipy.linalg import qr
from scipy.sparse import csc_array, csc_matrix, hstack, vstack

from verify.certify.algebra.conic_solver import SolverFailed, solution
from verify.certify.algebra.facts import Monomial, Polynomial, multiply
from verify.certify.algebra.solvers import complain
from verify.certify.algebra.square_blocks import Block

Array = np.ndarray[Any, Any]

DEPENDENT = 1e-9
"""Share of the largest pivot below which an equation follows from others."""
ACCURACY, STEPS = 1e-9, 60
PER_TERM = 40
"""Pairs of entries of one matrix that take the solver as long as a term takes others: the solver's
steps grow with the square of the entries."""

__all__ = ["MatrixEntry", "SquareProgramme", "independent"]


@dataclass(frozen=True)
class MatrixEntry:
    """One unknown: the entry of a symmetric matrix, and what it multiplies, by equation.

    The equations say that each monomial cancels; the last one that counted weights sum to one.
    """

    block: int
    row: int
    column: int
    values: dict[int, Fraction]


class SquareProgramme:
    """The equations of an identity, and their solution in floats.

    Parameters
    ----------
    blocks : sequence of Block

    Attributes
    ----------
    entries : list of MatrixEntry
    equations : int
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.entries: list[MatrixEntry] = []
        place: dict[Monomial, int] = {}
        made: list[tuple[int, int, int, Polynomial]] = []
        for number, block in enumerate(blocks):
            for j, right in enumerate(block.roots):
                moved = multiply(right, block.polynomial)
                for i, left in enumerate(block.roots[: j + 1]):
                    made.append((number, i, j, multiply(left, moved)))
        for *_, product in made:
            for m in product:
                place.setdefault(m, len(place))
        self.equations = len(place) + 1
        for number, i, j, product in made:
            values = {place[m]: c * (1 if i == j else 2) for m, c in product.items()}
            if blocks[number].counted:
                values[len(place)] = Fraction(1)
            self.entries.append(MatrixEntry(number, i, j, values))

    @cached_property
    def own(self) -> dict[int, list[int]]:
        """Entries that stand in one equation alone, by equation: none of the others implies it."""
        found: dict[int, list[int]] = {}
        for k, entry in enumerate(self.entries):
            if len(entry.values) == 1:
                found.setdefault(next(iter(entry.values)), []).append(k)
        return found

    def shared(self) -> tuple[list[int], list[int], Array]:
        """Equations without an entry of their own, the entries in them, and their coefficients."""
        rows = [row for row in range(self.equations) if row not in self.own]
        place = {row: i for i, row in enumerate(rows)}
        columns = [k for k, e in enumerate(self.entries) if not place.keys().isdisjoint(e.values)]
        matrix = np.zeros((len(rows), len(columns)))
        for j, k in enumerate(columns):
            for row, c in self.entries[k].values.items():
                if row in place:
                    matrix[place[row], j] = float(c)
        return rows, columns, matrix

    @property
    def effort(self) -> int:
        """Terms of linear programmes that take about as long."""
        terms = sum(len(entry.values) for entry in self.entries)
        return terms + sum(block.entries**2 for block in self.blocks) // PER_TERM

    @cached_property
    def _system(self) -> csc_array:
        """All equations, each divided by its largest coefficient."""
        row = [r for entry in self.entries for r in entry.values]
        data = np.array([float(c) for entry in self.entries for c in entry.values.values()])
        column = np.repeat(np.arange(len(self.entries)), [len(e.values) for e in self.entries])
        largest = np.zeros(self.equations)
        np.maximum.at(largest, row, np.abs(data))
        shape = (self.equations, len(self.entries))
        return csc_array((data / largest[row], (row, column)), shape=shape)

    def answer(self) -> tuple[Array, float] | None:
        """Entries in floats and the least eigenvalue, as large as can be but at most one.

        Returns
        -------
        (array, (entries,), float) or None
            None where the equations contradict each other, or the solver gives no numbers.
        """
        shared, _, matrix = self.shared()
        needed = independent(matrix)
        if len(independent(matrix[:-1])) == len(needed):
            return None  # that all monomials cancel leaves the counted blocks no weight
        values = _by_clarabel(*self._conic(sorted([*self.own, *(shared[i] for i in needed)])))
        return None if values is None else (values[:-1] * self._sizes, float(values[-1]))

    def _conic(self, rows: Sequence[int]) -> tuple[Any, Array, list[int]]:
        """Matrix and right side for these equations, and how many rows stand in which cone.

        The last unknown is the least eigenvalue.  Below the equations stand the weights of single
        squares with a bound of one on it, then the triangles of the matrices, each by its size.
        """
        count = len(self.entries)
        of: list[list[int]] = [[] for _ in self.blocks]
        for k, entry in enumerate(self.entries):
            of[entry.block].append(k)
        single = [places[0] for places in of if len(places) == 1]
        larger = [places for places in of if len(places) > 1]
        order = [*single, *(k for places in larger for k in places)]
        on_diagonal = [
            float(e.row == e.column and not self.blocks[e.block].counted)
            for e in (self.entries[k] for k in order)
        ]
        inside: Any = csc_matrix((-np.ones(count), (range(count), order)), shape=(count, count))
        inside = hstack([inside, csc_matrix(np.array(on_diagonal)[:, None])], format="csr")
        equations: Any = csc_matrix(self._system)[rows].multiply(self._sizes)
        matrix: Any = vstack(
            [
                hstack([equations, csc_matrix((len(rows), 1))]),
                inside[: len(single)],
                csc_matrix(([1.0], ([0], [count])), shape=(1, count + 1)),
                inside[len(single) :],
            ],
            format="csc",
        )
        target = [float(row == self.equations - 1) for row in rows]
        right = [*target, *([0.0] * len(single)), 1.0, *([0.0] * (count - len(single)))]
        sizes = [self.entries[places[-1]].column + 1 for places in larger]
        return csc_matrix(matrix), np.array(right), [len(rows), len(single) + 1, *sizes]

    @cached_property
    def _sizes(self) -> Array:
        """By what an entry of the matrix is divided to be one of the solver's triangle."""
        return np.array([1.0 if e.row == e.column else 1 / sqrt(2) for e in self.entries])

    def matrices(self, values: Any) -> list[Any]:
        """The symmetric matrices with these entries, as lists of lists."""
        found: list[Any] = [[[0] * len(block.roots) for _ in block.roots] for block in self.blocks]
        for entry, value in zip(self.entries, values, strict=True):
            found[entry.block][entry.row][entry.column] = value
            found[entry.block][entry.column][entry.row] = value
        return found


def independent(matrix: Array) -> list[int]:
    """Rows of which all others are combinations, the large ones first."""
    if not matrix.size:
        return []
    _, triangle, order = qr(matrix.T, mode="economic", pivoting=True)
    pivots = np.abs(np.diag(triangle))
    rank = int((pivots > DEPENDENT * pivots[0]).sum())
    return sorted(int(row) for row in order[:rank])


def _by_clarabel(matrix: Any, right: Array, sizes: Sequence[int]) -> Array | None:
    """Unknowns with the largest last one; None where the solver fails."""
    try:
        import clarabel
    except ImportError:
        complain("the solver clarabel is not installed: install clarabel")
        return None
    equations, single, *larger = sizes
    cones: list[Any] = [clarabel.ZeroConeT(equations), clarabel.NonnegativeConeT(single)]
    cones += [clarabel.PSDTriangleConeT(size) for size in larger]
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads, settings.max_iter = False, 1, STEPS
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = ACCURACY
    count = matrix.shape[1]
    cost = np.zeros(count)
    cost[-1] = -1.0
    try:
        answer = solution(csc_matrix((count, count)), cost, matrix, right, cones, settings)
    except SolverFailed as error:
        complain(f"semidefinite programme: {error}")
        return None
    found = np.array(answer.x)
    return found if found.shape == cost.shape and np.isfinite(found).all() else None
