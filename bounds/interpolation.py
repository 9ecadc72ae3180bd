r"""When numbers are the points, gradients and values of a function of a class.

For curvatures between m and L > m there is such a function with the data
:math:`(x_i, g_i, f_i)_i` exactly where, for all i and j,

.. math:: f_i \ge f_j + \langle g_j, x_i - x_j\rangle
    + \frac{\tfrac1L\|g_i-g_j\|^2 + m\|x_i-x_j\|^2 - 2\tfrac mL\langle g_j-g_i, x_j-x_i\rangle}
           {2(1-m/L)} .

m = 0 are the smooth convex functions, m > 0 the strongly convex ones, m = -L the smooth ones.

Source: Taylor, Hendrickx and Glineur, "Smooth strongly convex interpolation and exact worst-case
performance of first-order methods", Mathematical Programming 161 (2017), Theorem 4; "Exact
worst-case performance of first-order methods for composite convex optimization", SIAM Journal on
Optimization 27 (2017), Theorem 3.10, for m = -L.
"""

from __future__ import annotations

from bounds import generic
from bounds.numbers.shapes import Array


def interpolation_margin(
    points: Array, gradients: Array, values: Array, upper: Array, lower: Array
) -> Array:
    """Left side minus right side of the condition, (..., K, K), indexed [i, j].

    Parameters
    ----------
    points : ``(..., K, d)``, length
    gradients : ``(..., K, d)``, loss / length
    values : ``(..., K)``, loss
    upper : ``(...)``, loss / length^2
        L, above zero.
    lower : ``(...)``, loss / length^2
        m, below L.

    Returns
    -------
    array ``(..., K, K)``, loss
        Not negative anywhere exactly where a function of the class has these data.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[0.0], [1.0]])
    >>> interpolation_margin(x, 2 * x, x[:, 0] ** 2, np.array(2.0), np.array(0.0)).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    upper, lower = generic.trailing(upper, 2), generic.trailing(lower, 2)
    step = points[..., :, None, :] - points[..., None, :, :]  # x_i - x_j
    turn = gradients[..., :, None, :] - gradients[..., None, :, :]
    fall = values[..., :, None] - values[..., None, :]
    plane = generic.dot(gradients[..., None, :, :], step)
    bend = generic.squared_norm(turn) / upper + lower * generic.squared_norm(step)
    bend = bend - 2 * lower * generic.dot(turn, step) / upper
    return fall - plane - bend / (2 * (1 - lower / upper))


def lower_bound_margin(gradients: Array, values: Array, least: Array, upper: Array) -> Array:
    """f_i - f* - |g_i|^2/(2L), (..., K): what a smooth function that stays above f* must satisfy.

    Together with `interpolation_margin` it is also sufficient.

    Parameters
    ----------
    gradients, values, upper
        As in `interpolation_margin`.
    least : ``(...)``, loss
        f*.
    """
    drop = generic.squared_norm(gradients) / (2 * generic.trailing(upper))
    return values - generic.trailing(least) - drop


def polyak_lojasiewicz_margin(gradients: Array, values: Array, least: Array, mu: Array) -> Array:
    """|g_i|^2/2 - mu (f_i - f*), (..., K): necessary for the PL inequality, not sufficient.

    Parameters
    ----------
    gradients, values, least
        As in `lower_bound_margin`.
    mu : ``(...)``, loss / length^2
        PL constant.
    """
    gap = values - generic.trailing(least)
    return generic.squared_norm(gradients) / 2 - generic.trailing(mu) * gap
