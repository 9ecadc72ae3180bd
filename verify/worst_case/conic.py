"""The dual of a programme as the solver takes it: a cone, equations, and a face of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from verify.certify.algebra.conic_solver import SolverFailed, solution
from verify.certify.gram.claim import Key
from verify.certify.gram.floats import NoSolution, matrix_of
from verify.worst_case.points import Expression, real
from verify.worst_case.programme import GramProgramme

Array = np.ndarray[Any, Any]

ACCURACY, ENOUGH, LEAST = 1e-9, 1e-7, 2e-6
"""Relative accuracy asked of the solver, that at which no other attempt is made but the first two,
and the least at which an answer is taken."""
ROUNDING = 1e-12
"""Sums of coefficients of size one below which nothing but rounding is left of them."""

__all__ = [
    "ENOUGH",
    "LEAST",
    "Array",
    "Deep",
    "DualProgramme",
    "Facet",
    "Multipliers",
    "Optimum",
]


@dataclass(frozen=True)
class Multipliers:
    """What a proof multiplies the conditions with.

    Attributes
    ----------
    single : array, (conditions,)
    matrices : list of arrays
        A symmetric matrix for each matrix condition.
    """

    single: Array
    matrices: list[Array]


@dataclass(frozen=True)
class Optimum:
    """An optimum in floats.

    Attributes
    ----------
    value : float
    multipliers : Multipliers
    grams : list of arrays
        The maximising Gram matrix of each block.
    values : mapping
        The maximising values, by key.
    scale : mapping
        Sizes of vectors in which the programme was solved.
    accuracy : float
        Largest of the relative residuals and the gap that the solver ended with.
    """

    value: float
    multipliers: Multipliers
    grams: list[Array]
    values: Mapping[Key, float]
    scale: Mapping[str, float]
    accuracy: float


@dataclass(frozen=True)
class Facet:
    """What every proof must leave zero: directions of Gram matrices and of matrix multipliers.

    Attributes
    ----------
    directions : tuple of (block, coordinates)
        The number of a Gram block, or after those of a matrix condition, and rational coordinates
        along its rows: the matrix that a proof leaves there vanishes in this direction.
    dropped : frozenset of int
        Conditions whose multiplier is zero.
    """

    directions: tuple[tuple[int, tuple[Any, ...]], ...] = ()
    dropped: frozenset[int] = frozenset()

    def rows(self) -> list[list[tuple[int, int, int, Any]]]:
        """Equations that say so, each a sum over (row, column) entries of a block's matrix."""
        return [
            [(block, min(r, c), max(r, c), q) for c, q in enumerate(coordinates) if q]
            for block, coordinates in self.directions
            for r in range(len(coordinates))
        ]


@dataclass(frozen=True)
class Deep:
    """Multipliers deep inside the cone, what they leave in each block (scaled), and how deep."""

    multipliers: Multipliers
    left: list[Array]
    margin: float


class DualProgramme:
    """min cost @ x, with x the multipliers (those of matrices as scaled triangles)."""

    def __init__(
        self, programme: GramProgramme, scale: Mapping[str, float], face: Facet | None = None
    ) -> None:
        self.programme, self.scale, self.face = programme, scale, face or Facet()
        self.line = {key: r for r, key in enumerate(programme.equations)}
        self.size = [len(block) for block in programme.blocks]
        self.place: dict[Key, tuple[int, float]] = {}
        at = 0
        for block in programme.blocks:
            for j, b in enumerate(block):
                for i, a in enumerate(block[: j + 1]):
                    self.place[(a, b)] = (at + j * (j + 1) // 2 + i, 1.0 if i == j else 1 / sqrt(2))
            at += len(block) * (len(block) + 1) // 2
        self.triangle = at
        self.free = np.array([c.equality for c in programme.conditions], dtype=bool)
        self._columns()

    def _columns(self) -> None:
        """Coefficients of all multipliers: (column, row, value), each column of size one."""
        columns = [self._column(c.expression) for c in self.programme.conditions]
        self.unit = [_largest(column) for column in columns]
        for one in self.programme.matrices:
            entries = [
                (e, 1.0 if r == c else sqrt(2))
                for c in range(len(one.rows))
                for r in range(c + 1)
                for e in [one.rows[r][c]]
            ]
            made = [{k: q * factor for k, q in self._column(e).items()} for e, factor in entries]
            unit = max(map(_largest, made))
            self.unit += [unit] * len(made)
            columns += made
        target = self._column(self.programme.objective)
        self.base, self.whole = target.pop(-1, 0.0), _largest(target)
        count = len(self.line) + self.triangle
        self.target = np.zeros(count)
        for row, q in target.items():
            self.target[row] = -q / self.whole
        self.cost = np.array(
            [column.pop(-1, 0.0) / unit for column, unit in zip(columns, self.unit, strict=True)]
        )
        self.entries = [
            (row, j, q / self.unit[j])
            for j, column in enumerate(columns)
            for row, q in column.items()
        ]

    def _column(self, e: Expression) -> dict[int, float]:
        """Rows of an expression: equations, then entries of Gram matrices; -1 is the constant."""
        out: dict[int, float] = {}
        for key, q in e.terms.items():
            size = 1.0
            for name in key:
                size *= self.scale.get(name, 1.0)
            if not key:
                out[-1] = real(q)
            elif key in self.line:
                out[self.line[key]] = real(q) * size
            else:
                row, factor = self.place[key]
                out[len(self.line) + row] = real(q) * factor * size
        return out

    def solved(
        self, level: float | None, equilibrated: bool = True, *, every: bool = False
    ) -> tuple[str, Any]:
        """Status and answer of the solver; with a level, of the deepest multipliers below it."""
        import clarabel

        equations, single = len(self.line), len(self.free)
        sizes = [len(m.rows) for m in self.programme.matrices]
        count = len(self.cost)
        bound = [j for j in np.flatnonzero(~self.free) if j not in self.face.dropped]
        margin = level is not None
        vanishing, at_face = self._vanishing()
        rows = [[e for e in self.entries if e[0] < equations], vanishing]
        right = [self.target[:equations], at_face]
        signs = [(r, int(j), -1.0) for r, j in enumerate(bound)]
        limits = [0.0] * len(bound)
        if level is not None:
            signs += [(r, count, 1.0) for r in range(len(bound)) if every]
            signs += [(len(bound), count, 1.0)]
            limits += [1.0]
            if np.isfinite(level):
                signs += [(len(bound) + 1, j, float(q)) for j, q in enumerate(self.cost) if q]
                limits += [(level - self.base) / self.whole]
        rows.append(signs)
        right.append(np.array(limits))
        cones: list[Any] = [
            clarabel.ZeroConeT(equations + len(at_face)),
            clarabel.NonnegativeConeT(len(limits)),
        ]
        at = 0
        inner = [(r - equations, j, q) for r, j, q in self.entries if r >= equations]
        for k, n in enumerate(self.size):
            if margin:
                inner += [(at + r, count, q) for r, q in self._off_face(k, n)]
            cones.append(clarabel.PSDTriangleConeT(n))
            at += n * (n + 1) // 2
        rows.append(inner)
        right.append(self.target[equations:])
        column = single
        for k, n in enumerate(sizes, len(self.size)):
            length = n * (n + 1) // 2
            block = [(k, column + k, -1.0) for k in range(length)]
            if margin:
                block += [(r, count, q) for r, q in self._off_face(k, n)]
            rows.append(block)
            right.append(np.zeros(length))
            cones.append(clarabel.PSDTriangleConeT(n))
            column += length
        target = np.concatenate(right)
        width = count + margin
        cost = np.append(np.zeros(count), -1.0) if margin else self.cost
        settings = clarabel.DefaultSettings()
        settings.verbose, settings.max_threads = False, 1
        settings.equilibrate_enable = equilibrated
        settings.chordal_decomposition_enable = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = ACCURACY
        settings.reduced_tol_gap_abs = settings.reduced_tol_gap_rel = ENOUGH
        settings.reduced_tol_feas = ENOUGH
        matrix = _sparse(rows, [len(part) for part in right], (len(target), width))
        nothing = csc_matrix((width, width))
        try:
            answer = solution(nothing, cost, matrix, target, cones, settings)
        except SolverFailed as error:
            raise NoSolution(str(error)) from error
        return str(answer.status), answer

    def _vanishing(self) -> tuple[list[tuple[int, int, float]], Array]:
        """Equations of the face, each of size one."""
        lines: list[tuple[int, int, float]] = []
        right: list[float] = []
        first = np.cumsum(
            [0, *(len(m.rows) * (len(m.rows) + 1) // 2 for m in self.programme.matrices)]
        )
        gram: dict[int, list[tuple[int, float]]] = {}
        for row, j, q in self.entries:
            gram.setdefault(row, []).append((j, q))
        starts = np.cumsum([0, *(n * (n + 1) // 2 for n in self.size)])
        for entries in self.face.rows():
            line: dict[int, float] = {}
            target = 0.0
            for block, r, c, q in entries:
                share = real(q) * (1.0 if r == c else 1 / sqrt(2))
                if block < len(self.size):
                    names = self.programme.blocks[block]
                    share /= self.scale.get(names[r], 1.0) * self.scale.get(names[c], 1.0)
                    row = len(self.line) + int(starts[block]) + c * (c + 1) // 2 + r
                    for j, p in gram.get(row, ()):
                        line[j] = line.get(j, 0.0) + share * p
                    target += share * self.target[row]
                else:
                    j = len(self.free) + int(first[block - len(self.size)]) + c * (c + 1) // 2 + r
                    line[j] = line.get(j, 0.0) + share
            size = max(map(abs, line.values()), default=0.0)
            if size > ROUNDING:
                lines += [(len(right), j, q / size) for j, q in line.items() if abs(q) > ROUNDING]
                right.append(target / size)
        for j in sorted(self.face.dropped):
            lines.append((len(right), j, 1.0))
            right.append(0.0)
        return lines, np.array(right)

    def _off_face(self, block: int, n: int) -> list[tuple[int, float]]:
        """The projection off the face's directions in a block, as a scaled triangle."""
        found = [c for b, c in self.face.directions if b == block]
        whole = np.eye(n)
        if found:
            names = self.programme.blocks[block] if block < len(self.size) else ()
            sizes = np.array([self.scale.get(a, 1.0) for a in names]) if names else np.ones(n)
            basis, _ = np.linalg.qr(
                np.array([[real(q) for q in c] for c in found]).T / sizes[:, None]
            )
            whole = whole - basis @ basis.T
        return [
            (c * (c + 1) // 2 + r, float(whole[r, c]) * (1.0 if r == c else sqrt(2)))
            for c in range(n)
            for r in range(c + 1)
            if whole[r, c]
        ]

    def deep(self, answer: Any) -> Deep:
        """The deepest multipliers, and what they leave."""
        x, s = np.array(answer.x), np.array(answer.s)
        sizes = [*self.size, *(len(m.rows) for m in self.programme.matrices)]
        at = len(s) - sum(n * (n + 1) // 2 for n in sizes)
        left = []
        for k, n in enumerate(sizes):
            length = n * (n + 1) // 2
            off = np.zeros(length)
            for r, q in self._off_face(k, n):
                off[r] = q
            left.append(matrix_of(s[at : at + length] + x[-1] * off, n))
            at += length
        return Deep(self.multipliers(x[:-1]), left, float(x[-1]))

    def multipliers(self, x: Array) -> Multipliers:
        """The multipliers in the units of the problem."""
        x = x * self.whole / np.array(self.unit)
        matrices, at = [], len(self.free)
        for one in self.programme.matrices:
            n = len(one.rows)
            matrices.append(matrix_of(x[at : at + n * (n + 1) // 2], n))
            at += n * (n + 1) // 2
        return Multipliers(x[: len(self.free)], matrices)

    def read(self, answer: Any, scale: Mapping[str, float]) -> Optimum:
        """The optimum in the units of the problem."""
        x, z = np.array(answer.x), np.array(answer.z)
        at = len(self.line) + int((~self.free).sum())
        grams = []
        for block in self.programme.blocks:
            n = len(block)
            sizes = np.array([scale.get(a, 1.0) for a in block])
            grams.append(matrix_of(z[at : at + n * (n + 1) // 2], n) * np.outer(sizes, sizes))
            at += n * (n + 1) // 2
        values = {}
        for key, q in zip(self.programme.equations, z, strict=False):
            values[key] = float(q) * float(np.prod([scale.get(a, 1.0) for a in key]))
        value = self.base + float(self.cost @ x) * self.whole
        gap = abs(answer.obj_val - answer.obj_val_dual) / max(1.0, abs(answer.obj_val))
        accuracy = max(gap, answer.r_prim, answer.r_dual)
        return Optimum(value, self.multipliers(x), grams, values, scale, accuracy)


def _largest(column: Mapping[int, float]) -> float:
    return max((abs(q) for row, q in column.items() if row >= 0), default=0.0) or 1.0


def _sparse(
    rows: Sequence[Sequence[tuple[int, int, float]]], heights: Sequence[int], shape: tuple[int, int]
) -> Any:
    """The matrix of blocks on top of each other, each as (row, column, value)."""
    found = [*_stacked(rows, heights)]
    table = np.array(found, dtype=float).reshape(-1, 3)
    return csc_matrix((table[:, 2], (table[:, 0].astype(int), table[:, 1].astype(int))), shape)


def _stacked(
    rows: Sequence[Sequence[tuple[int, int, float]]], heights: Sequence[int]
) -> Iterator[tuple[int, int, float]]:
    at = 0
    for block, height in zip(rows, heights, strict=True):
        for r, c, q in block:
            yield at + r, c, q
        at += height
