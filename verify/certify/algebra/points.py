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

from verify.certify.algebra.facts import Fact

Array = np.ndarray[Any, Any]

POINTS = 96
SWEEPS = 5
ENOUGH = 64
"""Points that meet the facts that are enough where no more is asked of them."""
WEAK = 1e-12
"""By how much of its terms' size a fact may fail: equations hold within rounding."""
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
    return any(bool(system.met(at).any()) for at in _sweeps(system, width))


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
    alone, both, kept = _System(facts, width), _System([*facts, *aims], width), []
    for at in _sweeps(both, width):
        kept.append(at[:, alone.met(at)])
        if aims and both.met(kept[-1]).any():
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
        self._exponents = np.array(list(places), dtype=int).reshape(len(places), width)
        self._coefficients = np.zeros((len(facts), len(places)))
        for i, fact in enumerate(facts):
            for (m, _), c in zip(fact.terms, fact.floats(), strict=True):
                self._coefficients[i, places[m]] = c
        self._strict = np.array([fact.strict for fact in facts], dtype=bool)
        self._whole = _zeros_or_ones(facts)
        self._steps = [self._step(v) for v in range(width)]

    def met(self, at: Array) -> Array:
        """Which points meet all facts."""
        with np.errstate(all="ignore"):
            return self._met(at)

    def _met(self, at: Array) -> Array:
        terms = _values(self._exponents, at)
        value = self._coefficients @ terms
        size = np.abs(self._coefficients) @ np.abs(terms)
        strict = self._strict[:, None]
        good = np.where(strict, value > MARGIN * size, value >= -WEAK * size)
        return np.asarray(good.all(axis=0) & np.isfinite(value).all(axis=0))

    def moved(self, v: int, at: Array, random: np.random.Generator) -> Array:
        """Where a variable goes: into its interval, to one of its ends, or it stays."""
        low, high = np.full(POINTS, -np.inf), np.full(POINTS, np.inf)
        for power, factors, others, slopes, rests in self._steps[v]:
            slope = slopes @ _values(factors, at)
            rest = rests @ _values(others, at)
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

    def _step(self, v: int) -> list[tuple[int, Array, Array, Array, Array]]:
        """What bounds a variable, for its first and second power.

        The factors of the power, the other monomials, and the coefficients of both in the facts
        that have no other power.
        """
        own = self._exponents[:, v]
        found = []
        for power in (1, 2):
            holds = (self._coefficients != 0) & (own == power)
            else_ = (self._coefficients != 0) & (own != power) & (own != 0)
            rows = holds.any(axis=1) & ~else_.any(axis=1)
            if not rows.any():
                continue
            with_it = holds[rows].any(axis=0)
            without = (self._coefficients[rows] != 0).any(axis=0) & (own == 0)
            factors = self._exponents[with_it].copy()
            factors[:, v] = 0
            found.append(
                (
                    power,
                    factors,
                    self._exponents[without],
                    self._coefficients[rows][:, with_it],
                    self._coefficients[rows][:, without],
                )
            )
        return found


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


def _values(exponents: Array, at: Array) -> Array:
    """Monomials at points, ``(monomials, points)``."""
    found = np.ones((len(exponents), at.shape[1]))
    for v in np.flatnonzero(exponents.any(axis=0)):
        powers = exponents[:, v]
        rows = np.flatnonzero(powers)
        if (powers[rows] == 1).all():
            found[rows] *= at[v]
        else:
            found[rows] *= at[v] ** powers[rows, None]
    return found
