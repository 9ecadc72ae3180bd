"""Scalar functions of losses on margins: log(1 + e^z), its slope, and its Bregman distance."""

from __future__ import annotations

from bounds import generic
from bounds.numbers.shapes import Array
from synthetic.fields import is_exact

NEAR = 1e-2
"""Change of argument below which the distance is a power series; its next term is below 1e-14."""


def softplus(z: Array) -> Array:
    """log(1 + e^z) without overflow."""
    return generic.positive_part(z) + generic.log(1 + generic.exp(-generic.absolute(z)))


def sigmoid(z: Array) -> Array:
    """1/(1 + e^-z) without overflow."""
    small = generic.exp(-generic.absolute(z))
    return generic.where(z > 0, 1 / (1 + small), small / (1 + small))


def tanh(z: Array) -> Array:
    """(e^z - e^-z)/(e^z + e^-z) without overflow."""
    small = generic.exp(-2 * generic.absolute(z))
    size = (1 - small) / (1 + small)
    return generic.where(z > 0, size, -size)


def bregman(margin: Array, change: Array) -> Array:
    """Log(1 + e^-m) at m + delta above its tangent at m: log(1 + q (e^-delta - 1)) + q delta.

    Near delta = 0 the cumulants of a Bernoulli variable of mean q = 1/(1 + e^m), where the closed
    form cancels.
    """
    q = sigmoid(-margin)
    # both halves of the closed form stay finite for large |delta|
    plain = softplus(-(margin + change)) - softplus(-margin) + q * change
    if is_exact(margin) or is_exact(change):
        return plain
    u, skew, x = q * (1 - q), 1 - 2 * q, -change
    high = skew * (1 - 12 * u) / 120 + x * (1 - 30 * u + 120 * u**2) / 720
    series = 1 / 2 + x * (skew / 6 + x * ((1 - 6 * u) / 24 + x * high))
    return generic.where(generic.absolute(change) < NEAR, u * x**2 * series, plain)
