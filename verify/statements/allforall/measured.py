"""What is measured on runs of the all-for-all paper, round by round or over all outcomes.

Each is a quantity: a claim names it, and what it is made of stands among its arguments.
"""

from __future__ import annotations

from bounds import generic as xp
from synthetic.exact.runs import (
    Tree,
    absolute_gaps,
    absolute_tree,
    all_for_all_moments,
    averaging_moments,
    mean_excess,
)
from verify.claim import Array
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

__all__ = [
    "after_rounds",
    "averaged_moments",
    "first_of_two",
    "last_rounds",
    "mean_excess_after",
    "mean_gaps_summed",
    "of_axes",
    "outcomes",
    "own_gaps_summed",
    "per_axis",
    "rooms",
    "summed_rounds",
]


# -- numbers along an axis ------------------------------------------------------------------------
@quantity
def per_axis(w: World, first: Array, second: Array) -> Array:
    """The first number along the first axis and the second along the next, (..., d), d <= 2."""
    return xp.stack([first, second][: w.d], -1)


@quantity
def of_axes(w: World, alone: Array, several: Array) -> Array:
    """The first number on the line, the second in higher dimensions."""
    return several if w.d > 1 else alone


@quantity
def first_of_two(w: World, values: Array, agents: int) -> Array:
    """The number of agent 1 where there are two agents, else 0."""
    return values[..., 0] if agents == 2 else 0 * values[..., 0]


# -- v <- factor v + added ------------------------------------------------------------------------
def _rounds(start: Array, factor: Array, added: Array, rounds: int) -> list[Array]:
    path = [start]
    for _ in range(rounds):
        path.append(factor * path[-1] + added)
    return path


@quantity
def after_rounds(w: World, start: Array, factor: Array, added: Array, rounds: int) -> Array:
    """What so many rounds of v <- factor v + added make of the start."""
    return _rounds(start, factor, added, rounds)[-1]


@quantity
def summed_rounds(w: World, start: Array, factor: Array, added: Array, rounds: int) -> Array:
    """Sum of v^0..v^{K-1} of these rounds."""
    return q.added(_rounds(start, factor, added, rounds)[:-1])


@quantity
def last_rounds(
    w: World, start: Array, factor: Array, added: Array, rounds: int, samples: str
) -> Array:
    """The least v^k of these rounds among the numbers k of rounds that may be run."""
    run = q.horizons(rounds, samples)
    return q.least(_rounds(start, factor, added, rounds)[run.start : run.stop])


# -- moments on quadratics ------------------------------------------------------------------------
@quantity
def mean_excess_after(
    w: World,
    square: Array,
    curvature: Array,
    error: Array,
    noise: Array,
    step: Array,
    rounds: int,
) -> Array:
    """Mean F after these rounds of all-for-all, see `all_for_all_moments`; square is W."""
    path = all_for_all_moments(square, curvature, error, noise, step, rounds)
    return mean_excess(path[-1], curvature)


@quantity
def averaged_moments(
    w: World,
    weights: Array,
    curvature: Array,
    centres: Array,
    start: Array,
    noise: Array,
    step: Array,
    rounds: int,
) -> tuple[Array, Array]:
    """Mean and variance of weighted gradient averaging, see `averaging_moments`."""
    return averaging_moments(weights, curvature, centres, start, noise, step, rounds)


# -- all outcomes on absolute losses --------------------------------------------------------------
@quantity
def outcomes(
    w: World,
    weights: Array,
    slopes: Array,
    centres: Array,
    size: Array,
    start: Array,
    step: Array,
    rounds: int,
) -> Tree:
    """Iterates under every outcome, see `absolute_tree`."""
    return absolute_tree(weights, slopes, centres, size, start, step, rounds)


@quantity
def own_gaps_summed(w: World, tree: Tree, slope: Array, centre: Array, rounds: int) -> Array:
    """Sum over k < K of E f_1(x^k) - f_1(x_1^*)."""
    return q.added([absolute_gaps(tree, k, slope, centre)[..., 0] for k in range(rounds)])


@quantity
def mean_gaps_summed(w: World, tree: Tree, slopes: Array, centres: Array, rounds: int) -> Array:
    """Sum over k < K of the mean of E f_i(x_i^k) - f_i(x_i^*)."""
    return q.added([xp.mean(absolute_gaps(tree, k, slopes, centres)) for k in range(rounds)])


@quantity
def rooms(w: World, tree: Tree, distance: Array, centre: Array) -> Array:
    """Smallest D - |x^k - m| over the outcomes that have a chance, for each k up to K."""
    found = []
    for point, chance in zip(tree.points, tree.chances, strict=True):
        room = distance[..., None] - xp.absolute(point[..., 0] - centre[..., None])
        found.append(xp.smallest(xp.where(chance > 0, room, xp.absolute(room))))
    return xp.stack(found, -1)
