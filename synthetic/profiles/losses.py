r"""Sums of profiles along orthogonal directions, functions of one variable with known bends.

.. math:: R(x) = \sum_j \varphi_j(u_j), \qquad u = Q (x - x_*),

where Q is a reflection and each profile is continuously differentiable, with slope zero at zero. On
a stretch of length l that begins with the slope s

.. math:: \varphi'(t) = s + c\,E(t), \qquad 0 \le t \le l,

with E(t) = t, so that c is the curvature; of (L0, L1)-smooth functions E grows faster.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from bounds import generic as xp
from bounds.numbers.shapes import Array
from synthetic.fields import Field
from synthetic.profiles.stretches import SIDES, Stretched, both_sides, within


@dataclass(frozen=True, eq=False)
class Stretch:
    """One stretch of one side of the profiles, arrays of shape ``(..., N, d)``.

    Attributes
    ----------
    first : array, length
        Distance from zero to where it begins.
    length : array, length, or None
        None of the last one, which has no end.
    slope, value : array, loss / length and loss
        At the beginning, slopes away from zero.
    bend : array, loss / length^2
        c.
    rate : array, 1 / length, or None
        By which E grows; None for E(t) = t.
    edge : array, length
        How far from zero the profile stays zero, as far as the stretches before this one tell.
    """

    first: Array
    length: Array | None
    slope: Array
    value: Array
    bend: Array
    rate: Array | None
    edge: Array

    def rise(self, run: Array) -> Array:
        """What the slope has gained after ``run``: c (t + r t^2 / 2 + r^2 t^3 / 6)."""
        if self.rate is None:
            return self.bend * run
        grown = self.rate * run
        return self.bend * run * (1 + grown / 2 + grown**2 / 6)

    def climb(self, run: Array) -> Array:
        """What the value has gained after ``run``."""
        straight = self.slope * run
        if self.rate is None:
            return straight + self.bend * run**2 / 2
        grown = self.rate * run
        return straight + self.bend * run**2 * (1 + grown / 3 + grown**2 / 12) / 2


class Profiles(Stretched):
    """Losses that are sums of profiles; what a stretch may be is the family's own.

    Far out each of them bends up: the tail is positive.
    """

    fields: ClassVar[dict[str, Field]] = {
        "tail": Field("N d E", (0, 0), sign="positive", required=True)
    }

    @abstractmethod
    def _bent(
        self, said: Array, length: Array | None, away: Array, slope: Array, value: Array
    ) -> tuple[Array, Array | None]:
        """Bend and rate of a stretch, arrays ``(..., N, d)``.

        Parameters
        ----------
        said : what the data say of its bend
        length : None of the last stretch
        away, slope, value : where it begins, counted from the edge, and what is there
        """

    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k); also the excess, as the minimum is 0."""
        return xp.total(self._heights(thetas))

    def own_gradients(self, thetas: Array) -> Array:
        """Slopes of all profiles, reflected back."""
        return self._turned(self._slopes(thetas))

    def _heights(self, thetas: Array) -> Array:
        """Every profile, zero at zero, ``(..., N, d)``."""
        parts = zip(self._sides, both_sides(self._place(thetas)), strict=True)
        return sum(p.climb(within(t, p.first, p.length)) for side, t in parts for p in side)

    def _slopes(self, thetas: Array) -> Array:
        """Slopes of all profiles, ``(..., N, d)``."""
        right, left = (
            sum(p.rise(within(t, p.first, p.length)) for p in side)
            for side, t in zip(self._sides, both_sides(self._place(thetas)), strict=True)
        )
        return right - left

    @cached_property
    def _sides(self) -> tuple[tuple[Stretch, ...], ...]:
        return tuple(tuple(self._side(s)) for s in range(SIDES))

    def _side(self, s: int) -> Iterator[Stretch]:
        """The stretches of one side, from zero outwards."""
        span, bend, tail = (self.data[name] for name in ("span", "bend", "tail"))
        first = slope = value = edge = 0 * span[..., s, 0]
        for i in range(self.sizes["K"] + 1):
            length = span[..., s, i] if i < self.sizes["K"] else None
            said = tail[..., s] if length is None else bend[..., s, i]
            # the first stretch that bends begins at the edge
            edge = xp.where((slope == 0) & (value == 0), first, edge)
            c, rate = self._bent(said, length, first - edge, slope, value)
            made = Stretch(first, length, slope, value, c, rate, edge)
            yield made
            if length is not None:
                value = value + made.climb(length)
                slope = slope + made.rise(length)
                first = first + length
