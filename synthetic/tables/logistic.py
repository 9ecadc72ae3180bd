"""Regularised logistic regression with known minimisers and mini-batches of rows."""

from __future__ import annotations

from typing import ClassVar

from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import every
from synthetic.tables.ridge_rows import RidgeRows
from synthetic.tables.softplus import bregman, sigmoid, softplus


class RegularisedLogistic(RidgeRows):
    r"""Logistic loss of margins plus a quadratic pull towards a centre.

    .. math:: R_k(\theta) = \frac{a_k}{n_k}\sum_j \log(1 + e^{-y_{kj}\langle x_{kj},\theta\rangle})
              + \frac\mu2\|\theta - c_k\|^2

    Data
    ----
    y : ``(..., N, n)``
        Labels, 1 or -1.
    X, counts, ridge, height, optimum, centre, batch
        See `RidgeRows`.

    Notes
    -----
    beta_k = mu + a_k lambda_max(X^T X/n)/4 is attained where all margins vanish.

    Source: aggregation, Section 2.1 (assumptions 1 to 4 on a bounded domain).
    """

    name: ClassVar[str] = "logistic"
    flattest: ClassVar[int] = 4

    def check(self) -> None:
        """Check labels too."""
        super().check()
        square = self.data["y"] ** 2
        require(every(square == 1), "y", "1 or -1", self.data["y"], "encode two classes")

    def row_place(self, inner: Array, labels: Array) -> Array:
        """The margin y <x, theta>."""
        return labels * inner

    def row_losses(self, places: Array) -> Array:
        """log(1 + e^-m)."""
        return softplus(-places)

    def row_slopes(self, places: Array, labels: Array) -> Array:
        """-y/(1 + e^m)."""
        return -labels * sigmoid(-places)

    def row_bends(self, places: Array) -> Array:
        """Bend q (1 - q) with q = 1/(1 + e^m)."""
        share = sigmoid(-places)
        return share * (1 - share)

    def row_excess(self, places: Array, change: Array) -> Array:
        """A Bregman distance of log(1 + e^-m)."""
        return bregman(places, change)
