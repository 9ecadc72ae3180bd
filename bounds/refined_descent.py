r"""Descent with the bias of the average: what the Jensen step of Lemma 1 gives away.

The proof of Lemma 1 bounds :math:`\lVert\sum_k\alpha_k(\nabla R_k-\nabla R_i)\rVert^2/A`,
:math:`A=\sum_k\alpha_k`, by :math:`\sum_k\alpha_k\Delta_k^2`.  The triangle inequality gives

.. math:: \frac{(\sum_k\alpha_k\Delta_k)^2}{A} \le \sum_k\alpha_k\Delta_k^2 ,

smaller by the factor A for one deviating client of weight :math:`\alpha_k`: its bias is
:math:`\alpha_k^2\Delta_k^2/A` in place of :math:`\alpha_k\Delta_k^2`.  Equal for clients of equal
gaps, sharp for gaps in one direction.

Common parameters as in `bounds.descent`; ``gaps`` are Delta_k = ||grad R_k - grad R_i|| (..., N),
loss/length, zero for the asking client.
"""

from __future__ import annotations

from typing import Any

from bounds.descent import Terms
from bounds.generic import divide, positive_part, sqrt, total, trailing
from bounds.numbers.shapes import Clients, Scalar
from bounds.numbers.validate import nonnegative, positive

__all__ = [
    "bias_jensen_upper",
    "bias_triangle_upper",
    "lemma1_refined_upper",
    "neighbourhood_refined_upper",
    "neighbourhood_upper",
    "refined_bound_lower",
    "refined_scale",
    "refined_weights",
]


def bias_triangle_upper(weights: Clients, gaps: Clients) -> Scalar:
    r"""(sum_k alpha_k Delta_k)^2 / sum_k alpha_k.

    Examples
    --------
    >>> import numpy as np
    >>> weights, gaps = np.array([0.75, 0.25]), np.array([0.0, 2.0])
    >>> float(bias_triangle_upper(weights, gaps)), float(bias_jensen_upper(weights, gaps))
    (0.25, 1.0)
    """
    return divide(total(weights * gaps) ** 2, total(weights))


def bias_jensen_upper(weights: Clients, gaps: Clients) -> Scalar:
    """sum_k alpha_k Delta_k^2, as in Lemma 1."""
    return total(weights * gaps**2)


def lemma1_refined_upper(
    step_size: Scalar,
    smoothness: Scalar,
    weights: Clients,
    sigma2: Clients,
    squared_gradient: Scalar,
    squared_gaps: Clients,
) -> Terms:
    r"""Descent lemma with the bias of the average.

    .. math:: \frac{\eta}{2A}\Bigl(\sum_k\alpha_k\Delta_k\Bigr)^2 - \frac{\eta A}2 G^2
              + \frac{\eta^2\beta}{2}\sum_k\alpha_k^2\sigma_k^2

    Needs eta <= 1/(beta A). Equality: one-dimensional quadratics with Hessian beta at
    eta = 1/(beta A), gaps of one sign and exact noise.

    Returns
    -------
    dict
        ``heterogeneity`` >= 0, ``descent`` <= 0, ``noise`` >= 0; unit loss.

    Source
    ------
    Sharper than adaptive, Lemma 1.
    """
    positive("smoothness", smoothness)
    nonnegative("weights", weights)
    nonnegative("sigma2", sigma2)
    whole = total(weights)
    return {
        "heterogeneity": step_size * bias_triangle_upper(weights, sqrt(squared_gaps)) / 2,
        "descent": -step_size * whole * squared_gradient / 2,
        "noise": step_size**2 * smoothness * total(weights**2 * sigma2) / 2,
    }


def neighbourhood_refined_upper(
    step_size: Scalar,
    smoothness: Scalar,
    mu: Scalar,
    weights: Clients,
    sigma2: Clients,
    bias: Clients,
) -> Terms:
    r"""What the mean excess loss tends to at most, for fixed weights and c = 0.

    .. math:: \frac{(\sum_k\alpha_kb_k)^2}{2\mu A^2}
              + \frac{\eta\beta}{2\mu A}\sum_k\alpha_k^2\sigma_k^2

    the fixed point of :math:`E' = (1-\eta\mu A)E + \tfrac{\eta}{2A}(\sum_k\alpha_kb_k)^2
    + \tfrac{\eta^2\beta}{2}\sum_k\alpha_k^2\sigma_k^2`, with
    :math:`G^2 \ge 2\mu E` in `lemma1_refined_upper`.  Without noise it is attained: a quadratic of
    curvature mu whose helpers all push by b_k in one direction comes to rest there.

    Parameters
    ----------
    mu : (...), loss / length^2
        PL constant.
    bias : (..., N), loss / length
        b_k; 0 for the asking client.
    """
    positive("mu", mu)
    whole = total(weights)
    return {
        "bias": divide(bias_triangle_upper(weights, bias), 2 * mu * whole),
        "noise": _noise(step_size, smoothness, mu, weights, sigma2),
    }


def neighbourhood_upper(
    step_size: Scalar,
    smoothness: Scalar,
    mu: Scalar,
    weights: Clients,
    sigma2: Clients,
    bias: Clients,
) -> Terms:
    r"""The same from Lemma 1: :math:`\sum_k\alpha_kb_k^2/(2\mu A)` and the noise."""
    positive("mu", mu)
    return {
        "bias": divide(bias_jensen_upper(weights, bias), 2 * mu * total(weights)),
        "noise": _noise(step_size, smoothness, mu, weights, sigma2),
    }


def refined_weights(
    step_size: Scalar,
    smoothness: Scalar,
    sigma2: Clients,
    squared_gradient: Scalar,
    gaps: Clients,
    mean_gap: Scalar,
) -> Clients:
    r"""Weights (G^2 + m^2 - 2 m Delta_k)_+/(2 eta beta sigma_k^2), for a mean gap m.

    They minimise the right side of `lemma1_refined_upper` where m is their own mean gap,
    :math:`m = \sum_k\alpha_k\Delta_k/\sum_k\alpha_k`: the right side is convex in the weights, and
    this is where its slope vanishes.  A client is left out where Delta_k exceeds
    (G^2 + m^2)/(2 m), which is above G: clients that Lemma 1 excludes still help.

    Parameters
    ----------
    mean_gap : (...), loss / length
        m, not negative.
    """
    gain = _gain(squared_gradient, gaps, mean_gap)
    return gain / (2 * trailing(step_size * smoothness) * sigma2)


def refined_bound_lower(
    smoothness: Scalar, sigma2: Clients, squared_gradient: Scalar, gaps: Clients, mean_gap: Scalar
) -> Scalar:
    r"""At most the right side of `lemma1_refined_upper`, whatever the weights, for every m.

    .. math:: -\sum_k\frac{(G^2+m^2-2m\Delta_k)_+^2}{8\beta\sigma_k^2}

    since :math:`B^2/A \ge 2mB - m^2A`; equal to it at `refined_weights` of mean gap m.
    """
    gain = _gain(squared_gradient, gaps, mean_gap)
    return -total(gain**2 / sigma2) / (8 * smoothness)


def refined_scale(weights: Clients, ratio_gaps: Clients) -> Scalar:
    r"""Factor by which weights with sum_k alpha_k (1 - rho_k^2) = 1 may shrink.

    .. math:: \tau = \frac{1-\overline{\rho^2}}{1-\overline\rho^2} \le 1,

    means by the weights, rho_k = Delta_k/G.  With the weights tau alpha the first two terms of
    `lemma1_refined_upper` are -eta G^2/2, as those of Lemma 1 are with alpha, and the noise is
    smaller by tau^2; so is every number of iterations proportional to the variance.

    Parameters
    ----------
    ratio_gaps : (..., N), no unit
        rho_k, below one where a weight is positive.
    """
    whole = total(weights)
    mean = divide(total(weights * ratio_gaps), whole)
    return (1 - divide(total(weights * ratio_gaps**2), whole)) / (1 - mean**2)


# -- private helpers ---------------------------------------------------------------------


def _gain(squared_gradient: Scalar, gaps: Clients, mean_gap: Scalar) -> Any:
    level = trailing(squared_gradient + mean_gap**2)
    return positive_part(level - 2 * trailing(mean_gap) * gaps)


def _noise(
    step_size: Scalar, smoothness: Scalar, mu: Scalar, weights: Clients, sigma2: Clients
) -> Any:
    noise = total(weights**2 * sigma2)
    return divide(step_size * smoothness * noise, 2 * mu * total(weights))
