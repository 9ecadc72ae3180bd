"""Claims up to an unnamed constant: refuted by a ray on which the ratio grows like a power.

No single instance breaks ``left <~ right``.  A ray does: one quantity (or a change of units) taken
by factors of two from a feasible instance, all hypotheses kept, with left/right growing at every
step by a fixed power.  Two points of it are re-scored exactly and stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim.instance import Instance
from verify.claim.statement import Real, Shape
from verify.ladder.pool import Candidate, Pool
from verify.verdict.relation import GROWTH
from verify.world.referee import Rescored

STEP = 4
"""Powers of two between neighbouring points of a ray."""
POINTS = 12
TAIL = 6
"""Points at the far end that must show the growth."""


@dataclass(frozen=True)
class Ray:
    """Parameter values of two points of a growing ray."""

    near: Mapping[str, Any]
    far: Mapping[str, Any]
    shape: Shape
    along: str


def growing_rays(pool: Pool) -> Iterator[Ray]:
    """Rays from the tightest instances along which the float ratio grows like a power."""
    box = pool.statement.family.box
    powers = STEP * np.arange(POINTS)
    rounded = [Candidate(_short(t.values, box), t.shape, t.ratio) for t in pool.tops]
    for top in [*rounded, *pool.tops]:
        for along, exponents in _directions(pool, top):
            factors = {k: np.exp2(p * powers) for k, p in exponents.items()}
            values = {
                k: np.asarray(v)[None] * _shaped(factors.get(k, np.ones(POINTS)), np.ndim(v))
                for k, v in top.values.items()
            }
            if not all(box[k].admits(x) for k in exponents for x in values[k].flat):
                continue
            result, ratio = pool.evaluate(values, top.shape)
            with np.errstate(all="ignore"):
                growth = np.diff(np.log2(ratio[-TAIL:])) / STEP
            if result.feasible[-TAIL:].all() and np.all(growth >= GROWTH):
                near, far = ({k: v[j] for k, v in values.items()} for j in (-TAIL, -1))
                yield Ray(near, far, top.shape, along)


def ray_numbers(near: Rescored, far: Rescored, start: Instance, end: Instance) -> dict[str, Any]:
    """What a witness says of a ray: both points, and the powers of two between their instances."""
    return {
        **far.numbers(),
        "relation": "<~",
        "near": {**near.numbers(), "instance": start.to_json()},
        "doublings": _doublings(start, end),
    }


def _doublings(start: Instance, end: Instance) -> int:
    """Smallest power of two by which a field differs; 0 if none or another factor stands there."""
    powers = set()
    for name in (*start.data, *start.params):
        before, after = (i.data.get(name, i.params.get(name)) for i in (start, end))
        a, b = np.atleast_1d(np.asarray(before)), np.atleast_1d(np.asarray(after))
        if a.dtype != object and a.dtype.kind != "f":
            continue
        for x, y in zip(a.flat, b.flat, strict=True):
            if x != y:
                power = round(float(np.log2(float(abs(y / x))))) if x and y else 0
                if not power or y != x * Fraction(2) ** power:
                    return 0
                powers.add(abs(power))
    return min(powers, default=0)


def _directions(pool: Pool, top: Candidate) -> Iterator[tuple[str, dict[str, float]]]:
    """Exponents of two per parameter: one quantity up or down, or a change of units."""
    box = pool.statement.family.box
    for name in top.values:
        for sign in (1, -1):
            yield f"{name} {'up' if sign > 0 else 'down'}", {name: sign}
    for place, what in enumerate(("loss", "length")):
        powers = {name: box[name].unit[place] for name in top.values if box[name].unit[place]}
        for sign in (1, -1):
            if powers:
                scaled = {name: float(sign * p) for name, p in powers.items()}
                yield f"unit of {what} {'up' if sign > 0 else 'down'}", scaled


def _short(values: Mapping[str, Any], box: Mapping[str, Real]) -> dict[str, Any]:
    """Values with one binary digit, where the parameter admits them."""
    short = {}
    for name, value in values.items():
        with np.errstate(all="ignore"):
            near = np.sign(value) * np.exp2(np.round(np.log2(np.abs(value))))
        near = np.where(np.asarray(value) == 0, 0.0, near)
        fits = all(box[name].admits(x) for x in near.flat)
        short[name] = near if fits else np.asarray(value)
    return short


def _shaped(factors: Any, ndim: int) -> Any:
    return factors.reshape((-1,) + (1,) * ndim)
