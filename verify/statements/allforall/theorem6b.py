"""Section 4 and Appendix D: weighted gradient averaging under Setting 2, Theorem 6.b.

Quadratics with one Hessian have similar gradients, B.2 (m = 0); quadratics with one minimiser are
similar in the relaxed sense, B.3 (m > 0).
"""

from __future__ import annotations

from functools import partial
from itertools import product

from bounds import generic as xp
from bounds.allforall import rates, sgd
from verify.claim import Array, Reading, Real, Sides, hypothesis
from verify.statements.allforall import measured
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

claim = q.Claims(r"""
Theorem 6.b :: theorem :: weighted gradient averaging
    theorem6b <~ mean :: \mathbb E F_i^K\le2(m+1)\kappa\bigl(F_\lambda^0e^{-\frac K{2\kappa}}+\tilde{\mathcal O}(\tfrac{L\sigma^2}{\mu^2K}\sum_j\lambda_j^2)\bigr)+\sum_j\lambda_jb_{ij},\ \eta=\min\bigl(\tfrac1{2L},\tfrac1{\mu K}\ln(\tfrac{F_\lambda^0\mu^2K}{L\sigma^2}\sum_j\lambda_j^2)\bigr)
    theorem6b.explicit mean :: \mathbb E F_i^K\le2(m+1)\kappa\bigl(F_\lambda^0e^{-\frac K{2\kappa}}+\tfrac{L\sigma^2}{\mu^2K}\sum_j\lambda_j^2(1+\ln\tfrac{F_\lambda^0\mu^2K}{L\sigma^2\sum\lambda_j^2})\bigr)+\sum_j\lambda_jb_{ij}
    theorem6b.repaired/similar mean :: \eta=\min(\tfrac1{2L},\tfrac1{\mu K}\ln\tfrac{F_\lambda^0\mu^2K}{L\sigma^2\sum\lambda_j^2}):\ \mathbb E F_i^K\le2(m+1)\kappa\bigl(F_\lambda^0e^{-\frac K{2\kappa}}+\tfrac{L\sigma^2}{\mu^2K}\sum_j\lambda_j^2(1+\ln\tfrac{F_\lambda^0\mu^2K}{L\sigma^2\sum\lambda_j^2})\bigr)+\sum_j\lambda_jb_{ij}
    theorem6b.repaired/relaxed mean :: \mathbb E F_i^K\le2(m+1)\kappa\bigl(F_\lambda^0e^{-\frac K{2\kappa}}+\tfrac{L\sigma^2}{\mu^2K}\sum_j\lambda_j^2(1+\ln\tfrac{F_\lambda^0\mu^2K}{L\sigma^2\sum\lambda_j^2})\bigr)+\sum_j\lambda_jb_{ij}
Section 4 :: claim :: from gradients to values
    ineq.B1fromB2 :: f_i(x_j^*)-f_i(x_i^*)\le\tfrac1{2\mu}\|\nabla f_i(x_j^*)\|^2
    ineq.B1convex :: f_i(x_j^*)-f_i(x_i^*)\le\|x_i^*-x_j^*\|\|\nabla f_i(x_j^*)\|
Appendix D :: proof step :: weighted gradient averaging
    eq14/mean == :: \mathbb E g_\lambda^k=\nabla f^\lambda
    eq14/variance :: \mathbb E\|g_\lambda^k-\nabla f^\lambda\|^2\le\sigma^2\sum_j\lambda_j^2
    proof.wga_b :: f^\lambda(x^k)-f^\lambda(x^\lambda)\le F_\lambda^0e^{-\frac k{2\kappa}}+\tilde{\mathcal O}(\cdot)
    proof.wga_b.explicit mean :: \ldots\le F_\lambda^0e^{-\frac k{2\kappa}}+\tfrac{L\sigma^2}{\mu^2k}\sum_j\lambda_j^2(1+\ln(\cdot))
    ineq.gradsplit/triangle :: \|\nabla f_i\|^2\le2\|\nabla f_i-\nabla f^\lambda\|^2+2\|\nabla f^\lambda\|^2
    ineq.gradsplit/bias :: \|\nabla f_i-\nabla f^\lambda\|^2\le m\|\nabla f^\lambda\|^2+\sum_j\lambda_j\tilde b_{ij}
    ineq.gradsplit/smooth :: 2\|\nabla f^\lambda\|^2\le4L(f^\lambda-f^\lambda(x^\lambda))
    ineq.gradsplit/pl :: f_i(x^k)-f_i(x_i^*)\le\tfrac1{2\mu}\|\nabla f_i(x^k)\|^2
    ineq.gradsplit/relaxed :: 2\|\nabla f_i-\nabla f^\lambda\|^2+2\|\nabla f^\lambda\|^2\le4L(m+1)(f^\lambda-f^\lambda(x^\lambda))+2\sum_j\lambda_j\tilde b_{ij}
""")
_LOG = r"F_\lambda^0\mu^2K>L\sigma^2\sum_j\lambda_j^2"
_EQUAL = q.family(
    "mu start level",
    "N = ceil(1/F) equal agents mu x^2/2, equal weights, K = N, sigma^2 = mu F/level",
    start=Real(1 / 64, 1 / 4, unit=(0, 1), log=True),
    level=Real(2, 16, log=True, domain=(1, 64)),
)
_ABOUT = "quadratics with one Hessian diag(mu, L), additive noise on one axis, exact moments"
_OWN = {
    "centre": Real(-2, 2, unit=(0, 1), per=("N", "d")),
    "start": Real(-4, 4, unit=(0, 1), per=("d",)),
}
_SIZES = q.sizes("N d rounds", (1, 1, 1), (2, 1, 8), (2, 2, 4), (2, 2, 32))
_SYMBOLS = "row mu condition centre start variance"
SIMILAR = q.family(_SYMBOLS, _ABOUT, *_SIZES, **_OWN)
SIMILAR_TARGET = q.family(_SYMBOLS + " precision", _ABOUT, *_SIZES, **_OWN)


def _largest(w: World) -> Array:
    """L of the run, mu on the line."""
    return measured.of_axes(w, w.mu, w.mu * w.condition) if w.has("centre") else w.mu


SMOOTH = {"smoothness": _largest}
_RUN: dict[str, object] = {"family": SIMILAR, "defines": SMOOTH}
_NOISES = q.family(
    "row level variance",
    "noise of either sign, up to sigma, all outcomes",
    *q.sizes("N", 1, 2, 3),
    level=q.SHARES,
)
_SIZES_1 = q.sizes("N rounds", (1, 4), (2, 8), (2, 32))
_ABOUT_1 = "f_j = a_j x^2/2 with one minimiser, additive noise, exact moments; b = 0"
_OWN_1 = {"condition": q.CONDITIONS, "start": q.DISTANCE}
_SYMBOLS_1 = "row mu condition start variance"
RELAXED = q.family(_SYMBOLS_1, _ABOUT_1, *_SIZES_1, **_OWN_1)
RELAXED_TARGET = q.family(_SYMBOLS_1 + " precision", _ABOUT_1, *_SIZES_1, **_OWN_1)


# -- the printed form, up to the constant of its O~ -----------------------------------------------
def _start(w: World) -> Array:
    return w.mu * w.start**2 / 2


@hypothesis("logarithm positive", _LOG, where="Theorem 6: stepsize eta > 0", strict=True)
def step_positive(w: World) -> Array:
    return (log_positive if w.has("centre") else relaxed_log_positive).rule(w)


def _argument(w: World) -> Array:
    """F_lambda^0 mu^2 K/(L sigma^2 sum lambda^2), what stands under the logarithm."""
    return step_positive.rule(w) + 1


def _below(w: World) -> Sides:
    """The display with the sum below the fraction, without what the O~ hides: 1 + ln."""
    sides = (theorem6b_similar if w.has("centre") else theorem6b_relaxed).sides
    assert sides is not None
    left, right = sides(w)
    return left, {**right, "noise": right["noise"] / (1 + xp.log(_argument(w)))}


_BELOW = r"\ldots\tilde{\mathcal O}(\tfrac{L\sigma^2}{\mu^2K}\sum_j\lambda_j^2),\ \eta=\min\bigl(\tfrac1{2L},\tfrac1{\mu K}\ln\tfrac{F_\lambda^0\mu^2K}{L\sigma^2\sum_j\lambda_j^2}\bigr)"
_MANY = {"agents": lambda w: xp.ceil(1 / _start(w)) + 9}


@claim(
    "theorem6b",
    readings=("squares",),
    family=lambda r: _EQUAL if r.squares == "beside" else SIMILAR,
    also=lambda r: () if r.squares == "beside" else (RELAXED,),
    given=lambda r: [] if r.squares == "beside" else [step_positive],
    latex=lambda r: claim.latex("theorem6b") if r.squares == "beside" else _BELOW,
    defines=lambda r: _MANY if r.squares == "beside" else SMOOTH,
)
def theorem6b(w: World, r: Reading) -> Sides:
    """The sum of lambda^2 stands beside the fraction under the logarithm, where it has to
    divide: what stands there is N^2 times too small. With K = N it is the level, the step is
    ln(level)/(mu N), at most 1/(2 mu), and after N rounds (1 - ln(level)/N)^(2 N) of F is left, at
    least level^-3, as 1 - x >= exp(-3 x/2) for x <= 1/2. The noise only adds to that. The right
    side is 2 exp(-N/2) F + F/(level N^2) up to constants, and exp(-N/2) <= 48/N^3. With the sum
    below the fraction the explicit form has 1 + ln of it for the O~."""
    if r.squares == "below":
        return _below(w)
    many, gap = w.agents, _start(w)
    return {"start left over": gap / w.level**3}, {
        "contraction": 2 * 48 * gap / many**3,
        "noise": 2 * gap / (w.level * many**2),
    }


explicit = theorem6b.leaf("below").bounded(
    "allforall.theorem6b.explicit",
    lambda c: {"contraction": 1, "noise": c.argument, "bias": 1},
    says="1, and 1 + ln of the argument before the noise",
    logs={"argument": _argument},
    latex=claim.latex("theorem6b.explicit"),
    title="weighted gradient averaging",
    note="What the O~ hides is 1 + ln of the argument of the step; see the repaired form.",
    uses=("allforall.lemma4b.repaired",),
)


# -- similar gradients: one Hessian ---------------------------------------------------------------
def _hessian(w: World) -> Array:
    first = 0 * w.start[..., 0]
    return measured.per_axis(w, w.mu + first, w.smoothness + first)


def pair_bias(w: World, agent: int = 0) -> Array:
    """b_ij = |H (m_i - m_j)|^2/mu: B.2 with b~ = mu b (and m = 0)."""
    gap = _hessian(w)[..., None, :] * (w.centre[..., agent, None, :] - w.centre)
    return xp.total(gap**2) / w.mu[..., None]


def weighted_gap(w: World, weights: Array) -> Array:
    """F_lambda^0 = sum_j lambda_j (f_j(x^0) - f_j(x_j^*))."""
    gap = _hessian(w)[..., None, :] * (w.start[..., None, :] - w.centre) ** 2
    return xp.total(weights * xp.total(gap)) / 2


@quantity
def last_axis(w: World) -> Array:
    """The unit vector along which the noise lies, (d,)."""
    return xp.eye(w.d, w.start)[w.d - 1]


def final_gap(w: World, weights: Array, step: Array, agent: int | None = 0) -> Array:
    """E f_i(x^K) - f_i(x_i^*), or the gap of f^lambda; the noise lies on the last axis."""
    noise = w.variance[..., None, None] * last_axis(w) + 0 * w.centre
    run = weights, _hessian(w), w.centre, w.start, noise, step, w.rounds
    mean, spread = measured.averaged_moments(w, *run)
    mixed = xp.total(weights[..., None] * w.centre, -2)
    middle = mixed if agent is None else w.centre[..., agent, :]
    return xp.total(_hessian(w) * ((mean - middle) ** 2 + spread)) / 2


@hypothesis("logarithm positive", _LOG, where="Theorem 6: stepsize eta > 0", strict=True)
def log_positive(w: World) -> Array:
    weights = q.mixing(w.row)
    gap = weighted_gap(w, weights)
    return gap * w.mu**2 * w.rounds / (w.smoothness * w.variance * q.mass(weights)) - 1


def _horizon(w: World) -> tuple[Array, tuple[Array, ...], Array]:
    """The weights, F_lambda^0 with mu, L, noise and K, and the step made of these."""
    weights = q.mixing(w.row)
    noise = w.variance * q.mass(weights)
    args = (weighted_gap(w, weights), w.mu, w.smoothness, noise, w.rounds)
    return weights, args, sgd.horizon_step(*args)


@claim(
    "theorem6b.repaired/similar", **_RUN, given=[log_positive], uses=("allforall.lemma4b.repaired",)
)
def theorem6b_similar(w: World) -> Sides:
    """m = 0 (B.2). The sum of lambda^2 under the logarithm divides, and 1 + ln is written out.

    Proof. |grad f_i|^2 <= 2 sum lambda b~ + 4 L F_lambda, PL, and the horizon bound with 1 + ln
    for F_lambda. Loose by the factor 2 kappa for one agent."""
    weights, (gap, *_), step = _horizon(w)
    square, bias = q.mass(weights), xp.total(weights * pair_bias(w))
    return {"E F": final_gap(w, weights, step)}, rates.averaging_smooth_upper(
        gap, w.mu, w.smoothness, w.variance, square, w.rounds, 0 * w.mu, bias
    )


def _at_start(w: World) -> tuple[Array, Array, Array]:
    """x^0 - x_1^*, the gap of f_1 and the squared norm of its gradient there."""
    apart = w.start - w.centre[..., 0, :]
    gap = xp.total(_hessian(w) * apart**2) / 2
    return apart, gap, xp.total((_hessian(w) * apart) ** 2)


@claim("ineq.B1fromB2", family=SIMILAR, defines=SMOOTH)
def values_pl(w: World) -> Sides:
    """f_1 at the minimiser of f_2 (the start of this family)."""
    _, gap, square = _at_start(w)
    return {"gap": gap}, {"PL": square / (2 * w.mu)}


@claim("ineq.B1convex", family=SIMILAR, defines=SMOOTH, note=values_pl.note)
def values_convex(w: World) -> Sides:
    apart, gap, square = _at_start(w)
    return {"squared gap": gap**2}, {"squared product": xp.total(apart**2) * square}


@claim("eq14/mean", family=SIMILAR, defines=SMOOTH)
def mixed_mean(w: World) -> Sides:
    """Mean step of the algorithm against the gradient of f^lambda, first coordinate."""
    weights, noise, one = q.mixing(w.row), 0 * w.centre, xp.ones_like(w.mu)
    run = weights, _hessian(w), w.centre, w.start, noise, one, 1
    mean, _ = measured.averaged_moments(w, *run)
    slope = xp.total(
        weights[..., None] * _hessian(w)[..., None, :] * (w.start[..., None, :] - w.centre), -2
    )
    return {"mean step": (w.start - mean)[..., 0]}, {"gradient": slope[..., 0]}


@quantity
def over_signs(w: World, weights: Array, level: Array, agents: int) -> Array:
    """Mean square of the weighted sum of the levels over all combinations of signs."""
    squares = [
        sum(sign * weights[..., j] * level[..., j] for j, sign in enumerate(signs)) ** 2
        for signs in product((1, -1), repeat=agents)
    ]
    return q.added(squares) / len(squares)


@claim("eq14/variance", family=_NOISES)
def mixed_variance(w: World) -> Sides:
    """Noise level_j sigma with a fair sign for each agent, all combinations of signs. Equality
    where every agent's noise has variance sigma^2."""
    weights = q.mixing(w.row)
    mean = over_signs(w, weights, w.level, w.N)
    return {"variance": w.variance * mean}, {"sigma^2 sum lambda^2": w.variance * q.mass(weights)}


hidden_step = claim.open("proof.wga_b", "the constants and logarithms of the O~")


@claim("proof.wga_b.explicit", **_RUN, given=[log_positive])
def gap_of_the_mixture(w: World) -> Sides:
    """The gap of f^lambda itself. Lemma 4.b (repaired, A = I) with noise sigma^2 sum lambda^2,
    and F_lambda^0 in place of the gap of f^lambda at x^0, which is no larger:
    f^lambda(x^lambda) >= sum_j lambda_j f_j(x_j^*)."""
    weights, args, step = _horizon(w)
    return {"E f^lambda": final_gap(w, weights, step, agent=None)}, sgd.horizon_upper(*args)


def _split(w: World, part: str) -> Sides:
    """Steps of the chain from |grad f_i|^2 to the gap of f^lambda."""
    weights, hessian = q.mixing(w.row), _hessian(w)
    middle = xp.total(weights[..., None] * w.centre, -2)
    slope, mixed_slope = hessian * (w.start - w.centre[..., 0, :]), hessian * (w.start - middle)
    own, mixed = xp.total(slope**2), {"mixed": 2 * xp.total(mixed_slope**2)}
    apart = {"gap": 2 * xp.total((slope - mixed_slope) ** 2)}
    bias = {"bias": 2 * (w.mu * xp.total(weights * pair_bias(w)))}
    level = xp.total(hessian * (w.start - middle) ** 2) / 2
    gap = xp.total(hessian * (w.start - w.centre[..., 0, :]) ** 2) / 2
    return {
        "triangle": ({"|grad f_i|^2": own}, apart | mixed),
        "bias": (apart | mixed, bias | mixed),
        "smooth": (bias | mixed, {**bias, "level": 4 * w.smoothness * level}),
        "pl": ({"gap": gap}, {"PL": own / (2 * w.mu)}),
    }[part]


splits = tuple(
    claim(
        f"ineq.gradsplit/{part}",
        family=SIMILAR,
        defines=SMOOTH,
        note="At the point x^0, B.2 (m = 0).",
    )(partial(_split, part=part))
    for part in ("triangle", "bias", "smooth", "pl")
)


# -- relaxed similarity: one minimiser ------------------------------------------------------------
def curvatures(w: World) -> Array:
    return w.mu[..., None] * w.condition


def constants(w: World) -> tuple[Array, Array, Array]:
    """mu, L, and m = (L/mu - 1)^2, the least that serves all agents and all stochastic vectors."""
    low, high = xp.smallest(curvatures(w)), xp.largest(curvatures(w))
    return low, high, (high / low - 1) ** 2


def _weights(w: World) -> tuple[Array, Array]:
    """sum lambda^2 (all agents are close), and the curvature of f^lambda."""
    weights = q.mixing(w.row)
    return q.mass(weights), xp.total(weights * curvatures(w))


def relaxed_gap(w: World, curvature: Array, step: Array, square_sum: Array) -> Array:
    """E f_1(x^K): the error contracts at the curvature of f^lambda."""
    factor = (1 - step * curvature) ** 2
    noise = step**2 * w.variance * square_sum
    square = measured.after_rounds(w, w.start**2, factor, noise, w.rounds)
    return curvatures(w)[..., 0] * square / 2


@hypothesis("logarithm positive", _LOG, strict=True)
def relaxed_log_positive(w: World) -> Array:
    (low, high, _), (square_sum, curvature) = constants(w), _weights(w)
    size = curvature * w.start**2 * low**2 * w.rounds / (2 * high * w.variance * square_sum)
    return size - 1


@claim(
    "theorem6b.repaired/relaxed",
    family=RELAXED,
    given=[relaxed_log_positive],
    uses=("allforall.lemma4b.repaired",),
)
def theorem6b_relaxed(w: World) -> Sides:
    """Any m; the sum of lambda^2 under the logarithm divides, and 1 + ln is written out.

    Proof. |grad f_i|^2 <= 2 (m + 1) |grad f^lambda|^2 + bias <= 4 L (m + 1) F_lambda + bias, PL for
    f_i, and the horizon bound with 1 + ln for F_lambda: the factor 2 (m + 1) kappa."""
    (low, high, relaxation), (square_sum, curvature) = constants(w), _weights(w)
    start = curvature * w.start**2 / 2
    step = sgd.horizon_step(start, low, high, w.variance * square_sum, w.rounds)
    return {"E F": relaxed_gap(w, curvature, step, square_sum)}, rates.averaging_smooth_upper(
        start, low, high, w.variance, square_sum, w.rounds, relaxation, 0 * w.mu
    )


@claim("ineq.gradsplit/relaxed", family=RELAXED)
def split_relaxed(w: World) -> Sides:
    """2 |grad f_i - grad f^lambda|^2 + 2 |grad f^lambda|^2 <= 4 L (m + 1) F_lambda, bias 0."""
    (_, high, relaxation), (_, curvature) = constants(w), _weights(w)
    own, mixed = curvatures(w)[..., 0] * w.start, curvature * w.start
    level = curvature * w.start**2 / 2
    return {"gap": 2 * (own - mixed) ** 2, "mixed": 2 * mixed**2}, {
        "level": 4 * high * (relaxation + 1) * level
    }
