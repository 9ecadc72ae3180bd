"""Section 5 and Appendix E: all-for-all under Setting 2, Theorems 3.b and 8 (mu = 0)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from bounds import generic as xp
from bounds.allforall import rates
from synthetic.exact.runs import all_for_all_moments, mean_excess
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.allforall import box
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

SMOOTH = replace(
    numbers(
        {
            "rows": box.ROWS,
            "mu": box.CURVATURE,
            "condition": box.CONDITIONS,
            "centre": box.LENGTHS,
            "start": box.LENGTH,
            "variance": box.NOISE,
            "step_share": Real(1 / 16, 1, domain=(0, 1)),
        },
        {"N": 1, "rounds": 2},
        {"N": 2, "rounds": 2},
        {"N": 2, "rounds": 16},
        about="quadratics with additive noise, any Lambda, exact moments",
    ),
    grow=("rounds",),
)
"""Of many agents the eigenvalues of W are no closed forms."""


def curvatures(w: World) -> Array:
    return w.mu[..., None] * w.condition


def smoothness(w: World) -> Array:
    return xp.largest(curvatures(w))


def bias(w: World) -> Array:
    """(1/N) sum lambda_ij f_i(x_j^*)."""
    apart = w.centre[..., :, None] - w.centre[..., None, :]
    pairs = curvatures(w)[..., :, None] * apart**2 / 2
    return xp.total(xp.total(mixing(w.rows) * pairs)) / w.N


def final(w: World, step: Array, variance: Array, rounds: int) -> Array:
    """E F after these rounds of Algorithm 1."""
    error = w.start[..., None] - w.centre
    noise = variance[..., None] + 0 * error
    path = all_for_all_moments(gram(mixing(w.rows)), curvatures(w), error, noise, step, rounds)
    return mean_excess(path[-1], curvatures(w))


@once
def spectrum(w: World) -> tuple[Array, Array]:
    """Smallest and largest eigenvalue of W."""
    square = gram(mixing(w.rows))
    return xp.smallest_eigenvalue(square), xp.largest_eigenvalue(square)


def _start_gap(w: World) -> Array:
    return xp.mean(curvatures(w) * (w.start[..., None] - w.centre) ** 2) / 2


SCALES = ("algorithm-step", "appendix-step")
_RATE = r"\mathbb E F^K\le F^0e^{-\frac\kappa{2L}}+%s\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}"
_NOISE = r"\tilde O\bigl(\tfrac{L\sigma^2}{K\mu^2N}\sum_{ij}\lambda_{ij}^2\bigr)+"


def own_step(step: Array, agents: int, scale: str) -> Array:
    """Step of Algorithm 1 that a printed step means."""
    return step / agents if scale == "appendix-step" else step


def _noiseless(w: World, scale: str) -> Sides:
    gap, smooth = _start_gap(w), smoothness(w)
    left = final(w, own_step(1 / (2 * smooth), w.N, scale), 0 * w.variance, w.rounds)
    rate = rates.all_smooth_printed_rate(gap, w.mu, smooth)
    return {"F": left}, {"contraction": rate, "bias": bias(w)}


noiseless = tuple(
    statement(
        f"allforall.theorem3b/noiseless@{scale}",
        where="Theorem 3.b",
        title=TITLE,
        over="mean",
        latex=r"\sigma\to0:\ " + _RATE % "",
        family=SMOOTH,
        note="""As the noise vanishes, so does the O~ whatever its constant, and the step is
        1/(2L). The printed exponent kappa/(2L) has units and no K; one agent contracts by 1/4 a
        round. With K/(2 kappa), as Lemma 4 would give it, it still leaves out the eigenvalues of
        W.""",
    )(partial(_noiseless, scale=scale))
    for scale in SCALES
)


def _printed_step(w: World) -> Array:
    return rates.all_smooth_step(
        _start_gap(w),
        w.mu,
        smoothness(w),
        w.variance,
        w.N,
        xp.total(mass(mixing(w.rows))),
        w.rounds,
    )


def _up_to_constants(w: World, scale: str) -> Sides:
    smooth, square_sum = smoothness(w), xp.total(mass(mixing(w.rows)))
    left = final(w, own_step(_printed_step(w), w.N, scale), w.variance, w.rounds)
    noise = smooth * w.variance * square_sum / (w.rounds * w.mu**2 * w.N)
    rate = rates.all_smooth_printed_rate(_start_gap(w), w.mu, smooth)
    return {"E F": left}, {"contraction": rate, "noise": noise, "bias": bias(w)}


noise = tuple(
    statement(
        f"allforall.theorem3b/noise@{scale}",
        where="Theorem 3.b",
        title=TITLE,
        over="mean",
        relation="<~",
        latex=_RATE % _NOISE,
        family=SMOOTH,
        given=[Hypothesis("step positive", r"\eta>0", _printed_step, "Theorem 3", strict=True)],
        note="""A change of the unit of length or loss makes the printed contraction as small as one
        likes, and the step of one agent leaves a share of the start.""",
    )(partial(_up_to_constants, scale=scale))
    for scale in SCALES
)


def _horizon_arguments(w: World) -> dict[str, Any]:
    low, high = spectrum(w)
    return {
        "gap": _start_gap(w),
        "mu": w.mu,
        "smoothness": smoothness(w),
        "variance": w.variance,
        "agents": w.N,
        "mass": xp.total(mass(mixing(w.rows))),
        "rounds": w.rounds,
        "low": low,
        "high": high,
    }


_step = once(lambda w: rates.all_smooth_horizon_step(**_horizon_arguments(w)))
full_rank = Hypothesis(
    "Lambda invertible", r"\det\Lambda\ne0", lambda w: spectrum(w)[0], strict=True
)


@statement(
    "allforall.theorem3b.repaired/horizon",
    where="Theorem 3.b",
    title=TITLE,
    over="mean",
    family=SMOOTH,
    latex=r"\mathbb E F^K\le F^0e^{-\frac{K\omega}{\kappa\Omega}}+\tfrac{L\Omega\sigma^2}{2K\mu^2\omega^2N}\sum_{ij}\lambda_{ij}^2(1+\ln X)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ X=\tfrac{2N\mu^2\omega^2KF^0}{L\Omega\sigma^2\sum\lambda_{ij}^2}",
    given=[full_rank, Hypothesis("step positive", r"X>1", _step, strict=True)],
    note="""The repaired bound at its own horizon step eta = min(1/(L Omega), ln X/(mu omega K)).""",
    proof="""In the part any-step the contraction is at most exp(-eta mu omega K) F. The logarithmic
    step makes it F/X and the noise ln X F/X; where 1/(L Omega) is smaller, it is exp(-K omega/
    (kappa Omega)) F and the noise below ln X F/X.""",
)
def at_the_horizon(w: World) -> Sides:
    args = _horizon_arguments(w)
    left = final(w, _step(w), w.variance, w.rounds)
    return {"E F": left}, rates.all_smooth_horizon_upper(**args, bias=bias(w))


@at_the_horizon.like(
    "allforall.theorem3b.repaired/any-step",
    given=[full_rank],
    latex=r"\mathbb E F^K\le(1-\eta\mu\omega)^KF^0+\tfrac{\eta L\Omega\sigma^2}{2\mu\omega N}\sum_{ij}\lambda_{ij}^2+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ \omega=\lambda_{\min}^+(W),\ \Omega=\lambda_{\max}(W)",
    uses=("allforall.lemma4a.repaired", "allforall.lemma3"),
    note="Any step eta = share/(L high).",
    proof="""f^Lambda is L/N-smooth and mu/N-strongly convex relative to Lambda^T Lambda, whose
    non-zero eigenvalues are those of W; Lemma 4.a (repaired) with noise sigma^2 S/N^2 and step
    N eta, F^0 at least the gap of f^Lambda, and Lemma 3 for the bias.""",
)
def any_step(w: World) -> Sides:
    low, high = spectrum(w)
    step = w.step_share / (smoothness(w) * high)
    return {"E F": final(w, step, w.variance, w.rounds)}, rates.all_smooth_upper(
        _start_gap(w),
        w.mu,
        smoothness(w),
        w.variance,
        w.N,
        xp.total(mass(mixing(w.rows))),
        w.rounds,
        step,
        low,
        high,
        bias(w),
    )


_Sizes = tuple[Array, Array, Array, Array, Array]
FLAT = replace(
    numbers(
        {
            "curvature": box.SHARE,
            "smoothness": box.CURVATURE,
            "variance": box.NOISE,
            "offset": box.SHARE,
            "distance": box.DISTANCE,
            "bias": box.SHARES,
        },
        *({"N": n, "rounds": k} for n, k in ((1, 1), (1, 64), (2, 2), (2, 16))),
        about="mean of quadratics, Lambda = 1/N, minimisers on both sides",
    ),
    grow=("rounds",),
)


def _flat(w: World) -> tuple[Array, Array]:
    """Curvature h and half the distance of the two minimisers (0 for one agent)."""
    spread = w.distance * (w.bias[..., 0] if w.N > 1 else 0 * w.distance)
    return w.curvature * w.smoothness, spread


def _path(w: World, step: Array, variance: Array, curvature: Array) -> list[Array]:
    """E x^2 of the common model's error x, k = 0..K; its noise has variance sigma^2/N."""
    path, factor = [(w.distance * w.offset) ** 2], (1 - step * curvature) ** 2
    for _ in range(w.rounds):
        path.append(factor * path[-1] + step**2 * variance / w.N)
    return path


def _constants(w: World) -> _Sizes:
    """L, sigma^2, D^2, N, sum lambda^2."""
    return w.smoothness, w.variance, w.distance**2, w.N, xp.ones_like(w.variance)


def _theorem8(w: World, scale: str) -> Sides:
    (curvature, spread), args = _flat(w), _constants(w)
    step = own_step(rates.no_curvature_step_printed(*args), w.N, scale)
    left = curvature * (_path(w, step, w.variance, curvature)[-1] + spread**2) / 2
    pairs = 2 * curvature * spread**2  # sum lambda_ij b_ij for N = 2: 2 (1/2) h (2 s)^2/2
    return {"E F^K": left}, rates.no_curvature_printed(*args, w.rounds, pairs)


theorem8 = tuple(
    statement(
        f"allforall.theorem8/rate@{scale}",
        where="Theorem 8",
        title=TITLE,
        over="mean",
        latex=r"\mathbb E F^K\le\tfrac{2LD^2}K+\sqrt{\tfrac{2D^2\sigma^2}{KN}\sum_{ij}\lambda_{ij}^2+\sum_{ij}\lambda_{ij}b_{ij}}",
        family=FLAT,
        note="""Printed: last iterate, bias under the root (and so in other units), a step that does
        not fall with K. F = h (x^2 + s^2)/2 for the common model x. Started at the minimum of the
        mean, F stays at the bias.""",
    )(partial(_theorem8, scale=scale))
    for scale in SCALES
)


def _mean_path(w: World, curvature: Array, spread: Array) -> Array:
    """Mean over the rounds with the step of the repaired form."""
    step = rates.no_curvature_step(*_constants(w), w.rounds, xp.ones_like(w.variance))
    path = _path(w, step, w.variance, curvature)
    mean = sum(path[1:-1], start=path[0]) / w.rounds
    return curvature * (mean + spread**2) / 2


@theorem8[0].like(
    "allforall.theorem8.repaired/rate",
    note="Mean over the rounds, the bias outside the root, a step that falls with K.",
    proof="""f^Lambda is L high/N-smooth with noise sigma^2 S/N^2, Algorithm 1 moves y by the step
    gamma = N eta <= N/(2 L high), and |y^0 - y^Lambda|^2 <= N D^2. Lemma 5.a: N D^2/(gamma K) +
    gamma sigma^2 S/N^2 = D^2/(eta K) + eta sigma^2 S/N. With eta = min(1/(2 L high), sqrt(N D^2/(K
    sigma^2 S))) the first term is at most 2 L high D^2/K + D sigma sqrt(S/(K N)), the second at
    most the last of these. Lemma 3 adds the bias.""",
    latex=r"\eta=\tfrac1{2L\Omega}\wedge\tfrac{\sqrt ND}{\sigma\sqrt{K\sum\lambda_{ij}^2}}:\ \mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\tfrac{2L\Omega D^2}K+2D\sigma\sqrt{\tfrac{\sum\lambda_{ij}^2}{KN}}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}",
)
def theorem8_repaired(w: World) -> Sides:
    (curvature, spread), args = _flat(w), _constants(w)
    pairs = 2 * curvature * spread**2
    return {"mean F": _mean_path(w, curvature, spread)}, rates.no_curvature_upper(
        *args, w.rounds, args[-1], pairs / w.N
    )


_SAMPLES8 = {
    "curvature": box.SHARE,
    "offset": box.SHARE,
    "distance": box.DISTANCE,
    "precision": box.PRECISION,
    "part": box.SHARE,
    "fraction": box.FRACTION,
}
_T8 = r"T_\varepsilon\le\max\bigl(\tfrac{%dD^2\sigma^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)},\tfrac{%dNL%sD^2}\varepsilon\bigr)"


def _sized(w: World, option: str, noise: int, start: int) -> tuple[Array, Array]:
    """sigma^2 and L, such that the larger of the two numbers is the one of the option."""
    samples = number(w, option) * xp.ones_like(w.part)
    first, second = (samples, w.part * samples)[:: 1 if w.larger == "noise" else -1]
    variance = first * w.precision**2 / (noise * w.distance**2)
    return variance, second * w.precision / (start * w.distance**2)


def _samples8(w: World, option: str) -> Sides:
    """Least gap of the last iterate among the horizons: the step is the same for all."""
    variance, smooth = _sized(w, option, 8, 4)
    args = (smooth, variance, w.distance**2, w.N, xp.ones_like(variance))
    curvature = w.curvature * smooth
    path = _path(w, rates.no_curvature_step_printed(*args), variance, curvature)
    run = horizons(w, option)
    least = xp.smallest(xp.stack(path[run.start : run.stop], -1))
    return {"E F^K": curvature * least / 2}, {"precision": w.precision}


samples8 = tuple(
    statement(
        f"allforall.theorem8/samples@{option}",
        where="Theorem 8",
        title=TITLE,
        over="mean",
        latex=_T8 % (8, 4, ""),
        family=numbers(
            _SAMPLES8,
            *({"N": 1, "rounds": k, "larger": m} for k in (4, 64, 256) for m in ("noise", "start")),
            about="one agent, additive noise",
        ),
        note="The printed step does not fall with K, so neither does the noise at the end.",
    )(partial(_samples8, option=option))
    for option in SAMPLES
)


@samples8[1].like(
    "allforall.theorem8.repaired/samples",
    latex=_T8 % (64, 8, r"\Omega "),
    note="The step of the repaired rate falls with K; mean over the rounds.",
    proof="""With K = T/N rounds 2 L high D^2/K <= eps/4 and 2 D sigma sqrt(S/(K N)) = 2 D sigma
    sqrt(S/T) <= eps/4; the bias is at most eps/2.""",
)
def samples8_repaired(w: World) -> Sides:
    variance, smooth = _sized(w, "rounded-up", 64, 8)
    one, curvature = xp.ones_like(variance), w.curvature * smooth
    step = rates.no_curvature_step(smooth, variance, w.distance**2, w.N, one, w.rounds, one)
    path = _path(w, step, variance, curvature)
    mean = sum(path[1:-1], start=path[0]) / w.rounds
    return {"mean F": curvature * mean / 2}, {"precision": w.precision}
