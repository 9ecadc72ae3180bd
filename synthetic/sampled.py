"""Least squares whose gradient noise comes from sampling, so that it grows with the error."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field
from synthetic.quadratic import QuadraticLoss


class SampledLeastSquares(QuadraticLoss):
    """Quadratic losses with minibatch gradients.

    The variance of g_k(theta) is a quadratic function of theta: A2 holds on no neighbourhood
    of infinity, whatever sigma is claimed. `gradient_variance` gives the exact value.

    Data
    ----
    sigma : ``(..., N)``, loss / length, > 0
        Claimed sigma_k; by default the exact standard deviation at the origin, where runs of
        the paper start.
    batch : int
        Samples per stochastic gradient.
    """

    bounded_variance: ClassVar[bool] = False
    fields: ClassVar[dict[str, Field]] = {"sigma": Field("N", (1, -1), sign="positive")}
    options: ClassVar[dict[str, Any]] = {"batch": 1}

    def check(self) -> None:
        """Check the batch size, then the quadratic."""
        valid = isinstance(self.option("batch"), int) and self.batch >= 1
        require(valid, "batch", "a positive integer", self.option("batch"), "use 1 or more")
        super().check()

    @property
    def batch(self) -> int:
        """Samples per stochastic gradient."""
        return int(self.option("batch"))

    @cached_property
    def noise_variance(self) -> Array:
        """The claimed sigma_k^2, ``(..., N)``; true at the origin only where not given."""
        if "sigma" in self.data:
            return self.data["sigma"] ** 2
        return self.own_gradient_variance(generic.zeros_like(self.optimum))
