r"""Hoelder-smooth sums of profiles: slopes are powers of what has slope one.

With a gauge p, p(0) = 0, that is 1-Lipschitz and at most B,

.. math:: \varphi'(t) = H w\Bigl[\theta\bigl(B^\nu - (B - p(t))^\nu\bigr)
          + (1-\theta)\,2^{\nu-1}\operatorname{sgn}(p(t))\,|p(t)|^\nu\Bigr] .

The first part has its cusp where the slope is largest, B right of zero; the second one at zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from bounds import generic as xp
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field, every
from synthetic.profiles.minima import lowest
from synthetic.profiles.stretches import SIDES, Stretched, both_sides, clipped, within

FLAT = 8
"""A gauge bends by 1/8 at least, or not at all: powers are not divided by less (no unit)."""


@dataclass(frozen=True, eq=False)
class GaugeStretch:
    """Where p, away from zero, goes from ``level`` at ``pace``, for ``room`` at most if ``bound``.

    On the left side levels and paces are those of -p: where they are positive, slopes lead up.
    """

    first: Array
    length: Array | None
    level: Array
    pace: Array
    room: Array
    bound: Array

    def moved(self, run: Array) -> Array:
        """How long p moves on the first ``run`` of the stretch: where it goes up, to B at most."""
        return xp.where(self.bound, xp.minimum(run, self.room), run)


class HoelderProfiles(Stretched):
    r"""Losses with \|grad R(x) - grad R(y)\| <= H \|x - y\|^nu.

    Data
    ----
    hoelder : ``(..., N)``, loss / length^(1 + nu), > 0
        H_k.
    exponent : ``(...)``, no unit, in (0, 1]
        nu.
    level : ``(..., N, d)``, length, >= 0
        B.
    blend : ``(..., N, d)``, no unit
        theta, cut to [0, 1].
    share : ``(..., N, d)``, no unit
        q with w_j = 2 |q_j| / (1 + |q|^2), weights whose squares sum to 1 at most.
    span, turn
        See `Stretched`.
    bend, tail : ``(..., N, d, 2, K)`` and ``(..., N, d, 2)``, no unit
        By how much p goes up on the right and down on the left, cut to [-1, 1], to zero where it is
        smaller than 1/8, and the tail to [1/8, 1].
    centre : ``(..., N, d)``, length
        The origin of the profiles. It is a minimiser only where none is lower.

    Notes
    -----
    |a^nu - b^nu| <= |a - b|^nu for numbers that are not negative, 2^(1 - nu) times that for any, so
    each phi_j' has the constant H w_j. In several coordinates, by Hoelder's inequality, the sum
    has H (sum of w_j^(2 / (1 - nu)))^((1 - nu) / 2), which is H at most.
    """

    name: ClassVar[str] = "hoelder_profiles"
    fields: ClassVar[dict[str, Field]] = {
        "hoelder": Field("N", (1, -2), sign="positive", required=True),
        "exponent": Field("", (0, 0), sign="positive", required=True),
        "level": Field("N d", (0, 1), sign="nonnegative", required=True),
        "blend": Field("N d", (0, 0), required=True),
        "share": Field("N d", (0, 0), required=True),
    }

    def check(self) -> None:
        """Check the exponent."""
        super().check()
        fits, nu = every(self.data["exponent"] <= 1), self.data["exponent"]
        require(fits, "exponent", "in (0, 1]", nu, "make it smaller")

    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k) above its minimum, which is 0."""
        right, left = both_sides(self._place(thetas))
        heights = self._climb(0, right) + self._climb(1, left)
        return xp.total(self._height * (heights - self._lowest[1]))

    def own_gradients(self, thetas: Array) -> Array:
        """Slopes of all profiles, reflected back."""
        right, left = both_sides(self._place(thetas))
        p = self._gauge(0, right) - self._gauge(1, left)  # one of the two is zero
        level = self.data["level"]
        first = self._power(level) - self._power(xp.positive_part(level - p))
        # sgn(p) |p|^nu; a ball around zero has no sign
        second = self._power(xp.positive_part(p)) - self._power(xp.positive_part(-p))
        slope = self._theta * first + (1 - self._theta) * self._half * second
        return self._turned(self._height * slope)

    @cached_property
    def optimum(self) -> Array:
        """A minimiser of each loss, ``(..., N, d)``; of several the first one from the origin."""
        return self.data["centre"] + self._turned(self._lowest[0])

    @cached_property
    def _height(self) -> Array:
        """H w_j, ``(..., N, d)``."""
        share = self.data["share"]
        weight = 2 * abs(share) / (1 + xp.squared_norm(share))[..., None]
        return self.data["hoelder"][..., None] * weight

    @cached_property
    def _theta(self) -> Array:
        return clipped(self.data["blend"], 0, 1)

    @cached_property
    def _half(self) -> Array:
        """2^(nu - 1)."""
        return xp.power(2 * xp.ones_like(self._nu), self._nu) / 2

    @cached_property
    def _nu(self) -> Array:
        return xp.trailing(self.data["exponent"], 2)

    def _power(self, x: Array) -> Array:
        return xp.power(x, self._nu)

    def _gauge(self, s: int, distance: Array) -> Array:
        """The gauge p at this distance on the right, -p on the left."""
        parts = self._sides[s]
        return sum(q.pace * q.moved(within(distance, q.first, q.length)) for q in parts)

    def _climb(self, s: int, distance: Array) -> Array:
        """Profiles over H w at this distance on one side."""
        return sum(
            self._climbed(s, part, within(distance, part.first, part.length))
            for part in self._sides[s]
        )

    def _climbed(self, s: int, part: GaugeStretch, run: Array) -> Array:
        """What profiles over H w gain on the first ``run`` of a stretch."""
        nu, level, sign = self._nu, self.data["level"], 1 - 2 * s
        moves, still = part.moved(run), part.pace == 0
        rest = xp.where(still, run, run - moves)
        pace = xp.where(still, xp.ones_like(part.pace), part.pace)
        end = part.level + part.pace * moves

        def swept(begin: Array, end: Array, by: Array) -> Array:
            """Integral of |u|^nu, u from begin to end at this pace, and what rests at the end."""
            last = end * self._power(end)
            moved = (last - begin * self._power(begin)) / ((1 + nu) * by)
            return xp.where(still, 0 * moved, moved)

        # slopes towards higher values: sign (B^nu - (B - sign u)^nu), and sgn(u) |u|^nu
        begins, ends = (xp.positive_part(level - sign * u) for u in (part.level, end))
        first = sign * (
            self._power(level) * run
            - swept(begins + 0 * run, ends, -sign * pace)
            - self._power(ends) * rest
        )
        up, down = (xp.positive_part(end), xp.positive_part(-end))
        size, before = up + down, abs(part.level) + 0 * run
        second = swept(before, size, pace) + (self._power(up) - self._power(down)) * rest
        return self._theta * first + (1 - self._theta) * self._half * second

    @cached_property
    def _lowest(self) -> tuple[Array, Array]:
        """Coordinates of a minimiser, and the minimum of each profile over H w."""
        return lowest(self._minima())

    def _minima(self) -> Iterator[tuple[Array, Array, Array]]:
        """Zero, and where gauges that led down vanish."""
        zero = 0 * self.data["span"][..., 0, 0]
        yield zero, zero, zero == 0
        for s, sign in enumerate((1, -1)):
            for part in self._sides[s]:
                rises = xp.above(part.pace, 0) & xp.above(0 * part.level, part.level)
                run = -part.level / xp.where(rises, part.pace, xp.ones_like(part.pace))
                if part.length is not None:
                    rises = rises & xp.at_least(part.length, run)
                at = part.first + xp.where(rises, run, 0 * run)
                yield sign * at, self._climb(s, at), rises

    @cached_property
    def _sides(self) -> tuple[tuple[GaugeStretch, ...], ...]:
        return tuple(tuple(self._side(s)) for s in range(SIDES))

    def _side(self, s: int) -> Iterator[GaugeStretch]:
        """The stretches of one side, from zero outwards; -B <= -p on the left, p <= B."""
        span, bend, tail = (self.data[name] for name in ("span", "bend", "tail"))
        sign, most = 1 - 2 * s, self.data["level"]
        first = level = 0 * span[..., s, 0]
        for i in range(self.sizes["K"] + 1):
            length = span[..., s, i] if i < self.sizes["K"] else None
            if length is None:
                pace = clipped(FLAT * tail[..., s], 1, FLAT) / FLAT
            else:
                pace = clipped(bend[..., s, i], -1, 1)
                pace = xp.where(xp.at_least(FLAT * abs(pace), 1), pace, 0 * pace)
            bound = xp.above(sign * pace, 0)  # p goes up
            room = xp.where(bound, most - sign * level, most) / xp.where(
                pace == 0, xp.ones_like(pace), abs(pace)
            )
            made = GaugeStretch(first, length, level, pace, room, bound)
            yield made
            if length is not None:
                level = level + pace * made.moved(length)
                first = first + length
