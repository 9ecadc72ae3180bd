r"""Every smooth function, as far as finitely many points can tell: hulls of parabolas.

A function whose curvature lies between m and L stays below all its parabolas

.. math:: q_i(x) = v_i + \tfrac L2\|x-y_i\|^2, \qquad
          y_i = x_i - g_i/L, \quad v_i = f_i - \|g_i\|^2/(2L),

and the largest function of curvature at least m below finitely many of them has curvature at most L
again. So any vertices y_i and heights v_i give a member of the class, and a member with the data
(x_i, g_i, f_i) exists exactly where the hull has them: the worst case of a method over the class is
the worst case over hulls of as many parabolas as it meets points.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from bounds.numbers.via_flint import as_flint, from_flint
from synthetic.additive import AdditiveNoise
from synthetic.convex_hull import Faces, all_faces, lowest
from synthetic.fields import Field, every


class ParabolaHull(AdditiveNoise):
    r"""R_k = the largest function of curvature >= m_k that is nowhere above the parabolas of k.

    With M = L - m, origin y_0, z_i = (L/M) y_i and e_i = v_i - (m L / 2M) \|y_i\|^2,

    .. math:: R(x) = \tfrac m2\|x\|^2 + \min_{\alpha\in\Delta}
              \tfrac M2\Bigl\|x-\sum_i\alpha_i z_i\Bigr\|^2 + \sum_i\alpha_i e_i .

    Data
    ----
    upper : ``(..., N)``, loss / length^2, > 0
        L_k, the largest curvature.
    lower : ``(..., N)``, loss / length^2
        m_k < L_k, the smallest curvature; negative for a loss that need not be convex.
    vertex : ``(..., N, P, d)``, length
        y_ki.
    height : ``(..., N, P)``, loss
        v_ki.
    pl : bool
        Whether the Polyak-Lojasiewicz constant is the best one, derived from the shape (d = 1
        alone); by default it is the strong convexity, or zero.
    noise_scale, sigma, law, skew, values, probabilities, direction
        See `AdditiveNoise`.

    Notes
    -----
    Infimum: with m <= 0 the lowest vertex; with m > 0 that of the same minimum at weight M m / L.

    Sources: Taylor, Hendrickx and Glineur, "Smooth strongly convex interpolation and exact
    worst-case performance of first-order methods" (2017), Theorem 4, for the conditions; Drori and
    Taylor, "On the oracle complexity of smooth strongly convex minimization" (2022), Theorem 1, for
    the function in the convex case.
    """

    name: ClassVar[str] = "parabolas"
    fields: ClassVar[dict[str, Field]] = {
        "upper": Field("N", (1, -2), sign="positive", required=True),
        "lower": Field("N", (1, -2), required=True),
        "vertex": Field("N P d", (0, 1), required=True),
        "height": Field("N P", (1, 0), required=True),
    }
    options: ClassVar[dict[str, Any]] = {"pl": False}

    def check(self) -> None:
        """Check the order of the curvatures."""
        super().check()
        below = every(self.data["lower"] < self.data["upper"])
        require(below, "lower", "below upper", self.data["lower"], "make it smaller")
        fits = not self.option("pl") or self.dim == 1
        require(fits, "d", "1 where the PL constant is derived", self.dim, "drop pl, or take d = 1")

    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k)."""
        x = thetas - self._origin
        _, value = self._lowest(self._span, x)
        return value + self.data["lower"] * generic.squared_norm(x) / 2

    def own_gradients(self, thetas: Array) -> Array:
        """M (x - sum alpha_i z_i) + m x."""
        x = thetas - self._origin
        place, _ = self._lowest(self._span, x)
        return self._span[..., None] * (x - place) + self.data["lower"][..., None] * x

    @cached_property
    def optimum(self) -> Array:
        """A minimiser of each loss; of several vertices of one height the first."""
        return self._bottom[0]

    @cached_property
    def optimal_value(self) -> Array:
        """The minimum of each loss."""
        return self._bottom[1]

    @cached_property
    def client_smoothness(self) -> Array:
        """The larger of L_k and -m_k."""
        return generic.maximum(self.data["upper"], -self.data["lower"])

    @cached_property
    def client_strong_convexity(self) -> Array:
        """m_k."""
        return self.data["lower"]

    @cached_property
    def client_pl_constant(self) -> Array:
        """m_k or zero; with ``pl`` the best constant."""
        if not self.option("pl"):
            return generic.positive_part(self.data["lower"])
        best = self.data["upper"]  # what the ratio tends to far away
        for x in self._turns():
            gap = self.own_excess(x)
            flat = ~generic.above(gap, 0)
            ratio = generic.squared_norm(self.own_gradients(x)) / (2 * _nonzero(gap, flat))
            best = generic.minimum(best, generic.where(flat, best, ratio))
        return best

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        r"""b_ik^2 and c_ik of A3, ``(..., N, N)``.

        The gradient is L (x - Y(x)) with Y(x) among the convex combinations of the vertices, so
        with rho = L_k/L_i - 1 and D the largest distance between vertices of i and of k

        .. math:: \nabla R_k - \nabla R_i = \rho\nabla R_i + L_k (Y_i - Y_k), \quad
                  b^2 = (1 + 1/s) L_k^2 D^2, \quad c = (1 + s)\rho^2 .
        """
        upper, vertex = self.data["upper"], self.data["vertex"]
        rho = upper[..., None, :] / upper[..., :, None] - 1
        gap = vertex[..., :, None, :, None, :] - vertex[..., None, :, None, :, :]
        apart = generic.largest(generic.largest(generic.squared_norm(gap)))  # (..., N, N)
        other = 1 - generic.eye(self.clients, upper)
        part = other * upper[..., None, :] ** 2 * apart
        one, s = generic.ones_like(part), generic.trailing(s, 2)
        squared_bias = part * generic.where(rho == 0, one, one + one / s)
        return squared_bias, rho**2 * generic.where(part == 0, one, one + one * s)

    # Origin, apexes z_i and intercepts e_i; the first vertex is the origin, so that what is
    # measured from a minimum there loses no digits.

    @cached_property
    def _origin(self) -> Array:
        return self.data["vertex"][..., 0, :]

    @cached_property
    def _span(self) -> Array:
        return self.data["upper"] - self.data["lower"]

    @cached_property
    def _apexes(self) -> list[tuple[Array, Array]]:
        upper, lower, span = self.data["upper"], self.data["lower"], self._span
        pairs = []
        for i in range(self.sizes["P"]):
            y = self.data["vertex"][..., i, :] - self._origin
            bend = lower * upper * generic.squared_norm(y) / (2 * span)
            pairs.append(((upper / span)[..., None] * y, self.data["height"][..., i] - bend))
        return pairs

    @cached_property
    def _faces(self) -> list[Faces]:
        return all_faces(self._apexes, self.dim)

    @cached_property
    def _flint_faces(self) -> list[Faces] | None:
        """The same in flint's rationals; None where the apexes are no fractions."""
        pairs = [(_in_flint(z), _in_flint(e)) for z, e in self._apexes]
        given = [(z, e) for z, e in pairs if z is not None and e is not None]
        return all_faces(given, self.dim) if len(given) == len(pairs) else None

    def _lowest(self, weight: Array, x: Array) -> tuple[Array, Array]:
        """In flint's rationals where all numbers are fractions: the same, several times faster."""
        heavy, place = _in_flint(weight), _in_flint(x)
        if heavy is None or place is None or self._flint_faces is None:
            return lowest(self._faces, weight, x)
        found = lowest(self._flint_faces, heavy, place)
        return _from_flint(found[0]), _from_flint(found[1])

    @cached_property
    def _bottom(self) -> tuple[Array, Array]:
        """Minimiser and minimum."""
        upper, lower = self.data["upper"], self.data["lower"]
        point, value = self.data["vertex"][..., 0, :], self.data["height"][..., 0]
        for i in range(1, self.sizes["P"]):
            better = generic.above(value, self.data["height"][..., i])
            value = generic.where(better, self.data["height"][..., i], value)
            point = generic.where(better[..., None], self.data["vertex"][..., i, :], point)
        convex = generic.above(lower, 0)
        weight = self._span * generic.where(convex, lower, upper) / upper
        place, least = self._lowest(weight, generic.zeros_like(point))
        inner = self._origin + (self._span / upper)[..., None] * place
        return generic.where(convex[..., None], inner, point), generic.where(convex, least, value)

    def _turns(self) -> Iterator[Array]:
        """Points (..., N, 1) among which the PL ratio is smallest, in one dimension.

        Along a piece the ratio grows with the distance from where the piece is flat: it is least
        there or at an end. Points that are none of these do no harm.
        """
        span, lower, zero = self._span[..., None], self.data["lower"][..., None], 0
        for i in range(self.sizes["P"]):
            yield self.data["vertex"][..., i, :]
        for (z, e), (other, level) in combinations(self._apexes, 2):
            run, rise = other - z, (level - e)[..., None]
            slope = rise / _nonzero(run, run == zero)
            yield self._origin + z + slope / span
            yield self._origin + other + slope / span
            yield self._origin - slope / _nonzero(lower, lower == zero)


def through(
    points: Array, gradients: Array, values: Array, upper: Array, lower: Array
) -> dict[str, Array]:
    """Data of the hull through given points, gradients and values.

    Parameters
    ----------
    points, gradients : ``(..., N, P, d)``
    values : ``(..., N, P)``
    upper, lower : ``(..., N)``

    Returns
    -------
    dict
        For `ParabolaHull`. Its losses have these data exactly where
        :func:`bounds.interpolation.interpolation_margin` is nowhere negative.
    """
    stiff = upper[..., None]
    return {
        "upper": upper,
        "lower": lower,
        "vertex": points - gradients / stiff[..., None],
        "height": values - generic.squared_norm(gradients) / (2 * stiff),
    }


_as_flint, _from_flint = np.frompyfunc(as_flint, 1, 1), np.frompyfunc(from_flint, 1, 1)


def _in_flint(x: Array) -> Array | None:
    """An array of fractions in flint's rationals; None for an array of anything else."""
    exact = isinstance(x, np.ndarray) and x.dtype.char == "O"
    return _as_flint(x) if exact and all(type(v) is Fraction for v in x.flat) else None


def _nonzero(x: Array, zero: Array) -> Array:
    """``x`` with ones where it is zero."""
    return generic.where(zero, generic.ones_like(x), x)
