"""Repair hints for a broken claim: the smallest change of its right side that survives the search.

Hints are read off the kept instances; they are suggestions for a repaired form, which then goes
through the same ladder as any other statement.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import unchecked
from verify.ladder.pool import Pool
from verify.ladder.rung_power import changed_right, numeric_symbols
from verify.ladder.rung_units import UNIT_STEPS, powers_of_two
from verify.verdict.relation import ROUNDING, ratio
from verify.world.score import Score, score

_FACTORS = sorted(
    {Fraction(a, b) for a in (1, 2, 3, 4, 8) for b in (1, 2, 3, 4, 8)} - {Fraction(1)},
    key=lambda f: (f.numerator + f.denominator, f),
)
_EXPONENTS: dict[str, Callable[[Any], Any]] = {
    "{}^2": lambda x: x * x,
    "{}^(1/2)": lambda x: np.sqrt(np.abs(x)),
    "1/{}": lambda x: 1 / x,
}


def repair_hint(pool: Pool) -> str:
    """One sentence on the closest change that no kept instance breaks; empty if none is found."""
    if not pool.kept or pool.statement.quantifier == "some":
        return ""
    with unchecked(), np.errstate(all="ignore"):
        # batches that break the claim reject most changes at once
        tried = sorted(pool.kept, key=lambda r: -float(np.max(r.tight)))
        scaled = _scaled(pool, tried)
        names = sorted({n for r in tried for n in numeric_symbols(r)})
        found = []
        for name in names:
            for shape, change in {**_EXPONENTS, **_multiples()}.items():
                slack = _slack(pool, tried, name, change)
                if slack is not None and _keeps_units(pool, scaled, name, change):
                    found.append((slack, shape.format(name)))
        if found:
            slack, text = min(found, key=lambda f: (round(f[0], 3), len(f[1]), f[1]))
            return (
                f"with {text} in the right side no evaluated instance breaks the claim "
                f"(largest ratio {1 - slack:.3g})"
            )
        return _overall(pool)


def _multiples() -> dict[str, Callable[[Any], Any]]:
    def times(f: Fraction) -> Callable[[Any], Any]:
        return lambda x: float(f) * x

    return {f"{f} {{}}": times(f) for f in _FACTORS}


def _slack(
    pool: Pool, tried: list[Score], name: str, change: Callable[[Any], Any]
) -> float | None:
    """1 - largest ratio with the changed symbol, None if some kept instance breaks the claim."""
    top, seen = 0.0, False
    for result in tried:
        if name not in numeric_symbols(result):
            return None
        value = np.asarray(result.world.original(name), dtype=float)
        right = changed_right(pool, result, {name: change(value)})
        if right is None:
            return None
        left, right, ok = np.broadcast_arrays(
            xp.to_float(result.left), right, result.feasible[:, None]
        )
        if not ok.any():
            continue
        if not np.isfinite(right[ok]).all():
            return None
        seen = True
        worst = float(np.max(ratio(result.relation, left[ok], right[ok])))
        if not worst <= 1 + ROUNDING:
            return None
        top = max(top, worst)
    return 1 - top if seen else None


def _scaled(pool: Pool, tried: list[Score]) -> list[list[Score]]:
    """A few feasible rows of some batches, in three systems of units."""
    out = []
    for result in tried[:4]:
        rows = np.flatnonzero(result.feasible)[:16]
        instance = result.world.instance.rows(rows)
        if rows.size and any(any(unit) for unit in instance.units.values()):
            out.append([score(pool.statement, instance.scaled(*by)) for by in UNIT_STEPS])
    return out


def _keeps_units(
    pool: Pool, scaled: list[list[Score]], name: str, change: Callable[[Any], Any]
) -> bool:
    """Whether the changed right side has the unit of the left one, wherever that has one."""
    for scored in scaled:
        rights = [
            changed_right(pool, s, {name: change(np.asarray(s.world.original(name), dtype=float))})
            for s in scored
        ]
        if any(right is None for right in rights):
            return False
        for step in (1, 2):
            wanted = powers_of_two(scored[0].left, scored[step].left)
            got = powers_of_two(rights[0], rights[step])
            if wanted is None or got is None:
                return False
            if np.any(np.isfinite(wanted) & ~(np.isinf(got) | (got == wanted))):
                return False
    return True


def _overall(pool: Pool) -> str:
    """The factor on the whole right side that the search asks for, if it is finite."""
    if pool.statement.relation == "==" or not pool.tops or not pool.tops[0].ratio < 1e3:
        return ""
    reached = pool.tops[0].ratio
    round_factors = (1.5, 2, 3, 4, 6, 8, 10, 16, 32, 100, 1000)
    nice = next((f for f in round_factors if f >= reached * (1 - ROUNDING)), reached)
    return f"the largest ratio found is {reached:.4g}; {nice:g} times the right side survives"
