"""Section 5 and Appendix E: all-for-all under Setting 2, Theorems 3.b and 8 (mu = 0)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import generic as xp
from bounds.allforall import rates
from verify.claim import Array, Hypothesis, Reading, Sides, hypothesis
from verify.statements.allforall import measured
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World, once

claim = q.Claims(r"""
Theorem 3.b :: theorem :: all-for-all
    theorem3b/noiseless mean :: \sigma\to0:\ \mathbb E F^K\le F^0e^{-\frac\kappa{2L}}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}
    theorem3b/noise <~ mean :: \mathbb E F^K\le F^0e^{-\frac\kappa{2L}}+\tilde O\bigl(\tfrac{L\sigma^2}{K\mu^2N}\sum_{ij}\lambda_{ij}^2\bigr)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}
    theorem3b.repaired/horizon mean :: \mathbb E F^K\le F^0e^{-\frac{K\omega}{\kappa\Omega}}+\tfrac{L\Omega\sigma^2}{2K\mu^2\omega^2N}\sum_{ij}\lambda_{ij}^2(1+\ln X)+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ X=\tfrac{2N\mu^2\omega^2KF^0}{L\Omega\sigma^2\sum\lambda_{ij}^2}
    theorem3b.repaired/any-step mean :: \mathbb E F^K\le(1-\eta\mu\omega)^KF^0+\tfrac{\eta L\Omega\sigma^2}{2\mu\omega N}\sum_{ij}\lambda_{ij}^2+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij},\ \omega=\lambda_{\min}^+(W),\ \Omega=\lambda_{\max}(W)
Theorem 8 :: theorem :: all-for-all
    theorem8/rate mean :: \mathbb E F^K\le\tfrac{2LD^2}K+\sqrt{\tfrac{2D^2\sigma^2}{KN}\sum_{ij}\lambda_{ij}^2+\sum_{ij}\lambda_{ij}b_{ij}}
    theorem8.repaired/rate mean :: \eta=\tfrac1{2L\Omega}\wedge\tfrac{\sqrt ND}{\sigma\sqrt{K\sum\lambda_{ij}^2}}:\ \mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\tfrac{2L\Omega D^2}K+2D\sigma\sqrt{\tfrac{\sum\lambda_{ij}^2}{KN}}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}
    theorem8/samples mean :: T_\varepsilon\le\max\bigl(\tfrac{8D^2\sigma^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)},\tfrac{4NLD^2}\varepsilon\bigr)
    theorem8.repaired/samples mean :: T_\varepsilon\le\max\bigl(\tfrac{64D^2\sigma^2}{\varepsilon^2}\sum_i\tfrac1{\mathcal N_i^\varepsilon(2b)},\tfrac{8NL\Omega D^2}\varepsilon\bigr)
""")

SMOOTH = q.family(
    "rows mu condition centre start variance step_share",
    "quadratics with additive noise, any Lambda, exact moments",
    *q.sizes("N rounds", (1, 2), (2, 2), (2, 16)),
    grow=("rounds",),
    condition=q.CONDITIONS,
)
"""Of many agents the eigenvalues of W are no closed forms."""
_FLAT = q.family(
    "curvature smoothness variance offset distance bias",
    "mean of quadratics, Lambda = 1/N, minimisers on both sides",
    *q.sizes("N rounds", (1, 1), (1, 64), (2, 2), (2, 16)),
    grow=("rounds",),
    bias=q.SHARES,
)
_COLUMNS = q.family(
    "curvature smoothness variance offset distance bias share",
    "mean of quadratics, all rows of Lambda alike, from equal weights to one column",
    *q.sizes("N rounds", (1, 4), (2, 2), (2, 16), (8, 4), (8, 16)),
    grow=("rounds",),
    bias=q.SHARES,
)
_STAR = q.family(
    "curvature offset distance precision part fraction",
    "equal quadratics, one agent close to all, the others to it alone; no noise",
    *q.sizes("N rounds larger", (4, 4, "start"), (32, 4, "start")),
    grow=(),
    part=q.SHARE,
)
_LARGER = q.family(
    "curvature offset distance precision part fraction",
    "one agent, additive noise",
    *q.sizes("N rounds larger", *((1, k, m) for k in (4, 64, 256) for m in ("noise", "start"))),
    part=q.SHARE,
)
_Constants = tuple[Array, Array, Array, Array, Array]


# -- Theorem 3.b ----------------------------------------------------------------------------------
def curvatures(w: World) -> Array:
    return w.mu[..., None] * w.condition


def bias(w: World) -> Array:
    """(1/N) sum lambda_ij f_i(x_j^*)."""
    apart = w.centre[..., :, None] - w.centre[..., None, :]
    pairs = curvatures(w)[..., :, None] * apart**2 / 2
    return xp.total(xp.total(q.mixing(w.rows) * pairs)) / w.N


def final(w: World, step: Array, variance: Array, rounds: int) -> Array:
    """E F after these rounds of Algorithm 1."""
    error = w.start[..., None] - w.centre
    noise, weights = variance[..., None] + 0 * error, q.gram(q.mixing(w.rows))
    run = weights, curvatures(w), error, noise, step, rounds
    return measured.mean_excess_after(w, *run)


@once
def spectrum(w: World) -> tuple[Array, Array]:
    """Smallest and largest eigenvalue of W."""
    square = q.gram(q.mixing(w.rows))
    return xp.smallest_eigenvalue(square), xp.largest_eigenvalue(square)


@once
def _sizes(w: World) -> dict[str, Any]:
    """F^0, mu, L, sigma^2, N, sum lambda^2 and K."""
    return {
        "gap": xp.mean(curvatures(w) * (w.start[..., None] - w.centre) ** 2) / 2,
        "mu": w.mu,
        "smoothness": xp.largest(curvatures(w)),
        "variance": w.variance,
        "agents": w.N,
        "mass": xp.total(q.mass(q.mixing(w.rows))),
        "rounds": w.rounds,
    }


def own_step(step: Array, agents: int, scale: str) -> Array:
    """Step of Algorithm 1 that a printed step means."""
    return step / agents if scale == "appendix-step" else step


def _contraction(w: World, exponent: str) -> Array:
    gap, high = _sizes(w)["gap"], _sizes(w)["smoothness"]
    if exponent == "with-rounds":
        return gap * xp.exp(-w.rounds * w.mu / (2 * high))
    return rates.all_smooth_printed_rate(gap, w.mu, high)


_RATE = {"without-rounds": r"e^{-\frac\kappa{2L}}", "with-rounds": r"e^{-\frac K{2\kappa}}"}


def _at_rate(part: str) -> Callable[[Reading], str]:
    """The display with the exponent of the option."""
    printed = claim.latex(f"theorem3b/{part}")
    return lambda r: printed.replace(_RATE["without-rounds"], _RATE[r.exponent])


@claim(
    "theorem3b/noiseless",
    readings=("exponent", "scale"),
    latex=_at_rate("noiseless"),
    family=SMOOTH,
)
def noiseless(w: World, r: Reading) -> Sides:
    """As the noise vanishes, so does the O~ whatever its constant, and the step is 1/(2L). The
    printed exponent kappa/(2L) has units and no K; one agent contracts by 1/4 a round. With K/(2
    kappa), as Lemma 4 would give it, it still leaves out the eigenvalues of W."""
    step = own_step(1 / (2 * _sizes(w)["smoothness"]), w.N, r.scale)
    return {"F": final(w, step, 0 * w.variance, w.rounds)}, {
        "contraction": _contraction(w, r.exponent),
        "bias": bias(w),
    }


def _printed_step(w: World) -> Array:
    return rates.all_smooth_step(**_sizes(w))


_POSITIVE = Hypothesis("step positive", r"\eta>0", _printed_step, "Theorem 3", strict=True)


@claim(
    "theorem3b/noise",
    readings=("exponent", "scale"),
    latex=_at_rate("noise"),
    family=SMOOTH,
    given=[_POSITIVE],
)
def noise(w: World, r: Reading) -> Sides:
    """A change of the unit of length or loss makes the printed contraction as small as one
    likes, and the step of one agent leaves a share of the start."""
    s = _sizes(w)
    left = final(w, own_step(_printed_step(w), w.N, r.scale), w.variance, w.rounds)
    size = s["smoothness"] * w.variance * s["mass"] / (w.rounds * w.mu**2 * w.N)
    return {"E F": left}, {
        "contraction": _contraction(w, r.exponent),
        "noise": size,
        "bias": bias(w),
    }


def _spectral_sizes(w: World) -> dict[str, Any]:
    low, high = spectrum(w)
    return {**_sizes(w), "low": low, "high": high}


_step = once(lambda w: rates.all_smooth_horizon_step(**_spectral_sizes(w)))
_LONGER = Hypothesis("step positive", r"X>1", _step, strict=True)


@hypothesis("Lambda invertible", r"\det\Lambda\ne0", strict=True)
def full_rank(w: World) -> Array:
    return spectrum(w)[0]


@claim("theorem3b.repaired/horizon", family=SMOOTH, given=[full_rank, _LONGER])
def at_the_horizon(w: World) -> Sides:
    """The repaired bound at its own horizon step eta = min(1/(L Omega), ln X/(mu omega K)).

    Proof. In the part any-step the contraction is at most exp(-eta mu omega K) F. The logarithmic
    step makes it F/X and the noise ln X F/X; where 1/(L Omega) is smaller, it is exp(-K omega/
    (kappa Omega)) F and the noise below ln X F/X."""
    left = final(w, _step(w), w.variance, w.rounds)
    return {"E F": left}, rates.all_smooth_horizon_upper(**_spectral_sizes(w), bias=bias(w))


@claim(
    "theorem3b.repaired/any-step",
    family=SMOOTH,
    given=[full_rank],
    uses=("allforall.lemma4a.repaired", "allforall.lemma3"),
)
def any_step(w: World) -> Sides:
    """Any step eta = share/(L high).

    Proof. f^Lambda is L/N-smooth and mu/N-strongly convex relative to Lambda^T Lambda, whose
    non-zero eigenvalues are those of W; Lemma 4.a (repaired) with noise sigma^2 S/N^2 and step
    N eta, F^0 at least the gap of f^Lambda, and Lemma 3 for the bias."""
    sizes = _spectral_sizes(w)
    step = w.step_share / (sizes["smoothness"] * sizes["high"])
    left = final(w, step, w.variance, w.rounds)
    return {"E F": left}, rates.all_smooth_upper(**sizes, step_size=step, bias=bias(w))


# -- Theorem 8 ------------------------------------------------------------------------------------
def _flat(w: World) -> tuple[Array, Array]:
    """Curvature h and half the distance of the two minimisers (0 for one agent)."""
    spread = w.distance * measured.first_of_two(w, w.bias, w.N)
    return w.curvature * w.smoothness, spread


def _moves(w: World, step: Array, variance: Array, curvature: Array) -> tuple[Array, Array, Array]:
    """E x^2 of the common model's error x at the start, and what a round makes of it: a factor of
    it and a summand; its noise has variance sigma^2/N."""
    start, factor = (w.distance * w.offset) ** 2, (1 - step * curvature) ** 2
    return start, factor, step**2 * variance / w.N


def _constants(w: World) -> _Constants:
    """L, sigma^2, D^2, N, sum lambda^2."""
    return w.smoothness, w.variance, w.distance**2, w.N, xp.ones_like(w.variance)


_MENDED_RATE = r"\mathbb E\bigl[\tfrac1K\sum_kF^k\bigr]\le\tfrac{2LD^2}K+\sqrt{\tfrac{2D^2\sigma^2}{KN}\sum_{ij}\lambda_{ij}^2}+\tfrac1N\sum_{ij}\lambda_{ij}b_{ij}"


def _mended_step(w: World, args: _Constants, scale: str) -> Array:
    """sqrt(N^3 D^2/(K sigma^2 S)) or N/(2 L), read as the scale says."""
    smooth, variance, square, agents, mass = args
    long = xp.sqrt(agents**3 * square / (w.rounds * variance * mass))
    return own_step(xp.minimum(long, agents / (2 * smooth)), agents, scale)


def _mended(w: World, scale: str) -> Sides:
    """Equal rows lambda, W = |lambda|^2 in all entries: the model moves N |lambda|^2 times as far
    as with weights 1/N."""
    curvature, spread = _flat(w)
    mass = (1 + (w.N - 1) * w.share) / w.N
    args = (w.smoothness, w.variance, w.distance**2, w.N, w.N * mass)
    moves = _moves(w, w.N * mass * _mended_step(w, args, scale), w.variance, curvature)
    mean = measured.summed_rounds(w, *moves, w.rounds) / w.rounds
    noise = 2 * w.distance**2 * w.variance * mass / w.rounds
    return {"mean F": curvature * (mean + spread**2) / 2}, {
        "start": 2 * w.smoothness * w.distance**2 / w.rounds,
        "noise": xp.sqrt(noise),
        "bias": curvature * spread**2,
    }


@claim(
    "theorem8/rate",
    readings=("toolbox", "scale"),
    latex=lambda r: claim.latex("theorem8/rate") if r.toolbox == "as-displayed" else _MENDED_RATE,
    family=lambda r: _FLAT if r.toolbox == "as-displayed" else _COLUMNS,
)
def theorem8(w: World, r: Reading) -> Sides:
    """Where the columns of Lambda do not sum to one, W has eigenvalues above 1 and the step N/(2 L)
    is too long, also with what Lemmas 3 and 5 say. Printed: last iterate, bias under the root (and so in other units), a step that does
    not fall with K. F = h (x^2 + s^2)/2 for the common model x. Started at the minimum of the
    mean, F stays at the bias."""
    if r.toolbox == "as-in-lemmas":
        return _mended(w, r.scale)
    (curvature, spread), args = _flat(w), _constants(w)
    step = own_step(rates.no_curvature_step_printed(*args), w.N, r.scale)
    last = measured.after_rounds(w, *_moves(w, step, w.variance, curvature), w.rounds)
    left = curvature * (last + spread**2) / 2
    pairs = 2 * curvature * spread**2  # sum lambda_ij b_ij for N = 2: 2 (1/2) h (2 s)^2/2
    return {"E F^K": left}, rates.no_curvature_printed(*args, w.rounds, pairs)


@claim("theorem8.repaired/rate", family=_FLAT)
def theorem8_repaired(w: World) -> Sides:
    """Mean over the rounds, the bias outside the root, a step that falls with K.

    Proof. f^Lambda is L high/N-smooth with noise sigma^2 S/N^2, Algorithm 1 moves y by the step
    gamma = N eta <= N/(2 L high), and |y^0 - y^Lambda|^2 <= N D^2. Lemma 5.a: N D^2/(gamma K) +
    gamma sigma^2 S/N^2 = D^2/(eta K) + eta sigma^2 S/N. With eta = min(1/(2 L high), sqrt(N D^2/(K
    sigma^2 S))) the first term is at most 2 L high D^2/K + D sigma sqrt(S/(K N)), the second at
    most the last of these. Lemma 3 adds the bias."""
    (curvature, spread), args = _flat(w), _constants(w)
    step = rates.no_curvature_step(*args, w.rounds, args[-1])
    moves = _moves(w, step, w.variance, curvature)
    mean = measured.summed_rounds(w, *moves, w.rounds) / w.rounds
    pairs = 2 * curvature * spread**2
    return {"mean F": curvature * (mean + spread**2) / 2}, rates.no_curvature_upper(
        *args, w.rounds, args[-1], pairs / w.N
    )


def _sized(w: World, samples: str, noise: int, start: int) -> _Constants:
    """L, sigma^2, D^2, N, sum lambda^2, such that the larger number is the one of the option."""
    most = q.number(w, samples) * xp.ones_like(w.part)
    first, second = (most, w.part * most)[:: 1 if w.larger == "noise" else -1]
    variance = first * w.precision**2 / (noise * w.distance**2)
    smooth = second * w.precision / (start * w.distance**2)
    return smooth, variance, w.distance**2, w.N, xp.ones_like(variance)


def _star(w: World, args: _Constants, rounds: int) -> Array:
    """Mean F without noise where agent 1 is close to all, the others to it and themselves alone.

    The others have one model; W is 1/N in row 1, else 1/2 on the diagonal and 1/4 beside it.
    """
    smooth, variance, square, agents, one = args
    mass = one / agents + one * (agents - 1) / 2
    step = _mended_step(w, (smooth, variance, square, agents, mass), "appendix-step")
    return star_mean(w, w.distance * w.offset, step, w.curvature * smooth, agents, rounds)


@quantity
def star_mean(w: World, start: Array, step: Array, bend: Array, agents: int, rounds: int) -> Array:
    """Mean F of this run over its rounds."""
    others, first, other = agents - 1, start, start
    total: Array = 0 * first
    for _ in range(rounds):
        total = total + bend * (first**2 + others * other**2) / (2 * agents)
        first, other = (
            first - step * bend * (first + others * other) / agents,
            other - step * bend * (first / agents + agents * other / 4),
        )
    return total / rounds


@claim(
    "theorem8/samples",
    readings=("toolbox", "samples if as-displayed"),
    family=lambda r: _LARGER if r.toolbox == "as-displayed" else _STAR,
)
def samples8(w: World, r: Reading) -> Sides:
    """The printed step does not fall with K, so neither does the noise at the end. With sqrt K below
    it N/(2 L) is still too long where an agent is close to all others: an eigenvalue of W grows
    with N."""
    if r.toolbox == "as-in-lemmas":
        mean = _star(w, _sized(w, "rounded-up", 8, 4), w.rounds)
        return {"mean F": mean}, {"precision": w.precision}
    # least gap of the last iterate among the horizons: the step is the same for all
    args = _sized(w, r.samples, 8, 4)
    curvature = w.curvature * args[0]
    moves = _moves(w, rates.no_curvature_step_printed(*args), args[1], curvature)
    least = measured.last_rounds(w, *moves, w.rounds, r.samples)
    return {"E F^K": curvature * least / 2}, {"precision": w.precision}


@claim("theorem8.repaired/samples", family=_LARGER)
def samples8_repaired(w: World) -> Sides:
    """The step of the repaired rate falls with K; mean over the rounds.

    Proof. With K = T/N rounds 2 L high D^2/K <= eps/4 and 2 D sigma sqrt(S/(K N)) = 2 D sigma
    sqrt(S/T) <= eps/4; the bias is at most eps/2."""
    args = _sized(w, "rounded-up", 64, 8)
    curvature = w.curvature * args[0]
    step = rates.no_curvature_step(*args, w.rounds, args[-1])
    moves = _moves(w, step, args[1], curvature)
    mean = measured.summed_rounds(w, *moves, w.rounds) / w.rounds
    return {"mean F": curvature * mean / 2}, {"precision": w.precision}
