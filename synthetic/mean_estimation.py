r"""Mean estimation federations: :math:`\ell(x,\xi)=\tfrac12\|x-\xi\|^2`, so g_k(x) = x - xi.

They are quadratics with unit matrices and additive noise, hence data for
:class:`synthetic.quadratic.Quadratic`. A Bernoulli coordinate of mean p is the two-point law of
skewness m with p = 1/(1 + m^2): rational m gives rational p and exact arithmetic up to the root of
p (1 - p) = (m/(1 + m^2))^2, which is rational too. Coordinates of one agent are independent with
one p, so that losses in d dimensions are d times those on the line.

Source: allforall, Section 6.4, Appendix A.4.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import positive, require


def bernoulli_means(skew: Array) -> dict[str, Any]:
    """Data of a federation of Bernoulli means on the line.

    Parameters
    ----------
    skew : array (..., N), > 0
        m_k with p_k = 1/(1 + m_k^2).

    Returns
    -------
    dict
        Data of a quadratic federation with half losses and law two_point.

    Examples
    --------
    >>> data = bernoulli_means(np.array([1.0, 2.0]))
    >>> (-data["xi"][:, 0]).tolist(), data["noise_scale"].tolist()
    ([0.5, 0.2], [0.5, 0.4])
    """
    positive("skew", skew)
    chance = 1 / (1 + skew**2)
    one = 0 * chance + 1
    return {
        "A": one[..., None, None],
        "xi": -chance[..., None],
        "noise_scale": skew * chance,
        "skew": skew,
        "law": "two_point",
        "half": True,
    }


def skew_of(chance: Array) -> Array:
    """Ratio m = sqrt((1 - p)/p) of a Bernoulli law with p strictly between 0 and 1."""
    inside = bool(((chance > 0) & (chance < 1)).all())
    require(inside, "chance", "in (0, 1)", "0, 1 or beyond", "move it off the ends")
    return generic.sqrt((1 - chance) / chance)


def gaussian_means(centres: Array, scale: Array) -> dict[str, Any]:
    """Data of Gaussian mean estimation.

    Parameters
    ----------
    centres : array (..., N, d), length
        The means.
    scale : array (..., N), length
        Square root of the trace of the covariance, spread evenly over the coordinates.
    """
    dim = int(centres.shape[-1])
    return {
        "A": generic.eye(dim, centres) + 0 * centres[..., None],
        "xi": -centres,
        "noise_scale": scale,
        "law": "gaussian",
        "half": True,
    }


def uniform_chances(clients: int, seed: int) -> Array:
    """Chances of N agents drawn uniformly, kept a little off 0 and 1."""
    return np.clip(np.random.default_rng(seed).random(clients), 1e-3, 1 - 1e-3)


def interval_agents(clients: int) -> Array:
    """Chances of N agents of the continuum on [0, 1]: midpoints of a grid."""
    return (np.arange(clients) + 0.5) / clients


def value_bias(centres: Array) -> Array:
    """b_ik = |m_i - m_k|^2/2 of assumption B.1, (..., N, d) to (..., N, N)."""
    return generic.total((centres[..., :, None, :] - centres[..., None, :, :]) ** 2) / 2
