r"""(L0, L1)-smooth sums of profiles: the curvature may grow with the slope.

A stretch that begins with the slope s gets steeper by a share k of what it may,

.. math:: \varphi'(t) = s \pm k (L_0 + L_1 |s|)\,(t + \tfrac r2 t^2 + \tfrac{r^2}6 t^3), \qquad
          r = k L_1,

the first terms of the exponential function, which would keep |phi''| = k (L0 + L1 |phi'|); of the
terms that are kept the curvature has one less than the slope, so it is below that. A stretch that
gets less steep has a constant curvature, at most L0 + L1 times the slope at its end, and at most L0
if the slope changes its sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

from bounds import generic as xp
from bounds.numbers.shapes import Array
from synthetic.fields import Field
from synthetic.profiles.losses import Profiles
from synthetic.profiles.minima import lowest
from synthetic.profiles.stretches import clipped


class GeneralisedSmoothProfiles(Profiles):
    r"""Profiles with |phi''| <= L0 + L1 |phi'|, so that the sum has this property with norms.

    Data
    ----
    L0 : ``(..., N)``, loss / length^2, > 0
    L1 : ``(..., N)``, 1 / length, >= 0
    span, bend, tail, turn
        See `Stretched`.
    centre : ``(..., N, d)``, length
        The origin of the profiles. It is a minimiser only where none is lower.

    Notes
    -----
    The Hessian is diagonal in the coordinates of the profiles, so its norm is one |phi_j''|, and
    |phi_j'| is at most the norm of the gradient. Between stretches the Hessian jumps; gradients are
    continuous, and the inequality holds wherever there is a Hessian.
    """

    name: ClassVar[str] = "generalised_profiles"
    fields: ClassVar[dict[str, Field]] = {
        "L0": Field("N", (1, -2), sign="positive", required=True),
        "L1": Field("N", (0, -1), sign="nonnegative", required=True),
    }

    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k) above its minimum, which is 0."""
        return xp.total(self._heights(thetas) - self._lowest[1])

    @cached_property
    def optimum(self) -> Array:
        """A minimiser of each loss, ``(..., N, d)``; of several the first one from the origin."""
        return self.data["centre"] + self._turned(self._lowest[0])

    def _bent(
        self, said: Array, length: Array | None, away: Array, slope: Array, value: Array
    ) -> tuple[Array, Array | None]:
        most, grows = (self.data[name][..., None] for name in ("L0", "L1"))
        share, steep = clipped(said, -1, 1), most + grows * abs(slope)
        size = abs(share)
        on = xp.at_least(share * slope, 0)  # steeper, or from zero
        sign = xp.where(xp.at_least(share, 0), xp.ones_like(share), -xp.ones_like(share))
        back = most * size
        if length is not None:
            slower = size * steep / (1 + grows * length)
            back = xp.where(
                xp.at_least(abs(slope), slower * length),
                slower,
                xp.maximum(abs(slope) / length, back),
            )
        bend = sign * xp.where(on, size * steep, back)
        return bend, xp.where(on, size * grows, 0 * bend)

    @cached_property
    def _lowest(self) -> tuple[Array, Array]:
        """Coordinates of a minimiser, and the minimum of each profile."""
        return lowest(self._minima())

    def _minima(self) -> Iterator[tuple[Array, Array, Array]]:
        """Zero, and where slopes that were negative vanish."""
        zero = 0 * self.data["span"][..., 0, 0]
        yield zero, zero, zero == 0
        for sign, side in zip((1, -1), self._sides, strict=True):
            for part in side:
                rises = xp.above(part.bend, 0) & xp.above(0 * part.slope, part.slope)
                bend = xp.where(rises, part.bend, xp.ones_like(part.bend))
                run = -part.slope / bend
                if part.length is not None:
                    rises = rises & xp.at_least(part.length, run)
                yield sign * (part.first + run), part.value + part.slope * run / 2, rises
