r"""Sample complexity of All-for-one with decreasing steps (Corollary 1), true and printed.

The true form solves the repaired decreasing row for T.  Common parameters, shape (...):
``initial_excess`` and ``precision`` (loss), ``mu``, ``smoothness`` (loss/length^2), ``variance``
sigma_suf^2(precision) (loss^2/length^2), ``factor`` C > 1, ``shift`` gamma of the step sizes.
"""

from __future__ import annotations

from bounds.generic import ceil, divide, maximum, positive_part
from bounds.numbers.shapes import Scalar
from bounds.numbers.validate import positive

__all__ = [
    "equal_variance_iterations_upper",
    "sample_complexity_steps",
    "sample_complexity_upper",
]


def sample_complexity_upper(
    initial_excess: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    variance: Scalar,
    precision: Scalar,
    factor: Scalar,
    shift: Scalar,
) -> Scalar:
    r"""Time after which the mean excess loss is at most eps, as a real number.

    .. math:: T \ge \Big(\frac1\varepsilon\max\Big(
              \frac{\beta\sigma^2C^2}{2\mu^2(C-1)},\ \gamma E_0\Big) - \gamma\Big)_+

    solves `bounds.rates.theorem2_decreasing_upper` <= eps.  Below the printed time whenever the
    noise decides the maximum; the printed one forgets the start.

    Source
    ------
    adaptive, Corollary 1 (repaired).

    Examples
    --------
    >>> float(sample_complexity_upper(1.0, 1.0, 1.0, 1.0, 0.125, 2, 1.0))
    15.0
    """
    _check(mu, smoothness, precision, factor)
    plateau = divide(smoothness * variance * factor**2, 2 * mu**2 * (factor - 1))
    return positive_part(maximum(plateau, shift * initial_excess) / precision - shift)


def sample_complexity_steps(
    initial_excess: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    variance: Scalar,
    precision: Scalar,
    factor: Scalar,
    shift: Scalar,
) -> Scalar:
    """`sample_complexity_upper` rounded up to whole steps."""
    return ceil(
        sample_complexity_upper(initial_excess, mu, smoothness, variance, precision, factor, shift)
    )


def sample_complexity_printed(
    mu: Scalar, smoothness: Scalar, variance: Scalar, precision: Scalar, factor: Scalar
) -> Scalar:
    """Samples beta sigma_suf^2 C^2/((C-1) 2 mu^2 eps) as printed in Corollary 1."""
    _check(mu, smoothness, precision, factor)
    return divide(smoothness * variance * factor**2, 2 * mu**2 * (factor - 1) * precision)


def equal_variance_iterations_upper(
    mu: Scalar,
    smoothness: Scalar,
    sigma2: Scalar,
    precision: Scalar,
    factor: Scalar,
    cluster_size: Scalar,
    smallest_psi: Scalar,
) -> Scalar:
    """Time beta sigma^2 C^2/((C-1) 2 mu^2 eps |cluster| min psi), an upper bound.

    Of the printed time, for equal variances and c = 0; follows from |cluster| min psi <= sum psi,
    whatever the time's own standing.  ``smallest_psi`` is the minimum over the sufficient cluster.

    Source
    ------
    adaptive, Corollary 1, special case.
    """
    _check(mu, smoothness, precision, factor)
    top = smoothness * sigma2 * factor**2
    bottom = 2 * mu**2 * (factor - 1) * precision * cluster_size * smallest_psi
    return divide(top, bottom)


# -- private helpers ---------------------------------------------------------------------


def _check(mu: Scalar, smoothness: Scalar, precision: Scalar, factor: Scalar) -> None:
    positive("mu", mu)
    positive("smoothness", smoothness)
    positive("precision", precision)
    positive("factor - 1", factor - 1, "take C above 1")
