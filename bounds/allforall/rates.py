r"""Rates and sample complexities of weighted gradient averaging and of all-for-all.

Common parameters, all (...): ``second_moment`` B^2 and ``variance`` sigma^2 (loss^2/length^2),
``squared_distance`` D^2 (length^2), ``precision`` eps (loss), ``agents`` N, ``rounds`` K,
``mass`` the sum of squared weights (of one row for all-for-one, of all entries for all-for-all),
``bias`` the weighted sum of b (for all-for-all divided by N).

The paper's rates for Setting 2 carry O~; here the O~ is replaced by what the proof gives, with
1 + ln(.) for the horizon step (see :mod:`bounds.allforall.sgd`), and with the eigenvalues of
W = Lambda Lambda^T, which the paper leaves out.

Source: allforall, Theorems 2, 3, 4, 6, 7, 8, Proposition 3.
"""

from __future__ import annotations

from bounds.allforall.sgd import horizon_upper
from bounds.generic import exp, indicator, log, maximum, minimum, sqrt, total
from bounds.numbers.recording import recordable
from bounds.numbers.shapes import Array

Terms = dict[str, Array]


def close_agents(bias: Array, precision: Array) -> Array:
    """N_i^eps(b): how many b_ij are at most eps, (..., N) to (...)."""
    return total(indicator(bias <= precision[..., None], bias))


def close_weights(bias: Array, precision: Array) -> Array:
    """lambda_ij = 1{b_ij <= eps/2} / N_i^eps(2b), (..., N) to (..., N)."""
    close = indicator(2 * bias <= precision[..., None], bias)
    return close / total(close)[..., None]


# -- all-for-one -------------------------------------------------------------------------------


def averaging_step(
    second_moment: Array, squared_distance: Array, agents: int, mass: Array, rounds: int
) -> Array:
    """sqrt(D^2/(2 K N B^2 sum lambda^2)), Theorem 6.a."""
    return sqrt(squared_distance / (2 * rounds * agents * second_moment * mass))


def averaging_convex_upper(
    second_moment: Array,
    squared_distance: Array,
    agents: int,
    mass: Array,
    rounds: int,
    bias: Array,
) -> Terms:
    """sqrt(2 D^2 B^2 N sum lambda^2/K) + bias: Theorem 6.a with the factor N that E|g|^2 carries.

    The recursion gives 3/4 of the first term.
    """
    return {
        "noise": sqrt(2 * squared_distance * second_moment * agents * mass / rounds),
        "bias": bias,
    }


def averaging_convex_printed(
    second_moment: Array, squared_distance: Array, mass: Array, rounds: int, bias: Array
) -> Terms:
    """sqrt(2 D^2 B^2 sum lambda^2/K) + bias, as printed, without N."""
    return {"noise": sqrt(2 * squared_distance * second_moment * mass / rounds), "bias": bias}


def averaging_samples_upper(
    second_moment: Array, squared_distance: Array, precision: Array, agents: int, close: Array
) -> Array:
    """4 D^2 B^2 N/(eps^2 N_i), Theorem 2.1."""
    return 4 * squared_distance * second_moment * agents / (precision**2 * close)


def averaging_smooth_upper(
    gap: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    mass: Array,
    rounds: int,
    relaxation: Array,
    bias: Array,
) -> Terms:
    """2 (m+1) kappa (exp(-K/(2 kappa)) F + (L sigma^2 sum lambda^2/(mu^2 K)) (1 + ln)) + bias."""
    inner = horizon_upper(gap, mu, smoothness, variance * mass, rounds)
    factor = 2 * (relaxation + 1) * smoothness / mu
    return {**{name: factor * term for name, term in inner.items()}, "bias": bias}


def averaging_smooth_step(
    mu: Array,
    smoothness: Array,
    variance: Array,
    mass: Array,
    precision: Array,
    relaxation: Array,
) -> Array:
    """min(1/(2L), mu^2 eps/(8 (m+1) L^2 sigma^2 sum lambda^2)): noise term at most its share."""
    share = precision * mu / (8 * (relaxation + 1) * smoothness)
    return minimum(1 / (2 * smoothness), mu * share / (smoothness * variance * mass))


def averaging_smooth_rounds(
    gap: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    mass: Array,
    precision: Array,
    relaxation: Array,
) -> Array:
    """max(2 kappa, 8 (m+1) kappa^2 sigma^2/(mu eps N_i)) ln(8 (m+1) kappa F/eps), Theorem 7.2."""
    kappa = smoothness / mu
    scale = 8 * (relaxation + 1) * kappa
    return maximum(2 * kappa, scale * kappa * variance * mass / (mu * precision)) * log(
        scale * gap / precision
    )


# -- all-for-all -------------------------------------------------------------------------------


def all_convex_step(
    second_moment: Array, squared_distances: Array, agents: int, mass: Array, rounds: int
) -> Array:
    """sqrt(2 N |x^0 - x^Lambda|^2/(K B^2 sum lambda^2)), Theorem 3.a."""
    return sqrt(2 * agents * squared_distances / (rounds * second_moment * mass))


def all_convex_upper(
    second_moment: Array,
    squared_distances: Array,
    agents: int,
    mass: Array,
    rounds: int,
    bias: Array,
) -> Terms:
    """sqrt(2 B^2 sum_i |x_i^0 - x_i^Lambda|^2 sum lambda^2/(N K)) + bias, Theorem 3.a.

    The recursion gives 3/4 of the first term.
    """
    size = 2 * second_moment * squared_distances * mass / (agents * rounds)
    return {"noise": sqrt(size), "bias": bias}


def all_convex_samples_upper(
    second_moment: Array, squared_distance: Array, precision: Array, mass: Array
) -> Array:
    """4 D^2 B^2/eps^2 sum_i 1/N_i, Theorem 4.1."""
    return 4 * squared_distance * second_moment * mass / precision**2


def all_smooth_step(
    gap: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    agents: int,
    mass: Array,
    rounds: int,
) -> Array:
    """min(1/(2L), ln(N F mu^2 K/(L sigma^2 sum lambda^2))/(mu K)), Theorem 3.b."""
    level = log(agents * gap * mu**2 * rounds / (smoothness * variance * mass))
    return minimum(1 / (2 * smoothness), level / (mu * rounds))


def all_smooth_printed_rate(gap: Array, mu: Array, smoothness: Array) -> Array:
    """F^0 exp(-kappa/(2L)), Theorem 3.b as printed."""
    return gap * exp(-smoothness / mu / (2 * smoothness))


def all_smooth_upper(
    gap: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    agents: int,
    mass: Array,
    rounds: int,
    step_size: Array,
    low: Array,
    high: Array,
    bias: Array,
) -> Terms:
    """(1 - eta mu low)^K F + eta L high sigma^2 S/(2 mu low N) + bias for eta <= 1/(L high).

    ``low`` and ``high`` are the smallest non-zero and the largest eigenvalue of W.
    """
    return {
        "contraction": (1 - step_size * mu * low) ** rounds * gap,
        "noise": step_size * smoothness * high * variance * mass / (2 * mu * low * agents),
        "bias": bias,
    }


def all_smooth_horizon_step(
    gap: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    agents: int,
    mass: Array,
    rounds: int,
    low: Array,
    high: Array,
) -> Array:
    """min(1/(L high), ln X/(mu low K)) with X of :func:`all_smooth_horizon_upper`."""
    level = log(_horizon_ratio(gap, mu, smoothness, variance, agents, mass, rounds, low, high))
    return minimum(1 / (smoothness * high), level / (mu * low * rounds))


def all_smooth_horizon_upper(
    gap: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    agents: int,
    mass: Array,
    rounds: int,
    low: Array,
    high: Array,
    bias: Array,
) -> Terms:
    """exp(-K low/(kappa high)) F + (1 + ln X) F/X + bias.

    X = 2 N (mu low)^2 K F/(L high sigma^2 S). The two terms of :func:`all_smooth_upper` at the
    horizon step, for X > 1.
    """
    ratio = _horizon_ratio(gap, mu, smoothness, variance, agents, mass, rounds, low, high)
    return {
        "contraction": gap * exp(-rounds * mu * low / (smoothness * high)),
        "noise": (1 + log(ratio)) * gap / ratio,
        "bias": bias,
    }


def _horizon_ratio(
    gap: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    agents: int,
    mass: Array,
    rounds: int,
    low: Array,
    high: Array,
) -> Array:
    size = 2 * agents * (mu * low) ** 2 * rounds * gap
    return size / (smoothness * high * variance * mass)


def all_smooth_samples_printed(
    gap: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    agents: int,
    mass: Array,
    precision: Array,
) -> Array:
    """2 max(kappa sigma^2/(eps mu) sum 1/N_i, N kappa) ln(F^0/eps), Theorem 4.2."""
    kappa = smoothness / mu
    size = maximum(kappa * variance * mass / (precision * mu), agents * kappa)
    return 2 * size * log(gap / precision)


def all_smooth_precision_step(
    mu: Array,
    smoothness: Array,
    variance: Array,
    agents: int,
    mass: Array,
    precision: Array,
    low: Array,
    high: Array,
) -> Array:
    """min(1/(L high), mu low N eps/(2 L high sigma^2 S)): noise term at most eps/4."""
    size = mu * low * agents * precision / (2 * smoothness * high * variance * mass)
    return minimum(1 / (smoothness * high), size)


def all_smooth_rounds(
    gap: Array, mu: Array, step_size: Array, precision: Array, low: Array
) -> Array:
    """ln(4 F/eps)/(eta mu low): contraction at most eps/4, with noise eps/4 and bias eps/2."""
    return log(4 * gap / precision) / (step_size * mu * low)


def no_curvature_step_printed(
    smoothness: Array, variance: Array, squared_distance: Array, agents: int, mass: Array
) -> Array:
    """min(N^(3/2) D/(sigma sqrt S), N/(2L)), Theorem 8 as printed: it does not fall with K."""
    return minimum(
        sqrt(agents**3 * squared_distance / (variance * mass)), agents / (2 * smoothness)
    )


def no_curvature_printed(
    smoothness: Array,
    variance: Array,
    squared_distance: Array,
    agents: int,
    mass: Array,
    rounds: int,
    bias_sum: Array,
) -> Terms:
    """2 L D^2/K + sqrt(2 D^2 sigma^2 S/(K N) + sum lambda b), the bias under the root."""
    inner = 2 * squared_distance * variance * mass / (rounds * agents) + bias_sum
    return {"start": 2 * smoothness * squared_distance / rounds, "noise and bias": sqrt(inner)}


def no_curvature_step(
    smoothness: Array,
    variance: Array,
    squared_distance: Array,
    agents: int,
    mass: Array,
    rounds: int,
    high: Array,
) -> Array:
    """Step of Algorithm 1: min(1/(2 L high), sqrt(N D^2/(K sigma^2 S)))."""
    return minimum(
        1 / (2 * smoothness * high),
        sqrt(agents * squared_distance / (rounds * variance * mass)),
    )


def no_curvature_upper(
    smoothness: Array,
    variance: Array,
    squared_distance: Array,
    agents: int,
    mass: Array,
    rounds: int,
    high: Array,
    bias: Array,
) -> Terms:
    """2 L high D^2/K + 2 D sigma sqrt(S/(K N)) + bias, mean over the rounds."""
    return {
        "start": 2 * smoothness * high * squared_distance / rounds,
        "noise": 2 * sqrt(squared_distance * variance * mass / (rounds * agents)),
        "bias": bias,
    }


@recordable
def doubling_samples_upper(second_moment: Array, squared_distance: Array, masses: Array) -> Array:
    """sum_q K_{2^-q} = 4 B^2 D^2 sum_q 4^q S_q of epochs 0..p, masses (..., p + 1)."""
    powers: Array = 0
    for q in range(masses.shape[-1]):
        powers = powers + 4**q * masses[..., q]
    return 4 * second_moment * squared_distance * powers
