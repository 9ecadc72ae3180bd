"""Theorem 4.2 on graphs of closeness: W = Lambda Lambda^T has small eigenvalues."""

from __future__ import annotations

from functools import partial

from bounds import allforall_rates as rates
from bounds import generic as xp
from synthetic.exact_runs import all_for_all_moments, mean_excess
from verify.claim import Array, Hypothesis, Real, Sides, hypothesis, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.all_convex import TITLE
from verify.statements.allforall.common import gram, mass, mixing
from verify.world.world import World, once

_GRAPHS = {
    "alone": ((1,),),
    "both": ((1, 1), (1, 1)),
    "one-way": ((1, 0), (1, 1)),
    "path": ((1, 1, 0), (1, 1, 1), (0, 1, 1)),
}
_BOX = {"mu": box.CURVATURE, "offset": Real(1 / 8, 4, unit=(0, 1), log=True),
        "precision": box.PRECISION, "variance": box.NOISE}
_SIZES = tuple({"graph": g, "N": len(m), "rounds": k} for g, m in _GRAPHS.items() for k in (4, 16))
_ABOUT = "equal quadratics; b_ij = 0 along a graph, large elsewhere"


def _graph(w: World) -> Array:
    """Lambda = indicator of closeness over its row sums, as lambda_ij of Theorem 4."""
    rows = [xp.stack([xp.ones_like(w.mu) * entry for entry in row], -1) for row in _GRAPHS[w.graph]]
    return mixing(xp.stack(rows, -2))


def _start_gap(w: World) -> Array:
    return w.mu * w.offset**2 / 2


def _final(w: World, step: Array) -> Sides:
    ones = xp.stack([xp.ones_like(w.mu)] * w.N, -1)
    error, curvature = w.offset[..., None] * ones, w.mu[..., None] * ones
    noise = w.variance[..., None] * ones
    path = all_for_all_moments(gram(_graph(w)), curvature, error, noise, step, w.rounds)
    return {"E F": mean_excess(path[-1], curvature)}, {"precision": w.precision}


@once
def _horizon_step(w: World) -> Array:
    return rates.all_smooth_step(
        _start_gap(w), w.mu, w.mu, w.variance, w.N, xp.total(mass(_graph(w))), w.rounds
    )


@once
def _asked(w: World) -> Array:
    return rates.all_smooth_samples_printed(
        _start_gap(w), w.mu, w.mu, w.variance, w.N, xp.total(mass(_graph(w))), w.precision
    )


def _printed(w: World, reading: str) -> Sides:
    if reading == "horizon":
        return _final(w, _horizon_step(w))
    size = w.mu * w.precision * w.N / (2 * w.mu * w.variance * xp.total(mass(_graph(w))))
    return _final(w, xp.minimum(size, 1 / (2 * w.mu)))


_TWICE = r"2\max\Bigl(\frac{\kappa\sigma^2}{\varepsilon\mu}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)},N\kappa\Bigr)\ln(\varepsilon^{-1}F^0)"
printed = tuple(
    statement(
        f"allforall.theorem4.2@{reading}", where="Theorem 4.2", title=TITLE, over="mean",
        latex=rf"T_\varepsilon\le{_TWICE}",
        family=numbers(_BOX, *_SIZES, about=_ABOUT),
        given=[
            Hypothesis("T at least the bound", rf"NK\ge{_TWICE}",
                       lambda w: w.N * w.rounds - _asked(w), "Theorem 4.2"),
            Hypothesis("T below the next", rf"N(K-1)\le{_TWICE}",
                       lambda w: _asked(w) + w.N - w.N * w.rounds),
            # of the step of Theorem 3.b in all readings
            Hypothesis("step positive", r"NF^0\mu^2K\ge L\sigma^2\sum_{ij}\lambda_{ij}^2", _horizon_step),
        ],
        note="""Step of Theorem 3.b (horizon), or of Lemma 4's third display for f^Lambda in the
        models' scale (precision). Bias 0. On one-way and path graphs W has a small eigenvalue that
        the start excites, so that the mean gap falls slower than exp(-K/(2 kappa)).""",
    )(partial(_printed, reading=reading)) for reading in ("horizon", "precision")
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


@printed[0].like(
    "allforall.theorem4.2@any-step", latex=printed[0].latex,
    family=numbers({**_BOX, "precision": Real(2.0**-20, 4, unit=(1, 0), log=True),
                    "variance": Real(2.0**-32, 1 / 64, unit=(2, -2), log=True)},
                   *({"graph": "path", "N": 3, "rounds": k} for k in (24, 32)), about=_ABOUT),
    note="""Lower bound of E F^K over all constant steps, noise left out, on the path. In the even
    plane W has the eigenvalues low and high. A step beyond 2/(mu high) lets the part of the start
    along the second grow; any shorter one leaves (1 - 2 low/high)^(2 K) of the first.""",
)
def any_step(w: World) -> Sides:
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
    return {"E F": xp.minimum(kept, parts[1]) * _start_gap(w)}, {"precision": w.precision}


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
    latex=r"T=\tfrac N{\eta\mu\omega}\ln\tfrac{4F^0}\varepsilon,\ \eta=\tfrac1{L\Omega}\wedge\tfrac{\mu\omega N\varepsilon}{2L\Omega\sigma^2\sum_i1/\mathcal N_i^\varepsilon(2b)}",
    given=[enough],
    note="Contraction and noise at most eps/4 each, bias at most eps/2 (0 here).",
    proof="""In the bound of theorem3b.repaired (1 - eta mu omega)^K F^0 <= exp(-eta mu omega K) F^0
    <= eps/4 for K rounds as stated; the noise term eta L Omega sigma^2 S/(2 mu omega N) is at most
    eps/4 by the choice of eta, with S = sum lambda_ij^2 = sum 1/N_i; and every b_ij with a weight
    is at most eps/2.""",
)
def repaired(w: World) -> Sides:
    return _final(w, _step(w))
