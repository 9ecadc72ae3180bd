r"""Families on which no method can be fast: the signs behind the sample-complexity lower bounds.

All agents share the loss :math:`\ell(x,\xi)=\tfrac Bd\sum_c|x_c-r\xi_c|` of which one sample shows
one coordinate, drawn uniformly, as :math:`B|x_c-r\xi|` with
:math:`P_j(\xi=1)=\tfrac12+\alpha_c\delta_j`. So

.. math:: f_j(x)=\frac Bd\sum_c\Bigl[\tfrac{1+2\alpha_c\delta_j}2|x_c-r|
          +\tfrac{1-2\alpha_c\delta_j}2|x_c+r|\Bigr],

minimised at :math:`\alpha r`, with :math:`\mathbb E\|g\|^2\le B^2` and gradients that differ by at
most 2 B |delta_j - delta_k| / sqrt d. With d = 1 it is the instance of
:mod:`bounds.allforall.lower`.

The losses have kinks, so the family has no smoothness and no place in the table of smooth ones.

Source: allforall, Theorem 1, Appendix B.2.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field, every
from synthetic.problem import Problem


class SignFamily(Problem):
    """Agents that toss coins of one sign pattern, each with its own bias.

    Data
    ----
    signs : ``(..., d)``
        alpha, entries +-1.
    delta : ``(..., N)``
        Bias of each agent's coins, in [0, 1/2].
    radius : ``(...)``, length
        r.
    size : ``(...)``, loss / length
        B.
    """

    name: ClassVar[str] = "signs"
    bounded_variance: ClassVar[bool] = True
    fields: ClassVar[dict[str, Field]] = {
        "signs": Field("d", (0, 0), required=True),
        "delta": Field("N", (0, 0), sign="nonnegative", required=True),
        "radius": Field("", (0, 1), sign="positive", required=True),
        "size": Field("", (1, -1), sign="positive", required=True),
    }

    def check(self) -> None:
        """Check the signs and the biases."""
        signs, delta = self.data["signs"], self.data["delta"]
        require(every(signs**2 == 1), "signs", "1 or -1", signs, "pass a sign vector")
        require(every(2 * delta <= 1), "delta", "at most 1/2", delta, "a chance stays in [0, 1]")

    @property
    def law(self) -> str:
        """One word names a coordinate and the face of its coin."""
        return "finite"

    @property
    def noise_width(self) -> int:
        """One word per sample."""
        return 1

    def noise_support(self) -> tuple[Array, Array]:
        """Words c (xi_c = 1) and d + c (xi_c = -1) with their chances, ``(..., N, 2 d)``."""
        tilt = self.data["delta"][..., None] * self.data["signs"][..., None, :]
        ones = generic.ones_like(tilt)
        up, down = (ones + 2 * tilt) / (2 * self.dim), (ones - 2 * tilt) / (2 * self.dim)
        chances = generic.stack([half[..., c] for half in (up, down) for c in range(self.dim)], -1)
        return generic.ones_like(chances).cumsum(-1) - 1, chances

    @cached_property
    def optimum(self) -> Array:
        """Alpha r for every agent; a minimiser also where delta_j = 0."""
        point = self.data["signs"] * self.data["radius"][..., None]
        return point[..., None, :] + 0 * self.data["delta"][..., :, None]

    @cached_property
    def optimal_value(self) -> Array:
        """B r (1 - 2 delta_j)."""
        scale = self.data["size"][..., None] * self.data["radius"][..., None]
        return scale * (1 - 2 * self.data["delta"])

    def own_losses(self, thetas: Array) -> Array:
        """f_j(theta_j)."""
        r, tilt = self.data["radius"][..., None, None], self._tilt()
        up, down = generic.absolute(thetas - r), generic.absolute(thetas + r)
        value = generic.total((1 + tilt) * up + (1 - tilt) * down)
        return self.data["size"][..., None] * value / (2 * self.dim)

    def own_gradients(self, thetas: Array) -> Array:
        """Mean of the answers, 0 for a term at its kink."""
        up, down = self._sides(thetas)
        tilt = self._tilt()
        slope = ((1 + tilt) * up + (1 - tilt) * down) / (2 * self.dim)
        return self.data["size"][..., None, None] * slope

    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """B sign(x_c - r xi) along the coordinate that was drawn."""
        up, down = self._sides(thetas)
        both = [side[..., c] for side in (up, down) for c in range(self.dim)]
        words = generic.stack(both, -1)  # (..., N, 2 d)
        places = generic.ones_like(words).cumsum(-1) - 1
        chosen = generic.indicator(places == u, words) * words
        answer = chosen[..., : self.dim] + chosen[..., self.dim :]
        return self.data["size"][..., None, None] * answer

    def own_gradient_variance(self, thetas: Array) -> Array:
        """E|g|^2 - |grad f|^2."""
        up, down = self._sides(thetas)
        tilt = self._tilt()
        raw = generic.total((1 + tilt) * up**2 + (1 - tilt) * down**2) / (2 * self.dim)
        square = generic.squared_norm(self.own_gradients(thetas))
        return self.data["size"][..., None] ** 2 * raw - square

    @cached_property
    def noise_variance(self) -> Array:
        """B^2, which bounds E|g|^2."""
        return self.data["size"][..., None] ** 2 + 0 * self.data["delta"]

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        """b_jk^2 = 4 B^2 (delta_j - delta_k)^2/d with c = 0: all gradients, at every point."""
        delta = self.data["delta"]
        gap = delta[..., :, None] - delta[..., None, :]
        squared = 4 * self.data["size"][..., None, None] ** 2 * gap**2 / self.dim
        return squared, 0 * squared

    def _tilt(self) -> Array:
        return 2 * self.data["delta"][..., None] * self.data["signs"][..., None, :]

    def _sides(self, thetas: Array) -> tuple[Array, Array]:
        r = self.data["radius"][..., None, None]
        return _sign(thetas - r), _sign(thetas + r)


def _sign(x: Array) -> Array:
    return generic.indicator(x > 0, x) - generic.indicator(x < 0, x)
