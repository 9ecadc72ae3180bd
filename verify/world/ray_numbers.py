"""What a witness says of a ray: two exact points, and how far one lies from the other.

No single instance breaks a claim up to a constant.  Two re-scored points of a ray do, if left/right
grows between them by a power of what has been doubled.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim.instance import Instance
from verify.claim.statement import Family, Statement
from verify.world.referee import Rescored

__all__ = ["ray_numbers"]


def ray_numbers(
    statement: Statement, near: Rescored, far: Rescored, start: Instance, end: Instance
) -> dict[str, Any]:
    """What a witness says of a ray: both points, and the powers of two between their instances."""
    ends = _ends((statement.family, *statement.also))
    return {
        **far.numbers(),
        "relation": "<~",
        "near": {**near.numbers(), "instance": start.to_json()},
        "doublings": _doublings(start, end, ends),
    }


def _ends(families: tuple[Family, ...]) -> dict[str, set[Fraction]]:
    """Finite ends of the ranges and domains of parameters, by name."""
    found: dict[str, set[Fraction]] = {}
    for family in families:
        for name, real in family.box.items():
            ends = (real.low, real.high, *real.limits)
            found.setdefault(name, set()).update(Fraction(e) for e in ends if np.isfinite(e))
    return found


def _doublings(start: Instance, end: Instance, ends: Mapping[str, set[Fraction]]) -> int:
    """Smallest power of two by which a field differs; 0 if none or another change stands there."""
    powers = set()
    for name in (*start.data, *start.params):
        before, after = (i.data.get(name, i.params.get(name)) for i in (start, end))
        if isinstance(before, (str, bool)) or before is None:
            if before != after:
                return 0
            continue
        a, b = (np.asarray(v, dtype=object) for v in (before, after))
        if a.shape != b.shape:
            return 0
        for x, y in zip(a.flat, b.flat, strict=True):
            if x != y:
                limits = (Fraction(0), *ends.get(name, ()))
                power = max(_power(Fraction(x), Fraction(y), limit) for limit in limits)
                if not power:
                    return 0
                powers.add(power)
    return min(powers, default=0)


def _power(x: Fraction, y: Fraction, limit: Fraction) -> int:
    """Power of two by which the distance to a limit has changed, 0 if it is none."""
    if x == limit or y == limit or (x > limit) != (y > limit):
        return 0
    quotient = (y - limit) / (x - limit)
    larger = max(quotient.numerator, quotient.denominator)
    single = 1 in (quotient.numerator, quotient.denominator) and larger & (larger - 1) == 0
    return larger.bit_length() - 1 if single else 0
