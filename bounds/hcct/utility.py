r"""Utility of a client in a group, utility of a group, and the benefit of a merge.

.. math:: s(i, C) = \cos\langle g_i, \hat g_C\rangle,\quad
          U_i(C) = -\frac{\alpha}{\hat D_C} + s(i, C) + \beta,\quad
          \hat g_C = \sum_{j \in C} \frac{D_j}{\hat D_C} g_j

Groups are masks of zeros and ones over the clients, (..., N).  With u_C the sum of the unit
gradients of a group and v_C the sum of D_j g_j, the similarities of its members add up to
<u_C, v_C>/|v_C|, so that a merge costs three inner products whatever the number of members.

Where a gradient or the mean of a group vanishes the cosine has no value in the paper; here it is
zero there, and one for a client alone.

Source: hcct, Equations 8 to 15.
"""

from __future__ import annotations

from bounds.generic import absolute, dot, sqrt, squared_norm, total, where
from bounds.numbers.shapes import Array
from bounds.numbers.validate import nonnegative, positive

__all__ = [
    "cosine",
    "group_size",
    "group_utility",
    "independence_threshold",
    "merge_benefit",
    "pair_threshold",
    "similarities",
    "utilities",
]


def cosine(x: Array, y: Array) -> Array:
    """<x, y>/(|x| |y|) over the last axis, zero where one of them vanishes; Equation 8."""
    size = squared_norm(x) * squared_norm(y)
    zero = size == 0
    safe = where(zero, size + 1, size)
    return where(zero, 0 * size, dot(x, y) / sqrt(safe))


def group_size(sizes: Array, members: Array) -> Array:
    """Number of samples of a group, (..., N) to (...)."""
    return total(sizes * members)


def similarities(gradients: Array, sizes: Array, members: Array) -> Array:
    """s(i, C) of every client with the mean gradient of a group that it belongs to, (..., N).

    Parameters
    ----------
    gradients : array (..., N, d)
        g_i. Unit: loss / length, which cancels.
    sizes : array (..., N)
        D_i > 0.
    members : array (..., N)
        Ones for the members of C, zeros elsewhere.

    Returns
    -------
    array (..., N)
        In [-1, 1]; zero for clients outside.
    """
    weighted = total((sizes * members)[..., None] * gradients, -2)  # (..., d)
    alone = _for_each(members, members) == 1
    value = cosine(gradients, weighted[..., None, :])
    return members * where(alone, 0 * value + 1, value)


def utilities(
    gradients: Array, sizes: Array, members: Array, tradeoff: Array, offset: Array = 0
) -> Array:
    """U_i(C) of the members of a group, (..., N), zero outside; Equation 9.

    Parameters
    ----------
    tradeoff : array (...)
        alpha >= 0, in samples.
    offset : array (...)
        beta.
    """
    positive("sizes", sizes, "give every client at least one sample")
    nonnegative("tradeoff", tradeoff)
    size = _for_each(sizes * members, members)
    shared = [x[..., None] if hasattr(x, "shape") else x for x in (tradeoff, offset)]
    fixed = shared[1] - shared[0] / size
    return members * fixed + similarities(gradients, sizes, members)


def group_utility(
    gradients: Array, sizes: Array, members: Array, tradeoff: Array, offset: Array = 0
) -> Array:
    """Sum of the utilities of the members, (...); Equation 14."""
    return total(utilities(gradients, sizes, members, tradeoff, offset))


def merge_benefit(
    gradients: Array, sizes: Array, first: Array, second: Array, tradeoff: Array, offset: Array = 0
) -> Array:
    """B(k1, k2): utility of the union less those of the two groups, (...); Equation 15."""
    args = (tradeoff, offset)
    joint = group_utility(gradients, sizes, first + second, *args)
    apart = group_utility(gradients, sizes, first, *args)
    return joint - apart - group_utility(gradients, sizes, second, *args)


def pair_threshold(gradients: Array, sizes: Array, first: Array, second: Array) -> Array:
    r"""The alpha above which merging two groups has a benefit, (...).

    .. math:: \frac{\sum_{C_1} s + \sum_{C_2} s - \sum_{C_1\cup C_2} s}
              {|C_1|/\hat D_1 + |C_2|/\hat D_2 - (|C_1|+|C_2|)/(\hat D_1+\hat D_2)}

    B is affine in alpha with this denominator as its slope, which is positive.
    """
    union = first + second
    lost = (
        total(similarities(gradients, sizes, first))
        + total(similarities(gradients, sizes, second))
        - total(similarities(gradients, sizes, union))
    )
    gained = (
        total(first) / group_size(sizes, first)
        + total(second) / group_size(sizes, second)
        - total(union) / group_size(sizes, union)
    )
    return lost / gained


def independence_threshold(gradients: Array, sizes: Array) -> Array:
    """Largest alpha at which no pair of single clients gains by merging, (...).

    For a partition that stops before a merge without benefit, all clients stay alone exactly for
    alpha at most this.  Infinite clients are not meant: N >= 2.
    """
    clients = sizes.shape[-1]
    best: Array = None
    for i in range(clients):
        for k in range(i + 1, clients):
            here = _pair(gradients, sizes, i, k)
            best = here if best is None else (best + here - absolute(best - here)) / 2
    return best


def _for_each(values: Array, like: Array) -> Array:
    """Sum over the clients, once for each of them, (..., N)."""
    return total(values[..., None, :] + 0 * like[..., :, None])


def _pair(gradients: Array, sizes: Array, i: int, k: int) -> Array:
    """Threshold of two single clients: the two similarities they lose against 1/D_i + 1/D_k."""
    gi, gk = gradients[..., i, :], gradients[..., k, :]
    di, dk = sizes[..., i], sizes[..., k]
    joint = sizes[..., i : i + 1] * gi + sizes[..., k : k + 1] * gk
    lost = 2 - cosine(gi, joint) - cosine(gk, joint)
    return lost / (1 / di + 1 / dk - 2 / (di + dk))
