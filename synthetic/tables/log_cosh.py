"""Regularised log-cosh regression: bounded gradients, and curvatures known between two numbers."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from synthetic.fields import every
from synthetic.tables.ridge_rows import RidgeRows
from synthetic.tables.softplus import bregman, softplus, tanh


class RegularisedLogCosh(RidgeRows):
    r"""Mean of log cosh of residuals plus a quadratic pull towards a centre.

    .. math:: R_k(\theta) = \frac{a_k}{n_k}\sum_j \log\cosh(\langle x_{kj},\theta\rangle - y_{kj})
              + \frac\mu2\|\theta - c_k\|^2

    Data
    ----
    y : ``(..., N, n)``
        Targets, any numbers.
    X, counts, ridge, height, optimum, centre, batch
        See `RidgeRows`.

    Notes
    -----
    The curvature 1 of log cosh is met at a vanishing residual alone, so that
    beta_k = mu + a_k lambda_max(X^T X/n) is attained where all residuals vanish at one model and is
    an upper bound otherwise; `smoothness_bracket` tells how far it may be off.
    """

    name: ClassVar[str] = "log_cosh"
    flattest: ClassVar[int] = 1

    def row_place(self, inner: Array, labels: Array) -> Array:
        """The residual <x, theta> - y."""
        return inner - labels

    def row_losses(self, places: Array) -> Array:
        """Loss log cosh r = log(1 + e^-2|r|) + |r| - log 2."""
        size = generic.absolute(places)
        return softplus(-2 * size) + size - generic.log(2 * generic.ones_like(places))

    def row_slopes(self, places: Array, labels: Array) -> Array:
        """Slope tanh r."""
        return tanh(places)

    def row_bends(self, places: Array) -> Array:
        """1 - tanh^2 r."""
        return 1 - tanh(places) ** 2

    def row_excess(self, places: Array, change: Array) -> Array:
        """A Bregman distance: log cosh r is log(1 + e^2r) but for an affine function."""
        return bregman(-2 * places, -2 * change)

    @cached_property
    def smoothness_bracket(self) -> tuple[Array, Array]:
        """Numbers that the smallest beta_k lies between, ``(..., N)`` each.

        The largest curvature at the client's own minimiser, and `client_smoothness`.
        """
        low = generic.largest_eigenvalue(self.own_hessians(self.optimum))
        return low, self.client_smoothness

    def row_gaps(self) -> Array:
        r"""How far the gradients of two clients' means over rows can be apart, ``(..., N, N)``.

        On one table for all, with targets y and y',

        .. math:: \tfrac1n\sum_j |x_j|\,\bigl(2\min(a_i,a_k)\tanh(|y_j-y_j'|/2) + |a_i-a_k|\bigr);

        as |tanh(r + delta) - tanh(r)| is largest at r = -delta/2; on different ones the sum of both
        lengths.
        """
        table, first = self.data["X"], self.data["X"][..., :1, :, :]
        if "counts" in self.data or not every(table == first):
            return super().row_gaps()
        length = generic.sqrt(generic.squared_norm(first))[..., None, :]  # (..., 1, 1, n)
        targets, height = self.data["y"], self.height
        apart = generic.absolute(targets[..., :, None, :] - targets[..., None, :, :])
        low = generic.minimum(height[..., :, None], height[..., None, :])[..., None]
        extra = generic.absolute(height[..., :, None] - height[..., None, :])[..., None]
        return generic.mean(length * (2 * low * tanh(apart / 2) + extra))
