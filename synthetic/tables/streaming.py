"""Streaming least squares: y = <x, target_k> with fresh Gaussian features at every step."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field, every, is_exact, is_tensor
from synthetic.quadratic import check_form
from synthetic.tables.sampled import SampledLeastSquares


class StreamingLeastSquares(SampledLeastSquares):
    r"""R_k(theta) = E(<x, theta> - y)^2 = (theta - target_k)^T H_k (theta - target_k).

    .. math:: g_k(\theta) = \frac2b \sum_{j \le b} x_j (\langle x_j, \theta \rangle - y_j),
              \qquad x_j \sim N(0, H_k), \quad y_j = \langle x_j, \theta^\star_k \rangle.

    With e = theta - target_k, the variance of g_k is 4/b (tr(H) e^T H e + ||H e||^2): zero at
    the optimum, unbounded far from it. Labels may carry independent normal noise of variance s^2,
    which adds s^2 to every loss and 4 s^2 tr(H) / b to the variance.

    Data
    ----
    H : ``(..., N, d, d)``, loss / length^2
        Positive definite covariance of the features.
    targets : ``(..., N, d)``, length
    label_variance : ``(..., N)``, loss, >= 0
        s_k^2; without it the labels are exact, as in the paper.
    batch, sigma
        See `SampledLeastSquares`; the batch is 2 by default, as in Table S1.

    Source: adaptive, Section 5 (synthetic data), Table S1.
    """

    name: ClassVar[str] = "streaming"
    fields: ClassVar[dict[str, Field]] = {
        "H": Field("N d d", (1, -2), required=True),
        "targets": Field("N d", (0, 1), required=True),
        "label_variance": Field("N", (1, 0), sign="nonnegative"),
    }
    options: ClassVar[dict[str, Any]] = {"batch": 2}

    def check(self) -> None:
        """Check the covariances."""
        check_form("H", self.data["H"])
        super().check()

    def about(self, origin: Array) -> StreamingLeastSquares:
        """Return the same federation with the origin moved to a point per client, (..., N, d).

        The claimed sigma stays what it was, also where it is the deviation at the old origin.
        """
        sigma = generic.sqrt(self.noise_variance)
        return type(self)({**self.data, "targets": self.data["targets"] - origin, "sigma": sigma})

    @cached_property
    def form(self) -> Array:
        """The covariances H_k."""
        return self.data["H"]

    @cached_property
    def optimum(self) -> Array:
        """The targets."""
        return self.data["targets"]

    @cached_property
    def optimal_value(self) -> Array:
        """The variance of the labels' noise, zero without it."""
        if "label_variance" in self.data:
            return self.data["label_variance"]
        return generic.zeros_like(self.optimum[..., 0])

    @property
    def law(self) -> str:
        """Gaussian words; they become features through the Cholesky factor of H_k."""
        return "gaussian"

    @property
    def noise_width(self) -> int:
        """One word per feature coordinate, batch * d, then one per noisy label."""
        return self.batch * (self.dim + ("label_variance" in self.data))

    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """Minibatch gradients from words ``(..., N, w)`` of variance 1/w."""
        # sqrt(w) u is standard normal: its square goes to the residual, one number per sample
        width = u.shape[-1]
        inputs = u if "label_variance" not in self.data else u[..., : self.batch * self.dim]
        normals = (
            inputs.reshape((*u.shape[:-1], self.batch, self.dim))
            if self.batch > 1
            else (inputs[..., None, :])
        )
        root = self._root
        features = normals if root is None else generic.matvec(root[..., None, :, :], normals)
        error = thetas - self.optimum
        residual = generic.dot(features, error[..., None, :])  # (..., N, batch)
        if "label_variance" in self.data:
            scale = generic.sqrt(self.data["label_variance"])[..., None]
            residual = residual - scale * u[..., self.batch * self.dim :]
        pulled = ((2 * width / self.batch) * residual)[..., None] * features
        return pulled[..., 0, :] if self.batch == 1 else generic.total(pulled, -2)

    def own_gradient_variance(self, thetas: Array) -> Array:
        """4/b (tr(H_k) e^T H_k e + ||H_k e||^2) with e = theta_k - target_k."""
        error = thetas - self.optimum
        pushed = generic.matvec(self.form, error)
        square = self._trace * generic.dot(error, pushed) + generic.squared_norm(pushed)
        return 4 * (square + self.optimal_value * self._trace) / self.batch

    def gradient_covariance(self, mean: Array, covariance: Array) -> Array:
        """Expected covariance of each g_k at a point of this mean and covariance.

        4/b ((tr(H S) + s^2) H + H S H) for S = E e e^T, from
        E x x^T S x x^T = tr(H S) H + 2 H S H.
        """
        error = mean[..., None, :] - self.optimum
        second = error[..., :, None] * error[..., None, :] + covariance[..., None, :, :]
        trace = generic.total(generic.total(self.form * second))[..., None, None]
        pushed = generic.matmul(generic.matmul(self.form, second), self.form)
        power = trace + self.optimal_value[..., None, None]
        return 4 * (power * self.form + pushed) / self.batch

    @cached_property
    def _trace(self) -> Array:
        return generic.total(self.form.diagonal(0, -2, -1))

    @cached_property
    def _root(self) -> Array | None:
        """Lower factor L of H = L L^T, ``(..., N, d, d)``; None where every H is the identity."""
        remedy = "use the exact variance, or float data for simulation"
        numeric = not is_exact(self.form)
        require(numeric, "H", "an array of floats to draw features", "exact numbers", remedy)
        unit = generic.eye(self.dim, self.form)
        if every(self.form == unit):
            return None
        if is_tensor(self.form):
            import torch

            factor, failed = torch.linalg.cholesky_ex(self.form)
            definite = not bool(failed.any())
        else:
            try:
                factor, definite = np.linalg.cholesky(self.form), True
            except np.linalg.LinAlgError:
                factor, definite = None, False
        remedy = "raise its smallest eigenvalue above zero"
        require(definite, "H", "positive definite to draw features", "a singular matrix", remedy)
        return factor


def two_clusters(
    dim: int,
    clients: int = 20,
    *,
    seed: int,
    instances: int | None = None,
    batch: int = 2,
    spread: float = 1.0,
    **more: Array,
) -> StreamingLeastSquares:
    """The paper's synthetic federation: client i aims at target i mod 2, H_i = I.

    Parameters
    ----------
    dim : int
        2 or 10 in the paper.
    instances : int, optional
        Federations on a leading axis, each with targets of its own; without it there is no axis.
    spread : float
        Standard deviation of each coordinate of the two targets. The paper does not give
        their law; they are normal here.
    **more
        Further fields of `StreamingLeastSquares`: sigma, label_variance.

    Source: adaptive, Section 5: the printed H_i = P_i^T Diag(1) P_i is the identity.
    """
    shape = (2, dim) if instances is None else (instances, 2, dim)
    targets = np.random.default_rng(seed).normal(scale=spread, size=shape)
    return StreamingLeastSquares(
        {
            "H": np.broadcast_to(np.eye(dim), (clients, dim, dim)).copy(),
            "targets": targets[..., np.arange(clients) % 2, :],
            "batch": batch,
            **more,
        }
    )
