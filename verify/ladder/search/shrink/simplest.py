"""Shrinking: from a broken instance to one with numbers that a person can check by hand.

First what looks made up is taken out (see `natural`), as far as the claim stays broken, then each
number becomes the simplest one that brings nothing of it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from bounds.numbers import as_rational
from verify.ladder.search import tuning
from verify.ladder.search.goal import goal
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.shrink.natural import changes, oddities
from verify.world.noise_plan import NotAvailable

_SIMPLE = sorted(
    {
        Fraction(sign * a, b)
        for sign in (1, -1)
        for a in (0, 1, 2, 3, 4, 5, 6, 8, 9, 10)
        for b in (1, 2, 3, 4, 5, 8, 10)
    },
    key=lambda f: (abs(f.numerator) + f.denominator + (f < 0), f),
)
_SCALES = [Fraction(10) ** k for k in range(-6, 7) if k]


def shrink(pool: Pool, candidate: Candidate, passes: int = 3) -> dict[str, Any]:
    """Replace each number by the simplest one that keeps the instance broken.

    Parameters
    ----------
    pool : Pool
        Of the statement (its noise plan is used; nothing is remembered in it).
    candidate : Candidate
        Broken instance (for a claim of existence: an instance that satisfies it).
    passes : int
        Sweeps over all numbers.

    Returns
    -------
    dict
        Parameter values as object arrays of Fractions, without the instance axis. The smaller
        shapes were searched before, so numbers of clients and rounds are small already.
    """
    work = _Shrinking(pool, candidate)
    work.look_natural()
    for _ in range(passes):
        before = work.cost
        work.rescale()
        work.turn()
        for name in work.exact:
            if work.exact[name].size > 1:
                work.together(name)
            for index in np.ndindex(work.exact[name].shape):
                work.one(name, index)
        work.pairs()
        if work.cost >= before:
            break
    return work.exact


def has_long_numbers(values: Mapping[str, Any]) -> bool:
    """Whether a number of an instance takes more than twelve digits; a power of two takes few."""
    return any(
        _bits(f) > tuning.TWELVE_DIGITS and abs(f).as_integer_ratio()[0].bit_count() != 1
        for v in values.values()
        for f in _fractions(v).flat
    )


class _Shrinking:
    """The numbers of one broken instance while they become simpler."""

    def __init__(self, pool: Pool, candidate: Candidate) -> None:
        self.pool, self.candidate = pool, candidate
        self.family = candidate.family or pool.statement.family
        self.box = self.family.box
        self.exact: dict[str, Any] = {k: _fractions(v) for k, v in candidate.values.items()}
        # keep a clear part of the excess: half of it, at most five per cent
        some = pool.statement.quantifier == "some"
        self.limit = 1.0 if some else 1 + min(0.05, (candidate.ratio - 1) / 2)
        self.odd: int | None = None  # features that look made up; None before they were counted

    @property
    def cost(self) -> int:
        """How much there is to write down."""
        return _cost(self.exact)

    def look_natural(self) -> None:
        """Take out what looks made up, one feature after the other, while the claim is broken."""
        self._take([{}])
        while self.odd:
            before = self.odd
            self._take(list(changes(self.exact, self.family)), fewer=True)
            if self.odd == before:
                break

    def rescale(self) -> None:
        """Change units of loss and length towards numbers near one."""
        units = {name: self.box[name].unit for name in self.exact if any(self.box[name].unit)}
        if not units:
            return
        sizes = {k: abs(self.exact[k][self.exact[k] != 0]).astype(float) for k in units}
        moves = []
        for loss, length in product(
            range(-2 * tuning.UNITS_REACH, 2 * tuning.UNITS_REACH + 1, 2), repeat=2
        ):
            powers = {k: int(p * loss + q * length) for k, (p, q) in units.items()}
            moves.append((_spread(sizes, powers), powers))
        here = _spread(sizes, dict.fromkeys(units, 0))
        moves = sorted((m for m in moves if m[0] < here - 1 / 2), key=lambda m: m[0])
        self._take(
            [
                {k: _times(self.exact[k], Fraction(2) ** n) for k, n in powers.items()}
                for _, powers in moves
            ]
        )

    def turn(self) -> None:
        """Turn every length around at once where that leaves fewer minus signs."""
        signed = [k for k in self.exact if self.box[k].low < 0 < self.box[k].high]
        turned = {k: _times(self.exact[k], Fraction(-1)) for k in signed}
        if _cost(turned) < _cost({k: self.exact[k] for k in signed}):
            self._take([turned])

    def together(self, name: str) -> None:
        """Try one value for all entries of an array (equal clients)."""
        old = self.exact[name]
        values = sorted({*old.flat, Fraction(0), Fraction(1)}, key=_bits)
        filled = [np.full(old.shape, v, dtype=object) for v in values if self.box[name].inside(v)]
        self._take([{name: f} for f in filled if _cost({name: f}) < _cost({name: old})])

    def one(self, name: str, index: Any) -> None:
        """Simplify one number."""
        trials = []
        for option in _options(self.exact[name][index]):
            if self.box[name].inside(option):
                changed = self.exact[name].copy()
                changed[index] = option
                trials.append({name: changed})
        self._take(trials)

    def pairs(self) -> None:
        """Bring two long numbers down together, each by its own power of two."""
        places = [
            (name, index)
            for name, value in self.exact.items()
            if any(self.box[name].unit)
            for index in np.ndindex(value.shape)
            if _bits(value[index]) > tuning.LONG_NUMBER
        ]
        for first, second in combinations(places, 2):
            trials = []
            for i, j in product(range(9), repeat=2):
                changed = {name: self.exact[name].copy() for name, _ in (first, second)}
                for (name, index), power in ((first, i), (second, j)):
                    reduced = changed[name][index] / 2**power
                    changed[name][index] = reduced.limit_denominator(1 if reduced >= 1 else 64)
                trials.append(changed)
            trials.sort(key=_cost)
            self._take([t for t in trials if _cost(t) < _cost({k: self.exact[k] for k in t})])

    def _take(self, trials: list[dict[str, Any]], fewer: bool = False) -> None:
        """Make the first change after which the instance is still broken.

        It looks no more made up than before; with ``fewer`` it looks less so.
        """
        if not trials:
            return
        values = {
            name: np.stack([np.asarray(t.get(name, value), dtype=float) for t in trials])
            for name, value in self.exact.items()
        }
        pool, shape = self.pool, self.candidate.shape
        try:
            with np.errstate(all="ignore"):
                result = pool.scored(values, shape, self.family)
                steady = self.candidate.steady and pool.statement.quantifier == "all"
                ratio = pool.steady(result, values, shape, self.family) if steady else result.ratio
                good = goal(pool, result, ratio) >= self.limit
                odd = oddities(values, self.family, result.world)
        except (NotAvailable, ValueError, ArithmeticError):  # outside the formulas' domain
            return
        if self.odd is not None:
            good &= odd < self.odd if fewer else odd <= self.odd
        if good.any():
            first = int(np.flatnonzero(good)[0])
            self.exact.update(trials[first])
            self.odd = int(odd[first])


def _options(value: Fraction) -> list[Fraction]:
    """Simpler numbers than ``value``, simplest first."""
    near = {value.limit_denominator(d) for d in (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 1000)}
    if value:
        magnitude = Fraction(10) ** int(np.floor(np.log10(abs(float(value)))))
        near |= {round(value / magnitude * k) * magnitude / k for k in (1, 2, 4, 10)}
        exponent = int(np.round(np.log2(abs(float(value)))))
        near.add((1 if value > 0 else -1) * Fraction(2) ** exponent)
        near |= {s if value > 0 else -s for s in _SCALES}
    pool = sorted({*_SIMPLE, *near}, key=lambda f: (_bits(f), abs(f - value)))
    return [f for f in pool if _bits(f) < _bits(value)]


def _bits(f: Fraction) -> int:
    return abs(f.numerator) + f.denominator + (1 if f < 0 else 0)


def _times(values: np.ndarray[Any, Any], factor: Fraction) -> np.ndarray[Any, Any]:
    out = np.empty(values.shape, dtype=object)
    out[...] = values * factor
    return out


def _spread(sizes: Mapping[str, Any], powers: Mapping[str, int]) -> float:
    """How far numbers of some size are from one, in powers of two, once multiplied by such."""
    logs = [np.log2(np.ldexp(sizes[name], power)) for name, power in powers.items()]
    return float(sum(abs(np.concatenate(logs)).tolist()))


def _cost(exact: dict[str, Any]) -> int:
    return sum(min(_bits(f), 10**9) for v in exact.values() for f in v.flat)


def _fractions(value: Any) -> np.ndarray[Any, Any]:
    return np.asarray(as_rational(np.asarray(value)), dtype=object)
