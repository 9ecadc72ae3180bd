r"""Distances between laws seen through a class of functions, and a continuum of agents.

:math:`d_{\mathcal H}(\mathcal D,\mathcal D')=\sup_{h\in\mathcal H}
\|\mathbb E h(\xi)-\mathbb E h(\xi')\|` for the classes that the paper names, on laws with finitely
many atoms; arrays (..., atoms).

Source: allforall, Section 6, Appendix A.
"""

from __future__ import annotations

from bounds.generic import absolute, exp, total
from bounds.numbers.recording import recordable
from bounds.numbers.shapes import Array


def affine_distance_squared(gap: Array) -> Array:
    """|E xi - E xi'|^2, (..., D) to (...): squared distance for 1-Lipschitz affine maps."""
    return total(gap**2)


@recordable
def wasserstein_line(places: Array, masses: Array, others: Array) -> Array:
    """W_1 of two laws on sorted atoms of the line: integral of |F - G|, for 1-Lipschitz maps."""
    out: Array = 0
    apart: Array = 0
    for k in range(places.shape[-1] - 1):
        apart = apart + masses[..., k] - others[..., k]
        out = out + absolute(apart) * (places[..., k + 1] - places[..., k])
    return out


def total_variation_distance(masses: Array, others: Array) -> Array:
    """Half the absolute difference: maps whose values have diameter 1."""
    return total(absolute(masses - others)) / 2


def logistic_gradient(data: Array, model: Array) -> Array:
    """-xi / (1 + exp(<xi, x>)), shape (..., D), for xi = b a."""
    return -data / (1 + exp(total(data * model)))[..., None]


def continuum_samples_upper(
    second_moment: Array, diameter: Array, precision: Array, mass: Array
) -> Array:
    """4 B^2 D^2 / (eps^2 nu(ball of radius (eps/2)^(1/q))): agents as many as needed.

    Theorem 2.1 with N / N_i^eps(2b) at its limit 1 / nu(ball).
    """
    return 4 * second_moment * diameter**2 / (precision**2 * mass)
