"""Points moved onto the equalities that a claim assumes: no search meets ``x**2 + y**2 == 1``.

Each step of a move makes one equality true and leaves what is on it where it is.

1. An equality in which a number stands only to the first power is solved for it.
2. One of degree two is met on the line through a point of it that is known: there it has one root
   beside that point, and the root is rational where the line is.
3. Else a number that stands to the second power, or to one power alone, becomes the root that is
   nearest to it; in fractions only where that root is one.

A point whose numbers would leave their domains stays where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice, product
from math import isqrt
from typing import Any

import numpy as np

from verify.claim.statement import Family, Shape, Statement
from verify.ladder.search import tuning
from verify.reading.parts.equalities import Entry, Equality, equalities
from verify.verdict.relation import ROUNDING

__all__ = ["Onto", "onto"]

Array = np.ndarray[Any, Any]
Point = Mapping[Entry, Array]
"""Numbers of a batch by their place, (B,) each."""
Move = Callable[[Point], Point]
"""New values of some numbers, where an equality holds."""


class Onto:
    """Moves points of one shape onto the equalities of a claim.

    Parameters
    ----------
    family : Family
        Whose domains the points stay in.
    moves : sequence of callables
        One after the other.
    """

    def __init__(self, family: Family, moves: Sequence[Move]) -> None:
        self.family, self.moves = family, moves

    def __call__(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values (leading axis of instances), floats or fractions, where the equalities hold.

        Parameters
        ----------
        values : mapping
            Of every parameter; not changed.
        """
        out = {name: np.array(value) for name, value in values.items()}
        with np.errstate(all="ignore"):
            for move in self.moves:
                for (name, place), value in move(_Columns(out)).items():
                    out[name][_column(place)] = value
            kept = self._inside(out)
        for name, value in out.items():
            rows = kept.reshape(-1, *(1,) * (value.ndim - 1))
            out[name] = np.where(rows, value, values[name])
        return out

    def _inside(self, values: Mapping[str, Any]) -> Array:
        """Whether each point lies in the domain, (B,)."""
        kept = np.ones(len(next(iter(values.values()))), dtype=bool)
        for name, real in self.family.box.items():
            value = values[name]
            start, end = real.limits
            good = (value >= real.low) & (value <= real.high) | (value > start) & (value < end)
            kept &= good.astype(bool).reshape(len(value), -1).all(axis=1)
        return kept


def onto(statement: Statement, shape: Shape) -> Onto | None:
    """How points of a shape are moved onto the equalities of a statement; None where it has none.

    Parameters
    ----------
    statement : Statement
    shape : mapping
    """
    if not statement.given:
        return None
    parts = (*statement.given, statement.family.box, statement.defines)
    return _found(_Asked(tuple(map(id, parts)), repr(shape), statement, shape))


@dataclass(frozen=True)
class _Asked:
    """A claim and a shape; claims of the same hypotheses and parameters are one.

    The objects whose addresses are compared live as long as the statement does.
    """

    parts: tuple[int, ...]
    named: str
    statement: Statement = field(compare=False)
    shape: Shape = field(compare=False)


@lru_cache(maxsize=tuning.CURVES_KNOWN)
def _found(asked: _Asked) -> Onto | None:
    statement, shape = asked.statement, asked.shape
    left = equalities(statement, shape)
    if not left:
        return None
    family = statement.family
    sample = family.decode(
        np.random.default_rng(7).random((tuning.CURVE_SAMPLE, family.width(shape))), shape
    )
    moves: list[Move] = []
    done: list[Equality] = []
    while left:
        rated = [
            (_share(Onto(family, [move, *moves]), sample, [one, *done]), one, move)
            for one in left
            for move in _moves(one, _entries(other for other in left if other is not one))
        ]
        share, one, move = max(rated, key=lambda option: option[0], default=(0.0, None, None))
        if not share or one is None or move is None:
            break
        # what it moves stands in none of those that are left, which are moved onto before it
        moves.insert(0, move)
        done.append(one)
        left = [other for other in left if other is not one]
    return Onto(family, moves) if moves else None


def _entries(found: Iterable[Equality]) -> set[Entry]:
    """Numbers that stand in equalities."""
    return {entry for one in found for term in one for entry, _ in term}


def _share(move: Onto, sample: Mapping[str, Any], done: Sequence[Equality]) -> float:
    """Part of a sample that ends on the equalities, within the domain."""
    point = _Columns(move(sample))
    good = np.ones(tuning.CURVE_SAMPLE, dtype=bool)
    for one in done:
        size = sum(np.abs(value) for value in _products(one, point))
        good &= np.abs(_value(one, point)) <= ROUNDING * size
    return float(good.mean())


def _moves(one: Equality, taken: set[Entry]) -> Iterator[Move]:
    """Ways onto one equality that leave the numbers alone which others still need."""
    own = sorted(_entries([one]))
    degree = {e: max(dict(term).get(e, 0) for term in one) for e in own}
    free = [e for e in own if e not in taken]
    for entry in free:
        if degree[entry] == 1:
            yield partial(_solved, _parts(one, entry), entry)
    if len(free) == len(own) and max(sum(n for _, n in term) for term in one) == 2:
        for centre in islice(_rational_points(one, own), tuning.CURVE_CENTRES):
            yield partial(_along_lines, one, centre)
    for entry in free:
        powers = {dict(term).get(entry, 0) for term in one}
        if degree[entry] == 2:
            yield partial(_rooted, _parts(one, entry), entry)
        elif len(powers) == 2 and 0 in powers:
            yield partial(_powered, _parts(one, entry), entry)


# -- moves: what has no value is NaN, and its point stays where it was -----------------------------


def _solved(parts: Sequence[Equality], entry: Entry, point: Point) -> Point:
    """``c0 + c1 y == 0`` for y."""
    c0, c1 = (_value(part, point) for part in parts)
    return {entry: _divided(-c0, c1)}


def _along_lines(one: Equality, centre: Mapping[Entry, Fraction], point: Point) -> Point:
    """The other root on the line through a root ``p``: ``q(p + s u) = b s + a s^2``."""
    own = {e: c if _exact(point[e]) else float(c) for e, c in centre.items()}
    here = _value(one, {e: point[e] for e in own})
    across = _value(one, {e: 2 * c - point[e] for e, c in own.items()})
    part = _divided(across - here, across + here)
    return {e: c + part * (point[e] - c) for e, c in own.items()}


def _rooted(parts: Sequence[Equality], entry: Entry, point: Point) -> Point:
    """The root of ``c0 + c1 y + c2 y^2`` that is nearest to y."""
    c0, c1, c2 = (_value(part, point) for part in parts)
    middle, half = _divided(-c1, 2 * c2), _divided(_root(c1 * c1 - 4 * c0 * c2), 2 * abs(c2))
    upper = (point[entry] >= middle).astype(bool)
    return {entry: np.where(upper, middle + half, middle - half)}


def _powered(parts: Sequence[Equality], entry: Entry, point: Point) -> Point:
    """The root of ``c0 + cn y^n`` that has the sign of y."""
    n = len(parts) - 1
    power, here = _divided(-_value(parts[0], point), _value(parts[n], point)), point[entry]
    root = _root(power if n % 2 == 0 else abs(power), n)
    turned = (here < 0 if n % 2 == 0 else power < 0).astype(bool)
    return {entry: np.where(turned, -root, root)}


def _parts(one: Equality, entry: Entry) -> list[Equality]:
    """Coefficients of the powers of one number."""
    degree = max(dict(term).get(entry, 0) for term in one)
    found: list[dict[Any, Fraction]] = [{} for _ in range(degree + 1)]
    for term, c in one.items():
        powers = dict(term)
        found[powers.pop(entry, 0)][tuple(powers.items())] = c
    return [*found]


def _rational_points(one: Equality, own: Sequence[Entry]) -> Iterator[Mapping[Entry, Fraction]]:
    """Roots of a polynomial of degree two in which at most two numbers are not zero."""
    zero = {e: np.array([Fraction(0)], dtype=object) for e in own}
    for entry, (other, value) in product(own, product(own, tuning.CURVE_NUMBERS)):
        if other == entry and len(own) > 1:
            continue
        for sign in (1, -1):
            start = {**zero, other: np.array([value], dtype=object)}
            start[entry] = np.array([Fraction(sign * tuning.CURVE_FAR)], dtype=object)
            parts = _parts(one, entry)
            found = (
                _rooted(parts, entry, start) if len(parts) == 3 else _solved(parts, entry, start)
            )
            centre = {e: v[0] for e, v in {**start, **found}.items()}
            if all(isinstance(v, Fraction) for v in centre.values()):
                yield centre


# -- numbers ---------------------------------------------------------------------------------------


class _Columns(Mapping[Entry, Array]):
    """The numbers of a batch by their place."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values_of = values

    def __getitem__(self, entry: Entry) -> Array:
        name, place = entry
        return np.asarray(self.values_of[name][_column(place)])

    def __iter__(self) -> Iterator[Entry]:
        for name, value in self.values_of.items():
            yield from ((name, place) for place in np.ndindex(value.shape[1:]))

    def __len__(self) -> int:
        return sum(value[0].size for value in self.values_of.values())


def _column(place: tuple[int, ...]) -> Any:
    """All instances of a batch, at one place."""
    return (slice(None), *place)


def _products(one: Equality, point: Point) -> Iterator[Any]:
    exact = _exact(next(iter(point.values())))
    for term, c in one.items():
        found: Any = c if exact else float(c)
        for entry, power in term:
            found = found * point[entry] ** power
        yield found


def _value(one: Equality, point: Point) -> Any:
    return sum(_products(one, point), start=0 * next(iter(point.values())))


def _exact(value: Array) -> bool:
    return bool(value.dtype == object)


def _divided(a: Any, b: Any) -> Any:
    """The quotient; NaN where b is zero."""
    if not _exact(a):
        return a / np.where(b == 0, np.nan, b)
    return _each(lambda x, y: x / y if y else np.nan, a, b)


def _root(value: Any, n: int = 2) -> Any:
    """The root of a number that is not negative; of fractions where it is a fraction."""
    if _exact(value):
        return _each(partial(_fraction_root, n=n), value)
    return np.sqrt(value) if n == 2 else np.asarray(value) ** (1 / n)


def _fraction_root(value: Any, n: int) -> Any:
    if not isinstance(value, Fraction) or value < 0:
        return np.nan
    root = Fraction(_whole_root(value.numerator, n), _whole_root(value.denominator, n))
    return root if root**n == value else np.nan


def _whole_root(value: int, n: int) -> int:
    """The largest whole number whose n-th power is no larger."""
    if n == 2:
        return isqrt(value)
    low, high = 0, 1 << (value.bit_length() // n + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**n <= value else (low, middle - 1)
    return low


def _each(rule: Callable[..., Any], *values: Any) -> Array:
    return np.asarray(np.frompyfunc(rule, len(values), 1)(*values), dtype=object)
