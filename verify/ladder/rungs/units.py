"""Units rung: read the dimensions of every term off rescaled copies of the instances tried.

Rescaling an instance (loss by 2, then length by 2) multiplies a term of unit loss**p * length**q
by 2**p and 2**q.  Terms of one claim whose exponents differ cannot be compared for all instances:
the rung says so, and the search gets a ray.  It never decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ladder.rungs import tuning
from verify.verdict.evidence import Evidence
from verify.world.score import Score, score

Array = np.ndarray[Any, Any]
Exponents = tuple[float, float] | None
"""Powers of (loss, length), or None where the term does not scale by a power."""

UNIT_STEPS = ((1.0, 1.0), (2.0, 1.0), (1.0, 2.0))
"""Factors of (loss, length): none, the one, the other."""


@dataclass(frozen=True)
class Units:
    """Exponents of every non-zero term of both sides and of every hypothesis, at one instance."""

    left: Mapping[str, Exponents]
    right: Mapping[str, Exponents]
    given: Mapping[str, Exponents]

    @property
    def consistent(self) -> bool:
        """Whether all terms of the claim share one unit, and every hypothesis has one.

        A hypothesis that changes with the units (a logarithm of a loss) is another one elsewhere.
        """
        seen = {e for side in (self.left, self.right) for e in side.values()}
        return len(seen) <= 1 and None not in {*seen, *self.given.values()}

    def evidence(self) -> Evidence:
        """What the rung reports; it never decides."""
        words = [
            f"{side} {name}: {_spell(e)}"
            for side, terms in (("left", self.left), ("right", self.right))
            for name, e in terms.items()
        ]
        state = "units agree" if self.consistent else "units differ"
        return Evidence(
            "units",
            "reported",
            f"{state} ({'; '.join(words)})",
            details={"left": dict(self.left), "right": dict(self.right), "given": dict(self.given)},
        )


def measure_units(statement: Statement, tried: Sequence[Score]) -> Units | None:
    """Exponents at the first feasible instance whose units differ, else at the first feasible one.

    Parameters
    ----------
    statement : Statement
    tried : sequence of Score
        Scored batches of instances.

    Returns
    -------
    Units or None
        None if no instance carries units or none is feasible.
    """
    found: Units | None = None
    for result in tried:
        instance = result.world.instance
        rows = np.flatnonzero(result.feasible)[: tuning.UNITS_BATCH]
        if not rows.size or not any(any(unit) for unit in instance.units.values()):
            continue
        batch = instance.rows(rows)
        scored = _scored_in(statement, [batch.scaled(*by) for by in UNIT_STEPS])
        tables = [
            {
                k: _Exponents.between(v, *(_part(s, part).get(k) for s in scored[1:]))
                for k, v in _part(scored[0], part).items()
            }
            for part in range(3)
        ]
        for j in _different(tables, len(rows)):
            here = Units(*({k: e for k, v in t.items() if (e := v(j)) != ()} for t in tables))
            if not here.consistent:
                return here
            found = found or here
    return found


def _scored_in(statement: Statement, batches: Sequence[Instance]) -> list[Score]:
    """Scores of batches of one size, all of them in one batch."""
    first, count = batches[0], len(batches[0])

    def joined(field: str) -> dict[str, Any] | None:
        found = {name: [getattr(b, field)[name] for b in batches] for name in getattr(first, field)}
        arrays = [all(isinstance(v, np.ndarray) for v in values) for values in found.values()]
        alike = [all(v is values[0] for v in values) for values in found.values()]
        if not all(a or b for a, b in zip(arrays, alike, strict=True)):
            return None
        return {
            name: np.concatenate(values) if isinstance(values[0], np.ndarray) else values[0]
            for name, values in found.items()
        }

    data, params = joined("data"), joined("params")
    if data is None or params is None:
        return [score(statement, batch) for batch in batches]
    whole = score(statement, replace(first, data=data, params=params))
    return [whole.part(slice(n * count, (n + 1) * count)) for n in range(len(batches))]


def _part(result: Score, part: int) -> Mapping[str, Any]:
    return result.margins if part == 2 else result.terms[part]


@dataclass(frozen=True)
class _Exponents:
    """Powers of loss and length of one term on each instance, None where there is no such term."""

    powers: tuple[Array | None, Array | None]

    @classmethod
    def between(cls, base: Any, loss: Any, length: Any) -> _Exponents:
        """Of a term before and after either unit has changed."""
        return cls((powers_of_two(base, loss), powers_of_two(base, length)))

    def __call__(self, row: int) -> Any:
        """Exponents on one instance: () where the term is zero throughout, None for no power."""
        pair = [np.nan if p is None else float(p[min(row, len(p) - 1)]) for p in self.powers]
        if np.isinf(pair).any():
            return ()
        return None if np.isnan(pair).any() else (pair[0], pair[1])


def _different(tables: Sequence[Mapping[str, _Exponents]], count: int) -> Array:
    """The first of all instances with the same exponents everywhere, in order."""
    columns = [
        np.broadcast_to(p, (count,))
        for table in tables
        for entry in table.values()
        for p in entry.powers
        if p is not None
    ]
    if not columns:
        return np.arange(min(count, 1))
    table = np.stack(columns, 1)
    _, first = np.unique(
        np.where(np.isnan(table), tuning.NO_POWER, table), axis=0, return_index=True
    )
    return np.sort(first)


def powers_of_two(base: Any, scaled: Any) -> Array | None:
    """Power of 2 between two evaluations, (B,).

    NaN where it is not one multiple of 1/4, infinite where both are zero throughout.
    """
    if scaled is None:
        return None
    a, b = np.broadcast_arrays(xp.to_float(base), xp.to_float(scaled))
    a, b = a.reshape(len(a), -1), b.reshape(len(b), -1)
    used = (a != 0) | (b != 0)
    with np.errstate(all="ignore"):
        powers = np.where(used, np.log2(b / a), np.nan)
        low, high = np.fmin.reduce(powers, axis=1), np.fmax.reduce(powers, axis=1)
        rounded = np.round(4 * low) / 4
        same = (np.abs(low - rounded) < 1e-6) & (np.abs(high - rounded) < 1e-6)
    lost = (used & ~np.isfinite(powers)).any(axis=1)
    out = np.where(same & ~lost, rounded, np.nan)
    return np.asarray(np.where(used.any(axis=1), out, np.inf))


def _spell(exponents: Exponents) -> str:
    if exponents is None:
        return "no power"
    parts = [
        name if power == 1 else f"{name}^{power:g}"
        for name, power in zip(("loss", "length"), exponents, strict=True)
        if power
    ]
    return " ".join(parts) or "1"
