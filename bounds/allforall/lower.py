r"""Lower bounds on samples with explicit constants, and the exact errors they rest on.

The paper prints its lower bounds with constants C, C' that it does not name. Two hypotheses
(one sign alpha for all agents) give constants of their own:

*Convex.* :math:`\ell(x,\xi)=B|x-r\xi|` on the line, :math:`P_j(\xi=1)=\tfrac12+\alpha\delta_j`,
:math:`\delta_j=(\delta-b_{1j}/(2Br))^+`, :math:`\delta=2\varepsilon/(Br)`. Every alpha r minimises
every f_j, so B.1 holds; gradients differ by at most b_{jk}/r, so B.2 holds (b symmetric). The gap
of a wrong answer is at least 4 eps times its distance share, so the Bayes gap is 4 eps (1 - TV); it
is at most eps only if TV >= 3/4, and Pinsker asks KL >= 1/2 at TV = 1/2 already. With
KL <= 2 z^2/(1 - z^2), z = 2 delta <= 1/4, this is T >= (15/1024) (rB/eps)^2 N / N_i(b/4).

*Quadratic.* :math:`\ell(x,\xi)=\tfrac\mu2|x-\xi|^2`, xi = +-c_j with mean alpha s_j,
:math:`s_j=(s-r\sqrt{b_{1j}})^+`, :math:`s^2=4\varepsilon r^2`, mu = 1/r^2, and
c_j^2 = s_j^2 + v with v = sigma^2 r^4, so that every agent's noise has variance sigma^2. The Bayes
gap is at least 2 eps (1 - TV), and KL <= 2 s^2 / v gives
T >= (1/16) r^2 sigma^2 N / (eps N_i(b/4)).

Source: allforall, Theorem 1, Corollary 1, Equations 9 and 10.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from bounds.generic import log, where
from bounds.numbers.shapes import Array

CONVEX_CONSTANT = Fraction(15, 1024)
"""C of Theorem 1a for eps <= rB/16 and symmetric b."""
QUADRATIC_CONSTANT = Fraction(1, 16)
"""C' of Theorem 1b for eps < 1/4 and symmetric b."""


def convex_samples_lower(scale: Array, precision: Array, agents: Array, close: Array) -> Array:
    r"""(15/1024) (rB)^2 N / (eps^2 N_i^eps(b/4)); scale is rB (unit loss).

    Examples
    --------
    >>> convex_samples_lower(16, 1, 2, 1)
    7.5
    """
    return 15 * scale**2 * agents / (1024 * precision**2 * close)


def quadratic_samples_lower(noise: Array, precision: Array, agents: Array, close: Array) -> Array:
    """(1/16) r^2 sigma^2 N / (eps N_i^eps(b/4)); noise is r^2 sigma^2 (unit loss)."""
    return noise * agents / (16 * precision * close)


def total_variation(bias: Array, draws: int) -> Array:
    """Between n tosses of coins of chance (1 + z)/2 and (1 - z)/2, z = bias."""
    p, q = (1 + bias) / 2, (1 - bias) / 2
    out = 0 * bias
    for k in range(draws // 2 + 1, draws + 1):
        out = out + comb(draws, k) * (p**k * q ** (draws - k) - p ** (draws - k) * q**k)
    return out


def posterior_product(bias: Array, draws: int) -> Array:
    """E[pi (1 - pi)] of the posterior of a fair sign after n tosses."""
    p, q = (1 + bias) / 2, (1 - bias) / 2
    out = 0 * bias
    for k in range(draws + 1):
        plus, minus = p**k * q ** (draws - k), q**k * p ** (draws - k)
        out = out + comb(draws, k) * plus * minus / (plus + minus) / 2
    return out


def mixed_over_draws(values: list[Array], agents: int, informative: int) -> Array:
    """Mean of values[n] when each of T samples is informative with chance m/N."""
    rounds = len(values) - 1
    out: Array = 0
    for n, value in enumerate(values):
        chance = Fraction(
            comb(rounds, n) * informative**n * (agents - informative) ** (rounds - n),
            agents**rounds,
        )
        out = out + value * chance.numerator / chance.denominator
    return out


def convex_bayes_gap(
    precision: Array, scale: Array, agents: int, informative: int, samples: int
) -> Array:
    """4 eps (1 - TV): smallest mean gap of agent 1 after T samples, asynchronous oracle."""
    bias = 4 * precision / scale
    known = [total_variation(bias, n) for n in range(samples + 1)]
    return 4 * precision * (1 - mixed_over_draws(known, agents, informative))


def quadratic_bayes_gap(
    precision: Array, bias: Array, agents: int, informative: int, samples: int
) -> Array:
    """8 eps E[pi (1 - pi)]: smallest mean gap of agent 1 after T samples."""
    known = [posterior_product(bias, n) for n in range(samples + 1)]
    return 8 * precision * mixed_over_draws(known, agents, informative)


def symmetric_channel_information(size: int, error: Array) -> Array:
    """I(alpha; answer) for M messages and an answer that is wrong with chance p, uniformly."""
    m = log(0 * error + size)
    return m + (1 - error) * log(1 - error) + error * log(error / (size - 1))


def fano_printed(information: Array, size: int) -> Array:
    """1 - (I + ln 2)/|V|, Equation 9 as printed."""
    return 1 - (information + log(0 * information + 2)) / size


def fano_lower(information: Array, size: int) -> Array:
    """1 - (I + ln 2)/ln|V|: the lower bound on the error of any test."""
    return 1 - (information + log(0 * information + 2)) / log(0 * information + size)


def coin_divergence(delta: Array) -> Array:
    """KL(Ber(1/2 + delta) || Ber(1/2 - delta)) = 2 delta ln((1/2 + delta)/(1/2 - delta))."""
    return 2 * delta * log((1 + 2 * delta) / (1 - 2 * delta))


def coin_information(delta: Array) -> Array:
    """I(Ber(1/2 + alpha delta); alpha) for a fair sign alpha, delta in [0, 1/2].

    Examples
    --------
    >>> round(float(coin_information(np.array(0.5))), 6)  # the coin shows the sign: ln 2
    0.693147
    """
    high, low = 1 + 2 * delta, 1 - 2 * delta
    return (entropy_part(high, high) + entropy_part(low, low)) / 2


def entropy_part(share: Array, ratio: Array) -> Array:
    """``share * log(ratio)``, and 0 where both are zero."""
    return share * log(where(ratio == 0, ratio + 1, ratio))
