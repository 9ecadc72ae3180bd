r"""Lowest point of a parabola above a convex hull, in every number type.

.. math:: \min_{\alpha\in\Delta} \tfrac w2\Bigl\|x-\sum_i\alpha_iz_i\Bigr\|^2+\sum_i\alpha_ie_i

Some minimiser lives on at most d + 1 of the z_i in general position. All such faces are tried: the
unconstrained minimum over a face counts where its shares are not negative. Every candidate is a
point of the hull with its honest value, so rounding can lose digits and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from bounds import generic
from bounds.numbers.shapes import Array

Apex = tuple[Array, Array]


def lowest(apexes: Sequence[Apex], weight: Array, x: Array) -> tuple[Array, Array]:
    """Minimiser and minimum.

    Parameters
    ----------
    apexes : sequence of pairs
        z_i, shape (..., d), and e_i, shape (...).
    weight : ``(...)``, above zero
    x : ``(..., d)``

    Returns
    -------
    place : ``(..., d)``
        sum_i alpha_i z_i, which is unique.
    value : ``(...)``
    """
    first, level = apexes[0]
    place, value = first + 0 * x, _height(first, level, weight, x)
    for size in range(1, x.shape[-1] + 2):
        for face in combinations(apexes, size):
            if face[0] is apexes[0] and size == 1:
                continue
            inside, at, least = _over_face(face, weight, x)
            better = inside & generic.above(value, least)
            place = generic.where(better[..., None], at, place)
            value = generic.where(better, least, value)
    return place, value


def _height(z: Array, e: Array, weight: Array, x: Array) -> Array:
    return weight * generic.squared_norm(x - z) / 2 + e


def _over_face(face: Sequence[Apex], weight: Array, x: Array) -> tuple[Array, Array, Array]:
    """Whether the minimum over the plane through a face lies in it, where, and how low."""
    (z, e), others = face[0], face[1:]
    sides = [other - z for other, _ in others]
    rises = [level - e for _, level in others]
    gram = [[generic.dot(a, b) for b in sides] for a in sides]
    right = [
        generic.dot(side, x - z) - rise / weight for side, rise in zip(sides, rises, strict=True)
    ]
    shares, inside = _solved(gram, right)
    place, level = z + 0 * x, e + 0 * weight
    left = 1
    for share, side, rise in zip(shares, sides, rises, strict=True):
        place, level, left = place + share[..., None] * side, level + share * rise, left - share
        inside = inside & generic.at_least(share, 0)
    value = _height(place, level, weight, x)
    # a face of one point has no shares
    return (inside & generic.at_least(left + 0 * value, 0)), place, value


def _solved(matrix: list[list[Array]], right: list[Array]) -> tuple[list[Array], Any]:
    """Solution of a positive definite system, and where it is definite.

    Elimination without pivots, entry by entry, so that it runs on arrays of any number.
    """
    rows, right = [list(row) for row in matrix], list(right)
    definite: Any = True
    for a in range(len(rows)):
        sound = generic.above(rows[a][a], 0)
        definite = definite & sound
        rows[a][a] = generic.where(sound, rows[a][a], generic.ones_like(rows[a][a]))
        for b in range(a + 1, len(rows)):
            factor = rows[b][a] / rows[a][a]
            rows[b] = [x - factor * y for x, y in zip(rows[b], rows[a], strict=True)]
            right[b] = right[b] - factor * right[a]
    solution = list(right)
    for a in reversed(range(len(rows))):
        for b in range(a + 1, len(rows)):
            solution[a] = solution[a] - rows[a][b] * solution[b]
        solution[a] = solution[a] / rows[a][a]
    return solution, definite
