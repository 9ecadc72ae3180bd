"""Appendix E.4: all-for-all without strong convexity."""

from __future__ import annotations

from collections.abc import Callable

from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Terms
from verify.statements.allforall.all_convex import (
    Array,
    claim,
)
from verify.statements.allforall.common import (
    CURVATURE,
    NOISE,
    PRECISION,
    numbers,
    one,
)
from verify.world.world import World

FLAT = numbers(
    {"curvature": Real(0, 1), "smoothness": CURVATURE, "variance": NOISE,
     "offset": Real(0, 1), "distance": Real(1 / 8, 8, unit=(0, 1), log=True), "bias": Real(0, 1, per=("N",))},
    *({"N": n, "rounds": k} for n, k in ((1, 1), (1, 64), (2, 2), (2, 16))),
    about="mean of quadratics, Lambda = 1/N, minimisers on both sides",
)  # fmt: skip


def _flat(w: World) -> tuple[Array, Array]:
    """Curvature h and half the distance of the two minimisers (0 for one agent)."""
    spread = w.distance * (w.bias[..., 0] if w.N > 1 else 0 * w.distance)
    return w.curvature * w.smoothness, spread


def _flat_bias(w: World) -> Array:
    """sum lambda_ij b_ij for N = 2: 2 (1/2) h (2 s)^2/2."""
    curvature, spread = _flat(w)
    return 2 * curvature * spread**2


def _flat_path(w: World, step: Array) -> list[Array]:
    """E F^k: the common model has error x, noise variance sigma^2/N; F = h (x^2 + s^2)/2."""
    curvature, spread = _flat(w)
    square = (w.distance * w.offset) ** 2
    path = [square]
    factor = (1 - step * curvature) ** 2
    for _ in range(w.rounds):
        path.append(factor * path[-1] + step**2 * w.variance / w.N)
    return [curvature * (x + spread**2) / 2 for x in path]


def _theorem8(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Printed: last iterate, bias under the root (and so in other units). Started at the
        minimum of the mean, F stays at the bias.

        Proof of the repaired form, mean over the rounds.  f^Lambda is L high/N-smooth with noise
        sigma^2 S/N^2, Algorithm 1 moves y by the step gamma = N eta <= N/(2 L high), and
        |y^0 - y^Lambda|^2 <= N D^2. Lemma 5.a: N D^2/(gamma K) + gamma sigma^2 S/N^2 = D^2/(eta K)
        + eta sigma^2 S/N. With eta = min(1/(2 L high), sqrt(N D^2/(K sigma^2 S))) the first term
        is at most 2 L high D^2/K + D sigma sqrt(S/(K N)), the second at most the last of these.
        Lemma 3 adds the bias.
        """
        mass = one(w.variance)
        args = (w.smoothness, w.variance, w.distance**2, w.N, mass)
        if printed:
            step = rates.no_curvature_step_printed(*args) / w.N
            right = rates.no_curvature_printed(*args, w.rounds, _flat_bias(w))
            return {"E F^K": _flat_path(w, step)[-1]}, right
        step = rates.no_curvature_step(*args, w.rounds, mass)
        path = _flat_path(w, step)[:-1]
        left = sum(path[1:], start=path[0]) / w.rounds
        return {"mean F": left}, rates.no_curvature_upper(*args, w.rounds, mass, _flat_bias(w) / w.N)

    return sides


FLAT_TARGET = numbers({**FLAT.box, "precision": PRECISION}, {"N": 1, "rounds": 64}, {"N": 1, "rounds": 256},
                      about="one agent, additive noise")  # fmt: skip


def _samples8(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """The printed step does not fall with K, so neither does the noise at the end.

        Proof of the repaired form.  With K = T/N rounds 2 L high D^2/K <= eps/4 and
        2 D sigma sqrt(S/(K N)) = 2 D sigma sqrt(S/T) <= eps/4; the bias is at most eps/2.
        """
        mass = one(w.variance)
        args = (w.smoothness, w.variance, w.distance**2, w.N, mass)
        if printed:
            return {"E F^K": _flat_path(w, rates.no_curvature_step_printed(*args) / w.N)[-1]}, {
                "precision": w.precision
            }
        path = _flat_path(w, rates.no_curvature_step(*args, w.rounds, mass))[:-1]
        return {"mean F": sum(path[1:], start=path[0]) / w.rounds}, {"precision": w.precision}

    return sides


def _rounds8(printed: bool) -> Callable[[World], Terms]:
    def given(w: World) -> Terms:
        """Printed: max(8 D^2 sigma^2/eps^2, 4 L D^2/eps); repaired: 64 and 8 for 8 and 4."""
        noise, start = (8, 4) if printed else (64, 8)
        size = noise * w.distance**2 * w.variance / w.precision**2
        asked = xp.maximum(size, start * w.smoothness * w.distance**2 / w.precision)
        return {"K at least the number": w.rounds - asked}

    return given


STATEMENTS = (
    claim("theorem8/rate", "Theorem 8", r"\mathbb E F^K\le\tfrac{2LD^2}K+\sqrt{\tfrac{2D^2\sigma^2}{KN}\sum_{ij}\lambda_{ij}^2+\sum_{ij}\lambda_{ij}b_{ij}}",
           family=FLAT, over="mean", sides=_theorem8(True)),
    claim("theorem8/samples", "Theorem 8", r"T_\varepsilon\le\max\bigl(\tfrac{8D^2\sigma^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i},\tfrac{4NLD^2}\varepsilon\bigr)",
           family=FLAT_TARGET, over="mean", sides=_samples8(True), given=_rounds8(True)),
    claim("theorem8.repaired/rate", "Theorem 8", r"\mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\tfrac{2L\Omega D^2}K+2D\sigma\sqrt{\tfrac{\sum\lambda_{ij}^2}{KN}}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
           family=FLAT, over="mean", sides=_theorem8(False), form="repaired"),
    claim("theorem8.repaired/samples", "Theorem 8", r"T_\varepsilon\le\max\bigl(\tfrac{64D^2\sigma^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i},\tfrac{8NL\Omega D^2}\varepsilon\bigr)",
           family=FLAT_TARGET, over="mean", sides=_samples8(False), given=_rounds8(False), form="repaired"),
)  # fmt: skip
