r"""Smooth non-convex losses with piecewise linear gradients: two wells and a hump between them."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from synthetic.separable import SeparableLoss


class DoubleWell(SeparableLoss):
    r"""R_k(theta) = a_k sum_j h((theta_j - m_kj)/l), wells of h at 0 and 4, a hump at 2.

    h(t) is t^2/2 up to 1, 1 - (t - 2)^2/2 up to 3 and (t - 4)^2/2 beyond: h' has slope 1, -1 and 1,
    so beta_k = a_k/l^2 is attained with both signs, and rational data gives rational losses,
    gradients and proximal points. Over an interval everything that is affine in h' is largest in
    absolute value at an end or at a kink.
    """

    name: ClassVar[str] = "double_well"
    curvature_high: ClassVar[int] = 1
    curvature_low: ClassVar[Fraction] = Fraction(-1)
    pl: ClassVar[Fraction] = Fraction(0)

    def shape(self, t: Array) -> Array:
        """h(t)."""
        hump = 1 - (t - 2) ** 2 / 2
        return generic.where(t <= 1, t**2 / 2, generic.where(t >= 3, (t - 4) ** 2 / 2, hump))

    def slope(self, t: Array) -> Array:
        """h'(t)."""
        return generic.where(t <= 1, t, generic.where(t >= 3, t - 4, 2 - t))

    def squared_slope_gap(self, delta: Array) -> Array:
        """delta^2, as h' is 1-Lipschitz."""
        return delta**2

    @property
    def kinks(self) -> Array:
        """Where the gradient bends, ``(..., N, d, 2)``: m_k + l and m_k + 3 l."""
        width = generic.trailing(self.width, 2)
        return generic.stack([self.data["centre"] + width, self.data["centre"] + 3 * width], -1)

    def proximal(self, pull: Array, centre: Array) -> Array:
        """Minimisers of R_k + (pull_k/2) ||. - centre||^2 for pull_k > beta_k, ``(..., N, d)``.

        Parameters
        ----------
        pull : ``(..., N)``, loss / length^2
        centre : ``(..., d)``
        """
        stiff = (self.client_smoothness + 0 * pull)[..., None]
        pull = (pull + 0 * stiff[..., 0])[..., None]
        place = self._place(centre[..., None, :])
        first = pull * place / (stiff + pull)
        last = (pull * place + 4 * stiff) / (stiff + pull)
        hump = (pull * place - 2 * stiff) / (pull - stiff)
        inner = generic.where(last >= 3, last, hump)
        t = generic.where(first <= 1, first, inner)
        return self.data["centre"] + t * generic.trailing(self.width, 2)
