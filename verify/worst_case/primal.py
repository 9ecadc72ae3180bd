"""From a Gram matrix in floats to an exact instance: rational points, gradients and values.

The Gram matrix of the worst case is brought to its lowest rank, factorised and rounded.  Numbers
with small denominators are tried first: where these meet all conditions the instance often attains
the worst case itself.  Else every condition is asked for with a little to spare, so that what is
rounded still meets it; equations are solved exactly, vector by vector, then for the values.  Every
condition is checked over the rationals, and the objective is what the data give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import sqrt
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from verify.certify.gram.check import is_semidefinite
from verify.certify.gram.claim import Key
from verify.worst_case.function import Condition, MatrixCondition
from verify.worst_case.points import Expression, SymbolicPoint, rational, real
from verify.worst_case.programme import GramProgramme
from verify.worst_case.solver import Array, NoSolution, Optimum, optimum

SPARE = (2e-8, 2e-7, 2e-6, 2e-5)
"""What conditions must have to spare, relative to their largest coefficient, in this order."""
SMALL = (12, 120, 1000, 10000)
"""Largest denominators that are tried before."""
GRID = 2**44
"""Other coordinates are multiples of 1/GRID of the largest."""
RANKS = (1e-6, 1e-8, 1e-10)
"""Eigenvalues of a Gram matrix below this share of the largest count as zero, in this order."""
USED = 1e-3
"""Share of the largest multiplier from which a condition counts as used by a proof."""
ROUNDS = 3
"""Programmes that lower the rank."""
LATEST, LONGEST = 4, 1500
"""Vectors of an equation that are tried, and bits of a denominator at which it is given up."""
NEAR, CLOSE = 1e-8, 1e-7
"""How far the value may fall while the rank is lowered, and by small denominators; relative."""

__all__ = ["Data", "attained"]


@dataclass(frozen=True)
class Data:
    """Exact coordinates of all vectors and exact values, which meet every condition.

    Attributes
    ----------
    vectors : mapping
        Coordinates by name; those of deviations and of blocks lie in directions of their own.
    values : mapping
    objective : Fraction
        What the data give.
    dimension : int
    """

    vectors: Mapping[str, tuple[Fraction, ...]]
    values: Mapping[str, Fraction]
    objective: Fraction
    dimension: int

    def at(self, point: SymbolicPoint) -> tuple[Fraction, ...]:
        """Coordinates of a point."""
        total = [Fraction(0)] * self.dimension
        for name, q in point.parts.items():
            factor = Fraction(int(q.p), int(q.q))
            for k, x in enumerate(self.vectors.get(name, ())):
                total[k] += factor * x
        return tuple(total)

    def of(self, expression: Expression) -> Fraction:
        """Value of an expression."""
        return _fraction(self._exact.of(expression))

    @cached_property
    def _exact(self) -> _Exact:
        vectors = {a: [rational(x) for x in row] for a, row in self.vectors.items()}
        return _Exact(vectors, {a: rational(q) for a, q in self.values.items()})


def attained(programme: GramProgramme, found: Optimum, order: Sequence[str]) -> Data:
    """An instance whose exact value is close to the optimum.

    Parameters
    ----------
    programme : GramProgramme
    found : Optimum
    order : sequence of str
        Vectors in the order in which the method met them.

    Raises
    ------
    NoSolution
        Where no rounded data meet all conditions.
    """
    nothing = _checked(programme, {}, {"worst": fmpq(0)} if _several(programme) else {}, 0)
    if nothing is not None and _lost(nothing, found) < CLOSE:
        return nothing
    low, used = _lowered(programme, found), _used(programme, found)
    for denominator in SMALL:
        near = partial(_near, denominator=denominator)
        made = _exact(programme, low, order, near, RANKS[0], used)
        if made is not None and _lost(made, found) < CLOSE:
            return made
    for spare in SPARE:
        tight = _tightened(programme, spare)
        try:
            inner = _lowered(tight, optimum(tight))
        except NoSolution:
            continue
        largest = max((float(np.abs(g).max(initial=0.0)) for g in inner.grams), default=1.0)
        unit = Fraction(2) ** int(np.ceil(np.log2(max(sqrt(largest), 1e-9)))) / GRID
        rounded = partial(_on_grid, unit=unit)
        for cut in RANKS:
            made = _exact(programme, inner, order, rounded, cut)
            if made is not None:
                return made
    raise NoSolution("no rounded data meet all conditions")


# -- private helpers -------------------------------------------------------------------------------


def _used(programme: GramProgramme, found: Optimum) -> list[Expression]:
    """Conditions that the proof uses: a worst case meets them with nothing to spare."""
    single = found.multipliers.single
    largest = float(np.abs(single).max(initial=0.0))
    pairs = zip(programme.conditions, single, strict=True)
    return [c.expression for c, q in pairs if not c.equality and q > USED * largest]


def _several(programme: GramProgramme) -> bool:
    """Whether the objective is the smallest of several measures."""
    return ("worst",) in programme.equations


def _lost(data: Data, found: Optimum) -> float:
    """How far the data stay behind the optimum, relative to it or to one."""
    return (found.value - float(data.objective)) / max(1.0, abs(found.value))


class _Exact:
    """Values of expressions at exact data, each product made once; what is not named is zero."""

    def __init__(self, vectors: Mapping[str, Sequence[Any]], values: Mapping[str, Any]) -> None:
        self.vectors, self.values = vectors, values
        self.products: dict[Any, Any] = {(): fmpq(1)}

    def of(self, expression: Expression) -> Any:
        return sum((q * self._known(key) for key, q in expression.terms.items()), fmpq(0))

    def _known(self, key: Key) -> Any:
        if len(key) == 1:
            return self.values.get(key[0], fmpq(0))
        if key not in self.products:
            one, other = (self.vectors.get(name, ()) for name in key)
            pairs = zip(one, other, strict=False)
            self.products[key] = sum((x * y for x, y in pairs if x and y), fmpq(0))
        return self.products[key]


def _tightened(programme: GramProgramme, spare: float) -> GramProgramme:
    """The programme with every inequality asked for with something to spare."""

    def size(e: Expression) -> Any:
        return rational(spare) * max((abs(q) for k, q in e.terms.items() if k), default=fmpq(1))

    conditions = tuple(
        c if c.equality else Condition(c.name, c.expression - size(c.expression))
        for c in programme.conditions
    )
    matrices = []
    for one in programme.matrices:
        off = max(size(e) for row in one.rows for e in row)
        rows = [
            [e - off if r == c else e for c, e in enumerate(row)] for r, row in enumerate(one.rows)
        ]
        matrices.append(MatrixCondition(one.name, rows))
    return replace(programme, conditions=conditions, matrices=tuple(matrices))


def _lowered(programme: GramProgramme, found: Optimum) -> Optimum:
    """An optimum of almost the same value whose Gram matrices have low rank.

    The trace of the Gram matrix, weighted by the inverse of the last one, is made small while the
    value is kept: weights grow where little is left.
    """
    best = found
    level = rational(found.value - NEAR * max(1.0, abs(found.value)))
    kept = Condition("value", programme.objective - level)
    for _ in range(ROUNDS):
        terms: dict[Any, Any] = {}
        for block, gram in zip(programme.blocks, best.grams, strict=True):
            size = max(float(np.trace(gram)), 1e-12)
            weight = np.linalg.inv(gram / size + 1e-4 * np.eye(len(block)))
            weight /= np.abs(weight).max()
            for i, a in enumerate(block):
                for j, b in enumerate(block[: i + 1]):
                    q = rational(float(np.round(weight[i, j], 6))) * (1 if i == j else 2)
                    terms[(b, a)] = -q
        smaller = replace(
            programme,
            objective=Expression({k: q for k, q in terms.items() if q}),
            conditions=(*programme.conditions, kept),
        )
        try:
            lower = optimum(smaller)
        except NoSolution:
            break
        best = replace(lower, value=found.value)
        if all(_rank(gram, RANKS[0]) <= 1 for gram in best.grams):
            break
    return best


def _rank(gram: Array, cut: float) -> int:
    spread = np.linalg.eigvalsh(gram)
    return int((spread > cut * max(spread[-1], 1e-12)).sum())


def _factor(gram: Array, cut: float) -> Array:
    """Coordinates, (vectors, rank), of which the Gram matrix is that of their products.

    The first vector that is not zero lies along the first axis, the next in the plane of the first
    two, and so on.
    """
    rank = max(_rank(gram, cut), 1)
    spread, axes = np.linalg.eigh(gram)
    whole = axes[:, -rank:] * np.sqrt(np.maximum(spread[-rank:], 0.0))
    r: Array = np.asarray(np.linalg.qr(whole.T, mode="r"))
    return np.asarray((r * np.where(np.diag(r[:, :rank]) < 0, -1.0, 1.0)[:, None]).T)


def _exact(
    programme: GramProgramme,
    found: Optimum,
    order: Sequence[str],
    rounded: Any,
    cut: float,
    used: Sequence[Expression] = (),
) -> Data | None:
    """Rounded data that meet all conditions exactly; None where they do not.

    Values are those that conditions in `used` give, if they can all be met with nothing to spare.
    """
    place = {a: k for k, a in enumerate(order)}
    vectors: dict[str, list[Any]] = {}
    factors = []
    for block, gram in zip(programme.blocks, found.grams, strict=True):
        turn = sorted(range(len(block)), key=lambda k: place.get(block[k], -1))
        factors.append((turn, block, _factor(gram[np.ix_(turn, turn)], cut)))
    dimension, at = sum(table.shape[1] for _, _, table in factors), 0
    for turn, block, table in factors:
        for row, k in zip(table, turn, strict=True):
            line = [fmpq(0)] * dimension
            line[at : at + table.shape[1]] = [rounded(float(x)) for x in row]
            vectors[block[k]] = line
        at += table.shape[1]
    _outside(programme, found, vectors, rounded)
    dimension = _apart(programme, found, vectors, rounded, dimension)
    names = sorted({k[0] for k in programme.equations if len(k) == 1})
    values = {a: rounded(float(found.values.get((a,), 0.0))) for a in names}
    equal = [c.expression for c in programme.conditions if c.equality]
    if not _solve_vectors(equal, vectors, place):
        return None
    if not (
        (used and _solve_values([*equal, *used], vectors, values))
        or _solve_values(equal, vectors, values)
    ):
        return None
    return _checked(programme, vectors, values, dimension)


def _checked(
    programme: GramProgramme, vectors: dict[str, list[Any]], values: dict[str, Any], dimension: int
) -> Data | None:
    """The data, if they meet all conditions exactly."""
    exact = _Exact(vectors, values)
    if "worst" in values:
        values["worst"] = fmpq(0)
        values["worst"] = min(
            exact.of(c.expression) for c in programme.conditions if ("worst",) in c.expression.terms
        )
    for c in programme.conditions:
        left = exact.of(c.expression)
        if left < 0 or (c.equality and left > 0):
            return None
    for one in programme.matrices:
        if not is_semidefinite([[_fraction(exact.of(e)) for e in row] for row in one.rows]):
            return None
    return Data(
        {a: tuple(map(_fraction, row)) for a, row in vectors.items()},
        {a: _fraction(q) for a, q in values.items()},
        _fraction(exact.of(programme.objective)),
        dimension,
    )


def _outside(
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


def _apart(
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


def _solve_vectors(
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


def _solve_values(
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


def _near(q: float, denominator: int) -> Any:
    return rational(Fraction(q).limit_denominator(denominator))


def _on_grid(q: float, unit: Fraction) -> Any:
    return rational(round(Fraction(q) / unit) * unit)


def _fraction(q: Any) -> Fraction:
    return Fraction(int(q.p), int(q.q))
