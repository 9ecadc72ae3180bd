"""Theorem 4.2 on graphs of closeness: W = Lambda Lambda^T has small eigenvalues."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import rates
from synthetic.exact.runs import all_for_all_moments, mean_excess
from verify.claim import Array, Real, Sides, hypothesis, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.all_smooth import SCALES, own_step
from verify.statements.allforall.common import (
    SAMPLES,
    gram,
    horizons,
    mass,
    mixing,
    number,
)
from verify.world.world import World, once

TITLE = "all-for-all"

_GRAPHS = {
    "alone": ((1,),),
    "both": ((1, 1), (1, 1)),
    "one-way": ((1, 0), (1, 1)),
    "path": ((1, 1, 0), (1, 1, 1), (0, 1, 1)),
}
_SHARED = {"mu": box.CURVATURE, "precision": box.PRECISION}
_BOX = {**_SHARED, "offset": Real(1 / 8, 4, unit=(0, 1), log=True), "variance": box.NOISE}
_SIZES = tuple({"graph": g, "N": len(m), "rounds": k} for g, m in _GRAPHS.items() for k in (4, 16))
_ABOUT = "equal quadratics; b_ij = 0 along a graph, large elsewhere"
_PRINTED = {**_SHARED, "variance": box.NOISE, "fraction": box.FRACTION}


def _graph(w: World) -> Array:
    """Lambda = indicator of closeness over its row sums, as lambda_ij of Theorem 4."""
    rows = [xp.stack([xp.ones_like(w.mu) * entry for entry in row], -1) for row in _GRAPHS[w.graph]]
    return mixing(xp.stack(rows, -2))


def _start_gap(w: World) -> Array:
    return w.mu * w.offset**2 / 2


def _error(w: World, step: Array, gap: Array, rounds: int) -> Array:
    """E F after some rounds from the same place x^0 - x_i^* for all agents, with that gap."""
    ones = xp.stack([xp.ones_like(w.mu)] * w.N, -1)
    offset = xp.sqrt(2 * gap / w.mu)
    error, curvature = offset[..., None] * ones, w.mu[..., None] * ones
    noise = w.variance[..., None] * ones
    path = all_for_all_moments(gram(_graph(w)), curvature, error, noise, step, rounds)
    return mean_excess(path[-1], curvature)


def _first_gap(w: World, option: str, variance: Array) -> Array:
    """F^0, such that the printed number of rounds is the one of the option."""
    square_sum = xp.total(mass(_graph(w)))
    size = xp.maximum(variance * square_sum / (w.precision * w.mu), w.N + 0 * w.mu)
    return w.precision * xp.exp(w.N * number(w, option) / (2 * size))


def _printed(w: World, scale: str, option: str) -> Sides:
    """Least E F^K among the horizons that have a positive step, F^0 > eps where none has."""
    gap, square_sum = _first_gap(w, option, w.variance), xp.total(mass(_graph(w)))
    found = []
    for rounds in horizons(w, option):
        step = rates.all_smooth_step(gap, w.mu, w.mu, w.variance, w.N, square_sum, rounds)
        left = _error(w, own_step(step, w.N, scale), gap, rounds)
        found.append(xp.where(step > 0, left, gap))
    return {"E F": xp.smallest(xp.stack(found, -1))}, {"precision": w.precision}


_TWICE = r"2\max\Bigl(\frac{\kappa\sigma^2}{\varepsilon\mu}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)},N\kappa\Bigr)\ln(\varepsilon^{-1}F^0)"
printed = tuple(
    statement(
        f"allforall.theorem4.2@same-step+{scale}+{option}",
        where="Theorem 4.2",
        title=TITLE,
        over="mean",
        latex=rf"T_\varepsilon\le{_TWICE}",
        family=numbers(_PRINTED, *_SIZES, about=_ABOUT),
        note="""Step of Theorem 3.b, where it is positive. Bias 0. F^0 is such that T/N is the
        number of rounds that the option says. On one-way and path graphs W has a small eigenvalue
        that the start excites, so that the mean gap falls slower than exp(-K/(2 kappa)).""",
    )(partial(_printed, scale=scale, option=option))
    for scale in SCALES
    for option in SAMPLES
)


def _spectrum(w: World) -> tuple[Array, Array]:
    """Smallest non-zero and largest eigenvalue of W, by graph."""
    if w.graph == "both":
        return xp.ones_like(w.mu), xp.ones_like(w.mu)
    square = gram(_graph(w))
    if w.graph == "path":
        # the swap of the ends splits R^3 into an odd line and an even plane
        odd = square[..., 0, 0] - square[..., 0, 2]
        first, last = square[..., 0, 0] + square[..., 0, 2], square[..., 1, 1]
        root = xp.sqrt((first - last) ** 2 + 8 * square[..., 0, 1] ** 2)
        return xp.minimum(odd, (first + last - root) / 2), (first + last + root) / 2
    return xp.smallest_eigenvalue(square), xp.largest_eigenvalue(square)


def _any_step(w: World, option: str) -> Sides:
    square = gram(_graph(w))
    outer = square[..., 0, 0] + square[..., 0, 2]
    across = 2 * square[..., 0, 1] ** 2  # squared entry between (e_1 + e_3)/sqrt 2 and e_2
    low, high = _spectrum(w)
    # the eigenvector of an eigenvalue v is (across^(1/2), v - outer); the start is (sqrt 2, 1)
    parts = []
    for value in (low, high):
        entry = value - outer
        overlap = (xp.sqrt(2 * across) + entry) ** 2
        parts.append(overlap / (across + entry**2) / 3)
    kept = (1 - 2 * low / high) ** (2 * w.rounds) * parts[0]
    gap = _first_gap(w, option, 0 * w.mu)
    return {"E F": xp.minimum(kept, parts[1]) * gap}, {"precision": w.precision}


any_step = tuple(
    statement(
        f"allforall.theorem4.2@some-step+{option}",
        where="Theorem 4.2",
        title=TITLE,
        over="mean",
        latex=printed[0].latex,
        family=numbers(
            {**_SHARED, "fraction": box.FRACTION},
            *({"graph": "path", "N": 3, "rounds": k} for k in (24, 32)),
            about=_ABOUT + ", noise so small that N kappa is the larger number",
        ),
        note="""Lower bound of E F^K over all constant steps, noise left out, on the path. In the
        even plane W has the eigenvalues low and high. A step beyond 2/(mu high) lets the part of
        the start along the second grow; any shorter one leaves (1 - 2 low/high)^(2 K) of the
        first, at all smaller K too.""",
    )(partial(_any_step, option=option))
    for option in SAMPLES
)


@once
def _step(w: World) -> Array:
    return rates.all_smooth_precision_step(
        w.mu, w.mu, w.variance, w.N, xp.total(mass(_graph(w))), w.precision, *_spectrum(w)
    )


@hypothesis("K at least the number", r"K\ge\tfrac1{\eta\mu\omega}\ln\tfrac{4F^0}\varepsilon")
def enough(w: World) -> Array:
    low, _ = _spectrum(w)
    return w.rounds - rates.all_smooth_rounds(_start_gap(w), w.mu, _step(w), w.precision, low)


@printed[0].like(
    "allforall.theorem4.2.repaired",
    family=numbers(_BOX, *_SIZES, about=_ABOUT),
    latex=r"T=\tfrac N{\eta\mu\omega}\ln\tfrac{4F^0}\varepsilon,\ \eta=\tfrac1{L\Omega}\wedge\tfrac{\mu\omega N\varepsilon}{2L\Omega\sigma^2\sum_i1/\mathcal N_i^\varepsilon(2b)}",
    given=[enough],
    note="Contraction and noise at most eps/4 each, bias at most eps/2 (0 here).",
    proof="""In the bound of theorem3b.repaired (1 - eta mu omega)^K F^0 <= exp(-eta mu omega K) F^0
    <= eps/4 for K rounds as stated; the noise term eta L Omega sigma^2 S/(2 mu omega N) is at most
    eps/4 by the choice of eta, with S = sum lambda_ij^2 = sum 1/N_i; and every b_ij with a weight
    is at most eps/2.""",
)
def repaired(w: World) -> Sides:
    left = _error(w, _step(w), _start_gap(w), w.rounds)
    return {"E F": left}, {"precision": w.precision}
