r"""Operators in place of gradients: cocoercive ones, and monotone ones that need be no gradients.

An operator A has no loss. A method is told A(x) where it asks for a gradient, so that gradient
descent is the forward step x - h A(x); x_* is a zero of A, the centre.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import ClassVar

from bounds import generic as xp
from bounds.numbers.shapes import Array
from synthetic.fields import Field
from synthetic.profiles.stretches import Stretched, both_sides, clipped, reflected, within


class Operator(Stretched):
    """An operator that acts on coordinates by piecewise linear functions, and turns.

    Its bends are the slopes of these functions, cut to [-1, 1]; x_* is a zero, there may be others.
    """

    @abstractmethod
    def _apply(self, y: Array) -> Array:
        """A at x_* + y, ``(..., N, d)``."""

    def own_gradients(self, thetas: Array) -> Array:
        """A_k(theta_k)."""
        return self._apply(thetas - self.data["centre"])

    def own_losses(self, thetas: Array) -> Array:
        """There are none: raises InvalidInput."""
        return self._unknown("losses, which an operator has not")

    def _stretched(self, y: Array, low: float) -> Array:
        """Functions psi_j with slopes in [low, 1], low = -1 or 0, of the reflected coordinates."""
        sides = [self._side(s, t, low) for s, t in enumerate(both_sides(self._turned(y)))]
        return sides[0] - sides[1]

    def _side(self, s: int, distance: Array, low: float) -> Array:
        span, bend, tail = (self.data[name] for name in ("span", "bend", "tail"))
        first, value = 0 * span[..., s, 0], 0 * distance
        for i in range(self.sizes["K"] + 1):
            length = span[..., s, i] if i < self.sizes["K"] else None
            slope = clipped(tail[..., s] if length is None else bend[..., s, i], -1, 1)
            slope = slope if low else (1 + slope) / 2
            value = value + slope * within(distance, first, length)
            first = first if length is None else first + length
        return value


class Cocoercive(Operator):
    r"""A(x_* + y) = (y + N y) / (2 c) with N y = Q' psi(Q y) non-expansive.

    Data
    ----
    cocoercivity : ``(..., N)``, length^2 / loss, > 0
        c_k: <A x - A y, x - y> >= c_k |A x - A y|^2.
    lean : ``(..., N, d)``, no unit
        Q' is the reflection along this vector.
    span, bend, tail, centre, turn
        See `Stretched`.

    Notes
    -----
    A is c-cocoercive exactly where 2 c A - 1 is non-expansive (Bauschke and Combettes, "Convex
    Analysis and Monotone Operator Theory in Hilbert Spaces" (2017), Chapter 4).
    """

    name: ClassVar[str] = "cocoercive"
    fields: ClassVar[dict[str, Field]] = {
        "cocoercivity": Field("N", (-1, 2), sign="positive", required=True),
        "lean": Field("N d", (0, 0)),
    }

    @cached_property
    def client_smoothness(self) -> Array:
        """1 / c_k, a Lipschitz constant."""
        return 1 / self.data["cocoercivity"]

    @cached_property
    def client_strong_convexity(self) -> Array:
        """Zero, which says that A is monotone."""
        return 0 * self.data["cocoercivity"]

    def _apply(self, y: Array) -> Array:
        kept = reflected(self._stretched(y, -1), self.data.get("lean"))
        return (y + kept) / (2 * self.data["cocoercivity"][..., None])


class Monotone(Operator):
    r"""A(x_* + y) = L (1 - m^2) Q psi(Q y) + L m J y, J the quarter turn of pairs of coordinates.

    Data
    ----
    upper : ``(..., N)``, loss / length^2, > 0
        L_k, a Lipschitz constant of A.
    swirl : ``(..., N)``, no unit
        m, cut to [-1, 1]. In one dimension nothing turns.
    span, bend, tail, centre, turn
        See `Stretched`; here slopes are (1 + bend) / 2, with bends cut to [-1, 1].

    Notes
    -----
    With D the derivative of Q psi Q, 0 <= D <= 1, and b = 1 - m^2, the derivative of A / L is
    b/2 + m J + b (D - 1/2), of norm sqrt(b^2 / 4 + m^2) + b / 2 = 1 at most.
    """

    name: ClassVar[str] = "monotone"
    fields: ClassVar[dict[str, Field]] = {
        "upper": Field("N", (1, -2), sign="positive", required=True),
        "swirl": Field("N", (0, 0), required=True),
    }

    @cached_property
    def client_smoothness(self) -> Array:
        """L_k."""
        return self.data["upper"]

    @cached_property
    def client_strong_convexity(self) -> Array:
        """Zero: <A x - A y, x - y> >= 0."""
        return 0 * self.data["upper"]

    def _apply(self, y: Array) -> Array:
        m = clipped(self.data["swirl"], -1, 1)[..., None]
        pulled = self._turned(self._stretched(y, 0))
        return self.data["upper"][..., None] * ((1 - m**2) * pulled + m * _quarter(y))


def _quarter(y: Array) -> Array:
    """(-y_2, y_1, -y_4, y_3, ...); of an odd number of coordinates the last one becomes zero."""
    d = y.shape[-1]
    turned = [0 * y[..., j] for j in range(d)]
    for j in range(0, d - 1, 2):
        turned[j], turned[j + 1] = -y[..., j + 1], y[..., j]
    return xp.stack(turned, -1)
