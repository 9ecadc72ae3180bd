r"""Non-convex losses with a Polyak-Lojasiewicz constant: t^2 + 3 sin^2 t, shifted per client."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from synthetic.separable import SeparableLoss


class WavyParabola(SeparableLoss):
    r"""R_k(theta) = a_k sum_j h((theta_j - m_kj)/l) with h(t) = t^2 + 3 sin^2 t.

    h'' = 2 + 6 cos 2t lies in [-4, 8], both ends attained. The PL inequality
    h'(t)^2 / 2 >= mu h(t) holds with mu = 7/40: the smallest ratio is 0.17553, near
    t = 2.2017. (The constant usually quoted, 1/32, is valid but five times too small.)

    Notes
    -----
    Proof of 7/40. For |t| <= 1, sin x >= x - x^3/6 gives h' >= 8t - 4t^3 >= 4t and
    h <= 4 t^2, ratio >= 2. For |t| >= 3, |h'| >= 2|t| - 3 and h <= t^2 + 3, and
    (2|t| - 3)^2 / 2 - 7/40 (t^2 + 3) is positive at 3 and increasing. Between, a partition
    into small intervals with ball arithmetic, in the tests.

    Source: Karimi, Nutini, Schmidt, "Linear convergence of gradient and proximal-gradient
    methods under the Polyak-Lojasiewicz condition" (2016), Section 2.2, for the shape.
    """

    name: ClassVar[str] = "pl"
    curvature_high: ClassVar[int] = 8
    curvature_low: ClassVar[Fraction] = Fraction(-4)
    pl: ClassVar[Fraction] = Fraction(7, 40)

    def shape(self, t: Array) -> Array:
        """h(t) = t^2 + 3 sin^2 t."""
        return t**2 + 3 * generic.sin(t) ** 2

    def slope(self, t: Array) -> Array:
        """h'(t) = 2 t + 3 sin 2t."""
        return 2 * t + 3 * generic.sin(2 * t)

    def squared_slope_gap(self, delta: Array) -> Array:
        """The exact supremum, (2|delta| + 6|sin delta|)^2.

        h'(t + delta) - h'(t) = 2 delta + 6 cos(2t + delta) sin delta.
        """
        return (2 * abs(delta) + 6 * abs(generic.sin(delta))) ** 2
