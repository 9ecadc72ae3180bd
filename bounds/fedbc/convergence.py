r"""FedBC: consensus error, Lagrangian descent, global and local stationarity, term by term.

Every constant that the theorem hides in O(.) is explicit. The plain names are true for local
solutions of squared residual at most epsilon, with every client computing in every round, whatever
subset the server averages. ``*_printed`` are the forms of the text.

Common parameters, all (...): ``tolerance`` epsilon, loss^2/length^2; ``heterogeneity`` delta of
Assumption 4.3, loss^2/length^3; ``lambda_min``, ``lambda_max``, ``smoothness``, loss/length^2;
``dual_step`` alpha, loss/length^4; ``diameter`` R, length; ``gamma`` (..., N), length^2.
"""

from __future__ import annotations

from typing import Any

from bounds.fedbc.constants import (
    contraction_printed,
    gradient_factor,
    gradient_factor_printed,
    moving_constant,
)
from bounds.generic import largest, mean, sqrt, total, trailing
from bounds.numbers.shapes import Clients, Rounds, Scalar
from bounds.numbers.validate import nonnegative, positive

__all__ = [
    "consensus_upper",
    "dual_change_upper",
    "lagrangian_descent_upper",
    "local_stationarity_upper",
    "stationarity_upper",
]

Terms = dict[str, Any]


def consensus_upper(
    tolerance: Scalar, heterogeneity: Scalar, lambda_min: Scalar, smoothness: Scalar
) -> Scalar:
    r"""Largest squared distance between two local models, hence of one from their average.

    .. math:: \lVert x_i - x_j\rVert^2 \le
              \Big(\frac{2\sqrt\epsilon + \delta/\lambda_{\min}}{2\lambda_{\min} - L}\Big)^2

    Needs 2 lambda_min > L. From 2 a_i a_j (x_i - x_j) = a_j e_i - a_i e_j - (a_j grad f_i(x_i) -
    a_i grad f_j(x_j)) with a = lambda, the smoothness of the client with the smaller multiplier,
    and the definition of delta. Equality: equal multipliers, opposite residuals, curvature -L.

    Returns
    -------
    array, (...)
        Unit length^2.

    Source
    ------
    fedbc, Lemma B.2, with the factor 2 of (25) kept.

    Examples
    --------
    >>> float(round(consensus_upper(1.0, 0.0, 4.0, 3.0), 12))
    0.16
    """
    nonnegative("tolerance", tolerance)
    positive("2 lambda_min - smoothness", 2 * lambda_min - smoothness, "raise lambda_min")
    reach = 2 * sqrt(tolerance) + heterogeneity / lambda_min
    return (reach / (2 * lambda_min - smoothness)) ** 2


def consensus_printed(
    tolerance: Scalar,
    heterogeneity: Scalar,
    client_smoothness: Clients,
    lambda_max: Scalar,
    participants: int,
) -> Terms:
    r"""Constants of Lemma B.2 as its proof prints them.

    .. math:: \frac{S(N-1)}{C_0^2N^2}\Big(\epsilon\sum_i\frac1{(1+L_i)^2}
              + \delta^2\sum_i\frac1{(1+L_i)^4}\Big)

    Source: fedbc, (65) divided by T.
    """
    L = client_smoothness
    n = L.shape[-1]
    share = participants * (n - 1) / (contraction_printed(largest(L), lambda_max) ** 2 * n**2)
    return {
        "epsilon": share * tolerance * total(1 / (1 + L) ** 2),
        "delta^2": share * heterogeneity**2 * total(1 / (1 + L) ** 4),
    }


def dual_change_upper(diameter: Scalar, gamma: Clients) -> Scalar:
    """Mean over clients of 16 R^4 + gamma_i^2, the G of (37); length^4. Source: fedbc, (37)."""
    return mean(16 * trailing(diameter) ** 4 + gamma**2)


def lagrangian_descent_upper(
    change: Scalar,
    tolerance: Scalar,
    client_smoothness: Clients,
    dual_step: Scalar,
    diameter: Scalar,
    gamma: Clients,
    lambda_max: Scalar,
    spread: Scalar,
) -> Terms:
    r"""Right side of the descent lemma, for (lambda_min - L) times the mean squared move.

    .. math:: \overline{\mathcal L^t - \mathcal L^{t+1}} + \overline{\epsilon/(2L_i)}
              + \alpha\,\overline{16R^4 + \gamma_i^2} + \lambda_{\max}\,\overline{\|x - z\|^2}

    Parameters
    ----------
    change : array, (...)
        Mean over clients of the Lagrangian before minus after the round, loss.
    spread : array, (...)
        Mean squared distance of the new local models from the new server model, length^2.

    Returns
    -------
    dict
        Signed terms, loss.

    Source
    ------
    fedbc, Lemma B.1 (21), with L_i in (35) and G itself, not its square, from (37).
    """
    return {
        "change of the Lagrangian": change,
        "epsilon": tolerance * mean(1 / (2 * client_smoothness)),
        "dual step": dual_step * dual_change_upper(diameter, gamma),
        "consensus": lambda_max * spread,
    }


def lagrangian_descent_printed(
    change: Scalar,
    tolerance: Scalar,
    smoothness: Scalar,
    dual_step: Scalar,
    dual_change: Scalar,
    lambda_max: Scalar,
    spread: Scalar,
) -> Terms:
    """Right side of (21) as printed: epsilon/(2L), alpha G^2. Source: fedbc, Lemma B.1 (21)."""
    return {
        "change of the Lagrangian": change,
        "epsilon": tolerance / (2 * smoothness),
        "alpha G^2": dual_step * dual_change**2,
        "consensus": lambda_max * spread,
    }


def stationarity_upper(
    rounds: Scalar,
    start: Scalar,
    tolerance: Scalar,
    heterogeneity: Scalar,
    client_smoothness: Clients,
    lambda_min: Scalar,
    lambda_max: Scalar,
    dual_step: Scalar,
    diameter: Scalar,
    gamma: Clients,
) -> Terms:
    r"""Average squared gradient of f at the server's models over T rounds, every constant explicit.

    .. math:: \frac{4M_1^2}{\kappa T}\big(B_0 + \lambda_{\max}\bar\gamma\big) + 4\epsilon
              + \frac{4M_1^2}{\kappa}\big(\overline{\epsilon/(2L_i)} + \alpha\,\bar G\big)
              + \big(4L^2 + 16\lambda_{\max}^2 + 4M_1^2\lambda_{\max}/\kappa\big) C

    with kappa = lambda_min - L > 0, M_1 = L + 2 lambda_max, C of :func:`consensus_upper`. Needs
    x_i^0 = z^0.

    Parameters
    ----------
    rounds : int
        T >= 1.
    start : array, (...)
        B_0 of :func:`bounds.fedbc.constants.start_constant`, loss.

    Returns
    -------
    dict
        Terms of unit loss^2/length^2: ``start``, ``gamma`` (both over T), ``epsilon``,
        ``dual step``, ``heterogeneity``.

    Source
    ------
    fedbc, Theorem 4.5 and (90).
    """
    L = largest(client_smoothness)
    gap = lambda_min - L
    positive("lambda_min - smoothness", gap, "raise lambda_min")
    move = 4 * moving_constant(L, lambda_max) ** 2 / gap
    spread = consensus_upper(tolerance, heterogeneity, lambda_min, L)
    return {
        "start": move * start / rounds,
        "gamma": move * lambda_max * mean(gamma) / rounds,
        "epsilon": 4 * tolerance + move * tolerance * mean(1 / (2 * client_smoothness)),
        "dual step": move * dual_step * dual_change_upper(diameter, gamma),
        "heterogeneity": (gradient_factor(L, lambda_max) + move * lambda_max) * spread,
    }


def stationarity_printed(
    rounds: Scalar,
    start: Scalar,
    tolerance: Scalar,
    heterogeneity: Scalar,
    client_smoothness: Clients,
    lambda_max: Scalar,
    dual_step: Scalar,
    dual_change: Scalar,
    gamma: Clients,
    participants: int,
) -> Terms:
    """Right side of (90) as printed; ``dual_change`` is the G of its last term.

    The factor M + 2 lambda_max multiplies the epsilon part of Lemma B.2 but not its delta part.
    Source: fedbc, (90).
    """
    L = largest(client_smoothness)
    move = moving_constant(L, lambda_max) ** 2
    spread = consensus_printed(
        tolerance, heterogeneity, client_smoothness, lambda_max, participants
    )
    factor = gradient_factor_printed(L, lambda_max) + 2 * lambda_max
    return {
        "start": 4 * move * start / rounds,
        "gamma": 4 * move * lambda_max * mean(gamma) / rounds,
        "epsilon": factor * spread["epsilon"],
        "delta^2": spread["delta^2"],
        "M_1^2 epsilon/L": 2 * move * tolerance / L,
        "alpha G^2": 2 * dual_step * move * dual_change**2,
    }


def local_stationarity_upper(
    tolerance: Scalar, diameter: Scalar, squared_multipliers: Rounds
) -> Terms:
    r"""Average squared gradient of f_i at its own models: 2 epsilon_i + 32 R^2 mean of lambda^2.

    Parameters
    ----------
    squared_multipliers : array, (..., T)
        (lambda_i^t)^2 for t = 0..T-1, the multipliers that made the models 1..T.

    Source
    ------
    fedbc, (94), averaged.
    """
    return {
        "epsilon": 2 * tolerance,
        "multipliers": 32 * diameter**2 * mean(squared_multipliers),
    }
