"""Least squares on a user's own arrays, with minibatches drawn with replacement."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from synthetic.fields import Field
from synthetic.tables.row_numbers import RowNumbers
from synthetic.tables.rows import integers, pick_rows
from synthetic.tables.sampled import SampledLeastSquares


class LeastSquares(RowNumbers, SampledLeastSquares):
    r"""R_k(theta) = (1/n_k) sum_j (<x_kj, theta> - y_kj)^2, or half of it.

    .. math:: g_k(\theta) = \frac{h}{b} \sum_{j \in \text{batch}}
              x_{kj} (\langle x_{kj}, \theta \rangle - y_{kj}), \qquad h = 2 \text{ or } 1.

    Data
    ----
    X : ``(..., N, n, d)``, loss^(1/2) / length
        Rows of the clients; shorter tables are padded with any finite rows.
    y : ``(..., N, n)``, loss^(1/2)
    half : bool
    counts, batch
        See `RowNumbers`.
    sigma
        See `SampledLeastSquares`.

    Notes
    -----
    The draws are row numbers, so the noise has a finite law: n_k^batch outcomes per gradient.
    """

    name: ClassVar[str] = "least_squares"
    fields: ClassVar[dict[str, Field]] = {
        "X": Field("N n d", (0.5, -1), required=True),
        "y": Field("N n", (0.5, 0), required=True),
    }
    options: ClassVar[dict[str, Any]] = {"half": False}

    @property
    def half(self) -> bool:
        """Whether the loss carries the factor 1/2."""
        return bool(self.option("half"))

    def sample_numbers(self, every: bool) -> int:
        """Rows of a batch: the true gradient has a closed form."""
        return super().sample_numbers(False)

    def per_row(self) -> Array:
        """The labels."""
        return self.data["y"]

    @cached_property
    def form(self) -> Array:
        """X_k^T X_k / n_k, ``(..., N, d, d)``."""
        weighted = self.row_weights[..., None] * self.data["X"]
        return generic.matmul(weighted.swapaxes(-1, -2), self.data["X"])

    @cached_property
    def optimum(self) -> Array:
        """The least-squares solutions, ``(..., N, d)``."""
        weighted = self.row_weights * self.data["y"]
        return generic.solve(self.form, generic.total(weighted[..., None] * self.data["X"], -2))

    @cached_property
    def optimal_value(self) -> Array:
        """Mean squared residual at the optimum, ``(..., N)``."""
        square = generic.total(self.row_weights * self._residuals(self.optimum) ** 2)
        return square / 2 if self.half else square

    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """Minibatch gradients from row numbers ``(..., N, batch)``."""
        chosen = integers(u)
        features = pick_rows(self.data["X"], 1, chosen)  # (..., N, batch, d)
        labels = pick_rows(self.data["y"], 0, chosen)
        residual = generic.dot(features, thetas[..., None, :]) - labels
        pulled = generic.total(residual[..., None] * features, -2)
        return self.curvature_factor * pulled / self.batch

    def own_gradient_variance(self, thetas: Array) -> Array:
        """(1/b) mean_j ||g_kj - grad R_k||^2: a sum of squares, so that no digits cancel."""
        each = self._residuals(thetas)[..., None] * self.data["X"]
        gap = self.curvature_factor * each - self.own_gradients(thetas)[..., None, :]
        return generic.total(self.row_weights * generic.squared_norm(gap)) / self.batch

    def gradient_covariance(self, mean: Array, covariance: Array) -> Array:
        """Expected covariance of each g_k at a point of this mean and covariance.

        (h^2/b) (mean_j E[r_j^2] x_j x_j^T - A (e e^T + S) A), with E[r_j^2] = r_j(mean)^2 +
        x_j^T S x_j and e = mean - opt_k.
        """
        table, spread = self.data["X"], covariance[..., None, :, :]
        push = generic.total(generic.matmul(table, spread) * table)
        square = self._residuals(mean[..., None, :]) ** 2 + push
        weighted = (self.row_weights * square)[..., None] * table
        raw = generic.matmul(weighted.swapaxes(-1, -2), table)
        error = mean[..., None, :] - self.optimum
        second = error[..., :, None] * error[..., None, :] + spread
        centre = generic.matmul(generic.matmul(self.form, second), self.form)
        return self.curvature_factor**2 * (raw - centre) / self.batch

    def _residuals(self, thetas: Array) -> Array:
        """<x_kj, theta_k> - y_kj, ``(..., N, n)``."""
        return generic.dot(self.data["X"], thetas[..., None, :]) - self.data["y"]
