"""Least squares whose gradient noise comes from sampling, so that it grows with the error."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from synthetic.fields import Field
from synthetic.quadratic import QuadraticLoss
from synthetic.tables.row_numbers import Minibatches


class SampledLeastSquares(Minibatches, QuadraticLoss):
    """Quadratic losses with minibatch gradients.

    The variance of g_k(theta) is a quadratic function of theta: A2 holds on no neighbourhood
    of infinity, whatever sigma is claimed. `gradient_variance` gives the exact value.

    Data
    ----
    sigma : ``(..., N)``, loss / length, > 0
        Claimed sigma_k; by default the exact standard deviation at the origin, where runs of
        the paper start.
    batch
        See `Minibatches`.
    """

    bounded_variance: ClassVar[bool] = False
    fields: ClassVar[dict[str, Field]] = {"sigma": Field("N", (1, -1), sign="positive")}

    @cached_property
    def noise_variance(self) -> Array:
        """The claimed sigma_k^2, ``(..., N)``; true at the origin only where not given."""
        if "sigma" in self.data:
            return self.data["sigma"] ** 2
        return self.own_gradient_variance(generic.zeros_like(self.optimum))
