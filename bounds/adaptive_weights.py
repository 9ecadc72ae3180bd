r"""What can be proved where the weights depend on the path: step limits and stopped bounds.

The step condition of the theorems, eta <= q/beta with q = (sigma_phi/sigma_psi)^2 at theta^{t-1},
is random.  The sharp lower bounds of q over all ratios give one step size that meets it on every
path.  The sufficient variance at a fixed precision bounds the effective one only while the
realised excess loss is that large, so that a bound in mean holds for the stopped excess.  Client
axis last, client 0 asks.
"""

from __future__ import annotations

from typing import Any

from bounds.generic import sqrt, total
from bounds.numbers.shapes import Clients, Scalar
from bounds.numbers.validate import positive
from bounds.rates import theorem1_upper
from bounds.similarity import step_ratio_lower

__all__ = [
    "reach_probability_upper",
    "step_ratio_binary_sharp",
    "step_ratio_continuous_sharp",
    "theorem1_direction_upper",
]


def step_ratio_continuous_sharp(sigma2: Clients) -> Scalar:
    r"""Smallest (sigma_phi/sigma_psi)^2 of phi_cont over all ratios with r_0 = 1.

    .. math:: \frac{2}{1+\sqrt{\sigma_0^2\sum_k\sigma_k^{-2}}}

    Proof. With w_k = sigma_k^{-2} and W the sum over the others, Cauchy-Schwarz gives
    :math:`q = \frac{w_0+\sum w_kr_k^2}{w_0+\sum w_kr_k} \ge \frac{w_0+Wr^2}{w_0+Wr}` for the
    weighted mean r of the others' ratios; the right side is smallest where
    :math:`Wr^2 + 2w_0r = w_0`, that is r = 1/(1 + sqrt(1 + W/w_0)), and is 2r there.

    Of order 1/sqrt(N) for equal variances, where Remark 3 (c) has 1/N.

    Parameters
    ----------
    sigma2 : array, (..., N)
        Variance bounds of A2.

    Returns
    -------
    array, (...)
        In (0, 1]; attained at r_k = 1/(1 + sqrt(sigma_0^2 sum_j sigma_j^{-2})) for all k > 0.

    Source
    ------
    Sharper than adaptive, Remark 3 (c).

    Examples
    --------
    >>> from bounds.numbers import as_rational
    >>> step_ratio_continuous_sharp(as_rational([1, 1, 1, 1]))
    Fraction(2, 3)
    """
    return 2 / (1 + sqrt(1 / step_ratio_lower(sigma2)))


def step_ratio_binary_sharp(sigma2: Clients, threshold: Scalar) -> Scalar:
    r"""Smallest (sigma_phi/sigma_psi)^2 of phi_bin over all ratios with r_0 = 1.

    .. math:: p + \lambda(1-p), \qquad p = \frac{\sigma_0^{-2}}{\sum_k\sigma_k^{-2}}

    Proof. Among the chosen clients q is the average of the ratios with weights sigma_k^{-2}; the
    own ratio is 1, the others are at least lambda, and choosing all of them at lambda gives the
    smallest average.

    Source
    ------
    Sharper than adaptive, Remark 3 (b).

    Examples
    --------
    >>> from fractions import Fraction
    >>> from bounds.numbers import as_rational
    >>> step_ratio_binary_sharp(as_rational([1, 1]), Fraction(1, 2))
    Fraction(3, 4)
    """
    positive("threshold", threshold)
    share = step_ratio_lower(sigma2)
    return share + threshold * (1 - share)


def theorem1_direction_upper(
    initial_excess: Scalar,
    step_size: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    weights: Clients,
    sigma2: Clients,
) -> dict[str, Any]:
    r"""Theorem 1 with the variance of the direction itself in place of sigma_eff^2.

    .. math:: (1-\eta\mu)^T E_0
              + \frac{\beta\eta^2}{2}\sum_{t=1}^T(1-\eta\mu)^{T-t}\sum_k(\alpha_k^t\sigma_k)^2

    to be taken in mean over the runs. Never above Theorem 1, equal to it for phi_cont.

    Parameters
    ----------
    weights : array, (..., T, N)
        alpha_k^t of Definition 1 along a run.
    sigma2 : array, (..., N)
    """
    noise = total(weights**2 * sigma2[..., None, :])
    return theorem1_upper(initial_excess, step_size, mu, smoothness, noise)


def reach_probability_upper(bound: Scalar, precision: Scalar) -> Scalar:
    """Probability that the excess loss stays at or above eps up to T, by Markov's inequality.

    Parameters
    ----------
    bound : array, (...)
        An upper bound of E[X_T; X_t >= eps for all t < T]; unit loss.
    precision : array, (...)
        eps > 0; unit loss.
    """
    positive("precision", precision)
    return bound / precision
