r"""Lowest point of a parabola above a convex hull, in every number type.

.. math:: \min_{\alpha\in\Delta} \tfrac w2\Bigl\|x-\sum_i\alpha_iz_i\Bigr\|^2+\sum_i\alpha_ie_i

Some minimiser lives on at most d + 1 of the z_i in general position. All such faces are tried: the
unconstrained minimum over a face counts where its shares are not negative. Every candidate is a
point of the hull with its honest value, so rounding can lose digits and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bounds import generic
from bounds.numbers.shapes import Array

Apex = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class Faces:
    """All faces with one number of corners, side by side along a first axis.

    Attributes
    ----------
    corner : ``(F, ..., d)``
        First z_i of each face.
    level : ``(F, ...)``
        Its e_i.
    sides : list of ``(F, ..., d)``
        From it to the others.
    rises : list of ``(F, ...)``
        What e_i gains on the way.
    pivots, factors : lists of ``(F, ...)``
        Elimination of the Gram matrix of the sides; factors by row and column.
    sound : ``(F, ...)``
        Whether the corners are in general position.
    """

    corner: Array
    level: Array
    sides: list[Array]
    rises: list[Array]
    pivots: list[Array]
    factors: list[list[Array]]
    sound: Any

    def over(self, weight: Array, x: Array, axes: int) -> tuple[Any, Array, Array]:
        """Whether the minimum over the plane through a face lies in it, where, and how low."""
        corner, level = _wide(self.corner, axes + 1), _wide(self.level, axes)
        sides = [_wide(side, axes + 1) for side in self.sides]
        rises = [_wide(rise, axes) for rise in self.rises]
        shares = self._shares(
            [
                generic.dot(side, x - corner) - rise / weight
                for side, rise in zip(sides, rises, strict=True)
            ],
            axes,
        )
        inside: Any = _wide(self.sound, axes)
        place, rest = corner + 0 * x, 1 + 0 * weight
        for share, side, rise in zip(shares, sides, rises, strict=True):
            place, level, rest = place + share[..., None] * side, level + share * rise, rest - share
            inside = inside & generic.at_least(share, 0)
        inside = inside & generic.at_least(rest, 0)
        return inside, place, weight * generic.squared_norm(x - place) / 2 + level

    def _shares(self, right: list[Array], axes: int) -> list[Array]:
        """Solution of Gram times shares = right."""
        count = len(right)
        for a in range(count):
            for b in range(a + 1, count):
                right[b] = right[b] - _wide(self.factors[b][a], axes) * right[a]
        for a in reversed(range(count)):
            right[a] = right[a] / _wide(self.pivots[a], axes)
            for b in range(a + 1, count):
                right[a] = right[a] - _wide(self.factors[b][a], axes) * right[b]
        return right


def all_faces(apexes: Sequence[Apex], dim: int) -> list[Faces]:
    """Faces of up to d + 1 corners, by their number.

    Parameters
    ----------
    apexes : sequence of pairs
        z_i, shape (..., d), and e_i, shape (...).
    dim : int
        d.
    """
    sizes = range(1, min(dim + 1, len(apexes)) + 1)
    return [_faces([list(face) for face in combinations(apexes, size)]) for size in sizes]


def lowest(faces: Sequence[Faces], weight: Array, x: Array) -> tuple[Array, Array]:
    """Minimiser and minimum.

    Parameters
    ----------
    faces : sequence of Faces
        Of :func:`all_faces`.
    weight : ``(...)``, above zero
    x : ``(..., d)``

    Returns
    -------
    place : ``(..., d)``
        sum_i alpha_i z_i, which is unique.
    value : ``(...)``
    """
    # leading axes of all that meets here, beside the axis of faces
    axes = max(x.ndim - 1, weight.ndim, *(f.corner.ndim - 2 for f in faces))
    axes = max(axes, *(f.level.ndim - 1 for f in faces))
    best: tuple[Array, Array] | None = None
    for group in faces:
        inside, place, value = group.over(weight, x, axes)
        for j in range(len(value)):
            if best is None:
                best = place[j], value[j]
                continue
            better = inside[j] & generic.above(best[1], value[j])
            best = (
                generic.where(better[..., None], place[j], best[0]),
                generic.where(better, value[j], best[1]),
            )
    assert best is not None
    return best


def _faces(corners: list[list[Apex]]) -> Faces:
    """Faces of one size, with the elimination of their Gram matrices.

    Without pivots, entry by entry, so that it runs on arrays of any number. The matrix is positive
    definite where the corners are in general position.
    """
    columns = [
        (
            generic.stack([face[i][0] for face in corners]),
            generic.stack([face[i][1] for face in corners]),
        )
        for i in range(len(corners[0]))
    ]
    (corner, level), others = columns[0], columns[1:]
    sides, rises = [z - corner for z, _ in others], [e - level for _, e in others]
    gram = [[generic.dot(a, b) for b in sides] for a in sides]
    factors = [list(row) for row in gram]
    sound: Any = generic.at_least(0 * corner[..., 0], 0)
    pivots = []
    for a in range(len(gram)):
        definite = generic.above(gram[a][a], 0)
        sound = sound & definite
        pivot = generic.where(definite, gram[a][a], gram[a][a] ** 0)  # one, of the same kind
        pivots.append(pivot)
        for b in range(a + 1, len(gram)):
            factors[b][a] = gram[b][a] / pivot
            gram[b] = [x - factors[b][a] * y for x, y in zip(gram[b], gram[a], strict=True)]
    return Faces(corner, level, sides, rises, pivots, factors, sound)


def _wide(x: Any, rank: int) -> Any:
    """Insert axes after the first, up to so many others."""
    return x[(slice(None), *(None,) * (rank + 1 - x.ndim))]
