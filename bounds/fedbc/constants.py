r"""Constants of FedBC's analysis: dual domain, contraction, start.

The printed conditions compare a number without unit to the smoothness (``1 + L_i``) or to a
multiplier (``1 - lambda_max/(4 L)``), so they mean different things in different units; they are
kept as ``*_printed``. The true forms only need ``2 lambda_min > L`` (consensus error) and
``lambda_min > L`` (descent).

Common parameters: ``client_smoothness`` L_i (..., N) and ``smoothness`` L = max_i L_i (...),
loss/length^2; ``lambda_min``, ``lambda_max`` ends of the dual domain (...), loss/length^2.
"""

from __future__ import annotations

from bounds.generic import largest, mean, smallest, trailing
from bounds.numbers.shapes import Clients, Scalar

__all__ = [
    "contraction",
    "dual_interval_printed",
    "gradient_factor",
    "moving_constant",
    "start_constant",
]


def moving_constant(smoothness: Scalar, lambda_max: Scalar) -> Scalar:
    """M_1 = L + 2 lambda_max: Lipschitz constant of the Lagrangian's gradient in x_i, (...).

    Source: fedbc, Lemma B.1 (26).

    Examples
    --------
    >>> moving_constant(1, 2)
    5
    """
    return smoothness + 2 * lambda_max


def gradient_factor(smoothness: Scalar, lambda_max: Scalar) -> Scalar:
    r"""4 L^2 + 16 lambda_max^2, the factor of the consensus error in :math:`\|\nabla f(z)\|^2`.

    From (68), :math:`\|\nabla f_i(z) - \nabla f_i(x) - 2\lambda(x - z)\|^2 \le
    2 L^2 \|x - z\|^2 + 8 \lambda^2 \|x - z\|^2`, twice. Source: fedbc, Theorem 4.5 (69), (70).
    """
    return 4 * smoothness**2 + 16 * lambda_max**2


def gradient_factor_printed(smoothness: Scalar, lambda_max: Scalar) -> Scalar:
    """M = 4 (L^2 + 2 lambda_max) as printed: a square is missing, and a factor 2 with it.

    Source: fedbc, Theorem 4.5 (70).
    """
    return 4 * (smoothness**2 + 2 * lambda_max)


def contraction(client_smoothness: Clients, lambda_max: Scalar) -> Scalar:
    r"""min_i of :math:`1 - \lambda_{\max} L_i/(1 + L_i)^2`, the coefficient that (61) gives, (...).

    Source: fedbc, Lemma B.2 (61).
    """
    L = client_smoothness
    return smallest(1 - trailing(lambda_max) * L / (1 + L) ** 2)


def contraction_printed(smoothness: Scalar, lambda_max: Scalar) -> Scalar:
    """C_0 = 1 - lambda_max/(4 L) as printed, (...).

    It is below :func:`contraction` only for L <= 1, and positive only for L > lambda_max/4.
    Source: fedbc, Lemma B.2, after (61).
    """
    return 1 - lambda_max / (4 * smoothness)


def dual_interval_printed(client_smoothness: Clients) -> tuple[Scalar, Scalar]:
    r"""Ends of the dual domain that the proofs ask for: 1 + L and min_i (1 + L_i)^2/L_i.

    The domain has to lie in [first, second); it is empty where the first is not below the second,
    as for L_i = 1 beside L_j = 3. It is never empty where all L_i differ by at most 1, since
    (1 + L_i)^2/L_i > L_i + 2.

    Parameters
    ----------
    client_smoothness : array, (..., N)
        L_i > 0.

    Returns
    -------
    least, below : arrays, (...)

    Source
    ------
    fedbc, before (43), before (58) and after (61).

    Examples
    --------
    >>> from fractions import Fraction
    >>> import numpy as np
    >>> [str(x) for x in dual_interval_printed(np.array([Fraction(1), Fraction(3)]))]
    ['4', '4']
    """
    L = client_smoothness
    return 1 + largest(L), smallest((1 + L) ** 2 / L)


def start_constant(
    start: Scalar, optimal: Scalar, squared_gradient: Clients, client_smoothness: Clients
) -> Scalar:
    r"""B_0, the constant of the start.

    .. math:: B_0 = f(z^0) - f(z^\star) + \frac1N\sum_i\frac{G^2}{2 L_i}

    Parameters
    ----------
    start, optimal : arrays, (...)
        f(z^0) and f(z^*), loss.
    squared_gradient : array, (..., N) or (..., 1)
        G^2 with G the bound of the gradients at the last local models (81), loss^2/length^2.
    client_smoothness : array, (..., N)

    Source
    ------
    fedbc, Theorem 4.5 (88).
    """
    return start - optimal + mean(squared_gradient / (2 * client_smoothness))
