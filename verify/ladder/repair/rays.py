"""Rays from the worst instances: one entry of one parameter moves, and everything else stays.

A search that looks for the worst at each step may lose its way where the right side is tiny; along
a ray nothing is looked for.  What grows there grows: the instances are those of the ray, and their
last ratios are computed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from verify.ladder.repair import tuning
from verify.ladder.repair.fit import OTHERS
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.sizes import NO_INSTANCE
from verify.verdict.relation import meets
from verify.verdict.relation import ratio as ratio_of
from verify.world.noise_plan import NoValue

__all__ = ["rays"]

Ray = tuple[str, list[tuple[float, float]], list[Candidate]]
"""What grows, places with ratios, and the instances there."""


def rays(climb: Climb, tops: Iterable[Candidate]) -> Iterator[Ray]:
    """Rays along which left/right grows at each step, from each of the instances.

    Parameters
    ----------
    climb : Climb
    tops : iterable of Candidate
        Worst instances.

    Yields
    ------
    str, list of (float, float), list of Candidate
        ``share[2]``, or ``1/share[2]`` where the entry falls; ``share`` where it has one entry.
    """
    pool = Pool(climb.statement, climb.pool.noise)
    for top in tops:
        for name, real in climb.statement.family.box.items():
            value = np.asarray(top.values[name], dtype=float)
            if real.low == real.high:
                continue
            for index in np.ndindex(value.shape):
                for step in (0.5, 2.0):
                    places = [float(value[index]) * step**k for k in range(tuning.RAY)]
                    inside = [x for x in places if real.inside(x)]
                    if places[0] and len(inside) == len(places):
                        found = _along(climb, pool, top, (name, index), places)
                        if found is not None:
                            yield found


def _along(
    climb: Climb,
    pool: Pool,
    top: Candidate,
    entry: tuple[str, tuple[int, ...]],
    places: list[float],
) -> Ray | None:
    """One ray; None where it does not grow all the way, or leaves what is assumed."""
    name, index = entry
    moved = np.repeat(np.asarray(top.values[name], dtype=float)[None], len(places), axis=0)
    for row, place in enumerate(places):
        moved[(row, *index)] = place
    values: dict[str, Any] = {
        key: np.repeat(np.asarray(value)[None], len(places), axis=0)
        for key, value in top.values.items()
    }
    values[name] = moved
    try:
        scored = pool.scored(values, top.shape, top.family)
    except (*NO_INSTANCE, NoValue):
        return None
    ratios = [float(x) for x in scored.ratio]
    grows = all(isfinite(b) and b > a * tuning.RISES > 0 for a, b in pairwise(ratios))
    if not grows or not bool(meets(-scored.shortfall, False).all()):
        return None
    tops = [
        replace(top, values={k: v[row] for k, v in values.items()}, ratio=ratio)
        for row, ratio in enumerate(ratios)
    ]
    if not all(_is_exact(climb, one) for one in tops[-OTHERS:]):
        return None
    single = moved[0].size == 1
    said = name if single else f"{name}[{', '.join(map(str, index))}]"
    rises = abs(places[-1]) > abs(places[0])
    along = said if rises else f"1/{said}"
    at = [abs(x) if rises else 1 / abs(x) for x in places]
    return along, list(zip(at, ratios, strict=True)), tops


def _is_exact(climb: Climb, one: Candidate) -> bool:
    """Whether the ratio of an instance is that in exact arithmetic, and the claim falls there."""
    found = climb.heard.rescored_exactly(climb.heard.exact(one.values, one.shape, one.family))
    if found is None or not found.violated or not found.assumed:
        return False
    left, right = np.asarray(float(found.left)), np.asarray(float(found.right))
    ratio = ratio_of(climb.statement.relation, left, right)
    return bool(abs(ratio - one.ratio) <= tuning.NEAR * abs(one.ratio))
