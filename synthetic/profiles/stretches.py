"""What all profiles share: stretches of a half-line, and reflected coordinates."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from bounds import generic as xp
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.additive import AdditiveNoise
from synthetic.fields import Field

SIDES = 2
"""Right of zero, then left of it."""


class Stretched(AdditiveNoise):
    """Stretches on both sides of zero in reflected coordinates; the base of all families here.

    Data
    ----
    span : ``(..., N, d, 2, K)``, length, > 0
        Lengths of the K stretches right and left of zero.
    bend : ``(..., N, d, 2, K)``, no unit
        How a stretch bends, up or down: 1 and more is as much as can be, and what is beyond the
        class is cut to it.
    tail : ``(..., N, d, 2)``, no unit
        How what lies behind the last stretch bends; of losses > 0.
    centre : ``(..., N, d)``, length
        x_*, from which coordinates are counted; the optimum.
    turn : ``(..., N, d)``, no unit
        Q is the reflection along this vector; the identity where it is zero or not given.
    noise_scale, sigma, law, skew, values, probabilities, direction
        See `AdditiveNoise`.
    """

    fields: ClassVar[dict[str, Field]] = {
        "span": Field("N d E K", (0, 1), sign="positive", required=True),
        "bend": Field("N d E K", (0, 0), required=True),
        "tail": Field("N d E", (0, 0), required=True),
        "centre": Field("N d", (0, 1), required=True),
        "turn": Field("N d", (0, 0)),
    }

    def check(self) -> None:
        """Check that there are two sides."""
        super().check()
        require(self.sizes["E"] == SIDES, "E", "2 sides", self.sizes["E"], "pass right and left")

    @cached_property
    def optimum(self) -> Array:
        """The centre: one minimiser of each loss, or one zero of each operator, ``(..., N, d)``."""
        return self.data["centre"]

    @cached_property
    def optimal_value(self) -> Array:
        """Zero."""
        return xp.zeros_like(self.data["centre"][..., 0])

    def own_excess(self, thetas: Array) -> Array:
        """R_k(theta_k), as its minimum is 0."""
        return self.own_losses(thetas)

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        """Not known: two losses, or operators, need not be alike anywhere."""
        return self._unknown("heterogeneity"), self._unknown("heterogeneity")

    def _place(self, thetas: Array) -> Array:
        """The coordinates u = Q (theta - x_*)."""
        return self._turned(thetas - self.data["centre"])

    def _turned(self, y: Array) -> Array:
        """Q y."""
        return reflected(y, self.data.get("turn"))


def reflected(y: Array, vector: Array | None) -> Array:
    """The reflection y - 2 v <v, y> / |v|^2, (..., d); y itself where v is zero or None.

    Of each vector its own inverse, orthogonal, and rational where v is.
    """
    if vector is None:
        return y
    square = xp.squared_norm(vector)
    share = 2 * xp.dot(vector, y) / xp.where(square == 0, xp.ones_like(square), square)
    return y - share[..., None] * vector


def both_sides(u: Array) -> tuple[Array, Array]:
    """Distances to zero on the right and on the left; one of them is zero."""
    return xp.positive_part(u), xp.positive_part(-u)


def within(distance: Array, first: Array, length: Array | None) -> Array:
    """How much of a stretch lies between zero and a point at this distance."""
    run = xp.positive_part(distance - first)
    return run if length is None else xp.minimum(run, length)


def clipped(x: Array, low: float | Array, high: float | Array) -> Array:
    """The number of [low, high] nearest to ``x``."""
    return xp.minimum(xp.maximum(x, low), high)
