"""From multipliers in floats to an exact proof that the worst case is at most a rational number.

The programme is solved once more for the multipliers that lie deepest inside the cone while the
bound exceeds the optimum by a small tolerance; these are rounded, what must cancel is made to
cancel over the rationals, and the result is checked exactly (:mod:`verify.certify.gram.check`).  A
matrix of multipliers enters as the sum of squares that it is: each square is a combination of the
rows of its condition that cannot be negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from verify.certify.gram.check import complaint
from verify.certify.gram.claim import GramCertificate, Key, Premise
from verify.worst_case.function import MatrixCondition
from verify.worst_case.points import Expression, combined, rational, real
from verify.worst_case.primal import Data
from verify.worst_case.programme import GramProgramme
from verify.worst_case.solver import Face, Multipliers, NoSolution, Optimum, with_margin

DIGITS = 50
"""Multipliers are rounded to 2^-50 of the largest: far below what the margin absorbs."""
TOLERANCES = (2e-8, 2e-7, 1e-6, 1e-5)
"""Excess of the bound over the optimum, relative to it or to 1/100, in this order."""
CUTS = (0.0, 1e-7, 1e-5)
"""Shares of the largest multiplier below which one is left out, in this order."""
Way = tuple[float, bool, float]
QUICK: tuple[Way, ...] = tuple(product(TOLERANCES[:2], (False,), CUTS[:1]))
THOROUGH: tuple[Way, ...] = tuple(product(TOLERANCES, (False, True), CUTS))
"""Tolerance, whether all multipliers are to be deep, and cut: tried at once, and at last."""
PLAIN = 1e-12
"""Share of the largest eigenvalue by which one is negative beyond doubt."""
FACES = 4
"""Programmes in which directions are sought in which no proof can be deep, and one more."""
SHALLOW, FLAT = 1e-6, 1e-5
"""Margin below which they are sought, and the share of an eigenvalue that counts as zero."""
GUESSES = ((12, 3e-3), (60, 1e-4))
"""Largest denominator of such a direction, and how far it may be from what was found."""
DECIMALS = 11
"""Digits of a bound beyond its first, rounded upwards."""

__all__ = ["Unknown", "along", "assembled", "narrowed", "proved", "restored", "sharp", "unknowns"]


@dataclass(frozen=True)
class Unknown:
    """A multiplier, and what it stands before: a condition, or an entry of a matrix.

    `matrix` is the number of the matrix condition, `row` and `column` the entry.
    """

    expression: Expression
    free: bool
    matrix: int | None = None
    row: int = 0
    column: int = 0


def proved(
    programme: GramProgramme, found: Optimum, claim: str, problem: Mapping[str, Any] | None = None
) -> GramCertificate:
    """A certificate of the smallest bound that can be shown.

    Raises
    ------
    NoSolution
        If nothing that the solver gives passes the exact check.
    """
    wrong = "no multipliers were found"
    for face, (tolerance, every, cut) in _plan(programme, found):
        excess = tolerance * max(abs(found.value), 1e-2)
        deep = with_margin(programme, found, excess, every=every, face=face)
        if deep is None or deep.margin < -SHALLOW:
            continue
        exact = restored(programme, _rounded(programme, deep.multipliers, face, cut), face)
        certificate, wrong = _certified(programme, exact, claim, problem or {})
        if certificate is not None:
            return certificate
    raise NoSolution(f"no exact proof: {wrong}")


def sharp(programme: GramProgramme, found: Optimum, data: Data, claim: str) -> GramCertificate:
    """A certificate that the worst case is no more than what exact data attain.

    Where a proof meets the data nothing is left over: what it leaves of each Gram matrix vanishes
    along the data, and conditions that the data meet with something to spare are not used.

    Raises
    ------
    NoSolution
        If nothing passes the exact check: the data may not attain the worst case.
    """
    wrong = "no multipliers were found"
    face: Face | None = _touching(programme, data)
    for _ in range(FACES):
        if face is None:
            break
        for every in (False, True):
            deep = with_margin(programme, found, None, every=every, face=face)
            if deep is None:
                continue
            for cut in CUTS:
                exact = restored(programme, _rounded(programme, deep.multipliers, face, cut), face)
                certificate, wrong = _certified(programme, exact, claim, {}, data.objective)
                if certificate is not None:
                    return certificate
        face = narrowed(programme, found, face)
    raise NoSolution(f"no exact proof of {data.objective}: {wrong}")


def narrowed(programme: GramProgramme, found: Optimum, face: Face) -> Face | None:
    """The face with directions in which no proof can be deep; None if there are none.

    Where the worst case may be far away (nothing bounds some vector), what a proof leaves must
    vanish along the directions that lead there. These are found in floats and taken for rational
    ones; a wrong guess is seen as no proof passes its check.
    """
    deep = with_margin(programme, found, None, face=face)
    if deep is None or deep.margin > SHALLOW:
        return None
    known = [*face.directions]
    for block, left in enumerate(deep.left):
        spread, axes = np.linalg.eigh(left)
        flat = axes[:, spread < FLAT * max(1.0, float(spread[-1]))]
        if not flat.shape[1]:
            continue
        names = programme.blocks[block] if block < len(programme.blocks) else ()
        sizes = np.array([found.scale.get(a, 1.0) for a in names]) if names else 1.0
        basis = _echelon((flat.T * sizes).T)
        if basis is None:
            return None
        known = [(b, c) for b, c in known if b != block]
        known += [(block, tuple(column)) for column in basis]
    more = Face(tuple(known), face.dropped)
    return None if len(more.directions) == len(face.directions) else more


def unknowns(programme: GramProgramme) -> list[Unknown]:
    """All multipliers, in the order of conditions, then of entries of matrices."""
    found = [Unknown(c.expression, c.equality) for c in programme.conditions]
    for k, one in enumerate(programme.matrices):
        for c in range(len(one.rows)):
            for r in range(c + 1):
                entry = one.rows[r][c]
                found.append(Unknown(entry if r == c else entry * 2, True, k, r, c))
    return found


def restored(
    programme: GramProgramme, start: Sequence[Any], face: Face | None = None
) -> list[Any] | None:
    """Change few multipliers to make exact what must cancel: the free ones, then the largest."""
    every = unknowns(programme)
    order = sorted(
        (j for j in range(len(every)) if every[j].free or start[j] > 0),
        key=lambda j: (not every[j].free or every[j].matrix is not None, -abs(start[j])),
    )
    place = {j: c for c, j in enumerate(order)}
    rest = combined([(1, programme.objective), *_weighted(every, start)], [])
    users: dict[Key, list[tuple[int, Any]]] = {}
    for c, j in enumerate(order):
        for key, q in every[j].expression.terms.items():
            users.setdefault(key, []).append((c, q))
    rows: list[list[tuple[int, Any]]] = []
    right: list[Any] = []
    for key in programme.equations:
        rows.append(users.get(key, []))
        right.append(-rest.terms.get(key, fmpq(0)))
    entry = {(u.matrix, u.row, u.column): j for j, u in enumerate(every) if u.matrix is not None}
    for entries in (face or Face()).rows():
        row, left = [], fmpq(0)
        for block, r, c, q in entries:
            if block < len(programme.blocks):
                key = (programme.blocks[block][r], programme.blocks[block][c])
                share = q / (1 if r == c else 2)
                row += [(at, p * share) for at, p in users.get(key, ())]
                left += share * rest.terms.get(key, fmpq(0))
            else:
                j = entry[block - len(programme.blocks), r, c]
                row.append((place[j], q))
                left += q * start[j]
        rows.append(row)
        right.append(-left)
    matrix = fmpq_mat(len(rows), len(order) + 1)
    for r, row in enumerate(rows):
        for c, q in row:
            matrix[r, c] += q
        matrix[r, len(order)] = right[r]
    reduced, rank = matrix.rref()
    found = list(start)
    for r in range(rank):
        pivot = next(c for c in range(len(order) + 1) if reduced[r, c] != 0)
        if pivot == len(order):
            return None
        found[order[pivot]] += reduced[r, len(order)]
    return found


def assembled(
    programme: GramProgramme,
    exact: Sequence[Any],
    claim: str,
    problem: Mapping[str, Any],
    bound: Fraction | None = None,
) -> GramCertificate:
    """The certificate with the matrix that the identity leaves; unused premises are left out."""
    every = unknowns(programme)
    rest = combined([(-1, programme.objective), *_weighted(every, [-q for q in exact])], [])
    vectors = programme.vectors
    group = {a: n for n, block in enumerate(programme.blocks) for a in block}

    def entry(a: str, b: str) -> Fraction:
        if group[a] != group[b]:
            return Fraction(0)
        q = rest.terms.get((min(a, b), max(a, b)), fmpq(0)) / (1 if a == b else 2)
        return Fraction(int(q.p), int(q.q))

    premises, multipliers = [], []
    for condition, q in zip(programme.conditions, exact, strict=False):
        if q:
            premises.append(
                Premise(condition.name, condition.expression.form(), condition.equality)
            )
            multipliers.append(_fraction(q))
    for k, one in enumerate(programme.matrices):
        entries = {(u.row, u.column): q for u, q in zip(every, exact, strict=True) if u.matrix == k}
        for n, (q, direction) in enumerate(_squares(entries, len(one.rows))):
            rule = {"matrix": one.name, "direction": [str(x) for x in direction]}
            name = f"{one.name}, square {n + 1}"
            premises.append(Premise(name, along(one, direction).form(), rule=rule))
            multipliers.append(_fraction(q))
    least = -_fraction(rest.terms.get((), fmpq(0)))
    return GramCertificate(
        claim=claim,
        vectors=vectors,
        objective=programme.objective.form(),
        bound=_upwards(least) if bound is None else bound,
        premises=tuple(premises),
        multipliers=tuple(multipliers),
        matrix=tuple(tuple(entry(a, b) for b in vectors) for a in vectors),
        problem={"origin": list(programme.origin), **problem},
    )


def along(condition: MatrixCondition, direction: Sequence[Any]) -> Expression:
    """direction^T matrix direction, which is not negative."""
    return combined(
        [
            (p * q, e)
            for p, row in zip(direction, condition.rows, strict=True)
            for q, e in zip(direction, row, strict=True)
            if p and q
        ],
        [],
    )


# -- private helpers -------------------------------------------------------------------------------


def _weighted(every: Sequence[Unknown], q: Sequence[Any]) -> Iterator[tuple[Any, Expression]]:
    return ((p, u.expression) for u, p in zip(every, q, strict=True) if p)


def _plan(programme: GramProgramme, found: Optimum) -> Iterator[tuple[Face, Way]]:
    """Faces and ways to try: each face quickly while a smaller one is left, then all thoroughly."""
    faces: list[Face] = []
    face: Face | None = Face()
    while face is not None and len(faces) < FACES:
        faces.append(face)
        yield from ((face, way) for way in QUICK)
        face = narrowed(programme, found, face)
    yield from product(reversed(faces), THOROUGH)


def _certified(
    programme: GramProgramme,
    exact: Sequence[Any] | None,
    claim: str,
    problem: Mapping[str, Any],
    bound: Fraction | None = None,
) -> tuple[GramCertificate | None, str]:
    """The certificate of exact multipliers if it passes, and what is wrong with it if not.

    What is plainly wrong in floats is not put to the exact check, which takes much longer.
    """
    if exact is None:
        return None, "what must cancel has no rounded solution"
    pairs = zip(exact, programme.conditions, strict=False)
    if any(q < 0 for q, condition in pairs if not condition.equality):
        return None, "a multiplier of an inequality is negative"
    certificate = assembled(programme, exact, claim, problem, bound)
    if certificate.matrix:
        spread = np.linalg.eigvalsh(np.array(certificate.matrix, dtype=float))
        if spread[0] < -PLAIN * float(spread[-1]):
            return None, "the matrix is not positive semidefinite"
    wrong = complaint(certificate)
    return (None, wrong) if wrong else (certificate, "")


def _touching(programme: GramProgramme, data: Data) -> Face:
    """What a proof that meets the data exactly leaves zero."""
    directions: list[tuple[int, tuple[Any, ...]]] = []
    for k, block in enumerate(programme.blocks):
        for axis in range(data.dimension):
            line = tuple(rational(data.vectors[a][axis]) for a in block)
            if any(line):
                directions.append((k, line))
    for k, one in enumerate(programme.matrices, len(programme.blocks)):
        rows = fmpq_mat([[rational(data.of(e)) for e in row] for row in one.rows])
        reduced, rank = rows.rref()
        directions += [(k, tuple(reduced[r, c] for c in range(len(one.rows)))) for r in range(rank)]
    spare = {
        j
        for j, c in enumerate(programme.conditions)
        if not c.equality and data.of(c.expression) > 0
    }
    return Face(tuple(directions), frozenset(spare))


def _echelon(flat: Any) -> list[list[Any]] | None:
    """Short rational vectors that span the same space as the columns; None if none are near."""
    found, rest = np.array(flat, dtype=float), list[int]()
    for k in range(found.shape[1]):
        row = int(
            np.argmax(np.abs(np.where(np.isin(np.arange(len(found)), rest), 0.0, found[:, k])))
        )
        rest.append(row)
        found[:, k] /= found[row, k]
        for other in range(found.shape[1]):
            if other != k:
                found[:, other] -= found[row, other] * found[:, k]
    for short, far in GUESSES:
        near = [[Fraction(float(q)).limit_denominator(short) for q in column] for column in found.T]
        if np.abs(np.array(near, dtype=float) - found.T).max(initial=0.0) < far:
            return [[rational(q) for q in column] for column in near]
    return None


def _rounded(programme: GramProgramme, deep: Multipliers, face: Face, cut: float) -> list[Any]:
    """Multiples of a power of two near the multipliers.

    Those of inequalities that are negative, or below a share of the largest, are zero.
    """
    flat = [float(q) for q in deep.single]
    for matrix in deep.matrices:
        flat += [float(matrix[r, c]) for c in range(len(matrix)) for r in range(c + 1)]
    largest = max(map(abs, flat), default=0.0) or 1.0
    exponent = int(np.ceil(np.log2(largest))) - DIGITS
    unit = fmpq(2) ** exponent if exponent >= 0 else 1 / fmpq(2) ** -exponent
    found = [unit * round(q / real(unit)) for q in flat]
    for j, condition in enumerate(programme.conditions):
        if not condition.equality and (j in face.dropped or flat[j] < cut * largest):
            found[j] = fmpq(0)
    return found


def _squares(entries: Mapping[tuple[int, int], Any], size: int) -> Iterator[tuple[Any, list[Any]]]:
    """Factors and directions of which a symmetric matrix is the sum of squares, by elimination.

    Of a matrix that is not semidefinite a factor is negative, or the sum is another matrix: then
    the certificate fails its check.
    """
    rows = [[entries[min(r, c), max(r, c)] for c in range(size)] for r in range(size)]
    for k in range(size):
        pivot = rows[k][k]
        if not pivot:
            continue
        direction = [q / pivot for q in rows[k]]
        for r in range(k + 1, size):
            factor = rows[r][k]
            if factor:
                rows[r] = [p - factor * q for p, q in zip(rows[r], direction, strict=True)]
        yield pivot, [fmpq(0)] * k + direction[k:]


def _fraction(q: Any) -> Fraction:
    return Fraction(int(q.p), int(q.q))


def _upwards(number: Fraction) -> Fraction:
    """A short decimal that is at least as large."""
    if not number:
        return number
    digits = DECIMALS - int(np.floor(np.log10(abs(float(number)))))
    scale = Fraction(10) ** digits
    return Fraction(-((-number * scale) // 1)) / scale
