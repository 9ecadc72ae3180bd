r"""Smooth sums of profiles: Polyak-Lojasiewicz, of quadratic growth, star-convex; not all convex.

Curvatures lie in [-L, L], and each profile is at least zero. On a stretch of length l that begins
with the value phi and the slope s it may turn down

- ``pl``: by less than s / l, so that no slope but at minimisers is zero;
- ``growth``: as long as it could still be stopped, with curvature L, at a quarter of the height at
  which it could have been stopped before; so there are other minima, but higher ones;
- ``convex growth``: not at all;
- ``star``: as long as t phi'(t) >= phi(t), t counted from the minimisers; the difference of both is
  the sum of c (b^2 - a^2) / 2 over the stretches [a, b] before t.

A stretch at the beginning that would turn down is flat instead: minimisers need not be unique.

By the first two rules the plane of the first two coordinates may be twisted
(:mod:`synthetic.profiles.twist`), so that gradients do not point away from minimisers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar

from bounds import generic as xp
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field
from synthetic.profiles.losses import Profiles, Stretch
from synthetic.profiles.stretches import SIDES, clipped
from synthetic.profiles.twist import Twist

RULES = ("pl", "growth", "convex growth", "star")


class SmoothProfiles(Profiles):
    r"""Profiles of curvature between -L and L, and of one of the rules.

    Data
    ----
    upper : ``(..., N)``, loss / length^2, > 0
        L_k. A bend of 1 or more is the curvature L_k, one of -1 or less is -L_k where the rule
        admits it.
    rule : str
        One of `RULES`.
    twist, reach : ``(..., N)``, no unit and length, > 0
        m, cut to 1, and l of a twist, for ``pl`` and ``growth`` in two dimensions or more. Of what
        is twisted the first stretches all bend up; where one of the first two coordinates has one
        of bend zero there is no twist.
    span, bend, tail, centre, turn
        See `Stretched`.

    Notes
    -----
    Of a twisted loss m^2 times the Polyak-Lojasiewicz constant is one; as curvatures grow, what
    is twisted has only a part of L to bend by. The constant of growth stays, as distances do.

    Along a stretch of curvature c the number s^2 - 2 c phi is constant, so the ratio s^2 / (2 phi)
    goes towards c and is smallest at an end; of a sum it is smallest where all profiles but one
    are at their minima. Likewise for 2 phi(t) / t^2, which is a parabola in 1/t. So both
    constants, the best ones, are rational.
    """

    name: ClassVar[str] = "profiles"
    fields: ClassVar[dict[str, Field]] = {
        "upper": Field("N", (1, -2), sign="positive", required=True),
        "twist": Field("N", (0, 0), sign="positive"),
        "reach": Field("N", (0, 1), sign="positive"),
    }
    options: ClassVar[dict[str, Any]] = {"rule": "pl"}

    def check(self) -> None:
        """Check the rule."""
        super().check()
        rule = self.option("rule")
        require(rule in RULES, "rule", f"one of {RULES}", rule, "choose one")
        given = [name for name in ("twist", "reach") if name in self.data]
        fits = not given or (len(given) == 2 and rule in RULES[:2])
        require(fits, "twist", f"given with reach, for {RULES[:2]}", given, "leave it out")

    def own_gradients(self, thetas: Array) -> Array:
        """Slopes of all profiles, twisted and reflected back."""
        slopes, twist = self._slopes(thetas), self._twist
        if twist is None:
            return self._turned(slopes)
        return self._turned(twist.back(super()._place(thetas), slopes))

    @cached_property
    def client_smoothness(self) -> Array:
        """L_k."""
        return self.data["upper"]

    @cached_property
    def client_strong_convexity(self) -> Array:
        """The lowest curvature; of twisted losses -L, which is none that is higher."""
        lowest = self._least(part.bend for part in self._parts())
        return xp.where(xp.above(1, self._kept), -self.data["upper"], lowest)

    @cached_property
    def client_pl_constant(self) -> Array:
        """A Polyak-Lojasiewicz constant, zero where a loss is flat above its minimum.

        The best one of what is not twisted.
        """
        best = self._least(candidate for part in self._parts() for candidate in self._steep(part))
        return self._kept**2 * best

    @cached_property
    def client_growth(self) -> Array:
        """The best constant of quadratic growth, R - min R >= (mu / 2) dist^2, ``(..., N)``."""
        return self._least(candidate for part in self._parts() for candidate in self._grown(part))

    def own_nearest(self, thetas: Array) -> Array:
        """The minimiser of R_k that is nearest to theta_k, ``(..., N, d)``."""
        right, left = (side[-1].edge for side in self._sides)
        return self.data["centre"] + self._turned(clipped(self._place(thetas), -left, right))

    def nearest(self, theta: Array) -> Array:
        """Every client's minimiser nearest to one point: ``(..., d)`` to ``(..., N, d)``."""
        return self.own_nearest(theta[..., None, :])

    @cached_property
    def mu(self) -> Array:
        """The smallest constant of all clients, ``(...)``; that of growth where it is the rule."""
        growth = self.option("rule") in ("growth", "convex growth")
        return xp.smallest(self.client_growth if growth else self.client_pl_constant)

    def _bent(
        self, said: Array, length: Array | None, away: Array, slope: Array, value: Array
    ) -> tuple[Array, Array | None]:
        upper = self._stiff[..., None]
        flat = (slope == 0) & (value == 0)
        only = flat & xp.above(1, self._kept)[..., None]  # no flat beginning of what is twisted
        wanted = upper * clipped(xp.where(only, abs(said), said), -1, 1)
        rule, least = self.option("rule"), 0 * slope
        if rule == "growth":
            return self._stoppable(upper, wanted, length, slope, value), None
        if length is None:
            return wanted, None
        if rule == "star":
            height = xp.positive_part(away * slope - value)
            least = -2 * height / (length * (2 * away + length))
        elif rule == "pl":
            least = -slope / length * abs(said) / (1 + abs(said))
        return xp.maximum(wanted, least), None

    def _stoppable(
        self, upper: Array, wanted: Array, length: Array | None, slope: Array, value: Array
    ) -> Array:
        """The curvature that is wanted, or L where after it the profile could not be stopped."""
        falls = xp.positive_part(-slope)
        height = (value - falls**2 / (2 * upper)) / 4
        # the lowest point of a stretch that ends rising; of others where they could be stopped
        keeps = xp.at_least(value - falls**2 / (2 * _nonzero(wanted)), height)
        if length is not None:
            end = slope + wanted * length
            stop = value + slope * length + wanted * length**2 / 2 - end**2 / (2 * upper)
            keeps = xp.where(xp.at_least(end, 0), keeps, xp.at_least(stop, height))
        bends = xp.where(keeps, wanted, upper + 0 * wanted)
        flat = (slope == 0) & (value == 0)
        return xp.where(flat, xp.positive_part(wanted), bends)

    def _place(self, thetas: Array) -> Array:
        u = super()._place(thetas)
        return u if self._twist is None else self._twist.forth(u)

    @cached_property
    def _kept(self) -> Array:
        """The m of each client; 1 where nothing is twisted."""
        one = xp.ones_like(self.data["upper"])
        return one if self._twist is None else self._twist.least + 0 * one

    @cached_property
    def _stiff(self) -> Array:
        """The curvature that profiles may have, ``(..., N)``."""
        upper = self.data["upper"]
        return upper if self._twist is None else upper / self._twist.stretch

    @cached_property
    def _twist(self) -> Twist | None:
        if "twist" not in self.data or self.dim == 1:
            return None
        least = xp.minimum(self.data["twist"], 1)
        for j in range(2):  # first stretches that do not bend at all leave more than one minimiser
            for s in range(SIDES):
                flat = self.data["bend"][..., j, s, 0] == 0
                least = xp.where(flat, xp.ones_like(least), least)
        return Twist(least, self.data["reach"])

    def _parts(self) -> Iterator[Stretch]:
        for side in self._sides:
            yield from side

    def _least(self, candidates: Iterator[Array]) -> Array:
        """The smallest of all, over coordinates and sides."""
        found = None
        for one in candidates:
            found = one if found is None else xp.minimum(found, one)
        return xp.smallest(found)

    def _steep(self, part: Stretch) -> Iterator[Array]:
        """s^2 / (2 phi) where a stretch begins, and what it tends to; zero where slopes turn."""
        yield self._started(part, part.slope**2 / (2 * _nonzero(part.value)))
        far = part.length is None
        end = part.bend if far else part.slope + part.bend * part.length
        turns = xp.above(0 * part.slope, part.slope * end)
        upper = self._stiff[..., None] + 0 * part.bend
        yield xp.where(turns, 0 * part.bend, part.bend if far else upper)

    def _grown(self, part: Stretch) -> Iterator[Array]:
        """2 phi(t) / t^2 at the beginning of a stretch, where it is least inside, and far out."""
        away = part.first - part.edge
        yield self._started(part, 2 * part.value / _nonzero(away) ** 2)
        # in w = 1/t it is A w^2 + B w + c
        square = 2 * part.value - 2 * part.slope * away + part.bend * away**2
        linear = 2 * (part.slope - part.bend * away)
        place = -2 * square / _nonzero(linear)
        inside = xp.above(square, 0) & xp.above(place, away)
        if part.length is None:
            yield part.bend
        else:
            inside = inside & xp.above(away + part.length, place)
        least = part.bend - linear**2 / (4 * _nonzero(square))
        yield xp.where(inside, least, self._stiff[..., None] + 0 * least)

    def _started(self, part: Stretch, ratio: Array) -> Array:
        """A ratio at the beginning of a stretch; at minimisers its limit, c, or L if c is zero."""
        upper = self._stiff[..., None] + 0 * ratio
        bends = xp.where(xp.above(part.bend, 0), part.bend, upper)
        return xp.where(xp.above(part.value, 0), ratio, bends)


def _nonzero(x: Array) -> Array:
    """``x`` with ones where it is zero."""
    return xp.where(x == 0, xp.ones_like(x), x)
