"""Directions of rays: which quantities move, and how.

One quantity up or down, one entry of it alone (a condition number leaves the box), two quantities
together, a change of units, the end of a range approached, and sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from bounds.numbers import as_rational
from verify.claim.parameters import plain_numbers
from verify.claim.statement import Family, Shape
from verify.ladder.search import tuning
from verify.ladder.search.pool import Candidate


@dataclass(frozen=True)
class Direction:
    """How a ray leaves its start.

    Parameters
    ----------
    along : str
        In words.
    exponents : mapping of str to array
        Powers with which the entries of a parameter grow.
    limits : mapping of str to Fraction
        Numbers that parameters come close to.
    sizes : tuple of str
        Whole numbers of the shape that grow.
    """

    along: str
    exponents: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Fraction] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()


def movable(family: Family) -> list[str]:
    """Parameters whose range is more than one point; one that is fixed stays on every ray."""
    return [name for name, real in family.box.items() if real.low < real.high]


def directions(family: Family, start: Candidate) -> Iterator[Direction]:
    """One quantity, one entry of it, a change of units, or the end of a range."""
    box, free = family.box, movable(family)
    for name in free:
        value = start.values[name]
        ones = np.ones(np.shape(value), dtype=int)
        for sign, way in ((1, "up"), (-1, "down")):
            yield Direction(f"{name} {way}", {name: sign * ones})
            for entry in {0, ones.size - 1} if ones.size > 1 else ():
                alone = np.zeros(ones.size, dtype=int)
                alone[entry] = sign
                said = f"entry {entry + 1} of {name} {way}"
                yield Direction(said, {name: alone.reshape(ones.shape)})
    for place, what in enumerate(("loss", "length")):
        powers = {name: box[name].unit[place] for name in box if box[name].unit[place]}
        whole = all(float(p).is_integer() for p in powers.values())
        if powers and whole and set(powers) <= set(free):
            for sign, way in ((1, "up"), (-1, "down")):
                moved = {
                    k: sign * int(p) * np.ones(np.shape(start.values[k]), dtype=int)
                    for k, p in powers.items()
                }
                yield Direction(f"unit of {what} {way}", moved)
    for name in free:
        real = box[name]
        ends = {e for e in (real.low, real.high, *real.limits) if np.isfinite(e) and e != 0}
        for end in sorted(ends):
            if not np.any(np.asarray(start.values[name]) == end):
                yield Direction(f"{name} towards {end:g}", limits={name: Fraction(end)})


def along_two(family: Family, start: Candidate) -> Iterator[Direction]:
    """Two quantities together, with exponents one or two."""
    for one, other in combinations(movable(family), 2):
        ones = [np.ones(np.shape(start.values[name]), dtype=int) for name in (one, other)]
        for p, q in tuning.PAIRED:
            for r, s in ((p, q), (p, -q), (-p, q), (-p, -q)):
                said = f"{one} with power {r}, {other} with power {s}"
                yield Direction(said, {one: r * ones[0], other: s * ones[1]})


def sizes(family: Family, start: Candidate) -> Iterator[Direction]:
    """Whole numbers of the shape, where instances are nothing but their parameters.

    A run of a million rounds or an array of a million clients is no instance to be scored; there
    the listed shapes are all that is tried.
    """
    if family.build is not plain_numbers:
        return
    used = {name for real in family.box.values() for name in real.per}
    for name, value in start.shape.items():
        whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
        if whole and name not in used:
            yield Direction(f"{name} up", sizes=(name,))


def point(start: Candidate, direction: Direction, power: int) -> tuple[dict[str, Any], Shape]:
    """Exact parameter values and shape at a power of two."""
    values: dict[str, Any] = {}
    for name, value in start.values.items():
        exact = np.asarray(as_rational(np.asarray(value)), dtype=object)
        if name in direction.exponents:
            exact = exact * _powers_of_two(direction.exponents[name] * power)
        if name in direction.limits:
            end = direction.limits[name]
            exact = end - (end - exact) / Fraction(2) ** power
        values[name] = exact
    shape = {k: v * 2**power if k in direction.sizes else v for k, v in start.shape.items()}
    return values, shape


def floats(start: Candidate, direction: Direction, powers: Any) -> dict[str, Any]:
    """Parameter values at several powers of two, (points, ...)."""
    out = {}
    for name, value in start.values.items():
        value = np.asarray(value, dtype=float)
        steps = np.asarray(powers).reshape((-1,) + (1,) * value.ndim)
        out[name] = value * np.exp2(direction.exponents.get(name, 0 * value) * steps)
        if name in direction.limits:
            end = float(direction.limits[name])
            out[name] = end - (end - value) * np.exp2(-1.0 * steps)
    return out


def stays_inside(family: Family, direction: Direction, values: Mapping[str, Any]) -> bool:
    """Whether every parameter that moves stays in its domain along the points of a ray."""
    moving = {*direction.exponents, *direction.limits}
    ends = ((name, values[name][place]) for name in moving for place in (0, -1))
    return all(family.box[name].inside(x) for name, value in ends for x in np.asarray(value).flat)


def _powers_of_two(powers: Any) -> Any:
    flat = [Fraction(2) ** int(p) for p in np.asarray(powers).flat]
    out = np.empty(len(flat), dtype=object)
    out[:] = flat
    return out.reshape(np.shape(powers))
