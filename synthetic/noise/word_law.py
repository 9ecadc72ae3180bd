"""The law of one standardised word of noise: with two points or with finitely many."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field, every, is_exact
from synthetic.problem import Problem


class WordLaw(Problem):
    """A problem whose words may follow a two-point or a finite law of mean 0 and variance 1.

    Data
    ----
    skew : ``(..., N)``, > 0
        For two_point: with m = skew the value is m with probability 1/(1+m^2) and -1/m
        otherwise, so that rational data gives a rational law. Default 1, a fair sign.
    values, probabilities : ``(..., N, S)``
        For finite: the law of one word, of mean 0 and variance 1.
    """

    fields: ClassVar[dict[str, Field]] = {
        "skew": Field("N", (0, 0), sign="positive"),
        "values": Field("N S", (0, 0)),
        "probabilities": Field("N S", (0, 0), sign="nonnegative"),
    }

    def check(self) -> None:
        """Check that a finite law is given and standardised."""
        super().check()
        if self.law == "finite":
            self._check_finite_law()

    @cached_property
    def skew(self) -> Array:
        """The parameter m of the two-point law, ``(..., N)``."""
        if "skew" in self.data:
            return self.data["skew"]
        return generic.ones_like(self.per_client())

    def per_client(self) -> Array:
        """Any array ``(..., N)`` of the problem's number kind."""
        return self.optimum[..., 0]

    def noise_support(self) -> tuple[Array, Array]:
        """Values and probabilities ``(..., N, S)`` of one word."""
        if self.law == "finite":
            return self.data["values"], self.data["probabilities"]
        if self.law == "two_point":
            m = self.skew
            share = 1 / (1 + m**2)
            return generic.stack([m, -1 / m], -1), generic.stack([share, m**2 * share], -1)
        return super().noise_support()

    def _check_finite_law(self) -> None:
        for name in ("values", "probabilities"):
            remedy = "pass an array (..., N, S)"
            require(name in self.data, name, "given for a finite law", "nothing", remedy)
        v, p = self.data["values"], self.data["probabilities"]
        near("probabilities", generic.total(p), 1, "a law of total mass 1", "normalise them")
        near("values", generic.total(p * v), 0, "of mean 0", "subtract the mean")
        near("values", generic.total(p * v**2), 1, "of variance 1", "rescale the noise instead")


def near(name: str, value: Any, target: int, condition: str, remedy: str) -> None:
    """Require a value: exactly of exact numbers, within 1e-6 (float32 data) otherwise.

    Raises
    ------
    InvalidInput
        Where an entry is further away; the message says by how much.
    """
    gap = abs(value - target)
    exact = is_exact(value) or isinstance(value, Fraction)
    ok = every(gap <= (0 if exact else 1e-6))
    widest = float(gap.max()) if hasattr(gap, "max") else float(gap)
    require(ok, name, condition, f"a gap of up to {widest:.3g}", remedy)
