r"""Law of the estimated similarity ratio under isotropic Gaussian noise.

For x in [0, 1), the event :math:`\hat r_{ik} > x` is :math:`Z_{ik} < (1 - x) Z_i`, that is

.. math:: x \lVert \hat g_i \rVert^2 - 2 \langle \hat g_i, \hat g_k \rangle
          + \lVert \hat g_k \rVert^2 < 0,

a quadratic form with one eigenvalue of each sign.  In its eigenvectors it compares two independent
noncentral chi-squares with d degrees of freedom, so that the law of the estimate is that of a
doubly noncentral F ratio, computed here by one Gauss-Legendre sum.

Source: adaptive, Equation (1); the law is worked out here.
"""

from __future__ import annotations

import numpy as np

from bounds.generic import to_float
from bounds.numbers.shapes import Points, Scalar
from bounds.numbers.validate import in_interval, positive, require

__all__ = [
    "estimated_ratio_mean",
    "estimated_ratio_survival",
    "estimated_ratio_variance",
    "switch_off_at_optimum",
    "switch_off_probability",
]

_NODES = 128  # for a smooth density on a window of at most 24 standard deviations
_WINDOW = 12.0


def estimated_ratio_survival(
    x: Scalar,
    own_gradient: Points,
    other_gradient: Points,
    own_variance: Scalar,
    other_variance: Scalar,
    b_alpha: Scalar,
) -> Scalar:
    r"""Probability that the estimated ratio exceeds x.

    .. math:: P(\hat r_{ik} > x)
              = P\Big( \frac{\chi_+^2}{\chi_-^2} < -\frac{\lambda_-}{\lambda_+} \Big)

    where lambda_+ > 0 > lambda_- are the eigenvalues of S^{1/2} [[x, -1], [-1, 1]] S^{1/2},
    S = diag(s_i, s_k), s = sigma^2 / (b_alpha d) is the variance of one coordinate of a mean
    gradient, and the noncentralities are those of the whitened mean gradients.

    Parameters
    ----------
    x : float or array, (...)
        In [0, 1).
    own_gradient, other_gradient : arrays, (..., d)
        grad R_i and grad R_k at client i's point; loss / length.
    own_variance, other_variance : arrays, (...)
        Variances (traces) of one extra gradient, above zero; loss^2 / length^2.
    b_alpha : int or array, (...)
        At least 1.

    Returns
    -------
    array, (...)
        Accurate to about 1e-9.

    Raises
    ------
    InvalidInput
        If x is outside [0, 1) or a variance is not positive.
    """
    x = to_float(np.asarray(x))
    in_interval("x", x, 0, 1, closed="low", remedy="the ratio exceeds no number from one on")
    g, k = to_float(np.asarray(own_gradient)), to_float(np.asarray(other_gradient))
    same = g.shape[-1] == k.shape[-1]
    remedy = "give both gradients d entries"
    require(same, "other_gradient", f"of length {g.shape[-1]}", k.shape[-1], remedy)
    dim = g.shape[-1]
    si, sk = _scale(own_variance, b_alpha, dim), _scale(other_variance, b_alpha, dim)
    middle, apart = (x * si + sk) / 2, np.sqrt(((x * si - sk) / 2) ** 2 + si * sk)
    upper = middle + apart
    lower = (x - 1) * si * sk / upper  # product of the eigenvalues: no cancellation
    # eigenvectors (-sqrt(s_i s_k), lambda - x s_i), orthogonal
    off = np.sqrt(si * sk)
    above = _noncentrality(g, k, si, sk, -off, upper - x * si)
    below = _noncentrality(g, k, si, sk, -off, lower - x * si)
    return _ratio_cdf(-lower / upper, dim, above, below)


def switch_off_probability(
    own_gradient: Points,
    other_gradient: Points,
    own_variance: Scalar,
    other_variance: Scalar,
    b_alpha: Scalar,
) -> Scalar:
    """Probability that the estimated ratio is zero, parameters as above, (...)."""
    return 1 - estimated_ratio_survival(
        0.0, own_gradient, other_gradient, own_variance, other_variance, b_alpha
    )


def switch_off_at_optimum(dim: int, variance_ratio: Scalar = 1.0) -> Scalar:
    r"""Probability that the estimate is zero where both gradients vanish.

    .. math:: P(\hat r = 0) = P(F_{d,d} \ge c), \quad
              c = \frac{\sqrt{1 + 4 q} - 1}{\sqrt{1 + 4 q} + 1}, \quad
              q = \sigma_i^2 / \sigma_k^2

    It does not depend on b_alpha.  With equal variances c is the inverse square of the golden
    ratio.

    Parameters
    ----------
    dim : int
        d.
    variance_ratio : float or array, (...)
        sigma_i^2 / sigma_k^2 > 0.

    Returns
    -------
    array, (...)

    Examples
    --------
    >>> [round(float(switch_off_at_optimum(d)), 4) for d in (1, 2, 10)]
    [0.6476, 0.7236, 0.9275]
    """
    from scipy.special import betainc

    positive("variance_ratio", variance_ratio)
    root = np.sqrt(1 + 4 * to_float(np.asarray(variance_ratio)))
    limit = (root - 1) / (root + 1)
    # P(F <= c) for d and d degrees of freedom
    return 1 - betainc(dim / 2, dim / 2, limit / (1 + limit))


def estimated_ratio_mean(
    own_gradient: Points,
    other_gradient: Points,
    own_variance: Scalar,
    other_variance: Scalar,
    b_alpha: Scalar,
    *,
    power: int = 1,
) -> Scalar:
    r"""Mean of a power of the estimated ratio.

    .. math:: E \hat r^p = \int_0^1 p x^{p-1} P(\hat r > x)\,dx

    Parameters
    ----------
    power : int
        p >= 1; other parameters as in :func:`estimated_ratio_survival`.

    Returns
    -------
    array, (...)
        Accurate to about 1e-7.
    """
    require(power >= 1, "power", "at least 1", power, "pass a positive int")
    nodes, weights = np.polynomial.legendre.leggauss(48)
    # x = 1 - z^2: the survival function may start like a square root at one
    z, dz = (nodes + 1) / 2, weights / 2
    x = 1 - z**2
    arguments = [to_float(np.asarray(a)) for a in (own_gradient, other_gradient)]
    scalars = [to_float(np.asarray(a)) for a in (own_variance, other_variance, b_alpha)]
    survival = estimated_ratio_survival(
        x, *(a[..., None, :] for a in arguments), *(a[..., None] for a in scalars)
    )
    return (survival * power * x ** (power - 1) * 2 * z * dz).sum(-1)


def estimated_ratio_variance(
    own_gradient: Points,
    other_gradient: Points,
    own_variance: Scalar,
    other_variance: Scalar,
    b_alpha: Scalar,
) -> Scalar:
    """Variance of the estimated ratio, parameters as above, (...)."""
    given = (own_gradient, other_gradient, own_variance, other_variance, b_alpha)
    return estimated_ratio_mean(*given, power=2) - estimated_ratio_mean(*given) ** 2


# -- private helpers ---------------------------------------------------------------------


def _scale(variance: Scalar, b_alpha: Scalar, dim: int) -> Scalar:
    """Variance of one coordinate of a mean gradient."""
    positive("variance", variance, "use the exact ratio where there is no noise")
    positive("b_alpha", b_alpha)
    return to_float(np.asarray(variance)) / (to_float(np.asarray(b_alpha)) * dim)


def _noncentrality(g: Scalar, k: Scalar, si: Scalar, sk: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """Squared length of the whitened means along the eigenvector (a, b)."""
    along = np.asarray(a / np.sqrt(si))[..., None] * g + np.asarray(b / np.sqrt(sk))[..., None] * k
    return (along**2).sum(-1) / (a**2 + b**2)


def _ratio_cdf(limit: Scalar, dim: int, above: Scalar, below: Scalar) -> Scalar:
    """P(X_+ < limit X_-) for independent noncentral chi-squares with d degrees of freedom."""
    from scipy.stats import ncx2

    limit, above, below = np.broadcast_arrays(limit, above, below)
    # integrate over y = sqrt(X_-), whose density is smooth with standard deviation below one
    centre = np.sqrt(below + dim - 1)
    low = np.maximum(0.0, np.sqrt(below) - _WINDOW)
    high = centre + _WINDOW
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    half = (high - low)[..., None] / 2
    y = low[..., None] + half * (nodes + 1)
    density = ncx2.pdf(y**2, dim, np.maximum(below, 1e-12)[..., None]) * 2 * y
    inside = ncx2.cdf(limit[..., None] * y**2, dim, np.maximum(above, 1e-12)[..., None])
    return np.clip((density * inside * half * weights).sum(-1), 0.0, 1.0)
