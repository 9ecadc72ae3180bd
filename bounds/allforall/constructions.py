r"""The paper's lower-bound constructions coordinate by coordinate.

Convex: :math:`h(x)=(\tfrac12+\alpha\delta)|x+\tfrac12|+(\tfrac12-\alpha\delta)|x-\tfrac12|
-\delta_0x` for one coordinate, alpha = +-1, where delta_0 is the slope of the common linear term
and delta that of the agent. g_alpha is the average over coordinates with delta = delta_0.

Source: allforall, Appendix B.2 and B.3.
"""

from __future__ import annotations

from bounds.generic import absolute, indicator, where
from bounds.numbers.shapes import Array


def convex_coordinate(x: Array, sign: Array, delta: Array, common: Array) -> Array:
    """h(x) of one coordinate."""
    half = (0 * x + 1) / 2
    tilt = sign * delta
    return (half + tilt) * absolute(x + half) + (half - tilt) * absolute(x - half) - common * x


def convex_slope(x: Array, sign: Array, delta: Array, common: Array) -> Array:
    """h'(x), the mean of both sides at a kink."""
    half = (0 * x + 1) / 2
    inside = indicator(absolute(x) < half, x)
    outside = indicator(x > half, x) - indicator(x < -half, x)
    return 2 * sign * delta * inside + outside - common


def convex_minimiser(sign: Array, delta: Array, common: Array) -> Array:
    """Minimiser of h: -alpha/2 where delta >= delta_0/2, else 1/2."""
    half = (0 * delta + 1) / 2
    return where(2 * delta >= common, -sign * half, half)


def convex_minimum(sign: Array, delta: Array) -> Array:
    """Smallest h for delta = delta_0: (1 - 2 delta + alpha delta)/2."""
    return (1 - 2 * delta + sign * delta) / 2


def convex_minimum_printed(sign: Array, delta: Array) -> Array:
    """(1 - alpha delta)/2 as printed; true for alpha = 1 only (where both agree)."""
    return (1 - delta * sign) / 2


def convex_separation(delta: Array, different: Array, dim: int) -> Array:
    """rho(g_alpha, g_beta) = (delta/d) times the number of coordinates that differ."""
    return delta * different / dim


def quadratic_separation(delta: Array, different: Array, dim: int) -> Array:
    """Distance rho = (delta^2/d) times the number of coordinates that differ."""
    return delta**2 * different / dim


def packing_size_lower(dim: int, like: Array) -> Array:
    """(2/sqrt e)^(d/2) in the number type of ``like``."""
    from bounds.generic import exp

    return exp((_log_two(like) - (like * 0 + 1) / 2) * dim / 2)


def greedy_packing(dim: int) -> int:
    """Signs kept by going through all of them in order: Hamming distance >= d/4, also from -1."""
    kept = [0]  # bits of -1; not counted
    for word in range(1, 2**dim):
        if all(4 * (word ^ other).bit_count() >= dim for other in kept):
            kept.append(word)
    return len(kept) - 1


def _log_two(like: Array) -> Array:
    from bounds.generic import log

    return log(0 * like + 2)
