"""Theorem 4.2 on graphs of closeness: W = Lambda Lambda^T has small eigenvalues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from bounds import generic as xp
from bounds.allforall import rates
from verify.claim import Array, Family, Reading, Real, Sides, hypothesis
from verify.statements.allforall import measured
from verify.statements.allforall import quantities as q
from verify.statements.allforall.theorems3b_8 import own_step
from verify.terms.vocabulary import quantity
from verify.world.world import World, once

claim = q.Claims(r"""
Theorem 4.2 :: theorem :: all-for-all
    theorem4.2 mean :: T_\varepsilon\le2\max\Bigl(\frac{\kappa\sigma^2}{\varepsilon\mu}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)},N\kappa\Bigr)\ln(\varepsilon^{-1}F^0)
    theorem4.2.repaired mean :: T=\tfrac N{\eta\mu\omega}\ln\tfrac{4F^0}\varepsilon,\ \eta=\tfrac1{L\Omega}\wedge\tfrac{\mu\omega N\varepsilon}{2L\Omega\sigma^2\sum_i1/\mathcal N_i^\varepsilon(2b)}
""")
_SAME_STEP = """Step of Theorem 3.b, where it is positive. Bias 0. F^0 is such that T/N is the
number of rounds that the option says. On one-way and path graphs W has a small eigenvalue
that the start excites, so that the mean gap falls slower than exp(-K/(2 kappa))."""
_SOME_STEP = """Lower bound of E F^K over all constant steps, noise left out, on the path. In the
even plane W has the eigenvalues low and high. A step beyond 2/(mu high) lets the part of
the start along the second grow; any shorter one leaves (1 - 2 low/high)^(2 K) of the
first, at all smaller K too."""
_GRAPHS = {
    "alone": ((1,),),
    "both": ((1, 1), (1, 1)),
    "one-way": ((1, 0), (1, 1)),
    "path": ((1, 1, 0), (1, 1, 1), (0, 1, 1)),
}
_SIZES = q.sizes("graph N rounds", *((g, len(m), k) for g, m in _GRAPHS.items() for k in (4, 16)))
_LONG = q.sizes("graph N rounds", ("path", 3, 24), ("path", 3, 32))
_ABOUT = "equal quadratics; b_ij = 0 along a graph, large elsewhere"
_STARTED = q.family(
    "mu precision offset variance", _ABOUT, *_SIZES, offset=Real(1 / 8, 4, unit=(0, 1), log=True)
)


def _family(r: Reading) -> Family:
    if r.step == "same-step":
        return q.family("mu precision variance fraction", _ABOUT, *_SIZES)
    small = ", noise so small that N kappa is the larger number"
    return q.family("mu precision fraction", _ABOUT + small, *_LONG)


def _three_in_a_row(r: Reading) -> Sequence[Mapping[str, Any]]:
    """Agents on a path and next to no noise, 24 rounds: no step is small, no logarithm negative."""
    noise = {"variance": Fraction(1, 64)} if r.step == "same-step" else {}
    return ({"mu": 1, "precision": 1, **noise, "fraction": 0, "graph": "path", "rounds": 24},)


def _graph(w: World) -> Array:
    """Lambda = indicator of closeness over its row sums, as lambda_ij of Theorem 4."""
    rows = [xp.stack([xp.ones_like(w.mu) * entry for entry in row], -1) for row in _GRAPHS[w.graph]]
    return q.mixing(xp.stack(rows, -2))


def _mass(w: World) -> Array:
    return xp.total(q.mass(_graph(w)))


def _error(w: World, step: Array, gap: Array, rounds: int) -> Array:
    """E F after some rounds from the same place x^0 - x_i^* for all agents, with that gap."""
    graph = _graph(w)
    ones = xp.ones_like(graph[..., 0])
    offset = xp.sqrt(2 * gap / w.mu)
    error, curvature = offset[..., None] * ones, w.mu[..., None] * ones
    noise = w.variance[..., None] * ones
    run = q.gram(graph), curvature, error, noise, step, rounds
    return measured.mean_excess_after(w, *run)


def _first_gap(w: World, samples: str, variance: Array) -> Array:
    """F^0, such that the printed number of rounds is the one of the option."""
    size = xp.maximum(variance * _mass(w) / (w.precision * w.mu), w.N + 0 * w.mu)
    return w.precision * xp.exp(w.N * q.number(w, samples) / (2 * size))


def _run(w: World, r: Reading) -> Array:
    """Least E F^K among the horizons that have a positive step, F^0 > eps where none has."""
    gap = _first_gap(w, r.samples, w.variance)
    return least_error(w, gap, w.N, w.rounds, r.samples, r.scale)


@quantity
def least_error(w: World, gap: Array, agents: int, rounds: int, samples: str, scale: str) -> Array:
    """Least E F^K among the numbers of rounds that may be run, the first gap where a step is none."""
    found = []
    for count in q.horizons(rounds, samples):
        step = rates.all_smooth_step(gap, w.mu, w.mu, w.variance, agents, _mass(w), count)
        left = _error(w, own_step(step, agents, scale), gap, count)
        found.append(xp.where(step > 0, left, gap))
    return q.least(found)


def _spectrum(w: World) -> tuple[Array, Array]:
    """Smallest non-zero and largest eigenvalue of W, by graph."""
    if w.graph == "both":
        return xp.ones_like(w.mu), xp.ones_like(w.mu)
    square = q.gram(_graph(w))
    if w.graph == "path":
        # the swap of the ends splits R^3 into an odd line and an even plane
        odd = square[..., 0, 0] - square[..., 0, 2]
        first, last = square[..., 0, 0] + square[..., 0, 2], square[..., 1, 1]
        root = xp.sqrt((first - last) ** 2 + 8 * square[..., 0, 1] ** 2)
        return xp.minimum(odd, (first + last - root) / 2), (first + last + root) / 2
    return xp.smallest_eigenvalue(square), xp.largest_eigenvalue(square)


def _any_step(w: World, samples: str) -> Array:
    square = q.gram(_graph(w))
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
    return xp.minimum(kept, parts[1]) * _first_gap(w, samples, 0 * w.mu)


@claim(
    "theorem4.2",
    readings=("step", "scale if same-step", "samples"),
    family=_family,
    try_first=_three_in_a_row,
    note=lambda r: _SAME_STEP if "same-step" in r else _SOME_STEP,
)
def printed(w: World, r: Reading) -> Sides:
    left = _run(w, r) if r.step == "same-step" else _any_step(w, r.samples)
    return {"E F": left}, {"precision": w.precision}


def _start_gap(w: World) -> Array:
    return w.mu * w.offset**2 / 2


@once
def _step(w: World) -> Array:
    return rates.all_smooth_precision_step(
        w.mu, w.mu, w.variance, w.N, _mass(w), w.precision, *_spectrum(w)
    )


@hypothesis("K at least the number", r"K\ge\tfrac1{\eta\mu\omega}\ln\tfrac{4F^0}\varepsilon")
def enough(w: World) -> Array:
    low, _ = _spectrum(w)
    return w.rounds - rates.all_smooth_rounds(_start_gap(w), w.mu, _step(w), w.precision, low)


@claim("theorem4.2.repaired", family=_STARTED, given=[enough])
def repaired(w: World) -> Sides:
    """Contraction and noise at most eps/4 each, bias at most eps/2 (0 here).

    Proof. In the bound of theorem3b.repaired (1 - eta mu omega)^K F^0 <= exp(-eta mu omega K) F^0
    <= eps/4 for K rounds as stated; the noise term eta L Omega sigma^2 S/(2 mu omega N) is at most
    eps/4 by the choice of eta, with S = sum lambda_ij^2 = sum 1/N_i; and every b_ij with a weight
    is at most eps/2."""
    left = _error(w, _step(w), _start_gap(w), w.rounds)
    return {"E F": left}, {"precision": w.precision}
