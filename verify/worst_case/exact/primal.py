"""From a Gram matrix in floats to an exact instance: rational points, gradients and values.

The Gram matrix of the worst case is brought to its lowest rank, factorised and rounded.  Numbers
with small denominators are tried first: where these meet all conditions the instance often attains
the worst case itself.  Else every condition is asked for with a little to spare, so that what is
rounded still meets it; equations are solved exactly, vector by vector, then for the values.  Every
condition is checked over the rationals, and the objective is what the data give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from flint import fmpq

from verify.certify.gram.check import is_semidefinite
from verify.worst_case.conic import Array, Optimum
from verify.worst_case.exact.data import Data, ExactValues
from verify.worst_case.exact.equations import (
    meet_products,
    meet_values,
    placed_by_products,
    placed_on_axes,
)
from verify.worst_case.function import Condition, MatrixCondition
from verify.worst_case.points import Expression, fraction, rational
from verify.worst_case.programme import GramProgramme
from verify.worst_case.solver import NoSolution, optimum

SPARE = (2e-8, 2e-7, 2e-6, 2e-5)
"""What conditions must have to spare, relative to their largest coefficient, in this order."""
LARGE = 1000
"""Size of a programme from which only the last of them is tried: each takes seconds."""
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
NEAR, CLOSE = 1e-8, 1e-7
"""How far the value may fall while the rank is lowered, and by small denominators; relative."""

__all__ = ["attained", "factorised", "lowered", "tightened"]


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
    low, used = lowered(programme, found), _used(programme, found)
    for denominator in SMALL:
        near = partial(_near, denominator=denominator)
        made = _exact(programme, low, order, near, RANKS[0], used)
        if made is not None and _lost(made, found) < CLOSE:
            return made
    for spare in SPARE if programme.size < LARGE else SPARE[-1:]:
        tight = tightened(programme, spare)
        try:
            inner = lowered(tight, optimum(tight))
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


def tightened(programme: GramProgramme, spare: float) -> GramProgramme:
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


def lowered(programme: GramProgramme, found: Optimum) -> Optimum:
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


def factorised(gram: Array, cut: float) -> Array:
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
        factors.append((turn, block, factorised(gram[np.ix_(turn, turn)], cut)))
    dimension, at = sum(table.shape[1] for _, _, table in factors), 0
    for turn, block, table in factors:
        for row, k in zip(table, turn, strict=True):
            line = [fmpq(0)] * dimension
            line[at : at + table.shape[1]] = [rounded(float(x)) for x in row]
            vectors[block[k]] = line
        at += table.shape[1]
    placed_by_products(programme, found, vectors, rounded)
    dimension = placed_on_axes(programme, found, vectors, rounded, dimension)
    names = sorted({k[0] for k in programme.equations if len(k) == 1})
    values = {a: rounded(float(found.values.get((a,), 0.0))) for a in names}
    equal = [c.expression for c in programme.conditions if c.equality]
    if not meet_products(equal, vectors, place):
        return None
    if not (
        (used and meet_values([*equal, *used], vectors, values))
        or meet_values(equal, vectors, values)
    ):
        return None
    return _checked(programme, vectors, values, dimension)


def _checked(
    programme: GramProgramme, vectors: dict[str, list[Any]], values: dict[str, Any], dimension: int
) -> Data | None:
    """The data, if they meet all conditions exactly."""
    exact = ExactValues(vectors, values)
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
        if not is_semidefinite([[fraction(exact.of(e)) for e in row] for row in one.rows]):
            return None
    return Data(
        {a: tuple(map(fraction, row)) for a, row in vectors.items()},
        {a: fraction(q) for a, q in values.items()},
        fraction(exact.of(programme.objective)),
        dimension,
    )


def _near(q: float, denominator: int) -> Any:
    return rational(Fraction(q).limit_denominator(denominator))


def _on_grid(q: float, unit: Fraction) -> Any:
    return rational(round(Fraction(q) / unit) * unit)
