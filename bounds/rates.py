r"""Convergence rates of All-for-one: Theorem 1, the rows of Theorem 2, Theorem 3.

All come from one recursion for the excess loss, by S2 and PL (or strong convexity),

.. math:: E_t \le (1-\eta_t\mu)\,E_{t-1} + \tfrac{\eta_t^2\beta}{2}\,\sigma_t^2,

where sigma_t^2 bounds the effective variance at step t (by the sufficient variance in Theorem 2).
It needs 0 < eta_t <= (sigma_phi/sigma_psi)^2/beta, which implies eta_t mu <= 1.

Bounds that are sums return ``{term: value}``.  Common parameters, all of shape (...):
``initial_excess`` E_0 (loss), ``step_size`` eta (length^2/loss), ``mu`` and ``smoothness``
(loss/length^2), ``variance`` sigma_suf^2 (loss^2/length^2), ``rounds`` T.
"""

from __future__ import annotations

from typing import Any

from bounds.descent import Terms
from bounds.generic import divide, kind, log, maximum, minimum, sqrt, stack
from bounds.numbers.recording import recordable
from bounds.numbers.shapes import Rounds, Scalar
from bounds.numbers.validate import checking, in_interval, nonnegative, positive

__all__ = [
    "decreasing_shift",
    "decreasing_step_size",
    "horizon_step_size",
    "recursion_upper",
    "theorem1_upper",
    "theorem2_constant_geometric_upper",
    "theorem2_constant_upper",
    "theorem2_decreasing_bcn_upper",
    "theorem2_decreasing_upper",
    "theorem2_horizon_upper",
    "theorem3_closed_upper",
    "theorem3_step_size",
    "theorem3_upper",
]


def theorem1_upper(
    initial_excess: Scalar, step_size: Scalar, mu: Scalar, smoothness: Scalar, variances: Rounds
) -> Terms:
    r"""Excess loss after T steps of constant size.

    .. math:: (1-\eta\mu)^T E_0
              + \frac{\beta\eta^2}{2}\sum_{t=1}^T (1-\eta\mu)^{T-t}\sigma_t^2

    Parameters
    ----------
    variances : array, (..., T)
        sigma_t^2, the effective variances (or bounds of them) in the order of the steps.

    Returns
    -------
    dict
        ``contraction`` and ``noise``; unit loss.

    Source
    ------
    adaptive, Theorem 1.
    """
    _check(mu, smoothness)
    _check_step(step_size, mu)
    nonnegative("variances", variances)
    factor = 1 - step_size * mu
    noise = _damped(variances, factor)
    return {
        "contraction": factor ** variances.shape[-1] * initial_excess,
        "noise": step_size**2 * smoothness * noise / 2,
    }


@recordable
def recursion_upper(
    initial_excess: Scalar, step_sizes: Rounds, mu: Scalar, smoothness: Scalar, variances: Rounds
) -> Rounds:
    """The recursion itself, unrolled for any step sizes: bounds of E_0, ..., E_T, (..., T+1).

    Parameters
    ----------
    step_sizes, variances : arrays, (..., T)
        eta_t and sigma_t^2.
    """
    _check(mu, smoothness)
    path = [initial_excess]
    for t in range(step_sizes.shape[-1]):
        eta = step_sizes[..., t]
        path.append((1 - eta * mu) * path[-1] + eta**2 * smoothness * variances[..., t] / 2)
    return stack(path, axis=-1)


# -- Theorem 2 ---------------------------------------------------------------------------


def theorem2_constant_upper(
    initial_excess: Scalar,
    step_size: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    variance: Scalar,
    rounds: Scalar,
) -> Terms:
    r"""Constant row: (1 - eta mu)^T E_0 + eta beta sigma^2/(2 mu), eta <= 1/mu.

    Source
    ------
    adaptive, Theorem 2, constant row.

    Examples
    --------
    >>> theorem2_constant_upper(8.0, 0.5, 1.0, 1.0, 4.0, 2)
    {'contraction': 2.0, 'saturation': 1.0}
    """
    _check(mu, smoothness)
    _check_step(step_size, mu)
    nonnegative("variance", variance)
    return {
        "contraction": (1 - step_size * mu) ** rounds * initial_excess,
        "saturation": step_size * smoothness * variance / (2 * mu),
    }


def theorem2_constant_geometric_upper(
    initial_excess: Scalar,
    step_size: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    variance: Scalar,
    rounds: Scalar,
) -> Terms:
    """Constant row with the geometric sum kept: the saturation times 1 - (1 - eta mu)^T.

    Equality for one quadratic client with mu = beta and additive noise of variance sigma^2.
    """
    terms = theorem2_constant_upper(initial_excess, step_size, mu, smoothness, variance, rounds)
    kept = 1 - (1 - step_size * mu) ** rounds
    return {**terms, "saturation": terms["saturation"] * kept}


def horizon_step_size(
    initial_excess: Scalar, mu: Scalar, smoothness: Scalar, variance: Scalar, rounds: Scalar
) -> Scalar:
    r"""Step eta = ln(2 T mu^2 E_0/(beta sigma^2)) / (mu T); must come out in (0, 1/mu].

    Minimises e^{-eta mu T} E_0 + eta beta sigma^2/(2 mu); not positive where the start is already
    below the noise level beta sigma^2/(2 mu^2 T).
    """
    level = _horizon_logarithm(initial_excess, mu, smoothness, variance, rounds)
    return level / (mu * rounds)


def theorem2_horizon_upper(
    initial_excess: Scalar, mu: Scalar, smoothness: Scalar, variance: Scalar, rounds: Scalar
) -> Terms:
    r"""Horizon row, with the step of `horizon_step_size`.

    .. math:: \frac{\beta\sigma^2}{2\mu^2T}
              \Big(\ln\frac{2T\mu^2E_0}{\beta\sigma^2} + 1\Big)

    Proof: :math:`(1-\eta\mu)^T \le e^{-\eta\mu T} = \beta\sigma^2/(2T\mu^2E_0)` gives the term 1,
    and eta beta sigma^2/(2 mu) the logarithm.  The paper drops beta inside the logarithm, which
    is then no pure number; see `theorem2_horizon_printed`.

    Source
    ------
    adaptive, Theorem 2, horizon row (repaired).
    """
    level = _horizon_logarithm(initial_excess, mu, smoothness, variance, rounds)
    scale = smoothness * variance / (2 * mu**2 * rounds)
    return {"logarithm": scale * level, "contraction": scale}


def theorem2_horizon_printed(
    initial_excess: Scalar, mu: Scalar, smoothness: Scalar, variance: Scalar, rounds: Scalar
) -> Terms:
    """Horizon row as printed: ln(2 T mu^2 E_0/sigma^2), without beta."""
    _check(mu, smoothness)
    level = log(divide(2 * rounds * mu**2 * initial_excess, variance))
    scale = smoothness * variance / (2 * mu**2 * rounds)
    return {"logarithm": scale * level, "contraction": scale}


def decreasing_step_size(factor: Scalar, mu: Scalar, shift: Scalar, t: Scalar) -> Scalar:
    """eta_t = C/(mu (gamma + t)), t = 1, 2, ...; the paper has gamma = 0."""
    positive("mu", mu)
    return divide(factor, mu * (shift + t))


def decreasing_shift(
    factor: Scalar, mu: Scalar, smoothness: Scalar, step_ratio: Scalar = 1
) -> Scalar:
    """Smallest gamma with eta_1 <= q/beta: C beta/(mu q) - 1.

    Positive, since C > 1, beta >= mu and q <= 1: without a shift eta_1 = C/mu > 1/beta, and no
    run meets the step condition of the theorem.

    Parameters
    ----------
    factor : scalar or array
        C > 1.
    step_ratio : scalar or array
        q, a lower bound of (sigma_phi/sigma_psi)^2 along the run (Remark 3).
    """
    _check(mu, smoothness)
    return divide(factor * smoothness, mu * step_ratio) - 1


def theorem2_decreasing_upper(
    initial_excess: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    variance: Scalar,
    rounds: Scalar,
    factor: Scalar,
    shift: Scalar,
) -> Scalar:
    r"""Decreasing row with shifted steps eta_t = C/(mu (gamma + t)), C > 1, gamma > 0.

    .. math:: E_T \le \frac{\nu}{\gamma+T}, \qquad
              \nu = \max\Big(\frac{\beta\sigma^2C^2}{2\mu^2(C-1)},\ \gamma E_0\Big)

    Proof by induction, with n = gamma + t and K = beta sigma^2 C^2/(2 mu^2 (C-1)) <= nu:
    :math:`E_t \le (1-\tfrac Cn)\tfrac{\nu}{n-1} + \tfrac{(C-1)K}{n^2}
    \le \tfrac{(n-C)\nu + (C-1)\nu}{n(n-1)} = \tfrac\nu n`.  (1 - C/n >= 0 by eta_t mu <= 1.)

    Equality at T = 0 when the start decides.  The printed row is gamma = 0 with E_0 in the
    maximum, whose first step C/mu exceeds 1/beta.

    Source
    ------
    adaptive, Theorem 2, decreasing row (repaired).
    """
    plateau = _plateau(mu, smoothness, variance, factor)
    return maximum(plateau, shift * initial_excess) / (shift + rounds)


def theorem2_decreasing_bcn_upper(
    initial_excess: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    variance: Scalar,
    rounds: Scalar,
    factor: Scalar,
    shift: Scalar,
) -> Scalar:
    r"""The same steps, bounded in the indexing of Bottou, Curtis and Nocedal.

    .. math:: E_T \le \frac{\nu}{\gamma+T+1}, \qquad
              \nu = \max\Big(\frac{\beta\sigma^2C^2}{2\mu^2(C-1)},\ (\gamma+1) E_0\Big)

    Proof by induction on E_{t-1} <= nu/n, n = gamma + t:
    :math:`E_t \le (1-\tfrac Cn)\tfrac\nu n + \tfrac{(C-1)\nu}{n^2} = \tfrac{(n-1)\nu}{n^2}
    \le \tfrac{\nu}{n+1}`.

    Smaller than `theorem2_decreasing_upper` when the noise decides, larger when the start does.

    Source
    ------
    Bottou, Curtis, Nocedal 2018, Theorem 4.7 (their w_{t+1} is theta^t here).
    """
    plateau = _plateau(mu, smoothness, variance, factor)
    return maximum(plateau, (shift + 1) * initial_excess) / (shift + rounds + 1)


def theorem2_decreasing_printed(
    initial_excess: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    variance: Scalar,
    rounds: Scalar,
    factor: Scalar,
) -> Scalar:
    """Decreasing row as printed: max(beta sigma^2 C^2/(2 mu^2 (C-1)), E_0)/T."""
    plateau = _plateau(mu, smoothness, variance, factor)
    return maximum(plateau, initial_excess) / rounds


# -- Theorem 3 ---------------------------------------------------------------------------


def theorem3_step_size(
    initial_excess: Scalar,
    smoothness: Scalar,
    variance: Scalar,
    rounds: Scalar,
    step_ratio: Scalar = 1,
) -> Scalar:
    """Step eta = min(sqrt(2 E_0/(T beta sigma^2)), q/beta), q <= (sigma_phi/sigma_psi)^2."""
    positive("smoothness", smoothness)
    best = sqrt(divide(2 * initial_excess, rounds * smoothness * variance))
    return minimum(best, divide(step_ratio, smoothness))


def theorem3_upper(
    initial_excess: Scalar, step_size: Scalar, smoothness: Scalar, variance: Scalar, rounds: Scalar
) -> Terms:
    r"""Mean squared gradient of a smooth loss: 2 E_0/(T eta) + eta beta sigma^2.

    Proof: S2 summed over t gives
    :math:`\tfrac\eta2\sum_t E G_t^2 \le E_0 + \tfrac{T\eta^2\beta}{2}\sigma^2`.
    Valid for every eta <= (sigma_phi/sigma_psi)^2/beta, so it replaces the printed closed form
    where the step condition binds.

    Source
    ------
    adaptive, step of the proof of Theorem 3.
    """
    positive("smoothness", smoothness)
    positive("step_size", step_size)
    return {
        "start": divide(2 * initial_excess, rounds * step_size),
        "noise": step_size * smoothness * variance,
    }


def theorem3_closed_upper(
    initial_excess: Scalar,
    smoothness: Scalar,
    variance: Scalar,
    rounds: Scalar,
    step_ratio: Scalar = 1,
) -> Terms:
    """`theorem3_upper` at `theorem3_step_size`, in closed form.

    a + max(a, 2 E_0 beta/(T q)) with a = sqrt(2 E_0 beta sigma^2/T), an upper bound of the noise
    term; the printed 2a wherever the horizon is long enough.
    """
    positive("smoothness", smoothness)
    a = sqrt(divide(2 * initial_excess * smoothness * variance, rounds))
    return {
        "start": maximum(a, divide(2 * initial_excess * smoothness, rounds * step_ratio)),
        "noise": a,
    }


def theorem3_printed(
    initial_excess: Scalar, smoothness: Scalar, variance: Scalar, rounds: Scalar
) -> Scalar:
    """2 sqrt(2 E_0 beta sigma^2/T) as printed: holds where the first step size is the smaller."""
    positive("smoothness", smoothness)
    return 2 * sqrt(divide(2 * initial_excess * smoothness * variance, rounds))


# -- private helpers ---------------------------------------------------------------------


@recordable
def _damped(variances: Rounds, factor: Scalar) -> Scalar:
    """Sum over t of factor^(T - t) sigma_t^2, by Horner's rule: the oldest is damped most."""
    total: Any = 0
    for t in range(variances.shape[-1]):
        total = total * factor + variances[..., t]
    return total


def _check(mu: Scalar, smoothness: Scalar) -> None:
    positive("mu", mu)
    positive("smoothness", smoothness)


def _check_step(step_size: Scalar, mu: Scalar) -> None:
    if not checking():
        return
    remedy = "lower it, or pass a problem with a smaller mu"
    high = divide(1, mu)
    if kind(high) == "float":
        high = high * (1 + 1e-12)  # a step of exactly 1/mu may have come out one rounding above
    in_interval("step_size", step_size, 0, high, describe="[0, 1/mu]", remedy=remedy)


def _horizon_logarithm(
    initial_excess: Scalar, mu: Scalar, smoothness: Scalar, variance: Scalar, rounds: Scalar
) -> Scalar:
    _check(mu, smoothness)
    positive("variance", variance)
    positive("initial_excess", initial_excess, "start away from the optimum")
    positive("rounds", rounds)
    return log(divide(2 * rounds * mu**2 * initial_excess, smoothness * variance))


def _plateau(mu: Scalar, smoothness: Scalar, variance: Scalar, factor: Scalar) -> Scalar:
    """Constant beta sigma^2 C^2/(2 mu^2 (C-1))."""
    _check(mu, smoothness)
    positive("factor - 1", factor - 1, "take C above 1")
    return divide(smoothness * variance * factor**2, 2 * mu**2 * (factor - 1))
