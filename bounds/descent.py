r"""Right sides of the descent lemma (Lemma 1) and of its steps, term by term.

One step :math:`\theta' = \theta - \eta\sum_k\alpha_k g_k(\theta)` with independent unbiased
gradients of variances at most sigma_k^2 changes the excess loss of a beta-smooth R_i, in
conditional mean, by at most

.. math:: -\eta\langle s, \nabla R_i\rangle
          + \tfrac{\eta^2\beta}{2}\big(\lVert s\rVert^2 + \sum_k\alpha_k^2\sigma_k^2\big),
          \qquad s = \sum_k\alpha_k\nabla R_k .

Every bound here follows from this line.  Functions return ``{term: signed value}``, whose sum
(`right_side`) is the bound, so that a reader sees where it is loose.  The factor of the noise is
eta^2 beta/2; the last display of the printed proof has eta beta, which is smaller as soon as
eta > 2 and has another unit.

Common parameters: ``step_size`` eta (...), length^2/loss; ``smoothness`` beta (...),
loss/length^2; ``weights`` alpha (..., N); ``sigma2`` (..., N), loss^2/length^2;
``squared_gradient`` G^2 = ||grad R_i||^2 (...); ``squared_gaps`` Delta_k^2 =
||grad R_k - grad R_i||^2 (..., N).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds.generic import divide, positive_part, total, trailing
from bounds.numbers.shapes import Clients, Scalar
from bounds.numbers.validate import nonnegative, positive

__all__ = [
    "Terms",
    "best_weights",
    "direction_variance_upper",
    "lemma1_before_jensen_upper",
    "lemma1_step_limit",
    "lemma1_upper",
    "right_side",
    "s1_upper",
    "s2_upper",
    "second_moment_upper",
]

Terms = dict[str, Any]


def right_side(terms: Mapping[str, Any]) -> Scalar:
    """Sum of the signed terms."""
    values = list(terms.values())
    result = values[0]
    for value in values[1:]:
        result = result + value
    return result


def lemma1_upper(
    step_size: Scalar,
    smoothness: Scalar,
    weights: Clients,
    sigma2: Clients,
    squared_gradient: Scalar,
    squared_gaps: Clients,
) -> Terms:
    r"""Descent lemma.

    .. math:: \frac\eta2\sum_k\alpha_k(\Delta_k^2 - G^2)
              + \frac{\eta^2\beta}{2}\sum_k\alpha_k^2\sigma_k^2

    Needs eta <= 1/(beta sum_k alpha_k) (`lemma1_step_limit`).  Equality: one quadratic client
    with Hessian beta at eta = 1/beta and exact noise, or equal gradients at that step size.

    Returns
    -------
    dict
        ``heterogeneity`` >= 0, ``descent`` <= 0, ``noise`` >= 0; unit loss.

    Source
    ------
    adaptive, Lemma 1, noise as in the display before the last one of its proof.

    Examples
    --------
    >>> import numpy as np
    >>> one, half = np.ones(1), 0.5
    >>> float(right_side(lemma1_upper(half, 1.0, one, one, 4.0, 0 * one)))
    -0.875
    """
    _check(smoothness, weights, sigma2)
    noise = _noise(weights, sigma2)
    terms = _gradient_terms(step_size, weights, squared_gradient, squared_gaps)
    return {**terms, "noise": step_size**2 * smoothness * noise / 2}


def lemma1_statement_printed(
    step_size: Scalar,
    smoothness: Scalar,
    weights: Clients,
    sigma2: Clients,
    squared_gradient_after: Scalar,
    squared_gaps: Clients,
) -> Terms:
    """Lemma 1 as stated: noise eta beta sum alpha^2 sigma^2, own gradient *after* the step.

    ``squared_gradient_after`` is ||grad R_i(theta^t)||^2, random given theta^{t-1}.
    """
    return lemma1_last_display_printed(
        step_size, smoothness, weights, sigma2, squared_gradient_after, squared_gaps
    )


def lemma1_last_display_printed(
    step_size: Scalar,
    smoothness: Scalar,
    weights: Clients,
    sigma2: Clients,
    squared_gradient: Scalar,
    squared_gaps: Clients,
) -> Terms:
    """The last display of the printed proof: noise eta beta sum alpha^2 sigma^2."""
    _check(smoothness, weights, sigma2)
    noise = _noise(weights, sigma2)
    terms = _gradient_terms(step_size, weights, squared_gradient, squared_gaps)
    return {**terms, "noise": step_size * smoothness * noise}


def lemma1_before_jensen_upper(
    step_size: Scalar,
    smoothness: Scalar,
    weights: Clients,
    sigma2: Clients,
    squared_gradient: Scalar,
    squared_average: Scalar,
    squared_average_gap: Scalar,
) -> Terms:
    r"""The display of the proof before a term is dropped and Jensen is applied.

    .. math:: -\frac{\eta A}{2}(1-\eta A\beta)\lVert\nabla R_\alpha\rVert^2
              - \frac{\eta A}{2} G^2
              + \frac{\eta A}{2}\lVert\nabla R_\alpha-\nabla R_i\rVert^2
              + \frac{\eta^2\beta}{2}\sum_k\alpha_k^2\sigma_k^2

    with A = sum alpha and grad R_alpha the weighted mean of the gradients.  The same number as
    `s1_upper` with the second moment written out (polarisation), for every step size.

    Parameters
    ----------
    squared_average, squared_average_gap : arrays, (...)
        ||grad R_alpha||^2 and ||grad R_alpha - grad R_i||^2.

    Source
    ------
    adaptive.lemma1.exact.
    """
    _check(smoothness, weights, sigma2)
    scale = step_size * total(weights)
    return {
        "average": -scale * (1 - scale * smoothness) * squared_average / 2,
        "descent": -scale * squared_gradient / 2,
        "heterogeneity": scale * squared_average_gap / 2,
        "noise": step_size**2 * smoothness * _noise(weights, sigma2) / 2,
    }


def s1_upper(
    step_size: Scalar,
    smoothness: Scalar,
    weights: Clients,
    alignment: Scalar,
    second_moment: Scalar,
) -> Terms:
    """-eta A <grad R_alpha, grad R_i> + (eta A)^2 beta/2 E||g||^2 (adaptive.S1); any step size.

    Parameters
    ----------
    alignment : array, (...)
        <grad R_alpha, grad R_i>; either sign.
    second_moment : array, (...)
        E||g||^2 of the normalised direction g = sum_k alpha_k g_k / A.
    """
    scale = step_size * total(weights)
    return {
        "alignment": -scale * alignment,
        "second moment": scale**2 * smoothness * second_moment / 2,
    }


def second_moment_upper(weights: Clients, sigma2: Clients, squared_average: Scalar) -> Terms:
    """E||g||^2 <= sum_k (alpha_k/A)^2 sigma_k^2 + ||grad R_alpha||^2 (adaptive.lemma1.var).

    An equality where the sigma_k^2 are the variances themselves.
    """
    return {"noise": direction_variance_upper(weights, sigma2), "average": squared_average}


def direction_variance_upper(weights: Clients, sigma2: Clients) -> Scalar:
    """sum_k (alpha_k/A)^2 sigma_k^2, the variance of the normalised direction."""
    return _noise(weights, sigma2) / total(weights) ** 2


def s2_upper(
    step_size: Scalar, smoothness: Scalar, effective_variance: Scalar, squared_gradient: Scalar
) -> Terms:
    """-eta G^2/2 + eta^2 sigma_eff^2 beta/2 with the weights of Definition 1 (adaptive.S2)."""
    positive("smoothness", smoothness)
    return {
        "descent": -step_size * squared_gradient / 2,
        "noise": step_size**2 * effective_variance * smoothness / 2,
    }


def lemma1_step_limit(smoothness: Scalar, weights: Clients) -> Scalar:
    """1/(beta sum_k alpha_k), the largest step size of Lemma 1."""
    positive("smoothness", smoothness)
    return divide(1, smoothness * total(weights))


def best_weights(
    step_size: Scalar,
    smoothness: Scalar,
    sigma2: Clients,
    squared_gradient: Scalar,
    squared_gaps: Clients,
) -> Clients:
    r"""Weights that minimise the right side of Lemma 1, (G^2 - Delta_k^2)_+/(2 eta beta sigma_k^2).

    Proportional to phi_cont(r_k)/sigma_k^2; the true noise term eta^2 beta/2 is the one that
    gives the stationarity condition which the paper prints.

    Source
    ------
    adaptive.sec4.opt.
    """
    positive("step_size", step_size)
    _check(smoothness, squared_gaps, sigma2)
    gain = positive_part(trailing(squared_gradient) - squared_gaps)
    return gain / (2 * trailing(step_size * smoothness) * sigma2)


# -- private helpers ---------------------------------------------------------------------


def _check(smoothness: Scalar, weights: Clients, sigma2: Clients) -> None:
    positive("smoothness", smoothness)
    nonnegative("weights", weights)
    nonnegative("sigma2", sigma2)


def _noise(weights: Clients, sigma2: Clients) -> Scalar:
    return total(weights**2 * sigma2)


def _gradient_terms(
    step_size: Scalar, weights: Clients, squared_gradient: Scalar, squared_gaps: Clients
) -> Terms:
    return {
        "heterogeneity": step_size * total(weights * squared_gaps) / 2,
        "descent": -step_size * total(weights) * squared_gradient / 2,
    }
