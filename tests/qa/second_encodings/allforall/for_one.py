"""Second encodings of allforall: all-for-one upper bounds and the naive all-for-all."""

from __future__ import annotations

import numpy as np

from tests.qa.second_encodings.record import Second
from tests.qa.second_encodings.runs import (
    horizons,
    lattice_walk,
    least,
    stochastic,
    walk_of_signs,
)

HIDDEN = "the O~ hides a constant and logarithms"

# -- Theorem 6.a -----------------------------------------------------------------------------------


def _run6a(w):
    weights = stochastic(w.row)
    slopes = w.slope_share * w.size[..., None]
    square_sum = (weights**2).sum(-1)
    step = np.sqrt(w.distance**2 / (2 * w.rounds * w.N * w.size**2 * square_sum))
    gain = w.N * weights[..., None, :] + np.zeros((w.N, 1))  # every row: one shared model
    start = w.centre + w.offset * w.distance
    centres = w.centre[..., None] + 0 * weights
    return walk_of_signs(gain, slopes, centres, w.size, start, step, w.rounds)


def _helped6a(w):
    """f_1 = s |x| and lambda = (0, 1, ..): a helper whose loss is flat, so that x stays at x^0."""
    slope = w.slope_share * w.size
    return {"mean of E F_i": slope * w.offset * w.distance}, {
        "noise": np.sqrt(2 * w.distance**2 * w.size**2 / w.rounds),
        "b": w.distance * slope,
    }


def _theorem6a(w):
    if not w.has("row"):
        return _helped6a(w)
    weights, slopes = stochastic(w.row), w.slope_share * w.size[..., None]
    gaps = [
        (chance * slopes[..., :1] * np.abs(points[..., 0] - w.centre[..., None])).sum(-1)
        for points, chance in _run6a(w)[: w.rounds]
    ]
    bias = w.distance[..., None] * np.abs(slopes - slopes[..., :1]) + w.extra
    bias = np.concatenate([0 * bias[..., :1], bias[..., 1:]], -1)
    square_sum = (weights**2).sum(-1)
    noise = np.sqrt(2 * w.distance**2 * w.size**2 / w.rounds * square_sum)
    return {"mean of E F_i": sum(gaps) / w.rounds}, {"noise": noise, "b": (weights * bias).sum(-1)}


def _within6a(w):
    if not w.has("row"):
        return w.distance - np.abs(w.offset * w.distance)
    seen = []
    for points, chance in _run6a(w):
        far = np.where(chance > 0, np.abs(points[..., 0] - w.centre[..., None]), 0)
        seen.append(w.distance - far.max(-1))
    return np.stack(seen, -1)


# -- Theorems 2.1 and 7.1, the naive approach ------------------------------------------------------


def _close(w):
    """Slope of agent 1, and the mean slope of the asked agents over B."""
    # no division by B: a chance that is 0 must be 0
    return w.share * w.size, w.share * (1 + (w.active - 1) * w.tilt) / w.active


def _size(w):
    """B, by which 4 D^2 B^2/eps^2 N/N_i is the number that the world names."""
    return w.precision * np.sqrt((w.rounds + w.fraction) * w.counted / w.N) / (2 * w.distance)


def _walk(w, rounds):
    own, drift = _close(w)
    square_sum = w.active / w.counted**2
    step = np.sqrt(w.distance**2 / (2 * rounds * w.N * w.size**2 * square_sum))
    move = step * w.N * w.size / w.counted
    drawn = w.active / w.N + 0 * own
    return lattice_walk(w.offset * w.distance, move, drawn, drift, rounds)


def _theorem2(w):
    own, _ = _close(w)
    means = []
    for rounds in horizons(w):
        places, chances = _walk(w, rounds)
        gaps = [own * (c * np.abs(places)).sum(-1) for c in chances[:rounds]]
        means.append(sum(gaps) / rounds)
    return {"mean of E F_i": least(means)}, {"eps": w.precision}


def _naive(w):
    own, _ = _close(w)
    gaps = []
    for rounds in horizons(w):
        places, chances = _walk(w, rounds)
        gaps.append(own * (chances[-1] * np.abs(places)).sum(-1))
    return {"E F_i^K": least(gaps)}, {"eps": w.precision}


def _within(w):
    found = []
    for rounds in horizons(w):
        places, chances = _walk(w, rounds)
        far = [np.where(c > 0, np.abs(places), 0).max(-1) for c in chances]
        found += [w.distance - f for f in far]
    return np.stack(np.broadcast_arrays(*found), -1)


def _near(w):
    """eps/2 - b_1j of the agents that are asked: |s_1 - s_j| <= b_1j/D."""
    own, _ = _close(w)
    bias = w.distance * own * np.abs(1 - w.tilt) if w.active > 1 else 0 * own
    return w.precision / 2 - bias


RUN = {
    "convex": lambda w: np.minimum(w.share, w.tilt),
    "E|g|^2 <= B^2": lambda w: 1 - w.share * (np.maximum(w.tilt, 1) if w.active > 1 else 1),
    "iterates within D": _within,
}
SIZE = {"size": _size}
NEAR = "the asked agents are close"
NUMBER = (
    "K = T is the largest integer within the printed number (T_eps <= R is an existence claim; "
    "'some K <= R', 'K = ceil R' and 'every K >= R' are other readings)"
)
ONE = {
    "allforall.theorem6a": Second(
        _theorem6a,
        {
            "iterates within D": _within6a,
            "convex": lambda w: w.slope_share,
            "E|g|^2 <= B^2": lambda w: 1 - w.slope_share,
            "B.2": lambda w: w.extra if w.has("extra") else 0 * w.size,
        },
        words="Asynchronous, convex, N.1, |x^k - x_i*| <= D, B.2 with (b/D)^2, eta = sqrt(D^2/"
        "(2 K N B^2 sum lambda^2)): mean of E F_i over k < K at most sqrt(2 D^2 B^2/K sum "
        "lambda^2) + sum lambda_j b_ij (Theorem 6.a).",
        open_places="b_ii is not stated, taken 0; 'all k >= 0' taken for k = 0..K.",
    ),
    "allforall.theorem6b": Second(
        None,
        missing=HIDDEN,
        words="E F_i^K <= 2 (m + 1) kappa (F_lambda^0 exp(-K/(2 kappa)) + O~(L s^2/(mu^2 K) "
        "sum lambda^2)) + sum lambda_j b_ij (Theorem 6.b).",
    ),
    "allforall.theorem2.1": Second(
        _theorem2,
        {**RUN, NEAR: _near},
        frozenset([NEAR]),
        defines=SIZE,
        words="lambda_j = 1{b_ij < eps/2}/N_i(2b), N_i(2b) counting b_ij <= eps/2, eta of 6.a: the "
        "mean gap is at most eps with T <= 4 D^2 B^2/eps^2 N/N_i(2b) (Theorem 2.1).",
        open_places=NUMBER,
    ),
    "allforall.theorem7.1": Second(
        _theorem2,
        {**RUN, NEAR: _near},
        defines=SIZE,
        words="As 2.1 with lambda_j = 1{b_ij <= eps/2}/N_i(2b) (Theorem 7.1).",
        open_places=NUMBER,
    ),
    "allforall.theorem2.2": Second(
        None,
        missing=HIDDEN,
        words="T <= O~(kappa s^2/(mu eps) N/N_i(2b)) (Theorem 2.2).",
    ),
    "allforall.theorem7.2/any": Second(
        None,
        missing=HIDDEN,
        words="T <= O~((m + 1) kappa^2 s^2/(mu eps) N/N_i(2b)).",
    ),
    "allforall.theorem7.2/small": Second(
        None,
        missing=HIDDEN,
        words="T <= O~(kappa s^2/(mu eps) N/N_i(2b)) if m <= 1/2.",
    ),
    "allforall.naive.a": Second(
        _naive,
        {**RUN, NEAR: _near},
        frozenset([NEAR]),
        defines=SIZE,
        words="Under the assumptions of 2.1: max over i of E[f_i(x_i^k) - f_i*] at most eps with "
        "T <= 4 D^2 B^2/eps^2 max N/N_i(2b) (Section 5).",
        open_places="x_i^k: the last iterate, as printed (others: the running mean of 2.1). The "
        "agent with the steepest loss is agent 1. " + NUMBER,
    ),
    "allforall.naive.b": Second(
        None,
        missing=HIDDEN,
        words="T <= O~(kappa s^2/(mu eps) max N/N_i(2b)) (Section 5).",
    ),
}
