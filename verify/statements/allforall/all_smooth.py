"""Section 5 and Appendix E: all-for-all under Setting 2, Theorems 3.b and 8 (mu = 0)."""

from __future__ import annotations

from functools import partial
from typing import Any

from bounds import allforall_rates as rates
from bounds import generic as xp
from synthetic.exact_runs import all_for_all_moments, mean_excess
from verify.claim import Array, Hypothesis, Real, Sides, numbers, open_claim, statement
from verify.statements.allforall import box
from verify.statements.allforall.all_convex import TITLE
from verify.statements.allforall.common import HIDDEN, gram, mass, mixing
from verify.world.world import World, once

SMOOTH = numbers({"rows": box.ROWS, "mu": box.CURVATURE, "condition": box.CONDITIONS,
                  "centre": box.LENGTHS, "start": box.LENGTH, "variance": box.NOISE,
                  "step_share": Real(1 / 16, 1)}, {"N": 1, "rounds": 2}, {"N": 2, "rounds": 2},
                 {"N": 2, "rounds": 16},
                 about="quadratics with additive noise, any Lambda, exact moments")


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


def _noiseless(w: World, reading: str) -> Sides:
    gap, smooth = _start_gap(w), smoothness(w)
    left = final(w, 1 / (2 * smooth), 0 * w.variance, w.rounds)
    if reading == "printed":
        rate = rates.all_smooth_printed_rate(gap, w.mu, smooth)
    else:
        rate = gap * xp.exp(-w.rounds * w.mu / (2 * smooth))
    return {"F": left}, {"contraction": rate, "bias": bias(w)}


noiseless = tuple(
    statement(
        f"allforall.theorem3b/noiseless@{reading}", where="Theorem 3.b", title=TITLE, over="mean",
        latex=rf"\sigma\to0:\ F^K\le F^0e^{{-{power}}}+\tfrac1N\sum_{{ij}}\lambda_{{ij}}b_{{ij}}",
        family=SMOOTH,
        note="""Without noise the O~ vanishes and the step is 1/(2L), so the hidden constant plays
        no part. The printed exponent kappa/(2L) has units and no K; one agent contracts by 1/4 a
        round. Read as Lemma 4 would give it, K/(2 kappa), it still leaves out the eigenvalues of
        W.""",
    )(partial(_noiseless, reading=reading))
    for reading, power in (("printed", r"\frac\kappa{2L}"), ("lemma4", r"\frac K{2\kappa}"))
)
noise = open_claim(
    "allforall.theorem3b/noise", "theorem", "Theorem 3.b",
    r"\ldots+\tilde O\bigl(\tfrac{L\sigma^2}{K\mu^2N}\sum_{ij}\lambda_{ij}^2\bigr)", TITLE, HIDDEN)


def _horizon_arguments(w: World) -> dict[str, Any]:
    low, high = spectrum(w)
    return {
        "gap": _start_gap(w), "mu": w.mu, "smoothness": smoothness(w), "variance": w.variance,
        "agents": w.N, "mass": xp.total(mass(mixing(w.rows))), "rounds": w.rounds,
        "low": low, "high": high,
    }


_step = once(lambda w: rates.all_smooth_horizon_step(**_horizon_arguments(w)))
full_rank = Hypothesis(
    "Lambda invertible", r"\det\Lambda\ne0", lambda w: spectrum(w)[0], strict=True)


@statement(
    "allforall.theorem3b.explicit", where="Theorem 3.b", title=TITLE, over="mean", family=SMOOTH,
    latex=r"\mathbb E F^K\le F^0e^{-\frac{K\omega}{\kappa\Omega}}+\tfrac{L\Omega\sigma^2}{2K\mu^2\omega^2N}\sum_{ij}\lambda_{ij}^2(1+\ln X)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ X=\tfrac{2N\mu^2\omega^2KF^0}{L\Omega\sigma^2\sum\lambda_{ij}^2}",
    given=[full_rank, Hypothesis("step positive", r"X>1", _step, strict=True)],
    uses=("allforall.theorem3b.repaired",),
    note="""The repaired bound at its own horizon step. With X as in the formula the logarithmic
    step makes the contraction F/X and the noise ln X F/X; where 1/(L Omega) is smaller, the
    contraction is exp(-K omega/(kappa Omega)) F and the noise below ln X F/X.""",
)
def at_the_horizon(w: World) -> Sides:
    args = _horizon_arguments(w)
    left = final(w, _step(w), w.variance, w.rounds)
    return {"E F": left}, rates.all_smooth_horizon_upper(**args, bias=bias(w))


@at_the_horizon.like(
    "allforall.theorem3b.repaired", given=[full_rank],
    latex=r"\mathbb E F^K\le(1-\eta\mu\omega)^KF^0+\tfrac{\eta L\Omega\sigma^2}{2\mu\omega N}\sum_{ij}\lambda_{ij}^2+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ \omega=\lambda_{\min}^+(W),\ \Omega=\lambda_{\max}(W)",
    uses=("allforall.lemma4a.repaired", "allforall.lemma3"), note="Any step eta = share/(L high).",
    proof="""f^Lambda is L/N-smooth and mu/N-strongly convex relative to Lambda^T Lambda, whose
    non-zero eigenvalues are those of W; Lemma 4.a (repaired) with noise sigma^2 S/N^2 and step
    N eta, F^0 at least the gap of f^Lambda, and Lemma 3 for the bias.""",
)
def any_step(w: World) -> Sides:
    low, high = spectrum(w)
    step = w.step_share / (smoothness(w) * high)
    return {"E F": final(w, step, w.variance, w.rounds)}, rates.all_smooth_upper(
        _start_gap(w), w.mu, smoothness(w), w.variance, w.N, xp.total(mass(mixing(w.rows))),
        w.rounds, step, low, high, bias(w),
    )


_Sizes = tuple[Array, Array, Array, Array, Array]
FLAT = numbers({"curvature": Real(0, 1), "smoothness": box.CURVATURE, "variance": box.NOISE,
                "offset": Real(0, 1), "distance": box.DISTANCE, "bias": box.SHARES},
               *({"N": n, "rounds": k} for n, k in ((1, 1), (1, 64), (2, 2), (2, 16))),
               about="mean of quadratics, Lambda = 1/N, minimisers on both sides")


def _flat(w: World) -> tuple[Array, Array]:
    """Curvature h and half the distance of the two minimisers (0 for one agent)."""
    spread = w.distance * (w.bias[..., 0] if w.N > 1 else 0 * w.distance)
    return w.curvature * w.smoothness, spread


def _flat_left(w: World, printed: bool) -> tuple[dict[str, Array], _Sizes]:
    """The last iterate as printed, else the mean over the rounds; L, sigma^2, D^2, N, sum lambda^2.

    The common model has error x, noise variance sigma^2/N; F = h (x^2 + s^2)/2.
    """
    (curvature, spread), square_sum = _flat(w), xp.ones_like(w.variance)
    args = (w.smoothness, w.variance, w.distance**2, w.N, square_sum)
    if printed:
        step = rates.no_curvature_step_printed(*args) / w.N
    else:
        step = rates.no_curvature_step(*args, w.rounds, square_sum)
    path, factor = [(w.distance * w.offset) ** 2], (1 - step * curvature) ** 2
    for _ in range(w.rounds):
        path.append(factor * path[-1] + step**2 * w.variance / w.N)
    gaps = [curvature * (x + spread**2) / 2 for x in path]
    if printed:
        return {"E F^K": gaps[-1]}, args
    return {"mean F": sum(gaps[1:-1], start=gaps[0]) / w.rounds}, args


def _theorem8(w: World, printed: bool) -> Sides:
    left, args = _flat_left(w, printed)
    curvature, spread = _flat(w)
    pairs = 2 * curvature * spread**2  # sum lambda_ij b_ij for N = 2: 2 (1/2) h (2 s)^2/2
    if printed:
        return left, rates.no_curvature_printed(*args, w.rounds, pairs)
    return left, rates.no_curvature_upper(*args, w.rounds, args[-1], pairs / w.N)


theorem8 = statement(
    "allforall.theorem8/rate", where="Theorem 8", title=TITLE, over="mean", family=FLAT,
    latex=r"\mathbb E F^K\le\tfrac{2LD^2}K+\sqrt{\tfrac{2D^2\sigma^2}{KN}\sum_{ij}\lambda_{ij}^2+\sum_{ij}\lambda_{ij}b_{ij}}",
    note="""Printed: last iterate, bias under the root (and so in other units). Started at the
    minimum of the mean, F stays at the bias.""",
)(partial(_theorem8, printed=True))
theorem8_repaired = theorem8.variant(
    "allforall.theorem8.repaired/rate", sides=partial(_theorem8, printed=False),
    note="Mean over the rounds, the bias outside the root.",
    proof="""f^Lambda is L high/N-smooth with noise sigma^2 S/N^2, Algorithm 1 moves y by the step
    gamma = N eta <= N/(2 L high), and |y^0 - y^Lambda|^2 <= N D^2. Lemma 5.a: N D^2/(gamma K) +
    gamma sigma^2 S/N^2 = D^2/(eta K) + eta sigma^2 S/N. With eta = min(1/(2 L high), sqrt(N D^2/(K
    sigma^2 S))) the first term is at most 2 L high D^2/K + D sigma sqrt(S/(K N)), the second at
    most the last of these. Lemma 3 adds the bias.""",
    latex=r"\mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\tfrac{2L\Omega D^2}K+2D\sigma\sqrt{\tfrac{\sum\lambda_{ij}^2}{KN}}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}")


def _samples8(w: World, printed: bool) -> Sides:
    return _flat_left(w, printed)[0], {"precision": w.precision}


def _enough8(w: World, noise: int, start: int) -> Array:
    size = noise * w.distance**2 * w.variance / w.precision**2
    asked = xp.maximum(size, start * w.smoothness * w.distance**2 / w.precision)
    return w.rounds - asked


_T8 = r"T_\varepsilon\le\max\bigl(\tfrac{%dD^2\sigma^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)},\tfrac{%dNL%sD^2}\varepsilon\bigr)"
_K8 = r"NK\ge\max\bigl(\tfrac{%dD^2\sigma^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)},\tfrac{%dNL%sD^2}\varepsilon\bigr)"
samples8 = statement(
    "allforall.theorem8/samples", where="Theorem 8", title=TITLE, over="mean", latex=_T8 % (8, 4, ""),
    family=numbers({**FLAT.box, "precision": box.PRECISION}, {"N": 1, "rounds": 64},
                   {"N": 1, "rounds": 256}, about="one agent, additive noise"),
    given=[Hypothesis("K at least the number", _K8 % (8, 4, ""),
                      partial(_enough8, noise=8, start=4), "Theorem 8")],
    note="The printed step does not fall with K, so neither does the noise at the end.",
)(partial(_samples8, printed=True))
samples8_repaired = samples8.variant(
    "allforall.theorem8.repaired/samples", latex=_T8 % (64, 8, r"\Omega "),
    sides=partial(_samples8, printed=False), note="The step of the repaired rate falls with K.",
    proof="""With K = T/N rounds 2 L high D^2/K <= eps/4 and 2 D sigma sqrt(S/(K N)) = 2 D sigma
    sqrt(S/T) <= eps/4; the bias is at most eps/2.""",
    given=[Hypothesis("K at least the number", _K8 % (64, 8, r"\Omega "),
                      partial(_enough8, noise=64, start=8))])
