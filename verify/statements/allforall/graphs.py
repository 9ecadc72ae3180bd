"""Theorem 4.2 on graphs of closeness: W = Lambda Lambda^T has small eigenvalues."""

from __future__ import annotations

from collections.abc import Callable

from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.all_convex import Array, claim
from verify.statements.allforall.common import (
    CURVATURE,
    NOISE,
    PRECISION,
    gram,
    mixing,
    numbers,
    one,
)
from verify.world.world import World

_GRAPHS = {
    "alone": ((1,),),
    "both": ((1, 1), (1, 1)),
    "one-way": ((1, 0), (1, 1)),
    "path": ((1, 1, 0), (1, 1, 1), (0, 1, 1)),
}
_GRAPH_BOX = {"mu": CURVATURE, "offset": Real(1 / 8, 4, unit=(0, 1), log=True),
              "precision": PRECISION, "variance": NOISE}  # fmt: skip
_GRAPH_SHAPES = tuple(
    {"graph": g, "N": len(rows), "rounds": k} for g, rows in _GRAPHS.items() for k in (4, 16)
)
GRAPHS = numbers(_GRAPH_BOX, *_GRAPH_SHAPES,
                 about="equal quadratics; b_ij = 0 along a graph, large elsewhere")  # fmt: skip


def _graph(w: World) -> Array:
    """Lambda = indicator of closeness over its row sums, as lambda_ij of Theorem 4."""
    rows = [xp.stack([one(w.mu) * entry for entry in row], -1) for row in _GRAPHS[w.graph]]
    return mixing(xp.stack(rows, -2))


def _graph_mass(w: World) -> Array:
    return xp.total(xp.total(_graph(w) ** 2))


def _graph_gap(w: World) -> Array:
    return w.mu * w.offset**2 / 2


def _graph_final(w: World, step: Array) -> Array:
    from synthetic.exact_runs import all_for_all_moments, mean_excess

    lam = _graph(w)
    ones = xp.stack([one(w.mu)] * w.N, -1)
    error, curvature = w.offset[..., None] * ones, w.mu[..., None] * ones
    noise = w.variance[..., None] * ones
    path = all_for_all_moments(gram(lam), curvature, error, noise, step, w.rounds)
    return mean_excess(path[-1], curvature)


def _step42(w: World, reading: str) -> Array:
    """Step of Theorem 3.b, or of Lemma 4's third display for f^Lambda in the models' scale."""
    if reading == "horizon":
        return rates.all_smooth_step(
            _graph_gap(w), w.mu, w.mu, w.variance, w.N, _graph_mass(w), w.rounds
        )
    size = w.mu * w.precision * w.N / (2 * w.mu * w.variance * _graph_mass(w))
    return xp.minimum(size, 1 / (2 * w.mu))


def _theorem42(reading: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Bias 0. On one-way and path graphs W has a small eigenvalue that the start excites, so
        that the mean gap falls slower than exp(-K/(2 kappa))."""
        return {"E F": _graph_final(w, _step42(w, reading))}, {"precision": w.precision}

    return sides


def _rounds42(w: World) -> Terms:
    asked = rates.all_smooth_samples_printed(
        _graph_gap(w), w.mu, w.mu, w.variance, w.N, _graph_mass(w), w.precision
    )
    return {
        "T at least the bound": w.N * w.rounds - asked,
        "T below the next": asked + w.N - w.N * w.rounds,
        "step positive": _step42(w, "horizon"),
    }


FAR = numbers(
    {**_GRAPH_BOX, "precision": Real(2.0**-20, 4, unit=(1, 0), log=True),
     "variance": Real(2.0**-32, 1 / 64, unit=(2, -2), log=True)},
    *({"graph": "path", "N": 3, "rounds": k} for k in (24, 32)), about=GRAPHS.about,
)  # fmt: skip


def _any_step(w: World) -> tuple[Terms, Terms]:
    """Lower bound of E F^K over all constant steps, noise left out, on the path.

    In the even plane W has the eigenvalues low and high. A step beyond 2/(mu high) lets the part of
    the start along the second grow; any shorter one leaves (1 - 2 low/high)^(2 K) of the first.
    """
    square = gram(_graph(w))
    outer = square[..., 0, 0] + square[..., 0, 2]
    across = 2 * square[..., 0, 1] ** 2  # squared entry between (e_1 + e_3)/sqrt 2 and e_2
    low, high = _graph_spectrum(w)
    # the eigenvector of an eigenvalue v is (across^(1/2), v - outer); the start is (sqrt 2, 1)
    parts = []
    for value in (low, high):
        entry = value - outer
        overlap = (xp.sqrt(2 * across) + entry) ** 2
        parts.append(overlap / (across + entry**2) / 3)
    kept = (1 - 2 * low / high) ** (2 * w.rounds) * parts[0]
    return {"E F": xp.minimum(kept, parts[1]) * _graph_gap(w)}, {"precision": w.precision}


def _graph_spectrum(w: World) -> tuple[Array, Array]:
    """Smallest non-zero and largest eigenvalue of W, by graph."""
    if w.graph == "both":
        return one(w.mu), one(w.mu)
    square = gram(_graph(w))
    if w.graph == "path":
        # the swap of the ends splits R^3 into an odd line and an even plane
        odd = square[..., 0, 0] - square[..., 0, 2]
        first, last = square[..., 0, 0] + square[..., 0, 2], square[..., 1, 1]
        root = xp.sqrt((first - last) ** 2 + 8 * square[..., 0, 1] ** 2)
        return xp.minimum(odd, (first + last - root) / 2), (first + last + root) / 2
    return xp.smallest_eigenvalue(square), xp.largest_eigenvalue(square)


def _repaired_step42(w: World) -> Array:
    low, high = _graph_spectrum(w)
    return rates.all_smooth_precision_step(
        w.mu, w.mu, w.variance, w.N, _graph_mass(w), w.precision, low, high
    )


def _repaired42(w: World) -> tuple[Terms, Terms]:
    """Contraction and noise at most eps/4 each, bias at most eps/2 (0 here).

    Proof.  In the bound of theorem3b.repaired (1 - eta mu omega)^K F^0 <= exp(-eta mu omega K) F^0
    <= eps/4 for K rounds as stated; the noise term eta L Omega sigma^2 S/(2 mu omega N) is at most
    eps/4 by the choice of eta, with S = sum lambda_ij^2 = sum 1/N_i; and every b_ij with a weight
    is at most eps/2.
    """
    return {"E F": _graph_final(w, _repaired_step42(w))}, {"precision": w.precision}


def _repaired_rounds42(w: World) -> Terms:
    low, _ = _graph_spectrum(w)
    asked = rates.all_smooth_rounds(_graph_gap(w), w.mu, _repaired_step42(w), w.precision, low)
    return {"K at least the number": w.rounds - asked}


_42 = r"T_\varepsilon\le2\max\Bigl(\frac{\kappa\sigma^2}{\varepsilon\mu}\sum_i\frac1{\mathcal N_i^\varepsilon(2b)},N\kappa\Bigr)\ln(\varepsilon^{-1}F^0)"
STATEMENTS = (
    *(claim(f"theorem4.2@{r}", "Theorem 4.2", _42, family=GRAPHS, over="mean", sides=_theorem42(r), given=_rounds42)
      for r in ("horizon", "precision")),
    claim("theorem4.2@any-step", "Theorem 4.2", _42, family=FAR, over="mean", sides=_any_step, given=_rounds42),
    claim("theorem4.2.repaired", "Theorem 4.2",
           r"T=\tfrac N{\eta\mu\omega}\ln\tfrac{4F^0}\varepsilon,\ \eta=\tfrac1{L\Omega}\wedge\tfrac{\mu\omega N\varepsilon}{2L\Omega\sigma^2\sum_i1/\mathcal N_i^\varepsilon(2b)}",
           family=GRAPHS, over="mean", sides=_repaired42, given=_repaired_rounds42, form="repaired"),
)  # fmt: skip
