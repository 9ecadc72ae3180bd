"""Claims up to an unnamed constant: refuted by a ray, or by a right side that is zero.

No single instance with a positive right side breaks ``left <~ right``.  A ray does: quantities
taken by factors of two from a feasible instance, all hypotheses kept, with left/right growing at
every step by a fixed power.  Two points of it are re-scored exactly and stored.  Where the right
side is zero and the left one is not, one instance is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.symbolic import Symbolic
from verify.claim.statement import Family, Shape, Statement
from verify.ladder.search import tuning
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.rays import (
    Direction,
    along_two,
    directions,
    floats,
    movable,
    point,
    sizes,
    stays_inside,
)
from verify.verdict.relation import GROWTH, meets
from verify.world.noise_plan import WITHOUT_VALUE, NotAvailable
from verify.world.score import Score, came_across, score


@dataclass(frozen=True)
class Ray:
    """A ray along which the float ratio grows."""

    start: Candidate
    direction: Direction

    def at(self, power: int) -> tuple[dict[str, Any], Shape]:
        """Exact parameter values and shape at a power of two."""
        return point(self.start, self.direction, power)

    @property
    def near(self) -> tuple[dict[str, Any], Shape]:
        """First point that is stored."""
        return self.at(int(tuning.RAY_POWERS[0]))

    @property
    def far(self) -> tuple[dict[str, Any], Shape]:
        """Last point that is stored."""
        return self.at(int(tuning.RAY_POWERS[-1]))

    @property
    def beyond(self) -> tuple[tuple[dict[str, Any], Shape], ...]:
        """Two points at which a true claim with a large constant has levelled off."""
        return tuple(self.at(power) for power in tuning.RAY_FURTHER)


def growing_rays(pool: Pool, evaluations: int, rng: np.random.Generator) -> Iterator[Ray]:
    """Rays along which the float ratio grows like a power, until the evaluations are spent.

    Parameters
    ----------
    pool : Pool
        After a search: rays begin at its tightest instances and at feasible ones of every kind.
    evaluations : int
    rng : numpy.random.Generator
    """
    family, left = pool.statement.family, evaluations
    starts = {_told(c): c for c in _starts(pool, rng)}
    others = {
        _told(c): c for _ in range(evaluations // tuning.RAY_OTHERS) for c in _starts(pool, rng)
    }
    plan = [(directions, {**starts, **others}), (sizes, starts), (along_two, starts)]
    for kind, chosen in plan:
        for start in chosen.values():
            rays = [Ray(start, d) for d in kind(family, start)]
            for first in range(0, len(rays), tuning.RAYS_AT_ONCE):
                few = rays[first : first + tuning.RAYS_AT_ONCE]
                left -= len(few) * len(tuning.RAY_POWERS)
                if left < 0:
                    return
                yield from _growing(pool, few)


def nothing_right(pool: Pool, rng: np.random.Generator) -> Iterator[tuple[dict[str, Any], Shape]]:
    """Feasible points whose right side is zero in floats while the left one is not.

    They are of the largest listed shape: an order is about sizes that grow, and a logarithm that
    is zero at one round refutes nothing.
    """
    family = pool.statement.family
    last = family.shapes[-1]
    for result, (values, shape, _) in zip(pool.kept, pool.points, strict=True):
        for j in np.flatnonzero(_nothing(result))[:1] if shape == last else ():
            yield {k: v[j] for k, v in values.items()}, shape
    names = [name for name in movable(family) if family.box[name].inside(0.0)]
    for start in _starts(pool, rng):
        if start.shape != last:
            continue
        trials = [{a, b} for a in names for b in names]
        if not trials:
            return
        values = {
            k: np.stack([np.asarray(v) * (k not in zeros) for zeros in trials])
            for k, v in start.values.items()
        }
        probed = _scored(pool, values, start.shape)
        for j in np.flatnonzero(_nothing(probed))[:1] if probed is not None else ():
            yield {k: v[j] for k, v in values.items()}, start.shape


def _growing(pool: Pool, rays: list[Ray]) -> Iterator[Ray]:
    """Those of some rays from one start whose ratio grows at every step."""
    family, kept, points = pool.statement.family, [], []
    for ray in rays:
        values = floats(ray.start, ray.direction, tuning.RAY_POWERS)
        if ray.direction.sizes:
            if _has_closed_form(pool.statement, ray) and _grows(*_along_sizes(pool, ray)):
                yield ray
        elif stays_inside(family, ray.direction, values):
            kept.append(ray)
            points.append(values)
    if not kept:
        return
    joined = {k: np.concatenate([p[k] for p in points]) for k in points[0]}
    result = _scored(pool, joined, kept[0].start.shape)
    if result is None:
        return
    ratio, feasible = (x.reshape(len(kept), -1) for x in (result.ratio, _allowed(result)))
    for j, ray in enumerate(kept):
        if _grows(ratio[j], feasible[j]):
            yield ray


def _grows(ratio: Any, feasible: Any) -> bool:
    with np.errstate(all="ignore"):
        growth = np.diff(np.log2(ratio)) / tuning.RAY_STEP
    return bool(np.all(feasible) and np.all(growth >= GROWTH))


def _along_sizes(pool: Pool, ray: Ray) -> tuple[Any, Any]:
    """Ratio and feasibility at the points of a ray, each of which has a shape of its own."""
    results = []
    for power in tuning.RAY_POWERS:
        values, shape = ray.at(int(power))
        floating = {k: np.asarray(v, dtype=float)[None] for k, v in values.items()}
        results.append(_scored(pool, floating, shape))
    if any(result is None for result in results):
        return np.zeros(len(tuning.RAY_POWERS)), np.zeros(len(tuning.RAY_POWERS), dtype=bool)
    found = [(r.ratio[0], _allowed(r)[0]) for r in results if r is not None]
    return np.array([f[0] for f in found]), np.array([f[1] for f in found])


def _has_closed_form(statement: Statement, ray: Ray) -> bool:
    """Whether the sides take a symbol for the sizes: one that counts up to them never ends."""
    import sympy

    values, shape = ray.at(0)
    made = statement.family.instance({k: np.asarray(v)[None] for k, v in values.items()}, shape)
    size = {n: Symbolic(sympy.Symbol(n, positive=True)) for n in ray.direction.sizes}
    try:
        score(statement, replace(made, params={**made.params, **size}), "symbolic")
    except WITHOUT_VALUE:
        return False
    return True


def _scored(pool: Pool, values: Mapping[str, Any], shape: Shape) -> Score | None:
    instance = pool.statement.family.instance(values, shape)
    try:
        return score(pool.statement, instance, noise=pool.noise)
    except (NotAvailable, ValueError, ArithmeticError):  # outside the formulas' domain
        return None


def _allowed(result: Score) -> Any:
    """Rows whose hypotheses hold, in floats and without the guard of a strict one.

    What has to be above zero comes as close to it on a ray as one likes; both ends are scored
    again exactly.
    """
    found = ~np.isnan(result.ratio)
    for name, value in result.lowest.items():
        found = found & (value > 0 if name in result.strict else meets(value, False))
    return found if result.beyond is None else found & (result.beyond <= 0)


def _nothing(result: Score) -> Any:
    """Feasible rows with an outcome whose right side is zero and whose left one is not."""
    left, right = xp.to_float(result.left), xp.to_float(result.right)
    found = result.feasible & ((left > 0) & (right == 0)).any(axis=1)
    for name, value in result.terms[0].items():
        if came_across(name):  # a right side below zero is no order at all
            found &= ~(xp.to_float(value) > 0).any(axis=1)
    return found


def _starts(pool: Pool, rng: np.random.Generator) -> list[Candidate]:
    """Tight instances, with short numbers and as they are, and random feasible ones."""
    family = pool.statement.family
    feasible = []
    for result, (values, shape, _) in zip(pool.kept, pool.points, strict=True):
        for j in np.flatnonzero(result.feasible):
            feasible.append(({k: v[j] for k, v in values.items()}, shape))
    chosen = rng.permutation(len(feasible))[: tuning.RAY_STARTS]
    random = [Candidate(feasible[j][0], feasible[j][1], 0.0) for j in chosen]
    known = [*pool.tops, *random]
    rounded = [Candidate(_short(c.values, family), c.shape, c.ratio) for c in known]
    rounded += [Candidate(_ones(c.values, family), c.shape, c.ratio) for c in known[:1]]
    return list({_told(c): c for c in (*rounded, *pool.tops)}.values())


def _told(candidate: Candidate) -> str:
    return repr((candidate.shape, sorted(candidate.values.items())))


def _short(values: Mapping[str, Any], family: Family) -> dict[str, Any]:
    """Values with one binary digit, where the domain of the parameter allows them."""
    short = {}
    for name, value in values.items():
        with np.errstate(all="ignore"):
            near = np.sign(value) * np.exp2(np.round(np.log2(np.abs(value))))
        near = np.where(np.asarray(value) == 0, 0.0, near)
        fits = all(family.box[name].inside(x) for x in near.flat)
        short[name] = near if fits else np.asarray(value)
    return short


def _ones(values: Mapping[str, Any], family: Family) -> dict[str, Any]:
    """Ones, where the domain of a parameter that is not fixed allows them."""
    free = set(movable(family))
    return {
        name: np.ones(np.shape(v)) if name in free and family.box[name].inside(1.0) else v
        for name, v in _short(values, family).items()
    }
