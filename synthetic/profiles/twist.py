r"""A twist of the plane: every circle around the origin is turned, by an angle that depends on it.

.. math:: F(u) = R(\alpha(|u|^2))\,u, \qquad \tan\tfrac{\alpha(\rho)}2 = \kappa\frac\rho{\rho+l^2},
          \qquad \kappa = \frac1m - m, \quad 0 < m \le 1 .

With J the quarter turn and a the derivative of alpha, DF = R (1 + 2 a J u u^T). So with
s = 2 a rho, kappa at most, singular values of DF are sqrt(1 + s^2/4) +- s/2: between m and 1/m.

Second derivatives along a unit vector at an angle with the cosine c to u have, times |u|, norm

.. math:: 2|s| + |(2\rho s' - s)\,c^2 + s\,(1 - c^2)| + s^2 \le 5\kappa + \kappa^2, \qquad
          2\rho s' - s = s\,\bigl(1 - 4x - 4(1-x)q\bigr),

at most, with x = rho / (rho + l^2) and q in [0, 1], so that the last factor is in [-3, 1].
"""

from __future__ import annotations

from dataclasses import dataclass

from bounds import generic as xp
from bounds.numbers.shapes import Array


@dataclass(frozen=True, eq=False)
class Twist:
    """A twist of the first two of d coordinates.

    Attributes
    ----------
    least : array ``(..., N)``, no unit, in (0, 1]
        m; of 1 there is no twist.
    reach : array ``(..., N)``, length, > 0
        l.
    """

    least: Array
    reach: Array

    @property
    def strength(self) -> Array:
        """Kappa."""
        return 1 / self.least - self.least

    @property
    def stretch(self) -> Array:
        """By how much curvatures grow: of a loss Phi with slopes of L |z| at most, curvatures to L.

        1 / m^2 + 5 kappa + kappa^2.
        """
        return 1 / self.least**2 + 5 * self.strength + self.strength**2

    def forth(self, u: Array) -> Array:
        """F(u), ``(..., N, d)``."""
        cos, sin, _ = self._angle(u)
        first = cos * u[..., 0] - sin * u[..., 1]
        return _joined(first, sin * u[..., 0] + cos * u[..., 1], u)

    def back(self, u: Array, slope: Array) -> Array:
        """DF(u)^T slope, the gradient of Phi(F(u)) where that of Phi is ``slope``."""
        cos, sin, rate = self._angle(u)
        first = cos * slope[..., 0] + sin * slope[..., 1]
        second = cos * slope[..., 1] - sin * slope[..., 0]
        along = rate * (u[..., 0] * second - u[..., 1] * first)
        return _joined(first + along * u[..., 0], second + along * u[..., 1], slope)

    def _angle(self, u: Array) -> tuple[Array, Array, Array]:
        """Cosine and sine of alpha, and twice its derivative, ``(..., N)``."""
        square, scale = u[..., 0] ** 2 + u[..., 1] ** 2, self.reach**2
        half = self.strength * square / (square + scale)
        rate = 4 * self.strength * scale / (square + scale) ** 2
        one = 1 + half**2
        return (1 - half**2) / one, 2 * half / one, rate / one


def _joined(first: Array, second: Array, like: Array) -> Array:
    """Two coordinates in place of the first two."""
    rest = [like[..., j] for j in range(2, like.shape[-1])]
    return xp.stack([first, second, *rest], -1)
