"""Where a search begins: grids, corners, structured instances, and known ones lifted to a shape.

None of it knows a claim.  Random instances have almost no power against a wrong constant; corners,
equal clients, one outlier among many, two clusters, curvatures at opposite ends and parameters
that coincide do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from verify.claim.parameters import Family, Real, Shape
from verify.ladder.search import tuning
from verify.ladder.search.pool import Candidate, Values

Array = np.ndarray[Any, Any]


def analytic_points(family: Family, shape: Shape, count: int, rng: np.random.Generator) -> Array:
    """Corners, midpoints, rows with equal clients and structured ones, (count or fewer, width).

    Few parameters: the finest grid that fits, coarse points first, so that a claim that fails at
    one simple number alone is met there.
    """
    width = family.width(shape)
    if width == 0:
        return np.zeros((1, 0))
    levels = next((n for n in tuning.GRIDS if n**width <= count), 0)
    if levels:
        axes = np.meshgrid(*[np.arange(levels)] * width, indexing="ij")
        ranks = np.stack([a.ravel() for a in axes], axis=1)
        depth = np.searchsorted([3, 5, 9], ranks.max(axis=1), side="right")
        return np.asarray(tuning.LEVELS[ranks[np.argsort(depth, kind="stable")]])
    plain = _plain(family, shape, round(tuning.PLAIN_PART * count), rng)
    return np.concatenate([plain, structured_points(family, shape, count - len(plain), rng)])


def _plain(family: Family, shape: Shape, count: int, rng: np.random.Generator) -> Array:
    """Each number at a level, in half of the rows one level for a whole parameter."""
    columns = []
    for parameter in family.box.values():
        block = _levels(rng, (count, _size(parameter, shape)))
        equal = rng.random(count) < 0.5
        block[equal] = block[equal][:, :1]
        columns.append(block)
    return np.concatenate(columns, axis=1)


def structured_points(family: Family, shape: Shape, count: int, rng: np.random.Generator) -> Array:
    """Points in which each parameter follows a pattern along its axes, (count, width)."""
    columns = []
    patterns = list(PATTERNS.values())
    for parameter in family.box.values():
        lengths = parameter.lengths(shape)
        if not lengths or 0 in lengths:
            columns.append(_levels(rng, (count, _size(parameter, shape))))
            continue
        pair = _levels(rng, (2, count, *(1 for _ in lengths)))
        chosen = rng.integers(len(patterns), size=count)
        marked = np.stack([pattern(lengths, rng) for pattern in patterns])
        block = np.where(marked[chosen], pair[1], pair[0])
        if _square(lengths):
            rows = np.arange(count) % tuning.DIAGONALS == 0
            block[rows] = np.where(np.eye(lengths[-1]) > 0, pair[1][rows], pair[0][rows])
        columns.append(block.reshape(count, -1))
    return np.concatenate(columns, axis=1) if columns else np.zeros((count, 0))


def _square(lengths: tuple[int, ...]) -> bool:
    """Whether a parameter is a matrix, whose diagonal no pattern along its axes has."""
    return len(lengths) > 1 and lengths[-1] == lengths[-2] > 1


Pattern = Callable[[tuple[int, ...], np.random.Generator], Array]
"""Which entries of an array of these lengths are marked."""


def _fixed(pattern: Callable[[tuple[int, ...]], Array]) -> Pattern:
    """A pattern of which nothing is drawn, made once for all parameters of the same lengths."""
    known = lru_cache(maxsize=256)(pattern)
    return lambda lengths, _: known(lengths)


def _outlier(lengths: tuple[int, ...], rng: np.random.Generator) -> Array:
    """One client, round or coordinate against all others."""
    place = rng.integers(lengths[0]) if rng.random() < 0.5 else 0
    return _along(np.arange(lengths[0]) == place, lengths)


def _clusters(lengths: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Two groups of equal ones, one after the other."""
    return _along(np.arange(lengths[0]) >= rng.integers(1, max(lengths[0], 2)), lengths)


@_fixed
def _alternating(lengths: tuple[int, ...]) -> Array:
    """Every second one (rounds that change, clients in pairs)."""
    return _along(np.arange(lengths[0]) % 2 == 1, lengths)


@_fixed
def _opposite(lengths: tuple[int, ...]) -> Array:
    """Neighbours at opposite ends along every axis: what is steep here is flat there."""
    return np.asarray(sum(np.indices(lengths)) % 2 == 1)


@_fixed
def _last_axis(lengths: tuple[int, ...]) -> Array:
    """The same for all clients, one coordinate against the others."""
    return np.broadcast_to(np.arange(lengths[-1]) == 0, lengths)


@_fixed
def _star(lengths: tuple[int, ...]) -> Array:
    """Of pairs: all with the first one, as in a star; of one axis, the first."""
    first = np.indices(lengths)[: min(len(lengths), 2)] == 0
    return np.asarray(first.any(axis=0))


@_fixed
def _path(lengths: tuple[int, ...]) -> Array:
    """Of pairs: neighbours, as along a path; of one axis, none."""
    if len(lengths) < 2:
        return np.zeros(lengths, dtype=bool)
    index = np.indices(lengths)
    return np.asarray(np.abs(index[0] - index[1]) == 1)


PATTERNS: dict[str, Pattern] = {
    "outlier": _outlier,
    "clusters": _clusters,
    "alternating": _alternating,
    "opposite": _opposite,
    "last axis": _last_axis,
    "star": _star,
    "path": _path,
}
"""Which entries of a parameter take the second of two values."""


def tied_values(
    family: Family, shape: Shape, values: Values, rng: np.random.Generator
) -> dict[str, Any]:
    """Points in which two parameters of like unit have exactly one value.

    A claim that confuses ``<`` with ``<=`` may be false there and nowhere else. A parameter of one
    axis more lends its first entry: the start, say, is then the first client's optimum.
    """
    box = family.box
    pairs = [
        (a, b)
        for a in box
        for b in box
        if a != b
        and box[a].unit == box[b].unit
        and box[b].lengths(shape) in (box[a].lengths(shape), box[a].lengths(shape)[1:])
        and max(box[a].low, box[b].low) <= min(box[a].high, box[b].high)
        and 0 not in box[a].lengths(shape)
    ]
    if not pairs:
        return {}
    rows = rng.choice(len(next(iter(values.values()))), size=tuning.TIES)
    tied = {k: np.array(v[rows]) for k, v in values.items()}
    for row in range(tuning.TIES):
        a, b = pairs[rng.integers(len(pairs))]
        low, high = max(box[a].low, box[b].low), min(box[a].high, box[b].high)
        tied[a][row] = np.clip(tied[a][row], low, high)
        lent = tied[a][row]
        tied[b][row] = lent if lent.ndim == tied[b][row].ndim else lent[0]
    return tied


def lifted_points(tops: Iterable[Candidate], family: Family, shape: Shape) -> Array:
    """Points of the cube of `family` under `shape` that resemble known instances, (B, width).

    Longer axes (more clients, rounds, coordinates) repeat the first entry in one copy and the last
    one in another.
    """
    copies = [(top, last) for top in tops for last in (False, True)]
    if not copies:
        return np.zeros((0, family.width(shape)))
    values = {}
    for name, parameter in family.box.items():
        lengths = parameter.lengths(shape)
        values[name] = np.array(
            [
                stretched(np.asarray(top.values[name], dtype=float), lengths, last)
                for top, last in copies
            ]
        )
    found = family.encode(values, shape)
    # by their bytes: numpy compares rows by a type that it makes of them, in which a limit that
    # strikes becomes another error
    known = {row.tobytes(): number for number, row in reversed([*enumerate(found)])}
    return found[sorted(known.values())]


def stretched(value: Array, lengths: tuple[int, ...], last: bool) -> Array:
    """An array with longer or shorter axes: an entry repeated, or the first entries kept."""
    for axis, length in enumerate(lengths):
        have = value.shape[axis]
        if have == length:
            continue
        places = np.arange(length)
        repeated = have - 1 if last else 0
        value = np.take(value, np.where(places < have, places, repeated), axis=axis)
    return value


def _along(marked: Array, lengths: tuple[int, ...]) -> Array:
    return np.broadcast_to(marked.reshape((-1,) + (1,) * (len(lengths) - 1)), lengths)


CHANCES = np.cumsum([0.3, 0.2, 0.3, 0.1])
"""How often the first levels are drawn, each with those before it; the rest is the fifth's."""


def _levels(rng: np.random.Generator, size: tuple[int, ...]) -> Array:
    return np.asarray(tuning.LEVELS[CHANCES.searchsorted(rng.random(size), side="right")])


def _size(parameter: Real, shape: Shape) -> int:
    return int(np.prod(parameter.lengths(shape), dtype=int))
