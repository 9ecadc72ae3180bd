"""One parameter after the other, one of them held: no vanishing step draws all ascents to itself.

Where a step vanishes nothing moves, and left/right tends to one: a summit that says nothing, to
which ascents in all parameters go from nearly everywhere.  The worst case of a claim on drift lies
elsewhere: at the minimiser of the average, at a fixed point of the method, where one parameter (the
start) is tied to all others.  So of some instances inside the ranges each holds one parameter, and
climbs along the others in turn; each parameter is held by one of them.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from verify.ladder.search import tuning
from verify.ladder.search.ascent import ascend
from verify.ladder.search.hunt import Hits, Hunt

Array = np.ndarray[Any, Any]


def one_at_a_time(hunt: Hunt, evaluations: int) -> Hits:
    """Ascents along one parameter at a time, each instance holding another one.

    Parameters
    ----------
    hunt : Hunt
        The search of one shape.
    evaluations : int
        At most.

    Yields
    ------
    str, Candidate
        Rung and instance, whenever one exceeds the bound.
    """
    blocks, left = _blocks(hunt), evaluations
    while len(blocks) > 1 and left > 0:
        before = left
        places = _inside(hunt, len(blocks))
        left -= tuning.DRAWN_ALONE * len(places)
        orders = [_order(hunt, held, len(blocks)) for held in range(len(places))]
        for turn in range(len(blocks) - 1):
            chosen = np.array([order[turn] for order in orders])
            for number in np.unique(chosen):
                block, rows = blocks[number], np.flatnonzero(chosen == number)
                width = block.stop - block.start
                share = tuning.STEPS_ALONE * (width + len(tuning.STEP_LENGTHS)) * len(rows)
                cost = share + tuning.LEVELS_ALONE * width * len(rows)
                if cost > left:
                    return
                left -= cost
                places[rows] = _climbed(hunt, places[rows], block, share)
            yield from hunt.risen([(places, *hunt.landscape(places, places))])
            left -= len(places)
        if left == before:
            return


def _order(hunt: Hunt, held: int, count: int) -> Array:
    """In which order an instance climbs along the parameters that it does not hold."""
    return hunt.rng.permutation(np.delete(np.arange(count), held))


def _blocks(hunt: Hunt) -> list[slice]:
    """Columns of each parameter of a family."""
    found, start = [], 0
    for parameter in hunt.family.box.values():
        size = prod(parameter.lengths(hunt.shape))
        if size and parameter.low < parameter.high:
            found.append(slice(start, start + size))
        start += size
    return found


def _climbed(hunt: Hunt, base: Array, block: slice, evaluations: int) -> Array:
    """The highest points that some instances pass when one parameter of theirs climbs.

    First each of its numbers is tried all over its range, where a side may jump; then it rises.
    """
    best, height = base.copy(), _heights(hunt, base)
    for column in range(block.start, block.stop):
        levels = (np.arange(tuning.LEVELS_ALONE) + hunt.rng.random()) / tuning.LEVELS_ALONE
        trials = np.repeat(best[:, None], len(levels), axis=1)
        trials[:, :, column] = levels
        found = _heights(hunt, trials.reshape(-1, hunt.width)).reshape(len(best), -1)
        place = np.argmax(found, axis=1)
        better = found.max(axis=1) > height
        best[better, column] = levels[place[better]]
        height = np.maximum(height, found.max(axis=1))

    def landscape(u: Array, mark: Array) -> tuple[Array, Array]:
        whole = best[mark].copy()
        whole[:, block] = u
        return hunt.landscape(whole, mark)

    # side by side, each step has them in their order until one is done
    marks, begun = np.arange(len(best)), best[:, block].copy()
    for u, heights, margins in ascend(landscape, begun, len(best), evaluations, marks):
        if len(u) != len(best):
            break
        better = (margins >= 0).all(axis=1) & (heights > height)
        best[better, block], height[better] = u[better], heights[better]
    return best


def _heights(hunt: Hunt, points: Array) -> Array:
    """Logarithms of left/right at points that meet the hypotheses, -inf elsewhere."""
    heights, margins = hunt.landscape(points, points)
    return np.where((margins >= 0).all(axis=1), np.nan_to_num(heights, nan=-np.inf), -np.inf)


def _inside(hunt: Hunt, count: int) -> Array:
    """Instances away from the ends of the ranges, first those that meet the hypotheses."""
    low, high = hunt.home or (np.zeros(hunt.width), np.ones(hunt.width))
    part = tuning.ENDS_LEFT_OUT
    drawn = hunt.rng.uniform(part, 1 - part, (tuning.DRAWN_ALONE * count, hunt.width))
    points = low + (high - low) * drawn
    _, margins = hunt.landscape(points, points)
    met = (margins >= 0).all(axis=1)
    return np.concatenate([points[met], points[~met]])[:count]
