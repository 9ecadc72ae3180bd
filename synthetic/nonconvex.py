r"""Smooth non-convex losses with rational values: t^2 / (1 + t^2), shifted per client."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from synthetic.separable import SeparableLoss


class SaturatedLoss(SeparableLoss):
    r"""R_k(theta) = a_k sum_j h((theta_j - m_kj)/l) with h(t) = t^2 / (1 + t^2).

    Geman and McClure's loss: h'' = (2 - 6 t^2) / (1 + t^2)^3 lies in [-1/2, 2], the ends
    attained at 1 and 0. It flattens out, so no PL constant is positive, and gradients are
    bounded: |h'| <= 3 sqrt(3) / 8. Rational data gives rational losses and gradients.
    """

    name: ClassVar[str] = "nonconvex"
    curvature_high: ClassVar[int] = 2
    curvature_low: ClassVar[Fraction] = Fraction(-1, 2)
    pl: ClassVar[Fraction] = Fraction(0)

    def shape(self, t: Array) -> Array:
        """h(t) = t^2 / (1 + t^2)."""
        return t**2 / (1 + t**2)

    def slope(self, t: Array) -> Array:
        """h'(t) = 2 t / (1 + t^2)^2."""
        return 2 * t / (1 + t**2) ** 2

    def squared_slope_gap(self, delta: Array) -> Array:
        """Upper bound min(4 delta^2, 27/16): Lipschitz slope, and twice its largest value."""
        square = 4 * delta**2
        return generic.minimum(square, 27 * generic.ones_like(square) / 16)
