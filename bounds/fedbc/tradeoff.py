r"""What a common tolerance gamma buys locally and costs globally, exactly, for two quadratics.

Two devices on the line, :math:`f_i(x) = h_i (x - c_i)^2/2` with c_1 > c_2. Problem (7) with
gamma_1 = gamma_2 = gamma has, while gamma is below the square of half the distance of the optima,
both constraints active: local models z + s and z - s with s = sqrt(gamma), and

.. math:: z_\gamma = \frac{h_1 (c_1 - s) + h_2 (c_2 + s)}{h_1 + h_2}
                   = z_0 - s\,\frac{h_1 - h_2}{h_1 + h_2}.

So every device's distance from its own optimum shrinks linearly in s until it is zero, while the
global excess is quadratic in s, that is linear in gamma, and zero only for equal curvatures: no
positive gamma improves the server's model on the training loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bounds.generic import minimum, where
from bounds.numbers.shapes import Scalar
from bounds.numbers.validate import nonnegative, positive

__all__ = ["ToleranceTradeoff", "tolerance_tradeoff_exact"]


@dataclass(frozen=True)
class ToleranceTradeoff:
    """Solution of (7) for two quadratics.

    Attributes
    ----------
    server : array, (...)
        z_gamma, length.
    first, second : arrays, (...)
        Local models, length.
    local : array, (...)
        Mean of the local losses at the local models, loss.
    excess : array, (...)
        f(z_gamma) - f(z_0) with f the mean loss, loss.
    """

    server: Any
    first: Any
    second: Any
    local: Any
    excess: Any


def tolerance_tradeoff_exact(
    curvatures: tuple[Scalar, Scalar], optima: tuple[Any, Any], reach: Scalar
) -> ToleranceTradeoff:
    r"""Solve (7) for two quadratics with one tolerance.

    .. math:: f(z_\gamma) - f(z_0) = \gamma\,\frac{(h_1 - h_2)^2}{4 (h_1 + h_2)}, \qquad
              \tfrac12\sum_i f_i(x_i)
              = \frac{h_1 h_2}{h_1 + h_2}\Bigl(\frac{c_1 - c_2}{2} - s\Bigr)^2

    Parameters
    ----------
    curvatures : pair of arrays, (...)
        h_1, h_2 > 0, loss / length^2.
    optima : pair of arrays, (...)
        c_1 >= c_2, length.
    reach : array, (...)
        s = sqrt(gamma) >= 0, length. From (c_1 - c_2)/2 on both constraints can be met with every
        device at its own optimum; the server's model is then the midpoint, one of the solutions.

    Source
    ------
    fedbc.def.problem (7), Figure 2.

    Examples
    --------
    >>> from fractions import Fraction as Q
    >>> found = tolerance_tradeoff_exact((Q(3), Q(1)), (Q(1), Q(-1)), Q(1, 2))
    >>> str(found.server), str(found.excess), str(found.local)
    ('1/4', '1/16', '3/16')
    """
    (h, g), (c, b) = curvatures, optima
    positive("curvatures", h)
    positive("curvatures", g)
    nonnegative("optima[0] - optima[1]", c - b, "order the devices")
    nonnegative("reach", reach)
    half = (c - b) / 2
    s = where(reach < half, reach, half) if hasattr(reach, "shape") else minimum(reach, half)
    server = (h * (c - s) + g * (b + s)) / (h + g)
    first, second = server + s, server - s
    local = h * g * (half - s) ** 2 / (h + g)  # h (z + s - c)^2/4 + g (z - s - b)^2/4
    return ToleranceTradeoff(server, first, second, local, s**2 * (h - g) ** 2 / (4 * (h + g)))
