r"""Counts of the partition problem and of the greedy partition.

A merge of two groups asks for the similarities of all members of the union, so that a benefit of
groups with n_1 and n_2 clients costs n_1 + n_2 cosines.

Source: hcct, Section 5.1.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from bounds.generic import divide
from bounds.numbers.shapes import Array

__all__ = [
    "bell_number",
    "best_case_cosines",
    "first_step_benefits",
    "step_cosines",
    "step_cosines_printed",
    "worst_case_cosines",
    "worst_case_printed",
]


def bell_number(clients: Array, terms: int) -> Array:
    r"""Number of partitions of a set.

    .. math:: B_N = \sum_{k=1}^N \frac{k^N}{k!} \sum_{j\le N-k} \frac{(-1)^j}{j!}

    ``terms`` is N as an integer; ``clients`` the N in the exponent.

    Examples
    --------
    >>> [int(bell_number(n, n)) for n in range(1, 9)]
    [1, 2, 5, 15, 52, 203, 877, 4140]
    """
    value: Array = 0
    for k in range(1, terms + 1):
        signs = (Fraction((-1) ** j, factorial(j)) for j in range(terms - k + 1))
        factor = sum(signs, start=Fraction(0)) / factorial(k)
        value = value + divide(factor.numerator * k**clients, factor.denominator)
    return value


def first_step_benefits(clients: Array) -> Array:
    """N (N - 1)/2 pairs of single clients."""
    return divide(clients * (clients - 1), 2)


def best_case_cosines(clients: Array) -> Array:
    """N (N - 1): two cosines for every pair of single clients, after which nobody merges."""
    return clients * (clients - 1)


def step_cosines(clients: Array, size: Array, others: Array) -> Array:
    """Sum m K + (N - m): the new group of m clients is tried with K other groups, N - m clients."""
    return size * others + (clients - size)


def step_cosines_printed(clients: Array, step: Array) -> Array:
    """N (l + 2) - (l + 1)^2, the printed cost of step l."""
    return clients * (step + 2) - (step + 1) ** 2


def worst_case_cosines(clients: Array) -> Array:
    """(N^3 + 9 N^2 - 22 N + 12)/6: one group that takes up the clients one by one.

    N (N - 1) for the first step and sum_{l=2}^{N-1} (N - l)(l + 1) for the others; N >= 2.

    Examples
    --------
    >>> [int(worst_case_cosines(n)) for n in (2, 3, 4, 5)]
    [2, 9, 22, 42]
    """
    return divide(clients**3 + 9 * clients**2 - 22 * clients + 12, 6)


def worst_case_printed(clients: Array) -> Array:
    """(N^3 - 19 N + 6)/6, as printed: negative up to N = 4."""
    return divide(clients**3 - 19 * clients + 6, 6)
