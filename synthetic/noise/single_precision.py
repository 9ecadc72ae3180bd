r"""Logarithm, cosine and sine of float32 numbers by polynomials, for graphs and accelerators.

A general function must be right on its whole domain: of two hundred operations for a normal number
most would go there. Here a logarithm is taken of a uniform number and a cosine of a whole turn's
fraction, and all that is left is a polynomial. The same few additions and products run on every
device.

The coefficients are those of least greatest error (Remez' exchange algorithm, in 40 digits), then
rounded to float32; ``tests/synthetic/noise/test_single_precision.py`` measures what is left.
"""

from __future__ import annotations

import torch
from torch import Tensor

LOGARITHM = (
    0.33333331707837,
    -0.25000821032067,
    0.20001226862980,
    -0.16623357410259,
    0.14201758352170,
    -0.13160182162950,
    0.12761574549582,
    -0.07634493986313,
)
"""(log(1 + f) - f + f^2/2) / f^3 for 1 + f in [1/sqrt 2, sqrt 2], lowest power first; 6e-9."""
SINE = (3.14159263689540, -5.16770968479864, 2.55006972632916, -0.59824212638715, 0.07756038693518)
"""sin(pi t) / t in t^2 for |t| <= 1/2; relative error 5e-9."""
COSINE = (
    0.99999999978065,
    -4.93480213722838,
    4.05870916434322,
    -1.33521205667326,
    0.23493755898272,
    -0.02439671665867,
)
"""cos(pi t) in t^2 for |t| <= 1/2; error 2e-10."""
ROOT = 0x3F3504F3
"""The bits of 1/sqrt 2: mantissas are counted from there, so that 1 has the exponent 0."""
LOG_TWO = (0.693359375, -2.12194440e-4)
"""log 2 in two parts; the first has ten bits, so that its product with an exponent is exact."""


def logarithm(x: Tensor) -> Tensor:
    """Logarithm of normal positive float32 numbers, to about two units in the last place."""
    bits = x.view(torch.int32)
    exponent = (bits - ROOT) >> 23
    f = (bits - (exponent << 23)).view(torch.float32) - 1.0
    exponent = exponent.to(torch.float32)
    square = f * f
    # even and odd powers apart: two short chains instead of a long one, each waiting on the last
    even, odd = _polynomial(LOGARITHM[0::2], square), _polynomial(LOGARITHM[1::2], square)
    rest = (odd * f + even) * (f * square) + exponent * LOG_TWO[1] - 0.5 * square
    return f + rest + exponent * LOG_TWO[0]


def circle(turns: Tensor) -> tuple[Tensor, Tensor]:
    r"""Cosine and sine of :math:`2 \pi v` for float32 turns v in [0, 1], to 4e-7.

    With t = 1/2 - v they are those of twice the angle pi t, seen from the other side:
    (sin - cos)(sin + cos) and 2 sin cos of pi t. No quadrant has to be chosen.
    """
    t = 0.5 - turns
    square = t * t
    sine = t * SINE[0] + (t * square) * _polynomial(SINE[1:], square)
    cosine = _polynomial(COSINE, square)
    return (sine - cosine) * (sine + cosine), (sine + sine) * cosine


def _polynomial(coefficients: tuple[float, ...], x: Tensor) -> Tensor:
    """Horner's rule, lowest power first."""
    value = x * coefficients[-1] + coefficients[-2]
    for coefficient in reversed(coefficients[:-2]):
        value = value * x + coefficient
    return value
