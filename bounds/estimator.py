r"""Moments of the estimated similarity ratio, Equation (1).

With :math:`\hat g_k` the mean of m = b_alpha extra gradients of client k at the asking client's
point, the estimate is :math:`\hat r_{ik} = (1 - Z_{ik}/Z_i)_+` where
:math:`Z_{ik} = \lVert \hat g_k - \hat g_i \rVert^2` and :math:`Z_i = \lVert \hat g_i \rVert^2`.
Here: its moments under additive noise, exact in every number type.  Its law under Gaussian noise
is in :mod:`bounds.estimator_law`.

Source: adaptive, Equation (1).
"""

from __future__ import annotations

from bounds.generic import dot
from bounds.numbers.shapes import Points, Scalar
from bounds.numbers.validate import positive

__all__ = [
    "aged_ratio",
    "estimator_covariance_along",
    "estimator_covariance_gaussian",
    "estimator_gap_mean",
    "estimator_gap_variance_along",
    "estimator_gap_variance_gaussian",
    "estimator_own_mean",
    "estimator_own_variance_along",
    "estimator_own_variance_gaussian",
    "plug_in_ratio",
    "plug_in_threshold",
    "two_point_cumulants",
]


# -- means, for every law ----------------------------------------------------------------


def estimator_gap_mean(
    squared_gap: Scalar, own_variance: Scalar, other_variance: Scalar, b_alpha: Scalar
) -> Scalar:
    r"""Mean of Z_ik for another client k.

    .. math:: E Z_{ik} = \Delta_{ik}^2 + (\sigma_i^2 + \sigma_k^2) / b_\alpha

    Parameters
    ----------
    squared_gap : array, (...)
        Delta_ik^2 = ||grad R_k - grad R_i||^2; loss^2 / length^2.
    own_variance, other_variance : arrays, (...)
        Variances (traces) of one extra gradient of i and of k; loss^2 / length^2.
    b_alpha : int or array
        Extra gradients per client, at least 1.

    Returns
    -------
    array, (...)
        loss^2 / length^2.

    Examples
    --------
    >>> estimator_gap_mean(3.0, 1.0, 2.0, 4)
    3.75
    """
    positive("b_alpha", b_alpha)
    return squared_gap + (own_variance + other_variance) / b_alpha


def estimator_own_mean(squared_gradient: Scalar, own_variance: Scalar, b_alpha: Scalar) -> Scalar:
    """Mean of Z_i, ||grad R_i||^2 + sigma_i^2 / b_alpha, (...); loss^2 / length^2."""
    positive("b_alpha", b_alpha)
    return squared_gradient + own_variance / b_alpha


def plug_in_ratio(
    squared_gap: Scalar,
    squared_gradient: Scalar,
    own_variance: Scalar,
    other_variance: Scalar,
    b_alpha: Scalar,
) -> Scalar:
    r"""The ratio that the means of Z_ik and Z_i suggest, before the positive part.

    .. math:: 1 - \frac{\Delta^2 + (\sigma_i^2+\sigma_k^2)/b_\alpha}{G^2 + \sigma_i^2/b_\alpha}

    It is the first-order value of the estimate. At the asking client's optimum it is
    -(sigma_k^2 + b_alpha Delta^2) / sigma_i^2 < 0: noise alone ends the collaboration, even
    between equal clients.

    Parameters
    ----------
    squared_gap, squared_gradient : arrays, (...)
        Delta_ik^2 and G^2; loss^2 / length^2.
    own_variance, other_variance, b_alpha
        As in :func:`estimator_gap_mean`.

    Returns
    -------
    array, (...)
        Below 1, of either sign.
    """
    gap = estimator_gap_mean(squared_gap, own_variance, other_variance, b_alpha)
    return 1 - gap / estimator_own_mean(squared_gradient, own_variance, b_alpha)


def plug_in_threshold(squared_gap: Scalar, other_variance: Scalar, b_alpha: Scalar) -> Scalar:
    r"""Squared gradient norm below which the plug-in ratio is negative.

    .. math:: G^2 < \Delta_{ik}^2 + \sigma_k^2 / b_\alpha

    where the true ratio vanishes below Delta_ik^2 alone.  The own variance cancels.
    """
    positive("b_alpha", b_alpha)
    return squared_gap + other_variance / b_alpha


# -- variances under isotropic Gaussian noise --------------------------------------------


def estimator_gap_variance_gaussian(
    squared_gap: Scalar, own_variance: Scalar, other_variance: Scalar, b_alpha: Scalar, dim: int
) -> Scalar:
    r"""Variance of Z_ik under isotropic Gaussian noise.

    .. math:: \frac{4 \tau \Delta^2 + 2 \tau^2}{d},
              \qquad \tau = (\sigma_i^2 + \sigma_k^2) / b_\alpha

    Parameters as in :func:`estimator_gap_mean`; ``dim`` is d.
    """
    tau = estimator_gap_mean(0 * squared_gap, own_variance, other_variance, b_alpha)
    return (4 * tau * squared_gap + 2 * tau**2) / dim


def estimator_own_variance_gaussian(
    squared_gradient: Scalar, own_variance: Scalar, b_alpha: Scalar, dim: int
) -> Scalar:
    """Variance of Z_i, (4 tau G^2 + 2 tau^2) / d with tau = sigma_i^2 / b_alpha."""
    tau = estimator_own_mean(0 * squared_gradient, own_variance, b_alpha)
    return (4 * tau * squared_gradient + 2 * tau**2) / dim


def estimator_covariance_gaussian(
    own_gradient: Points, other_gradient: Points, own_variance: Scalar, b_alpha: Scalar
) -> Scalar:
    r"""Covariance of Z_ik and Z_i, which share the draws of the asking client.

    .. math:: \frac{2 \tau^2 - 4 \tau \langle \nabla R_k - \nabla R_i, \nabla R_i \rangle}{d},
              \qquad \tau = \sigma_i^2 / b_\alpha

    Parameters
    ----------
    own_gradient, other_gradient : arrays, (..., d)
        grad R_i and grad R_k; loss / length.
    own_variance : array, (...)
    b_alpha : int or array
    """
    positive("b_alpha", b_alpha)
    tau = own_variance / b_alpha
    slope = dot(other_gradient - own_gradient, own_gradient)
    return (2 * tau**2 - 4 * tau * slope) / own_gradient.shape[-1]


# -- variances for noise along one direction ---------------------------------------------


def two_point_cumulants(
    scale: Scalar, skew: Scalar, b_alpha: Scalar
) -> tuple[Scalar, Scalar, Scalar]:
    r"""Cumulants 2 to 4 of the mean of b_alpha two-point draws.

    A word is m with probability 1/(1 + m^2), else -1/m; then

    .. math:: \kappa_2 = \frac{s^2}{b}, \quad \kappa_3 = \frac{s^3 (m - 1/m)}{b^2}, \quad
              \kappa_4 = \frac{s^4 (m^2 - 4 + 1/m^2)}{b^3}.

    Parameters
    ----------
    scale : array, (...)
        s, the standard deviation; loss / length.
    skew : array, (...)
        m > 0.
    b_alpha : int or array
    """
    positive("skew", skew)
    positive("b_alpha", b_alpha)
    third = scale**3 * (skew - 1 / skew) / b_alpha**2
    return scale**2 / b_alpha, third, scale**4 * (skew**2 - 4 + 1 / skew**2) / b_alpha**3


def estimator_own_variance_along(
    own_gradient: Points, direction: Points, cumulants: tuple[Scalar, Scalar, Scalar]
) -> Scalar:
    r"""Variance of Z_i where the noise is x u with a fixed unit vector u.

    .. math:: 4 a^2 \kappa_2 + 4 a \kappa_3 + \kappa_4 + 2 \kappa_2^2,
              \qquad a = \langle \nabla R_i, u \rangle

    Parameters
    ----------
    own_gradient, direction : arrays, (..., d)
    cumulants : three arrays, (...)
        Cumulants 2, 3, 4 of x, the mean of b_alpha draws.
    """
    return _square_variance(dot(own_gradient, direction), cumulants)


def estimator_gap_variance_along(
    own_gradient: Points,
    other_gradient: Points,
    direction: Points,
    own_cumulants: tuple[Scalar, Scalar, Scalar],
    other_cumulants: tuple[Scalar, Scalar, Scalar],
) -> Scalar:
    """Variance of Z_ik where both noises lie along u; cumulants of x_k - x_i add up to a sign."""
    (own2, own3, own4), (other2, other3, other4) = own_cumulants, other_cumulants
    both = other2 + own2, other3 - own3, other4 + own4
    return _square_variance(dot(other_gradient - own_gradient, direction), both)


def estimator_covariance_along(
    own_gradient: Points,
    other_gradient: Points,
    direction: Points,
    own_cumulants: tuple[Scalar, Scalar, Scalar],
) -> Scalar:
    r"""Covariance of Z_ik and Z_i where both noises lie along u.

    .. math:: -4 a c \kappa_2 + 2 (c - a) \kappa_3 + \kappa_4 + 2 \kappa_2^2

    where a = <grad R_k - grad R_i, u>, c = <grad R_i, u> and the cumulants are client i's.
    """
    second, third, fourth = own_cumulants
    a, c = dot(other_gradient - own_gradient, direction), dot(own_gradient, direction)
    return -4 * a * c * second + 2 * (c - a) * third + fourth + 2 * second**2


# -- ageing between two refreshes --------------------------------------------------------


def aged_ratio(ratio: Scalar, contraction: Scalar, rounds: Scalar) -> Scalar:
    r"""True ratio some rounds after a refresh, before the positive part.

    .. math:: 1 - (1 - r) \rho^{-2q}

    where Hessians coincide, so that the gap Delta stays, and the own gradient shrinks by a factor
    rho per round (rho = 1 - eta mu on an isotropic quadratic).  Weights kept for q rounds overrate
    every helper with r < 1.

    Parameters
    ----------
    ratio : array, (...)
        r at the refresh, in [0, 1].
    contraction : array, (...)
        rho in (0, 1].
    rounds : int
        q >= 0.
    """
    positive("contraction", contraction)
    return 1 - (1 - ratio) / contraction ** (2 * rounds)


# -- private helpers ---------------------------------------------------------------------


def _square_variance(a: Scalar, cumulants: tuple[Scalar, Scalar, Scalar]) -> Scalar:
    """Variance of (a + x)^2 for centred x with these cumulants."""
    second, third, fourth = cumulants
    return 4 * a**2 * second + 4 * a * third + fourth + 2 * second**2
