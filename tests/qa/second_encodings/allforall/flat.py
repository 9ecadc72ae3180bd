"""Second encodings of allforall: Theorem 8, all-for-all without strong convexity."""

from __future__ import annotations

import numpy as np

from tests.qa.second_encodings.record import Second
from tests.qa.second_encodings.runs import (
    diagonal,
    horizons,
    least,
    quadratic_bias,
    synchronous_moments,
)


def _theorem8_run(w):
    """E F^k for every k, and (1/N) times the sum of lambda b, for two agents at +-spread or one."""
    bend = w.curvature * w.smoothness
    spread = w.distance * w.bias[..., 0] if w.N > 1 else 0 * w.distance
    step = np.minimum(
        w.N**1.5 * w.distance / np.sqrt(w.variance), w.N / (2 * w.smoothness)
    )  # sum of lambda_ij^2 is 1
    centres = spread[..., None] * np.array([1.0, -1.0][: w.N])
    ones = np.ones(w.N)
    gain = np.full((w.N, w.N), 1 / w.N)
    error = (w.offset * w.distance)[..., None] - centres
    seen = synchronous_moments(gain, bend[..., None] * ones, error, w.variance, step, w.rounds)
    bias = (gain * quadratic_bias(bend[..., None] * ones, centres)).sum((-2, -1))
    return [bend * diagonal(second).mean(-1) / 2 for second in seen], bias


def _theorem8(w):
    gaps, bias = _theorem8_run(w)
    noise = 2 * w.distance**2 * w.variance / (w.rounds * w.N)
    return {"E F^K": gaps[-1]}, {
        "optimisation": 2 * w.smoothness * w.distance**2 / w.rounds,
        "noise and bias": np.sqrt(noise + bias),
    }


def _samples8(w):
    gaps, _ = _theorem8_run(w)
    return {"E F^K": least([gaps[k] for k in horizons(w)])}, {"eps": w.precision}


def _members8(w):
    """8 D^2 s^2/eps^2 sum 1/N_i and 4 N L D^2/eps, one agent: the larger is the number of the
    world, the other a part of it."""
    whole = w.rounds + w.fraction
    return (whole, w.part * whole) if w.larger == "noise" else (w.part * whole, whole)


SIZES8 = {
    "variance": lambda w: _members8(w)[0] * w.precision**2 / (8 * w.distance**2),
    "smoothness": lambda w: _members8(w)[1] * w.precision / (4 * w.distance**2),
}


FLAT = {
    "convex": lambda w: w.curvature,
    "L-smooth": lambda w: 1 - w.curvature,
    "|x_i^0 - x_i^Lambda| <= D": lambda w: 1 - np.abs(w.offset),
}
NUMBER = "T is the largest number of samples within the printed one"
CURVED = {
    "allforall.theorem8/rate": Second(
        _theorem8,
        FLAT,
        words="Setting 2, mu = 0, |x_i^0 - x_i^Lambda| <= D, eta = N^(3/2) D/(s sqrt(sum lambda^2))"
        " ^ N/(2L): E F^K <= 2 L D^2/K + sqrt(2 D^2 s^2/(K N) sum lambda^2 + sum lambda b) "
        "(Theorem 8; the bias stands under the root, without 1/N, eta without K).",
        open_places="The step is the one of Algorithm 1; |x_i^0 - x_i^Lambda| <= D by offset <= 1.",
    ),
    "allforall.theorem8/samples": Second(
        _samples8,
        FLAT,
        defines=SIZES8,
        words="Consequently E F^K <= eps for T <= max(8 D^2 s^2/eps^2 sum 1/N_i, 4 N L D^2/eps).",
        open_places="eta is the printed one, without K. " + NUMBER,
    ),
}
