r"""Federations of one scalar shape h, shifted and scaled: the base of the non-convex families."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from synthetic.additive import AdditiveNoise
from synthetic.fields import Field


class SeparableLoss(AdditiveNoise):
    r"""R_k(theta) = a_k sum_j h((theta_j - m_kj) / l) for a scalar shape h with minimum h(0) = 0.

    Data
    ----
    height : ``(..., N)``, loss, > 0
        a_k.
    centre : ``(..., N, d)``, length
        m_k, a minimiser of R_k.
    width : ``(...)``, length, > 0
        l, shared by the clients; default 1.
    noise_scale, sigma, law, skew, values, probabilities, direction
        See `AdditiveNoise`.

    Notes
    -----
    Constants of the shape give those of the loss: beta_k = a_k curvature_high / l^2, the
    (negative) lower curvature a_k curvature_low / l^2, PL constant a_k pl / l^2.
    """

    fields: ClassVar[dict[str, Field]] = {
        "height": Field("N", (1, 0), sign="positive", required=True),
        "centre": Field("N d", (0, 1), required=True),
        "width": Field("", (0, 1), sign="positive"),
    }
    curvature_high: ClassVar[int]
    curvature_low: ClassVar[Fraction]
    pl: ClassVar[Fraction]

    @abstractmethod
    def shape(self, t: Array) -> Array:
        """h(t), elementwise."""

    @abstractmethod
    def slope(self, t: Array) -> Array:
        """h'(t), elementwise."""

    @abstractmethod
    def squared_slope_gap(self, delta: Array) -> Array:
        """An upper bound of sup_t |h'(t + delta) - h'(t)|^2, elementwise."""

    @cached_property
    def width(self) -> Array:
        """l, ``(...)``."""
        if "width" in self.data:
            return self.data["width"]
        return generic.ones_like(self.data["height"])[..., 0]

    @cached_property
    def optimum(self) -> Array:
        """The centres."""
        return self.data["centre"]

    @cached_property
    def optimal_value(self) -> Array:
        """Zero."""
        return generic.zeros_like(self.data["height"])

    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k), ``(..., N)``; also the excess, as the minimum is 0."""
        return self.data["height"] * generic.total(self.shape(self._place(thetas)))

    def own_excess(self, thetas: Array) -> Array:
        """R_k(theta_k), as its minimum is 0."""
        return self.own_losses(thetas)

    def own_gradients(self, thetas: Array) -> Array:
        """(a_k / l) h'((theta_k - m_k) / l), ``(..., N, d)``."""
        scale = self.data["height"] / _column(self.width)
        return scale[..., None] * self.slope(self._place(thetas))

    @cached_property
    def client_smoothness(self) -> Array:
        """a_k curvature_high / l^2."""
        return self.curvature_high * self._unit_curvature

    @cached_property
    def client_strong_convexity(self) -> Array:
        """a_k curvature_low / l^2, negative: the lowest curvature."""
        return _times(self.curvature_low, self._unit_curvature)

    @cached_property
    def client_pl_constant(self) -> Array:
        """a_k pl / l^2."""
        return _times(self.pl, self._unit_curvature)

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        r"""b_ik^2 and c_ik of A3, ``(..., N, N)``.

        With rho = a_k/a_i - 1 and delta = (m_i - m_k)/l,

        .. math:: \nabla R_k - \nabla R_i
                  = \tfrac{a_k}{l} [h'(t + \delta) - h'(t)] + \rho \nabla R_i,

        so that b^2 = (1 + 1/s) D^2 and c = (1 + s) rho^2 where D bounds the first part.
        Where rho = 0 or D = 0 the other constant is taken without the factor.
        """
        a, m = self.data["height"], self.data["centre"]
        rho = a[..., None, :] / a[..., :, None] - 1
        delta = (m[..., :, None, :] - m[..., None, :, :]) / _column(_column(_column(self.width)))
        scale = (a / _column(self.width))[..., None, :]
        part = scale**2 * generic.total(self.squared_slope_gap(delta))
        one, s = generic.ones_like(part), generic.trailing(s, 2)
        squared_bias = part * generic.where(rho == 0, one, one + one / s)
        c = rho**2 * generic.where(part == 0, one, one + one * s)
        return squared_bias, c

    @cached_property
    def _unit_curvature(self) -> Array:
        return self.data["height"] / _column(self.width) ** 2

    def _place(self, thetas: Array) -> Array:
        return (thetas - self.data["centre"]) / _column(_column(self.width))


def _column(x: Array) -> Array:
    return x[..., None] if hasattr(x, "shape") else x


def _times(constant: Fraction, x: Array) -> Array:
    """Multiply by p/q without leaving the number kind of x."""
    return constant.numerator * x / constant.denominator
