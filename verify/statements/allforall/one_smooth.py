"""Section 4 and Appendix D: weighted gradient averaging under Setting 2, with B.2 (m = 0)."""

from __future__ import annotations

from functools import partial
from itertools import product

from bounds import generic as xp
from bounds.allforall import rates, sgd
from synthetic.exact.runs import averaging_moments
from verify.claim import Array, Hypothesis, Real, Sides, hypothesis, numbers, open_claim, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import APPENDIX_D, HIDDEN, mass, mixing
from verify.statements.allforall.quantities import ONE as TITLE
from verify.world.world import World

_BOX = {
    "row": box.WEIGHTS,
    "mu": box.CURVATURE,
    "condition": box.CONDITION,
    "centre": Real(-2, 2, unit=(0, 1), per=("N", "d")),
    "start": Real(-4, 4, unit=(0, 1), per=("d",)),
    "variance": box.NOISE,
}
_TARGET = {**_BOX, "precision": box.PRECISION}
_SIZES = tuple(
    {"N": n, "d": d, "rounds": k} for n, d, k in ((1, 1, 1), (2, 1, 8), (2, 2, 4), (2, 2, 32))
)
_ABOUT = "quadratics with one Hessian diag(mu, L), additive noise on one axis, exact moments"
_DEFINES = {"smoothness": lambda w: w.mu * w.condition if w.d > 1 else w.mu}


def _hessian(w: World) -> Array:
    first = 0 * w.start[..., 0]
    return xp.stack([w.mu + first, w.smoothness + first][: w.d], -1)


def _pair_bias(w: World, agent: int = 0) -> Array:
    """b_ij = |H (m_i - m_j)|^2/mu: B.2 with b~ = mu b (and m = 0)."""
    gap = _hessian(w)[..., None, :] * (w.centre[..., agent, None, :] - w.centre)
    return xp.total(gap**2) / w.mu[..., None]


def _weighted_gap(w: World, weights: Array) -> Array:
    """F_lambda^0 = sum_j lambda_j (f_j(x^0) - f_j(x_j^*))."""
    gap = _hessian(w)[..., None, :] * (w.start[..., None, :] - w.centre) ** 2
    return xp.total(weights * xp.total(gap)) / 2


def _final_gap(w: World, weights: Array, step: Array, agent: int | None = 0) -> Array:
    """E f_i(x^K) - f_i(x_i^*), or the gap of f^lambda; the noise lies on the last axis."""
    where = xp.eye(w.d, w.start)[w.d - 1]
    noise = w.variance[..., None, None] * where + 0 * w.centre
    mean, spread = averaging_moments(weights, _hessian(w), w.centre, w.start, noise, step, w.rounds)
    mixed = xp.total(weights[..., None] * w.centre, -2)
    middle = mixed if agent is None else w.centre[..., agent, :]
    return xp.total(_hessian(w) * ((mean - middle) ** 2 + spread)) / 2


RATE = r"\mathbb E F_i^K\le2(m+1)\kappa\bigl(F_\lambda^0e^{-\frac K{2\kappa}}+%s\bigr)+\sum_j\lambda_jb_{ij}"
HORIZON = (
    RATE
    % r"\tfrac{L\sigma^2}{\mu^2K}\sum_j\lambda_j^2(1+\ln\tfrac{F_\lambda^0\mu^2K}{L\sigma^2\sum\lambda_j^2})"
)
_STEP = r"\eta=\min(\tfrac1{2L},\tfrac1{\mu K}\ln\tfrac{F_\lambda^0\mu^2K}{L\sigma^2\sum\lambda_j^2}):\ "


@hypothesis(
    "logarithm positive",
    r"F_\lambda^0\mu^2K>L\sigma^2\sum_j\lambda_j^2",
    where="Theorem 6: stepsize eta > 0",
    strict=True,
)
def log_positive(w: World) -> Array:
    weights = mixing(w.row)
    gap = _weighted_gap(w, weights)
    return gap * w.mu**2 * w.rounds / (w.smoothness * w.variance * mass(weights)) - 1


def _horizon(w: World) -> tuple[Array, tuple[Array, ...], Array]:
    """The weights, F_lambda^0 with mu, L, noise and K, and the step made of these."""
    weights = mixing(w.row)
    noise = w.variance * mass(weights)
    args = (_weighted_gap(w, weights), w.mu, w.smoothness, noise, w.rounds)
    return weights, args, sgd.horizon_step(*args)


@statement(
    "allforall.theorem6b.repaired/similar",
    where="Theorem 6.b",
    title=TITLE,
    latex=_STEP + HORIZON,
    over="mean",
    family=numbers(_BOX, *_SIZES, about=_ABOUT),
    defines=_DEFINES,
    given=[log_positive],
    uses=("allforall.lemma4b.repaired",),
    note="m = 0 (B.2). The sum of lambda^2 under the logarithm divides, and 1 + ln is written out.",
    proof="""|grad f_i|^2 <= 2 sum lambda b~ + 4 L F_lambda, PL, and the horizon bound with 1 + ln
    for F_lambda. Loose by the factor 2 kappa for one agent.""",
)
def theorem6b_similar(w: World) -> Sides:
    weights, (gap, *_), step = _horizon(w)
    return {"E F": _final_gap(w, weights, step)}, rates.averaging_smooth_upper(
        gap,
        w.mu,
        w.smoothness,
        w.variance,
        mass(weights),
        w.rounds,
        0 * w.mu,
        xp.total(weights * _pair_bias(w)),
    )


def _near_weights(w: World, agent: int = 0) -> Array:
    return rates.close_weights(_pair_bias(w, agent), w.precision)


ENOUGH = r"K\ge\max\bigl(2\kappa,\tfrac{8(m+1)\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i^\varepsilon(2b)}\bigr)\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon"


def _room(w: World, agent: int = 0) -> Array:
    weights = _near_weights(w, agent)
    return w.rounds - rates.averaging_smooth_rounds(
        _weighted_gap(w, weights),
        w.mu,
        w.smoothness,
        w.variance,
        mass(weights),
        w.precision,
        0 * w.mu,
    )


enough = Hypothesis("K at least the number", ENOUGH, _room)
TARGET = r"T=N\max\bigl(2\kappa,\tfrac{8(m+1)\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i^\varepsilon(2b)}\bigr)\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon"
SHARED = """|grad f_i|^2 <= 2 sum lambda b~ + 4 L (m + 1) F_lambda and PL give 2 (m + 1) kappa F_lambda
+ bias. The bias is at most eps/2. F_lambda is at most exp(-eta mu K) F_lambda^0 + eta L sigma^2
S/(2 mu) (Lemma 4.a, A = I), S = 1/N_i, and with eta = min(1/(2 L), mu^2 eps/(8 (m + 1) L^2 sigma^2
S)) and K as stated both are at most eps/(8 (m + 1) kappa)."""


def _target(w: World, agent: int) -> Array:
    weights = _near_weights(w, agent)
    step = rates.averaging_smooth_step(
        w.mu, w.smoothness, w.variance, mass(weights), w.precision, 0 * w.mu
    )
    return _final_gap(w, weights, step, agent)


@statement(
    "allforall.theorem7.2.repaired/similar",
    where="Theorem 7.2",
    title=TITLE,
    latex=TARGET,
    over="mean",
    family=numbers(_TARGET, *_SIZES, about=_ABOUT),
    defines=_DEFINES,
    given=[enough],
    note="m = 0.",
    proof=SHARED,
)
def theorem7_2(w: World) -> Sides:
    return {"E F": _target(w, 0)}, {"precision": w.precision}


theorem2_2 = theorem7_2.variant(
    "allforall.theorem2.2.repaired",
    where="Theorem 2.2",
    note="""m = 0. Besides the logarithms the optimisation term N kappa is missing, and the proof
    gives kappa^2.""",
)


@theorem7_2.like(
    "allforall.naive.b.repaired",
    where="Section 5",
    title="all-for-all",
    latex=r"T=N\max_i\max\bigl(2\kappa,\tfrac{8\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i}\bigr)\ln\tfrac{8\kappa F_i^0}\varepsilon",
    uses=("allforall.theorem7.2.repaired",),
    proof="Theorem 7.2 (repaired) for every agent.",
    given=[
        Hypothesis(
            "K at least the number of every agent",
            ENOUGH,
            lambda w: xp.stack([_room(w, i) for i in range(w.N)], -1),
        )
    ],
)
def naive_b(w: World) -> Sides:
    worst = xp.largest(xp.stack([_target(w, i) for i in range(w.N)], -1))
    return {"largest E F_i": worst}, {"precision": w.precision}


def _values(w: World, part: str) -> Sides:
    apart = w.start - w.centre[..., 0, :]
    gap = xp.total(_hessian(w) * apart**2) / 2
    square = xp.total((_hessian(w) * apart) ** 2)
    if part == "pl":
        return {"gap": gap}, {"PL": square / (2 * w.mu)}
    return {"squared gap": gap**2}, {"squared product": xp.total(apart**2) * square}


values = tuple(
    statement(
        f"allforall.ineq.{name}",
        where="Section 4",
        kind="claim",
        title="from gradients to values",
        latex=rf"f_i(x_j^*)-f_i(x_i^*)\le{latex}",
        family=theorem6b_similar.family,
        defines=_DEFINES,
        note="f_1 at the minimiser of f_2 (the start of this family).",
    )(partial(_values, part=part))
    for name, part, latex in (
        ("B1fromB2", "pl", r"\tfrac1{2\mu}\|\nabla f_i(x_j^*)\|^2"),
        ("B1convex", "convex", r"\|x_i^*-x_j^*\|\|\nabla f_i(x_j^*)\|"),
    )
)


@statement(
    "allforall.eq14/mean",
    where=APPENDIX_D,
    kind="proof step",
    title=TITLE,
    relation="==",
    latex=r"\mathbb E g_\lambda^k=\nabla f^\lambda",
    family=theorem6b_similar.family,
    defines=_DEFINES,
    note="Mean step of the algorithm against the gradient of f^lambda, first coordinate.",
)
def mixed_mean(w: World) -> Sides:
    weights, noise, one = mixing(w.row), 0 * w.centre, xp.ones_like(w.mu)
    mean, _ = averaging_moments(weights, _hessian(w), w.centre, w.start, noise, one, 1)
    slope = xp.total(
        weights[..., None] * _hessian(w)[..., None, :] * (w.start[..., None, :] - w.centre), -2
    )
    return {"mean step": (w.start - mean)[..., 0]}, {"gradient": slope[..., 0]}


@statement(
    "allforall.eq14/variance",
    where=APPENDIX_D,
    kind="proof step",
    title=TITLE,
    latex=r"\mathbb E\|g_\lambda^k-\nabla f^\lambda\|^2\le\sigma^2\sum_j\lambda_j^2",
    family=numbers(
        {"row": box.WEIGHTS, "level": box.SHARES, "variance": box.NOISE},
        {"N": 1},
        {"N": 2},
        {"N": 3},
        about="noise of either sign, up to sigma, all outcomes",
    ),
    note="""Noise level_j sigma with a fair sign for each agent, all combinations of signs. Equality
    where every agent's noise has variance sigma^2.""",
)
def mixed_variance(w: World) -> Sides:
    weights = mixing(w.row)
    squares = [
        sum(sign * weights[..., j] * w.level[..., j] for j, sign in enumerate(signs)) ** 2
        for signs in product((1, -1), repeat=w.N)
    ]
    mean = sum(squares[1:], start=squares[0]) / len(squares)
    return {"variance": w.variance * mean}, {"sigma^2 sum lambda^2": w.variance * mass(weights)}


hidden_step = open_claim(
    "allforall.proof.wga_b",
    "proof step",
    APPENDIX_D,
    r"f^\lambda(x^k)-f^\lambda(x^\lambda)\le F_\lambda^0e^{-\frac k{2\kappa}}+\tilde{\mathcal O}(\cdot)",
    TITLE,
    HIDDEN,
)


@theorem6b_similar.like(
    "allforall.proof.wga_b.explicit",
    where=APPENDIX_D,
    kind="proof step",
    latex=r"\ldots\le F_\lambda^0e^{-\frac k{2\kappa}}+\tfrac{L\sigma^2}{\mu^2k}\sum_j\lambda_j^2(1+\ln(\cdot))",
    note="""The gap of f^lambda itself. Lemma 4.b (repaired, A = I) with noise sigma^2 sum lambda^2,
    and F_lambda^0 in place of the gap of f^lambda at x^0, which is no larger:
    f^lambda(x^lambda) >= sum_j lambda_j f_j(x_j^*).""",
)
def gap_of_the_mixture(w: World) -> Sides:
    weights, args, step = _horizon(w)
    return {"E f^lambda": _final_gap(w, weights, step, agent=None)}, sgd.horizon_upper(*args)


def _split(w: World, part: str) -> Sides:
    weights, hessian = mixing(w.row), _hessian(w)
    middle = xp.total(weights[..., None] * w.centre, -2)
    slope, mixed_slope = hessian * (w.start - w.centre[..., 0, :]), hessian * (w.start - middle)
    own, mixed = xp.total(slope**2), {"mixed": 2 * xp.total(mixed_slope**2)}
    apart = {"gap": 2 * xp.total((slope - mixed_slope) ** 2)}
    bias = {"bias": 2 * (w.mu * xp.total(weights * _pair_bias(w)))}
    level = xp.total(hessian * (w.start - middle) ** 2) / 2
    gap = xp.total(hessian * (w.start - w.centre[..., 0, :]) ** 2) / 2
    return {
        "triangle": ({"|grad f_i|^2": own}, apart | mixed),
        "bias": (apart | mixed, bias | mixed),
        "smooth": (bias | mixed, {**bias, "level": 4 * w.smoothness * level}),
        "pl": ({"gap": gap}, {"PL": own / (2 * w.mu)}),
    }[part]


splits = tuple(
    mixed_mean.like(
        f"allforall.ineq.gradsplit/{part}",
        latex=latex,
        relation="<=",
        note="At the point x^0, B.2 (m = 0).",
    )(partial(_split, part=part))
    for part, latex in (
        (
            "triangle",
            r"\|\nabla f_i\|^2\le2\|\nabla f_i-\nabla f^\lambda\|^2+2\|\nabla f^\lambda\|^2",
        ),
        (
            "bias",
            r"\|\nabla f_i-\nabla f^\lambda\|^2\le m\|\nabla f^\lambda\|^2+\sum_j\lambda_j\tilde b_{ij}",
        ),
        ("smooth", r"2\|\nabla f^\lambda\|^2\le4L(f^\lambda-f^\lambda(x^\lambda))"),
        ("pl", r"f_i(x^k)-f_i(x_i^*)\le\tfrac1{2\mu}\|\nabla f_i(x^k)\|^2"),
    )
)
