"""Multipliers over the rationals and the certificate that they make.

A matrix of multipliers enters as the sum of squares that it is: each square is a combination of the
rows of its condition that cannot be negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from verify.certify.gram.claim import GramCertificate, Key, Premise
from verify.worst_case.conic import Facet
from verify.worst_case.function import MatrixCondition
from verify.worst_case.points import Expression, combined, fraction
from verify.worst_case.programme import GramProgramme

DECIMALS = 11
"""Digits of a bound beyond its first, rounded upwards."""

__all__ = ["Unknown", "along", "assembled", "restored", "unknowns"]


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
    programme: GramProgramme, start: Sequence[Any], face: Facet | None = None
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
    for entries in (face or Facet()).rows():
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
            multipliers.append(fraction(q))
    for k, one in enumerate(programme.matrices):
        entries = {(u.row, u.column): q for u, q in zip(every, exact, strict=True) if u.matrix == k}
        for n, (q, direction) in enumerate(_squares(entries, len(one.rows))):
            rule = {"matrix": one.name, "direction": [str(x) for x in direction]}
            name = f"{one.name}, square {n + 1}"
            premises.append(Premise(name, along(one, direction).form(), rule=rule))
            multipliers.append(fraction(q))
    least = -fraction(rest.terms.get((), fmpq(0)))
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


def _weighted(every: Sequence[Unknown], q: Sequence[Any]) -> Iterator[tuple[Any, Expression]]:
    return ((p, u.expression) for u, p in zip(every, q, strict=True) if p)


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


def _upwards(number: Fraction) -> Fraction:
    """A short decimal that is at least as large."""
    if not number:
        return number
    digits = DECIMALS - int(np.floor(np.log10(abs(float(number)))))
    scale = Fraction(10) ** digits
    return Fraction(-((-number * scale) // 1)) / scale
