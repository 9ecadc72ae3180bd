r"""Losses without a smoothness constant: the largest of finitely many cuts, and of zero.

.. math:: R(x) = \max\Bigl(0,\ \max_j \langle a_j, y\rangle - \tfrac\rho2\|y\|^2 - e_j\Bigr),
          \qquad y = x - x_*, \ e_j \ge 0 .

With rho = 0 these are convex, and Lipschitz with the largest of the norms of the slopes; otherwise
R + (rho/2) |x|^2 is convex. What a method meets in either class (points, subgradients, values
above the minimum) is met in such a loss too: the cuts through what it met, with zero at the
minimiser, lie below the loss and touch it there.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.additive import AdditiveNoise
from synthetic.fields import Field


class Cuts(AdditiveNoise):
    """The largest of zero and of cuts that lie below zero at the minimiser.

    Data
    ----
    slope : ``(..., N, P, d)``, loss / length
        a_kj; or, in its place,
    lipschitz, tilt : ``(..., N)``, loss / length, and ``(..., N, P, d)``, no unit
        G_k >= 0 and p_kj with a_kj = 2 G_k p_kj / (1 + |p_kj|^2): every slope of norm G_k at most,
        and no other whatever the numbers are, fractions included.
    drop : ``(..., N, P)``, loss, >= 0
        e_kj: how far the cut lies below the minimum at the minimiser.
    centre : ``(..., N, d)``, length
        The minimiser x_*.
    bend : ``(..., N)``, loss / length^2, >= 0
        rho, by default zero.

    Notes
    -----
    Where several cuts are largest the gradient is that of the first: any of them is a subgradient.
    """

    name: ClassVar[str] = "cuts"
    fields: ClassVar[dict[str, Field]] = {
        "slope": Field("N P d", (1, -1)),
        "tilt": Field("N P d", (0, 0)),
        "drop": Field("N P", (1, 0), sign="nonnegative", required=True),
        "centre": Field("N d", (0, 1), required=True),
        "bend": Field("N", (1, -2), sign="nonnegative"),
        "lipschitz": Field("N", (1, -1), sign="nonnegative"),
    }

    def check(self) -> None:
        """Check that slopes are given in one way, and a bound on them for losses without bend."""
        super().check()
        bounded = [name in self.data for name in ("tilt", "lipschitz")]
        found = sorted(self.data)
        one = (bounded == [True, True]) != ("slope" in self.data) and any(bounded) == all(bounded)
        require(one, "slope", "given, or tilt and lipschitz", found, "pass one of the two")
        straight = "bend" not in self.data or not any(bounded)
        require(straight, "lipschitz", "of a loss without bend", found, "drop one of the two")

    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k)."""
        return self._largest(thetas)[0]

    def own_gradients(self, thetas: Array) -> Array:
        """A subgradient: a_j - rho y of the first cut that is largest, or zero."""
        return self._largest(thetas)[1]

    @cached_property
    def optimum(self) -> Array:
        """The centre of each loss."""
        return self.data["centre"]

    @cached_property
    def optimal_value(self) -> Array:
        """Zero."""
        return generic.zeros_like(self.data["centre"][..., 0])

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        """b^2 = (G_i + G_k)^2 and c = 0 of A3 where slopes are bounded, ``(..., N, N)``.

        A valid bound, not the best one; a loss with bend has none.
        """
        if "lipschitz" not in self.data:
            return self._unknown("heterogeneity"), self._unknown("heterogeneity")
        bound = self.data["lipschitz"]
        both = (bound[..., :, None] + bound[..., None, :]) ** 2
        part = both * (1 - generic.eye(self.clients, bound))
        return part, 0 * part

    @cached_property
    def _slopes(self) -> Array:
        if "slope" in self.data:
            return self.data["slope"]
        tilt = self.data["tilt"]
        share = 2 * tilt / (1 + generic.squared_norm(tilt))[..., None]
        return self.data["lipschitz"][..., None, None] * share

    def _largest(self, thetas: Array) -> tuple[Array, Array]:
        y = thetas - self.data["centre"]
        value, gradient = None, None
        for j in range(self.sizes["P"]):
            slope = self._slopes[..., j, :]
            here, along = generic.dot(slope, y) - self.data["drop"][..., j], slope + 0 * y
            if "bend" in self.data:
                bend = self.data["bend"]
                here = here - bend * generic.squared_norm(y) / 2
                along = along - bend[..., None] * y
            if value is None:
                value, gradient = here, along
                continue
            better = generic.above(here, value)
            value = generic.where(better, here, value)
            gradient = generic.where(better[..., None], along, gradient)
        below = generic.above(generic.zeros_like(value), value)
        value = generic.where(below, generic.zeros_like(value), value)
        return value, generic.where(below[..., None], generic.zeros_like(gradient), gradient)
