r"""Sufficient cluster and variance at a precision (Definition 2), true and printed.

A3 bounds the squared gap by :math:`b^2 + c\,G^2`, and PL gives :math:`G^2 \ge 2\mu\varepsilon`,
hence :math:`r_k \ge (1 - b_k^2/(2\mu\varepsilon) - c_k)_+`.  The paper prints b in place of
b^2, which has the wrong unit; that form is kept as ``*_printed``.  Client axis last; values per
instance (mu, precision) have the shape of the others without it.
"""

from __future__ import annotations

from typing import Any

from bounds.generic import above, indicator, positive_part, sqrt, trailing, where
from bounds.numbers.shapes import Clients, Scalar
from bounds.numbers.validate import positive
from bounds.similarity import inverse_variance, phi_by_name, psi

__all__ = [
    "binary_psi_lower",
    "sufficient_cluster",
    "sufficient_ratio",
    "sufficient_ratio_best",
    "sufficient_ratio_from_gradient",
    "sufficient_ratio_limit_infinity",
    "sufficient_ratio_limit_zero",
    "sufficient_variance",
    "sufficient_variance_limit_infinity",
    "sufficient_variance_limit_zero",
    "sufficient_variance_lower",
]


def sufficient_ratio(
    squared_bias: Clients, slope: Clients, mu: Scalar, precision: Scalar
) -> Clients:
    r"""Guaranteed similarity (1 - b^2/(2 mu eps) - c)_+ while the excess loss is at least eps.

    Parameters
    ----------
    squared_bias, slope : arrays, (..., N)
        b_ik^2 and c_ik of A3 for the asking client i (a row of the pairs).
    mu : positive scalar or array (...)
        Strong convexity or PL constant; unit loss / length^2.
    precision : positive scalar or array (...)
        eps; unit loss.

    Returns
    -------
    array, (..., N)
        In [0, 1]; 1 for the asking client.

    Source
    ------
    adaptive, Definition 2 with b^2 as the proof of Lemma 2 needs it.

    Examples
    --------
    >>> from bounds.numbers import as_rational
    >>> sufficient_ratio(as_rational([0, 2]), as_rational([0, "1/4"]), 1, 2)
    array([Fraction(1, 1), Fraction(1, 4)], dtype=object)
    """
    positive("mu", mu)
    positive("precision", precision)
    return sufficient_ratio_from_gradient(squared_bias, slope, 2 * mu * precision)


def sufficient_ratio_from_gradient(
    squared_bias: Clients, slope: Clients, squared_gradient: Scalar
) -> Clients:
    """(1 - b^2/G^2 - c)_+, a lower bound of r_k by A3 alone; G^2 of shape (...).

    Needs neither convexity nor PL, so it serves the non-convex case, where eps has no meaning
    without a lower bound of the gradient.
    """
    return positive_part(1 - squared_bias / trailing(squared_gradient) - slope)


def sufficient_ratio_printed(
    bias: Clients, slope: Clients, mu: Scalar, precision: Scalar
) -> Clients:
    """(1 - b/(2 mu eps) - c)_+ as printed in Definition 2: b where A3 calls for b^2."""
    positive("mu", mu)
    positive("precision", precision)
    return sufficient_ratio_from_gradient(bias, slope, 2 * mu * precision)


def sufficient_ratio_best(
    shift: Clients, spread: Clients, mu: Scalar, precision: Scalar
) -> Clients:
    r"""The largest guaranteed similarity over the trade-off curve of a quadratic pair.

    .. math:: \Big(1 - \big(\lVert v\rVert/\sqrt{2\mu\varepsilon} + \lVert M\rVert\big)^2\Big)_+

    the value of `sufficient_ratio` at the best s = ||v|| / (||M|| sqrt(2 mu eps)).

    Parameters
    ----------
    shift, spread : arrays, (..., N)
        ||v_ik||^2 and ||M_ik||^2 of `bounds.heterogeneity.mismatch`.
    """
    positive("mu", mu)
    positive("precision", precision)
    bias = shift / trailing(2 * mu * precision)
    # (x + y)^2 written out, so that only the cross term meets a square root
    return positive_part(1 - bias - spread - 2 * sqrt(bias * spread))


def sufficient_cluster(
    ratio: Clients, phi: Any, threshold: Scalar = None, exponent: int | None = None
) -> Clients:
    """Members of the sufficient cluster, booleans (..., N): psi(ratio) > 0."""
    return above(psi(ratio, phi_by_name(phi, ratio, threshold, exponent)), 0)


def sufficient_variance(
    ratio: Clients, phi: Any, sigma2: Clients, threshold: Scalar = None, exponent: int | None = None
) -> Scalar:
    """sigma_suf^2 = (sum_k psi(ratio_k) / sigma_k^2)^{-1}, shape (...).

    Parameters
    ----------
    ratio : array, (..., N)
        From `sufficient_ratio`.
    phi : str or callable
        A rule of `bounds.similarity.PHI` with its ``threshold`` or ``exponent``.
    sigma2 : array, (..., N)
        Variance bounds of A2.
    """
    return inverse_variance(psi(ratio, phi_by_name(phi, ratio, threshold, exponent)), sigma2)


def sufficient_ratio_limit_zero(squared_bias: Clients, slope: Clients) -> Clients:
    """Limit of `sufficient_ratio` as eps -> 0: (1 - c)_+ where b = 0, else 0."""
    return indicator(squared_bias == 0, squared_bias) * positive_part(1 - slope)


def sufficient_ratio_limit_infinity(slope: Clients) -> Clients:
    """Limit of `sufficient_ratio` as eps -> infinity: (1 - c)_+."""
    return positive_part(1 - slope)


def sufficient_variance_limit_zero(
    squared_bias: Clients,
    slope: Clients,
    phi: Any,
    sigma2: Clients,
    threshold: Scalar = None,
    exponent: int | None = None,
) -> Scalar:
    r"""Limit of sigma_suf^2 as eps -> 0: (sum_k 1{b_k = 0} psi((1-c_k)_+) / sigma_k^2)^{-1}.

    Exact for every phi: the ratio is constant where b = 0, and zero once
    eps <= b^2/(2 mu) elsewhere.

    Source
    ------
    adaptive.def2.lim0, where sigma_k^2 is printed for sigma_k^{-2}.
    """
    ratio = sufficient_ratio_limit_zero(squared_bias, slope)
    return sufficient_variance(ratio, phi, sigma2, threshold, exponent)


def sufficient_variance_limit_zero_printed(
    squared_bias: Clients,
    slope: Clients,
    phi: Any,
    sigma2: Clients,
    threshold: Scalar = None,
    exponent: int | None = None,
) -> Scalar:
    """(sum_k sigma_k^2 psi((1-c_k)_+) 1{b_k = 0})^{-1} as printed."""
    ratio = sufficient_ratio_limit_zero(squared_bias, slope)
    return sufficient_variance(ratio, phi, 1 / sigma2, threshold, exponent)


def sufficient_variance_limit_infinity(
    squared_bias: Clients,
    slope: Clients,
    phi: Any,
    sigma2: Clients,
    threshold: Scalar = None,
    exponent: int | None = None,
) -> Scalar:
    r"""Limit of sigma_suf^2 as eps -> infinity.

    The ratio climbs to (1 - c_k)_+ from below where b_k > 0, so phi_bin counts such a client
    only if 1 - c_k > lambda, strictly; the printed form, with phi((1-c_k)_+) for all, agrees
    wherever phi is continuous from the left.

    Source
    ------
    adaptive.def2.liminf (printed for phi_cont, where it is right).
    """
    ratio = sufficient_ratio_limit_infinity(slope)
    values = phi_by_name(phi, ratio, threshold, exponent)
    if isinstance(phi, str) and phi == "binary":
        missing = getattr(ratio, "ndim", 0) - getattr(threshold, "ndim", 0)
        level = trailing(threshold, missing) if missing > 0 else threshold
        from_below = level * indicator(above(ratio, level), ratio)
        values = where(squared_bias == 0, values, from_below)
    return inverse_variance(psi(ratio, values), sigma2)


def sufficient_variance_limit_infinity_printed(
    slope: Clients,
    phi: Any,
    sigma2: Clients,
    threshold: Scalar = None,
    exponent: int | None = None,
) -> Scalar:
    """(sum_k psi((1-c_k)_+) / sigma_k^2)^{-1} as printed."""
    ratio = sufficient_ratio_limit_infinity(slope)
    return sufficient_variance(ratio, phi, sigma2, threshold, exponent)


def sufficient_variance_lower(sigma2: Clients, psi_at_one: Scalar, cluster_size: Scalar) -> Scalar:
    """sigma^2 / (psi(1) |cluster|) <= sigma_suf^2 for equal variances (adaptive.sec4.lb)."""
    return sigma2 / (psi_at_one * cluster_size)


def binary_psi_lower(threshold: Scalar) -> Scalar:
    """lambda^2 <= psi_bin on its support, attained at x = lambda (adaptive.sec4.binmin)."""
    return threshold**2


def binary_psi_lower_printed(threshold: Scalar) -> Scalar:
    """Constant lambda as printed: psi_bin(x) = lambda x reaches it only at x = 1."""
    return threshold
