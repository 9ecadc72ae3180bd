"""Quadratic federations: R_k(theta) = (theta + xi_k)^T A_k (theta + xi_k), or half of it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.heterogeneity import bias_and_slope
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require, symmetric
from synthetic.additive import AdditiveNoise
from synthetic.fields import Field, every, is_exact
from synthetic.problem import Problem


class QuadraticLoss(Problem):
    """Losses R_k(theta) = (h/2) (theta - opt_k)^T A_k (theta - opt_k) + R_k(opt_k).

    h is 2, or 1 where `half` is set. A family gives `form` (the A_k), `optimum` and, where
    the minimum is not zero, `optimal_value`; every constant follows.
    """

    constant_ranks: ClassVar[dict[str, int]] = {"form": 3}

    @cached_property
    def form(self) -> Array:
        """The matrices A_k, ``(..., N, d, d)``; unit loss / length^2."""
        raise NotImplementedError

    @property
    def half(self) -> bool:
        """Whether the loss carries the factor 1/2."""
        return False

    @property
    def curvature_factor(self) -> int:
        """h: the Hessian of R_k is h A_k."""
        return 1 if self.half else 2

    @cached_property
    def mean_optimum(self) -> Array:
        """The minimiser of the plain average of the losses, ``(..., d)``; length.

        It is where FedAvg with one local step stands still and with more of them drifts. Where the
        matrices together are singular there is none, or many: the entries are not finite then.
        """
        pull = generic.total(generic.matvec(self.form, self.optimum), -2)
        return generic.solve(generic.total(self.form, -3), pull)

    @property
    def hessian(self) -> Array:
        """The Hessians h A_k, ``(..., N, d, d)``."""
        return self.form if self.half else 2 * self.form

    @cached_property
    def optimal_value(self) -> Array:
        """Each client's minimum, here zero, ``(..., N)``."""
        return generic.zeros_like(self.optimum[..., 0])

    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k), ``(..., N)``."""
        return self.own_excess(thetas) + self.optimal_value

    def own_excess(self, thetas: Array) -> Array:
        """R_k(theta_k) - R_k(opt_k) as a square, so that no digits cancel."""
        error = thetas - self.optimum
        square = generic.dot(error, generic.matvec(self.form, error))
        return square / 2 if self.half else square

    def own_gradients(self, thetas: Array) -> Array:
        """H A_k (theta_k - opt_k), ``(..., N, d)``."""
        slope = generic.matvec(self.form, thetas - self.optimum)
        return slope if self.half else 2 * slope

    def gradient_covariance(self, mean: Array, covariance: Array) -> Array:
        """Expected covariance of each client's gradient noise, ``(..., N, d, d)``.

        Parameters
        ----------
        mean, covariance : ``(..., d)`` and ``(..., d, d)``
            Of the point at which the gradients are taken.

        Raises
        ------
        InvalidInput
            By a family whose noise is of no degree at most two in the point.
        """
        known, remedy = "one whose noise has a closed covariance", "simulate it instead"
        require(False, "problem", known, self.name, remedy)
        raise NotImplementedError

    def expected_excess(self, mean: Array, covariance: Array) -> Array:
        """E R_k(theta) - R_k(opt_k) for theta of this mean and covariance.

        Parameters
        ----------
        mean : ``(..., d)``
        covariance : ``(..., d, d)``

        Returns
        -------
        array ``(..., N)``
        """
        trace = generic.total(generic.total(self.form * covariance[..., None, :, :]))
        return self.excess(mean) + (trace / 2 if self.half else trace)

    @cached_property
    def client_smoothness(self) -> Array:
        """beta_k = h lambda_max(A_k)."""
        return self.curvature_factor * generic.largest_eigenvalue(self.form)

    @cached_property
    def client_strong_convexity(self) -> Array:
        """mu_k = h lambda_min(A_k)."""
        return self.curvature_factor * generic.smallest_eigenvalue(self.form)

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        """b_ik^2 and c_ik of A3 at a place s of the trade-off curve, ``(..., N, N)``."""
        squared_bias, slope = bias_and_slope(self.form, -self.optimum, s, half=self.half)
        return squared_bias, slope

    def heterogeneity_of(self, asking: int, s: Any = 1) -> tuple[Array, Array]:
        """The row of one asking client, without the others' N^2 matrices."""
        found = bias_and_slope(self.form, -self.optimum, s, half=self.half, asking=asking)
        return found[0][..., 0, :], found[1][..., 0, :]


class Quadratic(AdditiveNoise, QuadraticLoss):
    """Quadratics with chosen matrices and shifts, and additive noise.

    Data
    ----
    A : ``(..., N, d, d)``, loss / length^2
        Symmetric, positive semi-definite.
    xi : ``(..., N, d)``, length
        Minus the minimisers.
    half : bool
        Whether the loss carries the factor 1/2; default False, as in the paper.
    noise_scale, sigma, law, skew, values, probabilities, direction
        See `AdditiveNoise`.

    Source: adaptive, Property 1.
    """

    name: ClassVar[str] = "quadratic"
    affine: ClassVar[bool] = True
    fields: ClassVar[dict[str, Field]] = {
        "A": Field("N d d", (1, -2), required=True),
        "xi": Field("N d", (0, 1), required=True),
    }
    options: ClassVar[dict[str, Any]] = {"half": False}

    def check(self) -> None:
        """Check that the matrices are symmetric and positive semi-definite."""
        super().check()
        check_form("A", self.form)

    @property
    def half(self) -> bool:
        """Whether the loss carries the factor 1/2."""
        return bool(self.option("half"))

    @cached_property
    def form(self) -> Array:
        """The matrices A_k."""
        return self.data["A"]

    def about(self, origin: Array) -> Quadratic:
        """Return the same federation with the origin moved to a point per client, (..., N, d)."""
        return type(self)({**self.data, "xi": self.data["xi"] + origin})

    @cached_property
    def optimum(self) -> Array:
        """The minimisers -xi_k."""
        return -self.data["xi"]


def check_form(name: str, form: Array) -> None:
    """Raise InvalidInput unless every matrix is symmetric and positive semi-definite.

    Floats may miss symmetry by rounding, and semi-definiteness by 1e-12 of the largest entry.
    """
    symmetric(name, form)
    d = int(form.shape[-1])
    slack = 0.0 if is_exact(form) else -1e-12 * float(abs(form).max())
    psd = bool((form.diagonal(0, -2, -1) >= slack).all())
    if psd and d == 2:
        # a determinant needs no eigenvalue solver and stays exact
        det = form[..., 0, 0] * form[..., 1, 1] - form[..., 0, 1] ** 2
        psd = every(det >= slack * (1 if is_exact(form) else float(abs(form).max())))
    elif psd and d > 2:
        psd = every(generic.smallest_eigenvalue(form) >= slack)
    remedy = "raise its smallest eigenvalue to zero or above"
    require(psd, name, "positive semi-definite", "a negative eigenvalue", remedy)
