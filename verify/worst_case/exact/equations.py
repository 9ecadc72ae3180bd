"""Rounded vectors and values made to meet equations exactly.

What a method says by equations (line searches, sets, quadratics) is solved over the rationals:
vectors one equation after another, then values all at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from verify.worst_case.conic import Optimum
from verify.worst_case.points import Expression, real
from verify.worst_case.programme import GramProgramme

LATEST, LONGEST = 4, 1500
"""Vectors of an equation that are tried, and bits of a denominator at which it is given up."""

__all__ = ["meet_products", "meet_values", "placed_by_products", "placed_on_axes"]


def placed_by_products(
    programme: GramProgramme, found: Optimum, vectors: dict[str, list[Any]], rounded: Any
) -> None:
    """Coordinates of vectors whose square never occurs: those with the products that were found."""
    inside = [*vectors]
    table = np.array([[real(x) for x in vectors[a]] for a in inside])
    products: dict[str, dict[str, float]] = {}
    for key in programme.equations:
        if len(key) == 2:
            for a, b in (key, key[::-1]):
                if a not in vectors and b in vectors:
                    products.setdefault(a, {})[b] = found.values[key]
    for name, known in products.items():
        rows = [inside.index(b) for b in known]
        solution, *_ = np.linalg.lstsq(table[rows], np.array([*known.values()]), rcond=1e-7)
        vectors[name] = [rounded(float(x)) for x in solution]


def placed_on_axes(
    programme: GramProgramme,
    found: Optimum,
    vectors: dict[str, list[Any]],
    rounded: Any,
    dimension: int,
) -> int:
    """Coordinates of vectors that only have products with vectors of which the same holds.

    Such products are free: those on one side get an axis each, the others' coordinates along these
    are the products. Returns the dimension with the new axes.
    """
    pairs = [k for k in programme.equations if len(k) == 2 and not {*k} & vectors.keys()]
    neighbours: dict[str, set[str]] = {}
    for a, b in pairs:
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    side: dict[str, bool] = {}
    for first in sorted(neighbours):
        todo = [] if first in side else [(first, True)]
        while todo:
            name, one = todo.pop()
            if side.setdefault(name, one) != one:
                return dimension  # a circle of odd length: these products are not free
            todo += [(b, not one) for b in sorted(neighbours[name]) if b not in side]
    axes = [name for name, one in sorted(side.items()) if one]
    for row in vectors.values():
        row += [fmpq(0)] * len(axes)
    for name in side:
        vectors[name] = [fmpq(0)] * (dimension + len(axes))
    for k, name in enumerate(axes, dimension):
        vectors[name][k] = fmpq(1)
    for a, b in pairs:
        axis, other = (a, b) if side[a] else (b, a)
        vectors[other][dimension + axes.index(axis)] = rounded(found.values[a, b])
    return dimension + len(axes)


def meet_products(
    equal: Sequence[Expression], vectors: dict[str, list[Any]], place: Mapping[str, int]
) -> bool:
    """Change vectors to meet the equations between products exactly, one equation after another.

    Each changes one of its vectors, that which need change least while the equations before that it
    occurs in still hold: the new gradient of a line search, or the point that it is at.
    """
    done: list[Expression] = []
    for e in equal:
        if any(len(k) == 1 for k in e.terms) or not any(len(k) == 2 for k in e.terms):
            continue
        done.append(e)
        best: tuple[float, str, list[Any]] | None = None
        met = {a for k in e.terms for a in k if a in vectors}
        for name in sorted(met, key=lambda a: (-place.get(a, -1), a))[:LATEST]:
            about = [one for one in done if any(name in k for k in one.terms)]
            if any((name, name) in one.terms for one in about):
                continue
            lines = [_linear(one, name, vectors) for one in about]
            change = _least_change([r for r, _ in lines], [-q for _, q in lines], vectors[name])
            if change is None:
                continue
            moved = sum(real((x - y) * (x - y)) for x, y in zip(change, vectors[name], strict=True))
            if best is None or moved < best[0]:
                best = moved, name, change
        if best is None or max(int(x.q).bit_length() for x in best[2]) > LONGEST:
            return False
        vectors[best[1]] = best[2]
    return True


def meet_values(
    equal: Sequence[Expression], vectors: Mapping[str, Sequence[Any]], values: dict[str, Any]
) -> bool:
    """Change values to meet the equations in which they occur."""
    names = [*values]
    rows, right = [], []
    for e in equal:
        if any(len(k) == 1 for k in e.terms):
            rest = fmpq(0)
            for key, q in e.terms.items():
                if len(key) == 2:
                    one, two = (vectors.get(a, ()) for a in key)
                    rest += q * sum((x * y for x, y in zip(one, two, strict=False)), fmpq(0))
                elif not key:
                    rest += q
            rows.append([e.terms.get((a,), fmpq(0)) for a in names])
            right.append(-rest)
    if not rows:
        return True
    change = _least_change(rows, right, [values[a] for a in names])
    if change is None:
        return False
    values.update(zip(names, change, strict=True))
    return True


def _linear(e: Expression, name: str, vectors: Mapping[str, Sequence[Any]]) -> tuple[Any, Any]:
    """Coefficients of a vector's coordinates in an expression, and the rest."""
    size = len(vectors[name])
    row, rest = [fmpq(0)] * size, fmpq(0)
    for key, q in e.terms.items():
        if not key:
            rest += q
        elif name in key:
            other = vectors.get(key[0] if key[1] == name else key[1], [fmpq(0)] * size)
            row = [x + q * y for x, y in zip(row, other, strict=True)]
        else:
            one, two = (vectors.get(a, ()) for a in key)
            for x, y in zip(one, two, strict=False):
                rest += q * x * y
    return row, rest


def _least_change(rows: list[Any], right: list[Any], start: list[Any]) -> list[Any] | None:
    """The solution of linear equations nearest to a start, over the rationals."""
    size = len(start)
    table = fmpq_mat(len(rows), size + 1)
    for r, (row, q) in enumerate(zip(rows, right, strict=True)):
        for c, x in enumerate(row):
            table[r, c] = x
        table[r, size] = q
    reduced, rank = table.rref()
    lines = [[reduced[r, c] for c in range(size)] for r in range(rank)]
    if any(not any(line) for line in lines):
        return None
    if not lines:
        return start
    a = fmpq_mat(lines)
    off = fmpq_mat(
        [
            [reduced[r, size] - sum((x * y for x, y in zip(lines[r], start, strict=True)), fmpq(0))]
            for r in range(rank)
        ]
    )
    step = a.transpose() * (a * a.transpose()).solve(off)
    return [x + step[c, 0] for c, x in enumerate(start)]
