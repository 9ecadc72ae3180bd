r"""Generalised FedAvg under heterogeneity: lemmas, one-round theorem, corollary, chain (16)-(19).

Every client takes E steps :math:`w^i \leftarrow w^i - \eta_t g_i(w^i)` from the common model, the
server takes :math:`\sum_i\alpha^i w^i`; :math:`w_t = \sum_i\alpha_t^i w_t^i` is the virtual
average, :math:`\Delta_t = E\lVert w_t - w^\star\rVert^2`.  In one iteration, with
:math:`x_i = F_i - F_i^\star`, smoothness and strong convexity give

.. math:: \Delta_{t+1} \le (1-\eta\mu)\Delta_t - 2\eta\sum_i\alpha^i(x_i(w_t) - x_i(w^\star))
          + \eta L\,S_t + \eta^2 G^2, \qquad S_t = E\sum_i\alpha^i\lVert w_t - w_t^i\rVert^2,

and numbers with :math:`\bar\rho \le \rho(t, w_t)` and :math:`\rho(t, w^\star) \le \tilde\rho` turn
the sum into :math:`-\eta\mu\bar\rho\Delta_t + 2\eta\Gamma(\tilde\rho - \bar\rho)`.

Bounds that are sums return ``{term: signed value}``.  Common parameters, all of shape (...):
``step_size`` eta (length^2/loss), ``smoothness`` L and ``mu`` (loss/length^2),
``squared_gradient`` G^2 and ``sigma2`` (loss^2/length^2), ``gap`` Gamma (loss), ``low`` and
``high`` for rho-bar and rho-tilde (pure numbers), ``local_steps`` E, ``rounds`` T, which counts
iterations.  Forms that fell keep the name ``*_printed``.
"""

from __future__ import annotations

from bounds.descent import Terms
from bounds.generic import divide, maximum
from bounds.numbers.shapes import Scalar
from bounds.numbers.validate import positive

__all__ = [
    "aggregation_bound_upper",
    "aggregation_delay",
    "aggregation_step_size",
    "client_spread_refined_upper",
    "client_spread_upper",
    "fedavg_speed_constant",
    "learning_error",
    "learning_error_of_weights_upper",
    "recursion_limit_upper",
    "speed_constant",
    "speed_floor",
    "squared_gradient_upper",
    "one_round_refined_upper",
    "one_round_upper",
]


def squared_gradient_upper(smoothness: Scalar, excess: Scalar) -> Scalar:
    """Lemma 1: the squared gradient of an L-smooth f is at most 2 L (f - min f).

    Proof: smoothness at w - grad f/L.  Equality: a quadratic along its steepest axis.

    Source
    ------
    aggregation, Lemma 1 (eq. 6).
    """
    positive("smoothness", smoothness)
    return 2 * smoothness * excess


def client_spread_upper(step_size: Scalar, local_steps: Scalar, squared_gradient: Scalar) -> Scalar:
    r"""Lemma 2: E sum_i alpha_i ||w_t - w_t^i||^2 <= 16 eta_t^2 E^2 G^2.

    Needs steps that fall at most by a factor 2 inside a round (see
    `client_spread_refined_upper`), or, for mu-strongly convex losses, the corollary's steps
    1/(mu (t + gamma)) with any E: every client then stays within G/mu of its minimiser.

    Source
    ------
    aggregation, Lemma 2 (eq. 7).
    """
    return 16 * step_size**2 * local_steps**2 * squared_gradient


def client_spread_refined_upper(
    step_size: Scalar, local_steps: Scalar, squared_gradient: Scalar
) -> Scalar:
    r"""4 eta_t^2 (E-1)^2 G^2: zero for one local step, elsewhere more than 4 times smaller.

    Proof: the mean of the clients minimises the weighted squares, so the spread is at most that
    about the round's first model, which E - 1 steps of at most 2 eta_t and second moment G^2
    have left.  Needs eta_s <= 2 eta_t for the steps s before t in the round.

    Source
    ------
    Li et al. 2020, Lemma 3 (with the weights of the round).
    """
    return 4 * step_size**2 * (local_steps - 1) ** 2 * squared_gradient


# -- one iteration -----------------------------------------------------------------------


def one_round_upper(
    distance: Scalar,
    step_size: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    squared_gradient: Scalar,
    sigma2: Scalar,
    gap: Scalar,
    low: Scalar,
    high: Scalar,
    local_steps: Scalar,
) -> Terms:
    r"""Theorem 3, a bound of Delta_{t+1}.

    .. math:: (1-\eta\mu(1+\tfrac38\bar\rho))\Delta_t
              + \eta^2(32E^2G^2 + 6\bar\rho L\Gamma + \sigma^2)
              + 2\eta\Gamma(\tilde\rho-\bar\rho)

    Needs eta_t <= 1/(4L), Lemma 2 and rho-bar <= rho(t, w_t) at the iteration itself, not only
    at the aggregated models.

    Returns
    -------
    dict
        ``contraction``, ``noise`` and ``bias``; unit length^2.

    Source
    ------
    aggregation, Theorem 3 (eq. 9); with ``gap`` zero eq. 13.
    """
    _check(mu, smoothness)
    noise = 32 * local_steps**2 * squared_gradient + 6 * low * smoothness * gap + sigma2
    return {
        "contraction": (1 - step_size * mu * (1 + 3 * low / 8)) * distance,
        "noise": step_size**2 * noise,
        "bias": 2 * step_size * gap * (high - low),
    }


def one_round_refined_upper(
    distance: Scalar,
    step_size: Scalar,
    mu: Scalar,
    smoothness: Scalar,
    squared_gradient: Scalar,
    gap: Scalar,
    low: Scalar,
    high: Scalar,
    local_steps: Scalar,
) -> Terms:
    r"""The same iteration with every constant as the proof allows, for steps of any size.

    .. math:: (1-\eta\mu(1+\bar\rho))\Delta_t + \eta^2G^2(1 + 4\eta L(E-1)^2)
              + 2\eta\Gamma(\tilde\rho-\bar\rho)

    Proof: :math:`F_i(w_t) \le F_i(w_t^i) + \langle w_t-w_t^i, \nabla F_i(w_t^i)\rangle
    + \tfrac L2\lVert w_t-w_t^i\rVert^2` and strong convexity between :math:`w_t^i` and
    :math:`w^\star` give the line in the module docstring; the second moment of the direction is
    at most G^2, so sigma^2 is not needed; the spread is `client_spread_refined_upper`.

    Equality: one client, E = 1, mu = L, any step.  Against `one_round_upper`: 1 instead of 32 at
    E = 1, at most E^2 instead of 32 E^2 for eta <= 1/(4L), rho-bar instead of 3/8 of it.
    """
    _check(mu, smoothness)
    spread = 1 + 4 * step_size * smoothness * (local_steps - 1) ** 2
    return {
        "contraction": (1 - step_size * mu * (1 + low)) * distance,
        "noise": step_size**2 * squared_gradient * spread,
        "bias": 2 * step_size * gap * (high - low),
    }


# -- T iterations ------------------------------------------------------------------------


def aggregation_delay(mu: Scalar, smoothness: Scalar) -> Scalar:
    """The shift gamma = 4 L/mu."""
    _check(mu, smoothness)
    return divide(4 * smoothness, mu)


def aggregation_step_size(mu: Scalar, smoothness: Scalar, t: Scalar) -> Scalar:
    """eta_t = 1/(mu (t + gamma)), so that eta_0 = 1/(4L).

    Source
    ------
    aggregation, Corollary 4.
    """
    return divide(1, mu * (t + aggregation_delay(mu, smoothness)))


def speed_floor(mu: Scalar, smoothness: Scalar, gap: Scalar, squared_start: Scalar) -> Scalar:
    r"""V_min = 8 L^2 Gamma/mu^2 + L gamma ||w^0 - w^*||^2/2; unit loss.

    Source
    ------
    aggregation, eq. 12.
    """
    delay = aggregation_delay(mu, smoothness)
    return 8 * smoothness**2 * gap / mu**2 + smoothness * delay * squared_start / 2


def speed_constant(
    mu: Scalar,
    smoothness: Scalar,
    squared_gradient: Scalar,
    sigma2: Scalar,
    gap: Scalar,
    squared_start: Scalar,
    low: Scalar,
    local_steps: Scalar,
) -> Scalar:
    r"""V = 4L(32 E^2 G^2 + sigma^2)/(3 mu^2 rho-bar) + V_min; unit loss.

    The rho-bar is at most 1/min p, so that V stays above V_min by min p times its value at one.

    Source
    ------
    aggregation, Corollary 4 (V), with tau = E.
    """
    positive("low", low, "rho-bar is a ratio of positive sums")
    speed = _speed(mu, smoothness, squared_gradient, sigma2, local_steps)
    return speed / low + speed_floor(mu, smoothness, gap, squared_start)


def fedavg_speed_constant(
    mu: Scalar,
    smoothness: Scalar,
    squared_gradient: Scalar,
    sigma2: Scalar,
    gap: Scalar,
    squared_start: Scalar,
    local_steps: Scalar,
) -> Scalar:
    """V of FedAvg, for which rho is one everywhere: V_min + 4L(32 E^2 G^2 + sigma^2)/(3 mu^2).

    Source
    ------
    aggregation, eq. 20 (repaired).
    """
    speed = _speed(mu, smoothness, squared_gradient, sigma2, local_steps)
    return speed + speed_floor(mu, smoothness, gap, squared_start)


def fedavg_speed_constant_printed(
    mu: Scalar,
    smoothness: Scalar,
    squared_gradient: Scalar,
    sigma2: Scalar,
    gap: Scalar,
    squared_start: Scalar,
    local_steps: Scalar,
) -> Scalar:
    """V_min + (4L - 32 E^2 G^2 + sigma^2)/(3 mu^2) as printed: a sum of unlike units."""
    odd = 4 * smoothness - 32 * local_steps**2 * squared_gradient + sigma2
    return odd / (3 * mu**2) + speed_floor(mu, smoothness, gap, squared_start)


def learning_error(
    mu: Scalar, smoothness: Scalar, gap: Scalar, low: Scalar, high: Scalar
) -> Scalar:
    """E = 8 L Gamma/(3 mu) (rho-tilde/rho-bar - 1); unit loss.

    Source
    ------
    aggregation, Corollary 4 (E).
    """
    _check(mu, smoothness)
    return 8 * smoothness * gap / (3 * mu) * (divide(high, low) - 1)


def aggregation_bound_upper(speed: Scalar, error: Scalar, delay: Scalar, rounds: Scalar) -> Terms:
    """E F(w_T) - F^* <= V/(T + gamma) + E.

    Needs, besides the hypotheses of `one_round_upper` at every iteration before T,
    rho-bar <= rho-tilde and 1 + 3 rho-bar/8 <= gamma, without which the first contraction
    factors are negative and the induction of `recursion_limit_upper` breaks.

    Source
    ------
    aggregation, Corollary 4 (eq. 10); eqs. 14, 17 and 19 with their V and E.
    """
    return {"speed": speed / (delay + rounds), "error": error + 0 * speed}


def recursion_limit_upper(
    start: Scalar,
    factor: Scalar,
    mu: Scalar,
    step_scale: Scalar,
    noise: Scalar,
    bias: Scalar,
    delay: Scalar,
    t: Scalar,
) -> Scalar:
    r"""Bound psi/(t + gamma) of Delta_{t+1} <= (1-eta_t mu B)Delta_t + eta_t^2 C + eta_t D.

    .. math:: \psi = \max\Big(\gamma\Delta_0,\
              \frac{\beta^2C + D\beta(t+\gamma)}{\beta\mu B - 1}\Big), \qquad
              \eta_t = \frac{\beta}{t+\gamma}

    Needs beta mu B > 1, C, D >= 0 and beta mu B <= gamma.  Proof: with b = beta mu B, n = t +
    gamma and M_n = psi/n, the step gives at most (1 - b/n) M_n + ((b-1)/n) M_n = (n-1)/n M_n,
    which is at most M_{n+1}; 1 - b/n >= 0 is used.

    Source
    ------
    aggregation, proof of Corollary 4.
    """
    excess = step_scale * mu * factor - 1
    steady = (step_scale**2 * noise + bias * step_scale * (t + delay)) / excess
    return maximum(delay * start, steady) / (t + delay)


def learning_error_of_weights_upper(
    mu: Scalar,
    smoothness: Scalar,
    gap: Scalar,
    smallest_ratio: Scalar,
    smallest_share: Scalar,
    clients: Scalar,
) -> Scalar:
    """E <= 8 L Gamma/(3 mu) (1/(pi min p) - N); unit loss.

    Zero for pi = 1 and equal shares.

    Source
    ------
    aggregation, bound on E before eq. 19 (repaired by its factor, which eq. 19 has).
    """
    scale = 8 * smoothness * gap / (3 * mu)
    return scale * learning_error_of_weights_printed(smallest_ratio, smallest_share, clients)


def learning_error_of_weights_printed(
    smallest_ratio: Scalar, smallest_share: Scalar, clients: Scalar
) -> Scalar:
    """1/(pi min p) - N as printed, a pure number where E is a loss."""
    return divide(1, smallest_ratio * smallest_share) - clients


# -- private helpers ---------------------------------------------------------------------


def _check(mu: Scalar, smoothness: Scalar) -> None:
    positive("mu", mu)
    positive("smoothness", smoothness)


def _speed(
    mu: Scalar, smoothness: Scalar, squared_gradient: Scalar, sigma2: Scalar, local_steps: Scalar
) -> Scalar:
    """lambda_1 of eq. 17: 4 L (32 E^2 G^2 + sigma^2)/(3 mu^2)."""
    _check(mu, smoothness)
    spread = 32 * local_steps**2 * squared_gradient + sigma2
    return 4 * smoothness * spread / (3 * mu**2)
