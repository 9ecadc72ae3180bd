"""Shrinking: from a broken instance to one with numbers that a person can check by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from verify.noise_plan import NotAvailable
from verify.pool import Candidate, Pool
from verify.score import score
from verify.search import goal

_SIMPLE = sorted(
    {Fraction(s * a, b) for s in (1, -1) for a in (0, 1, 2, 3, 4, 5, 6, 8, 9, 10) for b in (1, 2, 3, 4, 5, 8, 10)},
    key=lambda f: (abs(f.numerator) + f.denominator + (f < 0), f),
)  # fmt: skip
_SCALES = [Fraction(10) ** k for k in (-6, -5, -4, -3, 3, 4, 5, 6)]


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
    exact = {name: _fractions(value) for name, value in candidate.values.items()}
    threshold = _threshold(pool, candidate.ratio)
    for _ in range(passes):
        before = _cost(exact)
        for name in exact:
            if exact[name].size > 1:
                _together(pool, candidate, exact, name, threshold)
            for index in np.ndindex(exact[name].shape):
                _one(pool, candidate, exact, name, index, threshold)
        if _cost(exact) == before:
            break
    return exact


def _threshold(pool: Pool, ratio: float) -> float:
    """Keep a clear part of the excess: half of it, at most five per cent."""
    if pool.statement.quantifier == "some":
        return 1.0
    return 1 + min(0.05, (ratio - 1) / 2)


def _one(
    pool: Pool, candidate: Candidate, exact: dict[str, Any], name: str, index: Any, limit: float
) -> None:
    """Simplify one number in place."""
    current = exact[name][index]
    parameter = pool.statement.family.box[name]
    options = [f for f in _options(current) if parameter.admits(f)]
    if not options:
        return
    trials = []
    for option in options:
        changed = exact[name].copy()
        changed[index] = option
        trials.append(changed)
    j = _first_kept(pool, candidate, exact, name, trials, limit)
    if j is not None:
        exact[name][index] = options[j]


def _together(
    pool: Pool, candidate: Candidate, exact: dict[str, Any], name: str, limit: float
) -> None:
    """Try one value for all entries of an array (equal clients)."""
    parameter = pool.statement.family.box[name]
    values = sorted({*exact[name].flat, Fraction(0), Fraction(1)}, key=_bits)
    values = [v for v in values if parameter.admits(v)]
    trials = []
    for value in values:
        changed = exact[name].copy()
        changed[...] = value
        trials.append(changed)
    j = _first_kept(pool, candidate, exact, name, trials, limit)
    if j is not None and _cost({name: trials[j]}) < _cost({name: exact[name]}):
        exact[name] = trials[j]


def _first_kept(
    pool: Pool, candidate: Candidate, exact: dict[str, Any], name: str, trials: list[Any], limit: float
) -> int | None:
    """Index of the first trial that is still broken."""
    count = len(trials)
    values = {
        k: np.repeat(np.asarray(v, dtype=float)[None], count, axis=0) for k, v in exact.items()
    }
    values[name] = np.stack([np.asarray(t, dtype=float) for t in trials])
    instance = pool.statement.family.instance(values, candidate.shape)
    try:
        with np.errstate(all="ignore"):
            result = score(pool.statement, instance, noise=pool.noise)
            steady = candidate.steady and pool.statement.quantifier == "all"
            ratio = pool.steady(result, values, candidate.shape) if steady else result.ratio
            reached = goal(pool, result, ratio)
    except (NotAvailable, ValueError, ArithmeticError):  # a trial outside the formulas' domain
        return None
    good = np.flatnonzero(reached >= limit)
    return int(good[0]) if good.size else None


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


def _cost(exact: dict[str, Any]) -> int:
    return sum(min(_bits(f), 10**9) for v in exact.values() for f in v.flat)


def _fractions(value: Any) -> np.ndarray[Any, Any]:
    array = np.asarray(value, dtype=float)
    out = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        out[index] = Fraction(float(array[index]))
    return out
