"""The worst case at numbers, in floats, and as parameters of the statement's own family.

A smooth loss is the hull of the parabolas at the points that were met, another one the largest of
its cuts there: both are what the families are made of, so that the instance is one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.ladder.rungs.worst_cases.asked import PL_SHARE, Asked, ComparedPlace, Unknowns
from verify.worst_case.conic import Optimum
from verify.worst_case.decision import bounded
from verify.worst_case.exact.equations import placed_by_products, placed_on_axes
from verify.worst_case.exact.primal import factorised, lowered, tightened
from verify.worst_case.function import Condition, Function
from verify.worst_case.points import Expression, SymbolicPoint, rational, real
from verify.worst_case.programme import GramProgramme, programme
from verify.worst_case.solver import NoSolution, optimum

Array = np.ndarray[Any, Any]

RANK = 1e-6
"""Part of the largest eigenvalue of a Gram matrix below which another one counts as zero."""

NOTHING = 1e-9
"""Part of the largest number of an instance below which another one counts as zero."""

QUOTIENTS, CLOSE, STEEPER = 10, 1e-7, 4.0
"""Programmes in search of the largest quotient, the relative change at which it is found, and by
what the factor of the right side grows where it is too small for there to be one."""

BARE = 1e-7
"""Part of the largest height by which a parabola that is left out may lie below the others."""

__all__ = ["WorstData", "Tightest", "candidate_values", "tightest"]


@dataclass(frozen=True)
class Tightest:
    """The worst case of one comparison: the largest left/right, and what attains it.

    Attributes
    ----------
    ratio : float
        Of the sides as they are; one plus the difference where their ratio has no largest value.
    whole : GramProgramme
    found : Optimum
    quotient : bool
        Whether it is their ratio.
    """

    ratio: float
    whole: GramProgramme
    found: Optimum
    quotient: bool = True


def tightest(asked: Asked, place: ComparedPlace) -> Tightest | None:
    """The largest left/right of a comparison, in floats; None where the solver has no answer.

    Where nothing has a scale the right side is made at most one. Else the largest left - c right
    is taken, c being left/right where the last of them was attained, until it is zero (Dinkelbach,
    On nonlinear fractional programming, 1967).
    """
    if len(place.right) == 1 and _without_scale(asked, place):
        whole = _programme(asked, place.left, [Condition("right side", 1 - place.right[0])])
        found = _optimum(whole)
        if found is not None:
            value = found.value
            return Tightest(sqrt(max(value, 0.0)) if place.squared else value, whole, found)
    if len(place.right) == len(place.left) == 1:
        scaled = _by_quotients(asked, place)
        if scaled is not None:
            return scaled
    gaps = [a - b for a in place.left for b in place.right]
    for limits in ([], bounded(replace(asked.problem, measures=[], assumed=[]))):
        whole = _programme(asked, gaps, limits)
        found = _optimum(whole)
        if found is not None:
            return Tightest(1 + found.value, whole, found, quotient=False)
    return None


def _by_quotients(asked: Asked, place: ComparedPlace) -> Tightest | None:
    """The largest quotient where sides have a scale; None where it has no largest value."""
    (left,), (right,) = place.left, place.right
    factor, best = 1.0, None
    for _ in range(QUOTIENTS):
        whole = _programme(asked, [left - right * factor], [])
        found = _optimum(whole)
        if found is None and best is None:
            factor *= STEEPER  # below it the difference has no largest value
            continue
        if found is None:
            return best
        data = WorstData(asked, whole, found)
        above, below = data.of(left), data.of(right)
        if below <= NOTHING * max(abs(above), 1e-12):
            return best
        ratio = above / below
        best = Tightest(sqrt(max(ratio, 0.0)) if place.squared else ratio, whole, found)
        if abs(ratio - factor) <= CLOSE * max(1.0, abs(ratio)):
            return best
        factor = ratio
    return best


def _without_scale(asked: Asked, place: ComparedPlace) -> bool:
    """Whether no number stands beside products and values."""
    conditions = [c for c in asked.problem.conditions() if isinstance(c, Condition)]
    said = [*place.left, *place.right, *(c.expression for c in conditions)]
    return not any(() in e.terms for e in said)


def _optimum(whole: GramProgramme) -> Optimum | None:
    try:
        return optimum(whole)
    except NoSolution:
        return None


def _programme(
    asked: Asked, measures: Sequence[Expression], more: list[Condition]
) -> GramProgramme:
    assumed = [*asked.problem.assumed, *more]
    return programme(replace(asked.problem, measures=[*measures], assumed=assumed))


def candidate_values(
    statement: Statement,
    known: Unknowns,
    shape: Shape,
    numbers: Mapping[str, Any],
    asked: Asked,
    worst: Tightest,
    spare: float = 0.0,
) -> tuple[dict[str, Any], Shape] | None:
    """Values of the family's parameters at a worst case, and the shape with its dimension.

    Parameters
    ----------
    spare : float
        What each condition is to have to spare, relative to its numbers: for instances that lie on
        an edge, where rounding decides what they are.

    Returns
    -------
    None where the family has no such instance.
    """
    whole, found = worst.whole, worst.found
    if spare:
        whole = tightened(whole, spare)
        inner = _optimum(whole)
        if inner is None:
            return None
        found = inner
    if any(_rank(gram) > 1 for gram in found.grams):
        found = lowered(whole, found)
    data = WorstData(asked, whole, found)
    if not known.plain:
        return _functions(statement, known, shape, numbers, asked, data)
    return _plain(statement, known, shape, numbers, asked, data)


class WorstData:
    """Coordinates of vectors, and values, in floats."""

    def __init__(self, asked: Asked, whole: GramProgramme, found: Optimum) -> None:
        place = {a: k for k, a in enumerate(asked.problem.vectors)}
        tables: list[tuple[list[str], Array]] = []
        for block, gram in zip(whole.blocks, found.grams, strict=True):
            turn = sorted(range(len(block)), key=lambda k: place.get(block[k], -1))
            tables.append(([block[k] for k in turn], factorised(gram[np.ix_(turn, turn)], RANK)))
        size, first = sum(table.shape[1] for _, table in tables), 0
        vectors: dict[str, list[Any]] = {}
        for names, table in tables:
            for name, row in zip(names, table, strict=True):
                vectors[name] = [rational(0)] * size
                vectors[name][first : first + table.shape[1]] = map(_near, row)
            first += table.shape[1]
        # vectors of which no square occurs have their place by their products with others
        placed_by_products(whole, found, vectors, _near)
        size = placed_on_axes(whole, found, vectors, _near, size)
        self.dimension = max(size, 1)
        self.vectors = {
            name: np.array([*map(real, row), *[0.0] * (self.dimension - len(row))])
            for name, row in vectors.items()
        }
        self.values = {key[0]: float(q) for key, q in found.values.items() if len(key) == 1}

    def at(self, point: SymbolicPoint) -> Array:
        """Coordinates of a point."""
        total = np.zeros(self.dimension)
        for name, q in point.parts.items():
            total = total + real(q) * self.vectors.get(name, 0.0)
        return total

    def of(self, e: Expression) -> float:
        """Value of an expression."""
        total = 0.0
        for key, q in e.terms.items():
            if len(key) == 2:
                one, other = (self.vectors.get(a, np.zeros(self.dimension)) for a in key)
                total += real(q) * float(one @ other)
            else:
                total += real(q) * (self.values.get(key[0], 0.0) if key else 1.0)
        return total


def _near(q: Any) -> Any:
    return rational(Fraction(float(q)))


def _rank(gram: Array) -> int:
    spread = np.linalg.eigvalsh(gram)
    return int((spread > RANK * max(spread[-1], 1e-12)).sum())


# -- instances of each kind ------------------------------------------------------------------------


def _plain(
    statement: Statement,
    known: Unknowns,
    shape: Shape,
    numbers: Mapping[str, Any],
    asked: Asked,
    data: WorstData,
) -> tuple[dict[str, Any], Shape] | None:
    """Vectors and numbers, in as many dimensions as a shape of the family has."""
    family = statement.family
    if "d" in family.growing:
        dimension = data.dimension
    else:
        listed = sorted({int(s["d"]) for s in family.shapes if "d" in s})
        fitting = [d for d in listed if d >= data.dimension]
        if not fitting:
            return None
        dimension = fitting[0]
    values: dict[str, Any] = {}
    for name in family.box:
        if name in known.vectors:
            values[name] = _table(data, asked.points[name], dimension)
        elif name in asked.values:
            table = asked.values[name]
            numbers_of = [data.of(e) for e in table.ravel()]
            values[name] = np.asarray(numbers_of, dtype=float).reshape(table.shape)
            if family.box[name].sign != "real":
                values[name] = np.maximum(values[name], 0.0)
        else:
            values[name] = np.asarray(numbers[name]).astype(float)
    return values, {**shape, "d": dimension}


def _functions(
    statement: Statement,
    known: Unknowns,
    shape: Shape,
    numbers: Mapping[str, Any],
    asked: Asked,
    data: WorstData,
) -> tuple[dict[str, Any], Shape] | None:
    """Functions through the data of each client, and where the method starts."""
    box = statement.family.box
    values = {n: np.asarray(v).astype(float) for n, v in numbers.items() if n != PL_SHARE}
    for name in known.vectors:
        values[name] = _table(data, asked.points[name], data.dimension)
    optimum = np.array([data.at(x) for x in asked.minimisers])
    if "optimum" in box:
        values["optimum"] = optimum
    rows = []
    for k, (f, best) in enumerate(zip(asked.functions, optimum, strict=True)):
        own = {n: float(np.ravel(v)[k % np.size(v)]) for n, v in values.items() if n in _MADE_OF}
        met = [*_met(f, data, best)]
        rows.append(_parabolas(own, met) if "upper" in own else _cuts(own, met))
    count = max([1, *(len(row) for row in rows)])
    empty = _no_piece(data.dimension, values)
    for row in rows:
        row += [empty] * (count - len(row))
    for name in empty:
        values[name] = np.array([[piece[name] for piece in row] for row in rows])
    start = data.at(asked.points["start"][()])
    if "approach" in box:
        values["approach"] = start - optimum[0] - values["stride"][0].sum(axis=0)
        if "optimum" not in box:
            values["approach"] = start - values["stride"][0].sum(axis=0)
    else:
        values["start"] = start
    return values, {**shape, "d": data.dimension, "points": count}


_MADE_OF = ("upper", "convexity", "lipschitz", "bend")


def _table(data: WorstData, points: Any, dimension: int) -> Array:
    """Coordinates of an array of points, with zeros for further ones."""
    rows = np.zeros((np.size(points), dimension))
    for row, point in zip(rows, np.ravel(points), strict=True):
        row[: data.dimension] = data.at(point)
    return rows.reshape((*np.shape(points), dimension))


def _met(f: Function, data: WorstData, best: Array) -> Iterator[tuple[Array, Array, float]]:
    """Points from the minimiser, gradients and values of what was met elsewhere."""
    size = max([1e-12, *(float(np.abs(row).max(initial=0)) for row in data.vectors.values())])
    for one in f.met:
        if one in f.lowest:
            continue
        x, g = data.at(one.x) - best, data.at(one.g)
        x, g = (np.where(np.abs(v) < NOTHING * size, 0.0, v) for v in (x, g))
        yield x, g, max(data.of(one.f), 0.0)


def _parabolas(own: Mapping[str, float], met: Any) -> list[dict[str, Any]]:
    """Strides and rises from one vertex to the next higher one, see `function_data`."""
    upper, share = own["upper"], own.get("convexity", 0.0)
    bend = share * upper / (2 * (1 - share)) if share else 0.0
    pieces = []
    for x, g, f in met:
        y = x - g / upper
        pieces.append((max(f - g @ g / (2 * upper) - bend * (y @ y), 0.0), y))
    pieces = _bare(pieces, upper)
    pieces.sort(key=lambda piece: piece[0])
    made, place, level = [], np.zeros_like(pieces[0][1]) if pieces else None, 0.0
    for height, y in pieces:
        square = float((y - place) @ (y - place))
        rise = max(height - level, 0.0) / (upper * square / 2)
        made.append({"stride": y - place, "rise": rise})
        place, level = y, height
    return made


def _bare(pieces: list[tuple[float, Array]], upper: float) -> list[tuple[float, Array]]:
    """Parabolas without those that lie, up to rounding, above the hull of the others.

    Heights are measured from the lower parabola of the minimiser, which takes what a positive
    curvature adds off them: the hull is that of points (vertex, height) and of the origin.
    """
    from scipy.optimize import linprog

    largest = max([1e-12, *(upper * float(y @ y) for _, y in pieces), *(v for v, _ in pieces)])
    kept = [*pieces]
    for piece in sorted(pieces, key=lambda piece: -piece[0]):
        others = [one for one in kept if one is not piece]
        height, y = piece
        rows = np.array([[*(o[1] for o in others), 0 * y]]).reshape(len(others) + 1, -1).T
        found = linprog(
            [*(o[0] for o in others), 0.0],
            A_eq=np.vstack([rows, np.ones(len(others) + 1)]),
            b_eq=[*y, 1.0],
        )
        if found.status == 0 and float(found.fun or 0.0) <= height + BARE * largest:
            kept = others
    return kept


def _cuts(own: Mapping[str, float], met: Any) -> list[dict[str, Any]]:
    """Slopes, and how far each cut lies below zero at the minimiser."""
    made = []
    bend, limit = own.get("bend", 0.0), own.get("lipschitz")
    for x, g, f in met:
        slope = g + bend * x
        drop = max(float(slope @ x) - bend * float(x @ x) / 2 - f, 0.0)
        if limit is None:
            made.append({"drop": drop, "slope": slope})
            continue
        share = slope / limit
        left = max(1 - float(share @ share), 0.0)
        made.append({"drop": drop, "tilt": np.clip(share / (1 + sqrt(left)), -1, 1)})
    return made


def _no_piece(dimension: int, values: Mapping[str, Any]) -> dict[str, Any]:
    """A piece that changes nothing."""
    zero = np.zeros(dimension)
    if "upper" in values:
        return {"stride": zero, "rise": 0.0}
    return {"drop": 0.0, "tilt" if "lipschitz" in values else "slope": zero}
