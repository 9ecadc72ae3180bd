"""Spots: the numbers that stand in a program are values at which it is tried.

``where(x != 1/7, ..., 5) <= where(x != 1/7, ..., 4)`` is false at one point, which no search of a
range meets; but whoever wrote it has named the point.  So each number of the program is given to
each parameter, and each whole one, with the next, to each size that may grow.  What is found is
only ever a witness, or a doubt where exact arithmetic cannot tell.

Further ones are middles of two numbers that follow each other (between the roots of
``(x - 100)*(x - 101)``, inside a window), and several parameters that are such numbers at once;
what cannot be told there is no doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import as_rational
from verify.claim.literals import numbers_in
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Statement
from verify.ladder.rungs import tuning
from verify.ladder.search.pool import Candidate, Pool, Values
from verify.terms.claims import terms_of
from verify.terms.named import numbers_held
from verify.verdict.relation import ROUNDING
from verify.world.returned import NO_NUMBER

__all__ = ["further_spots", "numbers_of", "spots"]


def numbers_of(statement: Statement) -> list[Fraction]:
    """Numbers that stand in a statement's sides, hypotheses and definitions, unusual ones first."""
    terms = terms_of(statement)
    if terms is not None:
        found = numbers_held(terms)
    else:
        rules = [item.rule for item in statement.given]
        functions = [statement.sides, *rules, *statement.defines.values()]
        found = frozenset(number for function in functions for number in numbers_in(function))
    signed = found | {-number for number in found}
    return sorted(signed, key=lambda q: (-q.denominator, -abs(q), q))[: tuning.SPOTS_NUMBERS]


def spots(statement: Statement, pool: Pool, seed: int) -> Iterator[Candidate]:
    """Instances at numbers of the program that break a claim by their floats.

    Parameters
    ----------
    statement : Statement
    pool : Pool
        Of the statement; nothing is remembered in it.
    seed : int

    Yields
    ------
    Candidate
        A few of each shape, the numbers as fractions.
    """
    if statement.quantifier != "all" or statement.relation == "<~":
        return
    numbers, rng = numbers_of(statement), np.random.default_rng([seed, 23])
    family = statement.family
    for shape in family.shapes[: tuning.SPOTS_SHAPES]:
        yield from islice(_hits(pool, shape, _points(family, shape, numbers, rng)), tuning.SPOTS)
    for shape in _larger(family, numbers):
        count = tuning.SPOTS_OF_A_SIZE
        values = {n: _levels(real, shape, count, rng) for n, real in family.box.items()}
        yield from islice(_hits(pool, shape, values), 1)


def further_spots(statement: Statement, pool: Pool, seed: int) -> Iterator[Candidate]:
    """Instances between numbers of the program, and at several of them, that break a claim.

    Parameters and values are those of `spots`.
    """
    if statement.quantifier != "all" or statement.relation == "<~":
        return
    numbers, rng = numbers_of(statement), np.random.default_rng([seed, 29])
    family, middles = statement.family, _between(numbers)
    for shape in family.shapes[: tuning.SPOTS_SHAPES]:
        for values in (
            _points(family, shape, middles, rng),
            _together(family, shape, [*numbers, *middles], rng),
        ):
            yield from islice(_hits(pool, shape, values), tuning.SPOTS)


def _between(numbers: list[Fraction]) -> list[Fraction]:
    """Middles of numbers that follow each other, the narrowest places first."""
    gaps = [(high - low, (low + high) / 2) for low, high in pairwise(sorted(numbers))]
    return [middle for _, middle in sorted(gaps) if middle not in numbers]


def _hits(pool: Pool, shape: Shape, values: Values) -> Iterator[Candidate]:
    """Those of a batch that break the claim."""
    if any(not len(value) for value in values.values()):
        return
    try:
        with np.errstate(all="ignore"):
            result = pool.scored({k: xp.to_float(v) for k, v in values.items()}, shape)
    except NO_NUMBER:
        return
    met = np.ravel(result.missed <= 0)
    ratio = np.asarray(np.broadcast_to(result.ratio, met.shape) if met.size > 1 else result.ratio)
    for row in np.flatnonzero(met & (ratio > 1 + ROUNDING)):
        yield Candidate({k: v[row] for k, v in values.items()}, shape, float(ratio[row]))


def _points(
    family: Family, shape: Shape, numbers: list[Fraction], rng: np.random.Generator
) -> Values:
    """Points in which one parameter, or its first entry, is a number of the program."""
    places = [
        (name, number, whole)
        for number in numbers
        for name, real in family.box.items()
        if real.low < real.high  # a range of one point stays
        if real.inside(number) or real.admits(number)
        for whole in ((True, False) if real.per else (True,))
    ][: tuning.SPOTS_PLACES]
    count = len(places) * tuning.SPOTS_EACH
    values = {name: _levels(real, shape, count, rng) for name, real in family.box.items()}
    for row, (name, number, whole) in enumerate(places * tuning.SPOTS_EACH):
        entry = values[name][row : row + 1].reshape(-1)
        if whole:
            values[name][row] = number
        elif entry.size:
            values[name][(row, *(0 for _ in values[name].shape[1:]))] = number
    return values


def _together(
    family: Family, shape: Shape, numbers: list[Fraction], rng: np.random.Generator
) -> Values:
    """Points in which several parameters are numbers of the program, each by chance."""
    count = tuning.SPOTS_TOGETHER if len(family.box) > 1 else 0
    values = {name: _levels(real, shape, count, rng) for name, real in family.box.items()}
    for name, real in family.box.items():
        own = [q for q in numbers if real.low < real.high and (real.inside(q) or real.admits(q))]
        for row in np.flatnonzero(rng.random(count) < tuning.SPOTS_MET) if own else ():
            values[name][row] = own[rng.integers(len(own))]
    return values


def _levels(real: Real, shape: Shape, count: int, rng: np.random.Generator) -> Any:
    """Values at quarters of a range, as fractions."""
    lengths = (count, *real.lengths(shape))
    near = real.from_unit(rng.integers(0, 5, size=lengths) / 4)
    return np.asarray(as_rational(np.asarray(near, dtype=float)), dtype=object)


def _larger(family: Family, numbers: list[Fraction]) -> Iterator[Shape]:
    """The last shape with each size that grows at whole numbers of the program, and at the next."""
    last = family.shapes[-1]
    wanted = sorted({int(q) + more for q in numbers if q.denominator == 1 for more in (0, 1)})
    for name in family.growing:
        largest = max((shape.get(name, 0) for shape in family.shapes), default=0)
        for size in wanted if type(last.get(name)) is int else ():
            if largest < size <= tuning.SPOTS_LARGEST:
                yield {**last, name: size}
