r"""Bounded heterogeneity (assumption A3) of quadratic federations: b_ik^2 and c_ik.

For :math:`R_i(\theta) = (\theta+\xi_i)^T A_i (\theta+\xi_i)` (h = 2), or half of it (h = 1),
the gradient is :math:`h A_i(\theta+\xi_i)`, so that with :math:`g = \nabla R_i(\theta)`

.. math:: \nabla R_i - \nabla R_k = M_{ik}\, g + v_{ik}, \qquad
          M_{ik} = I - A_k A_i^{-1}, \quad v_{ik} = h A_k (\xi_i - \xi_k).

Since g takes every value, the best b^2 for a given c is the supremum of
:math:`\lVert Mg+v\rVert^2 - c\lVert g\rVert^2`.  Pairs are indexed [i, k]: i asks, k helps.
Everything is returned as b^2, the quantity of A3, which stays rational.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bounds.generic import (
    above,
    dot,
    eye,
    inverse,
    matmul,
    matvec,
    solve,
    squared_norm,
    squared_spectral_norm,
    trailing,
    transpose,
    where,
)
from bounds.numbers.shapes import Gradients, Hessians, Pairs, Scalar
from bounds.numbers.validate import checking, positive, require

__all__ = ["BiasAndSlope", "Mismatch", "bias_and_slope", "mismatch", "squared_bias_exact"]


class BiasAndSlope(NamedTuple):
    """Constants of A3, each of shape (..., N, N): b^2 (loss^2 / length^2) and c (no unit)."""

    squared_bias: Any
    slope: Any


class Mismatch(NamedTuple):
    """Squared norms of v_ik (loss^2 / length^2) and M_ik (no unit), each (..., N, N)."""

    shift: Any
    spread: Any


def mismatch(A: Hessians, xi: Gradients, half: bool = False, asking: int | None = None) -> Mismatch:
    """Squared norms of the two differences between quadratic clients.

    Parameters
    ----------
    A : array, (..., N, d, d)
        Symmetric and invertible; unit loss / length^2.
    xi : array, (..., N, d)
        Minus the clients' optima; unit length.
    half : bool
        Whether the losses carry the factor 1/2.
    asking : int, optional
        Only the row i of this client, which then has length 1.

    Returns
    -------
    Mismatch
        ``shift`` = ||v_ik||^2 and ``spread`` = ||M_ik||^2 (spectral); zero on the diagonal.
    """
    M, v = _differences(A, xi, half, asking)
    return Mismatch(squared_norm(v), squared_spectral_norm(M))


def bias_and_slope(
    A: Hessians, xi: Gradients, s: Scalar = 1, half: bool = False, asking: int | None = None
) -> BiasAndSlope:
    r"""The trade-off curve of A3 for quadratics, at the place s.

    .. math:: b_{ik}^2 = (1 + 1/s) \lVert h A_k(\xi_i-\xi_k)\rVert^2, \qquad
              c_{ik} = (1 + s) \lVert I - A_k A_i^{-1}\rVert_2^2,

    by :math:`\lVert x+y\rVert^2 \le (1+s)\lVert x\rVert^2 + (1+1/s)\lVert y\rVert^2`.  Every point
    of the curve is tight in dimension one.

    Parameters
    ----------
    A, xi, half, asking
        As in `mismatch`.
    s : positive scalar or array (...)
        Large s favours a small b, small s a small c.

    Source
    ------
    adaptive, Property 1.  The paper prints b with sqrt(2) in place of 2 sqrt(2), which is right
    for the losses with the factor 1/2 only; see `property1_printed`.

    Examples
    --------
    >>> from bounds.numbers import as_rational
    >>> A, xi = as_rational([[[1]], [[2]]]), as_rational([[0], [1]])
    >>> b2, c = bias_and_slope(A, xi)
    >>> b2[0, 1], c[0, 1]
    (Fraction(32, 1), Fraction(2, 1))
    """
    positive("s", s)
    shift, spread = mismatch(A, xi, half, asking)
    s = trailing(s, 2)
    return BiasAndSlope(shift + shift / s, spread + spread * s)


def squared_bias_exact(A: Hessians, xi: Gradients, slope: Pairs, half: bool = False) -> Pairs:
    r"""Smallest b_ik^2 that A3 allows with the given c_ik.

    .. math:: \sup_g \lVert Mg+v\rVert^2 - c\lVert g\rVert^2
              = v^T (I - M M^T / c)^{-1} v
              = \lVert v\rVert^2 + w^T (c I - M^T M)^{-1} w, \quad w = M^T v,

    attained at :math:`g = (cI - M^TM)^{-1} w`.  Equal Hessians give c = 0, b = ||v||.

    Parameters
    ----------
    A, xi, half
        As in `mismatch`.
    slope : array, (..., N, N)
        c_ik, above ||M_ik||^2, or zero where M_ik is zero.

    Returns
    -------
    array, (..., N, N)
        Zero on the diagonal.

    Raises
    ------
    InvalidInput
        Where c_ik is too small for any finite b.
    """
    M, v = _differences(A, xi, half)
    spread = squared_spectral_norm(M)
    enough = above(slope, spread) | ((spread == 0) & (slope == 0))
    require(
        not checking() or bool(enough.all()),
        "slope",
        "above ||I - A_k A_i^-1||^2",
        slope,
        "raise it",
    )
    w = matvec(transpose(M), v)
    # slope 0 comes with M = 0 and w = 0: any invertible matrix gives the right zero
    c = where(slope == 0, slope + 1, slope)
    inner = c[..., None, None] * eye(M.shape[-1], M) - matmul(transpose(M), M)
    return squared_norm(v) + dot(w, solve(inner, w))


def property1_printed(A: Hessians, xi: Gradients) -> BiasAndSlope:
    r"""Constants as printed: b = sqrt(2) ||A_k(xi_i - xi_k)||, c = 2 ||I - A_k A_i^{-1}||^2.

    Four times too small in b^2 for the losses without the factor 1/2 that the paper uses.

    Source
    ------
    adaptive, Property 1 (printed form).
    """
    shift, spread = mismatch(A, xi, half=True)
    return BiasAndSlope(2 * shift, 2 * spread)


# -- private helpers ---------------------------------------------------------------------


def _differences(
    A: Hessians, xi: Gradients, half: bool, asking: int | None = None
) -> tuple[Any, Any]:
    """M_ik, (..., N, N, d, d), and v_ik, (..., N, N, d), exactly zero for i = k."""
    clients, d = A.shape[-3], A.shape[-1]
    row = slice(None) if asking is None else slice(asking, asking + 1)
    helper = A[..., None, :, :, :]
    others = (1 - eye(clients, A))[row]
    ratio = matmul(helper, inverse(A[..., row, :, :])[..., :, None, :, :])
    M = (eye(d, A) - ratio) * others[..., None, None]
    v = matvec(helper, xi[..., row, None, :] - xi[..., None, :, :])
    return M, v if half else 2 * v
