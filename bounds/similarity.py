r"""Similarity ratios, collaboration weights and effective variance (Definitions 1 and 3).

For any function f of the ratios, :math:`\sigma_f^2 = (\sum_k f(r_k)/\sigma_k^2)^{-1}`; the
weights are :math:`\alpha_k = \phi(r_k)\,\sigma_\psi^2/\sigma_k^2` with
:math:`\psi(x) = x\,\phi(x)`.  The client axis is the last one; values of phi are passed in, so
that any phi works.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from bounds.generic import (
    at_least,
    divide,
    indicator,
    kind,
    positive_part,
    squared_norm,
    total,
    trailing,
    where,
)
from bounds.numbers.dispatch import each_entry
from bounds.numbers.recording import recordable
from bounds.numbers.shapes import Clients, Gradients, Points, Scalar
from bounds.numbers.validate import positive, require

__all__ = [
    "PHI",
    "batch_weight_scale",
    "collaboration_weights",
    "effective_variance",
    "inverse_variance",
    "phi_binary",
    "phi_by_name",
    "phi_continuous",
    "phi_power",
    "psi",
    "ratio_from_squares",
    "similarity_ratio",
    "step_ratio",
    "step_ratio_binary_lower",
    "step_ratio_lower",
    "step_size_limit",
    "weight_sum",
    "weighted_variance",
]


def similarity_ratio(gradients: Gradients, focus_gradient: Points | None = None) -> Clients:
    r"""Similarity of every client to the one that asks.

    .. math:: r_k = \big(1 - \lVert\nabla R_k - \nabla R_i\rVert^2/\lVert\nabla R_i\rVert^2\big)_+

    Parameters
    ----------
    gradients : array, (..., N, d)
        Every client's gradient at the asking client's point; unit loss / length.
    focus_gradient : array, (..., d), optional
        The asking client's own; client 0's by default.

    Returns
    -------
    array, (..., N)
        In [0, 1].  The paper leaves a vanishing own gradient open; here r_k is then 1 for
        clients whose gradient vanishes too (the asking one among them) and 0 for the others.

    Source
    ------
    adaptive, similarity ratio of Section 3.
    """
    focus = gradients[..., 0, :] if focus_gradient is None else focus_gradient
    gap = squared_norm(gradients - focus[..., None, :])
    return ratio_from_squares(gap, squared_norm(focus))


@recordable
def ratio_from_squares(squared_gap: Clients, squared_gradient: Scalar) -> Clients:
    """Similarity ratio from Delta_k^2, (..., N), and G^2, (...): (1 - Delta_k^2/G^2)_+."""
    own = trailing(squared_gradient)
    number = kind(squared_gap, own)
    if number == "symbolic":
        return positive_part(1 - squared_gap / own)
    if number == "exact":
        return each_entry(_exact_ratio, squared_gap, own)
    still = own == 0
    ratio = positive_part(1 - squared_gap / where(still, own + 1, own))
    return where(still & (squared_gap > 0), ratio * 0, ratio)


def phi_binary(r: Clients, threshold: Scalar) -> Clients:
    """phi_bin(x) = lambda 1{x >= lambda}, lambda in (0, 1] (Definition 3)."""
    positive("threshold", threshold, "pass a number in (0, 1]")
    return threshold * indicator(at_least(r, threshold), r)


def phi_continuous(r: Clients) -> Clients:
    """phi_cont(x) = x (Definition 3)."""
    return r


def phi_power(r: Clients, exponent: int) -> Clients:
    """phi(x) = x**exponent, exponent >= 1, so that phi(x) <= x on [0, 1]."""
    require(exponent >= 1, "exponent", "an integer >= 1", exponent, "phi must stay below x")
    return r**exponent


PHI: MappingProxyType[str, Callable[..., Any]] = MappingProxyType(
    {"binary": phi_binary, "continuous": phi_continuous, "power": phi_power}
)
"""The rules by name."""


def phi_by_name(
    phi: Any, r: Clients, threshold: Scalar = None, exponent: int | None = None
) -> Clients:
    """Evaluate a rule given by name (a key of `PHI`) or as a function of r.

    A threshold per instance is given axes for r's further ones.
    """
    if callable(phi):
        return phi(r)
    require(phi in PHI, "phi", f"one of {', '.join(PHI)} or a function", phi, "correct it")
    if phi == "continuous":
        return phi_continuous(r)
    if phi == "power":
        require(exponent is not None, "exponent", "given", None, "pass an integer >= 1")
        return phi_power(r, exponent)  # type: ignore[arg-type]
    require(threshold is not None, "threshold", "given", None, "pass lambda in (0, 1]")
    missing = getattr(r, "ndim", 0) - getattr(threshold, "ndim", 0)
    return phi_binary(r, trailing(threshold, missing) if missing > 0 else threshold)


def psi(r: Clients, phi_r: Clients) -> Clients:
    """psi(x) = x phi(x)."""
    return r * phi_r


def inverse_variance(weights: Clients, sigma2: Clients) -> Scalar:
    r"""sigma_f^2 = (sum_k f_k / sigma_k^2)^{-1}, (..., N), (..., N) -> (...)."""
    positive("sigma2", sigma2)
    return 1 / total(weights / sigma2)


def collaboration_weights(r: Clients, phi_r: Clients, sigma2: Clients) -> Clients:
    r"""Weights alpha_k = phi(r_k) sigma_psi^2 / sigma_k^2, (..., N) each.

    They satisfy sum_k alpha_k r_k = 1 and need not sum to 1.

    Source
    ------
    adaptive, Definition 1.

    Examples
    --------
    >>> from bounds.numbers import as_rational
    >>> collaboration_weights(as_rational([1, "1/2"]), as_rational([1, "1/2"]), as_rational([1, 1]))
    array([Fraction(4, 5), Fraction(2, 5)], dtype=object)
    """
    return phi_r * trailing(effective_variance(r, phi_r, sigma2)) / sigma2


def effective_variance(r: Clients, phi_r: Clients, sigma2: Clients) -> Scalar:
    """sigma_eff^2 = sigma_psi^2, (...) (Definition 1)."""
    return inverse_variance(psi(r, phi_r), sigma2)


def weighted_variance(r: Clients, phi_r: Clients, sigma2: Clients) -> Scalar:
    """sum_k alpha_k^2 sigma_k^2 = sigma_psi^4 / sigma_{phi^2}^2 <= sigma_psi^2 (def1.var)."""
    return inverse_variance(psi(r, phi_r), sigma2) ** 2 / inverse_variance(phi_r**2, sigma2)


def weight_sum(r: Clients, phi_r: Clients, sigma2: Clients) -> Scalar:
    """sum_k alpha_k = sigma_psi^2 / sigma_phi^2 >= 1 (adaptive.def1.sum)."""
    return inverse_variance(psi(r, phi_r), sigma2) / inverse_variance(phi_r, sigma2)


def step_ratio(r: Clients, phi_r: Clients, sigma2: Clients) -> Scalar:
    """(sigma_phi / sigma_psi)^2, the inverse of the weights' sum, in (0, 1]."""
    return inverse_variance(phi_r, sigma2) / inverse_variance(psi(r, phi_r), sigma2)


def step_size_limit(r: Clients, phi_r: Clients, sigma2: Clients, smoothness: Scalar) -> Scalar:
    """Largest step size of the theorems, (sigma_phi/sigma_psi)^2 / beta; unit length^2 / loss."""
    positive("smoothness", smoothness)
    return step_ratio(r, phi_r, sigma2) / smoothness


def step_ratio_binary_lower(threshold: Scalar) -> Scalar:
    """Range lambda <= (sigma_phi/sigma_psi)^2: psi(x) >= lambda phi_bin(x) (Remark 3 (b))."""
    return threshold


def step_ratio_lower(sigma2: Clients) -> Scalar:
    r"""A lower bound of (sigma_phi/sigma_psi)^2 for every non-decreasing phi, client 0 asking.

    .. math:: \frac{\sigma_i^{-2}}{\sum_k \sigma_k^{-2}}

    since r_i = 1 gives sigma_psi^2 <= sigma_i^2/phi(1), and phi <= phi(1) the other factor.

    Source
    ------
    adaptive, Remark 3 (c), printed for phi_cont.
    """
    positive("sigma2", sigma2)
    inverse = 1 / sigma2
    return inverse[..., 0] / total(inverse)


def batch_weight_scale(psi_r: Clients, batch: Scalar) -> Clients:
    r"""(sigma_psi/sigma_k)^2 = n_k / sum_j n_j psi(r_j) where sigma_k^2 = sigma^2/n_k, (..., N).

    Source
    ------
    adaptive, Remark 1.
    """
    positive("batch", batch)
    return batch / trailing(total(batch * psi_r))


# -- private helpers ---------------------------------------------------------------------


def _exact_ratio(gap: Scalar, own: Scalar) -> Scalar:
    if own == 0:
        return Fraction(1) if gap == 0 else Fraction(0)
    return positive_part(1 - divide(gap, own))
