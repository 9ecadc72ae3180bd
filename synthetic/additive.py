"""Additive noise: g_k(theta) = grad R_k(theta) + noise_scale_k u_k with E u = 0, E||u||^2 = 1."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field, is_exact
from synthetic.noise.word_law import WordLaw, near

LAWS = ("none", "two_point", "finite", "gaussian", "sphere")


class AdditiveNoise(WordLaw):
    """A problem whose stochastic gradients carry noise that does not depend on the point.

    Data
    ----
    noise_scale : ``(..., N)``, loss / length, >= 0
        Actual standard deviation; default 0.
    sigma : ``(..., N)``, loss / length, > 0
        Claimed bound of A2, at least `noise_scale`; default `noise_scale`.
    law : str
        One of none, two_point, finite, gaussian, sphere. Default two_point where
        `noise_scale` is given, else none.
    skew, values, probabilities
        As in `WordLaw`.
    direction : ``(..., N, d)``
        For two_point and finite: the unit vector that carries the noise; default e_1.
    """

    fields: ClassVar[dict[str, Field]] = {
        "noise_scale": Field("N", (1, -1), sign="nonnegative"),
        "sigma": Field("N", (1, -1), sign="positive"),
        "direction": Field("N d", (0, 0)),
    }
    options: ClassVar[dict[str, Any]] = {"law": None}

    @cached_property
    def law(self) -> str:
        """Name of the law of the standardised draws."""
        named = self.option("law")
        if named is not None:
            return str(named)
        return "two_point" if "noise_scale" in self.data else "none"

    @property
    def noise_width(self) -> int:
        """Words per gradient: d for gaussian and sphere, 1 along a fixed direction."""
        return self.dim if self.law in ("gaussian", "sphere") else 1

    def check(self) -> None:
        """Check the law and that it is standardised."""
        remedy = f"use one of {', '.join(LAWS)}"
        require(self.law in LAWS, "law", "a known law", self.law, remedy)
        super().check()
        if "direction" in self.data:
            norm = generic.squared_norm(self.data["direction"])
            near("direction", norm, 1, "of norm 1", "divide it by its norm")
        if "sigma" in self.data and "noise_scale" in self.data and self.law != "none":
            slack = 1 if is_exact(self.data["sigma"]) else 1 + 1e-12
            ok = bool((self.data["noise_scale"] <= self.data["sigma"] * slack).all())
            remedy = "claim a larger sigma"
            require(ok, "sigma", "at least noise_scale", "a smaller value", remedy)

    @cached_property
    def noise_scale(self) -> Array:
        """Actual standard deviation of each client's gradient noise, ``(..., N)``."""
        if self.law == "none" or "noise_scale" not in self.data:
            return generic.zeros_like(self.optimum[..., 0])
        return self.data["noise_scale"]

    @cached_property
    def noise_variance(self) -> Array:
        """sigma_k^2 of A2 as claimed: sigma^2, by default noise_scale^2."""
        return self.data["sigma"] ** 2 if "sigma" in self.data else self.noise_scale**2

    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """Grad R_k(theta_k) + noise_scale_k u_k, ``(..., N, d)``."""
        gradients = self.own_gradients(thetas)
        if self.law == "none":
            return gradients
        return gradients + self.noise_vectors(u)

    def noise_vectors(self, u: Array) -> Array:
        """noise_scale_k u_k, ``(..., N, w)`` to ``(..., N, d)``."""
        return self.noise_scale[..., None] * self._vectors(u)

    def own_gradient_variance(self, thetas: Array) -> Array:
        """noise_scale_k^2 at every point."""
        return self.noise_scale**2 + generic.zeros_like(thetas[..., 0])

    def gradient_covariance(self, mean: Array, covariance: Array) -> Array:
        """Expected covariance of each client's gradient noise, ``(..., N, d, d)``.

        The same at every point, whatever mean and covariance the point has.
        """
        if self.law in ("gaussian", "sphere"):
            shape = generic.eye(self.dim, self.optimum) / self.dim
        else:
            direction = self._direction()
            shape = direction[..., :, None] * direction[..., None, :]
        return (self.noise_scale**2)[..., None, None] * shape

    def noise_support(self) -> tuple[Array, Array]:
        """Values and probabilities ``(..., N, S)`` of one word."""
        if self.law == "none":
            one = generic.ones_like(self.optimum[..., :1])
            return 0 * one, one
        return super().noise_support()

    def per_client(self) -> Array:
        """The scale of the noise."""
        return self.noise_scale

    def _vectors(self, u: Array) -> Array:
        """Standardised words (..., N, w) as vectors (..., N, d)."""
        if self.law in ("gaussian", "sphere") or (self.dim == 1 and "direction" not in self.data):
            return u
        return u * self._direction()

    def _direction(self) -> Array:
        if "direction" in self.data:
            return self.data["direction"]
        return generic.eye(self.dim, self.optimum)[0]
