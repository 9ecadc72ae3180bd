r"""Convergence of training in groups that may change from epoch to epoch.

With groups and weights a_j = D_j/D of every epoch, ``dissimilarity`` is the total

.. math:: K_t = \sum_i \sum_{j \in G_i^t} a_j^t \kappa_{i,j}^2 ,

shape (..., T), unit (loss/length) squared; ``steps`` are eta^t, shape (..., T); ``smoothness`` L,
``variance`` sigma^2, ``gap`` the sum over clients of J_i(w^0) - J_i(w^*), all (...).

Source: hcct, Theorem 2, Equations 26 and 42 to 44, Corollary 1.
"""

from __future__ import annotations

from bounds.generic import stack, total
from bounds.numbers.recording import recordable
from bounds.numbers.shapes import Array

__all__ = [
    "descent_upper",
    "fixed_groups_upper",
    "own_drift_upper",
    "squares_before",
    "theorem2_printed",
    "triple_sum",
    "weighted_dissimilarity",
]

Terms = dict[str, Array]


def weighted_dissimilarity(weights: Array, kappa2: Array) -> Array:
    """sum_i sum_j a_ij kappa_ij^2 for weights of client i's group, (..., N, N) to (...)."""
    return total(total(weights * kappa2))


@recordable
def squares_before(steps: Array) -> Array:
    """sum_{s < t} (eta^s)^2 for every t, (..., T)."""
    sums = [0 * steps[..., 0]]
    for t in range(1, steps.shape[-1]):
        sums.append(sums[-1] + steps[..., t - 1] ** 2)
    return stack(sums, -1)


@recordable
def triple_sum(steps: Array, dissimilarity: Array) -> Array:
    """sum_t eta^t sum_{s < t} (eta^s)^2 K_s, the double sum of S_3 without L^2, (...)."""
    inner, value = 0 * steps[..., 0], 0 * steps[..., 0]
    for t in range(steps.shape[-1]):
        value = value + steps[..., t] * inner
        inner = inner + steps[..., t] ** 2 * dissimilarity[..., t]
    return value


def descent_upper(
    step_size: Array,
    smoothness: Array,
    alignment: Array,
    squared: Array,
    variance: Array,
    clients: int,
) -> Terms:
    """Right side of Lemma 1: alignment sum_i <grad J_i, G_i>, squared sum_i |G_i|^2."""
    return {
        "alignment": -step_size * alignment,
        "squared": smoothness * step_size**2 * squared / 2,
        "noise": smoothness * step_size**2 * clients * variance / 2,
    }


def theorem2_printed(
    steps: Array,
    smoothness: Array,
    gap: Array,
    dissimilarity: Array,
    variance: Array,
    clients: int,
    averaged: bool,
) -> Terms:
    """Right side of Equation 26; ``averaged`` puts 1/xi_T before its last sum, as in (42)."""
    xi = total(steps)
    last = 4 * smoothness**2 * clients * variance * total(steps * squares_before(steps))
    drift = 2 * smoothness**2 * triple_sum(steps, dissimilarity)
    return {
        "start": 2 * gap / xi,
        "dissimilarity": 2 * total(steps * dissimilarity) / xi,
        "drift": drift / xi,
        "noise": smoothness * clients * variance * total(steps**2) / xi,
        "noise of the drift": last / xi if averaged else last,
    }


def fixed_groups_upper(
    steps: Array, smoothness: Array, gap: Array, dissimilarity: Array, variance: Array, clients: int
) -> Terms:
    """2 S_1/xi + 2 sum eta K/xi + L N sigma^2 sum eta^2/xi for groups that never change.

    Members of a group that start together stay together, so that there is no drift.
    """
    xi = total(steps)
    return {
        "start": 2 * gap / xi,
        "dissimilarity": 2 * total(steps * dissimilarity) / xi,
        "noise": smoothness * clients * variance * total(steps**2) / xi,
    }


def own_drift_upper(
    steps: Array,
    smoothness: Array,
    gap: Array,
    dissimilarity: Array,
    variance: Array,
    clients: int,
    disagreement: Array,
) -> Terms:
    """The bound for changing groups, with the disagreement of the models in place of its bound.

    ``disagreement`` is sum_i sum_j a_ij E|w_i - w_j|^2 of every epoch, (..., T).
    """
    xi = total(steps)
    drift = 2 * smoothness**2 * total(steps * disagreement) / xi
    return {
        **fixed_groups_upper(steps, smoothness, gap, dissimilarity, variance, clients),
        "drift": drift,
    }
