"""Points that meet polynomial facts with a margin, found by moving one variable after the other.

Where facts are equations a point that is drawn at random meets none of them.  Here each variable in
turn goes to where the facts that are linear in it, or in its square, allow it to be: an equation
leaves one place, a largest value goes down to the largest of its arguments, an indicator to 0 or 1.
A system with a point has no refutation, so that none need be looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from verify.certify.algebra.facts import Fact

Array = np.ndarray[Any, Any]

POINTS = 96
SWEEPS = 5
ENOUGH = 64
"""Points that meet the facts that are enough where no more is asked of them."""
WEAK = 1e-12
"""By how much of its terms' size a fact may fail: equations hold within rounding."""
FAR = 1e4
"""Size of a coordinate beyond which a point is left out: what a fact may fail by grows with it, and
could be all by which the negated claim holds."""
MARGIN = 1e-3
"""By how much a strict fact, the negated claim among them, must hold: far more than what rounding
in others could make up."""

__all__ = ["MARGIN", "WEAK", "moved_point", "moved_points"]


def moved_point(facts: Sequence[Fact], width: int) -> bool:
    """Whether a point that meets all facts was found.

    Parameters
    ----------
    facts : sequence of Fact
    width : int
        Number of variables, at least one.

    Returns
    -------
    bool
        False says nothing.
    """
    system = _System(facts, width)
    return any(bool(system.good(at).all(axis=0).any()) for at in _sweeps(system, width))


def moved_points(facts: Sequence[Fact], aims: Sequence[Fact], width: int) -> tuple[bool, Array]:
    """Whether a point that meets all facts and the aims was found, and points that meet the facts.

    Parameters
    ----------
    facts, aims : sequence of Fact
    width : int
        Number of variables, at least one.

    Returns
    -------
    found : bool
        False says nothing; it is False where there are no aims.
    points : array, (width, points)
        Of all that were met on the way.
    """
    system, kept = _System([*facts, *aims], width), []
    for at in _sweeps(system, width):
        good = system.good(at)
        alone = good[: len(facts)].all(axis=0)
        kept.append(at[:, alone])
        if aims and good[:, alone].all(axis=0).any():
            return True, np.concatenate(kept, axis=1)
        if not aims and sum(found.shape[1] for found in kept) >= ENOUGH:
            break
    return False, np.concatenate(kept, axis=1)


def _sweeps(system: _System, width: int) -> Iterator[Array]:
    """Points after each time that every variable has been moved, ``(width, points)``."""
    random = np.random.default_rng(1)
    at = np.exp(random.standard_normal((width, POINTS)))
    at *= random.choice([-1.0, 1.0], (width, POINTS))
    for _ in range(SWEEPS):
        with np.errstate(all="ignore"):
            for v in range(width):
                at[v] = system.moved(v, at, random)
        yield at


class _System:
    """Facts as arrays: coefficients of the monomials that occur, and exponents."""

    def __init__(self, facts: Sequence[Fact], width: int) -> None:
        places = {m: i for i, m in enumerate(dict.fromkeys(m for f in facts for m, _ in f.terms))}
        exponents = np.array(list(places), dtype=int).reshape(len(places), width)
        coefficients = np.zeros((len(facts), len(places)))
        for i, fact in enumerate(facts):
            for (m, _), c in zip(fact.terms, fact.floats(), strict=True):
                coefficients[i, places[m]] = c
        self._monomials = _Monomials(exponents)
        self._coefficients = csr_array(coefficients)
        self._strict = np.array([fact.strict for fact in facts], dtype=bool)
        self._whole = _zeros_or_ones(facts)
        self._steps = [_step(v, exponents, coefficients) for v in range(width)]

    def good(self, at: Array) -> Array:
        """Which fact holds at which point, ``(facts, points)``; none at a point far out."""
        with np.errstate(all="ignore"):
            terms = self._monomials(at)
            value = self._coefficients @ terms
            size = abs(self._coefficients) @ np.abs(terms)
            found = np.where(self._strict[:, None], value > MARGIN * size, value >= -WEAK * size)
            return np.asarray(found & np.isfinite(value) & (np.abs(at) <= FAR).all(axis=0))

    def moved(self, v: int, at: Array, random: np.random.Generator) -> Array:
        """Where a variable goes: into its interval, to one of its ends, or it stays."""
        low, high = np.full(POINTS, -np.inf), np.full(POINTS, np.inf)
        for power, factors, others, slopes, rests in self._steps[v]:
            slope = slopes @ factors(at)
            rest = rests @ others(at)
            edge = -rest / slope
            above = np.where(slope > 0, edge, -np.inf).max(axis=0)
            below = np.where(slope < 0, edge, np.inf).min(axis=0)
            if power == 2:  # of the two branches the one on which the variable is
                side = np.where(at[v] < 0, -1.0, 1.0)
                least = np.sqrt(np.maximum(above, 0.0))
                most = np.where(below < 0, np.nan, np.sqrt(below))
                above = np.where(side > 0, least, -most)
                below = np.where(side > 0, most, -least)
            low, high = np.fmax(low, above), np.fmin(high, below)
        if v in self._whole:
            one = random.random(POINTS) < 1 / 2
            return np.where(low > WEAK, 1.0, np.where(high < 1 - WEAK, 0.0, one))
        inside = (at[v] >= low) & (at[v] <= high)
        away = np.exp(random.standard_normal(POINTS))
        between = low + random.random(POINTS) * (high - low)
        between = np.where(np.isinf(high), np.where(np.isinf(low), at[v], low + away), between)
        between = np.where(np.isinf(low) & np.isfinite(high), high - away, between)
        way = random.random(POINTS)
        place = np.where((way < STAY) & inside, at[v], between)
        place = np.where((way > TO_LOW) & np.isfinite(low), low, place)
        place = np.where((way > TO_HIGH) & np.isfinite(high), high, place)
        return np.where(np.isfinite(place), place, at[v])


def _zeros_or_ones(facts: Sequence[Fact]) -> set[int]:
    """Variables of which a fact says that ``z - z^2 >= 0``, and another one the converse."""
    said: dict[int, set[int]] = {}
    for fact in facts:
        if len(fact.terms) != 2:
            continue
        (one, a), (two, b) = fact.terms
        if sum(one) == 1 and two == tuple(2 * e for e in one) and a == -b:
            said.setdefault(one.index(1), set()).add(1 if a > 0 else -1)
    return {v for v, signs in said.items() if len(signs) == 2}


STAY, TO_LOW, TO_HIGH = 0.4, 0.6, 0.8
"""Shares of the ways to move: up to the first a variable stays where it may, up to the second it
goes anywhere inside, then to the lower end and to the upper one."""


Step = tuple[int, "_Monomials", "_Monomials", Array, Array]


def _step(v: int, exponents: Array, coefficients: Array) -> list[Step]:
    """What bounds a variable, for its first and second power.

    The factors of the power, the other monomials, and the coefficients of both in the facts that
    have no other power.
    """
    own = exponents[:, v]
    found = []
    for power in (1, 2):
        holds = (coefficients != 0) & (own == power)
        else_ = (coefficients != 0) & (own != power) & (own != 0)
        rows = holds.any(axis=1) & ~else_.any(axis=1)
        if not rows.any():
            continue
        with_it = holds[rows].any(axis=0)
        without = (coefficients[rows] != 0).any(axis=0) & (own == 0)
        factors = exponents[with_it].copy()
        factors[:, v] = 0
        found.append(
            (
                power,
                _Monomials(factors),
                _Monomials(exponents[without]),
                coefficients[rows][:, with_it],
                coefficients[rows][:, without],
            )
        )
    return found


class _Monomials:
    """Monomials as lists of their variables, filled up with a one."""

    def __init__(self, exponents: Array) -> None:
        count, width = exponents.shape
        degrees = exponents.sum(axis=1)[:, None]
        self._factors = np.full((count, int(degrees.max(initial=1))), width)
        taken = np.arange(self._factors.shape[1]) < degrees
        self._factors[taken] = np.tile(np.arange(width), count).repeat(exponents.ravel())

    def __call__(self, at: Array) -> Array:
        """At points, ``(monomials, points)``."""
        filled = np.concatenate([at, np.ones((1, at.shape[1]))])
        return np.asarray(filled[self._factors].prod(axis=1))
