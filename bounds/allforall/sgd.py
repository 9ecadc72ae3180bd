r"""Stochastic gradient descent: the toolbox of the paper's Appendix F, with true constants.

Common parameters, all (...): ``gap`` f(x^0) - f* (loss), ``mu``, ``smoothness`` L (loss/length^2)
relative to :math:`\tfrac12\|x\|_A^2`, ``variance`` sigma^2 (loss^2/length^2), ``step_size`` eta,
``rounds`` T, ``low`` and ``high`` the smallest non-zero and the largest eigenvalue of A.

The relative Polyak-Lojasiewicz inequality reads :math:`\|\nabla f\|_{A^+}^2\ge2\mu(f-f^*)` with
the pseudo-inverse of A, so that plain gradients only give the rate mu times the smallest non-zero
eigenvalue of A; the paper's Lemma 4 has no such factor and falls where A is badly conditioned.

Source: allforall, Lemmas 4 to 6.
"""

from __future__ import annotations

from bounds.generic import exp, log, minimum, sqrt
from bounds.numbers.shapes import Array

Terms = dict[str, Array]


def descent_upper(
    gap: Array,
    step_size: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    low: Array,
    high: Array,
) -> Terms:
    """One step, eta <= 1/(L high): (1 - eta mu low) gap + eta^2 L high sigma^2/2."""
    return {
        "contraction": (1 - step_size * mu * low) * gap,
        "noise": step_size**2 * smoothness * high * variance / 2,
    }


def lemma4_upper(
    gap: Array,
    step_size: Array,
    mu: Array,
    smoothness: Array,
    variance: Array,
    rounds: int,
    low: Array,
    high: Array,
) -> Terms:
    """exp(-eta mu low T) gap + eta L high sigma^2/(2 mu low): the recursion summed."""
    return {
        "contraction": exp(-step_size * mu * low * rounds) * gap,
        "noise": step_size * smoothness * high * variance / (2 * mu * low),
    }


def lemma4_printed(
    gap: Array, step_size: Array, mu: Array, smoothness: Array, variance: Array, rounds: int
) -> Terms:
    """exp(-eta mu T) gap + eta L sigma^2/mu, as printed."""
    return {
        "contraction": exp(-step_size * mu * rounds) * gap,
        "noise": step_size * smoothness * variance / mu,
    }


def horizon_level(gap: Array, mu: Array, smoothness: Array, variance: Array, rounds: int) -> Array:
    """ln(f_0 mu^2 T/(L sigma^2)); must be positive for a positive step."""
    return log(gap * mu**2 * rounds / (smoothness * variance))


def horizon_step(gap: Array, mu: Array, smoothness: Array, variance: Array, rounds: int) -> Array:
    """min(1/(2L), ln(f_0 mu^2 T/(L sigma^2))/(mu T))."""
    level = horizon_level(gap, mu, smoothness, variance, rounds)
    return minimum(1 / (2 * smoothness), level / (mu * rounds))


def horizon_printed(
    gap: Array, mu: Array, smoothness: Array, variance: Array, rounds: int
) -> Terms:
    """exp(-mu T/(2L)) f_0 + (L sigma^2/(mu^2 T)) ln(...), Lemma 4, second display."""
    level = horizon_level(gap, mu, smoothness, variance, rounds)
    return {
        "contraction": exp(-mu * rounds / (2 * smoothness)) * gap,
        "noise": smoothness * variance * level / (mu**2 * rounds),
    }


def horizon_upper(gap: Array, mu: Array, smoothness: Array, variance: Array, rounds: int) -> Terms:
    r"""The same with 1 + ln(...), which the printed display forgets.

    Where the step is the logarithm's, exp(-eta mu T) f_0 is itself L sigma^2/(mu^2 T).
    """
    level = horizon_level(gap, mu, smoothness, variance, rounds)
    return {
        "contraction": exp(-mu * rounds / (2 * smoothness)) * gap,
        "noise": smoothness * variance * (1 + level) / (mu**2 * rounds),
    }


def precision_step(mu: Array, smoothness: Array, variance: Array, precision: Array) -> Array:
    """eta_eps = min(mu eps/(2 L sigma^2), 1/(2L)), Lemma 4, third display."""
    return minimum(mu * precision / (2 * smoothness * variance), 1 / (2 * smoothness))


def precision_rounds(gap: Array, mu: Array, step_size: Array, precision: Array) -> Array:
    """ln(f_0/eps)/(eta mu); the paper takes the next integer."""
    return log(gap / precision) / (step_size * mu)


def lemma5_upper(squared_distance: Array, step_size: Array, variance: Array, rounds: int) -> Terms:
    """|x^0 - x^*|^2/(eta T) + eta sigma^2, for the averaged iterate and eta <= 1/(2L)."""
    return {"start": squared_distance / (step_size * rounds), "noise": step_size * variance}


def lemma5_step(squared_distance: Array, smoothness: Array, variance: Array, rounds: int) -> Array:
    """min(1/(2L), |x^0 - x^*|/(sigma sqrt T))."""
    return minimum(1 / (2 * smoothness), sqrt(squared_distance / (variance * rounds)))


def lemma5_horizon_upper(
    squared_distance: Array, smoothness: Array, variance: Array, rounds: int
) -> Terms:
    """2 |x^0 - x^*| sigma/sqrt T + 2 L |x^0 - x^*|^2/T."""
    return {
        "noise": 2 * sqrt(squared_distance * variance / rounds),
        "start": 2 * smoothness * squared_distance / rounds,
    }


def lemma5_rounds_upper(
    squared_distance: Array, smoothness: Array, variance: Array, precision: Array
) -> Array:
    """4 |x^0 - x^*|^2 (4 sigma^2/eps^2 + L/eps)."""
    return 4 * squared_distance * (4 * variance / precision**2 + smoothness / precision)


def lemma6_upper(second_moment: Array, squared_distance: Array, rounds: int) -> Array:
    """sqrt(2/T) B D with eta = sqrt(2 D^2/(B^2 T)); the recursion gives 3/4 of it."""
    return sqrt(2 * second_moment * squared_distance / rounds)


def lemma6_step(second_moment: Array, squared_distance: Array, rounds: int) -> Array:
    """sqrt(2 D^2/(B^2 T))."""
    return sqrt(2 * squared_distance / (second_moment * rounds))
