"""A problem as a semidefinite programme over the rationals: objective, conditions, Gram blocks.

Vectors enter only by inner products, so the unknowns are the entries of positive semidefinite Gram
matrices, one for each group of vectors whose products occur, and the values.  Where all conditions
are unchanged by a shift of space or of the values, what may be set to zero is: a condition on
differences alone would leave the programme without an inner point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq_mat

from verify.certify.gram.claim import Key
from verify.worst_case.function import Condition, MatrixCondition
from verify.worst_case.points import Expression, number, real
from verify.worst_case.problem import ClassProblem

CLEAR = 1e-9
"""Least over largest eigenvalue from which a matrix has full rank beyond doubt (no unit)."""

__all__ = ["GramProgramme", "programme"]


@dataclass(frozen=True)
class GramProgramme:
    """Maximise `objective` under conditions, over all Gram matrices and values.

    Attributes
    ----------
    objective : Expression
    conditions : tuple of Condition
    matrices : tuple of MatrixCondition
    blocks : tuple of tuples of str
        Vectors of each Gram matrix, in order.
    equations : tuple of keys
        What must cancel in a proof: values, and products with a vector whose square never occurs.
    origin : tuple of str
        Vectors and values that were set to zero, as nothing depends on where they are.
    """

    objective: Expression
    conditions: tuple[Condition, ...]
    matrices: tuple[MatrixCondition, ...]
    blocks: tuple[tuple[str, ...], ...]
    equations: tuple[Key, ...]
    origin: tuple[str, ...]

    @property
    def size(self) -> int:
        """Conditions and entries of Gram matrices, all together."""
        entries = sum(len(block) * (len(block) + 1) // 2 for block in self.blocks)
        return len(self.conditions) + entries

    @property
    def vectors(self) -> tuple[str, ...]:
        """Those of all blocks, in order."""
        return tuple(a for block in self.blocks for a in block)


def programme(problem: ClassProblem) -> GramProgramme:
    """The programme of a problem."""
    if not problem.measures:
        raise ValueError("nothing is asked: call maximise with an expression")
    given = [*problem.conditions()]
    conditions = [one for one in given if isinstance(one, Condition)]
    matrices = [one for one in given if isinstance(one, MatrixCondition)]
    objective = problem.measures[0]
    if len(problem.measures) > 1:
        objective = number("worst")
        conditions += [
            Condition(f"measure {k}", one - objective) for k, one in enumerate(problem.measures, 1)
        ]
    conditions = [*_distinct(conditions)]
    everything = [objective, *(c.expression for c in conditions), *_entries(matrices)]
    origin = {*_shifts(everything, 2, problem.vectors), *_shifts(everything, 1, problem.numbers)}
    if origin:
        objective = _without(objective, origin)
        conditions = [
            *_distinct(
                Condition(c.name, _without(c.expression, origin), c.equality) for c in conditions
            )
        ]
        matrices = [
            MatrixCondition(m.name, [[_without(e, origin) for e in row] for row in m.rows])
            for m in matrices
        ]
    everything = [objective, *(c.expression for c in conditions), *_entries(matrices)]
    keys = {key for e in everything for key in e.terms}
    blocks = _blocks(keys)
    inside = {a for block in blocks for a in block}
    equations = sorted(k for k in keys if k and not (len(k) == 2 and inside >= {*k}))
    return GramProgramme(
        objective,
        tuple(conditions),
        tuple(matrices),
        tuple(blocks),
        tuple(equations),
        tuple(sorted(origin)),
    )


# -- private helpers -------------------------------------------------------------------------------


def _entries(matrices: Iterable[MatrixCondition]) -> Iterator[Expression]:
    for one in matrices:
        for r, row in enumerate(one.rows):
            yield from row[r:]


def _distinct(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """Each condition once, those without content left out; a name that is taken gets a number."""
    seen: set[tuple[object, bool]] = set()
    names: dict[str, int] = {}
    for one in conditions:
        terms = one.expression.terms
        met = (frozenset(terms.items()), one.equality)
        if met in seen or not terms:
            continue
        seen.add(met)
        count = names[one.name] = names.get(one.name, 0) + 1
        yield (
            one if count == 1 else Condition(f"{one.name} ({count})", one.expression, one.equality)
        )


def _shifts(everything: Sequence[Expression], length: int, first: Sequence[str]) -> list[str]:
    """Vectors (length 2) or values (length 1) that can be set to zero without loss.

    Rows are what each expression says of them; where the rows do not have full rank, all names
    that depend on the others can go: any data have the same rows as some data without them.
    Those in `first` go first, in this order, so that a minimiser becomes the origin.
    """
    known = dict.fromkeys(a for e in everything for k in e.terms if len(k) == length for a in k)
    names = [*(a for a in first if a in known), *(a for a in known if a not in {*first})]
    place = {a: len(names) - 1 - n for n, a in enumerate(names)}
    rows: set[frozenset[tuple[int, Any]]] = set()
    for e in everything:
        made: dict[int, dict[int, Any]] = {}
        for key, q in e.terms.items():
            if len(key) == length:
                a, b = place[key[0]], place[key[-1]]
                made.setdefault(a if length == 2 else -1, {})[b] = q * (2 if a == b else 1)
                if length == 2 and a != b:
                    made.setdefault(b, {})[a] = q
        rows |= {frozenset(row.items()) for row in made.values()}
    if not rows or _full(rows, len(names)):
        return []
    matrix = fmpq_mat(len(rows), len(names))
    for r, row in enumerate(rows):
        for c, q in row:
            matrix[r, c] = q
    reduced, rank = matrix.rref()
    pivots = {next(c for c in range(len(names)) if reduced[r, c] != 0) for r in range(rank)}
    return [a for a in names if place[a] not in pivots]


def _full(rows: Iterable[Iterable[tuple[int, Any]]], width: int) -> bool:
    """Whether the rows have full rank beyond doubt, in floats."""
    found = []
    for row in rows:
        line = np.zeros(width)
        for c, q in row:
            line[c] = real(q)
        found.append(line / np.linalg.norm(line))
    spread = np.linalg.eigvalsh(np.array(found).T @ np.array(found))
    return bool(spread[0] > CLEAR * spread[-1])


def _without(e: Expression, names: set[str]) -> Expression:
    return Expression({k: q for k, q in e.terms.items() if not names & {*k}})


def _blocks(keys: Iterable[Key]) -> list[tuple[str, ...]]:
    """Groups of vectors that have products with each other, of those whose square occurs."""
    known = {*keys}
    group: dict[str, set[str]] = {k[0]: {k[0]} for k in known if len(k) == 2 and k[0] == k[1]}
    for key in known:
        if len(key) == 2 and group.keys() >= {*key} and group[key[0]] is not group[key[1]]:
            merged = group[key[0]] | group[key[1]]
            group.update(dict.fromkeys(merged, merged))
    return sorted({tuple(sorted(one)) for one in group.values()})
