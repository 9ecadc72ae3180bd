r"""Aggregation weights of a round and how much they favour badly served clients.

With :math:`x_i(w) = F_i(w) - F_i^\star \ge 0`, weights :math:`\alpha` and shares :math:`p`
(both non-negative, of sum one),

.. math:: \Gamma = \sum_i p_i x_i(w^\star), \qquad
          \rho(\alpha, w) = \frac{\sum_i \alpha_i x_i(w)}{\sum_i p_i x_i(w)} .

Arrays of clients have shape (..., N); ``excess`` is x (unit loss).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.generic import divide, exp, indicator, largest, total, trailing
from bounds.numbers.dispatch import kind
from bounds.numbers.kinds import is_torch
from bounds.numbers.recording import recordable
from bounds.numbers.shapes import Clients, Scalar
from bounds.numbers.symbolic import NotReadable
from bounds.numbers.validate import positive, require

__all__ = [
    "aggregation_weights",
    "fedmax_weights",
    "fedmaxk_weights",
    "fedsoftmax_weights",
    "heterogeneity_gap",
    "weight_ratio_upper",
    "weighting_skew",
]

RULES = ("fedavg", "fedmax", "fedmaxk", "fedsoftmax")


def heterogeneity_gap(excess_at_optimum: Clients, shares: Clients) -> Scalar:
    r"""Gamma = F^* - sum_i p_i F_i^*, from x_i at the minimiser of F; unit loss.

    Zero exactly where one point minimises every F_i with p_i > 0.

    Source
    ------
    aggregation, eq. 5.

    Examples
    --------
    >>> import numpy as np
    >>> float(heterogeneity_gap(np.array([0.5, 0.5]), np.array([0.5, 0.5])))
    0.5
    """
    return total(shares * excess_at_optimum)


def weighting_skew(weights: Clients, excess: Clients, shares: Clients) -> Scalar:
    r"""The weighted ratio rho = sum_i alpha_i x_i / sum_i p_i x_i.

    NaN or an error where the denominator is zero. Between the smallest and the largest
    alpha_i/p_i; one for alpha = p.

    Source
    ------
    aggregation, eq. 8.

    Examples
    --------
    >>> import numpy as np
    >>> float(weighting_skew(np.array([0., 1.]), np.array([1., 3.]), np.array([0.5, 0.5])))
    1.5
    """
    return divide(total(weights * excess), total(shares * excess))


def fedmax_weights(excess: Clients) -> Clients:
    """Uniform on the clients of largest x_i; maximises rho(., w) over all weights.

    Source
    ------
    aggregation, eqs. 15, 21, 22.
    """
    chosen = indicator(excess >= trailing(largest(excess)), excess)
    return chosen / trailing(total(chosen))


@recordable
def fedmaxk_weights(excess: Clients, count: int, shares: Any | None = None) -> Clients:
    """Supported on the ``count`` clients of largest x_i, ties to the lower number.

    Uniform, or proportional to ``shares`` where these are given: the paper leaves it open.

    Source
    ------
    aggregation, FedMax(k).
    """
    clients = int(excess.shape[-1])
    require(1 <= count <= clients, "count", f"in 1..{clients}", count, "name a possible number")
    chosen = indicator(ranks(excess) < count, excess)
    chosen = chosen if shares is None else chosen * shares
    return chosen / trailing(total(chosen))


def fedsoftmax_weights(excess: Clients, shares: Clients, temperature: Scalar) -> Clients:
    r"""alpha_i proportional to p_i exp(x_i / T), normalised.

    Tends to p as T grows; as T falls to zero, to p restricted to the clients of largest x_i.

    Parameters
    ----------
    temperature : array, (...)
        T > 0, unit loss.

    Source
    ------
    aggregation, FedSoftMax.

    Examples
    --------
    >>> import numpy as np
    >>> half = np.array([0.5, 0.5])
    >>> fedsoftmax_weights(np.array([0.0, np.log(3.0)]), half, np.array(1.0)).round(9).tolist()
    [0.25, 0.75]
    """
    positive("temperature", temperature)
    # the largest exponent is zero: nothing overflows, and the quotient is the same
    above = excess - trailing(largest(excess))
    grown = shares * exp(above / trailing(temperature))
    return grown / trailing(total(grown))


def aggregation_weights(
    rule: str, excess: Clients, shares: Clients, *, temperature: Scalar = None, count: int = 1
) -> Clients:
    """Weights of a named rule: fedavg, fedmax, fedmaxk (uniform) or fedsoftmax."""
    require(rule in RULES, "rule", f"one of {', '.join(RULES)}", rule, "check the spelling")
    if rule == "fedavg":
        return shares + 0 * excess
    if rule == "fedmax":
        return fedmax_weights(excess)
    if rule == "fedmaxk":
        return fedmaxk_weights(excess, count)
    return fedsoftmax_weights(excess, shares, temperature)


def weight_ratio_upper(smallest_ratio: Scalar, smallest_share: Scalar, clients: Scalar) -> Scalar:
    r"""Pi <= (1 - (N-1) pi min p)/min p for weights of sum one with alpha_i >= pi p_i.

    Proof: the largest weight is one minus the N - 1 others, each at least pi min p, and is at
    least Pi min p.  Equality: equal shares, all other weights at pi/N.

    Source
    ------
    aggregation, eq. 18 and the bound on Pi after it.
    """
    positive("smallest_share", smallest_share)
    return divide(1 - (clients - 1) * smallest_ratio * smallest_share, smallest_share)


def ranks(values: Clients) -> Clients:
    """Place of each entry when sorted downwards, from 0; ties go to the lower index, (..., N)."""
    if kind(values) == "symbolic":
        raise NotReadable("the order of symbols is not one expression")
    if is_torch(values):
        return (-values).argsort(dim=-1, stable=True).argsort(dim=-1)
    if values.dtype.char == "O":  # balls cannot be sorted by numpy, only compared
        earlier = np.arange(values.shape[-1])[:, None] > np.arange(values.shape[-1])
        other, own = values[..., None, :], values[..., :, None]
        ahead = (other > own).astype(bool) | ((other == own).astype(bool) & earlier)
        return ahead.astype(np.int64).sum(-1)
    return np.argsort(np.argsort(-values, axis=-1, kind="stable"), axis=-1)
