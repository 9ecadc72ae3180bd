r"""The generalisation bound of a client that trains with a group.

Printed: with probability 1 - delta,

.. math:: \epsilon_i(h) \le \frac{4 L^2}{\delta \mu \hat D} + d_1(\hat P, P_i) + \lambda ,

which bounds a whole risk by what the theorem it cites bounds an excess risk with.  The true form
has the smallest risk of the group on its right side:

.. math:: \epsilon_i(\hat w) \le \min_w \epsilon_G(w) + \frac{4 L^2}{\delta \mu \hat D}
          + \int |\hat P - P_i|

for losses in [0, 1] and laws of (x, y).

Source: hcct, Theorem 1, Equations 33 to 35; Shalev-Shwartz et al. (2010), Theorem 2.
"""

from __future__ import annotations

from bounds.generic import absolute, minimum, total
from bounds.numbers.shapes import Array
from bounds.numbers.validate import in_interval, positive

__all__ = [
    "error_gap_upper",
    "estimation_upper",
    "excess_error_upper",
    "expected_excess_upper",
    "label_shift",
    "samples_before_it_speaks",
]

Terms = dict[str, Array]


def estimation_upper(lipschitz: Array, convexity: Array, size: Array, level: Array) -> Array:
    """4 L^2/(delta mu n): excess risk of empirical risk minimisation, with probability 1 - delta.

    Parameters
    ----------
    lipschitz : array (...)
        L, of the loss in the model on a bounded domain. Unit: loss / length.
    convexity : array (...)
        mu > 0. Unit: loss / length squared.
    size : array (...)
        n, number of independent samples.
    level : array (...)
        delta in (0, 1).

    Returns
    -------
    array (...), in units of loss
    """
    positive("convexity", convexity)
    positive("size", size)
    in_interval("level", level, 0, 1, closed="neither", describe="(0, 1)")
    return 4 * lipschitz**2 / (level * convexity * size)


def expected_excess_upper(lipschitz: Array, convexity: Array, size: Array) -> Array:
    """2 L^2/(mu n): mean excess risk of the minimiser, by the stability of strongly convex losses.

    Proof.  Changing one of n samples moves the minimiser by at most 2 L/(mu n), hence the loss by
    2 L^2/(mu n); averaged over the sample exchanged this bounds the gap between risk and empirical
    risk, and the empirical risk of the minimiser is at most that of the best model.
    """
    return 2 * lipschitz**2 / (convexity * size)


def label_shift(own: Array, group: Array, own_law: Array, group_law: Array) -> Array:
    """min(E_i|f_G - f_i|, E_G|f_G - f_i|) of labels on the same atoms, (..., atoms) to (...).

    The printed lambda has f_G - f_i without the absolute value.
    """
    gap = absolute(group - own)
    return minimum(total(own_law * gap), total(group_law * gap))


def error_gap_upper(group_error: Array, distance: Array, shift: Array) -> Terms:
    """epsilon_G(h) + d_1 + lambda, Equation 34, with lambda of :func:`label_shift`."""
    return {"group error": group_error, "d1": distance, "lambda": shift}


def excess_error_upper(
    best: Array, lipschitz: Array, convexity: Array, size: Array, level: Array, distance: Array
) -> Terms:
    """min_w eps_G(w) + 4 L^2/(delta mu D) + d_1, losses in [0, 1], d_1 between laws of (x, y)."""
    estimation = estimation_upper(lipschitz, convexity, size, level)
    return {"best of the group": best, "estimation": estimation, "d1": distance}


def samples_before_it_speaks(level: Array) -> Array:
    r"""8/delta: number of samples up to which the bound exceeds every risk.

    A loss that is mu-strongly convex and L-Lipschitz on its domain varies by at most
    :math:`L^2/(2\mu)` there, so that an excess risk never exceeds that, while the bound is at
    least that as long as n <= 8/delta.

    Examples
    --------
    >>> samples_before_it_speaks(0.05)
    160.0
    """
    return 8 / level
